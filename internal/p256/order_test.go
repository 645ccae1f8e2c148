package p256

import (
	"math/big"
	"testing"

	"github.com/fastcrypto-go/fastcrypto/internal/testkit"
)

func TestReduceWide(t *testing.T) {
	onKernels(t, func(t *testing.T) {
		r := testkit.Rand(t)
		check := func(v *big.Int) {
			var wide [64]byte
			var k [32]byte
			v.FillBytes(wide[:])
			ok := ReduceWide(&k, &wide)
			want := new(big.Int).Mod(v, curve.N)
			if k != toArray(want) || ok != (want.Sign() != 0) {
				t.Fatalf("%x mod n = %x, %v", v, k, ok)
			}
		}
		edge := boundaries(curve.N)
		for i, hi := range edge {
			for _, lo := range edge[i%5:] {
				v := new(big.Int).Lsh(hi, 256)
				check(v.Add(v, lo))
				if testing.Short() {
					break
				}
			}
			if i > 60 {
				break
			}
		}
		for i := range int64(20) { // multiples of n
			check(new(big.Int).Mul(curve.N, big.NewInt(i)))
			check(new(big.Int).Mul(curve.N, new(big.Int).Sub(bigR, big.NewInt(i+1))))
		}
		for range rounds(100, 10_000, 1_000_000) {
			check(new(big.Int).SetBytes(testkit.Bytes(r, 64)))
		}
	})
}

func TestValidScalar(t *testing.T) {
	for _, v := range boundaries(curve.N) {
		k := toArray(v)
		if got, want := ValidScalar(&k), v.Sign() > 0 && v.Cmp(curve.N) < 0; got != want {
			t.Errorf("ValidScalar(%x) = %v", v, got)
		}
	}
}

func TestWNAF(t *testing.T) {
	r := testkit.Rand(t)
	limit := new(big.Int).Lsh(big.NewInt(1), 255)
	check := func(v *big.Int, w uint) {
		x := scalar(toLimbs(v))
		var d [256]int8
		n := wnafVarTime(&d, &x, w)
		sum := new(big.Int)
		last := -1
		for i := 255; i >= 0; i-- {
			sum.Lsh(sum, 1).Add(sum, big.NewInt(int64(d[i])))
			if d[i] == 0 {
				continue
			}
			if last < 0 && n != i+1 {
				t.Fatalf("%x: length %d, highest digit at %d", v, n, i)
			}
			if last >= 0 && last-i < int(w) {
				t.Fatalf("%x: digits at %d and %d", v, last, i)
			}
			last = i
			if d[i]&1 == 0 || int(d[i]) >= 1<<(w-1) || -int(d[i]) >= 1<<(w-1) {
				t.Fatalf("%x: digit %d", v, d[i])
			}
		}
		if sum.Cmp(v) != 0 {
			t.Fatalf("width %d: %x became %x", w, v, sum)
		}
	}
	for w := uint(2); w <= 8; w++ {
		for _, v := range boundaries(curve.N) {
			if v.Cmp(limit) < 0 {
				check(v, w)
			}
		}
		for range 300 {
			check(randomBelow(r, limit), w)
		}
	}
}

// TestDigits checks that the recoded digits sum to the scalar or its negative.
func TestDigits(t *testing.T) {
	r := testkit.Rand(t)
	check := func(v *big.Int, m, w uint) {
		k := scalar(toLimbs(v))
		var c scalar
		negated := c.oddOrNegated(&k)
		sum := new(big.Int)
		for i := int(m) - 1; i >= 0; i-- {
			index, neg := c.digit(uint(i), m, w)
			d := int64(2*index + 1)
			if index >= 1<<(w-1) || neg > 1 {
				t.Fatalf("%x: index %d, sign %d", v, index, neg)
			}
			if neg == 1 {
				d = -d
			}
			sum.Lsh(sum, w).Add(sum, big.NewInt(d))
		}
		if negated == 1 {
			sum.Sub(curve.N, sum)
		}
		if sum.Cmp(v) != 0 {
			t.Fatalf("%d windows of %d: %x became %x", m, w, v, sum)
		}
	}
	for _, c := range [][2]uint{{combWindows, combWidth}, {multWindows, multWidth}} {
		for _, v := range boundaries(curve.N) {
			if v.Sign() > 0 && v.Cmp(curve.N) < 0 {
				check(v, c[0], c[1])
			}
		}
		for range 1000 {
			check(new(big.Int).Add(randomBelow(r, new(big.Int).Sub(curve.N, big.NewInt(1))), big.NewInt(1)), c[0], c[1])
		}
	}
}
