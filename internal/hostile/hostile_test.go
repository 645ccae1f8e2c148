package hostile

import (
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/fastcrypto-go/fastcrypto/internal/impl"
	"github.com/fastcrypto-go/fastcrypto/internal/testkit"
)

var long = os.Getenv("FASTCRYPTO_TEST_LONG") != ""

// span returns how long one workload runs under one condition.
func span() time.Duration {
	switch {
	case long:
		return 3 * time.Second
	case testing.Short():
		return 30 * time.Millisecond
	}
	return 100 * time.Millisecond
}

// each runs f for every workload as a subtest, with its tier forced.
func each(t *testing.T, f func(t *testing.T, ops []Operation)) {
	for _, p := range impl.Primitives() {
		t.Run(p.Name(), func(t *testing.T) {
			testkit.Tiers(t, p, func(t *testing.T, tier impl.Tier) {
				if tier == impl.Generic {
					t.Skip("no kernel")
				}
				ops, stop, err := Workload{p, tier}.Start()
				if err != nil {
					t.Fatal(err)
				}
				defer stop()
				f(t, ops)
			})
		})
	}
}

// kernels reports whether any primitive has a kernel here.
func kernels() bool {
	return slices.ContainsFunc(impl.Primitives(), func(p *impl.Primitive) bool { return p.Tier() != impl.Generic })
}

// work runs the operations over and over from some goroutines for the given time, and
// at least once in each.
func work(t *testing.T, ops []Operation, goroutines int, d time.Duration) {
	t.Helper()
	var wg sync.WaitGroup
	var failed atomic.Bool
	end := time.Now().Add(d)
	for g := range goroutines {
		wg.Go(func() { workOne(t, ops, g, end, &failed) })
	}
	wg.Wait()
}

//go:noinline
func workOne(t *testing.T, ops []Operation, g int, end time.Time, failed *atomic.Bool) {
	for i := g; ; i++ {
		op := ops[i%len(ops)]
		if err := op.Run(); err != nil && failed.CompareAndSwap(false, true) {
			t.Errorf("%s: %v", op.Name, err)
		}
		if failed.Load() || i-g >= len(ops) && time.Now().After(end) {
			return
		}
	}
}

// TestOperations runs everything in peace: what fails here is no fault of a condition.
func TestOperations(t *testing.T) {
	each(t, func(t *testing.T, ops []Operation) {
		for _, op := range ops {
			if err := op.Run(); err != nil {
				t.Errorf("%s: %v", op.Name, err)
			}
		}
	})
}

// TestWorkloads checks that every primitive in the table has operations.
func TestWorkloads(t *testing.T) {
	seen := map[*impl.Primitive]bool{}
	for _, w := range Workloads() {
		_, stop, err := w.Start()
		if err != nil {
			t.Error(err)
			continue
		}
		stop()
		seen[w.Primitive] = true
	}
	for _, p := range impl.Primitives() {
		if len(p.Supported()) > 1 && !seen[p] {
			t.Errorf("%s has no workload", p.Name())
		}
	}
}

// garbage keeps the collector busy until stop is called: it runs all the time, and
// goroutines whose stacks grow and shrink have theirs moved by it.
func garbage() (stop func()) {
	percent := debug.SetGCPercent(1)
	var wg sync.WaitGroup
	var done atomic.Bool
	for range 2 {
		wg.Go(func() {
			var keep [64]*[]byte
			for i := 0; !done.Load(); i++ {
				b := make([]byte, 1+i%4096)
				keep[i%len(keep)] = &b
				if i%64 == 0 {
					deepen(100+i%1000, nil)
				}
			}
			runtime.KeepAlive(&keep)
		})
	}
	wg.Go(func() {
		for !done.Load() {
			runtime.GC() // shrinks stacks, and scans them while kernels run
		}
	})
	return func() {
		done.Store(true)
		wg.Wait()
		debug.SetGCPercent(percent)
	}
}

// deepen calls f n frames further down the stack.
//
//go:noinline
func deepen(n int, f func() error) error {
	if n > 0 {
		return keep(deepen(n-1, f))
	}
	if f != nil {
		return f()
	}
	return nil
}

// keep keeps deepen's call from being the last thing that it does.
//
//go:noinline
func keep(err error) error { return err }

// TestGarbage runs everything while the garbage collector runs all the time (GOGC=1).
func TestGarbage(t *testing.T) {
	defer garbage()()
	each(t, func(t *testing.T, ops []Operation) { work(t, ops, 4, span()) })
}

// TestManyGoroutines shares all objects among 256 goroutines.
func TestManyGoroutines(t *testing.T) {
	each(t, func(t *testing.T, ops []Operation) { work(t, ops, 256, span()) })
}

// TestLittleStack calls each operation with less and less of a goroutine's stack left,
// in steps of one small frame, so that it has to grow at the entry of each function on
// the way down, kernels with their big frames included.
func TestLittleStack(t *testing.T) {
	depths, step := 130, 1 // some 10 KiB, frame by frame
	switch {
	case long:
		depths = 1500
	case testing.Short():
		step = 3
	}
	each(t, func(t *testing.T, ops []Operation) {
		for i, op := range ops {
			for depth := i % step; depth < depths; depth += step {
				done := make(chan error)
				go func() { done <- deepen(depth, op.Run) }() // a goroutine starts on a small stack
				if err := <-done; err != nil {
					t.Fatalf("%s, %d frames down: %v", op.Name, depth, err)
				}
			}
		}
	})
}

// TestAll puts all conditions that a process can have at once together.
func TestAll(t *testing.T) {
	if testing.Short() {
		t.Skip("each condition is tested on its own")
	}
	defer garbage()()
	stop := startSignals(t)
	defer stop()
	stopProfile := startProfile(t)
	defer stopProfile()
	each(t, func(t *testing.T, ops []Operation) {
		work(t, ops, 32, span())
		for i, op := range ops {
			if err := deepen(i*37%300, op.Run); err != nil {
				t.Errorf("%s: %v", op.Name, err)
			}
		}
	})
}

func ExampleRunAll() {
	fmt.Println(RunAll(1, 2))
	// Output: <nil>
}
