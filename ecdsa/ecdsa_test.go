package ecdsa_test

import (
	"bytes"
	"crypto"
	stdecdsa "crypto/ecdsa"
	"crypto/elliptic"
	_ "crypto/md5"
	"crypto/rand"
	_ "crypto/sha1"
	_ "crypto/sha256"
	_ "crypto/sha3"
	_ "crypto/sha512"
	"errors"
	"fmt"
	"io"
	"math/big"
	mathrand "math/rand/v2"
	"strings"
	"sync"
	"testing"
	"testing/cryptotest"

	"github.com/fastcrypto-go/fastcrypto/ecdsa"
	"github.com/fastcrypto-go/fastcrypto/internal/impl"
	"github.com/fastcrypto-go/fastcrypto/internal/testkit"
)

var curves = []elliptic.Curve{elliptic.P224(), elliptic.P256(), elliptic.P384(), elliptic.P521(), elliptic.P256().Params()}

// TestAgainstStd signs on one side and verifies on the other, and compares verdicts
// on signatures of other digests and under other keys.
func TestAgainstStd(t *testing.T) {
	testkit.Tiers(t, impl.P256, func(t *testing.T, tier impl.Tier) {
		rng := testkit.Rand(t)
		for _, curve := range curves {
			rounds := 1
			if curve == elliptic.P256() {
				rounds = count(10, 70, 2000)
			}
			for round := range rounds {
				key := must(ecdsa.GenerateKey(curve, rand.Reader))
				if !key.Curve.IsOnCurve(key.X, key.Y) || key.Curve != curve {
					t.Fatalf("generated key is wrong: %v", key.PublicKey)
				}
				signer := must(ecdsa.NewSigner(key))
				verifier := must(ecdsa.NewVerifier(&key.PublicKey))
				digest := testkit.Bytes(rng, round)
				for i, sig := range [][]byte{
					must(ecdsa.SignASN1(rand.Reader, key, digest)),
					must(ecdsa.SignASN1(nil, key, digest)),
					must(signer.Sign(rand.Reader, digest, nil)),
					must(stdecdsa.SignASN1(rand.Reader, key, digest)),
				} {
					check := func(pub *ecdsa.PublicKey, digest, sig []byte) {
						t.Helper()
						want := stdecdsa.VerifyASN1(pub, digest, sig)
						if got := ecdsa.VerifyASN1(pub, digest, sig); got != want {
							t.Fatalf("%s, signature %d: VerifyASN1 = %v, want %v", curve.Params().Name, i, got, want)
						}
						if got := must(ecdsa.NewVerifier(pub)).VerifyASN1(digest, sig); got != want {
							t.Fatalf("%s, signature %d: Verifier.VerifyASN1 = %v, want %v", curve.Params().Name, i, got, want)
						}
					}
					if !stdecdsa.VerifyASN1(&key.PublicKey, digest, sig) {
						t.Fatalf("%s, signature %d: rejected by crypto/ecdsa", curve.Params().Name, i)
					}
					check(&key.PublicKey, digest, sig)
					check(&key.PublicKey, append([]byte{1}, digest...), sig)
					check(&key.PublicKey, append(bytes.Clone(digest), 1), sig) // equal from 32 bytes on
					bad := bytes.Clone(sig)
					bad[rng.Uint64()%uint64(len(bad))] ^= 1 << (rng.Uint64() % 8)
					check(&key.PublicKey, digest, bad)
				}
				r, s, err := ecdsa.Sign(rand.Reader, key, digest)
				if err != nil || !stdecdsa.Verify(&key.PublicKey, digest, r, s) {
					t.Fatalf("Sign: %v, %v, %v", r, s, err)
				}
				for name, c := range map[string]struct{ r, s *big.Int }{
					"right": {r, s}, "swapped": {s, r}, "r+n": {new(big.Int).Add(r, curve.Params().N), s},
					"s+n": {r, new(big.Int).Add(s, curve.Params().N)}, "-r": {new(big.Int).Neg(r), s},
					"n-s": {r, new(big.Int).Sub(curve.Params().N, s)}, "-s": {r, new(big.Int).Neg(s)},
					"r=0": {new(big.Int), s}, "s=0": {r, new(big.Int)}, "r=n": {curve.Params().N, s}, "s=n": {r, curve.Params().N},
					"r huge": {new(big.Int).Lsh(r, 1000), s}, "s huge": {r, new(big.Int).Lsh(s, 1000)},
					"r nil": {nil, s}, "s nil": {r, nil},
				} {
					want := verdict(func() bool { return stdecdsa.Verify(&key.PublicKey, digest, c.r, c.s) })
					if got := verdict(func() bool { return ecdsa.Verify(&key.PublicKey, digest, c.r, c.s) }); got != want {
						t.Fatalf("%s, %s: Verify: %s, want %s", curve.Params().Name, name, got, want)
					}
					if got := verdict(func() bool { return verifier.Verify(digest, c.r, c.s) }); got != want {
						t.Fatalf("%s, %s: Verifier.Verify: %s, want %s", curve.Params().Name, name, got, want)
					}
				}
			}
		}
	})
}

