package ecdsa

import (
	"bytes"
	"crypto"
	stdecdsa "crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"errors"
	"testing"

	"github.com/fastcrypto-go/fastcrypto/internal/impl"
	"github.com/fastcrypto-go/fastcrypto/internal/testkit"
)

// TestChecked has checked signers give what others do, and none for a private and a
// public key that do not belong together.
func TestChecked(t *testing.T) {
	testkit.Tiers(t, impl.P256, func(t *testing.T, tier impl.Tier) {
		for _, c := range []elliptic.Curve{elliptic.P256(), elliptic.P384()} {
			key, err := stdecdsa.GenerateKey(c, rand.Reader)
			if err != nil {
				t.Fatal(err)
			}
			s, err := NewCheckedSigner(key)
			if err != nil {
				t.Fatal(err)
			}
			b, err := NewCheckedBatchSigner(key)
			if err != nil {
				t.Fatal(err)
			}
			digest := bytes.Repeat([]byte{7}, 32)
			want, err := key.Sign(nil, digest, crypto.SHA256)
			if err != nil {
				t.Fatal(err)
			}
			for _, signer := range []crypto.Signer{s, b} {
				if got, err := signer.Sign(nil, digest, crypto.SHA256); err != nil || !bytes.Equal(got, want) {
					t.Errorf("deterministic signature %x, %v, want %x", got, err, want)
				}
				if sig, err := signer.Sign(rand.Reader, digest, crypto.SHA256); err != nil || !stdecdsa.VerifyASN1(&key.PublicKey, digest, sig) {
					t.Errorf("signature %x, %v", sig, err)
				}
				if sig, err := signer.Sign(nil, digest, crypto.SHA512); err == nil || errors.Is(err, ErrFault) || sig != nil {
					t.Errorf("a digest that does not fit: signature %x, error %v", sig, err)
				}
				sig, err := signer.(crypto.MessageSigner).SignMessage(rand.Reader, []byte("message"), crypto.SHA384)
				h := crypto.SHA384.New()
				h.Write([]byte("message"))
				if err != nil || !stdecdsa.VerifyASN1(&key.PublicKey, h.Sum(nil), sig) {
					t.Errorf("signature of a message %x, %v", sig, err)
				}
			}
			other, err := stdecdsa.GenerateKey(c, rand.Reader)
			if err != nil {
				t.Fatal(err)
			}
			mixed := *key
			mixed.PublicKey = other.PublicKey
			if s, err := NewCheckedSigner(&mixed); s != nil || !errors.Is(err, ErrFault) {
				t.Errorf("keys that do not belong together: error %v", err)
			}
			if b, err := NewCheckedBatchSigner(&mixed); b != nil || !errors.Is(err, ErrFault) {
				t.Errorf("keys that do not belong together: error %v", err)
			}
			if _, err := NewCheckedSigner(&PrivateKey{}); err == nil {
				t.Error("no error for an empty key")
			}
		}
	})
}

// TestCheckedKeyAtRest flips each bit of the private key that a signer holds: no
// signature leaves.
func TestCheckedKeyAtRest(t *testing.T) {
	testkit.Tiers(t, impl.P256, func(t *testing.T, tier impl.Tier) {
		if tier == impl.Generic {
			t.Skip("crypto/ecdsa holds the key")
		}
		key, err := stdecdsa.GenerateKey(elliptic.P256(), rand.Reader)
		if err != nil {
			t.Fatal(err)
		}
		s, err := NewCheckedSigner(key)
		if err != nil {
			t.Fatal(err)
		}
		b := &BatchSigner{signer: s}
		digest := make([]byte, 32)
		for bit := range 256 {
			s.p256.d[bit/8] ^= 1 << (bit % 8)
			for _, signer := range []crypto.Signer{s, b} {
				if sig, err := signer.Sign(rand.Reader, digest, crypto.SHA256); sig != nil || !errors.Is(err, ErrFault) {
					t.Errorf("bit %d: signature %x, error %v", bit, sig, err)
				}
			}
			if sig, err := s.Sign(nil, digest, crypto.SHA256); sig != nil || !errors.Is(err, ErrFault) {
				t.Errorf("bit %d: deterministic signature %x, error %v", bit, sig, err)
			}
			s.p256.d[bit/8] ^= 1 << (bit % 8)
		}
		if _, err := s.Sign(rand.Reader, digest, crypto.SHA256); err != nil {
			t.Error(err)
		}
	})
}
