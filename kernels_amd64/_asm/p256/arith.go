package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Register map of all scalar kernels. t holds the eight limbs of a product; a
// result of four limbs is left in t[0:4]. SI and DI point to arguments. BP, SP
// and, where a DATA symbol is read, R15 are left alone.
var (
	t = [8]reg.GPPhysical{reg.R8, reg.R9, reg.R10, reg.R11, reg.R12, reg.R13, reg.R14, reg.R15}

	lo    = reg.RAX
	hi    = reg.RBX
	spare = reg.RCX
)

// p3 is the top limb of p = 2^256 − 2^224 + 2^192 + 2^96 − 1; the others are
// 2^64−1, 2^32−1 and 0, from the least significant.
const p3 = 0xffffffff00000001

// limb returns the i-th limb of the element at m.
func limb(m Mem, i int) Mem { return m.Offset(8 * i) }

// product sets t[0:8] = a·b. Operand scanning: the row of b's limb i adds low
// halves on the CF chain and high halves on the OF chain. Clobbers DX, lo, hi.
func product(a, b Mem) {
	MOVQ(limb(b, 0), reg.RDX)
	MULXQ(limb(a, 0), t[0], t[1])
	MULXQ(limb(a, 1), lo, t[2])
	ADDQ(lo, t[1])
	MULXQ(limb(a, 2), lo, t[3])
	ADCQ(lo, t[2])
	MULXQ(limb(a, 3), lo, t[4])
	ADCQ(lo, t[3])
	ADCQ(Imm(0), t[4])
	for i := 1; i < 4; i++ {
		MOVQ(limb(b, i), reg.RDX)
		XORL(t[i+4].As32(), t[i+4].As32()) // clears CF and OF
		for j := range 4 {
			MULXQ(limb(a, j), lo, hi)
			ADCXQ(lo, t[i+j])
			ADOXQ(hi, t[i+j+1])
		}
		ADCQ(Imm(0), t[i+4])
	}
}

// square sets t[0:8] = a². The products of different limbs are summed once and
// doubled on the CF chain while the squares are added on the OF chain.
// Clobbers DX, lo, hi.
func square(a Mem) {
	MOVQ(limb(a, 0), reg.RDX)
	MULXQ(limb(a, 1), t[1], t[2])
	MULXQ(limb(a, 2), lo, t[3])
	ADDQ(lo, t[2])
	MULXQ(limb(a, 3), lo, t[4])
	ADCQ(lo, t[3])
	ADCQ(Imm(0), t[4])
	MOVQ(limb(a, 1), reg.RDX)
	MULXQ(limb(a, 2), lo, hi)
	ADDQ(lo, t[3])
	ADCQ(hi, t[4])
	MULXQ(limb(a, 3), lo, t[5])
	ADCQ(Imm(0), t[5])
	ADDQ(lo, t[4])
	MOVQ(limb(a, 2), reg.RDX)
	MULXQ(limb(a, 3), lo, t[6])
	ADCQ(lo, t[5])
	ADCQ(Imm(0), t[6])

	MOVQ(limb(a, 0), reg.RDX)
	MULXQ(reg.RDX, t[0], lo)
	XORL(t[7].As32(), t[7].As32()) // clears CF and OF
	ADCXQ(t[1], t[1])
	ADOXQ(lo, t[1])
	for i := 1; i < 4; i++ {
		MOVQ(limb(a, i), reg.RDX)
		MULXQ(reg.RDX, lo, hi)
		ADCXQ(t[2*i], t[2*i])
		ADOXQ(lo, t[2*i])
		ADCXQ(t[2*i+1], t[2*i+1])
		ADOXQ(hi, t[2*i+1])
	}
}

// reduce sets t[0:4] = t·2^-256 mod p for t < p·2^256: Montgomery reduction.
//
// Since p ≡ −1 mod 2^96, the factor that clears the lowest limb m is m itself,
// and m·p = m·(p3·2^192 + 2^96 − 1): m vanishes, its halves go to the next two
// limbs, and m·p3 = m·2^64 − m·2^32 + m, which the same halves give, to the third
// and to a fresh fourth. The four limbs wander through t[0:4] as a ring; t[4:8]
// joins at the end, when the sum is below 2p. Clobbers DX, lo, hi, spare and
// t[4:8].
func reduce() {
	MOVL(U32(32), spare.As32())
	for i := range 4 {
		m := t[i]
		SHLXQ(spare, m, lo)
		SHRXQ(spare, m, hi)
		MOVQ(m, reg.RDX)
		SUBQ(lo, reg.RDX)
		SBBQ(hi, m)
		ADDQ(lo, t[(i+1)%4])
		ADCQ(hi, t[(i+2)%4])
		ADCQ(reg.RDX, t[(i+3)%4])
		ADCQ(Imm(0), m)
	}
	ADDQ(t[4], t[0])
	for i := 1; i < 4; i++ {
		ADCQ(t[i+4], t[i])
	}
	SBBQ(spare, spare)
	MOVQ(U64(p3), reg.RDX)
	subtractP(reg.RDX)
}