// TestHashLengths checks how digests are cut or extended.
func TestHashLengths(t *testing.T) {
	testkit.Tiers(t, impl.P256, func(t *testing.T, tier impl.Tier) {
		key := newKey()
		for n := range 130 {
			for _, fill := range []byte{0, 1, 0xff} {
				digest := bytes.Repeat([]byte{fill}, n)
				sig := must(ecdsa.SignASN1(rand.Reader, key, digest))
				if !stdecdsa.VerifyASN1(&key.PublicKey, digest, sig) {
					t.Fatalf("digest of %d bytes %#x: signature rejected", n, fill)
				}
				if sig = must(stdecdsa.SignASN1(rand.Reader, key, digest)); !ecdsa.VerifyASN1(&key.PublicKey, digest, sig) {
					t.Fatalf("digest of %d bytes %#x: rejected a signature", n, fill)
				}
			}
		}
	})
}

// TestNotReducedR verifies signatures whose point has an x-coordinate in [n, p): r
// is then x − n, which random signatures meet with probability 2^−128.
func TestNotReducedR(t *testing.T) {
	curve := elliptic.P256()
	params := curve.Params()
	testkit.Tiers(t, impl.P256, func(t *testing.T, tier impl.Tier) {
		found := 0
		for r := big.NewInt(1); found < 5; r.Add(r, big.NewInt(1)) {
			x := new(big.Int).Add(r, params.N)
			y := squareRoot(x)
			if y == nil {
				continue
			}
			found++
			// With R = (x, y), Q = (s·R − e·G)/r makes (r, s) a signature of e.
			s, digest := big.NewInt(12345), digestOf("not reduced")
			sx, sy := curve.ScalarMult(x, y, s.Bytes())
			ex, ey := curve.ScalarBaseMult(digest)
			qx, qy := curve.Add(sx, sy, ex, new(big.Int).Sub(params.P, ey))
			qx, qy = curve.ScalarMult(qx, qy, new(big.Int).ModInverse(r, params.N).Bytes())
			pub := &ecdsa.PublicKey{Curve: curve, X: qx, Y: qy}
			if !stdecdsa.Verify(pub, digest, r, s) {
				t.Fatal("the test's own signature is wrong")
			}
			if !ecdsa.Verify(pub, digest, r, s) || !must(ecdsa.NewVerifier(pub)).Verify(digest, r, s) {
				t.Errorf("r = %v: rejected", r)
			}
			if ecdsa.Verify(pub, digest, x, s) {
				t.Errorf("r = %v: accepted r + n", r)
			}
		}
	})
}

// squareRoot returns a y with y² = x³ − 3x + b on P-256, or nil.
func squareRoot(x *big.Int) *big.Int {
	params := elliptic.P256().Params()
	y := new(big.Int).Mul(x, x)
	y.Sub(y, big.NewInt(3)).Mul(y, x).Add(y, params.B).Mod(y, params.P)
	return y.ModSqrt(y, params.P)
}

