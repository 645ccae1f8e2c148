package ecdsa_test

import (
	"crypto"
	stdecdsa "crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"fmt"
	"testing"

	"github.com/fastcrypto-go/fastcrypto/ecdsa"
	"github.com/fastcrypto-go/fastcrypto/internal/impl"
	"github.com/fastcrypto-go/fastcrypto/internal/testkit"
)

// BenchmarkECDSA measures P-256. Sizes are of messages that are hashed with SHA-256
// each time; size=digest takes a digest of 32 bytes.
func BenchmarkECDSA(b *testing.B) {
	key := newKey()
	digest := digestOf("benchmark")
	sig := must(stdecdsa.SignASN1(rand.Reader, key, digest))
	op := func(b *testing.B, name string, f func()) {
		b.Run("op="+name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				f()
			}
		})
	}
	b.Run("impl=std", func(b *testing.B) {
		op(b, "GenerateKey", func() { stdecdsa.GenerateKey(elliptic.P256(), rand.Reader) })
		op(b, "Sign/size=digest", func() { stdecdsa.SignASN1(rand.Reader, key, digest) })
		for _, size := range []int{1024, 16384} {
			message := make([]byte, size)
			op(b, fmt.Sprintf("Sign/size=%d", size), func() {
				digest := sha256.Sum256(message)
				stdecdsa.SignASN1(rand.Reader, key, digest[:])
			})
			op(b, fmt.Sprintf("Verify/size=%d", size), func() {
				digest := sha256.Sum256(message)
				stdecdsa.VerifyASN1(&key.PublicKey, digest[:], sig)
			})
		}
		op(b, "SignRFC6979/size=digest", func() { key.Sign(nil, digest, crypto.SHA256) })
		op(b, "Verify/size=digest", func() { stdecdsa.VerifyASN1(&key.PublicKey, digest, sig) })
	})
	testkit.BenchTiers(b, impl.P256, func(b *testing.B) {
		signer, verifier := must(ecdsa.NewSigner(key)), must(ecdsa.NewVerifier(&key.PublicKey))
		op(b, "GenerateKey", func() { ecdsa.GenerateKey(elliptic.P256(), rand.Reader) })
		op(b, "Sign/size=digest", func() { signer.Sign(rand.Reader, digest, crypto.SHA256) })
		for _, size := range []int{1024, 16384} {
			message := make([]byte, size)
			op(b, fmt.Sprintf("Sign/size=%d", size), func() { signer.SignMessage(rand.Reader, message, crypto.SHA256) })
			op(b, fmt.Sprintf("Verify/size=%d", size), func() {
				digest := sha256.Sum256(message)
				ecdsa.VerifyASN1(&key.PublicKey, digest[:], sig)
			})
		}
		checked := must(ecdsa.NewCheckedSigner(key))
		op(b, "SignChecked/size=digest", func() { checked.Sign(rand.Reader, digest, crypto.SHA256) })
		op(b, "SignASN1/size=digest", func() { ecdsa.SignASN1(rand.Reader, key, digest) })
		op(b, "SignRFC6979/size=digest", func() { signer.Sign(nil, digest, crypto.SHA256) })
		op(b, "Verify/size=digest", func() { ecdsa.VerifyASN1(&key.PublicKey, digest, sig) })
		op(b, "VerifyPrepared/size=digest", func() { verifier.VerifyASN1(digest, sig) })
		op(b, "NewSigner", func() { ecdsa.NewSigner(key) })
		op(b, "NewVerifier", func() { ecdsa.NewVerifier(&key.PublicKey) })
	})
}
