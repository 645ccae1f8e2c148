package p256

import (
	"math/big"
	"testing"

	"filippo.io/bigmod"

	"github.com/fastcrypto-go/fastcrypto/internal/testkit"
)

// A modular is one of the two kinds of numbers with its kernels.
type modular struct {
	name string
	m    *big.Int
	mul  func(z, x, y *[4]uint64)
	sqr  func(z, x *[4]uint64, n int)
	inv  func(z, x *[4]uint64)
	pow  func(z, x *[4]uint64)
}

var modulars = []modular{
	{"p", curve.P,
		func(z, x, y *[4]uint64) { feMul((*fe)(z), (*fe)(x), (*fe)(y)) },
		func(z, x *[4]uint64, n int) { feSqr((*fe)(z), (*fe)(x), n) },
		func(z, x *[4]uint64) { feInverse((*fe)(z), (*fe)(x)) },
		func(z, x *[4]uint64) { feFermat((*fe)(z), (*fe)(x)) }},
	{"n", curve.N,
		func(z, x, y *[4]uint64) { scMul((*scalar)(z), (*scalar)(x), (*scalar)(y)) },
		func(z, x *[4]uint64, n int) { scSqr((*scalar)(z), (*scalar)(x), n) },
		func(z, x *[4]uint64) { scInverse((*scalar)(z), (*scalar)(x)) },
		func(z, x *[4]uint64) { scFermat((*scalar)(z), (*scalar)(x)) }},
}

func TestConstants(t *testing.T) {
	p, n := curve.P, curve.N
	one := big.NewInt(1)
	for name, c := range map[string]struct {
		got  [4]uint64
		want *big.Int
	}{
		"p":       {feP, p},
		"one":     {feOne, mont(one, p)},
		"RR":      {feRR, mont(mont(one, p), p)},
		"b":       {feB, mont(curve.B, p)},
		"n":       {orderN, n},
		"orderRR": {orderRR, mont(mont(one, n), n)},
		"p - n":   {pMinusN, new(big.Int).Sub(p, n)},
	} {
		if toBig(&c.got).Cmp(c.want) != 0 {
			t.Errorf("%s is %x", name, c.got)
		}
	}
}

func TestMultiply(t *testing.T) {
	onKernels(t, func(t *testing.T) {
		for _, md := range modulars {
			t.Run(md.name, func(t *testing.T) {
				r := testkit.Rand(t)
				rInv := new(big.Int).ModInverse(bigR, md.m)
				want := new(big.Int)
				check := func(a, b *big.Int) {
					var z [4]uint64
					x, y := toLimbs(a), toLimbs(b)
					md.mul(&z, &x, &y)
					want.Mul(a, b)
					want.Mul(want, rInv).Mod(want, md.m)
					if toBig(&z).Cmp(want) != 0 {
						t.Fatalf("%x · %x = %x, want %x", a, b, z, want)
					}
					// The product's other order, and the square.
					md.mul(&z, &y, &x)
					if toBig(&z).Cmp(want) != 0 {
						t.Fatalf("%x · %x = %x, want %x", b, a, z, want)
					}
					if a.Cmp(md.m) < 0 {
						want.Mul(a, a)
						want.Mul(want, rInv).Mod(want, md.m)
						if md.sqr(&z, &x, 1); toBig(&z).Cmp(want) != 0 {
							t.Fatalf("%x² = %x, want %x", a, z, want)
						}
					}
				}
				edge := boundaries(md.m)
				for _, a := range edge {
					if a.Cmp(md.m) >= 0 {
						continue
					}
					for _, b := range edge {
						check(a, b)
						if testing.Short() {
							break
						}
					}
				}
				for range rounds(1000, 50_000, 1_000_000) {
					check(randomBelow(r, md.m), randomBelow(r, bigR))
				}
			})
		}
	})
}

