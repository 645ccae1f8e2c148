package testkit

import "testing"

// A Guarded is a run of readable and writable bytes with an inaccessible page
// directly before and directly behind it: a read or write outside faults, and
// the test's process dies with the address. Where the platform offers no page
// protection it is ordinary memory.
type Guarded struct {
	mem []byte
}

// NewGuarded returns at least n guarded bytes, a whole number of pages, freed
// when the test ends.
func NewGuarded(tb testing.TB, n int) *Guarded {
	tb.Helper()
	mem, free, err := guardedPages(max(n, 1))
	if err != nil {
		tb.Fatalf("testkit: guard pages: %v", err)
	}
	tb.Cleanup(free)
	return &Guarded{mem}
}

// Len returns the number of bytes between the guard pages.
func (g *Guarded) Len() int { return len(g.mem) }

// Front returns n bytes that start offset bytes behind the first guard page.
// With offset 0 a read before them faults.
func (g *Guarded) Front(n, offset int) []byte {
	return g.mem[offset : offset+n : offset+n]
}

// Back returns n bytes that end offset bytes before the second guard page. With
// offset 0 a read behind them faults.
func (g *Guarded) Back(n, offset int) []byte {
	end := len(g.mem) - offset
	return g.mem[end-n : end : end]
}
