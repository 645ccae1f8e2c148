package p256

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/fastcrypto-go/fastcrypto/internal/testkit"
)

// The point kernels' sums carry between some limbs with probability 2^−32 only, so
// that random points never get there. Their formulas hold for any coordinates, on the
// curve or not: here the coordinates are such that what is added, subtracted and
// halved on the way has limbs that are saturated, 0, or next to that.

// lumpy returns an element below p of such limbs.
func lumpy(r *rand.ChaCha8) *big.Int {
	v := lumpyWord(r)
	return v.Mod(v, curve.P)
}

// lumpyWord returns a number below 2^256 of such limbs.
func lumpyWord(r *rand.ChaCha8) *big.Int {
	words := [...]uint64{0, 1, 1<<32 - 1, 1 << 32, 1 << 63, 1<<64 - 1<<32, 0xffffffff00000001, 1<<64 - 2, 1<<64 - 1}
	var x [4]uint64
	for i := range x {
		if n := r.Uint64() % (uint64(len(words)) + 2); n < uint64(len(words)) {
			x[i] = words[n]
		} else {
			x[i] = r.Uint64()
		}
	}
	return toBig(&x)
}

// One factor may be as great as 2^256 − 1, so that sums of some rows of the product
// have one bit more.
func TestCarriesOfProducts(t *testing.T) {
	onKernels(t, func(t *testing.T) {
		rnd := testkit.Rand(t)
		for _, c := range []struct {
			name    string
			modulus *big.Int
			mul     func(z, x, y *[4]uint64)
		}{
			{"field", curve.P, func(z, x, y *[4]uint64) { feMul((*fe)(z), (*fe)(x), (*fe)(y)) }},
			{"order", curve.N, func(z, x, y *[4]uint64) { scMul((*scalar)(z), (*scalar)(x), (*scalar)(y)) }},
		} {
			rInverse := new(big.Int).ModInverse(bigR, c.modulus)
			for range rounds(3000, 10_000, 10_000_000) {
				a, b := lumpyWord(rnd), lumpyWord(rnd)
				b.Mod(b, c.modulus)
				want := new(big.Int).Mul(a, b)
				want.Mod(want.Mul(want, rInverse), c.modulus)
				x, y := [4]uint64(toLimbs(a)), [4]uint64(toLimbs(b))
				var z1, z2 [4]uint64
				c.mul(&z1, &x, &y)
				c.mul(&z2, &y, &x)
				if toBig(&z1).Cmp(want) != 0 || z2 != z1 {
					t.Fatalf("%s: %x times %x = %x and %x, want %x", c.name, a, b, z1, z2, want)
				}
			}
		}
	})
}

// ring is arithmetic modulo p on what stands in memory: mul is the Montgomery product.
type ring struct{ rInverse *big.Int }

func (g ring) mod(v *big.Int) *big.Int    { return v.Mod(v, curve.P) }
func (g ring) add(a, b *big.Int) *big.Int { return g.mod(new(big.Int).Add(a, b)) }
func (g ring) sub(a, b *big.Int) *big.Int { return g.mod(new(big.Int).Sub(a, b)) }
func (g ring) half(a *big.Int) *big.Int {
	return g.mod(new(big.Int).Mul(a, new(big.Int).Rsh(new(big.Int).Add(curve.P, big.NewInt(1)), 1)))
}
func (g ring) mul(a, b *big.Int) *big.Int {
	v := new(big.Int).Mul(a, b)
	return g.mod(v.Mul(v, g.rInverse))
}

// root returns the z with z·z = a, or nil.
func (g ring) root(a *big.Int) *big.Int {
	return new(big.Int).ModSqrt(g.mod(new(big.Int).Mul(a, bigR)), curve.P)
}

// double returns the coordinates (X/4, Y/8, Z/2) of twice a point, with the formula
// that is on the generator.
func (g ring) double(x, y, z *big.Int) [3]*big.Int {
	zz, yy := g.mul(z, z), g.mul(y, y)
	l := g.mul(g.add(x, zz), g.sub(x, zz))
	l = g.half(g.add(l, g.add(l, l)))
	s := g.mul(x, yy)
	x3 := g.sub(g.mul(l, l), g.add(s, s))
	return [3]*big.Int{x3, g.sub(g.mul(l, g.sub(s, x3)), g.mul(yy, yy)), g.mul(y, z)}
}

