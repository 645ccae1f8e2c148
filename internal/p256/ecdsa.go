package p256

import "github.com/fastcrypto-go/fastcrypto/internal/impl"

// Sign sets r = (k·G).x mod n and s = (e + r·d)/k mod n, as in FIPS 186-5, 6.4.1.
// 1 <= d, k < n, which the caller has checked; e is any number, taken modulo n.
// It returns false, with r and s cleared, if one of them is 0, or if they are not
// what they should be: see inconsistent. d and k are secret; e, r, s and the answer
// are not.
func Sign(r, s *[32]byte, d, k, e *[32]byte) bool { return sign(Tier(), r, s, d, k, e) }

func sign(tier impl.Tier, r, s *[32]byte, d, k, e *[32]byte) bool {
	var kk, dd, ee, rr, ss scalar
	var p jacobian
	var x fe
	fromBytes((*[4]uint64)(&kk), k)
	fromBytes((*[4]uint64)(&dd), d)
	fromBytes((*[4]uint64)(&ee), e)
	scReduce(&ee, &ee)
	injectScalar(FaultKey, &dd)
	injectScalar(FaultDigest, &ee)
	baseMult(tier, &p, &kk)
	injectPoint(&p)
	p.affineX(&x)
	injectField(FaultX, &x)
	scReduce(&rr, (*scalar)(&x))
	injectScalar(FaultR, &rr)
	scMul(&kk, &kk, &orderRR)
	scInverse(&kk, &kk)
	injectScalar(FaultInverse, &kk)
	scMul(&dd, &dd, &orderRR)
	scMul(&ss, &dd, &rr)
	scAdd(&ss, &ss, &ee)
	scMul(&ss, &ss, &kk)
	injectScalar(FaultS, &ss)
	toBytes(r, (*[4]uint64)(&rr))
	toBytes(s, (*[4]uint64)(&ss))
	ok := inconsistent(&p, &x, r, s, d, k, e) == 0
	if !ok {
		*r, *s = [32]byte{}, [32]byte{}
	}
	kk, dd, rr, ss, p, x = scalar{}, scalar{}, scalar{}, scalar{}, jacobian{}, fe{}
	return ok
}

// pMinusN is p − n.
var pMinusN = [4]uint64{0x0c46353d039cdaae, 0x4319055358e8617b, 0, 0}

// A factorsVarTime is what verification multiplies G and the key by, each at
// most (n−1)/2 with a sign.
type factorsVarTime struct {
	u1, u2     scalar
	neg1, neg2 bool
	r, rPlusN  fe // the numbers that the x-coordinate may be, in the Montgomery domain
	hasRPlusN  bool
}

// set computes the factors e/s and r/s. It returns false if r or s is not in
// [1, n−1].
func (f *factorsVarTime) set(e, r, s *[32]byte) bool {
	var ee, rr, ss scalar
	fromBytes((*[4]uint64)(&ee), e)
	fromBytes((*[4]uint64)(&rr), r)
	fromBytes((*[4]uint64)(&ss), s)
	if scValid(&rr)&scValid(&ss) == 0 {
		return false
	}
	scReduce(&ee, &ee)
	scMul(&ss, &ss, &orderRR)
	scInverse(&ss, &ss)
	scMul(&f.u1, &ss, &ee)
	scMul(&f.u2, &ss, &rr)
	f.neg1 = f.u1.halveRangeVarTime()
	f.neg2 = f.u2.halveRangeVarTime()

	feMul(&f.r, (*fe)(&rr), &feRR)
	// x mod n = r has the further solution x = r + n if that is below p.
	if f.hasRPlusN = less((*[4]uint64)(&rr), &pMinusN) == 1; f.hasRPlusN {
		var sum [4]uint64
		addMod(&sum, (*[4]uint64)(&rr), (*[4]uint64)(&orderN), (*[4]uint64)(&feP))
		feMul(&f.rPlusN, (*fe)(&sum), &feRR)
	}
	return true
}

// halveRangeVarTime replaces x by n − x if that is smaller, and reports whether
// it did.
func (x *scalar) halveRangeVarTime() bool {
	var m scalar
	scNegate(&m, x)
	if less((*[4]uint64)(&m), (*[4]uint64)(x)) == 0 {
		return false
	}
	*x = m
	return true
}

// matchesVarTime reports whether p is not infinity and its x-coordinate is r
// modulo n, without an inversion: x·z² is compared.
func (f *factorsVarTime) matchesVarTime(p *jacobian) bool {
	if p.z == (fe{}) {
		return false
	}
	var zz, t fe
	feSqr(&zz, &p.z, 1)
	if feMul(&t, &f.r, &zz); t == p.x {
		return true
	}
	if !f.hasRPlusN {
		return false
	}
	feMul(&t, &f.rPlusN, &zz)
	return t == p.x
}

const (
	verifyWidth   = 5
	verifyEntries = 1 << (verifyWidth - 2)

	// The first window of the comb serves digits of one bit more.
	baseWidth = combWidth + 1
)

// VerifyVarTime reports whether (r, s) is q's signature of e, as in FIPS 186-5,
// 6.4.2; r and s are checked to be in [1, n−1], e is taken modulo n. Everything
// is public.
func (q *PublicKey) VerifyVarTime(e, r, s *[32]byte) bool {
	var f factorsVarTime
	if !f.set(e, r, s) {
		return false
	}
	var table [verifyEntries]affine
	oddMultiplesVarTime(table[:], &q.q)
	var d1, d2 [256]int8
	n := max(wnafVarTime(&d1, &f.u1, baseWidth), wnafVarTime(&d2, &f.u2, verifyWidth))

	var p jacobian // infinity
	doublings := 0
	for i := n - 1; i >= 0; i-- {
		doublings++
		if d1[i]|d2[i] == 0 && i > 0 {
			continue
		}
		if p.z != (fe{}) {
			pointDouble(&p, &p, doublings)
		}
		doublings = 0
		p.addDigitVarTime(table[:], d2[i], f.neg2)
		p.addDigitVarTime(comb[0][:], d1[i], f.neg1)
	}
	return f.matchesVarTime(&p)
}

// addDigitVarTime adds d times the point whose odd multiples are in the table,
// or subtracts it if negate.
func (p *jacobian) addDigitVarTime(table []affine, d int8, negate bool) {
	switch {
	case d > 0:
		p.addAffineVarTime(&table[d>>1], negate)
	case d < 0:
		p.addAffineVarTime(&table[-d>>1], !negate)
	}
}
