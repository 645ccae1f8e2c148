package p256

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/fastcrypto-go/fastcrypto/internal/impl"
	"github.com/fastcrypto-go/fastcrypto/internal/testkit"
)

// onLanes runs f with each eight-lane tier forced.
func onLanes(t *testing.T, f func(t *testing.T)) {
	testkit.Tiers(t, impl.P256Batch, func(t *testing.T, tier impl.Tier) {
		if tier == impl.Generic {
			t.Skip("there are no eight-lane kernels")
		}
		f(t)
	})
}

var bigR260 = new(big.Int).Lsh(big.NewInt(1), 260)

// set puts v, below 2^260, into a lane.
func (z *lanes) set(lane int, v *big.Int) {
	mask := new(big.Int).SetUint64(1<<52 - 1)
	for i := range z {
		z[i][lane] = new(big.Int).And(new(big.Int).Rsh(v, uint(52*i)), mask).Uint64()
	}
}

// get returns the number in a lane; limbs of more than 52 bits fail the test.
func (z *lanes) get(t *testing.T, lane int) *big.Int {
	t.Helper()
	v := new(big.Int)
	for i := len(z) - 1; i >= 0; i-- {
		if z[i][lane]>>52 != 0 {
			t.Fatalf("limb %d of lane %d is %#x", i, lane, z[i][lane])
		}
		v.Lsh(v, 52).Or(v, new(big.Int).SetUint64(z[i][lane]))
	}
	return v
}

func mont260(v, m *big.Int) *big.Int {
	t := new(big.Int).Mul(v, bigR260)
	return t.Mod(t, m)
}

// laneValues returns numbers below limit·m: multiples of m and their neighbours,
// saturated and empty limbs, and random ones.
func laneValues(r *rand.ChaCha8, m *big.Int, limit int64) func() *big.Int {
	most := new(big.Int).Mul(m, big.NewInt(limit))
	most.Sub(most, big.NewInt(1))
	rnd := rand.New(r)
	return func() *big.Int {
		v := new(big.Int)
		switch rnd.IntN(4) {
		case 0:
			v.Mul(m, big.NewInt(rnd.Int64N(limit)))
			v.Add(v, big.NewInt(rnd.Int64N(3)-1))
		case 1:
			for i := range uint(5) {
				limb := []uint64{0, 1, 1<<52 - 1, 1 << 51, 1<<52 - 2}[rnd.IntN(5)]
				v.Or(v, new(big.Int).Lsh(new(big.Int).SetUint64(limb), 52*i))
			}
		case 2:
			v.Set(most)
		default:
			v = randomBelow(r, most)
		}
		if v.Sign() < 0 || v.Cmp(most) > 0 {
			return most
		}
		return v
	}
}

