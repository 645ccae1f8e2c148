package p256

import (
	"math/big"
	"testing"

	"github.com/fastcrypto-go/fastcrypto/internal/testkit"
)

// TestComb checks the comb table against the curve's definition.
func TestComb(t *testing.T) {
	onKernels(t, func(t *testing.T) {
		base := refG
		for i := range comb {
			twice, p := refAdd(base, base), base
			for j := range comb[i] {
				if j > 0 {
					p = refAdd(p, twice)
				}
				if comb[i][j] != *affineOf(p) {
					t.Fatalf("comb[%d][%d] is wrong", i, j)
				}
			}
			for range combWidth {
				base = refAdd(base, base)
			}
		}
	})
}

// TestPoints adds and doubles all pairs of points around infinity and of equal,
// opposite and unrelated ones, with several values of z.
func TestPoints(t *testing.T) {
	onKernels(t, func(t *testing.T) {
		r := testkit.Rand(t)
		g2 := refAdd(refG, refG)
		q := refMult(randomBelow(r, curve.N), refG)
		points := []*refPoint{nil, refG, refG.negative(), g2, g2.negative(), refAdd(g2, refG), q, q.negative(), refAdd(q, q), refAdd(q, refG)}
		pm1 := new(big.Int).Sub(curve.P, big.NewInt(1))
		zs := []*big.Int{big.NewInt(1), pm1, unmont(big.NewInt(1), curve.P), unmont(pm1, curve.P), randomBelow(r, curve.P), randomBelow(r, curve.P)}
		for _, a := range points {
			for _, za := range zs {
				ja := jacobianOf(a, za)
				var z jacobian
				want := a
				for n := 1; n <= 4; n++ {
					want = refAdd(want, want)
					if pointDouble(&z, ja, n); !z.equals(want) {
						t.Fatalf("%d doublings are wrong", n)
					}
				}
				z = *ja
				if pointDouble(&z, &z, 4); !z.equals(want) {
					t.Fatal("doubling in place is wrong")
				}
				for _, b := range points {
					sum := refAdd(a, b)
					for _, zb := range zs {
						jb := jacobianOf(b, zb)
						if z.add(ja, jb); !z.equals(sum) {
							t.Fatalf("%v + %v is wrong", a, b)
						}
						z = *ja
						if z.add(&z, jb); !z.equals(sum) {
							t.Fatalf("%v + %v is wrong in place of the first", a, b)
						}
						z = *jb
						if z.add(ja, &z); !z.equals(sum) {
							t.Fatalf("%v + %v is wrong in place of the second", a, b)
						}
						if a != nil && b != nil {
							h, s := pointAdd(&z, ja, jb)
							if (h == 0) != (a.x.Cmp(b.x) == 0) || (s == 0) != (a.y.Cmp(b.y) == 0) {
								t.Fatalf("%v + %v: h = %x, r = %x", a, b, h, s)
							}
						}
					}
					if b == nil {
						continue
					}
					ab := affineOf(b)
					if z.addAffine(ja, ab); !z.equals(sum) {
						t.Fatalf("%v + %v, mixed, is wrong", a, b)
					}
					z = *ja
					if z.addAffineVarTime(ab, false); !z.equals(sum) {
						t.Fatalf("%v + %v in variable time is wrong", a, b)
					}
					z = *ja
					if z.addAffineVarTime(ab, true); !z.equals(refAdd(a, b.negative())) {
						t.Fatalf("%v − %v in variable time is wrong", a, b)
					}
					if a != nil {
						h, s := pointAddMixed(&z, ja, ab)
						if (h == 0) != (a.x.Cmp(b.x) == 0) || (s == 0) != (a.y.Cmp(b.y) == 0) {
							t.Fatalf("%v + %v, mixed: h = %x, r = %x", a, b, h, s)
						}
					}
				}
			}
		}
	})
}

// TestPointChain doubles and adds in turn and compares with the scalar's multiple.
func TestPointChain(t *testing.T) {
	onKernels(t, func(t *testing.T) {
		r := testkit.Rand(t)
		k := randomBelow(r, curve.N)
		q := refMult(k, refG)
		aq := affineOf(q)
		jq := jacobianOf(q, randomBelow(r, curve.P))
		p := *jq
		f := big.NewInt(1)
		for i := range rounds(200, 20_000, 100_000) {
			switch i % 3 {
			case 0:
				pointDouble(&p, &p, 1)
				f.Lsh(f, 1)
			case 1:
				pointAddMixed(&p, &p, aq)
				f.Add(f, big.NewInt(1))
			default:
				pointAdd(&p, &p, jq)
				f.Add(f, big.NewInt(1))
			}
			if f.Cmp(curve.N) >= 0 {
				f.Sub(f, curve.N)
			}
		}
		if !p.equals(refMult(f, q)) {
			t.Error("wrong after the chain")
		}
	})
}

func TestNormalize(t *testing.T) {
	onKernels(t, func(t *testing.T) {
		r := testkit.Rand(t)
		for n := 1; n < 20; n++ {
			p := make([]jacobian, n)
			want := make([]affine, n)
			for i := range p {
				a := refMult(big.NewInt(int64(3*i+1)), refG)
				p[i] = *jacobianOf(a, randomBelow(r, curve.P))
				want[i] = *affineOf(a)
				var got affine
				if p[i].toAffine(&got); got != want[i] {
					t.Fatalf("toAffine of point %d", i)
				}
			}
			got := make([]affine, n)
			normalizeVarTime(got, p)
			for i := range got {
				if got[i] != want[i] {
					t.Fatalf("%d points: point %d is wrong", n, i)
				}
			}
		}
	})
}

func TestOddMultiples(t *testing.T) {
	onKernels(t, func(t *testing.T) {
		r := testkit.Rand(t)
		q := refMult(randomBelow(r, curve.N), refG)
		for n := 1; n <= 16; n++ {
			table := make([]affine, n)
			oddMultiplesVarTime(table, affineOf(q))
			for i := range table {
				if table[i] != *affineOf(refMult(big.NewInt(int64(2*i+1)), q)) {
					t.Fatalf("%d multiples: entry %d is wrong", n, i)
				}
			}
		}
	})
}

// TestSelect puts the table and the result between guard pages.
func TestSelect(t *testing.T) {
	onKernels(t, func(t *testing.T) {
		r := testkit.Rand(t)
		const size = 64
		for _, n := range []int{4, 8, multEntries, combEntries, 64} {
			mem := testkit.NewGuarded(t, n*size)
			out := testkit.NewGuarded(t, size)
			for offset := range 64 {
				if offset%8 != 0 {
					continue // Go's limbs are aligned to 8 bytes
				}
				for _, back := range []bool{false, true} {
					place := func(g *testkit.Guarded, n int) []byte {
						if back {
							return g.Back(n, offset)
						}
						return g.Front(n, offset)
					}
					if mem.Len() < n*size+offset {
						continue
					}
					table := affineSlice(place(mem, n*size), n)
					z := &affineSlice(place(out, size), 1)[0]
					for i := range table {
						table[i] = affine{toLimbs(randomBelow(r, curve.P)), toLimbs(randomBelow(r, curve.P))}
					}
					for i := range table {
						for neg := range uint64(2) {
							selectAffine(z, table, uint64(i), neg)
							want := table[i]
							if neg == 1 {
								feNegate(&want.y, &want.y)
							}
							if *z != want {
								t.Fatalf("entry %d of %d, negate %d", i, n, neg)
							}
						}
					}
				}
			}
		}
	})
}
