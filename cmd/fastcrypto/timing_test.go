package main

import (
	"bytes"
	"context"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
)

// TestLeakTest gives the statistics times whose distribution is known.
func TestLeakTest(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, c := range []struct {
		name  string
		delta float64 // between the classes
		least float64 // of |t|
		most  float64
	}{{"equal", 0, 0, suspiciousT}, {"a tenth of the deviation", 1, 10, 100}} {
		var l leakTest
		draw := func(class int) float64 {
			x := 1000 + 10*r.NormFloat64() + c.delta*float64(class)
			if r.IntN(50) == 0 { // an interrupt
				x += 1e5 * r.ExpFloat64()
			}
			return x
		}
		times := make([]float64, 2000)
		for i := range times {
			times[i] = draw(i & 1)
		}
		l.calibrate(times)
		for range 100_000 {
			class := r.IntN(2)
			l.add(class, draw(class))
		}
		if v, _ := l.worst(); math.Abs(v) < c.least || math.Abs(v) > c.most {
			t.Errorf("%s: t = %v", c.name, v)
		}
		if l.samples() != 100_000 {
			t.Errorf("%d samples", l.samples())
		}
	}
	a, b := sampleMean{}, sampleMean{}
	for _, x := range []float64{3, 4, 5} {
		a.add(x)
		b.add(x + 2)
	}
	if v := welch(&a, &b); math.Abs(v+2*math.Sqrt(1.5)) > 1e-12 {
		t.Errorf("t = %v", v)
	}
}

// TestTimingControls runs the command: the control that leaks is found out, on however
// busy a machine, and the other is not.
func TestTimingControls(t *testing.T) {
	for attempt := 0; ; attempt++ {
		var stdout, stderr bytes.Buffer
		status := run(context.Background(), []string{"timing", "-run", "control", "-time", "300ms"}, &stdout, &stderr)
		if status == exitOK && strings.Contains(stdout.String(), "found out, as it must") && strings.Contains(stdout.String(), "control/null") {
			return
		}
		if attempt == 4 {
			t.Fatalf("status %d\n%s%s", status, &stdout, &stderr)
		}
	}
}

// TestEqualClasses checks that the inputs of both classes of the control are the same,
// and elsewhere: classes of few random inputs differ in time where inputs do.
func TestEqualClasses(t *testing.T) {
	p := equalClasses(32)
	for i := range p.inputs[0] {
		a, b := p.inputs[0][i], p.inputs[1][i]
		if !bytes.Equal(a, b) || &a[0] == &b[0] {
			t.Fatalf("input %d: %x, %x", i, a, b)
		}
		if i > 0 && bytes.Equal(a, p.inputs[0][i-1]) {
			t.Fatalf("input %d is the one before", i)
		}
	}
}

// TestTimingOperations runs each operation with both classes.
func TestTimingOperations(t *testing.T) {
	f := timingFlags{time: time.Nanosecond}
	for _, o := range timingOperations() {
		if o.runnable(nil) != nil {
			continue
		}
		s, err := o.setup()
		if err != nil {
			t.Fatalf("%s: %v", o.name, err)
		}
		for class := range 2 {
			s.prepare(class)
			s.run()
		}
	}
	r := timingRow{op: timingControls()[0], t: 3}
	if r.fault() == "" || r.verdict() != "NOT FOUND OUT" {
		t.Error("a leak that was not found is no fault")
	}
	if r := (timingRow{op: timingOperations()[0], t: -11}); r.fault() == "" {
		t.Error("a difference is no fault")
	}
	if _, err := f.chosen(); err != nil {
		t.Error(err)
	}
}
