package p256

import (
	"crypto/elliptic"
	"math/big"
	"testing"
)

// combDigit returns the digit of window w of the odd k in the comb, signed.
func combDigit(k *big.Int, w uint) int64 {
	x := scalar(toLimbs(k))
	var c scalar
	c.oddOrNegated(&x)
	index, negative := c.digit(w, combWindows, combWidth)
	return (int64(index)*2 + 1) * (1 - 2*int64(negative))
}

// exceptionalScalar returns the odd k for which the multiples of G of the given
// windows, the uppermost one among them, and of all others are equal modulo n: both
// are k/2, so k = 2L − n for the integer L of the given windows. Their digits follow
// from below, as a digit of k depends on what is below it only.
func exceptionalScalar(t *testing.T, windows ...uint) *big.Int {
	t.Helper()
	l := new(big.Int).Lsh(big.NewInt(15), combWidth*(combWindows-1)) // L must exceed n/2 by far
	twice := func(l *big.Int) *big.Int {
		k := new(big.Int).Lsh(l, 1)
		return k.Sub(k, curve.N)
	}
next:
	for _, w := range windows {
		for d := int64(-63); d <= 63; d += 2 {
			with := new(big.Int).Add(l, new(big.Int).Lsh(big.NewInt(d), combWidth*w))
			if combDigit(twice(with), w) == d {
				l = with
				continue next
			}
		}
		t.Fatalf("no digit for window %d", w)
	}
	k := twice(l)
	sum := new(big.Int).Lsh(big.NewInt(combDigit(k, combWindows-1)), combWidth*(combWindows-1))
	for _, w := range windows {
		sum.Add(sum, new(big.Int).Lsh(big.NewInt(combDigit(k, w)), combWidth*w))
	}
	if sum.Cmp(l) != 0 || k.Sign() <= 0 || k.Cmp(curve.N) >= 0 {
		t.Fatalf("%x is not exceptional", k)
	}
	return k
}

// TestExceptionalScalars multiplies G by the scalars whose last addition is that of
// equal points: in the comb's order of windows, and in that of its lanes.
func TestExceptionalScalars(t *testing.T) {
	onKernels(t, func(t *testing.T) {
		comb := exceptionalScalar(t)
		lanes := exceptionalScalar(t, 2, 10, 18, 26, 34)
		var jobs []SignJob
		for _, k := range []*big.Int{comb, new(big.Int).Sub(curve.N, comb), lanes, new(big.Int).Sub(curve.N, lanes)} {
			kb := toArray(k)
			wantX, wantY := elliptic.P256().ScalarBaseMult(kb[:])
			var x, y [32]byte
			if ScalarBaseMult(&x, &y, &kb); x != toArray(wantX) || y != toArray(wantY) {
				t.Errorf("%x · G = %x, %x, want %x, %x", k, x, y, wantX, wantY)
			}
			jobs = append(jobs, SignJob{D: [32]byte{31: 1}, K: kb, E: [32]byte{31: 1}})
		}
		onLanes(t, func(t *testing.T) {
			SignBatch(jobs)
			for _, j := range jobs {
				x, _ := elliptic.P256().ScalarBaseMult(j.K[:])
				if j.R != toArray(x.Mod(x, curve.N)) {
					t.Errorf("k = %x: r = %x, want %x", j.K, j.R, x)
				}
			}
		})
	})
}