// TestBadKeys compares errors and panics for keys that are not in order with those
// of crypto/ecdsa.
func TestBadKeys(t *testing.T) {
	testkit.Tiers(t, impl.P256, func(t *testing.T, tier impl.Tier) {
		digest := digestOf("bad keys")
		sig := must(stdecdsa.SignASN1(rand.Reader, newKey(), digest))
		r, s := big.NewInt(1), big.NewInt(1)
		for name, key := range badKeys() {
			same := func(function, got, want string) {
				t.Helper()
				if got != want {
					t.Errorf("%s, %s: %s, want %s", name, function, got, want)
				}
			}
			strip := func(err error) (bool, error) { return err == nil, err }
			same("SignASN1",
				outcome(func() (bool, error) { _, err := ecdsa.SignASN1(rand.Reader, key, digest); return strip(err) }),
				outcome(func() (bool, error) { _, err := stdecdsa.SignASN1(rand.Reader, key, digest); return strip(err) }))
			same("Sign",
				outcome(func() (bool, error) { _, _, err := ecdsa.Sign(rand.Reader, key, digest); return strip(err) }),
				outcome(func() (bool, error) { _, _, err := stdecdsa.Sign(rand.Reader, key, digest); return strip(err) }))
			var pub *ecdsa.PublicKey
			if key != nil {
				pub = &key.PublicKey
			}
			same("VerifyASN1",
				verdict(func() bool { return ecdsa.VerifyASN1(pub, digest, sig) }),
				verdict(func() bool { return stdecdsa.VerifyASN1(pub, digest, sig) }))
			same("VerifyASN1 of no signature",
				verdict(func() bool { return ecdsa.VerifyASN1(pub, digest, nil) }),
				verdict(func() bool { return stdecdsa.VerifyASN1(pub, digest, nil) }))
			same("Verify",
				verdict(func() bool { return ecdsa.Verify(pub, digest, r, s) }),
				verdict(func() bool { return stdecdsa.Verify(pub, digest, r, s) }))

			incomplete := pub == nil || pub.Curve == nil || pub.X == nil || pub.Y == nil
			for function, construct := range map[string]func() error{
				"NewSigner":      func() error { _, err := ecdsa.NewSigner(key); return err },
				"NewBatchSigner": func() error { _, err := ecdsa.NewBatchSigner(key); return err },
			} {
				err := construct()
				if incomplete || key.D == nil {
					same(function, fmt.Sprint(err), "ecdsa: private key or a part of it is nil")
				} else {
					_, want := stdecdsa.SignASN1(rand.Reader, key, digest)
					same(function, fmt.Sprint(err), fmt.Sprint(want))
				}
			}
			_, err := ecdsa.NewVerifier(pub)
			if incomplete {
				same("NewVerifier", fmt.Sprint(err), "ecdsa: public key or a part of it is nil")
			} else {
				_, want := pub.Bytes()
				same("NewVerifier", fmt.Sprint(err), fmt.Sprint(want))
			}
		}
	})
}

// TestMismatchedKey checks that, as in crypto/ecdsa, a public point that is not the
// private scalar's is not noticed: signatures verify under the scalar's own.
func TestMismatchedKey(t *testing.T) {
	testkit.Tiers(t, impl.P256, func(t *testing.T, tier impl.Tier) {
		a, b := newKey(), newKey()
		mixed := &ecdsa.PrivateKey{PublicKey: b.PublicKey, D: a.D}
		digest := digestOf("mismatched")
		for i, sig := range [][]byte{
			must(ecdsa.SignASN1(rand.Reader, mixed, digest)),
			must(must(ecdsa.NewSigner(mixed)).Sign(rand.Reader, digest, crypto.SHA256)),
			must(stdecdsa.SignASN1(rand.Reader, mixed, digest)),
		} {
			if !ecdsa.VerifyASN1(&a.PublicKey, digest, sig) || ecdsa.VerifyASN1(&b.PublicKey, digest, sig) {
				t.Errorf("signature %d is not the scalar's", i)
			}
		}
	})
}

