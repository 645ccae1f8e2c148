//go:build (amd64 || arm64) && !purego

// Subject is the program that the tests of package consttime observe: it runs kernels
// and whole operations with many different secrets, each run between two markers.
//
//	subject [-run REGEXP] [-secrets N] [-every N] [-list] [-step]
//
// For each run it prints a line with the case, the number of the secret, and what
// of the result is public and may differ: runs that agree in that must not differ in
// anything that an observer sees. With -list it prints the cases only: what each is,
// its tier, the kernel it is about, and why it does not run here. It prints nothing
// between the markers, and the order of lines is that of runs.
package main

import (
	"bufio"
	"flag"
	"fmt"
	"os"
	"regexp"
	"runtime"
	"runtime/debug"

	"github.com/fastcrypto-go/fastcrypto/internal/impl"
)

// A subject is one thing to run with many secrets, all lengths being the same.
type subject struct {
	name   string // kind/what, for example kernel/GCMSealAESNI/n=64,ad=20
	kernel string // the function it is about, or "" for a whole operation
	tier   impl.Tier
	of     *impl.Primitive // that the tier is one of; nil if it runs anywhere
	times  int             // how many times the usual number of secrets; 0 is 1
	fill   func(*secret)
	run    func()
	public func() string // what may differ; nil if nothing
}

// why returns why s cannot run here, or "".
func (s *subject) why() string {
	if s.of == nil {
		return ""
	}
	for _, t := range s.of.Supported() {
		if t == s.tier {
			return ""
		}
	}
	return "not supported"
}

// begin and end are the markers. In the mode for single steps begin traps. forget has
// the memory that was touched so far count as not touched: smaller stacks, for one,
// which are used anew.
func begin()
func end()
func forget()

// stepping has begin trap.
var stepping bool

// observe runs s between the markers, at a depth of the stack that is always the same.
//
//go:noinline
func observe(run func()) {
	begin()
	run()
	end()
}

// prepareStack makes the stack so large that it does not move any more, and touches
// all of what is used later.
//
//go:noinline
func prepareStack(depth int) byte {
	var frame [32 << 10]byte
	for i := range frame {
		frame[i] = byte(i)
	}
	if depth > 0 {
		frame[0] += prepareStack(depth - 1)
	}
	return frame[depth]
}

// prepareBetween touches what lies between the frames of prepareStack.
//
//go:noinline
func prepareBetween() byte {
	var frame [1 << 10]byte
	frame[len(os.Args)] = 1
	return prepareStack(8) + frame[0]
}

// The main goroutine stays on the first thread, which is observed.
func init() { runtime.LockOSThread() }

func main() {
	only := flag.String("run", "", "run the cases whose name matches the `regexp`")
	secrets := flag.Int("secrets", 12, "how many secrets each case gets")
	every := flag.Int("every", 1, "of the cases for one kernel, run every `n`th only")
	list := flag.Bool("list", false, "print the cases and exit")
	flag.BoolVar(&stepping, "step", false, "trap where a run begins")
	flag.Parse()
	debug.SetGCPercent(-1)
	prepareBetween()
	forget()
	prepareStack(8)
	prepareBetween()

	re := regexp.MustCompile(*only)
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	seen := map[string]int{}
	for _, s := range subjects() {
		if !re.MatchString(s.name) {
			continue
		}
		if *list {
			fmt.Fprintf(out, "%s\t%s\t%s\t%s\n", s.name, s.tier, s.kernel, s.why())
			continue
		}
		if s.why() != "" {
			continue
		}
		if seen[s.kernel]++; (seen[s.kernel]-1)%*every != 0 {
			continue
		}
		restore := func() {}
		if s.kernel == "" {
			var err error
			if restore, err = s.of.Force(s.tier); err != nil {
				panic(err)
			}
		}
		// The first run makes what is made once: it is not observed.
		s.fill(newSecret(s.name, 0))
		s.run()
		for n := range *secrets * max(1, s.times) {
			s.fill(newSecret(s.name, n))
			observe(s.run)
			public := ""
			if s.public != nil {
				public = s.public()
			}
			fmt.Fprintf(out, "%s\t%d\t%s\n", s.name, n, public)
		}
		restore()
	}
}

func subjects() []subject {
	all := leaky()
	all = append(all, kernelSubjects()...)
	return append(all, operations()...)
}
