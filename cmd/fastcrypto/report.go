package main

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
)

// A row is an operation with what was measured of it.
type row struct {
	op   *operation
	fast sample
	// std and openssl have no impl where they were not measured.
	std     sample
	openssl sample
}

func (r *row) samples() []sample {
	s := []sample{r.fast}
	for _, other := range []sample{r.std, r.openssl} {
		if other.impl != "" {
			s = append(s, other)
		}
	}
	return s
}

// ratio is the time of s divided by that of the library to compare with, or NaN
// where there is none.
func (r *row) ratio(s sample) float64 {
	if r.std.impl == "" {
		return math.NaN()
	}
	return s.ns / r.std.ns
}

// A jsonRow is a line of -json. Absent numbers are null: the throughput of what
// is not measured in bytes, the allocations of openssl, the ratio where there is
// nothing to compare with.
type jsonRow struct {
	Op       string   `json:"op"`
	Size     int      `json:"size"`
	Impl     string   `json:"impl"`
	Kernel   string   `json:"kernel"`
	NsOp     float64  `json:"ns_op"`
	MBs      *float64 `json:"mb_s"`
	AllocsOp *float64 `json:"allocs_op"`
	Ratio    *float64 `json:"ratio"`
}

// writeJSON writes the row as one object a line and implementation.
func (r *row) writeJSON(w io.Writer) error {
	for _, s := range r.samples() {
		j := jsonRow{Op: r.op.name, Size: r.op.size, Impl: s.impl, Kernel: s.kernel,
			NsOp: round(s.ns, 100), AllocsOp: number(s.allocs), Ratio: number(round(r.ratio(s), 10000))}
		if r.op.bulk {
			j.MBs = number(round(throughput(r.op.size, s.ns), 10))
		}
		line, err := json.Marshal(j)
		if err != nil {
			return err
		}
		if _, err := w.Write(append(line, '\n')); err != nil {
			return err
		}
	}
	return nil
}

// number returns nil for NaN.
func number(v float64) *float64 {
	if math.IsNaN(v) {
		return nil
	}
	return &v
}

func round(v, unit float64) float64 { return math.Round(v*unit) / unit }

// throughput returns megabytes (10^6 bytes) a second.
func throughput(size int, ns float64) float64 { return float64(size) * 1e3 / ns }

const legend = `std      the standard library; golang.org/x/crypto for ChaCha20-Poly1305 and Poly1305
ratio    time divided by std's, measured in turn in the same run: 0.50 takes half
         the time, above 1 is slower
openssl  openssl speed's time, where it was asked
*MultiPart rows compare messages in pieces of 4 KiB with std's whole message;
-batch and -concurrent rows show the time of one of 64 operations; large batches
use all processors (GOMAXPROCS), std's side of a -batch row one.
Sizes of P-256 rows: the message, hashed with SHA-256; a digest where there is none.
p256/multiply is a field multiplication in a chain of them; std shows none of its own.
p256/multiply-batch runs eight chains side by side, and gives the time of one product.`

// newTable returns a table in the form that all commands share.
func newTable() table.Writer {
	t := table.NewWriter()
	style := table.StyleLight
	style.Options = table.OptionsNoBordersAndSeparators
	style.Options.SeparateHeader = true
	style.Format.Header = text.FormatDefault
	t.SetStyle(style)
	return t
}

// writeTable writes the rows of one group.
func writeTable(w io.Writer, rows []row, colour bool) {
	if len(rows) == 0 {
		return
	}
	t := newTable()
	t.AppendHeader(table.Row{"operation", "size", "kernel", "time", "rate", "std", "ratio", "openssl", "allocs"})
	widths := []int{27, 8, 8, 9, 12, 9, 6, 9, 6}
	var columns []table.ColumnConfig
	for i, width := range widths {
		c := table.ColumnConfig{Number: i + 1, WidthMin: width, Align: text.AlignRight, AlignHeader: text.AlignRight}
		if i == 0 || i == 2 {
			c.Align, c.AlignHeader = text.AlignLeft, text.AlignLeft
		}
		columns = append(columns, c)
	}
	t.SetColumnConfigs(columns)
	for i := range rows {
		r := &rows[i]
		std, ratio, openssl := "", "", ""
		if r.std.impl != "" {
			std, ratio = duration(r.std.ns), fmt.Sprintf("%.2f", r.ratio(r.fast))
		}
		if colour {
			switch v := r.ratio(r.fast); {
			case v < 0.95:
				ratio = text.FgGreen.Sprint(ratio)
			case v > 1.05:
				ratio = text.FgRed.Sprint(ratio)
			}
		}
		if r.openssl.impl != "" {
			openssl = duration(r.openssl.ns)
		}
		t.AppendRow(table.Row{r.op.name, sizeName(r.op.size), r.fast.kernel, duration(r.fast.ns), rate(r.op, r.fast.ns),
			std, ratio, openssl, fmt.Sprintf("%.0f", r.fast.allocs)})
	}
	fmt.Fprintln(w, trimLines(t.Render()))
}

// trimLines removes the blanks at the ends of lines.
func trimLines(s string) string {
	lines := strings.Split(s, "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.Join(lines, "\n")
}

func sizeName(size int) string {
	switch {
	case size == 0:
		return ""
	case size >= 1<<20 && size%(1<<20) == 0:
		return fmt.Sprintf("%d MiB", size>>20)
	case size >= 1<<10 && size%(1<<10) == 0:
		return fmt.Sprintf("%d KiB", size>>10)
	}
	return fmt.Sprintf("%d B", size)
}

func duration(ns float64) string {
	switch {
	case ns < 100:
		return fmt.Sprintf("%.1f ns", ns)
	case ns < 10e3:
		return fmt.Sprintf("%.0f ns", ns)
	case ns < 10e6:
		return fmt.Sprintf("%.1f µs", ns/1e3)
	}
	return fmt.Sprintf("%.1f ms", ns/1e6)
}

func rate(o *operation, ns float64) string {
	if !o.bulk {
		return fmt.Sprintf("%.0f op/s", 1e9/ns)
	}
	if v := throughput(o.size, ns); v < 1000 {
		return fmt.Sprintf("%.0f MB/s", v)
	} else {
		return fmt.Sprintf("%.2f GB/s", v/1e3)
	}
}