// TestCopied checks that changing a key does not reach into what was made from it.
func TestCopied(t *testing.T) {
	testkit.Tiers(t, impl.P256, func(t *testing.T, tier impl.Tier) {
		key := newKey()
		pub := ecdsa.PublicKey{Curve: key.Curve, X: new(big.Int).Set(key.X), Y: new(big.Int).Set(key.Y)}
		signer, verifier := must(ecdsa.NewSigner(key)), must(ecdsa.NewVerifier(&key.PublicKey))
		key.D.SetInt64(1)
		key.X.SetInt64(1)
		digest := digestOf("copied")
		for _, rand := range []io.Reader{rand.Reader, nil} {
			sig := must(signer.Sign(rand, digest, crypto.SHA256))
			if !verifier.VerifyASN1(digest, sig) || !stdecdsa.VerifyASN1(&pub, digest, sig) {
				t.Error("signature is wrong after the key was changed")
			}
		}
		if !pub.Equal(signer.Public()) {
			t.Error("public key changed")
		}
	})
}

func TestParse(t *testing.T) {
	testkit.Tiers(t, impl.P256, func(t *testing.T, tier impl.Tier) {
		for _, curve := range append(curves, nil) {
			for _, data := range parseInputs() {
				compareParse(t, curve, data)
			}
		}
	})
}

// parseInputs returns encodings of keys, good ones and bad ones.
func parseInputs() [][]byte {
	params := elliptic.P256().Params()
	key := newKey()
	public := must(key.PublicKey.Bytes())
	in := [][]byte{nil, {0}, {4}, public, public[:64], append(bytes.Clone(public), 0), must(key.Bytes()),
		elliptic.MarshalCompressed(key.Curve, key.X, key.Y)}
	for _, v := range []*big.Int{new(big.Int), big.NewInt(1), params.N, params.P, new(big.Int).Sub(params.N, big.NewInt(1)),
		new(big.Int).Add(params.N, big.NewInt(1)), new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 256), big.NewInt(1))} {
		b := v.FillBytes(make([]byte, 32))
		in = append(in, b, b[1:], append([]byte{0}, b...), append(append([]byte{4}, b...), b...), append(append([]byte{4}, b...), public[33:]...))
	}
	// the point with x = 0
	zero := append([]byte{4}, make([]byte, 32)...)
	in = append(in, append(zero, squareRoot(new(big.Int)).FillBytes(make([]byte, 32))...))
	for _, prefix := range []byte{0, 1, 2, 3, 5, 6, 7} {
		b := bytes.Clone(public)
		b[0] = prefix
		in = append(in, b)
	}
	for _, c := range []elliptic.Curve{elliptic.P224(), elliptic.P384(), elliptic.P521()} {
		k := must(stdecdsa.GenerateKey(c, rand.Reader))
		in = append(in, must(k.Bytes()), must(k.PublicKey.Bytes()))
	}
	return in
}

func compareParse(t *testing.T, curve elliptic.Curve, data []byte) {
	t.Helper()
	type parsed struct{ d, x, y string }
	private := func(parse func(elliptic.Curve, []byte) (*ecdsa.PrivateKey, error)) string {
		return outcome(func() (parsed, error) {
			k, err := parse(curve, data)
			if err != nil {
				return parsed{}, err
			}
			if k.Curve != curve {
				return parsed{}, errors.New("wrong curve")
			}
			return parsed{k.D.String(), k.X.String(), k.Y.String()}, nil
		})
	}
	public := func(parse func(elliptic.Curve, []byte) (*ecdsa.PublicKey, error)) string {
		return outcome(func() (parsed, error) {
			k, err := parse(curve, data)
			if err != nil {
				return parsed{}, err
			}
			if k.Curve != curve {
				return parsed{}, errors.New("wrong curve")
			}
			return parsed{x: k.X.String(), y: k.Y.String()}, nil
		})
	}
	if got, want := private(ecdsa.ParseRawPrivateKey), private(stdecdsa.ParseRawPrivateKey); got != want {
		t.Errorf("ParseRawPrivateKey(%v, %x): %s, want %s", curve, data, got, want)
	}
	if got, want := public(ecdsa.ParseUncompressedPublicKey), public(stdecdsa.ParseUncompressedPublicKey); got != want {
		t.Errorf("ParseUncompressedPublicKey(%v, %x): %s, want %s", curve, data, got, want)
	}
}

