package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"regexp"
	"runtime"
	"time"

	"github.com/fastcrypto-go/fastcrypto/internal/impl"
	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
)

const timingAbout = `Tests by statistics whether the time of an operation depends on secrets: each
is timed with inputs of two classes, at random one or the other (a key of few
bits or a random one; a text of zeros or a random one; a tag wrong in its first
or in its last byte), and Welch's t-test compares the classes, for all times and
for the fastest ones. It is the method of dudect (Reparaz, Balasch, Verbauwhede
2017). The longer it runs, the smaller the differences it finds; minutes an
operation tell something. A quiet machine helps.

|t| above 4.5 is suspicious: run it again, longer. Above 10 the times differ for
certain. Two controls run along: one that leaks on purpose, which must be found
out, and one with two equal classes, of which nothing may be found.

The exit status is 1 if an operation differs for certain, or if a control fails.`

const (
	suspiciousT = 4.5
	certainT    = 10
)

// timingFlags are the flags of timing, checked.
type timingFlags struct {
	match  *regexp.Regexp // nil: all
	time   time.Duration
	kernel *impl.Tier // nil: the tier that serves
	list   bool
}

func parseTiming(args []string, stderr io.Writer) (f timingFlags, status int, ok bool) {
	fs := flags("timing", " [FLAGS]", timingAbout, stderr)
	fs.Func("run", "test only the operations whose name matches `REGEX`, and the controls", func(s string) (err error) {
		f.match, err = regexp.Compile(s)
		return err
	})
	fs.DurationVar(&f.time, "time", 10*time.Second, "test each operation for `D`")
	kernelFlag(fs, &f.kernel, "force the kernel `TIER`, for example vaes512 or generic, and test only the operations that have it")
	fs.BoolVar(&f.list, "list", false, "list the operations and test nothing")
	if status, ok := parse(fs, args); !ok {
		return f, status, false
	}
	if f.time <= 0 {
		fmt.Fprintf(stderr, "fastcrypto timing: invalid value %q for flag -time: not positive\nFor the flags: fastcrypto help timing\n", f.time)
		return f, exitUsage, false
	}
	return f, exitOK, true
}

// chosen returns the operations that match and have the kernel, the controls first.
func (f *timingFlags) chosen() ([]*timingOperation, error) {
	ops := timingControls()
	controls := len(ops)
	matched := f.match == nil
	var why error
	for _, o := range ops {
		matched = matched || f.match.MatchString(o.name)
	}
	for _, o := range timingOperations() {
		if f.match != nil && !f.match.MatchString(o.name) {
			continue
		}
		if matched = true; o.runnable(f.kernel) != nil {
			why = o.runnable(f.kernel)
			continue
		}
		ops = append(ops, o)
	}
	switch {
	case !matched:
		return nil, fmt.Errorf("no operation matches -run %q; fastcrypto timing -list shows them", f.match)
	case len(ops) == controls && why != nil:
		return nil, fmt.Errorf("nothing to test: %w", why)
	}
	return ops, nil
}

func runTiming(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	f, status, ok := parseTiming(args, stderr)
	if !ok {
		return status
	}
	ops, err := f.chosen()
	if err != nil {
		fmt.Fprintf(stderr, "fastcrypto timing: %v\n", err)
		return exitUsage
	}
	if f.list {
		for _, o := range ops {
			fmt.Fprintln(stdout, o.name)
		}
		return exitOK
	}
	fmt.Fprintf(stdout, "%s, %s, %s/%s\n%v an operation; |t| above %v is suspicious, above %v certain\n\n",
		model(), runtime.Version(), runtime.GOOS, runtime.GOARCH, f.time, suspiciousT, float64(certainT))
	p := newProgress(stderr, len(ops))
	var rows []timingRow
	for i, o := range ops {
		if ctx.Err() != nil {
			break
		}
		r, err := f.test(ctx, o, func(l *leakTest) {
			t, _ := l.worst()
			p.print(fmt.Sprintf("%d/%d %s: %d samples, |t| = %.1f", i+1, len(ops), o.name, l.samples(), math.Abs(t)))
		})
		if err != nil {
			p.clear()
			fmt.Fprintf(stderr, "fastcrypto timing: %s: %v\n", o.name, err)
			return exitFailure
		}
		rows = append(rows, r)
	}
	p.clear()
	writeTiming(stdout, rows, isTerminal(stdout) && os.Getenv("NO_COLOR") == "")
	if ctx.Err() != nil {
		fmt.Fprintf(stderr, "fastcrypto timing: interrupted after %d of %d operations\n", len(rows), len(ops))
		return exitInterrupted
	}
	bad := false
	for _, r := range rows {
		if why := r.fault(); why != "" {
			bad = true
			fmt.Fprintf(stderr, "fastcrypto timing: %s: %s\n", r.op.name, why)
		}
	}
	if bad {
		return exitFailure
	}
	return exitOK
}

