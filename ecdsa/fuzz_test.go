package ecdsa_test

import (
	"bytes"
	"crypto"
	stdecdsa "crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"fmt"
	"io"
	"math/big"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/fastcrypto-go/fastcrypto/ecdsa"
	"github.com/fastcrypto-go/fastcrypto/internal/impl"
	"github.com/fastcrypto-go/fastcrypto/internal/testkit"
)

// everyTier forces each tier of P-256, and of its batches, in turn. For other curves,
// which no tier changes, it calls f once.
func everyTier(t *testing.T, c elliptic.Curve, f func(tier string)) {
	t.Helper()
	if c != nil && c.Params() != elliptic.P256().Params() {
		f(c.Params().Name)
		return
	}
	testkit.EachTier(t, impl.P256, func(tier impl.Tier) {
		testkit.EachTier(t, impl.P256Batch, func(batch impl.Tier) { f(fmt.Sprintf("%v, batch %v", tier, batch)) })
	})
}

// foreignCurve is P-256 as a curve that nobody knows.
var foreignCurve = func() elliptic.Curve {
	c := *elliptic.P256().Params()
	c.Name = "foreign"
	return &c
}()

// fuzzCurves are the curves that a fuzzer chooses from, P-256 more often than others.
var fuzzCurves = []elliptic.Curve{
	elliptic.P256(), elliptic.P256(), elliptic.P256(), elliptic.P256().Params(),
	elliptic.P224(), elliptic.P384(), elliptic.P521(), foreignCurve, nil,
}

// The bits of a fuzzer's flags for keys and integers made by hand.
const (
	nilD = 1 << iota
	nilX
	nilY
	negativeD
	negativeX
	negativeY
	consistent // the public key is that of the scalar, reduced
	noKey
)

// handmadeKey returns a key that need not be in order.
func handmadeKey(curve uint8, flags uint8, d, x, y []byte) *ecdsa.PrivateKey {
	if flags&noKey != 0 {
		return nil
	}
	c := fuzzCurves[int(curve)%len(fuzzCurves)]
	k := &ecdsa.PrivateKey{PublicKey: ecdsa.PublicKey{Curve: c}}
	if flags&consistent != 0 && c != nil {
		n := c.Params().N
		k.D = new(big.Int).SetBytes(d)
		k.D.Mod(k.D, new(big.Int).Sub(n, big.NewInt(1))).Add(k.D, big.NewInt(1))
		k.X, k.Y = c.ScalarBaseMult(k.D.Bytes())
	} else {
		k.D, k.X, k.Y = new(big.Int).SetBytes(d), new(big.Int).SetBytes(x), new(big.Int).SetBytes(y)
	}
	for i, v := range []**big.Int{&k.D, &k.X, &k.Y} {
		if flags&(negativeD<<i) != 0 {
			(*v).Neg(*v)
		}
		if flags&(nilD<<i) != 0 {
			*v = nil
		}
	}
	return k
}

// publicOf returns the public key inside k, or nil.
func publicOf(k *ecdsa.PrivateKey) *ecdsa.PublicKey {
	if k == nil {
		return nil
	}
	return &k.PublicKey
}

func curveOf(pub *ecdsa.PublicKey) elliptic.Curve {
	if pub == nil {
		return nil
	}
	return pub.Curve
}

// whole reports whether no part of the key is nil.
func whole(pub *ecdsa.PublicKey) bool {
	return pub != nil && pub.Curve != nil && pub.X != nil && pub.Y != nil
}

const nilDereference = "panic: runtime error: invalid memory address or nil pointer dereference"