// sum returns the coordinates of the sum of two points, h and r.
func (g ring) sum(x1, y1, z1, x2, y2, z2 *big.Int) (sum [3]*big.Int, h, r *big.Int) {
	zz1, zz2 := g.mul(z1, z1), g.mul(z2, z2)
	u1, s1 := g.mul(x1, zz2), g.mul(g.mul(y1, z2), zz2)
	h = g.sub(g.mul(x2, zz1), u1)
	r = g.sub(g.mul(g.mul(y2, z1), zz1), s1)
	hh := g.mul(h, h)
	hhh, v := g.mul(hh, h), g.mul(u1, hh)
	x3 := g.sub(g.sub(g.mul(r, r), hhh), g.add(v, v))
	y3 := g.sub(g.mul(r, g.sub(v, x3)), g.mul(s1, hhh))
	return [3]*big.Int{x3, y3, g.mul(g.mul(z1, z2), h)}, h, r
}

func raw(c [3]*big.Int) *jacobian { return &jacobian{toLimbs(c[0]), toLimbs(c[1]), toLimbs(c[2])} }

func TestCarriesOfPoints(t *testing.T) {
	onKernels(t, func(t *testing.T) {
		rnd := testkit.Rand(t)
		g := ring{new(big.Int).ModInverse(bigR, curve.P)}
		one := toBig((*[4]uint64)(&feOne))
		// factor returns a y for which the integer product y·x has the
		// upper half wanted, up to its lowest limb.
		factor := func(x *big.Int) *big.Int {
			if x.BitLen() < 250 {
				return lumpy(rnd)
			}
			v := new(big.Int).Lsh(lumpy(rnd), 256)
			return g.mod(v.Div(v, x))
		}
		checkDouble := func(x, y, z *big.Int) {
			want := *raw(g.double(x, y, z))
			var got jacobian
			if pointDouble(&got, raw([3]*big.Int{x, y, z}), 1); got != want {
				t.Fatalf("2·(%x, %x, %x) = %x, want %x", x, y, z, got, want)
			}
		}
		checkAdd := func(x1, y1, z1, x2, y2, z2 *big.Int) {
			coordinates, wantH, wantR := g.sum(x1, y1, z1, x2, y2, z2)
			want := *raw(coordinates)
			a, b := raw([3]*big.Int{x1, y1, z1}), raw([3]*big.Int{x2, y2, z2})
			var got jacobian
			h, r := pointAdd(&got, a, b)
			if got != want || (h == 0) != (wantH.Sign() == 0) || (r == 0) != (wantR.Sign() == 0) {
				t.Fatalf("%x + %x = %x, %x, %x, want %x", a, b, got, h, r, want)
			}
			if z2 != one {
				return
			}
			h, r = pointAddMixed(&got, a, &affine{b.x, b.y})
			if got != want || (h == 0) != (wantH.Sign() == 0) || (r == 0) != (wantR.Sign() == 0) {
				t.Fatalf("%x + %x, mixed, = %x, %x, %x, want %x", a, b, got, h, r, want)
			}
		}
		for i := range rounds(300, 1500, 1_000_000) {
			// Doubling: X+Z² and X−Z² are a and b, then their product is; Y² is c.
			a, b, c := lumpy(rnd), lumpy(rnd), lumpy(rnd)
			switch i % 4 {
			case 1:
				b = one
			case 2: // λ = 0: the square of Y² is negated
				b, c = new(big.Int), new(big.Int).Sqrt(new(big.Int).Lsh(c, 256))
			case 3:
				a = new(big.Int)
			}
			x, zz := g.half(g.add(a, b)), g.half(g.sub(a, b))
			z, y := g.root(zz), g.root(g.mod(c))
			if z == nil {
				z = lumpy(rnd)
			}
			if y == nil {
				y = lumpy(rnd)
			}
			checkDouble(x, y, z)
			checkDouble(lumpy(rnd), lumpy(rnd), lumpy(rnd))

			// Addition: h and r are a and b where the z-coordinates are 1.
			x1, y1 := lumpy(rnd), lumpy(rnd)
			h, r := lumpy(rnd), lumpy(rnd)
			switch i % 4 {
			case 1:
				h = one
			case 2: // Y1·H³ is negated, its upper half lumpy
				r = new(big.Int)
				y1 = factor(g.mul(g.mul(h, h), h))
			case 3:
				h, r = new(big.Int), one
			}
			checkAdd(x1, y1, one, g.add(x1, h), g.add(y1, r), one)
			checkAdd(x1, y1, lumpy(rnd), lumpy(rnd), lumpy(rnd), one)
			checkAdd(lumpy(rnd), lumpy(rnd), lumpy(rnd), lumpy(rnd), lumpy(rnd), lumpy(rnd))
		}
	})
}
