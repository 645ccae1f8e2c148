package p256

import "math/bits"

// A scalar is a number below 2^256; below n where functions say so.
type scalar [4]uint64

var (
	orderN = scalar{0xf3b9cac2fc632551, 0xbce6faada7179e84, 0xffffffffffffffff, 0xffffffff00000000}
	// orderRR is 2^512 mod n.
	orderRR = scalar{0x83244c95be79eea2, 0x4699799c49bd6fa6, 0x2845b2392b6bec59, 0x66e12d94f3d95620}
)

func scAdd(z, x, y *scalar) {
	addMod((*[4]uint64)(z), (*[4]uint64)(x), (*[4]uint64)(y), (*[4]uint64)(&orderN))
}

// scNegate sets z = −x mod n for x below n.
func scNegate(z, x *scalar) {
	subMod((*[4]uint64)(z), &[4]uint64{}, (*[4]uint64)(x), (*[4]uint64)(&orderN))
}

// scReduce sets z = x mod n for any x: 2n > 2^256.
func scReduce(z, x *scalar) {
	reduceOnce((*[4]uint64)(z), (*[4]uint64)(x), 0, (*[4]uint64)(&orderN))
}

// scValid returns 1 if 1 <= x < n, and 0 otherwise.
func scValid(x *scalar) uint64 {
	return less((*[4]uint64)(x), (*[4]uint64)(&orderN)) &^ isZero((*[4]uint64)(x))
}

// ValidScalar reports whether 1 <= k < n. k is secret; the answer is not.
func ValidScalar(k *[32]byte) bool {
	var x scalar
	fromBytes((*[4]uint64)(&x), k)
	return scValid(&x) == 1
}

// ReduceWide sets k = wide mod n and reports whether it is not 0. wide and k are
// secret; the answer is not.
func ReduceWide(k *[32]byte, wide *[64]byte) bool {
	// hi·2^256 + lo = hi·R²·R^-1 + lo, where R = 2^256.
	var hi, lo scalar
	fromBytes((*[4]uint64)(&hi), (*[32]byte)(wide[:32]))
	fromBytes((*[4]uint64)(&lo), (*[32]byte)(wide[32:]))
	scMul(&hi, &orderRR, &hi)
	scReduce(&lo, &lo)
	scAdd(&lo, &lo, &hi)
	toBytes(k, (*[4]uint64)(&lo))
	ok := isZero((*[4]uint64)(&lo)) == 0
	hi, lo = scalar{}, scalar{}
	return ok
}

// bitsAt returns the w bits of x from bit i on; bits past the end are 0.
func (x *scalar) bitsAt(i, w uint) uint64 {
	if i >= 256 {
		return 0
	}
	v := x[i/64] >> (i % 64)
	if i%64+w > 64 && i/64 < 3 {
		v |= x[i/64+1] << (64 - i%64)
	}
	return v & (1<<w - 1)
}

// wnafVarTime writes the signed digits of x in width-w non-adjacent form, x =
// Σ digits[i]·2^i: every digit is 0 or odd and below 2^(w−1) in magnitude, and of
// w successive ones at most one is not 0. It returns how many there are. x is
// public and below 2^255, so that 256 digits suffice.
func wnafVarTime(digits *[256]int8, x *scalar, w uint) int {
	*digits = [256]int8{}
	n := 0
	var carry uint64
	for i := uint(0); i < 256; {
		// The number left is carry + floor(x/2^i).
		if x.bitsAt(i, 1) == carry {
			// An even number; skip the run.
			v := x[i/64] >> (i % 64)
			if carry == 1 {
				v = ^v
			}
			i += max(1, min(uint(bits.TrailingZeros64(v)), 64-i%64))
			continue
		}
		d := int(x.bitsAt(i, w) + carry)
		carry = uint64(d) >> (w - 1) & 1
		digits[i] = int8(d - int(carry<<w))
		n = int(i) + 1
		i += w
	}
	return n
}
