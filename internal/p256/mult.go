package p256

import "github.com/fastcrypto-go/fastcrypto/internal/impl"

// Secret scalars are recoded into windows of w bits whose digits are all odd,
// between −(2^w−1) and 2^w−1, so that no digit is 0 and no partial sum is
// infinity:
//
//	k = Σ d_i·2^(w·i), d_i = 2·c_i + 1 − 2^w
//
// where c_i are the m digits in base 2^w of (k−1)/2 + 2^(w·m−1). It works for odd
// k; an even one is replaced by n − k, and the result negated.

const (
	combWidth   = 6
	combWindows = 43
	combEntries = 1 << (combWidth - 1)

	multWidth   = 5
	multWindows = 52
	multEntries = 1 << (multWidth - 1)
)

// oddOrNegated sets c = (k'−1)/2 for k' = k or n − k, whichever is odd, and
// returns 1 if it is n − k. 1 <= k < n.
func (c *scalar) oddOrNegated(k *scalar) (negated uint64) {
	negated = 1 ^ k[0]&1
	var m scalar
	scNegate(&m, k)
	*c = *k
	move((*[4]uint64)(c), (*[4]uint64)(&m), negated)
	m = scalar{}
	c[0] = c[0]>>1 | c[1]<<63
	c[1] = c[1]>>1 | c[2]<<63
	c[2] = c[2]>>1 | c[3]<<63
	c[3] >>= 1
	return negated
}

// digit returns the i-th of m digits as the index (|d|−1)/2 into a table of odd
// multiples, and 1 if d is negative. c is as oddOrNegated left it.
func (c *scalar) digit(i, m, w uint) (index, negative uint64) {
	v := c.bitsAt(i*w, w)
	if i == m-1 {
		v |= 1 << (w - 1)
	}
	negative = 1 ^ v>>(w-1)
	// d = 2v + 1 − 2^w, so (d−1)/2 = v − 2^(w−1), and (−d−1)/2 = 2^(w−1) − 1 − v:
	// the complement in w−1 bits.
	index = (v ^ -negative) & (1<<(w-1) - 1)
	return index, negative
}

// baseMult sets p = k·G for 1 <= k < n on the given tier. k is secret.
func baseMult(tier impl.Tier, p *jacobian, k *scalar) {
	if tier == impl.IFMA512 {
		baseMultLanes(p, k)
	} else {
		baseMultScalar(p, k)
	}
}

// baseMultScalar is baseMult digit by digit.
//
// Before the digit i is added, the sum is odd and below 2^(6i) in magnitude, the
// digit's multiple is at least that, and both together are below n except at the
// last digit. So the two points are never opposite, since k ≠ 0, and can be
// equal modulo n only at the last digit, where the complete addition serves.
func baseMultScalar(p *jacobian, k *scalar) {
	var c scalar
	var t [2]affine
	negated := c.oddOrNegated(k) // negating every digit negates the result
	choose := func(i uint) {
		index, neg := c.digit(i, combWindows, combWidth)
		selectAffine(&t[i&1], comb[i][:], index, neg^negated)
	}
	choose(0)
	p.setAffine(&t[0])
	choose(1)
	for i := uint(1); i < combWindows-1; i++ {
		choose(i + 1) // overlaps with the addition
		pointAddMixed(p, p, &t[i&1])
	}
	p.addAffine(p, &t[(combWindows-1)&1])
	c, t = scalar{}, [2]affine{}
}

// maxOdd is the size of the greatest table of odd multiples.
const maxOdd = multEntries

// oddMultiplesVarTime sets r[i] = (2i+1)·q, at most maxOdd of them.
func oddMultiplesVarTime(r []affine, q *affine) {
	var m oddMultiples
	m.begin(r, q)
	feInverse(&m.z, &m.z)
	m.end(r)
}

// oddMultiples is what making odd multiples needs: begin leaves a z in it, which
// is to be inverted before end.
//
// All points of the chain q, 3q, 5q … share their z with the 2q that is added to
// them (Meloni, 2007), so that an addition takes seven multiplications, and each z
// is the one before times the difference h of the x-coordinates: one inversion of
// the last z, and going back along the chain, gives all.
type oddMultiples struct {
	h [maxOdd]fe
	z fe
}

func (m *oddMultiples) begin(r []affine, q *affine) {
	if len(r) == 1 {
		r[0], m.z = *q, feOne
		return
	}
	// 2q with z = y, and q brought to that z: (x·y², y⁴).
	var twice jacobian
	var s fe
	p := jacobian{q.x, q.y, feOne}
	pointDouble(&twice, &p, 1)
	feSqr(&s, &q.y, 1)
	feMul(&r[0].x, &q.x, &s)
	feSqr(&r[0].y, &s, 1)
	for i := 1; i < len(r); i++ {
		pointAddCoZ(&r[i], &r[i-1], &twice, &m.h[i])
	}
	r[0] = *q
	m.z = twice.z
}

