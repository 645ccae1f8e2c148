//lint:file-ignore SA1019 keys are made by hand

package fastcrypto_test

import (
	"crypto"
	"crypto/aes"
	"crypto/cipher"
	stdecdsa "crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"fmt"
	"math/big"
	"testing"

	xchacha "golang.org/x/crypto/chacha20poly1305"

	"github.com/fastcrypto-go/fastcrypto"
	"github.com/fastcrypto-go/fastcrypto/internal/impl"
	"github.com/fastcrypto-go/fastcrypto/internal/testkit"
)

// FuzzConstructors compares the constructors with those that they stand in for, and
// what their results make of a message.
func FuzzConstructors(f *testing.F) {
	for _, n := range []int{0, 15, 16, 24, 32, 33} {
		f.Add(make([]byte, n), []byte("message"), 12, 16)
		f.Add(make([]byte, n), make([]byte, 300), 8, 12)
		f.Add(make([]byte, n), []byte{}, 0, 17)
	}
	f.Fuzz(func(t *testing.T, key, message []byte, nonceSize, tagSize int) {
		if nonceSize > 1<<16 {
			nonceSize = 1 << 16
		}
		describe := func(f func() (cipher.AEAD, error)) string {
			return testkit.Outcome(func() ([]byte, error) {
				a, err := f()
				if err != nil {
					return nil, err
				}
				out := fmt.Appendf(nil, "%d %d ", a.NonceSize(), a.Overhead())
				if a.NonceSize() == 0 {
					return a.Open(out, nil, a.Seal(nil, nil, message, nil), nil)
				}
				return a.Seal(out, make([]byte, a.NonceSize()), message, message), nil
			})
		}
		testkit.EachTier(t, impl.GCM, func(gcm impl.Tier) {
			testkit.EachTier(t, impl.ChaCha, func(chacha impl.Tier) {
				if gcm != impl.Generic && chacha != impl.Generic {
					return // each with the other switched off
				}
				check := func(what string, ours, theirs func() (cipher.AEAD, error)) {
					t.Helper()
					if got, want := describe(ours), describe(theirs); got != want {
						t.Errorf("GCM %v, ChaCha %v, %s: %s, want %s", gcm, chacha, what, got, want)
					}
				}
				check("NewChaCha20Poly1305", func() (cipher.AEAD, error) { return fastcrypto.NewChaCha20Poly1305(key) },
					func() (cipher.AEAD, error) { return xchacha.New(key) })
				check("NewXChaCha20Poly1305", func() (cipher.AEAD, error) { return fastcrypto.NewXChaCha20Poly1305(key) },
					func() (cipher.AEAD, error) { return xchacha.NewX(key) })
				std, wantErr := aes.NewCipher(key)
				ours, err := fastcrypto.NewCipher(key)
				if err != wantErr {
					t.Fatalf("NewCipher: %v, want %v", err, wantErr)
				}
				if err != nil {
					return
				}
				for _, block := range []cipher.Block{ours, std} {
					check("NewGCM", func() (cipher.AEAD, error) { return fastcrypto.NewGCM(block) }, func() (cipher.AEAD, error) { return cipher.NewGCM(std) })
					check("NewGCMWithNonceSize", func() (cipher.AEAD, error) { return fastcrypto.NewGCMWithNonceSize(block, nonceSize) },
						func() (cipher.AEAD, error) { return cipher.NewGCMWithNonceSize(std, nonceSize) })
					check("NewGCMWithTagSize", func() (cipher.AEAD, error) { return fastcrypto.NewGCMWithTagSize(block, tagSize) },
						func() (cipher.AEAD, error) { return cipher.NewGCMWithTagSize(std, tagSize) })
					check("NewGCMWithRandomNonce", func() (cipher.AEAD, error) { return fastcrypto.NewGCMWithRandomNonce(block) },
						func() (cipher.AEAD, error) { return cipher.NewGCMWithRandomNonce(std) })
				}
			})
		})
	})
}

// FuzzSigner signs with keys that may be out of order.
func FuzzSigner(f *testing.F) {
	key, err := stdecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(key.D.Bytes(), key.X.Bytes(), key.Y.Bytes(), []byte("digest"))
	f.Add(key.D.Bytes(), key.Y.Bytes(), key.X.Bytes(), []byte("digest"))
	f.Add(key.Params().N.Bytes(), key.X.Bytes(), key.Y.Bytes(), []byte{})
	f.Fuzz(func(t *testing.T, d, x, y, digest []byte) {
		if len(d)+len(x)+len(y)+len(digest) > 500 {
			return
		}
		key := &stdecdsa.PrivateKey{D: new(big.Int).SetBytes(d)}
		key.Curve, key.X, key.Y = elliptic.P256(), new(big.Int).SetBytes(x), new(big.Int).SetBytes(y)
		_, wantErr := key.Bytes()
		testkit.EachTier(t, impl.P256, func(tier impl.Tier) {
			s, err := fastcrypto.NewSigner(key)
			if fmt.Sprint(err) != fmt.Sprint(wantErr) {
				t.Fatalf("%v: %v, want %v", tier, err, wantErr)
			}
			if err != nil {
				return
			}
			for _, opts := range []crypto.SignerOpts{nil, crypto.SHA256} {
				sig, err := s.Sign(rand.Reader, digest, opts)
				want, wantErr := key.Sign(rand.Reader, digest, opts)
				if fmt.Sprint(err) != fmt.Sprint(wantErr) || stdecdsa.VerifyASN1(&key.PublicKey, digest, sig) != stdecdsa.VerifyASN1(&key.PublicKey, digest, want) {
					t.Errorf("%v: signature %x, %v, want %v", tier, sig, err, wantErr)
				}
			}
		})
	})
}
