package main

import (
	"fmt"
	"math/big"
	"slices"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// Elements have five limbs of 52 bits, the least significant first, in eight
// lanes: limb i of all lanes is one 64-byte vector. They are in the Montgomery
// domain with R = 2^260, so that a value below 16 times the modulus fits, and
// carry no unique representative: the generator tracks an upper bound of each,
// in multiples of the modulus, and refuses a product that could overflow.
const (
	limbs    = 5
	feSize   = limbs * 64
	maxBound = 15.9
)

// A modulus says how Montgomery reduction by it is done.
type modulus struct {
	name      string
	value     *big.Int
	limb      Mem // its five limbs, 8 bytes each
	multiples Mem // the limbs of 2, 3, 4, 8 and 16 times the modulus
	k0        Mem // −modulus^-1 mod 2^52, for order n only
	// special is set for p = 2^256 − 2^224 + 2^192 + 2^96 − 1. As p ≡ −1 mod 2^52,
	// the Montgomery factor of a step is the limb itself.
	special bool
}

var multiples = []int{2, 3, 4, 8, 16}

// multiple returns the limbs of k times the modulus.
func (m *modulus) multiple(k int) Mem {
	if k == 1 {
		return m.limb
	}
	i := slices.Index(multiples, k)
	if i < 0 {
		panic(fmt.Sprintf("no constant %d·%s", k, m.name))
	}
	return m.multiples.Offset(8 * limbs * i)
}

func hexInt(s string) *big.Int {
	x, ok := new(big.Int).SetString(s, 16)
	if !ok {
		panic(s)
	}
	return x
}

var (
	p = &modulus{name: "p", special: true, value: hexInt("ffffffff00000001000000000000000000000000ffffffffffffffffffffffff")}
	n = &modulus{name: "n", value: hexInt("ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551")}

	constants Mem
)

// Offsets of single words in constants.
const (
	cMask52 = 8 * iota
	cMask48
	cTwo44
	cTwo36
	cP4
	cOne
)

func split52(x *big.Int) (out [limbs]uint64) {
	mask := new(big.Int).SetUint64(1<<52 - 1)
	x = new(big.Int).Set(x)
	for i := range out {
		out[i] = new(big.Int).And(x, mask).Uint64()
		x.Rsh(x, 52)
	}
	if x.Sign() != 0 {
		panic("value needs more than five limbs")
	}
	return out
}

func declareConstants() {
	words := func(name string, w ...uint64) Mem {
		m := GLOBL(name, RODATA|NOPTR)
		for i, x := range w {
			DATA(8*i, U64(x))
		}
		return m
	}
	constants = words("p256ifma", 1<<52-1, 1<<48-1, 1<<44, 1<<36, 1<<48-1<<16, 1)
	for _, m := range []*modulus{p, n} {
		l := split52(m.value)
		m.limb = words(m.name+"limbs", l[:]...)
		var w []uint64
		for _, k := range multiples {
			l := split52(new(big.Int).Mul(m.value, big.NewInt(int64(k))))
			w = append(w, l[:]...)
		}
		m.multiples = words(m.name+"multiples", w...)
		two52 := new(big.Int).Lsh(big.NewInt(1), 52)
		k0 := new(big.Int).ModInverse(m.value, two52)
		m.k0 = words(m.name+"k0", k0.Sub(two52, k0).Uint64())
	}
}

// Register map, in every function: Z0–Z4 the first factor or the limbs of a
// linear combination, Z5–Z26 accumulators and scratch, Z27–Z31 constants.
var (
	zMask52, zTwo44, zTwo36, zP4, zMask48 = Z27, Z28, Z29, Z30, Z31
	operandA                              = []VecPhysical{Z0, Z1, Z2, Z3, Z4}
	pool                                  = []VecPhysical{Z5, Z6, Z7, Z8, Z9, Z10, Z11, Z12, Z13, Z14, Z15, Z16, Z17, Z18, Z19, Z20, Z21, Z22, Z23, Z24, Z25, Z26}
)

func loadConstants() {
	VPBROADCASTQ(constants.Offset(cMask52), zMask52)
	VPBROADCASTQ(constants.Offset(cTwo44), zTwo44)
	VPBROADCASTQ(constants.Offset(cTwo36), zTwo36)
	VPBROADCASTQ(constants.Offset(cP4), zP4)
	VPBROADCASTQ(constants.Offset(cMask48), zMask48)
}

// A fe is the place of an element in memory, and the bound of what is there.
type fe struct {
	mem   Mem
	bound float64
}

func (a *fe) limb(i int) Mem { return a.mem.Offset(64 * i) }

// at returns the element i elements behind base, of at most bound moduli.
func at(base Mem, i int, bound float64) *fe { return &fe{base.Offset(i * feSize), bound} }

// registers hands out vector registers of the pool.
type registers struct{ free []VecPhysical }

func newRegisters() *registers { return &registers{append([]VecPhysical(nil), pool...)} }

func (r *registers) take() VecPhysical {
	if len(r.free) == 0 {
		panic("out of vector registers")
	}
	z := r.free[0]
	r.free = r.free[1:]
	return z
}

func (r *registers) give(z VecPhysical) { r.free = append(r.free, z) }

// columns are accumulators of the columns of a product, made zero at first use.
type columns struct {
	regs *registers
	col  map[int]VecPhysical
}

func newColumns(r *registers) *columns { return &columns{r, map[int]VecPhysical{}} }

func (c *columns) at(i int) VecPhysical {
	z, ok := c.col[i]
	if !ok {
		z = c.regs.take()
		VPXORQ(z, z, z)
		c.col[i] = z
	}
	return z
}

// release gives back column i's register.
func (c *columns) release(i int) {
	if z, ok := c.col[i]; ok {
		c.regs.give(z)
		delete(c.col, i)
	}
}

// reduceStep adds m·modulus at column i, with m such that column i vanishes mod
// 2^52, and carries the rest of the column into the next. s holds the column.
func reduceStep(m *modulus, i int, s VecPhysical, lo, hi *columns) {
	c := lo.regs.take()
	if m.special {
		// m = s mod 2^52, which vpmadd52 takes by itself, and
		// m·p = m·2^256 − m·2^224 + m·2^192 + m·2^96 − m: the last term clears the
		// column, and the others lie at bit 44 of limb 1, bit 36 of limb 3 and
		// bits 48 and 16 of limb 4.
		VPMADD52LUQ(zTwo44, s, hi.at(i+1))
		VPSRLQ(U8(52), s, c)
		VPADDQ(c, lo.at(i+1), lo.at(i+1))
		VPMADD52HUQ(zTwo44, s, hi.at(i+2))
		VPMADD52LUQ(zTwo36, s, lo.at(i+3))
		VPMADD52HUQ(zTwo36, s, hi.at(i+4))
		VPMADD52LUQ(zP4, s, lo.at(i+4))
		VPMADD52HUQ(zP4, s, hi.at(i+5))
	} else {
		f := lo.regs.take()
		VPXORQ(f, f, f)
		VPMADD52LUQ_BCST(m.k0, s, f)
		VPMADD52LUQ_BCST(m.limb, f, s)
		VPSRLQ(U8(52), s, c)
		VPADDQ(c, lo.at(i+1), lo.at(i+1))
		for j := range limbs {
			if j > 0 {
				VPMADD52LUQ_BCST(m.limb.Offset(8*j), f, lo.at(i+j))
			}
			VPMADD52HUQ_BCST(m.limb.Offset(8*j), f, hi.at(i+j+1))
		}
		lo.regs.give(f)
	}
	lo.regs.give(c)
}

// productBound returns the bound of the Montgomery product of values bounded by
// a and b moduli: (a·b·modulus² + R·modulus) / R, with R > 16·modulus.
func productBound(a, b float64) float64 {
	if a > maxBound || b > maxBound {
		panic(fmt.Sprintf("factors bounded by %v and %v moduli need not fit five limbs", a, b))
	}
	out := a*b/16 + 1
	if out > maxBound {
		panic(fmt.Sprintf("product of %v and %v moduli need not fit five limbs", a, b))
	}
	return out
}

// mul emits dst = a·b/R. dst may be a or b.
func mul(m *modulus, dst, a, b *fe) { mulAdd(m, dst, noLimit, 1, [][2]*fe{{a, b}}) }

// mulAdd emits dst = f·Σ a·b/R + the sum of terms, below limit moduli, for f = ±1
// or 2 and one or two pairs of factors with one reduction. dst may be any of the
// factors and terms. Terms need m = p.
//
// Every column of the products takes at most ten low halves, ten high halves and six
// or eleven of the reduction, each below 2^52, and a carry: below 2^57.
func mulAdd(m *modulus, dst *fe, limit float64, f int, pairs [][2]*fe, terms ...term) {
	bound := 1.0
	for _, pair := range pairs {
		Comment(fmt.Sprintf("product mod %s, bounds %.2f and %.2f", m.name, pair[0].bound, pair[1].bound))
		bound += productBound(pair[0].bound, pair[1].bound) - 1
	}
	r := newRegisters()
	lo, hi := newColumns(r), newColumns(r)
	factors := [][]VecPhysical{operandA}
	if len(pairs) > 1 {
		var second []VecPhysical
		for range limbs {
			second = append(second, r.take())
		}
		factors = append(factors, second)
	}
	for k, pair := range pairs {
		for i := range limbs {
			VMOVDQU64(pair[0].limb(i), factors[k][i])
		}
	}
	for i := range limbs {
		var y []VecPhysical
		for k, pair := range pairs {
			y = append(y, r.take())
			VMOVDQU64(pair[1].limb(i), y[k])
		}
		for k := range pairs {
			for j := range limbs {
				VPMADD52LUQ(factors[k][j], y[k], lo.at(i+j))
			}
		}
		if i > 0 {
			VPADDQ(hi.at(i), lo.at(i), lo.at(i))
			hi.release(i)
		}
		for k := range pairs {
			for j := range limbs {
				VPMADD52HUQ(factors[k][j], y[k], hi.at(i+j+1))
			}
			r.give(y[k])
		}
		reduceStep(m, i, lo.at(i), lo, hi)
		lo.release(i)
	}
	for _, factor := range factors[1:] {
		for _, z := range factor {
			r.give(z)
		}
	}
	finish(m, dst, lo, hi, bound, limit, f, terms)
}

// sqr emits dst = a²/R. dst may be a.
func sqr(m *modulus, dst, a *fe) { sqrAdd(m, dst, noLimit, a) }

// sqrAdd emits dst = a²/R + the sum of terms, below limit moduli. dst may be a or a
// term. Terms need m = p.
func sqrAdd(m *modulus, dst *fe, limit float64, a *fe, terms ...term) {
	Comment(fmt.Sprintf("square mod %s, bound %.2f", m.name, a.bound))
	bound := productBound(a.bound, a.bound)
	r := newRegisters()
	// cross holds the products of different limbs, to be doubled; lo and hi the
	// squares of limbs and the reduction.
	cross, lo, hi := newColumns(r), newColumns(r), newColumns(r)
	for i := range limbs {
		VMOVDQU64(a.limb(i), operandA[i])
	}
	done := 0
	for k := range 2 * limbs {
		for i := range limbs {
			j := k - i
			if j > i && j < limbs {
				VPMADD52LUQ(operandA[i], operandA[j], cross.at(k))
				VPMADD52HUQ(operandA[i], operandA[j], cross.at(k+1))
			}
		}
		if k%2 == 0 && k/2 < limbs {
			VPMADD52LUQ(operandA[k/2], operandA[k/2], lo.at(k))
			VPMADD52HUQ(operandA[k/2], operandA[k/2], lo.at(k+1))
		}
		if z, ok := cross.col[k]; ok {
			VPADDQ(z, z, z)
			VPADDQ(z, lo.at(k), lo.at(k))
			cross.release(k)
		}
		if k < limbs {
			if _, ok := hi.col[k]; ok {
				VPADDQ(hi.at(k), lo.at(k), lo.at(k))
				hi.release(k)
			}
			reduceStep(m, k, lo.at(k), lo, hi)
			lo.release(k)
			done++
		}
	}
	finish(m, dst, lo, hi, bound, limit, 1, terms)
}

// finish adds the two halves of columns 5–9, multiplies them by f, adds the terms,
// normalises and stores.
func finish(m *modulus, dst *fe, lo, hi *columns, bound, limit float64, f int, terms []term) {
	var t []VecPhysical
	for i := limbs; i < 2*limbs; i++ {
		if _, ok := hi.col[i]; ok {
			VPADDQ(hi.at(i), lo.at(i), lo.at(i))
			hi.release(i)
		}
		t = append(t, lo.at(i))
	}
	r := lo.regs
	if f == 1 && len(terms) == 0 && bound <= limit {
		normalise(t, r.take(), false)
		dst.bound = bound
	} else {
		if !m.special {
			panic("linear combinations are modulo p")
		}
		pos, neg := bound, 0.0
		if f == 2 {
			for _, z := range t {
				VPADDQ(z, z, z)
			}
			pos = 2 * bound
		} else if f == -1 {
			zero := r.take()
			VPXORQ(zero, zero, zero)
			for _, z := range t {
				VPSUBQ(z, zero, z)
			}
			r.give(zero)
			pos, neg = 0, bound
		}
		dst.bound = combine(t, r, pos, neg, limit, terms)
	}
	for i := range limbs {
		VMOVDQU64(t[i], dst.limb(i))
	}
}

// normalise carries, so that limbs 0–3 are below 2^52 and limb 4 holds the rest.
func normalise(t []VecPhysical, c VecPhysical, signed bool) {
	for i := range limbs - 1 {
		if signed {
			VPSRAQ(U8(52), t[i], c)
		} else {
			VPSRLQ(U8(52), t[i], c)
		}
		VPANDQ(zMask52, t[i], t[i])
		VPADDQ(c, t[i+1], t[i+1])
	}
}

// A term is a multiple of an element, by ±1, ±2, ±3, ±4 or ±8.
type term struct {
	factor int
	*fe
}

func plus(a *fe) term         { return term{1, a} }
func minus(a *fe) term        { return term{-1, a} }
func times(f int, a *fe) term { return term{f, a} }
func abs(x int) int           { return max(x, -x) }
func shift(f int) (s uint8)   { return map[int]uint8{1: 0, 2: 1, 4: 2, 8: 3}[f] }

// noLimit is a limit that leaves a value as large as it may be in five limbs.
const noLimit = maxBound

// reduced is above what a reduction in combine leaves, and a limit that asks for one.
const reduced = 1.01

// sum emits dst = the sum of terms, mod p, below limit moduli. The first term must be
// positive. dst may be any of them.
func sum(dst *fe, limit float64, terms ...term) {
	Comment("sum mod p")
	r := newRegisters()
	first := terms[0]
	for i, z := range operandA {
		VMOVDQU64(first.limb(i), z)
		scale(z, first.factor, r)
	}
	dst.bound = combine(operandA, r, float64(first.factor)*first.bound, 0, limit, terms[1:])
	for i := range limbs {
		VMOVDQU64(operandA[i], dst.limb(i))
	}
}

// scale multiplies z by f > 0.
func scale(z VecPhysical, f int, r *registers) {
	switch f {
	case 1:
	case 3:
		y := r.take()
		VPADDQ(z, z, y)
		VPADDQ(y, z, z)
		r.give(y)
	case 2, 4, 8:
		VPSLLQ(U8(shift(f)), z, z)
	default:
		panic("no such factor")
	}
}

// combine adds the terms, mod p, to t, which stands for a value from −neg to pos
// moduli in limbs of at most 58 bits with a sign. It leaves t normalised, not
// negative and below limit moduli, and returns its bound.
func combine(t []VecPhysical, r *registers, pos, neg, limit float64, terms []term) float64 {
	for _, x := range terms {
		for i := range limbs {
			f := abs(x.factor)
			z := r.take()
			switch {
			case f > 1:
				VMOVDQU64(x.limb(i), z)
				scale(z, f, r)
				if x.factor > 0 {
					VPADDQ(z, t[i], t[i])
				} else {
					VPSUBQ(z, t[i], t[i])
				}
			case x.factor > 0:
				VPADDQ(x.limb(i), t[i], t[i])
			default:
				VPSUBQ(x.limb(i), t[i], t[i])
			}
			r.give(z)
		}
		if x.factor > 0 {
			pos += float64(x.factor) * x.bound
		} else {
			neg -= float64(x.factor) * x.bound
		}
	}
	if neg > 0 {
		// A multiple of p that keeps the value from going below zero.
		k := 0
		for neg > float64(multiples[k]) {
			k++ // out of range where there is none
		}
		for i := range limbs {
			VPADDQ_BCST(p.multiple(multiples[k]).Offset(8*i), t[i], t[i])
		}
		pos += float64(multiples[k])
	}
	c := r.take()
	if pos > limit {
		// With q the value above bit 256, subtract q·p: q stands at bit 48 of limb
		// 4, and −q·p = −q·2^256 + q·2^224 − q·2^192 − q·2^96 + q. Limb 4 still
		// lacks carries of less than 2^7 units, of either sign. So the value comes
		// out below 2^256 + 64·2^224 + 2^215 < 1.01 p; and not below zero: for q > 0
		// the term q·2^224 is greater than what lacks, for q = 0 the value stays, and
		// q = −1 adds p.
		if pos > 64 || limit < reduced {
			panic(fmt.Sprintf("sum bounded by %v moduli, wanted below %v", pos, limit))
		}
		q := r.take()
		VPSRAQ(U8(48), t[4], q)
		VPANDQ(zMask48, t[4], t[4])
		VPADDQ(q, t[0], t[0])
		VPSLLQ(U8(44), q, c)
		VPSUBQ(c, t[1], t[1])
		VPSLLQ(U8(36), q, c)
		VPSUBQ(c, t[3], t[3])
		VPSLLQ(U8(16), q, c)
		VPADDQ(c, t[4], t[4])
		r.give(q)
		pos = reduced
	}
	normalise(t, c, true)
	r.give(c)
	return pos
}

// zeroMask emits k = the lanes in which a, below 4p, is 0 modulo p.
func zeroMask(a *fe, k, scratch Register) {
	if a.bound > 4 {
		panic(fmt.Sprintf("zero test of a value bounded by %v moduli", a.bound))
	}
	Comment("lanes that are 0 mod p")
	for i := range limbs {
		VMOVDQU64(a.limb(i), operandA[i])
	}
	VPORQ(operandA[0], operandA[1], Z5)
	VPORQ(operandA[2], operandA[3], Z6)
	VPORQ(operandA[4], Z5, Z5)
	VPORQ(Z6, Z5, Z5)
	VPTESTNMQ(Z5, Z5, k)
	for multiple := 1; float64(multiple) <= a.bound; multiple++ {
		VPXORQ_BCST(p.multiple(multiple), operandA[0], Z5)
		for i := 1; i < limbs; i++ {
			VPXORQ_BCST(p.multiple(multiple).Offset(8*i), operandA[i], Z6)
			VPORQ(Z6, Z5, Z5)
		}
		VPTESTNMQ(Z5, Z5, scratch)
		KORB(k, scratch, k)
	}
}

// blend emits dst = a in the lanes of k, and leaves the other lanes.
func blend(dst, a *fe, k Register) {
	for i := range limbs {
		VMOVDQU64(a.limb(i), Z5)
		mergeStore(dst.limb(i), Z5, k)
	}
	dst.bound = max(dst.bound, a.bound)
}
