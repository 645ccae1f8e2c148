package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// Bounds of the coordinates of every point in memory, in multiples of p. Each
// routine starts from them and is checked to keep them.
const (
	boundX = 2
	boundY = 2
	boundZ = 3
)

// A point has Jacobian coordinates: x = X/Z², y = Y/Z³. It is the point at
// infinity where Z ≡ 0.
type point struct{ x, y, z *fe }

func pointAt(base Mem) point {
	return point{at(base, 0, boundX), at(base, 1, boundY), at(base, 2, boundZ)}
}

func (q point) check() {
	if q.x.bound > boundX || q.y.bound > boundY || q.z.bound > boundZ {
		panic(fmt.Sprintf("coordinates bounded by %v, %v, %v moduli", q.x.bound, q.y.bound, q.z.bound))
	}
}

// scratch reserves n elements on the stack, on 64-byte boundaries, and returns
// them with the register that points to the first.
func scratch(n int, base GPPhysical) (next func() *fe, all Mem) {
	local := AllocLocal(n*feSize + 64)
	LEAQ(local.Offset(63), base)
	ANDQ(I8(-64), base)
	all = Mem{Base: base}
	i := 0
	return func() *fe {
		if i == n {
			panic("out of scratch elements")
		}
		i++
		return at(all, i-1, maxBound)
	}, all
}

// wipe clears the scratch elements: they held secrets.
func wipe(all Mem, n int) {
	Comment("wipe the stack")
	VPXORQ(Z0, Z0, Z0)
	for i := range n * limbs {
		VMOVDQU64(Z0, all.Offset(64*i))
	}
}

// double emits r = 2q, by the formulas of Bernstein and Lange for a = −3 in the
// form "dbl-2001-b" with Z3 = 2·Y·Z: δ = Z², γ = Y², β = X·γ,
// α = 3(X−δ)(X+δ), X3 = α² − 8β, Y3 = α(4β − X3) − 8γ². An exact zero in Z stays
// one. r may be q.
func double(r, q point, next func() *fe) {
	delta, gamma, beta, alpha, t, u := next(), next(), next(), next(), next(), next()
	sqr(p, delta, q.z)
	sqr(p, gamma, q.y)
	sum(t, noLimit, plus(q.x), minus(delta))
	sum(u, noLimit, times(3, q.x), times(3, delta))
	mul(p, alpha, t, u)
	mul(p, beta, q.x, gamma)
	mulAdd(p, r.z, boundZ, 2, [][2]*fe{{q.y, q.z}})
	sqrAdd(p, r.x, boundX, alpha, times(-8, beta))
	sqr(p, gamma, gamma)
	sum(t, noLimit, times(4, beta), minus(r.x))
	mulAdd(p, r.y, boundY, 1, [][2]*fe{{alpha, t}}, times(-8, gamma))
}

// add emits r = a + b for a ≠ ±b, neither infinite, by "add-2007-bl" without its
// doublings. It leaves in h the difference U2 − U1 and in rr S2 − S1: both are 0
// mod p where a = b, only the first where a = −b, and then Z3 ≡ 0 is right. If b has
// Z = 1, b.z is nil. r must share no element with a or b.
func add(r, a, b point, h, rr *fe, next func() *fe) {
	u1, s1 := a.x, a.y
	hh, hhh, t, v := next(), next(), next(), next()
	if b.z != nil {
		u1, s1 = next(), next()
		sqr(p, t, b.z)
		mul(p, u1, a.x, t)
		mul(p, t, t, b.z)
		mul(p, s1, a.y, t)
	}
	sqr(p, t, a.z)
	mulAdd(p, h, noLimit, 1, [][2]*fe{{b.x, t}}, minus(u1))
	mul(p, t, t, a.z)
	mulAdd(p, rr, noLimit, 1, [][2]*fe{{b.y, t}}, minus(s1))
	sqr(p, hh, h)
	if b.z != nil {
		mul(p, t, a.z, b.z)
		mul(p, r.z, t, h)
	} else {
		mul(p, r.z, a.z, h)
	}
	mulAdd(p, hhh, noLimit, -1, [][2]*fe{{h, hh}}) // −H³
	mul(p, v, u1, hh)
	sqrAdd(p, r.x, boundX, rr, plus(hhh), times(-2, v))
	sum(v, noLimit, plus(v), minus(r.x))
	mulAdd(p, r.y, boundY, 1, [][2]*fe{{v, rr}, {hhh, s1}})
}

