package p256

import (
	stdecdh "crypto/ecdh"
	"math/big"
	"testing"

	"github.com/fastcrypto-go/fastcrypto/internal/testkit"
)

// scalars returns scalars in [1, n−1] around 0 and n, single bits and their
// neighbours, equal windows, and those whose last addition meets equal points.
func scalars() []*big.Int {
	var v []*big.Int
	add := func(x *big.Int) {
		if x.Sign() > 0 && x.Cmp(curve.N) < 0 {
			v = append(v, x)
		}
	}
	for i := int64(0); i <= 300; i++ {
		add(big.NewInt(i))
		add(new(big.Int).Sub(curve.N, big.NewInt(i)))
		add(new(big.Int).Add(new(big.Int).Rsh(curve.N, 1), big.NewInt(i-150)))
	}
	for i := range uint(256) {
		for d := int64(-1); d <= 1; d++ {
			add(new(big.Int).Add(new(big.Int).Lsh(big.NewInt(1), i), big.NewInt(d)))
		}
	}
	for _, w := range []uint{multWidth, combWidth} {
		for d := int64(0); d < 1<<w; d++ {
			x := new(big.Int)
			for range 256 / w {
				x.Lsh(x, w).Add(x, big.NewInt(d))
			}
			add(x)
		}
	}
	// The comb's last digit D·2^252 equals the sum before it modulo n where k =
	// 2·D·2^252 − n or 2·D·2^252 + n.
	for d := int64(-63); d < 64; d += 2 {
		x := new(big.Int).Lsh(big.NewInt(d), combWidth*(combWindows-1)+1)
		add(new(big.Int).Sub(x, curve.N))
		add(new(big.Int).Add(x, curve.N))
		add(new(big.Int).Mod(x, curve.N))
	}
	return v
}

func TestScalarBaseMult(t *testing.T) {
	onKernels(t, func(t *testing.T) {
		r := testkit.Rand(t)
		check := func(k *big.Int) {
			var x, y [32]byte
			kb := toArray(k)
			ScalarBaseMult(&x, &y, &kb)
			priv, err := stdecdh.P256().NewPrivateKey(kb[:])
			if err != nil {
				t.Fatal(err)
			}
			want := priv.PublicKey().Bytes()
			if x != [32]byte(want[1:33]) || y != [32]byte(want[33:]) {
				t.Fatalf("%x · G = %x, %x, want %x", k, x, y, want)
			}
		}
		for i, k := range scalars() {
			if !testing.Short() || i%7 == 0 {
				check(k)
			}
		}
		for range rounds(20, 2000, 1_000_000) {
			check(new(big.Int).Add(randomBelow(r, new(big.Int).Sub(curve.N, big.NewInt(1))), big.NewInt(1)))
		}
		// A few against the curve's definition.
		for range 20 {
			k := randomBelow(r, curve.N)
			want := refMult(k, refG)
			var x, y [32]byte
			kb := toArray(k)
			if ScalarBaseMult(&x, &y, &kb); x != toArray(want.x) || y != toArray(want.y) {
				t.Fatalf("%x · G = %x, %x", k, x, y)
			}
		}
	})
}

func TestECDH(t *testing.T) {
	onKernels(t, func(t *testing.T) {
		r := testkit.Rand(t)
		var q PublicKey
		var remote *stdecdh.PublicKey
		newKey := func() {
			ref := refMult(randomBelow(r, curve.N), refG)
			x, y := toArray(ref.x), toArray(ref.y)
			if !q.SetAffine(&x, &y) {
				t.Fatal("a right public key was rejected")
			}
			var gotX, gotY [32]byte
			if q.Bytes(&gotX, &gotY); gotX != x || gotY != y {
				t.Fatal("Bytes does not give back the coordinates")
			}
			var err error
			if remote, err = stdecdh.P256().NewPublicKey(append(append([]byte{4}, x[:]...), y[:]...)); err != nil {
				t.Fatal(err)
			}
		}
		check := func(k *big.Int) {
			var out [32]byte
			kb := toArray(k)
			q.ECDH(&out, &kb)
			priv, err := stdecdh.P256().NewPrivateKey(kb[:])
			if err != nil {
				t.Fatal(err)
			}
			if want, err := priv.ECDH(remote); err != nil || out != [32]byte(want) {
				t.Fatalf("%x · q = %x, want %x, %v", k, out, want, err)
			}
		}
		newKey()
		for i, k := range scalars() {
			if !testing.Short() || i%23 == 0 {
				check(k)
			}
		}
		for i := range rounds(20, 1000, 100_000) {
			if i%5 == 0 {
				newKey()
			}
			check(new(big.Int).Add(randomBelow(r, new(big.Int).Sub(curve.N, big.NewInt(1))), big.NewInt(1)))
		}
	})
}

// TestECDHZero has x-coordinate 0: the point (0, √b), and k with k·q = (0, ±√b).
func TestECDHZero(t *testing.T) {
	onKernels(t, func(t *testing.T) {
		y := new(big.Int).ModSqrt(curve.B, curve.P)
		zero := &refPoint{new(big.Int), y}
		inv := big.NewInt(12345)
		ref := refMult(new(big.Int).ModInverse(inv, curve.N), zero)
		x, yb := toArray(ref.x), toArray(ref.y)
		var q PublicKey
		if !q.SetAffine(&x, &yb) {
			t.Fatal("a right public key was rejected")
		}
		out, k := [32]byte{1}, toArray(inv)
		if q.ECDH(&out, &k); out != [32]byte{} {
			t.Errorf("%x, want 0", out)
		}
	})
}

func TestSetAffine(t *testing.T) {
	onKernels(t, func(t *testing.T) {
		gx, gy := toArray(curve.Gx), toArray(curve.Gy)
		var good PublicKey
		if !good.SetAffine(&gx, &gy) {
			t.Fatal("the generator was rejected")
		}
		sqrtB := new(big.Int).ModSqrt(curve.B, curve.P)
		reject := func(why string, x, y *big.Int) {
			q := good
			xb, yb := toArray(x), toArray(y)
			if q.SetAffine(&xb, &yb) {
				t.Errorf("accepted: %s", why)
			}
			if q != good {
				t.Errorf("changed by what it rejected: %s", why)
			}
		}
		reject("zero", new(big.Int), new(big.Int))
		reject("x + 1", new(big.Int).Add(curve.Gx, big.NewInt(1)), curve.Gy)
		reject("y + 1", curve.Gx, new(big.Int).Add(curve.Gy, big.NewInt(1)))
		reject("x and y swapped", curve.Gy, curve.Gx)
		reject("x = p", curve.P, sqrtB)
		reject("x = 2^256 − 1", new(big.Int).Sub(bigR, big.NewInt(1)), curve.Gy)
		reject("y = p", curve.Gx, curve.P)
		zero, sb := [32]byte{}, toArray(sqrtB)
		if !new(PublicKey).SetAffine(&zero, &sb) {
			t.Error("the point with x = 0 was rejected")
		}
		// Points with a small x also satisfy the equation at x + p.
		for x := int64(0); x < 30; x++ {
			v := big.NewInt(x)
			rhs := new(big.Int).Exp(v, big.NewInt(3), nil)
			rhs.Sub(rhs, new(big.Int).Mul(v, big.NewInt(3))).Add(rhs, curve.B).Mod(rhs, curve.P)
			if y := new(big.Int).ModSqrt(rhs, curve.P); y != nil {
				reject("x + p", new(big.Int).Add(v, curve.P), y)
			}
		}
	})
}