// TestGlobalRandom checks that a test's random source makes the same keys here and
// in crypto/ecdsa, and the same signatures each time.
func TestGlobalRandom(t *testing.T) {
	testkit.Tiers(t, impl.P256, func(t *testing.T, tier impl.Tier) {
		for seed := range uint64(20) {
			for _, r := range []io.Reader{rand.Reader, nil, failing{}} {
				cryptotest.SetGlobalRandom(t, seed)
				got := must(ecdsa.GenerateKey(elliptic.P256(), r))
				one := must(ecdsa.SignASN1(r, got, []byte("digest")))
				cryptotest.SetGlobalRandom(t, seed)
				want := must(stdecdsa.GenerateKey(elliptic.P256(), r))
				two := must(ecdsa.SignASN1(r, got, []byte("digest")))
				if !got.Equal(want) {
					t.Errorf("seed %d: key differs from crypto/ecdsa's", seed)
				}
				if !bytes.Equal(one, two) {
					t.Errorf("seed %d: signatures differ", seed)
				}
			}
		}
	})
}

// TestReaders checks when the caller's reader is read: as in crypto/ecdsa.
func TestReaders(t *testing.T) {
	testkit.Tiers(t, impl.P256, func(t *testing.T, tier impl.Tier) {
		key := newKey()
		signer := must(ecdsa.NewSigner(key))
		batch := must(ecdsa.NewBatchSigner(key))
		digest := digestOf("readers")
		calls := map[string]func() error{
			"GenerateKey":      func() error { _, err := ecdsa.GenerateKey(elliptic.P256(), failing{}); return err },
			"SignASN1":         func() error { _, err := ecdsa.SignASN1(failing{}, key, digest); return err },
			"Sign":             func() error { _, _, err := ecdsa.Sign(failing{}, key, digest); return err },
			"Signer.Sign":      func() error { _, err := signer.Sign(failing{}, digest, crypto.SHA256); return err },
			"BatchSigner.Sign": func() error { _, err := batch.Sign(failing{}, digest, crypto.SHA256); return err },
			"SignMessage":      func() error { _, err := signer.SignMessage(failing{}, digest, crypto.SHA256); return err },
			"SignBatch": func() error {
				_, err := ecdsa.SignBatch(failing{}, []*ecdsa.PrivateKey{key}, [][]byte{digest})
				return err
			},
		}
		t.Setenv("GODEBUG", "cryptocustomrand=0")
		for name, call := range calls {
			if err := call(); err != nil {
				t.Errorf("%s: the reader was read: %v", name, err)
			}
		}
		t.Setenv("GODEBUG", "cryptocustomrand=1")
		for name, call := range calls {
			if err := call(); !errors.Is(err, io.ErrClosedPipe) {
				t.Errorf("%s: with cryptocustomrand=1: error %v", name, err)
			}
		}
		// A reader that is honoured need not be safe for concurrent use.
		keys, digests := make([]*ecdsa.PrivateKey, 100), make([][]byte, 100)
		for i := range keys {
			keys[i], digests[i] = key, digest
		}
		for i, sig := range must(ecdsa.SignBatch(mathrand.NewChaCha8([32]byte{}), keys, digests)) {
			if !stdecdsa.VerifyASN1(&key.PublicKey, digest, sig) {
				t.Errorf("signature %d rejected", i)
			}
		}
	})
}

// TestKeysAreRandom checks that generated keys do not repeat.
func TestKeysAreRandom(t *testing.T) {
	testkit.Tiers(t, impl.P256, func(t *testing.T, tier impl.Tier) {
		seen := map[string]bool{}
		for range 100 {
			k := must(ecdsa.GenerateKey(elliptic.P256(), rand.Reader))
			std := must(stdecdsa.ParseRawPrivateKey(elliptic.P256(), must(k.Bytes())))
			if !std.Equal(k) || seen[k.D.String()] {
				t.Fatalf("key %v", k)
			}
			seen[k.D.String()] = true
		}
	})
}

