package p256

import (
	"bytes"
	"crypto/ecdh"
	"crypto/ecdsa"
	"crypto/elliptic"
	"math/big"
	"testing"

	"github.com/fastcrypto-go/fastcrypto/internal/impl"
	"github.com/fastcrypto-go/fastcrypto/internal/testkit"
)

// kernelTiers calls f with each tier of P-256 forced that has kernels, and each of its
// batches.
func kernelTiers(t *testing.T, f func(tier, batch impl.Tier)) {
	t.Helper()
	testkit.EachTier(t, impl.P256, func(tier impl.Tier) {
		if tier != impl.Generic {
			testkit.EachTier(t, impl.P256Batch, func(batch impl.Tier) { f(tier, batch) })
		}
	})
}

// scalarFrom returns a number in [1, n−1] that depends on b.
func scalarFrom(b []byte) [32]byte {
	v := new(big.Int).SetBytes(b)
	v.Mod(v, new(big.Int).Sub(curve.N, big.NewInt(1)))
	return toArray(v.Add(v, big.NewInt(1)))
}

// numberFrom returns the last 32 bytes of b, with zeros before them.
func numberFrom(b []byte) (v [32]byte) {
	b = b[max(0, len(b)-32):]
	copy(v[32-len(b):], b)
	return v
}

// publicOf returns k·G as crypto/ecdh computes it.
func publicOf(k *[32]byte) (x, y [32]byte) {
	key, err := ecdh.P256().NewPrivateKey(k[:])
	if err != nil {
		panic(err)
	}
	b := key.PublicKey().Bytes()
	return [32]byte(b[1:]), [32]byte(b[33:])
}

// addEdges adds the numbers around 0, p, n and 2^256, two at a time.
func addEdges(f *testing.F) {
	top := new(big.Int).Lsh(big.NewInt(1), 256)
	for _, m := range []*big.Int{new(big.Int), curve.P, curve.N, top, new(big.Int).Rsh(curve.N, 1)} {
		for d := int64(-2); d <= 2; d++ {
			if v := new(big.Int).Add(m, big.NewInt(d)); v.Sign() >= 0 && v.Cmp(top) < 0 {
				f.Add(v.Bytes(), []byte{3})
				f.Add([]byte{2}, v.Bytes())
				f.Add(v.Bytes(), v.Bytes())
			}
		}
	}
}

// FuzzField compares the arithmetic modulo p and modulo n with math/big's.
func FuzzField(f *testing.F) {
	addEdges(f)
	f.Fuzz(func(t *testing.T, a, b []byte) {
		x, y := new(big.Int).SetBytes(a), new(big.Int).SetBytes(b)
		kernelTiers(t, func(tier, batch impl.Tier) {
			check := func(what string, m *big.Int, got [4]uint64, want *big.Int) {
				t.Helper()
				if want.Mod(want, m); toBig(&got).Cmp(want) != 0 {
					t.Errorf("%s of %x and %x: %x, want %x", what, x, y, toBig(&got), want)
				}
			}
			m := curve.P
			x, y := new(big.Int).Mod(x, m), new(big.Int).Mod(y, m)
			fx, fy, z := fe(toLimbs(x)), fe(toLimbs(y)), fe{}
			feMul(&z, &fx, &fy)
			check("feMul", m, z, unmont(new(big.Int).Mul(x, y), m))
			feSqr(&z, &fx, 1)
			check("feSqr", m, z, unmont(new(big.Int).Mul(x, x), m))
			feAdd(&z, &fx, &fy)
			check("feAdd", m, z, new(big.Int).Add(x, y))
			feSub(&z, &fx, &fy)
			check("feSub", m, z, new(big.Int).Sub(x, y))
			feInverse(&z, &fx)
			want := new(big.Int)
			if x.Sign() != 0 {
				want = mont(mont(new(big.Int).ModInverse(x, m), m), m)
			}
			check("feInverse", m, z, want)

			m = curve.N
			x, y = new(big.Int).SetBytes(a), new(big.Int).SetBytes(b)
			x.Mod(x, m)
			y.Mod(y, m)
			sx, sy, s := scalar(toLimbs(x)), scalar(toLimbs(y)), scalar{}
			scMul(&s, &sx, &sy)
			check("scMul", m, s, unmont(new(big.Int).Mul(x, y), m))
			scSqr(&s, &sx, 1)
			check("scSqr", m, s, unmont(new(big.Int).Mul(x, x), m))
			scAdd(&s, &sx, &sy)
			check("scAdd", m, s, new(big.Int).Add(x, y))
			scInverse(&s, &sx)
			want = new(big.Int)
			if x.Sign() != 0 {
				want = mont(mont(new(big.Int).ModInverse(x, m), m), m)
			}
			check("scInverse", m, s, want)
		})
	})
}

