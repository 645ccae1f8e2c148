package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/fastcrypto-go/fastcrypto/kernels_amd64/_asm/internal/contract"
)

const selectUnroll = 4

func selectKernels() {
	contract.Function("P256SelectAffineADX", NOSPLIT, "func(z, table *[8]uint64, n, index, negate uint64)", contract.Contract{
		Computes: `P256SelectAffineADX sets z to entry index of a table of n affine points, or to its
			negative if negate is 1.`,
		Source: "every entry is read and masked, as is customary for secret indices.",
		Arguments: `An entry is 64 bytes: x and y, each as in P256MulADX and below p, y not 0.
			index < n, n is a positive multiple of 4, negate is 0 or 1.`,
		Aliasing: "z does not overlap the table.",
		Bounds:   "reads the whole table, 64·n bytes, and nothing else; writes z.",
		Secret:   "index, negate and z.",
		Decides:  "n",
		Leaves:   "entries of the table in X0–X15; VZEROUPPER clears the upper halves.",
	})
	Load(Param("table"), reg.RSI)
	Load(Param("n"), reg.RCX)
	Load(Param("z"), reg.RDI)
	// Four entries a turn, each with a running index of its own, and two pairs of
	// accumulators, since a vector operation may take two cycles.
	want, step, mask := reg.Y0, reg.Y1, reg.Y2
	index := [selectUnroll]reg.VecPhysical{reg.Y8, reg.Y9, reg.Y10, reg.Y11}
	acc := [2][2]reg.VecPhysical{{reg.Y4, reg.Y5}, {reg.Y12, reg.Y13}}
	VPBROADCASTQ(NewParamAddr("index", 24), want)
	VPCMPEQD(step, step, step) // −1
	VPXOR(index[0], index[0], index[0])
	for i := 1; i < selectUnroll; i++ {
		VPSUBQ(step, index[i-1], index[i])
	}
	VPSLLQ(Imm(2), step, step) // −4
	for _, a := range acc {
		VPXOR(a[0], a[0], a[0])
		VPXOR(a[1], a[1], a[1])
	}
	Label("loop") // the accumulators together are the wanted entry if it was among those read, or 0
	for i := range selectUnroll {
		a := acc[i%2]
		VPCMPEQQ(index[i], want, mask)
		VPSUBQ(step, index[i], index[i])
		VPAND(Mem{Base: reg.RSI, Disp: 64 * i}, mask, reg.Y6)
		VPAND(Mem{Base: reg.RSI, Disp: 64*i + 32}, mask, reg.Y7)
		VPOR(reg.Y6, a[0], a[0])
		VPOR(reg.Y7, a[1], a[1])
	}
	ADDQ(U32(64*selectUnroll), reg.RSI)
	SUBQ(Imm(selectUnroll), reg.RCX)
	JNZ(LabelRef("loop"))
	VPOR(reg.Y12, reg.Y4, reg.Y4)
	VPOR(reg.Y13, reg.Y5, reg.Y5)
	VMOVDQU(reg.Y4, Mem{Base: reg.RDI})
	VMOVDQU(reg.Y5, Mem{Base: reg.RDI, Disp: 32})
	VZEROUPPER()

	// p − y where negate is 1.
	Load(Param("negate"), reg.RDX)
	MOVQ(I32(-1), t[0])
	MOVL(U32(0xffffffff), t[1].As32())
	XORL(t[2].As32(), t[2].As32())
	MOVQ(U64(p3), t[3])
	y := Mem{Base: reg.RDI, Disp: 32}
	for i := range 4 {
		MOVQ(limb(y, i), t[i+4])
	}
	SUBQ(t[4], t[0])
	for i := 1; i < 4; i++ {
		SBBQ(t[i+4], t[i])
	}
	TESTQ(reg.RDX, reg.RDX)
	for i := range 4 {
		CMOVQEQ(t[i+4], t[i])
	}
	store(y)
	RET()
}