// TestMultiplyBigmod has a second oracle.
func TestMultiplyBigmod(t *testing.T) {
	onKernels(t, func(t *testing.T) {
		for _, md := range modulars {
			r := testkit.Rand(t)
			m, err := bigmod.NewModulus(md.m.Bytes())
			if err != nil {
				t.Fatal(err)
			}
			rInv, err := bigmod.NewNat().SetBytes(toBytes32(new(big.Int).ModInverse(bigR, md.m)), m)
			if err != nil {
				t.Fatal(err)
			}
			for range rounds(100, 5000, 1_000_000) {
				a, b := randomBelow(r, md.m), randomBelow(r, md.m)
				x, y := toLimbs(a), toLimbs(b)
				md.mul(&x, &x, &y)
				n, _ := bigmod.NewNat().SetBytes(toBytes32(a), m)
				nb, _ := bigmod.NewNat().SetBytes(toBytes32(b), m)
				n.Mul(nb, m).Mul(rInv, m)
				if [32]byte(n.Bytes(m)) != toArray(toBig(&x)) {
					t.Fatalf("%s: %x · %x = %x", md.name, a, b, x)
				}
			}
		}
	})
}

func toBytes32(v *big.Int) []byte { b := toArray(v); return b[:] }

func TestSquareRepeated(t *testing.T) {
	onKernels(t, func(t *testing.T) {
		for _, md := range modulars {
			r := testkit.Rand(t)
			for n := 1; n < 70; n++ {
				x := toLimbs(randomBelow(r, md.m))
				z, want := x, x
				md.sqr(&z, &z, n)
				for range n {
					md.mul(&want, &want, &want)
				}
				if z != want {
					t.Fatalf("%s: %d squarings of %x: %x, want %x", md.name, n, x, z, want)
				}
			}
		}
	})
}

// TestChain multiplies and squares in turn, 10^5 times.
func TestChain(t *testing.T) {
	onKernels(t, func(t *testing.T) {
		for _, md := range modulars {
			r := testkit.Rand(t)
			a := randomBelow(r, md.m)
			c := randomBelow(r, bigR)
			x, y := toLimbs(mont(a, md.m)), toLimbs(c)
			cc := unmont(c, md.m)
			for range rounds(1000, 100_000, 100_000) / 2 {
				md.mul(&x, &x, &y)
				md.sqr(&x, &x, 1)
				a.Mul(a, cc).Mod(a, md.m)
				a.Mul(a, a).Mod(a, md.m)
			}
			if toBig(&x).Cmp(mont(a, md.m)) != 0 {
				t.Errorf("%s: wrong after the chain", md.name)
			}
		}
	})
}

func TestInverse(t *testing.T) {
	onKernels(t, func(t *testing.T) {
		for _, md := range modulars {
			r := testkit.Rand(t)
			check := func(a *big.Int) {
				var z, v [4]uint64
				x := toLimbs(mont(a, md.m))
				md.inv(&z, &x)
				md.pow(&v, &x)
				want := new(big.Int)
				if a.Sign() != 0 {
					want.ModInverse(a, md.m)
				}
				if want = mont(want, md.m); toBig(&z).Cmp(want) != 0 || z != v {
					t.Fatalf("%s: 1/%x = %x, as a power %x, want %x", md.name, a, z, v, want)
				}
				if md.inv(&x, &x); x != z {
					t.Fatalf("%s: aliased inversion of %x differs", md.name, a)
				}
			}
			for _, a := range boundaries(md.m) {
				if a.Cmp(md.m) < 0 {
					check(a)
					check(unmont(a, md.m))
				}
			}
			for i := range uint(256) {
				check(new(big.Int).Mod(new(big.Int).Lsh(big.NewInt(1), i), md.m))
			}
			for range rounds(50, 3000, 1_000_000) {
				check(randomBelow(r, md.m))
			}
		}
	})
}