// FuzzScalars compares the checks of scalars and the reduction of wide ones with
// math/big's.
func FuzzScalars(f *testing.F) {
	addEdges(f)
	f.Fuzz(func(t *testing.T, a, b []byte) {
		k, low := numberFrom(a), numberFrom(b)
		v := new(big.Int).SetBytes(k[:])
		wide := [64]byte(append(k[:], low[:]...))
		want := new(big.Int).SetBytes(wide[:])
		want.Mod(want, curve.N)
		kernelTiers(t, func(tier, batch impl.Tier) {
			if got, want := ValidScalar(&k), v.Sign() > 0 && v.Cmp(curve.N) < 0; got != want {
				t.Errorf("ValidScalar(%x) = %v", k, got)
			}
			var got [32]byte
			if ok := ReduceWide(&got, &wide); ok != (want.Sign() != 0) || got != toArray(want) {
				t.Errorf("ReduceWide(%x) = %x, %v, want %x", wide, got, ok, want)
			}
		})
	})
}

// FuzzPoint compares which coordinates are a point, and what a scalar makes of it, with
// crypto/ecdh.
func FuzzPoint(f *testing.F) {
	addPoints := func(x, y *big.Int) {
		xy := append(x.FillBytes(make([]byte, 32)), y.FillBytes(make([]byte, 32))...)
		f.Add(xy, []byte{1})
		f.Add(xy, toArrayOf(new(big.Int).Sub(curve.N, big.NewInt(1))))
	}
	params := elliptic.P256().Params()
	addPoints(params.Gx, params.Gy)
	addPoints(params.Gx, new(big.Int).Sub(curve.P, params.Gy))
	addPoints(new(big.Int), new(big.Int).ModSqrt(params.B, curve.P))
	addPoints(curve.P, new(big.Int).ModSqrt(params.B, curve.P))
	addPoints(new(big.Int), new(big.Int))
	x, y := publicOf(&[32]byte{31: 9})
	addPoints(new(big.Int).SetBytes(x[:]), new(big.Int).SetBytes(y[:]))
	f.Fuzz(func(t *testing.T, xy, scalar []byte) {
		if len(xy) != 64 {
			// Most bytes are no point: make one.
			k := scalarFrom(xy)
			x, y := publicOf(&k)
			xy = append(x[:], y[:]...)
		}
		x, y, k := [32]byte(xy), [32]byte(xy[32:]), scalarFrom(scalar)
		std, stdErr := ecdh.P256().NewPublicKey(append([]byte{4}, xy...))
		private, err := ecdh.P256().NewPrivateKey(k[:])
		if err != nil {
			t.Fatal(err)
		}
		kernelTiers(t, func(tier, batch impl.Tier) {
			var bx, by [32]byte
			ScalarBaseMult(&bx, &by, &k)
			if !bytes.Equal(append(bx[:], by[:]...), private.PublicKey().Bytes()[1:]) {
				t.Errorf("%v: %x·G = %x, %x", tier, k, bx, by)
			}
			var q PublicKey
			if ok := q.SetAffine(&x, &y); ok != (stdErr == nil) {
				t.Fatalf("%v: SetAffine(%x, %x) = %v; crypto/ecdh: %v", tier, x, y, ok, stdErr)
			} else if !ok {
				return
			}
			q.Bytes(&bx, &by)
			if bx != x || by != y {
				t.Errorf("%v: Bytes = %x, %x, want %x, %x", tier, bx, by, x, y)
			}
			want, err := private.ECDH(std)
			if err != nil {
				t.Fatal(err)
			}
			if q.ECDH(&bx, &k); !bytes.Equal(bx[:], want) {
				t.Errorf("%v: %x·(%x, %x) = %x, want %x", tier, k, x, y, bx, want)
			}
		})
	})
}

func toArrayOf(v *big.Int) []byte {
	b := toArray(v)
	return b[:]
}

