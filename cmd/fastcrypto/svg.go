package main

import (
	"errors"
	"fmt"
	"image/color"
	"io"
	"math"
	"runtime"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/plotutil"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

var errNothingToPlot = errors.New("no operation with throughput was measured at two sizes or more")

// plots groups the rows to draw by operation, in their order.
func plots(rows []row) [][]row {
	var all [][]row
	for i := 0; i < len(rows); {
		j := i
		for j < len(rows) && rows[j].op.name == rows[i].op.name {
			j++
		}
		if rows[i].op.bulk && j-i > 1 {
			all = append(all, rows[i:j])
		}
		i = j
	}
	return all
}

// writeSVG draws throughput over size: a panel an operation, a line an
// implementation.
func writeSVG(w io.Writer, rows []row) error {
	groups := plots(rows)
	if len(groups) == 0 {
		return errNothingToPlot
	}
	columns := min(2, len(groups))
	lines := (len(groups) + columns - 1) / columns
	grid := make([][]*plot.Plot, lines)
	for i := range grid {
		grid[i] = make([]*plot.Plot, columns)
	}
	for i, g := range groups {
		p, err := panel(g)
		if err != nil {
			return err
		}
		grid[i/columns][i%columns] = p
	}
	const head = vg.Centimeter
	canvas := vgsvg.New(vg.Length(columns)*12*vg.Centimeter, vg.Length(lines)*8*vg.Centimeter+head)
	page := draw.New(canvas)
	page.SetColor(color.White)
	page.Fill(page.Rectangle.Path())
	title := plot.New().Title.TextStyle
	title.XAlign, title.YAlign = draw.XCenter, draw.YTop
	page.FillText(title, vg.Point{X: page.Center().X, Y: page.Max.Y - head/4}, model()+", "+runtime.Version())
	tiles := draw.Tiles{Rows: lines, Cols: columns, PadX: vg.Centimeter / 2, PadY: vg.Centimeter / 2,
		PadTop: vg.Centimeter / 4, PadBottom: vg.Centimeter / 4, PadLeft: vg.Centimeter / 4, PadRight: vg.Centimeter / 2}
	for i, line := range plot.Align(grid, tiles, draw.Crop(page, 0, 0, 0, -head)) {
		for j, c := range line {
			if grid[i][j] != nil {
				grid[i][j].Draw(c)
			}
		}
	}
	_, err := canvas.WriteTo(w)
	return err
}

// panel draws one operation.
func panel(rows []row) (*plot.Plot, error) {
	p := plot.New()
	p.Title.Text = rows[0].op.name
	if k := rows[0].fast.kernel; k != "" {
		p.Title.Text += " (" + k + ")"
	}
	p.X.Label.Text = "bytes"
	p.Y.Label.Text = "GB/s"
	p.X.Scale = plot.LogScale{}
	p.X.Tick.Marker = sizeTicks(rows)
	p.Y.Min = 0
	p.Legend.Top = true
	p.Legend.Left = true
	p.Add(plotter.NewGrid())
	var order []string
	lines := map[string]plotter.XYs{}
	for i := range rows {
		for _, s := range rows[i].samples() {
			if lines[s.impl] == nil {
				order = append(order, s.impl)
			}
			lines[s.impl] = append(lines[s.impl], plotter.XY{X: float64(rows[i].op.size), Y: throughput(rows[i].op.size, s.ns) / 1e3})
		}
	}
	for i, name := range order {
		line, points, err := plotter.NewLinePoints(lines[name])
		if err != nil {
			return nil, err
		}
		line.Color, points.Color = plotutil.Color(i), plotutil.Color(i)
		line.Width = vg.Points(1.5)
		points.Shape = plotutil.Shape(i)
		p.Add(line, points)
		p.Legend.Add(name, line, points)
	}
	// Room for the legend above the lines.
	p.Y.Max *= 1.25
	p.Y.Tick.Marker = rateTicks(p.Y.Max)
	return p, nil
}

// sizeTicks marks the sizes that were measured, and names those that leave room
// for it.
func sizeTicks(rows []row) plot.ConstantTicks {
	var ticks plot.ConstantTicks
	named := 0.0
	for i := range rows {
		t := plot.Tick{Value: float64(rows[i].op.size)}
		if t.Value >= 3*named {
			t.Label, named = sizeName(rows[i].op.size), t.Value
		}
		ticks = append(ticks, t)
	}
	return ticks
}

// rateTicks marks about five round numbers from 0 to most.
func rateTicks(most float64) plot.ConstantTicks {
	unit := math.Pow(10, math.Floor(math.Log10(most/5)))
	step := unit
	for _, m := range []float64{2, 5, 10} {
		if most/step > 6 {
			step = m * unit
		}
	}
	var ticks plot.ConstantTicks
	for i := 0; float64(i)*step <= most; i++ {
		v := float64(i) * step
		ticks = append(ticks, plot.Tick{Value: v, Label: fmt.Sprintf("%.4g", v)})
	}
	return ticks
}