// TestLinear compares addition, subtraction, doubling, halving and negation.
func TestLinear(t *testing.T) {
	p := curve.P
	r := testkit.Rand(t)
	half := new(big.Int).ModInverse(big.NewInt(2), p)
	check := func(a, b *big.Int) {
		x, y := fe(toLimbs(a)), fe(toLimbs(b))
		for name, c := range map[string]struct {
			f    func(z *fe)
			want *big.Int
		}{
			"+":  {func(z *fe) { feAdd(z, &x, &y) }, new(big.Int).Add(a, b)},
			"-":  {func(z *fe) { feSub(z, &x, &y) }, new(big.Int).Sub(a, b)},
			"2·": {func(z *fe) { feDouble(z, &x) }, new(big.Int).Add(a, a)},
			"½·": {func(z *fe) { feHalve(z, &x) }, new(big.Int).Mul(a, half)},
			"0-": {func(z *fe) { feNegate(z, &x) }, new(big.Int).Neg(a)},
		} {
			var z fe
			c.f(&z)
			if toBig((*[4]uint64)(&z)).Cmp(c.want.Mod(c.want, p)) != 0 {
				t.Fatalf("%s: %x, %x: %x, want %x", name, a, b, z, c.want)
			}
		}
		if got, want := feEqual(&x, &y) == 1, a.Cmp(b) == 0; got != want {
			t.Fatalf("feEqual(%x, %x) = %v", a, b, got)
		}
		if got, want := feIsZero(&x) == 1, a.Sign() == 0; got != want {
			t.Fatalf("feIsZero(%x) = %v", a, got)
		}
		for cond := range uint64(2) {
			z := y
			feMove(&z, &x, cond)
			if z != [2]fe{y, x}[cond] {
				t.Fatalf("feMove with %d", cond)
			}
		}
	}
	var edge []*big.Int
	for _, a := range boundaries(p) {
		if a.Cmp(p) < 0 {
			edge = append(edge, a)
		}
	}
	for i, a := range edge {
		for _, b := range edge[i%7:] {
			if i%3 == 0 || a.BitLen() > 250 {
				check(a, b)
			}
			if testing.Short() {
				break
			}
		}
	}
	for range rounds(100, 5000, 1_000_000) {
		check(randomBelow(r, p), randomBelow(r, p))
	}
}

// TestFieldAliasing runs every way in which the arguments can be the same.
func TestFieldAliasing(t *testing.T) {
	onKernels(t, func(t *testing.T) {
		type op struct {
			name string
			f    func(z, x, y *fe)
		}
		r := testkit.Rand(t)
		for _, o := range []op{
			{"feMul", feMul}, {"feAdd", feAdd}, {"feSub", feSub},
			{"feSqr", func(z, x, _ *fe) { feSqr(z, x, 3) }},
			{"feHalve", func(z, x, _ *fe) { feHalve(z, x) }},
			{"feNegate", func(z, x, _ *fe) { feNegate(z, x) }},
			{"feFromMont", func(z, x, _ *fe) { feFromMont(z, x) }},
			{"feInverse", func(z, x, _ *fe) { feInverse(z, x) }},
			{"scMul", func(z, x, y *fe) { scMul((*scalar)(z), (*scalar)(x), (*scalar)(y)) }},
			{"scSqr", func(z, x, _ *fe) { scSqr((*scalar)(z), (*scalar)(x), 3) }},
			{"scInverse", func(z, x, _ *fe) { scInverse((*scalar)(z), (*scalar)(x)) }},
		} {
			a, b := fe(toLimbs(randomBelow(r, curve.N))), fe(toLimbs(randomBelow(r, curve.N)))
			var ab, aa fe
			o.f(&ab, &a, &b)
			o.f(&aa, &a, &a)
			z, x, y := fe{}, a, b
			check := func(how string, got, want fe) {
				if got != want {
					t.Errorf("%s, %s: %x, want %x", o.name, how, got, want)
				}
			}
			o.f(&z, &x, &y)
			check("none the same", z, ab)
			check("x unchanged", x, a)
			check("y unchanged", y, b)
			o.f(&x, &x, &y)
			check("z = x", x, ab)
			x = a
			o.f(&y, &x, &y)
			check("z = y", y, ab)
			o.f(&z, &x, &x)
			check("x = y", z, aa)
			o.f(&x, &x, &x)
			check("z = x = y", x, aa)
		}
	})
}