// FuzzSignature signs any number with any key and nonce, compares with the equation, and
// compares all verdicts on the signature, changed or not, with crypto/ecdsa's.
func FuzzSignature(f *testing.F) {
	f.Add([]byte{1}, []byte{1}, []byte{}, []byte{})
	f.Add([]byte("key"), []byte("nonce"), curve.N.Bytes(), []byte{})
	f.Add(curve.N.Bytes(), toArrayOf(new(big.Int).Sub(curve.N, big.NewInt(2))), bytes.Repeat([]byte{0xff}, 32), []byte{1})
	f.Add([]byte{9}, []byte{8}, []byte{7}, append(make([]byte, 32), 1))
	f.Fuzz(func(t *testing.T, key, nonce, number, change []byte) {
		d, k, e := scalarFrom(key), scalarFrom(nonce), numberFrom(number)
		big := func(b [32]byte) *big.Int { return new(big.Int).SetBytes(b[:]) }
		px, _ := publicOf(&k)
		wantR := big(px)
		wantR.Mod(wantR, curve.N)
		wantS := big(d)
		wantS.Mul(wantS, wantR).Add(wantS, big(e))
		wantS.Mul(wantS, wantR.ModInverse(big(k), curve.N)).Mod(wantS, curve.N)
		wantR = big(px)
		wantR.Mod(wantR, curve.N)

		x, y := publicOf(&d)
		std := &ecdsa.PublicKey{Curve: elliptic.P256(), X: big(x), Y: big(y)}
		changedR, changedS := toArray(wantR), toArray(wantS)
		for i, b := range change[:min(len(change), 64)] {
			if i < 32 {
				changedR[i] ^= b
			} else {
				changedS[i-32] ^= b
			}
		}
		// crypto/ecdsa takes the leftmost 256 bits of a hash as the number.
		want := ecdsa.Verify(std, e[:], big(changedR), big(changedS))
		kernelTiers(t, func(tier, batch impl.Tier) {
			var r, s [32]byte
			ok := Sign(&r, &s, &d, &k, &e)
			if r != toArray(wantR) || s != toArray(wantS) || ok != (wantR.Sign() != 0 && wantS.Sign() != 0) {
				t.Errorf("%v: Sign = %x, %x, %v, want %x, %x", tier, r, s, ok, wantR, wantS)
			}
			var q PublicKey
			if !q.SetAffine(&x, &y) {
				t.Fatalf("%v: no point", tier)
			}
			if got := q.VerifyVarTime(&e, &changedR, &changedS); got != want {
				t.Errorf("%v: VerifyVarTime = %v, want %v", tier, got, want)
			}
			if got := NewTable(&q).VerifyVarTime(&e, &changedR, &changedS); got != want {
				t.Errorf("%v: Table.VerifyVarTime = %v, want %v", tier, got, want)
			}
		})
	})
}

// FuzzBatch compares batches of any size with one operation at a time.
func FuzzBatch(f *testing.F) {
	f.Add([]byte("0123456789abcdef0123456789abcdef"))
	f.Add(bytes.Repeat([]byte{0xff, 0, 0, 0}, 40))
	f.Add(bytes.Repeat([]byte{1, 1, 1, 4, 2, 2, 2, 5}, 9))
	f.Fuzz(func(t *testing.T, script []byte) {
		if len(script) > 4*80 {
			return
		}
		var signs []SignJob
		var agrees []ECDHJob
		var verifies []VerifyJob
		testkit.EachTier(t, impl.P256, func(tier impl.Tier) {
			if tier == impl.Generic {
				return
			}
			signs, agrees, verifies = nil, nil, nil
			for s := testkit.Script(script); !s.Done(); {
				// Small scalars, or ones with a few bytes spread out.
				a, b, c, change := s.Byte(), s.Byte(), s.Byte(), s.Byte()
				d := scalarFrom([]byte{a})
				k := scalarFrom(append(bytes.Repeat([]byte{b}, int(change)%32), c))
				e := numberFrom(bytes.Repeat([]byte{c}, int(a)%33))
				j := SignJob{D: d, K: k, E: e}
				var x, y [32]byte
				ScalarBaseMult(&x, &y, &d)
				q := new(PublicKey)
				if !q.SetAffine(&x, &y) {
					t.Fatal("no point")
				}
				j.OK = Sign(&j.R, &j.S, &d, &k, &e)
				v := VerifyJob{Q: q, E: e, R: j.R, S: j.S}
				switch change >> 5 {
				case 1:
					v.R[b%32] ^= c
				case 2:
					v.S[b%32] ^= c
				case 3:
					v.E[b%32] ^= c
				case 4:
					v.R, v.S = [32]byte{}, toArray(curve.N)
				}
				v.OK = q.VerifyVarTime(&v.E, &v.R, &v.S)
				g := ECDHJob{Q: q, K: k}
				q.ECDH(&g.X, &k)
				signs, agrees, verifies = append(signs, j), append(agrees, g), append(verifies, v)
			}
			testkit.EachTier(t, impl.P256Batch, func(batch impl.Tier) {
				gotSigns, gotAgrees, gotVerifies := append([]SignJob(nil), signs...), append([]ECDHJob(nil), agrees...), append([]VerifyJob(nil), verifies...)
				for i := range signs {
					gotSigns[i].R, gotSigns[i].S, gotSigns[i].OK = [32]byte{1}, [32]byte{2}, i%2 == 0
					gotAgrees[i].X, gotVerifies[i].OK = [32]byte{3}, i%2 == 0
				}
				if batch == impl.Generic {
					return // the caller does one at a time
				}
				SignBatch(gotSigns)
				ECDHBatch(gotAgrees)
				VerifyBatchVarTime(gotVerifies)
				for i := range signs {
					if gotSigns[i] != signs[i] {
						t.Errorf("%v: signature %d is %+v, want %+v", batch, i, gotSigns[i], signs[i])
					}
					if gotAgrees[i] != agrees[i] {
						t.Errorf("%v: secret %d is %x, want %x", batch, i, gotAgrees[i].X, agrees[i].X)
					}
					if gotVerifies[i] != verifies[i] {
						t.Errorf("%v: verdict %d is %v", batch, i, gotVerifies[i].OK)
					}
				}
			})
		})
	})
}
