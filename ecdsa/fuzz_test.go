package ecdsa_test

import (
	"crypto"
	stdecdsa "crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"math/big"
	"testing"

	"github.com/fastcrypto-go/fastcrypto/ecdsa"
)

// FuzzVerify compares verdicts for any coordinates, digest and signature.
func FuzzVerify(f *testing.F) {
	key := newKey()
	x, y, digest := key.X.Bytes(), key.Y.Bytes(), digestOf("fuzz")
	sig := must(stdecdsa.SignASN1(rand.Reader, key, digest))
	f.Add(x, y, digest, sig)
	f.Add(x, y, digest[:20], sig)
	f.Add(y, x, digest, sig)
	f.Add([]byte{}, []byte{}, []byte{}, []byte{0x30, 6, 2, 1, 1, 2, 1, 1})
	f.Fuzz(func(t *testing.T, x, y, digest, sig []byte) {
		pub := &ecdsa.PublicKey{Curve: elliptic.P256(), X: new(big.Int).SetBytes(x), Y: new(big.Int).SetBytes(y)}
		want := stdecdsa.VerifyASN1(pub, digest, sig)
		if got := ecdsa.VerifyASN1(pub, digest, sig); got != want {
			t.Errorf("VerifyASN1 = %v, want %v", got, want)
		}
		if got := ecdsa.VerifyBatch([]*ecdsa.PublicKey{pub}, [][]byte{digest}, [][]byte{sig}); got[0] != want {
			t.Errorf("VerifyBatch = %v, want %v", got, want)
		}
		v, err := ecdsa.NewVerifier(pub)
		_, wantErr := pub.Bytes()
		if (err == nil) != (wantErr == nil) {
			t.Fatalf("NewVerifier: %v, want %v", err, wantErr)
		}
		if err == nil && v.VerifyASN1(digest, sig) != want {
			t.Errorf("Verifier.VerifyASN1 = %v, want %v", !want, want)
		}
	})
}

// FuzzVerifyIntegers compares verdicts for any r and s, of a key whose digest they
// sign if the fuzzer does not change them.
func FuzzVerifyIntegers(f *testing.F) {
	key, digest := newKey(), digestOf("fuzz")
	verifier := must(ecdsa.NewVerifier(&key.PublicKey))
	r, s, err := stdecdsa.Sign(rand.Reader, key, digest)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(r.Bytes(), s.Bytes(), false, false)
	f.Add(r.Bytes(), new(big.Int).Sub(key.Params().N, s).Bytes(), false, true)
	f.Add(new(big.Int).Add(key.Params().N, r).Bytes(), s.Bytes(), true, false)
	f.Fuzz(func(t *testing.T, rb, sb []byte, negateR, negateS bool) {
		r, s := new(big.Int).SetBytes(rb), new(big.Int).SetBytes(sb)
		if negateR {
			r.Neg(r)
		}
		if negateS {
			s.Neg(s)
		}
		want := stdecdsa.Verify(&key.PublicKey, digest, r, s)
		if got := ecdsa.Verify(&key.PublicKey, digest, r, s); got != want {
			t.Errorf("Verify = %v, want %v", got, want)
		}
		if got := verifier.Verify(digest, r, s); got != want {
			t.Errorf("Verifier.Verify = %v, want %v", got, want)
		}
	})
}

// FuzzParse compares keys parsed from any bytes.
func FuzzParse(f *testing.F) {
	for _, data := range parseInputs() {
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) { compareParse(t, elliptic.P256(), data) })
}

// FuzzSign compares deterministic signatures byte for byte, and verifies the others,
// for any scalar and digest.
func FuzzSign(f *testing.F) {
	f.Add(newKey().D.Bytes(), digestOf("fuzz"), uint8(3))
	f.Add([]byte{1}, make([]byte, 32), uint8(3))
	f.Add([]byte{2}, make([]byte, 64), uint8(5))
	f.Fuzz(func(t *testing.T, scalar, digest []byte, h uint8) {
		d := new(big.Int).SetBytes(scalar)
		d.Mod(d, elliptic.P256().Params().N)
		key, err := stdecdsa.ParseRawPrivateKey(elliptic.P256(), d.FillBytes(make([]byte, 32)))
		if err != nil {
			return
		}
		signer := must(ecdsa.NewSigner(key))
		hash := hashes[int(h)%len(hashes)]
		deterministic := func(s crypto.Signer) string {
			return outcome(func() ([]byte, error) { return s.Sign(nil, digest, hash) })
		}
		if got, want := deterministic(signer), deterministic(key); got != want {
			t.Errorf("%v: %s, want %s", hash, got, want)
		}
		padded := append(digest, make([]byte, hash.Size())...)[:hash.Size()]
		if got, want := must(signer.Sign(nil, padded, hash)), must(key.Sign(nil, padded, hash)); string(got) != string(want) {
			t.Errorf("%v: signature %x, want %x", hash, got, want)
		}
		if sig := must(signer.Sign(rand.Reader, digest, nil)); !stdecdsa.VerifyASN1(&key.PublicKey, digest, sig) {
			t.Errorf("signature %x rejected", sig)
		}
	})
}
