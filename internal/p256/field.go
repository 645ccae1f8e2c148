package p256

import (
	"encoding/binary"
	"math/bits"
)

// A fe is a field element below p, in the Montgomery domain unless said otherwise.
type fe [4]uint64

var (
	feP = fe{0xffffffffffffffff, 0x00000000ffffffff, 0, 0xffffffff00000001}
	// feOne is 1, that is 2^256 mod p.
	feOne = fe{1, 0xffffffff00000000, 0xffffffffffffffff, 0xfffffffe}
	// feRR is 2^512 mod p: feMul by it enters the Montgomery domain.
	feRR = fe{3, 0xfffffffbffffffff, 0xfffffffffffffffe, 0x4fffffffd}
	// feB is the curve's b.
	feB = fe{0xd89cdf6229c4bddf, 0xacf005cd78843090, 0xe5a220abf7212ed6, 0xdc30061d04874834}
)

// less returns 1 if x < m, and 0 otherwise.
func less(x, m *[4]uint64) uint64 {
	_, b := bits.Sub64(x[0], m[0], 0)
	_, b = bits.Sub64(x[1], m[1], b)
	_, b = bits.Sub64(x[2], m[2], b)
	_, b = bits.Sub64(x[3], m[3], b)
	return b
}

// isZero returns 1 if x is 0, and 0 otherwise.
func isZero(x *[4]uint64) uint64 {
	return wordIsZero(x[0] | x[1] | x[2] | x[3])
}

// wordIsZero returns 1 if w is 0, and 0 otherwise.
func wordIsZero(w uint64) uint64 {
	return 1 ^ (w|-w)>>63
}

// move sets z to x if cond is 1, and leaves it if cond is 0.
func move(z, x *[4]uint64, cond uint64) {
	mask := -cond
	z[0] ^= (z[0] ^ x[0]) & mask
	z[1] ^= (z[1] ^ x[1]) & mask
	z[2] ^= (z[2] ^ x[2]) & mask
	z[3] ^= (z[3] ^ x[3]) & mask
}

// reduceOnce sets z to the number carry·2^256 + x less m if it is at least m.
func reduceOnce(z, x *[4]uint64, carry uint64, m *[4]uint64) {
	t0, b := bits.Sub64(x[0], m[0], 0)
	t1, b := bits.Sub64(x[1], m[1], b)
	t2, b := bits.Sub64(x[2], m[2], b)
	t3, b := bits.Sub64(x[3], m[3], b)
	_, b = bits.Sub64(carry, 0, b)
	keep := -b
	z[0] = t0 ^ (t0^x[0])&keep
	z[1] = t1 ^ (t1^x[1])&keep
	z[2] = t2 ^ (t2^x[2])&keep
	z[3] = t3 ^ (t3^x[3])&keep
}

// addMod sets z = x + y mod m for x and y below m.
func addMod(z, x, y, m *[4]uint64) {
	var t [4]uint64
	var c uint64
	t[0], c = bits.Add64(x[0], y[0], 0)
	t[1], c = bits.Add64(x[1], y[1], c)
	t[2], c = bits.Add64(x[2], y[2], c)
	t[3], c = bits.Add64(x[3], y[3], c)
	reduceOnce(z, &t, c, m)
	t = [4]uint64{}
}

// subMod sets z = x − y mod m for x and y below m.
func subMod(z, x, y, m *[4]uint64) {
	t0, b := bits.Sub64(x[0], y[0], 0)
	t1, b := bits.Sub64(x[1], y[1], b)
	t2, b := bits.Sub64(x[2], y[2], b)
	t3, b := bits.Sub64(x[3], y[3], b)
	mask := -b
	var c uint64
	z[0], c = bits.Add64(t0, m[0]&mask, 0)
	z[1], c = bits.Add64(t1, m[1]&mask, c)
	z[2], c = bits.Add64(t2, m[2]&mask, c)
	z[3], _ = bits.Add64(t3, m[3]&mask, c)
}

// halveMod sets z = x/2 mod m for x below m, m odd.
func halveMod(z, x, m *[4]uint64) {
	mask := -(x[0] & 1)
	t0, c := bits.Add64(x[0], m[0]&mask, 0)
	t1, c := bits.Add64(x[1], m[1]&mask, c)
	t2, c := bits.Add64(x[2], m[2]&mask, c)
	t3, c := bits.Add64(x[3], m[3]&mask, c)
	z[0] = t0>>1 | t1<<63
	z[1] = t1>>1 | t2<<63
	z[2] = t2>>1 | t3<<63
	z[3] = t3>>1 | c<<63
}

func feAdd(z, x, y *fe) {
	addMod((*[4]uint64)(z), (*[4]uint64)(x), (*[4]uint64)(y), (*[4]uint64)(&feP))
}
func feSub(z, x, y *fe) {
	subMod((*[4]uint64)(z), (*[4]uint64)(x), (*[4]uint64)(y), (*[4]uint64)(&feP))
}
func feDouble(z, x *fe) { feAdd(z, x, x) }
func feHalve(z, x *fe)  { halveMod((*[4]uint64)(z), (*[4]uint64)(x), (*[4]uint64)(&feP)) }
func feNegate(z, x *fe) { feSub(z, &fe{}, x) }

// feMove sets z to x if cond is 1, and leaves it if cond is 0.
func feMove(z, x *fe, cond uint64) { move((*[4]uint64)(z), (*[4]uint64)(x), cond) }

// feIsZero returns 1 if x is 0, and 0 otherwise.
func feIsZero(x *fe) uint64 { return isZero((*[4]uint64)(x)) }

// feEqual returns 1 if x and y are the same, and 0 otherwise.
func feEqual(x, y *fe) uint64 {
	return wordIsZero((x[0] ^ y[0]) | (x[1] ^ y[1]) | (x[2] ^ y[2]) | (x[3] ^ y[3]))
}

// feFromMont sets z to x taken out of the Montgomery domain.
func feFromMont(z, x *fe) { feMul(z, x, &fe{1}) }

// fromBytes sets z to the limbs of the big-endian b.
func fromBytes(z *[4]uint64, b *[32]byte) {
	z[0] = binary.BigEndian.Uint64(b[24:])
	z[1] = binary.BigEndian.Uint64(b[16:])
	z[2] = binary.BigEndian.Uint64(b[8:])
	z[3] = binary.BigEndian.Uint64(b[:])
}

// toBytes sets b to x, big-endian.
func toBytes(b *[32]byte, x *[4]uint64) {
	binary.BigEndian.PutUint64(b[24:], x[0])
	binary.BigEndian.PutUint64(b[16:], x[1])
	binary.BigEndian.PutUint64(b[8:], x[2])
	binary.BigEndian.PutUint64(b[:], x[3])
}