func (m *oddMultiples) end(r []affine) {
	var c fe
	for i := len(r) - 1; i > 0; i-- {
		feSqr(&c, &m.z, 1)
		feMul(&r[i].x, &r[i].x, &c)
		feMul(&c, &c, &m.z)
		feMul(&r[i].y, &r[i].y, &c)
		feMul(&m.z, &m.z, &m.h[i])
	}
}

// mult sets p = k·q for 1 <= k < n. k is secret, q is not.
//
// Before a digit is added, the sum is even, at least 2^5 and thus greater than
// the digit, and below n with room for it except at the last digit: see baseMult.
func mult(p *jacobian, k *scalar, q *affine) {
	var table [multEntries]affine
	oddMultiplesVarTime(table[:], q)
	var c scalar
	var t affine
	negated := c.oddOrNegated(k)
	// The uppermost digit is 1: c is below 2^255.
	selectAffine(&t, table[:], 0, negated)
	p.setAffine(&t)
	for i := uint(multWindows - 2); i > 0; i-- {
		index, neg := c.digit(i, multWindows, multWidth)
		selectAffine(&t, table[:], index, neg^negated)
		pointDouble(p, p, multWidth)
		pointAddMixed(p, p, &t)
	}
	index, neg := c.digit(0, multWindows, multWidth)
	selectAffine(&t, table[:], index, neg^negated)
	pointDouble(p, p, multWidth)
	p.addAffine(p, &t)
	c, t = scalar{}, affine{}
}

// ScalarBaseMult sets x and y to the coordinates of k·G. 1 <= k < n, which the
// caller has checked. k is secret.
func ScalarBaseMult(x, y *[32]byte, k *[32]byte) { scalarBaseMult(Tier(), x, y, k) }

func scalarBaseMult(tier impl.Tier, x, y *[32]byte, k *[32]byte) {
	var s scalar
	var p jacobian
	var r affine
	fromBytes((*[4]uint64)(&s), k)
	baseMult(tier, &p, &s)
	p.toAffine(&r)
	r.bytes(x, y)
	s, p = scalar{}, jacobian{}
}

func (r *affine) bytes(x, y *[32]byte) {
	var t fe
	feFromMont(&t, &r.x)
	toBytes(x, (*[4]uint64)(&t))
	feFromMont(&t, &r.y)
	toBytes(y, (*[4]uint64)(&t))
}

// A PublicKey is a point of the curve other than infinity. The zero value is not
// valid until SetAffine returned true. Methods other than SetAffine may be called
// concurrently.
type PublicKey struct{ q affine }

// SetAffine sets q to the point with the given coordinates. It returns false,
// and leaves q as it is, if a coordinate is not below p or the point is not on
// the curve. x and y are public.
func (q *PublicKey) SetAffine(x, y *[32]byte) bool {
	var r affine
	fromBytes((*[4]uint64)(&r.x), x)
	fromBytes((*[4]uint64)(&r.y), y)
	if less((*[4]uint64)(&r.x), (*[4]uint64)(&feP))&less((*[4]uint64)(&r.y), (*[4]uint64)(&feP)) == 0 {
		return false
	}
	feMul(&r.x, &r.x, &feRR)
	feMul(&r.y, &r.y, &feRR)
	if !r.onCurveVarTime() {
		return false
	}
	q.q = r
	return true
}

// Bytes sets x and y to the coordinates of q.
func (q *PublicKey) Bytes(x, y *[32]byte) { q.q.bytes(x, y) }

// ECDH sets out to the x-coordinate of k·q. 1 <= k < n, which the caller has
// checked. k and out are secret, q is not.
func (q *PublicKey) ECDH(out *[32]byte, k *[32]byte) {
	var s scalar
	var p jacobian
	var x fe
	fromBytes((*[4]uint64)(&s), k)
	mult(&p, &s, &q.q)
	p.affineX(&x)
	toBytes(out, (*[4]uint64)(&x))
	s, p, x = scalar{}, jacobian{}, fe{}
}

// affineX sets x to the affine x-coordinate of p, which is not infinity, out of
// the Montgomery domain. It is constant time.
func (p *jacobian) affineX(x *fe) {
	feInverse(x, &p.z)
	feSqr(x, x, 1)
	feMul(x, x, &p.x)
	feFromMont(x, x)
}
