package p256

import (
	stdecdsa "crypto/ecdsa"
	"crypto/elliptic"
	"math/big"
	"testing"

	"github.com/fastcrypto-go/fastcrypto/internal/testkit"
)

// both asks the key and its table, which must agree.
func both(t *testing.T, q *PublicKey, tab *Table, e, r, s *big.Int) bool {
	t.Helper()
	eb, rb, sb := toArray(e), toArray(r), toArray(s)
	got := q.VerifyVarTime(&eb, &rb, &sb)
	if tab.VerifyVarTime(&eb, &rb, &sb) != got {
		t.Fatalf("the table does not agree that (%x, %x) of %x is %v", r, s, e, got)
	}
	return got
}

func TestSignVerify(t *testing.T) {
	onKernels(t, func(t *testing.T) {
		rnd := testkit.Rand(t)
		one := big.NewInt(1)
		nm1 := new(big.Int).Sub(curve.N, one)
		scalarOf := func() *big.Int { v := randomBelow(rnd, nm1); return v.Add(v, one) }
		edge := []*big.Int{one, big.NewInt(2), nm1, new(big.Int).Rsh(curve.N, 1)}
		for i := range rounds(8, 150, 20_000) {
			d := scalarOf()
			if i < len(edge) {
				d = edge[i]
			}
			pub := stdecdsa.PublicKey{Curve: elliptic.P256()}
			db := toArray(d)
			pub.X, pub.Y = elliptic.P256().ScalarBaseMult(db[:])
			var q PublicKey
			xb, yb := toArray(pub.X), toArray(pub.Y)
			if !q.SetAffine(&xb, &yb) {
				t.Fatal("a right public key was rejected")
			}
			tab := NewTable(&q)
			for j := range 8 {
				k, e := scalarOf(), randomBelow(rnd, bigR)
				switch j {
				case 0:
					k = edge[i%len(edge)]
				case 1:
					e = new(big.Int)
				case 2:
					e = new(big.Int).Set(curve.N)
				case 3:
					e = new(big.Int).Sub(bigR, one)
				}
				var rb, sb [32]byte
				kb, eb := toArray(k), toArray(e)
				if !Sign(&rb, &sb, &db, &kb, &eb) {
					t.Fatal("Sign failed")
				}
				r, s := new(big.Int).SetBytes(rb[:]), new(big.Int).SetBytes(sb[:])
				// FIPS 186-5, 6.4.1, with math/big.
				x, _ := elliptic.P256().ScalarBaseMult(kb[:])
				wantR := x.Mod(x, curve.N)
				wantS := new(big.Int).Mul(wantR, d)
				wantS.Add(wantS, e).Mul(wantS, new(big.Int).ModInverse(k, curve.N)).Mod(wantS, curve.N)
				if r.Cmp(wantR) != 0 || s.Cmp(wantS) != 0 {
					t.Fatalf("signature (%x, %x), want (%x, %x)", r, s, wantR, wantS)
				}
				if !stdecdsa.Verify(&pub, eb[:], r, s) {
					t.Fatal("the standard library rejects the signature")
				}
				if !both(t, &q, tab, e, r, s) {
					t.Fatalf("rejected: d %x, k %x, e %x", d, k, e)
				}
				if !both(t, &q, tab, e, r, new(big.Int).Sub(curve.N, s)) {
					t.Fatal("(r, n − s) rejected")
				}
				flip := new(big.Int).Lsh(one, uint(j*29+i)%256)
				for _, bad := range [][3]*big.Int{
					{new(big.Int).Xor(e, flip), r, s},
					{e, new(big.Int).Xor(r, flip), s},
					{e, r, new(big.Int).Xor(s, flip)},
					{e, s, r},
				} {
					if bad[0].Cmp(bigR) < 0 && both(t, &q, tab, bad[0], bad[1], bad[2]) {
						t.Fatalf("accepted after bit %x was flipped", flip)
					}
				}
				for _, out := range []*big.Int{new(big.Int), curve.N, new(big.Int).Add(curve.N, one), new(big.Int).Sub(bigR, one)} {
					if both(t, &q, tab, e, out, s) || both(t, &q, tab, e, r, out) {
						t.Fatalf("accepted r or s = %x", out)
					}
				}
				if sum := new(big.Int).Add(r, curve.N); sum.Cmp(bigR) < 0 && both(t, &q, tab, e, sum, s) {
					t.Fatal("accepted r + n")
				}
			}
		}
	})
}

