package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"regexp"
	"runtime"
	"strings"
	"time"

	"github.com/fastcrypto-go/fastcrypto/internal/impl"
	"golang.org/x/term"
)

const speedAbout = `Measures each operation against the standard library, or golang.org/x/crypto
where the standard library has none, in the same process and in turn in short
rounds, of which the best counts; and against openssl speed where openssl is
on the PATH. An interrupt ends the run and shows what was measured until then.

` + legend

// speedFlags are the flags of speed, checked.
type speedFlags struct {
	match   *regexp.Regexp // nil: all
	time    time.Duration
	kernel  *impl.Tier // nil: the tier that serves
	json    string
	svg     string
	openssl string
	list    bool
}

func parseSpeed(args []string, stderr io.Writer) (f speedFlags, status int, ok bool) {
	fs := flags("speed", " [FLAGS]", speedAbout, stderr)
	fs.Func("run", "measure only the operations whose name, or name/size, matches `REGEX`", func(s string) (err error) {
		f.match, err = regexp.Compile(s)
		return err
	})
	fs.DurationVar(&f.time, "time", 100*time.Millisecond, "measure each implementation of an operation for `D`, at most a minute")
	kernelFlag(fs, &f.kernel, "force the kernel `TIER`, for example vaes512 or generic, and measure only the operations that have it")
	fs.StringVar(&f.json, "json", "", "write one JSON object a line, operation and implementation to `FILE`; - is the standard output, the table then goes to the standard error")
	fs.StringVar(&f.svg, "svg", "", "draw throughput over size to `FILE`; - is the standard output, the table then goes to the standard error")
	fs.StringVar(&f.openssl, "openssl", "openssl", "the openssl binary's `PATH`, or off")
	fs.BoolVar(&f.list, "list", false, "list the operations, name/size a line, and measure nothing")
	if status, ok := parse(fs, args); !ok {
		return f, status, false
	}
	complain := func(format string, a ...any) (speedFlags, int, bool) {
		fmt.Fprintf(stderr, "fastcrypto speed: "+format+"\nFor the flags: fastcrypto help speed\n", a...)
		return f, exitUsage, false
	}
	switch {
	case f.time <= 0 || f.time > time.Minute:
		return complain("invalid value %q for flag -time: not between 0 and a minute", f.time)
	case f.json != "" && f.json == f.svg:
		return complain("-json and -svg both write to %q", f.json)
	case f.openssl == "":
		return complain("invalid value \"\" for flag -openssl: want a path, or off")
	}
	set := map[string]bool{}
	fs.Visit(func(f *flag.Flag) { set[f.Name] = true })
	for _, name := range []string{"json", "svg"} {
		if set[name] && fs.Lookup(name).Value.String() == "" {
			return complain("invalid value \"\" for flag -%s: want a file", name)
		}
	}
	return f, exitOK, true
}

// kernelFlag defines the flag -kernel, which sets tier.
func kernelFlag(fs *flag.FlagSet, tier **impl.Tier, usage string) {
	fs.Func("kernel", usage, func(s string) error {
		t, ok := impl.ParseTier(s)
		if !ok {
			return fmt.Errorf("there is no such tier; the tiers are %s", strings.Join(tierNames(), ", "))
		}
		*tier = &t
		return nil
	})
}

// tierNames returns the names of all tiers that some primitive has.
func tierNames() []string {
	seen := map[impl.Tier]bool{}
	var names []string
	for _, p := range impl.Primitives() {
		for _, t := range p.Tiers() {
			if !seen[t] {
				seen[t] = true
				names = append(names, t.String())
			}
		}
	}
	return append(names, impl.Generic.String())
}

// chosen returns the operations that match and that have the kernel.
func (f *speedFlags) chosen() ([]*operation, error) {
	var ops []*operation
	var why error
	matched := false
	for _, o := range operations() {
		if f.match != nil && !f.match.MatchString(o.name) && !f.match.MatchString(o.path()) {
			continue
		}
		matched = true
		if err := o.runnable(f.kernel); err != nil {
			why = err
			continue
		}
		ops = append(ops, o)
	}
	if !matched {
		return nil, fmt.Errorf("no operation matches -run %q; fastcrypto speed -list shows them", f.match)
	}
	if len(ops) == 0 {
		return nil, fmt.Errorf("nothing to measure: %w", why)
	}
	return ops, nil
}

// output opens a file to write to; "-" is stdout.
func output(name string, stdout io.Writer) (io.Writer, func() error, error) {
	if name == "-" {
		return stdout, func() error { return nil }, nil
	}
	f, err := os.Create(name)
	if err != nil {
		return nil, nil, err
	}
	return f, f.Close, nil
}