func TestLaneArithmetic(t *testing.T) {
	onLanes(t, func(t *testing.T) {
		r := testkit.Rand(t)
		for _, c := range []struct {
			m   *big.Int
			mul func(z, x, y *lanes)
			sqr func(z, x *lanes, n int)
		}{
			{curve.P, laneMul, laneSqr},
			{curve.N, laneOrderMul, nil},
		} {
			value := laneValues(r, c.m, 15)
			inverseR := new(big.Int).ModInverse(bigR260, c.m)
			for range rounds(200, 5000, 1_000_000) {
				var x, y, z, sq lanes
				var xs, ys [Lanes]*big.Int
				for l := range Lanes {
					xs[l], ys[l] = value(), value()
					x.set(l, xs[l])
					y.set(l, ys[l])
				}
				c.mul(&z, &x, &y)
				if c.sqr != nil {
					c.sqr(&sq, &x, 1)
				}
				check := func(what string, got, a, b *big.Int) {
					product := new(big.Int).Mul(a, b)
					most := new(big.Int).Rsh(product, 260)
					if got.Cmp(most.Add(most, c.m)) > 0 {
						t.Fatalf("%s of %x and %x is %x, above its bound", what, a, b, got)
					}
					product.Mul(product, inverseR).Mod(product, c.m)
					if new(big.Int).Mod(got, c.m).Cmp(product) != 0 {
						t.Fatalf("%s of %x and %x is %x, want %x", what, a, b, got, product)
					}
				}
				for l := range Lanes {
					check("product", z.get(t, l), xs[l], ys[l])
					if c.sqr != nil {
						check("square", sq.get(t, l), xs[l], xs[l])
					}
				}
				// In place.
				u := x
				if c.mul(&u, &u, &y); u != z {
					t.Fatal("z = x: a different product")
				}
				u = y
				if c.mul(&u, &x, &u); u != z {
					t.Fatal("z = y: a different product")
				}
			}
		}
		var x, y, z lanes
		value := laneValues(r, curve.N, 7)
		for range 1000 {
			for l := range Lanes {
				x.set(l, value())
				y.set(l, value())
			}
			laneOrderAdd(&z, &x, &y)
			for l := range Lanes {
				if want := new(big.Int).Add(x.get(t, l), y.get(t, l)); z.get(t, l).Cmp(want) != 0 {
					t.Fatal("wrong sum")
				}
			}
		}
	})
}

// TestLaneSquares checks repeated squaring against single products.
func TestLaneSquares(t *testing.T) {
	onLanes(t, func(t *testing.T) {
		value := laneValues(testkit.Rand(t), curve.P, 14)
		most := new(big.Int).Mul(curve.P, big.NewInt(14))
		for n := 1; n < 40; n++ {
			var x, z lanes
			for l := range Lanes {
				x.set(l, value())
			}
			laneSqr(&z, &x, n)
			for range n {
				laneMul(&x, &x, &x)
			}
			for l := range Lanes {
				a, b := x.get(t, l), z.get(t, l)
				if b.Cmp(most) >= 0 {
					t.Fatalf("%d squarings outgrow their bound: %x", n, b)
				}
				if a.Sub(a, b).Mod(a, curve.P).Sign() != 0 {
					t.Fatalf("%d squarings differ from products", n)
				}
			}
		}
	})
}

func TestLaneConversion(t *testing.T) {
	onLanes(t, func(t *testing.T) {
		r := testkit.Rand(t)
		values := boundaries(curve.P)
		for i := range 500 {
			var x, back [Lanes][4]uint64
			var z lanes
			for l := range x {
				if x[l] = toLimbs(values[(i*7+l*13)%len(values)]); i > 400 {
					x[l] = toLimbs(randomBelow(r, bigR))
				}
			}
			toLanes(&z, &x)
			for l := range x {
				if z.get(t, l).Cmp(toBig(&x[l])) != 0 {
					t.Fatalf("lane %d holds %x, want %x", l, z.get(t, l), toBig(&x[l]))
				}
				if limbs := split52(&x[l]); limbs != [5]uint64{z[0][l], z[1][l], z[2][l], z[3][l], z[4][l]} {
					t.Fatal("split52 differs")
				}
			}
			if fromLanes(&back, &z); back != x {
				t.Fatal("does not come back")
			}
		}
	})
}

func TestLaneInverse(t *testing.T) {
	onLanes(t, func(t *testing.T) {
		r := testkit.Rand(t)
		for _, c := range []struct {
			dom domain
			m   *big.Int
		}{{fieldDomain, curve.P}, {orderDomain, curve.N}} {
			for n := 1; n <= batchGroups; n++ {
				x, products := make([]lanes, n), make([]lanes, n)
				var want [batchGroups][Lanes]*big.Int
				for i := range n {
					for l := range Lanes {
						v := randomBelow(r, c.m)
						if l == n-1 {
							v = new(big.Int).Sub(c.m, big.NewInt(1))
						}
						if v.Sign() == 0 {
							v.SetInt64(1)
						}
						x[i].set(l, mont260(v, c.m))
						want[i][l] = mont260(new(big.Int).ModInverse(v, c.m), c.m)
					}
				}
				theLaneData().invert(c.dom, x, products)
				for i := range n {
					for l := range Lanes {
						if got := x[i].get(t, l); got.Mod(got, c.m).Cmp(want[i][l]) != 0 {
							t.Fatalf("%d groups: inverse of group %d, lane %d is wrong", n, i, l)
						}
					}
				}
			}
		}
	})
}