// compareVerdicts compares what all ways to verify say with what crypto/ecdsa says.
func compareVerdicts(t *testing.T, pub *ecdsa.PublicKey, digest, sig []byte) {
	t.Helper()
	want := verdict(func() bool { return stdecdsa.VerifyASN1(pub, digest, sig) })
	inBatch := want
	if !whole(pub) {
		inBatch = "result: false"
	}
	everyTier(t, curveOf(pub), func(tier string) {
		got := verdict(func() bool { return ecdsa.VerifyASN1(pub, digest, sig) })
		// With a part of the key missing, there may be a verdict before it is missed.
		if got != want && !(want == nilDereference && got == "result: false" && !whole(pub)) {
			t.Errorf("%s: VerifyASN1: %s, want %s", tier, got, want)
		}
		for _, n := range []int{1, 2, 9} {
			got := outcome(func() (string, error) {
				pubs, digests, sigs := make([]*ecdsa.PublicKey, n), make([][]byte, n), make([][]byte, n)
				for i := range n {
					pubs[i], digests[i], sigs[i] = pub, digest, sig
				}
				verdicts := fmt.Sprint(ecdsa.VerifyBatch(pubs, digests, sigs))
				if strings.Contains(verdicts, "true") && strings.Contains(verdicts, "false") {
					return verdicts, nil
				}
				return strings.Fields(strings.Trim(verdicts, "[]"))[0], nil
			})
			if got != inBatch {
				t.Errorf("%s: VerifyBatch of %d: %s, want %s", tier, n, got, inBatch)
			}
		}
		var v *ecdsa.Verifier
		made := outcome(func() (string, error) {
			var err error
			v, err = ecdsa.NewVerifier(pub)
			return "", err
		})
		if wantMade := madeOf(pub); made != wantMade {
			t.Errorf("%s: NewVerifier: %s, want %s", tier, made, wantMade)
		}
		if v != nil {
			if got := verdict(func() bool { return v.VerifyASN1(digest, sig) }); got != want {
				t.Errorf("%s: Verifier.VerifyASN1: %s, want %s", tier, got, want)
			}
		}
	})
}

// madeOf tells what a constructor has to say of a public key.
func madeOf(pub *ecdsa.PublicKey) string {
	switch {
	case !whole(pub):
		return "error: ecdsa: public key or a part of it is nil"
	case pub.Curve == foreignCurve:
		return "result: "
	}
	return outcome(func() (string, error) {
		key := *pub
		if key.Curve.Params() == elliptic.P256().Params() {
			key.Curve = elliptic.P256() // Bytes is stricter than the functions
		}
		_, err := key.Bytes()
		return "", err
	})
}

// FuzzVerify compares verdicts for keys made by hand, any digest and any signature, or
// one that is right but for what the fuzzer changes.
func FuzzVerify(f *testing.F) {
	key, digest := newKey(), digestOf("fuzz")
	x, y := key.X.Bytes(), key.Y.Bytes()
	sig := must(stdecdsa.SignASN1(rand.Reader, key, digest))
	f.Add(uint8(0), uint8(0), []byte{}, x, y, digest, sig, false)
	f.Add(uint8(0), uint8(0), []byte{}, x, y, digest[:20], sig, false)
	f.Add(uint8(0), uint8(0), []byte{}, y, x, digest, sig, false)
	f.Add(uint8(0), uint8(0), []byte{}, []byte{}, []byte{}, []byte{}, []byte{0x30, 6, 2, 1, 1, 2, 1, 1}, false)
	for curve := range uint8(len(fuzzCurves)) {
		f.Add(curve, uint8(consistent), []byte{7}, []byte{}, []byte{}, make([]byte, 200), []byte{}, true)
		f.Add(curve, uint8(consistent|nilX), []byte{7}, []byte{}, []byte{}, digest, []byte{}, true)
		f.Add(curve, uint8(consistent|negativeY), []byte{7}, []byte{}, []byte{}, []byte{}, []byte{}, true)
	}
	f.Add(uint8(0), uint8(noKey), []byte{}, []byte{}, []byte{}, digest, sig, false)
	f.Fuzz(func(t *testing.T, curve, flags uint8, d, x, y, digest, sig []byte, sign bool) {
		if len(d)+len(x)+len(y) > 300 || len(digest) > 300 {
			return
		}
		key := handmadeKey(curve, flags, d, x, y)
		if sign {
			good := handmadeKey(curve, consistent, d, nil, nil)
			if good.Curve == nil {
				return
			}
			right, err := stdecdsa.SignASN1(rand.Reader, good, digest)
			if err != nil {
				t.Fatal(err)
			}
			for i, b := range sig[:min(len(sig), len(right))] {
				right[i] ^= b
			}
			sig = right
		}
		compareVerdicts(t, publicOf(key), digest, sig)
	})
}

