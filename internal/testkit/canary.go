package testkit

import "testing"

const canaryLen = 64

// A Canary is a buffer with known bytes before and behind it.
type Canary struct {
	all []byte
}

// NewCanary returns n bytes with canaries on both sides. Bytes starts offset
// bytes past a 64-byte boundary of the allocation's own start.
func NewCanary(n, offset int) *Canary {
	c := &Canary{make([]byte, canaryLen+offset+n+canaryLen)}
	for i := range c.all {
		c.all[i] = canaryAt(i)
	}
	c.all = c.all[offset:]
	for i := range canaryLen {
		c.all[i], c.all[len(c.all)-1-i] = canaryAt(i), canaryAt(i)
	}
	return c
}

func canaryAt(i int) byte { return byte(0xa5 ^ i*29) }

// Bytes returns the buffer between the canaries. Its capacity reaches over the
// canary behind it, as a careless append would.
func (c *Canary) Bytes() []byte { return c.all[canaryLen : len(c.all)-canaryLen] }

// Check reports an error for every canary byte that changed.
func (c *Canary) Check(tb testing.TB) {
	tb.Helper()
	for i := range canaryLen {
		if c.all[i] != canaryAt(i) {
			tb.Errorf("wrote %d bytes before the buffer", canaryLen-i)
		}
		if c.all[len(c.all)-1-i] != canaryAt(i) {
			tb.Errorf("wrote %d bytes behind the buffer", canaryLen-i)
		}
	}
}