// setPoint puts a into a lane with coordinate z, each coordinate below p or, at
// random, one or, for z, two times p greater.
func (p *lanePoint) setPoint(lane int, a *refPoint, z *big.Int, rnd *rand.Rand) {
	x, y := new(big.Int).Set(z), new(big.Int).Set(z) // of infinity: anything
	zz := new(big.Int).Mul(z, z)
	if a == nil {
		z = new(big.Int)
	} else {
		x.Mul(a.x, zz)
		y.Mul(a.y, zz.Mul(zz, z))
	}
	for i, v := range []*big.Int{x, y, z} {
		v = mont260(v, curve.P)
		for range rnd.IntN([]int{2, 2, 3}[i]) {
			v.Add(v, curve.P)
		}
		[]*lanes{&p.x, &p.y, &p.z}[i].set(lane, v)
	}
}

// is reports an error if the lane does not hold a within the coordinates' bounds.
func (p *lanePoint) is(t *testing.T, lane int, a *refPoint, what string) {
	t.Helper()
	inverseR := new(big.Int).ModInverse(bigR260, curve.P)
	var c [3]*big.Int
	for i, z := range []*lanes{&p.x, &p.y, &p.z} {
		bound := []int64{2, 2, 3}[i]
		if c[i] = z.get(t, lane); c[i].Cmp(new(big.Int).Mul(curve.P, big.NewInt(bound))) >= 0 {
			t.Fatalf("%s, lane %d: coordinate %d is %x, not below %d p", what, lane, i, c[i], bound)
		}
		c[i].Mul(c[i], inverseR).Mod(c[i], curve.P)
	}
	if a == nil {
		if c[2].Sign() != 0 {
			t.Fatalf("%s, lane %d: not infinity", what, lane)
		}
		return
	}
	zz := new(big.Int).Mul(c[2], c[2])
	x := new(big.Int).Mul(a.x, zz)
	y := new(big.Int).Mul(a.y, zz.Mul(zz, c[2]))
	if c[2].Sign() == 0 || x.Mod(x, curve.P).Cmp(c[0]) != 0 || y.Mod(y, curve.P).Cmp(c[1]) != 0 {
		t.Fatalf("%s, lane %d: wrong point", what, lane)
	}
}