// TestVerifyFactors verifies signatures made for chosen u1 and u2, so that the
// sum passes through infinity and through equal points: with R = u1·G + u2·Q, r =
// R.x, s = r/u2 and e = u1·s.
func TestVerifyFactors(t *testing.T) {
	onKernels(t, func(t *testing.T) {
		rnd := testkit.Rand(t)
		n := curve.N
		special := []*big.Int{new(big.Int), big.NewInt(1), big.NewInt(2), big.NewInt(3), big.NewInt(31), big.NewInt(64), new(big.Int).Sub(n, big.NewInt(1)),
			new(big.Int).Sub(n, big.NewInt(2)), new(big.Int).Rsh(n, 1), new(big.Int).Add(new(big.Int).Rsh(n, 1), big.NewInt(1)),
			new(big.Int).Lsh(big.NewInt(1), 255), new(big.Int).Lsh(big.NewInt(1), 248), randomBelow(rnd, n)}
		for _, d := range []*big.Int{big.NewInt(1), big.NewInt(2), big.NewInt(64), new(big.Int).Sub(n, big.NewInt(1)), new(big.Int).Lsh(big.NewInt(1), 128), randomBelow(rnd, n)} {
			ref := refMult(d, refG)
			xb, yb := toArray(ref.x), toArray(ref.y)
			var q PublicKey
			if !q.SetAffine(&xb, &yb) {
				t.Fatal("a right public key was rejected")
			}
			tab := NewTable(&q)
			for _, u1 := range special {
				for _, u2 := range special[1:] {
					sum := refAdd(refMult(u1, refG), refMult(u2, ref))
					if sum == nil {
						// No r matches infinity.
						s := big.NewInt(77)
						r := new(big.Int).Mul(u2, s)
						e := new(big.Int).Mul(u1, s)
						if both(t, &q, tab, e.Mod(e, n), r.Mod(r, n), s) {
							t.Fatal("accepted infinity")
						}
						continue
					}
					r := new(big.Int).Mod(sum.x, n)
					s := new(big.Int).ModInverse(u2, n)
					s.Mul(s, r).Mod(s, n)
					e := new(big.Int).Mul(u1, s)
					e.Mod(e, n)
					if !both(t, &q, tab, e, r, s) {
						t.Fatalf("rejected: d = %x, u1 = %x, u2 = %x", d, u1, u2)
					}
				}
			}
		}
	})
}

// TestVerifyAboveN has R.x in [n, p): r = R.x − n. Such a point is constructed;
// then Q = (R − u1·G)/u2.
func TestVerifyAboveN(t *testing.T) {
	onKernels(t, func(t *testing.T) {
		rnd := testkit.Rand(t)
		found := 0
		for i := int64(1); found < 10; i++ {
			x := new(big.Int).Add(curve.N, big.NewInt(i))
			rhs := new(big.Int).Exp(x, big.NewInt(3), nil)
			rhs.Sub(rhs, new(big.Int).Mul(x, big.NewInt(3))).Add(rhs, curve.B).Mod(rhs, curve.P)
			y := new(big.Int).ModSqrt(rhs, curve.P)
			if y == nil {
				continue
			}
			found++
			u1, u2 := randomBelow(rnd, curve.N), randomBelow(rnd, curve.N)
			ref := refAdd(&refPoint{x, y}, refMult(u1, refG).negative())
			ref = refMult(new(big.Int).ModInverse(u2, curve.N), ref)
			xb, yb := toArray(ref.x), toArray(ref.y)
			var q PublicKey
			if !q.SetAffine(&xb, &yb) {
				t.Fatal("a right public key was rejected")
			}
			tab := NewTable(&q)
			r := big.NewInt(i)
			s := new(big.Int).ModInverse(u2, curve.N)
			s.Mul(s, r).Mod(s, curve.N)
			e := new(big.Int).Mul(u1, s)
			e.Mod(e, curve.N)
			pub := stdecdsa.PublicKey{Curve: elliptic.P256(), X: ref.x, Y: ref.y}
			if eb := toArray(e); !stdecdsa.Verify(&pub, eb[:], r, s) {
				t.Fatal("the standard library rejects the signature")
			}
			if !both(t, &q, tab, e, r, s) {
				t.Errorf("rejected r = %d with R.x = n + r", i)
			}
			// The same r, now with R.x = r out of reach.
			if both(t, &q, tab, e, big.NewInt(i+1), s) {
				t.Error("accepted another r")
			}
		}
	})
}

// TestSignZero has e chosen so that s = 0.
func TestSignZero(t *testing.T) {
	onKernels(t, func(t *testing.T) {
		d, k := big.NewInt(7), big.NewInt(11)
		r := new(big.Int).Mod(refMult(k, refG).x, curve.N)
		e := new(big.Int).Mul(r, d)
		e.Neg(e).Mod(e, curve.N)
		var rb, sb [32]byte
		db, kb, eb := toArray(d), toArray(k), toArray(e)
		if Sign(&rb, &sb, &db, &kb, &eb) {
			t.Error("Sign gave s = 0")
		}
	})
}

func TestAllocations(t *testing.T) {
	onKernels(t, func(t *testing.T) {
		var q PublicKey
		q.SetAffine(&knownX, &knownY)
		tab := NewTable(&q)
		var x, y [32]byte
		var wide [64]byte
		if n := testing.AllocsPerRun(10, func() {
			q.SetAffine(&knownX, &knownY)
			q.Bytes(&x, &y)
			ScalarBaseMult(&x, &y, &knownD)
			q.ECDH(&x, &knownD)
			Sign(&x, &y, &knownD, &knownK, &knownE)
			q.VerifyVarTime(&knownE, &knownR, &knownS)
			tab.VerifyVarTime(&knownE, &knownR, &knownS)
			ReduceWide(&x, &wide)
			ValidScalar(&x)
		}); n != 0 {
			t.Errorf("%v allocations", n)
		}
	})
}
