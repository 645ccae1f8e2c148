// Package wipe clears stack frames that held secrets.
package wipe

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// Frame sets n bytes at m to 0, n being a multiple of 8 and at least the size of v,
// which it sets to 0 too. The instructions are VEX-encoded unless sse is set.
func Frame(m Mem, n int, v VecPhysical, sse bool) {
	Comment("Wipe the stack.")
	size := int(v.Size())
	var store func(Mem)
	switch {
	case size == 64:
		VPXORD(v, v, v)
		store = func(m Mem) { VMOVDQU64(v, m) }
	case sse:
		PXOR(v, v)
		store = func(m Mem) { MOVOU(v, m) }
	default:
		VPXOR(v, v, v)
		store = func(m Mem) { VMOVDQU(v, m) }
	}
	i := 0
	for ; i+size <= n; i += size {
		store(m.Offset(i))
	}
	if i < n { // overlaps
		store(m.Offset(n - size))
	}
}