// negateWhere emits a = −a, below 2p, in the lanes of k.
func negateWhere(a *fe, k Register, next func() *fe) {
	if a.bound > 2 {
		panic("negation of a value that may exceed 2p")
	}
	Comment("conditional negation")
	for i := range limbs {
		VPBROADCASTQ(p.multiple(2).Offset(8*i), operandA[i])
		VPSUBQ(a.limb(i), operandA[i], operandA[i])
	}
	normalise(operandA, Z5, true)
	for i := range limbs {
		mergeStore(a.limb(i), operandA[i], k)
	}
	a.bound = 2
}

// mergeStore writes z to a vector in memory in the lanes of k. It reads the vector
// and writes all of it: how fast a masked store is forwarded to later loads may
// depend on the mask, which can be secret.
func mergeStore(m Mem, z, k Register) {
	VMOVDQU64(m, Z6)
	VPBLENDMQ(z, Z6, k, Z6)
	VMOVDQU64(Z6, m)
}

// selectEntry emits the copying of one entry of elements from a table into dst:
// the entry digit−1 of each lane, or zeros for digit 0. It reads every entry, in
// order.
func selectEntry(name string, dst []*fe, table GPPhysical, entries int, digit Register) {
	Comment("read every entry, and keep that of the lane's digit")
	n := len(dst) * limbs
	out := pool[:n]
	for _, z := range out {
		VPXORQ(z, z, z)
	}
	count, one := Z0, Z1
	mask, ones := pool[n], pool[n+1]
	VPTERNLOGQ(U8(0xff), ones, ones, ones)
	VPXORQ(count, count, count)
	VPBROADCASTQ(constants.Offset(cOne), one)
	MOVQ(U32(entries), RCX)
	Label(name)
	VPADDQ(one, count, count)
	VPCMPEQQ(count, digit, K1)
	// All of the entry is loaded: an opmask on a load would decide which memory is touched.
	VMOVDQA64_Z(ones, K1, mask)
	for i, z := range out {
		VPTERNLOGQ(U8(0xf8), Mem{Base: table, Disp: i * 64}, mask, z) // z | mask & entry
	}
	ADDQ(U32(n*64), table)
	DECQ(RCX)
	JNZ(LabelRef(name))
	for i, z := range out {
		VMOVDQU64(z, dst[i/limbs].limb(i%limbs))
	}
}

// permuteEntry does what selectEntry does for a table of combEntries entries that
// all lanes share, limb by limb: all words of a limb are loaded, and permuted by the
// digits. For digit 0 it leaves some entry.
func permuteEntry(dst []*fe, table GPPhysical, digit Register) {
	Comment("load every entry, and permute by the lanes' digits")
	if combEntries != 32 {
		panic("a permutation of two vectors knows 16 entries")
	}
	index, one := Z0, Z1
	VPBROADCASTQ(constants.Offset(cOne), one)
	VPSUBQ(one, digit, index)
	VPSLLQ(U8(4), one, one)
	VPTESTMQ(one, index, K1) // the upper half
	for i := range len(dst) * limbs {
		at := func(part int) Mem { return Mem{Base: table, Disp: (4*i + part) * 64} }
		lower, upper, z := pool[4*(i%5)], pool[4*(i%5)+1], pool[4*(i%5)+2]
		VMOVDQU64(at(0), z)
		VMOVDQA64(index, lower)
		VPERMI2Q(at(1), z, lower)
		VMOVDQU64(at(2), z)
		VMOVDQA64(index, upper)
		VPERMI2Q(at(3), z, upper)
		VPBLENDMQ(upper, lower, K1, lower)
		VMOVDQU64(lower, dst[i/limbs].limb(i%limbs))
	}
}

// The digits and signs of a lane, kept in vector registers that products leave
// alone would cost a register each; they are read again where they are needed.
func loadDigits(digits, signs GPPhysical) {
	VMOVDQU64(Mem{Base: digits}, Z2)
	VMOVDQU64(Mem{Base: signs}, Z3)
	VPTESTNMQ(Z2, Z2, K2) // digit 0: the point stays
	VPTESTMQ(Z3, Z3, K3)  // negative
}

// store writes r to the point at q in all lanes but those of keep.
func store(q, r point, keep Register) {
	r.check()
	KNOTB(keep, K6)
	for _, c := range [][2]*fe{{q.x, r.x}, {q.y, r.y}, {q.z, r.z}} {
		for i := range limbs {
			VMOVDQU64(c[1].limb(i), Z5)
			mergeStore(c[0].limb(i), Z5, K6)
		}
	}
}

// one emits dst = 1 in the Montgomery domain, R mod p.
func one(dst *fe) {
	for i := range limbs {
		VPBROADCASTQ(montgomeryOne.Offset(8*i), Z5)
		VMOVDQU64(Z5, dst.limb(i))
	}
	dst.bound = 1
}