// A timingRow is what was found of one operation.
type timingRow struct {
	op      *timingOperation
	kernel  string
	samples int
	time    float64 // of one run, in the counter's unit
	t, crop float64
}

// fault returns why the row makes the command fail, or "".
func (r *timingRow) fault() string {
	switch t := math.Abs(r.t); {
	case r.op.mustDiffer && t <= certainT:
		return "the difference was not found: too few samples, or a machine too busy"
	case r.op.mustDiffer:
		return ""
	case r.op.mustAgree && t > certainT:
		return "two equal classes differ: nothing that was measured here counts"
	case t > certainT:
		return "the times of the two classes differ"
	}
	return ""
}

func (r *timingRow) verdict() string {
	switch t := math.Abs(r.t); {
	case r.op.mustDiffer && t > certainT:
		return "found out, as it must"
	case r.op.mustDiffer:
		return "NOT FOUND OUT"
	case t > certainT:
		return "DIFFERS"
	case t > suspiciousT:
		return "suspicious"
	}
	return "no difference found"
}

// The samples of a batch are timed between two looks at the clock; the first batch
// sets the limits.
const timingBatch = 2000

// test times the operation for the time given.
func (f *timingFlags) test(ctx context.Context, o *timingOperation, show func(*leakTest)) (timingRow, error) {
	if f.kernel != nil && len(o.primitives) > 0 {
		restore, err := o.force(*f.kernel)
		if err != nil {
			return timingRow{}, err
		}
		defer restore()
	}
	subject, err := o.setup()
	if err != nil {
		return timingRow{}, err
	}
	r := timingRow{op: o, kernel: o.kernel()}
	if len(o.primitives) == 0 {
		r.kernel = ""
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	repeat := timingRepeat(subject)
	var l leakTest
	var times [timingBatch]float64
	var classes [timingBatch]int
	random := rand.New(rand.NewPCG(rand.Uint64(), rand.Uint64()))
	shown := time.Now()
	for began := time.Now(); time.Since(began) < f.time || l.samples() == 0; {
		if ctx.Err() != nil {
			break
		}
		for i := range times {
			class := int(random.Uint64() & 1)
			subject.prepare(class)
			before := cycles()
			for range repeat {
				subject.run()
			}
			times[i], classes[i] = float64(cycles()-before), class
		}
		if l.limits == nil {
			l.calibrate(times[:])
			continue
		}
		for i, t := range times {
			l.add(classes[i], t)
		}
		if time.Since(shown) > time.Second/5 {
			shown = time.Now()
			show(&l)
		}
	}
	r.samples, r.time = l.samples(), l.typical()/float64(repeat)
	r.t, r.crop = l.worst()
	return r, nil
}

// timingRepeat returns how often to run for one sample, so that the counter's unit is
// below a hundredth of it: once, but where the counter is slow.
func timingRepeat(s *timingSubject) int {
	best := uint64(math.MaxUint64)
	for i := range 20 {
		s.prepare(i & 1)
		before := cycles()
		s.run()
		best = min(best, cycles()-before)
	}
	return int(min(1000, 1+100/(best+1)))
}

func writeTiming(w io.Writer, rows []timingRow, colour bool) {
	t := newTable()
	t.AppendHeader(table.Row{"operation", "classes", "kernel", "samples", "ticks", "|t|", "of the fastest", ""})
	var columns []table.ColumnConfig
	for i := range 8 {
		c := table.ColumnConfig{Number: i + 1, Align: text.AlignRight, AlignHeader: text.AlignRight}
		if i < 3 || i == 7 {
			c.Align, c.AlignHeader = text.AlignLeft, text.AlignLeft
		}
		columns = append(columns, c)
	}
	t.SetColumnConfigs(columns)
	for _, r := range rows {
		verdict := r.verdict()
		if colour && r.fault() != "" {
			verdict = text.FgRed.Sprint(verdict)
		}
		t.AppendRow(table.Row{r.op.name, r.op.classes, r.kernel, r.samples, fmt.Sprintf("%.0f", r.time),
			fmt.Sprintf("%.1f", math.Abs(r.t)), fmt.Sprintf("%g %%", 100*r.crop), verdict})
	}
	fmt.Fprintln(w, trimLines(t.Render()))
}
