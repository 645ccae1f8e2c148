package p256

import (
	"crypto/elliptic"
	"math/big"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/fastcrypto-go/fastcrypto/internal/impl"
	"github.com/fastcrypto-go/fastcrypto/internal/testkit"
)

// The reference: math/big, by the curve's definition.
var (
	curve = elliptic.P256().Params()
	bigR  = new(big.Int).Lsh(big.NewInt(1), 256)
)

// long reports whether the long forms of the tests run.
func long() bool { return os.Getenv("FASTCRYPTO_TEST_LONG") == "1" }

// rounds returns the number of random inputs: short, usual, or long.
func rounds(short, usual, many int) int {
	switch {
	case long():
		return many
	case testing.Short():
		return short
	}
	return usual
}

// onKernels runs f with each kernel tier forced.
func onKernels(t *testing.T, f func(t *testing.T)) {
	testkit.Tiers(t, impl.P256, func(t *testing.T, tier impl.Tier) {
		if tier == impl.Generic {
			t.Skip("the standard library serves")
		}
		f(t)
	})
}

func toBig(x *[4]uint64) *big.Int {
	var b [32]byte
	toBytes(&b, x)
	return new(big.Int).SetBytes(b[:])
}

func toLimbs(v *big.Int) (x [4]uint64) {
	var b [32]byte
	v.FillBytes(b[:])
	fromBytes(&x, &b)
	return x
}

func toArray(v *big.Int) (b [32]byte) {
	v.FillBytes(b[:])
	return b
}

// mont returns v·2^256 mod m.
func mont(v, m *big.Int) *big.Int {
	t := new(big.Int).Mul(v, bigR)
	return t.Mod(t, m)
}

// unmont returns v·2^-256 mod m.
func unmont(v, m *big.Int) *big.Int {
	t := new(big.Int).Mul(v, new(big.Int).ModInverse(bigR, m))
	return t.Mod(t, m)
}

// boundaries returns numbers below 2^256 that stress carries: around 0, m and
// 2^256, single bits, saturated limbs and halves of limbs.
func boundaries(m *big.Int) []*big.Int {
	var v []*big.Int
	around := func(c *big.Int) {
		for d := int64(-2); d <= 2; d++ {
			x := new(big.Int).Add(c, big.NewInt(d))
			if x.Sign() >= 0 && x.Cmp(bigR) < 0 {
				v = append(v, x)
			}
		}
	}
	around(new(big.Int))
	around(m)
	around(bigR)
	around(new(big.Int).Rsh(m, 1))
	around(new(big.Int).Sub(bigR, m))
	for i := uint(0); i < 256; i += 32 {
		around(new(big.Int).Lsh(big.NewInt(1), i))
	}
	words := []uint64{0, 1, 1<<32 - 1, 1 << 32, 0xffffffff00000000, 0xffffffff00000001, 1<<63 - 1, 1<<64 - 1}
	for i := range 256 { // limbs that are all 0 or saturated, and some in between
		x := [4]uint64{words[i&1*7], words[i>>1&1*7], words[i>>2&1*7], words[i>>3&1*7]}
		x[i>>4&3] = words[i>>5&7]
		v = append(v, toBig(&x))
	}
	return v
}

func randomBelow(r *rand.ChaCha8, m *big.Int) *big.Int {
	v := new(big.Int).SetBytes(testkit.Bytes(r, 40))
	return v.Mod(v, m)
}

// A refPoint is an affine point; nil is infinity.
type refPoint struct{ x, y *big.Int }

func refAdd(a, b *refPoint) *refPoint {
	if a == nil {
		return b
	}
	if b == nil {
		return a
	}
	p := curve.P
	num, den := new(big.Int), new(big.Int)
	if a.x.Cmp(b.x) == 0 {
		if a.y.Cmp(b.y) != 0 {
			return nil
		}
		num.Mul(a.x, a.x).Sub(num, big.NewInt(1)).Mul(num, big.NewInt(3))
		den.Lsh(a.y, 1)
	} else {
		num.Sub(b.y, a.y)
		den.Sub(b.x, a.x)
	}
	l := num.Mul(num, den.ModInverse(den.Mod(den, p), p))
	x := new(big.Int).Mul(l, l)
	x.Sub(x, a.x).Sub(x, b.x).Mod(x, p)
	y := new(big.Int).Sub(a.x, x)
	y.Mul(y, l).Sub(y, a.y).Mod(y, p)
	return &refPoint{x, y}
}

func (a *refPoint) negative() *refPoint {
	if a == nil {
		return nil
	}
	return &refPoint{a.x, new(big.Int).Sub(curve.P, a.y)}
}

func refMult(k *big.Int, a *refPoint) *refPoint {
	var r *refPoint
	for i := k.BitLen() - 1; i >= 0; i-- {
		r = refAdd(r, r)
		if k.Bit(i) == 1 {
			r = refAdd(r, a)
		}
	}
	return r
}

var refG = &refPoint{curve.Gx, curve.Gy}

// jacobianOf returns a with the given z; infinity has z = 0 and arbitrary x, y.
func jacobianOf(a *refPoint, z *big.Int) *jacobian {
	p := curve.P
	if a == nil {
		return &jacobian{x: toLimbs(mont(z, p)), y: toLimbs(mont(z, p))}
	}
	zz := new(big.Int).Mul(z, z)
	x := new(big.Int).Mul(a.x, zz)
	y := new(big.Int).Mul(a.y, zz.Mul(zz, z))
	return &jacobian{toLimbs(mont(x, p)), toLimbs(mont(y, p)), toLimbs(mont(z, p))}
}

func affineOf(a *refPoint) *affine {
	return &affine{toLimbs(mont(a.x, curve.P)), toLimbs(mont(a.y, curve.P))}
}

// equals reports whether the limbs of j are below p and it is the point a.
func (j *jacobian) equals(a *refPoint) bool {
	p := curve.P
	x, y, z := toBig((*[4]uint64)(&j.x)), toBig((*[4]uint64)(&j.y)), toBig((*[4]uint64)(&j.z))
	if x.Cmp(p) >= 0 || y.Cmp(p) >= 0 || z.Cmp(p) >= 0 {
		return false
	}
	if a == nil || z.Sign() == 0 {
		return a == nil && z.Sign() == 0
	}
	x, y, z = unmont(x, p), unmont(y, p), unmont(z, p)
	zz := new(big.Int).Mul(z, z)
	ax := new(big.Int).Mul(a.x, zz)
	ay := new(big.Int).Mul(a.y, zz.Mul(zz, z))
	return ax.Mod(ax, p).Cmp(x) == 0 && ay.Mod(ay, p).Cmp(y) == 0
}