// FuzzVerifyIntegers compares verdicts for any r and s, of a key whose digest they
// sign if the fuzzer does not change them.
func FuzzVerifyIntegers(f *testing.F) {
	key := must(stdecdsa.ParseRawPrivateKey(elliptic.P256(), append(make([]byte, 31), 9)))
	digest := digestOf("fuzz")
	r, s, err := stdecdsa.Sign(rand.Reader, key, digest)
	if err != nil {
		f.Fatal(err)
	}
	n := key.Params().N
	f.Add(r.Bytes(), s.Bytes(), uint8(0))
	f.Add(r.Bytes(), new(big.Int).Sub(n, s).Bytes(), uint8(negativeX))
	f.Add(new(big.Int).Add(n, r).Bytes(), s.Bytes(), uint8(negativeD))
	f.Add([]byte{}, s.Bytes(), uint8(nilX))
	f.Add(bytes.Repeat([]byte{1}, 40), []byte{}, uint8(nilX))
	f.Add(n.Bytes(), []byte{1}, uint8(0))
	f.Fuzz(func(t *testing.T, rb, sb []byte, flags uint8) {
		if len(rb)+len(sb) > 300 {
			return
		}
		k := handmadeKey(0, flags&^(consistent|noKey), rb, sb, nil)
		r, s := k.D, k.X
		want := verdict(func() bool { return stdecdsa.Verify(&key.PublicKey, digest, r, s) })
		everyTier(t, elliptic.P256(), func(tier string) {
			if got := verdict(func() bool { return ecdsa.Verify(&key.PublicKey, digest, r, s) }); got != want {
				t.Errorf("%s: Verify: %s, want %s", tier, got, want)
			}
			v := must(ecdsa.NewVerifier(&key.PublicKey))
			if got := verdict(func() bool { return v.Verify(digest, r, s) }); got != want {
				t.Errorf("%s: Verifier.Verify: %s, want %s", tier, got, want)
			}
		})
	})
}

// FuzzParse compares keys parsed from any bytes for any curve.
func FuzzParse(f *testing.F) {
	for _, data := range parseInputs() {
		for curve := range uint8(len(fuzzCurves)) {
			f.Add(curve, data)
		}
	}
	f.Fuzz(func(t *testing.T, curve uint8, data []byte) {
		testkit.EachTier(t, impl.P256, func(impl.Tier) {
			compareParse(t, fuzzCurves[int(curve)%len(fuzzCurves)], data)
		})
	})
}

// FuzzSign compares deterministic signatures byte for byte, and verifies the others,
// for any scalar and digest.
func FuzzSign(f *testing.F) {
	f.Add([]byte{8, 1, 5}, digestOf("fuzz"), uint8(3))
	f.Add([]byte{1}, make([]byte, 32), uint8(3))
	f.Add([]byte{2}, make([]byte, 64), uint8(5))
	f.Add([]byte{3}, bytes.Repeat([]byte{0xff}, 200), uint8(0))
	f.Fuzz(func(t *testing.T, scalar, digest []byte, h uint8) {
		if len(digest) > 300 || len(scalar) > 100 {
			return
		}
		key := handmadeKey(0, consistent, scalar, nil, nil)
		hash := hashes[int(h)%len(hashes)]
		padded := append(bytes.Clone(digest), make([]byte, hash.Size())...)[:hash.Size()]
		want, wantPadded := outcome(func() ([]byte, error) { return key.Sign(nil, digest, hash) }), must(key.Sign(nil, padded, hash))
		everyTier(t, elliptic.P256(), func(tier string) {
			signer, batch := must(ecdsa.NewSigner(key)), must(ecdsa.NewBatchSigner(key))
			for _, s := range []crypto.Signer{signer, batch} {
				if got := outcome(func() ([]byte, error) { return s.Sign(nil, digest, hash) }); got != want {
					t.Errorf("%s, %T, %v: %s, want %s", tier, s, hash, got, want)
				}
				if got := must(s.Sign(nil, padded, hash)); !bytes.Equal(got, wantPadded) {
					t.Errorf("%s, %T, %v: signature %x, want %x", tier, s, hash, got, wantPadded)
				}
				if sig := must(s.Sign(rand.Reader, digest, nil)); !stdecdsa.VerifyASN1(&key.PublicKey, digest, sig) {
					t.Errorf("%s, %T: signature %x rejected", tier, s, sig)
				}
			}
		})
	})
}