func TestLanePoints(t *testing.T) {
	onLanes(t, func(t *testing.T) {
		r := testkit.Rand(t)
		rnd := rand.New(r)
		z := func() *big.Int { v := randomBelow(r, curve.P); return v.Add(v, big.NewInt(1)).Mod(v, curve.P) }
		multiple := func(k int64) *refPoint { return refMult(big.NewInt(k), refG) }
		var small [70]*refPoint
		for i := range small {
			small[i] = multiple(int64(i))
		}
		point := func() *refPoint {
			if rnd.IntN(8) == 0 {
				return nil
			}
			p := small[1+rnd.IntN(len(small)-1)]
			if rnd.IntN(2) == 0 {
				return p.negative()
			}
			return p
		}
		for range rounds(20, 200, 20_000) {
			var p, q, sum, twice lanePoint
			var a, b [Lanes]*refPoint
			for l := range Lanes {
				a[l], b[l] = point(), point()
				switch rnd.IntN(4) {
				case 0:
					b[l] = a[l]
				case 1:
					b[l] = a[l].negative()
				}
				p.setPoint(l, a[l], z(), rnd)
				q.setPoint(l, b[l], z(), rnd)
			}
			sum, twice = p, p
			laneAdd(&sum, &q)
			n := 1 + rnd.IntN(6)
			laneDouble(&twice, n)
			for l := range Lanes {
				sum.is(t, l, refAdd(a[l], b[l]), "sum")
				twice.is(t, l, refMult(new(big.Int).Lsh(big.NewInt(1), uint(n)), a[l]), "multiple")
				// The incomplete addition, on what it allows.
				for a[l] == nil || b[l] == nil || a[l].x.Cmp(b[l].x) == 0 && a[l].y.Cmp(b[l].y) == 0 {
					a[l], b[l] = point(), point()
				}
				p.setPoint(l, a[l], z(), rnd)
				q.setPoint(l, b[l], z(), rnd)
			}
			laneAddDistinct(&sum, &p, &q)
			for l := range Lanes {
				sum.is(t, l, refAdd(a[l], b[l]), "distinct sum")
			}
			sum = p
			laneAddDistinct(&sum, &sum, &q)
			q2 := q
			laneAddDistinct(&q2, &p, &q2)
			for l := range Lanes {
				sum.is(t, l, refAdd(a[l], b[l]), "distinct sum in place")
				q2.is(t, l, refAdd(a[l], b[l]), "distinct sum in place of the second")
			}
		}
		// Table additions: entries are odd multiples of G, every digit and sign.
		var table laneTable
		for i := range table {
			for l := range Lanes {
				table[i].setPoint(l, small[2*i+1], z(), rnd)
			}
		}
		d := theLaneData()
		for digit := range uint64(combEntries + 1) {
			var p, q lanePoint
			var a [Lanes]*refPoint
			var digits, tableDigits, signs [Lanes]uint64
			term := func(l int, digit uint64) *refPoint {
				if digit == 0 {
					return nil
				}
				if e := small[2*digit-1]; signs[l] == 0 {
					return e
				} else {
					return e.negative()
				}
			}
			for l := range Lanes {
				digits[l] = (digit + uint64(l)) % (combEntries + 1)
				tableDigits[l] = (digit + uint64(l)) % (multEntries + 1)
				signs[l] = []uint64{0, 1, 0, 1 << 63}[(l+int(digit/7))%4]
				// Even multiples are never equal to an entry; opposite and infinite ones occur.
				a[l] = []*refPoint{nil, small[2], small[64], small[66]}[rnd.IntN(4)]
				p.setPoint(l, a[l], z(), rnd)
			}
			q = p
			laneAddComb(&p, &d.comb[0], &digits, &signs)
			laneAddTable(&q, &table, &tableDigits, &signs)
			opposite := p
			for l := range Lanes {
				p.is(t, l, refAdd(a[l], term(l, digits[l])), fmt.Sprint("comb digit ", digits[l]))
				q.is(t, l, refAdd(a[l], term(l, tableDigits[l])), fmt.Sprint("table digit ", tableDigits[l]))
				opposite.setPoint(l, term(l, digits[l]).negative(), z(), rnd)
			}
			laneAddComb(&opposite, &d.comb[0], &digits, &signs)
			for l := range Lanes {
				opposite.is(t, l, nil, "opposite")
			}
		}
	})
}

// TestLaneComb checks the converted table against the scalar kernels'.
func TestLaneComb(t *testing.T) {
	onLanes(t, func(t *testing.T) {
		d := theLaneData()
		for i := range d.comb {
			for j, e := range comb[i] {
				for k, c := range []fe{e.x, e.y} {
					var z lanes
					for m := range z {
						z[m][0] = d.comb[i][combEntries*(5*k+m)+j]
					}
					want := mont260(unmont(toBig((*[4]uint64)(&c)), curve.P), curve.P)
					if z.get(t, 0).Cmp(want) != 0 {
						t.Fatalf("window %d, entry %d", i, j)
					}
				}
			}
		}
	})
}
