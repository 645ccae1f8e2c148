package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"

	"github.com/fastcrypto-go/fastcrypto/kernels_amd64/_asm/internal/contract"
)

// A point of the scalar kernels, in the domain of R = 2^256, read as numbers in
// that of R = 2^260 is (x/16, y/16). With x shifted left by two bits and y by one
// that is (x/2², y/2³): the point's image on the curve of points (u²x, u³y), u =
// 1/2. Additions are the same there, since they do not use the curve's
// coefficients.
const (
	xShift, yShift = 2, 1
	xBound, yBound = 1 << xShift, 1 << yShift
)

// gather loads the points that the eight pointers at entries name, one in each
// lane, and brings them from rows of words to lanes of limbs.
func gather(b point, entries Mem) {
	Comment("eight points, transposed")
	rows, t, w := pool[:8], pool[8:16], pool[:8]
	for i, z := range rows {
		MOVQ(entries.Offset(8*i), R8)
		VMOVDQU64(Mem{Base: R8}, z)
	}
	// t[i], t[4+i]: even and odd words of rows 2i and 2i+1, a word of both rows in
	// each quarter.
	for i := range 4 {
		VPUNPCKLQDQ(rows[2*i+1], rows[2*i], t[i])
		VPUNPCKHQDQ(rows[2*i+1], rows[2*i], t[4+i])
	}
	a, c := pool[16], pool[17]
	for i := range 2 { // words i, i+2, i+4, i+6
		for j, quarters := range []uint8{0x88, 0xdd} {
			VSHUFI64X2(U8(quarters), t[4*i+1], t[4*i], a)
			VSHUFI64X2(U8(quarters), t[4*i+3], t[4*i+2], c)
			VSHUFI64X2(U8(0x88), c, a, w[i+2*j])
			VSHUFI64X2(U8(0xdd), c, a, w[i+2*j+4])
		}
	}
	cut(b.x, w[:4], xShift)
	cut(b.y, w[4:], yShift)
	b.x.bound, b.y.bound = xBound, yBound
}

// cut stores the number in four vectors of words, shifted left, in limbs.
func cut(dst *fe, w []VecPhysical, left int) {
	l, r := pool[16], pool[17]
	VPSLLQ(U8(left), w[0], l)
	VPANDQ(zMask52, l, l)
	VMOVDQU64(l, dst.limb(0))
	// Limb i starts in word i−1.
	for i := 1; i < limbs; i++ {
		VPSRLQ(U8(64-12*i-left), w[i-1], r)
		if i < limbs-1 {
			VPSLLQ(U8(12*i+left), w[i], l)
			VPORQ(l, r, r)
			VPANDQ(zMask52, r, r)
		}
		VMOVDQU64(r, dst.limb(i))
	}
}

func sumKernel() {
	contract.Function("P256SumVarTimeIFMA512", 0, "func(sum *[120]uint64, entries **[8]uint64, negate *uint8, n int, keep uint64)", contract.Contract{
		Computes: `P256SumVarTimeIFMA512 sets lane l of sum to the sum of the points entries[8i+l],
			i = 0 … n−1, on the curve of points (x/4, y/8) for (x, y) on P-256.`,
		Source: `the mixed addition of the Explicit-Formulas Database, "Jacobian coordinates with
			a4=-3".`,
		Arguments: `An entry is x and y, four 64-bit limbs each, the lowest first, below p and in the
			Montgomery domain with R = 2^256; y is not 0. It is negated where bit l of negate[i]
			is set. n ≥ 1. In the last step the lanes whose bit in keep is set add nothing; their
			entries are read. sum is as in P256AddDistinctIFMA512. Where a lane adds a point to
			itself or to its negative its Z is 0 mod p, and stays so: the caller has to look.
			Pointers need no alignment.`,
		Aliasing: "sum does not overlap the rest.",
		Bounds: `reads 8n pointers and 64 bytes at each, and n bytes at negate; reads and writes
			nothing beyond.`,
		Secret:  "nothing: it serves verification.",
		Decides: "n entries",
		Leaves: `intermediate values in vector registers, of whose first sixteen VZEROUPPER clears
			the upper halves, and on the stack.`,
	})
	loadConstants()
	out := pointAt(argument("sum", RDI))
	entries := argument("entries", RSI)
	Load(Param("negate"), RDX)
	Load(Param("n"), RCX)
	Load(Param("keep"), RBX)
	next, _ := scratch(14, RAX)
	q, b := point{next(), next(), next()}, point{x: next(), y: next()}
	h, rr := next(), next()
	r := point{next(), next(), next()}

	load := func() {
		gather(b, entries)
		KMOVB(Mem{Base: RDX}, K3)
		negateWhere(b.y, K3, next)
		ADDQ(Imm(64), RSI)
		INCQ(RDX)
	}
	load()
	// x brought below the bound of a point's coordinates.
	sum(q.x, boundX, plus(b.x))
	for i := range limbs {
		VMOVDQU64(b.y.limb(i), Z0)
		VMOVDQU64(Z0, q.y.limb(i))
	}
	q.y.bound = b.y.bound
	one(q.z)
	q.check()
	q.x.bound, q.y.bound, q.z.bound = boundX, boundY, boundZ
	XORL(R9.As32(), R9.As32())
	DECQ(RCX)
	JZ(LabelRef("done"))

	Label("next") // q is the sum of the points so far, RCX ≥ 1 are left
	load()
	add(r, q, b, h, rr, next)
	CMPQ(RCX, Imm(1))
	CMOVQEQ(RBX, R9)
	KMOVB(R9.As32(), K1)
	store(q, r, K1)
	DECQ(RCX)
	JNZ(LabelRef("next"))

	Label("done")
	KXORB(K1, K1, K1)
	store(out, q, K1)
	VZEROUPPER()
	RET()
}