// fuzzReaders are random sources that a caller may hand in. From Go 1.26 on none but
// their being nil counts.
func fuzzReader(kind uint8) io.Reader {
	return []io.Reader{rand.Reader, nil, failing{}, bytes.NewReader(nil), iotest.DataErrReader(strings.NewReader("short"))}[kind%5]
}

// FuzzSigningKey has keys made by hand sign: the same errors and panics as
// crypto/ecdsa's, and signatures that it verifies.
func FuzzSigningKey(f *testing.F) {
	key := newKey()
	for curve := range uint8(len(fuzzCurves)) {
		for reader := range uint8(2) {
			f.Add(curve, uint8(consistent), []byte{7}, []byte{}, []byte{}, digestOf("fuzz"), reader)
		}
	}
	for flags := uint8(1); flags != 0; flags <<= 1 {
		f.Add(uint8(0), flags, key.D.Bytes(), key.X.Bytes(), key.Y.Bytes(), digestOf("fuzz"), uint8(0))
		f.Add(uint8(0), flags|consistent, []byte{1}, []byte{}, []byte{}, make([]byte, 200), uint8(2))
	}
	n := key.Params().N
	f.Add(uint8(0), uint8(0), n.Bytes(), key.X.Bytes(), key.Y.Bytes(), []byte{}, uint8(0))
	f.Add(uint8(0), uint8(0), bytes.Repeat([]byte{0xff}, 33), key.X.Bytes(), key.Y.Bytes(), []byte{}, uint8(0))
	f.Fuzz(func(t *testing.T, curve, flags uint8, d, x, y, digest []byte, reader uint8) {
		if len(d)+len(x)+len(y) > 300 || len(digest) > 300 {
			return
		}
		key := handmadeKey(curve, flags, d, x, y)
		if key != nil && key.Curve == foreignCurve && (flags&consistent == 0 || key.D == nil) {
			return // crypto/ecdsa signs with what does not fit, and may do so for ever
		}
		good := flags&^consistent == 0 && flags&consistent != 0 // signatures can be verified
		describe := func(sig []byte, err error) (string, error) {
			if err != nil {
				return "", err
			}
			return fmt.Sprint("a signature, verified: ", !good || stdecdsa.VerifyASN1(&key.PublicKey, digest, sig)), nil
		}
		integers := func(r, s *big.Int, err error) (string, error) {
			if err != nil {
				return "", err
			}
			return fmt.Sprint("a signature, verified: ", !good || stdecdsa.Verify(&key.PublicKey, digest, r, s)), nil
		}
		want := outcome(func() (string, error) { return describe(stdecdsa.SignASN1(fuzzReader(reader), key, digest)) })
		wantIntegers := outcome(func() (string, error) { return integers(stdecdsa.Sign(fuzzReader(reader), key, digest)) })
		wantMade := madeOf(publicOf(key))
		if wantMade != "result: " && !whole(publicOf(key)) || key.D == nil {
			wantMade = "error: ecdsa: private key or a part of it is nil"
		} else if key.Curve != foreignCurve {
			wantMade = outcome(func() (string, error) {
				k := *key
				if k.Curve.Params() == elliptic.P256().Params() {
					k.Curve = elliptic.P256()
				}
				_, err := k.Bytes()
				return "", err
			})
		}
		wantBatch := "error: ecdsa: batch element 0: ecdsa: private key or a part of it is nil"
		if whole(publicOf(key)) && key.D != nil {
			wantBatch = strings.Replace(want, "error: ", "error: ecdsa: batch element 0: ", 1)
		}
		everyTier(t, curveOf(publicOf(key)), func(tier string) {
			check := func(what, got, want string) {
				t.Helper()
				if got != want {
					t.Errorf("%s: %s: %s, want %s", tier, what, got, want)
				}
			}
			check("SignASN1", outcome(func() (string, error) { return describe(ecdsa.SignASN1(fuzzReader(reader), key, digest)) }), want)
			check("Sign", outcome(func() (string, error) { return integers(ecdsa.Sign(fuzzReader(reader), key, digest)) }), wantIntegers)
			check("SignBatch", outcome(func() (string, error) {
				sigs, err := ecdsa.SignBatch(fuzzReader(reader), []*ecdsa.PrivateKey{key}, [][]byte{digest})
				return describe(sigs[0], err)
			}), wantBatch)
			check("NewSigner", outcome(func() (string, error) { _, err := ecdsa.NewSigner(key); return "", err }), wantMade)
			check("NewBatchSigner", outcome(func() (string, error) { _, err := ecdsa.NewBatchSigner(key); return "", err }), wantMade)
			// The checked ones may refuse more, and never panic, unless crypto/elliptic does on
			// a curve that only it knows.
			if curveOf(publicOf(key)) == foreignCurve {
				return
			}
			for _, got := range []string{
				outcome(func() (string, error) { _, err := ecdsa.NewCheckedSigner(key); return "", err }),
				outcome(func() (string, error) { _, err := ecdsa.NewCheckedBatchSigner(key); return "", err }),
			} {
				if strings.HasPrefix(got, "panic") || got != wantMade && (wantMade != "result: " || good) {
					t.Errorf("%s: NewChecked…: %s, want %s", tier, got, wantMade)
				}
			}
		})
	})
}