func runSpeed(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	f, status, ok := parseSpeed(args, stderr)
	if !ok {
		return status
	}
	ops, err := f.chosen()
	if err != nil {
		fmt.Fprintf(stderr, "fastcrypto speed: %v\n", err)
		return exitUsage
	}
	if f.list {
		for _, o := range ops {
			fmt.Fprintln(stdout, o.path())
		}
		return exitOK
	}
	fail := func(err error) int {
		fmt.Fprintf(stderr, "fastcrypto speed: %v\n", err)
		return exitFailure
	}
	// The files are opened before anything is measured, so that a wrong name costs
	// no time.
	var jsonTo, svgTo io.Writer
	closeJSON, closeSVG := func() error { return nil }, func() error { return nil }
	if f.json != "" {
		if jsonTo, closeJSON, err = output(f.json, stdout); err != nil {
			return fail(err)
		}
	}
	if f.svg != "" {
		if svgTo, closeSVG, err = output(f.svg, stdout); err != nil {
			closeJSON()
			return fail(err)
		}
	}
	tableTo := stdout
	if f.json == "-" || f.svg == "-" {
		tableTo = stderr
	}

	s := &speed{flags: f, ops: ops, table: tableTo, json: jsonTo, progress: newProgress(stderr, len(ops)), stderr: stderr,
		colour: isTerminal(tableTo) && os.Getenv("NO_COLOR") == ""}
	err = s.run(ctx)
	interrupted := err == nil && ctx.Err() != nil
	if e := closeJSON(); err == nil {
		err = e
	}
	if svgTo != nil && err == nil && (!interrupted || len(plots(s.rows)) > 0) {
		err = writeSVG(svgTo, s.rows)
	}
	if e := closeSVG(); err == nil {
		err = e
	}
	if err != nil {
		return fail(err)
	}
	if interrupted {
		fmt.Fprintf(stderr, "fastcrypto speed: interrupted after %d of %d operations\n", len(s.rows), len(ops))
		return exitInterrupted
	}
	return exitOK
}

// A speed is one run of the command.
type speed struct {
	flags    speedFlags
	ops      []*operation
	table    io.Writer
	json     io.Writer // or nil
	progress *progress
	stderr   io.Writer
	colour   bool
	openssl  *opensslTool // or nil
	rows     []row
}

// run measures all operations, a table a group. It returns nil when ctx ends.
func (s *speed) run(ctx context.Context) error {
	tool, said := findOpenSSL(ctx, s.flags.openssl)
	s.openssl = tool
	fmt.Fprintf(s.table, "%s, %s, %s/%s\n%s\n\n%s\n", model(), runtime.Version(), runtime.GOOS, runtime.GOARCH, said, legend)
	for i := 0; i < len(s.ops) && ctx.Err() == nil; {
		group, shown := s.ops[i].group, len(s.rows)
		for ; i < len(s.ops) && s.ops[i].group == group && ctx.Err() == nil; i++ {
			s.progress.show(i, s.ops[i], s.rows)
			r, done, err := s.measure(ctx, s.ops[i])
			if err != nil {
				s.progress.clear()
				return fmt.Errorf("%s: %w", s.ops[i].path(), err)
			}
			if !done {
				continue
			}
			s.rows = append(s.rows, r)
			if s.json != nil {
				if err := r.writeJSON(s.json); err != nil {
					s.progress.clear()
					return err
				}
			}
		}
		s.progress.clear()
		if len(s.rows) > shown {
			fmt.Fprintf(s.table, "\n%s\n", group)
			writeTable(s.table, s.rows[shown:], s.colour)
		}
	}
	return nil
}

// measure measures one operation. It reports false when ctx ended too early.
func (s *speed) measure(ctx context.Context, o *operation) (r row, done bool, err error) {
	if s.flags.kernel != nil {
		restore, err := o.force(*s.flags.kernel)
		if err != nil {
			return r, false, err
		}
		defer restore()
	}
	contenders, err := o.setup(o.kernel())
	if err != nil {
		return r, false, err
	}
	samples := measure(ctx, contenders, s.flags.time, float64(max(1, o.per)))
	if samples == nil {
		return r, false, nil
	}
	r = row{op: o, fast: samples[0]}
	if len(samples) > 1 {
		r.std = samples[1]
	}
	if o.openssl != nil && s.openssl != nil {
		ns, err := s.openssl.measure(ctx, o.openssl)
		switch {
		case ctx.Err() != nil:
			// The row stays as it is.
		case err != nil:
			s.progress.clear()
			fmt.Fprintf(s.stderr, "fastcrypto speed: %v; going on without openssl\n", err)
			s.openssl = nil
		default:
			r.openssl = sample{impl: "openssl", ns: ns, allocs: math.NaN()}
		}
	}
	return r, true, nil
}

func model() string {
	if m := strings.TrimSpace(impl.Processor().Model); m != "" {
		return m
	}
	return runtime.GOARCH + " processor"
}

// A progress shows on a terminal what is being measured; elsewhere it is silent.
type progress struct {
	w     io.Writer // nil: silent
	width int
	total int
	began time.Time
}

func newProgress(w io.Writer, total int) *progress {
	p := &progress{total: total, began: time.Now()}
	if f, ok := w.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		p.w, p.width = w, 80
		if width, _, err := term.GetSize(int(f.Fd())); err == nil && width > 0 {
			p.width = width
		}
	}
	return p
}

// show says which operation is next, and how the last one went.
func (p *progress) show(i int, o *operation, rows []row) {
	if p.w == nil {
		return
	}
	line := fmt.Sprintf("%d/%d %s %s", i+1, p.total, o.name, sizeName(o.size))
	if i > 0 {
		left := time.Since(p.began) / time.Duration(i) * time.Duration(p.total-i)
		line += fmt.Sprintf(", about %s left", left.Round(time.Second))
	}
	if len(rows) > 0 {
		last := &rows[len(rows)-1]
		line += "; the one before: " + duration(last.fast.ns)
		if last.std.impl != "" {
			line += fmt.Sprintf(", ratio %.2f", last.ratio(last.fast))
		}
	}
	p.print(line)
}

// print shows a line in place of the one before.
func (p *progress) print(line string) {
	if p.w == nil {
		return
	}
	if r := []rune(line); len(r) >= p.width {
		line = string(r[:p.width-1])
	}
	fmt.Fprintf(p.w, "\r%s\x1b[K", line)
}

// clear removes the line.
func (p *progress) clear() {
	if p.w != nil {
		fmt.Fprint(p.w, "\r\x1b[K")
	}
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}