// subtractP subtracts p from t[0:4] if the number with the carry spare (0, or
// all ones for 2^256) is at least p; the result is below p if that number was
// below 2p. top holds p3. Clobbers lo, spare and t[4:8].
func subtractP(top reg.GPPhysical) {
	MOVL(U32(0xffffffff), lo.As32())
	for i := range 4 {
		MOVQ(t[i], t[i+4])
	}
	SUBQ(I8(-1), t[4])
	SBBQ(lo, t[5])
	SBBQ(Imm(0), t[6])
	SBBQ(top, t[7])
	SBBQ(Imm(0), spare)
	for i := range 4 {
		CMOVQCC(t[i+4], t[i])
	}
}

// mul leaves a·b·2^-256 mod p in t[0:4], below p if one of a, b is.
func mul(a, b Mem) { product(a, b); reduce() }

// sqr leaves a²·2^-256 mod p in t[0:4].
func sqr(a Mem) { square(a); reduce() }

// storeWide stores the eight limbs of t.
func storeWide(m Mem) {
	for i := range 8 {
		MOVQ(t[i], limb(m, i))
	}
}

// mulSub leaves (a·b − wide)·2^-256 mod p in t[0:4], wide being a product of
// elements below p: one reduction for two products.
func mulSub(a, b, wide Mem) {
	product(a, b)
	SUBQ(limb(wide, 0), t[0])
	for i := 1; i < 8; i++ {
		SBBQ(limb(wide, i), t[i])
	}
	// Add p·2^256 if the difference is negative.
	SBBQ(lo, lo)
	MOVL(lo.As32(), hi.As32())
	MOVQ(U64(p3), reg.RDX)
	ANDQ(lo, reg.RDX)
	ADDQ(lo, t[4])
	ADCQ(hi, t[5])
	ADCQ(Imm(0), t[6])
	ADCQ(reg.RDX, t[7])
	reduce()
}

func load(m Mem) {
	for i := range 4 {
		MOVQ(limb(m, i), t[i])
	}
}

func store(m Mem) {
	for i := range 4 {
		MOVQ(t[i], limb(m, i))
	}
}

// sub sets t[0:4] = t[0:4] − b mod p for both below p. The borrow becomes a mask
// that selects p. Clobbers lo, hi, DX.
func sub(b Mem) {
	SUBQ(limb(b, 0), t[0])
	for i := 1; i < 4; i++ {
		SBBQ(limb(b, i), t[i])
	}
	SBBQ(lo, lo)
	addMaskedP()
}

// addMaskedP adds p to t[0:4], modulo 2^256, if lo is all ones, and nothing if
// lo is 0. It leaves the carry in CF. Clobbers hi, DX.
func addMaskedP() {
	MOVL(lo.As32(), hi.As32())
	MOVQ(U64(p3), reg.RDX)
	ANDQ(lo, reg.RDX)
	ADDQ(lo, t[0])
	ADCQ(hi, t[1])
	ADCQ(Imm(0), t[2])
	ADCQ(reg.RDX, t[3])
}

// addLoose sets t[0:4] to a number below 2^256 that is t[0:4] + b modulo p, for
// both below p. It may be p or more, which one factor of a product may be.
// Clobbers lo, hi, DX.
func addLoose(b Mem) {
	ADDQ(limb(b, 0), t[0])
	for i := 1; i < 4; i++ {
		ADCQ(limb(b, i), t[i])
	}
	SBBQ(lo, lo)
	MOVL(lo.As32(), hi.As32())
	MOVQ(U64(p3), reg.RDX)
	ANDQ(lo, reg.RDX)
	SUBQ(lo, t[0])
	SBBQ(hi, t[1])
	SBBQ(Imm(0), t[2])
	SBBQ(reg.RDX, t[3])
}

// threeHalves sets t[0:4] = 3/2·t[0:4] mod p for an element below p: t is kept
// in t[4:8] while t[0:4] is halved, after adding p if it is odd. Clobbers lo,
// hi, spare, DX and t[4:8].
func threeHalves() {
	for i := range 4 {
		MOVQ(t[i], t[i+4])
	}
	MOVQ(t[0], lo)
	ANDL(Imm(1), lo.As32())
	NEGQ(lo)
	addMaskedP()
	for i := 3; i >= 0; i-- {
		RCRQ(Imm(1), t[i])
	}
	ADDQ(t[4], t[0])
	for i := 1; i < 4; i++ {
		ADCQ(t[i+4], t[i])
	}
	SBBQ(spare, spare)
	MOVQ(U64(p3), reg.RDX)
	subtractP(reg.RDX)
}