// FuzzGenerateKey has keys made for any curve with any random source.
func FuzzGenerateKey(f *testing.F) {
	for curve := range uint8(len(fuzzCurves)) {
		for reader := range uint8(5) {
			f.Add(curve, reader)
		}
	}
	f.Fuzz(func(t *testing.T, curve, reader uint8) {
		c := fuzzCurves[int(curve)%len(fuzzCurves)]
		try := func(generate func(elliptic.Curve, io.Reader) (*ecdsa.PrivateKey, error)) string {
			return outcome(func() (string, error) {
				k, err := generate(c, fuzzReader(reader))
				if err != nil {
					return "", err
				}
				sig := must(stdecdsa.SignASN1(rand.Reader, k, []byte("x")))
				return fmt.Sprintf("%v %v", k.Curve.Params().Name, stdecdsa.VerifyASN1(&k.PublicKey, []byte("x"), sig)), nil
			})
		}
		want := try(stdecdsa.GenerateKey)
		everyTier(t, c, func(tier string) {
			if got := try(ecdsa.GenerateKey); got != want {
				t.Errorf("%s: %s, want %s", tier, got, want)
			}
		})
	})
}

// FuzzSignMessage signs any message under any hash function, known or not.
func FuzzSignMessage(f *testing.F) {
	for _, h := range hashes {
		f.Add([]byte("message"), uint8(h), uint8(0), false)
	}
	f.Add([]byte("message"), uint8(0), uint8(0), false)
	f.Add([]byte("message"), uint8(200), uint8(1), false)
	f.Add(make([]byte, 32), uint8(0), uint8(4), true)
	f.Fuzz(func(t *testing.T, msg []byte, h, curve uint8, random bool) {
		if len(msg) > 1<<10 {
			return
		}
		key := handmadeKey(curve, consistent, []byte{42}, nil, nil)
		if key.Curve == nil {
			return
		}
		hash := crypto.Hash(h)
		source := fuzzReader(1)
		if random {
			source = rand.Reader
		}
		try := func(s crypto.Signer) string {
			return outcome(func() ([]byte, error) {
				sig, err := crypto.SignMessage(s, source, msg, hash)
				if err != nil || !random {
					return sig, err
				}
				digest := msg
				if hash != 0 {
					w := hash.New()
					w.Write(msg)
					digest = w.Sum(nil)
				}
				return fmt.Append(nil, stdecdsa.VerifyASN1(&key.PublicKey, digest, sig)), nil
			})
		}
		want := try(key)
		everyTier(t, key.Curve, func(tier string) {
			for _, s := range []crypto.Signer{must(ecdsa.NewSigner(key)), must(ecdsa.NewBatchSigner(key))} {
				if got := try(s); got != want {
					t.Errorf("%s, %T, %v: %s, want %s", tier, s, hash, got, want)
				}
			}
		})
	})
}

