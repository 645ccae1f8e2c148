package parallel

import (
	"fmt"
	"runtime"
	"sync/atomic"
	"testing"
)

func TestCoversOnce(t *testing.T) {
	for _, n := range []int{0, 1, 7, 8, 9, 63, 64, 65, 1000} {
		for _, grain := range []int{1, 8, 64} {
			seen := make([]atomic.Int32, n)
			Do(n, grain, func(lo, hi int) {
				if lo >= hi || lo%grain != 0 || hi-lo > grain {
					t.Errorf("n=%d grain=%d: range [%d, %d)", n, grain, lo, hi)
				}
				for i := lo; i < hi; i++ {
					seen[i].Add(1)
				}
			})
			for i := range seen {
				if c := seen[i].Load(); c != 1 {
					t.Fatalf("n=%d grain=%d: element %d done %d times", n, grain, i, c)
				}
			}
		}
	}
}

func TestGrain(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	for _, c := range [][2]int{{0, 8}, {1, 8}, {8, 8}, {32, 8}, {33, 16}, {64, 16}, {255, 64}, {256, 64}, {10_000, 64}} {
		if got := Grain(c[0], 8, 64); got != c[1] {
			t.Errorf("%d elements: grain %d, want %d", c[0], got, c[1])
		}
	}
}

func TestPanicReachesCaller(t *testing.T) {
	var done atomic.Int32
	defer func() {
		if v := recover(); fmt.Sprint(v) != "element 17" {
			t.Errorf("recovered %v", v)
		}
		if done.Load() != 99 {
			t.Errorf("%d other elements done", done.Load())
		}
	}()
	Do(100, 1, func(lo, hi int) {
		if lo == 17 {
			panic("element 17")
		}
		done.Add(1)
	})
}
