// Package parallel spreads the elements of a batch over the processors.
package parallel

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// Do calls f(lo, hi) for consecutive ranges that together cover [0, n) once,
// each of grain elements except perhaps the last. It uses up to GOMAXPROCS
// goroutines, the caller's among them, and returns when all calls have returned.
// A batch of one range runs on the caller's goroutine alone. When a call panics,
// the remaining ranges still run, and Do panics in the caller with the first
// value that was raised.
func Do(n, grain int, f func(lo, hi int)) {
	ranges := (n + grain - 1) / grain
	var next atomic.Int64
	var failed atomic.Pointer[any]
	work := func() {
		for {
			i := int(next.Add(1)) - 1
			if i >= ranges {
				return
			}
			run(&failed, f, i*grain, min((i+1)*grain, n))
		}
	}
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), ranges) - 1 {
		wg.Go(work)
	}
	work()
	wg.Wait()
	if v := failed.Load(); v != nil {
		panic(*v)
	}
}

// Grain returns a grain for Do that gives each processor about one range of n
// elements: a multiple of unit, and at most most.
func Grain(n, unit, most int) int {
	procs := runtime.GOMAXPROCS(0)
	share := (n + procs - 1) / procs
	return max(unit, min(most, (share+unit-1)/unit*unit))
}

func run(failed *atomic.Pointer[any], f func(lo, hi int), lo, hi int) {
	defer func() {
		if v := recover(); v != nil {
			failed.CompareAndSwap(nil, &v)
		}
	}()
	f(lo, hi)
}