// FuzzBatch signs and verifies batches of elements that are good or bad in ways that
// the fuzzer chooses, of lengths that may differ.
func FuzzBatch(f *testing.F) {
	f.Add([]byte{0, 0, 0}, []byte("digest"), uint8(0))
	f.Add(bytes.Repeat([]byte{0, 1, 0, 2, 0, 4, 0, 8, 16}, 8), make([]byte, 200), uint8(0))
	f.Add(make([]byte, 200), bytes.Repeat([]byte{0xff}, 32), uint8(3))
	f.Fuzz(func(t *testing.T, script, data []byte, cut uint8) {
		if len(script) > 100 || len(data) > 300 {
			return
		}
		var keys []*ecdsa.PrivateKey
		var pubs []*ecdsa.PublicKey
		var digests, sigs [][]byte
		var wantSign, wantVerify []string
		for s := testkit.Script(script); !s.Done(); {
			curve, flags, change := s.Byte(), s.Byte(), s.Byte()
			if curve < 128 {
				curve = 0
			}
			flags &= nilD | nilX | negativeD | negativeY | noKey
			if curve%9 == 7 {
				curve = 0 // crypto/ecdsa panics on points that are not on a foreign curve
			}
			key, good := handmadeKey(curve, flags|consistent, []byte{curve, change}, nil, nil), handmadeKey(0, consistent, []byte{change}, nil, nil)
			digest := data[min(len(data), int(change)):]
			sig := must(stdecdsa.SignASN1(rand.Reader, good, digest))
			if whole(publicOf(key)) && flags == 0 {
				sig = must(stdecdsa.SignASN1(rand.Reader, key, digest))
			}
			if change%4 == 3 {
				sig[int(change)%len(sig)] ^= change
			}
			keys, pubs, digests, sigs = append(keys, key), append(pubs, publicOf(key)), append(digests, digest), append(sigs, sig)

			want := "error: ecdsa: private key or a part of it is nil"
			if whole(publicOf(key)) && key.D != nil {
				want = outcome(func() (string, error) { _, err := stdecdsa.SignASN1(rand.Reader, key, digest); return "", err })
			}
			wantSign = append(wantSign, want)
			want = "result: false"
			if whole(publicOf(key)) {
				want = verdict(func() bool { return stdecdsa.VerifyASN1(publicOf(key), digest, sig) })
			}
			wantVerify = append(wantVerify, want)
		}
		n := len(keys)
		var wantErrors []string
		for i, w := range wantSign {
			if text, failed := strings.CutPrefix(w, "error: "); failed {
				wantErrors = append(wantErrors, fmt.Sprintf("ecdsa: batch element %d: %s", i, text))
			}
		}
		everyTier(t, elliptic.P256(), func(tier string) {
			made, err := ecdsa.SignBatch(fuzzReader(cut), keys, digests)
			if got := fmt.Sprint(err); got != "<nil>" && got != strings.Join(wantErrors, "\n") || err == nil && wantErrors != nil {
				t.Errorf("%s: SignBatch: %s, want %s", tier, got, strings.Join(wantErrors, "\n"))
			}
			for i := range n {
				if failed := strings.HasPrefix(wantSign[i], "error: "); failed != (made[i] == nil) {
					t.Errorf("%s: element %d: signature %x, want %s", tier, i, made[i], wantSign[i])
				} else if !failed && !stdecdsa.VerifyASN1(pubs[i], digests[i], made[i]) {
					t.Errorf("%s: element %d: signature rejected", tier, i)
				}
			}
			for i, got := range ecdsa.VerifyBatch(pubs, digests, sigs) {
				if got := fmt.Sprintf("result: %v", got); got != wantVerify[i] {
					t.Errorf("%s: VerifyBatch, element %d: %s, want %s", tier, i, got, wantVerify[i])
				}
			}
			if m := int(cut); m < n {
				got := outcome(func() ([]bool, error) { return ecdsa.VerifyBatch(pubs, digests[:m], sigs), nil })
				if want := fmt.Sprintf("panic: ecdsa: VerifyBatch called with %d keys, %d hashes and %d signatures", n, m, n); got != want {
					t.Errorf("%s: %s, want %s", tier, got, want)
				}
				if sigs, err := ecdsa.SignBatch(rand.Reader, keys, digests[:m]); sigs != nil || err == nil {
					t.Errorf("%s: SignBatch with lengths that differ: %x, %v", tier, sigs, err)
				}
			}
		})
	})
}
