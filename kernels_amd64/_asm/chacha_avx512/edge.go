package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"

	"github.com/fastcrypto-go/fastcrypto/kernels_amd64/_asm/internal/cc"
)

// The last bytes of a message, fewer than 64, are loaded and stored with an opmask.
// Where the 64 bytes of such an access lie on two pages, and what is hidden lies on
// one that is inaccessible or was never touched, it takes more than a thousand
// cycles. So there the bytes go through a slot, eight and fewer at a time.

// slot is a place of 64 bytes.
func (k *kernel) slot(i int) Mem { return k.v.Spare().Offset(64 * i) }

// limbs is where an accumulator waits for the first group.
func (k *kernel) limbs(i int) Mem { return k.v.Spare().Offset(192 + 8*i) }

// mask sets K7 to the first n bytes, n < 64. RAX is clobbered.
func (k *kernel) mask(n GPPhysical) {
	MOVQ(I32(-1), RAX)
	BZHIQ(n, RAX, RAX)
	KMOVQ(RAX, K7)
}

// edge replaces p, where n < 64 bytes begin, by slot 0 or, with in -1, by slot 1 if 64
// bytes from there lie on two pages; to slot 0 they are copied. RAX, RBX, RDX and R15
// are clobbered.
func (k *kernel) edge(label string, p, n GPPhysical, in int) {
	MOVL(p.As32(), RAX.As32())
	ANDL(U32(4095), RAX.As32())
	CMPL(RAX.As32(), U32(4096-64))
	JLE(LabelRef(label))
	if in == 0 {
		LEAQ(k.slot(0), RBX)
		cc.CopyTail(label, RBX, p, n, RDX, R15)
		LEAQ(k.slot(0), p)
	} else {
		LEAQ(k.slot(1), p)
	}
	Label(label)
}

// edgeOut copies n < 64 bytes to p if at is slot 1. RBX, RDX, R15 and p are clobbered.
func (k *kernel) edgeOut(label string, p, at, n GPPhysical) {
	LEAQ(k.slot(1), RBX)
	CMPQ(RBX, at)
	JNE(LabelRef(label))
	cc.CopyTail(label, p, RBX, n, RDX, R15)
	Label(label)
}