func TestAllocations(t *testing.T) {
	testkit.Tiers(t, impl.P256, func(t *testing.T, tier impl.Tier) {
		if tier == impl.Generic {
			t.Skip("crypto/ecdsa allocates")
		}
		if testkit.Race {
			t.Skip("the race detector allocates")
		}
		key := newKey()
		signer, verifier := must(ecdsa.NewSigner(key)), must(ecdsa.NewVerifier(&key.PublicKey))
		batch := must(ecdsa.NewBatchSigner(key))
		digest := digestOf("allocations")
		sig := must(ecdsa.SignASN1(rand.Reader, key, digest))
		r, s, _ := ecdsa.Sign(rand.Reader, key, digest)
		var reader io.Reader = rand.Reader
		for name, c := range map[string]struct {
			want float64
			f    func()
		}{
			"Signer.Sign":         {1, func() { signer.Sign(reader, digest, crypto.SHA256) }},
			"Signer.Sign RFC6979": {1, func() { signer.Sign(nil, digest, crypto.SHA256) }},
			"Signer.SignMessage":  {1, func() { signer.SignMessage(reader, digest, crypto.SHA256) }},
			"BatchSigner.Sign":    {1, func() { batch.Sign(reader, digest, crypto.SHA256) }},
			"SignASN1":            {1, func() { ecdsa.SignASN1(reader, key, digest) }},
			"VerifyASN1":          {0, func() { ecdsa.VerifyASN1(&key.PublicKey, digest, sig) }},
			"Verify":              {0, func() { ecdsa.Verify(&key.PublicKey, digest, r, s) }},
			"Verifier.VerifyASN1": {0, func() { verifier.VerifyASN1(digest, sig) }},
			"Verifier.Verify":     {0, func() { verifier.Verify(digest, r, s) }},
		} {
			if got := testing.AllocsPerRun(50, c.f); got != c.want {
				t.Errorf("%s: %v allocations, want %v", name, got, c.want)
			}
		}
	})
}

// TestConcurrent uses one of each object from many goroutines.
func TestConcurrent(t *testing.T) {
	testkit.Tiers(t, impl.P256, func(t *testing.T, tier impl.Tier) {
		key := newKey()
		signer, verifier := must(ecdsa.NewSigner(key)), must(ecdsa.NewVerifier(&key.PublicKey))
		batch := must(ecdsa.NewBatchSigner(key))
		var wg sync.WaitGroup
		for g := range 256 {
			wg.Go(func() {
				digest := digestOf(fmt.Sprint(g))
				for _, sig := range [][]byte{
					must(signer.Sign(rand.Reader, digest, crypto.SHA256)),
					must(batch.Sign(rand.Reader, digest, crypto.SHA256)),
					must(ecdsa.SignASN1(rand.Reader, key, digest)),
					must(batch.Sign(nil, digest, crypto.SHA256)),
				} {
					if !verifier.VerifyASN1(digest, sig) || !ecdsa.VerifyASN1(&key.PublicKey, digest, sig) {
						t.Errorf("goroutine %d: signature rejected", g)
					}
				}
			})
		}
		wg.Wait()
	})
}

// customCurve is a curve that crypto/ecdsa treats with generic arithmetic.
type customCurve struct{ *elliptic.CurveParams }

func TestCustomCurve(t *testing.T) {
	params := *elliptic.P256().Params()
	params.Name = "custom"
	curve := customCurve{&params}
	key := must(ecdsa.GenerateKey(curve, rand.Reader))
	digest := digestOf("custom curve")
	sig := must(must(ecdsa.NewSigner(key)).Sign(rand.Reader, digest, crypto.SHA256))
	if !ecdsa.VerifyASN1(&key.PublicKey, digest, sig) || !must(ecdsa.NewVerifier(&key.PublicKey)).VerifyASN1(digest, sig) {
		t.Error("signature rejected")
	}
	_, err := must(ecdsa.NewSigner(key)).Sign(nil, digest, crypto.SHA256)
	if err == nil || !strings.Contains(err.Error(), "curve not supported") {
		t.Errorf("deterministic signature: %v", err)
	}
}
