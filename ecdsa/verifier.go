package ecdsa

import (
	"math/big"

	"github.com/fastcrypto-go/fastcrypto/internal/p256"
)

// A Verifier verifies signatures under one public key. Where a kernel serves P-256 it
// holds a table of multiples of the key, 52 KiB, that makes a verification three to
// six times as fast as without; making it costs as much as five to seven
// verifications without. A Verifier is safe for concurrent use.
type Verifier struct {
	key   *PublicKey
	table *p256.Table // nil where crypto/ecdsa serves
}

// NewVerifier returns a Verifier for pub, which it checks and copies. It returns an
// error if pub or a part of it is nil, or if its point is not on the curve.
func NewVerifier(pub *PublicKey) (*Verifier, error) {
	if err := checkPublicKey(pub); err != nil {
		return nil, err
	}
	v := &Verifier{key: copyPublicKey(pub)}
	var q p256.PublicKey
	if onKernels(pub.Curve) && loadPublicKey(&q, pub) {
		v.table = p256.NewTable(&q)
	}
	return v, nil
}

// VerifyASN1 is like the function [VerifyASN1].
func (v *Verifier) VerifyASN1(hash, sig []byte) bool {
	if v.table == nil {
		return VerifyASN1(v.key, hash, sig)
	}
	var e, r, s [32]byte
	if !parseSignature(&r, &s, sig) {
		return false
	}
	hashToInt(&e, hash)
	return v.table.VerifyVarTime(&e, &r, &s)
}

// Verify is like the function [Verify].
func (v *Verifier) Verify(hash []byte, r, s *big.Int) bool {
	if r.Sign() <= 0 || s.Sign() <= 0 {
		return false
	}
	if v.table == nil {
		return Verify(v.key, hash, r, s)
	}
	var e, rb, sb [32]byte
	if !fill(&rb, r) || !fill(&sb, s) {
		return false
	}
	hashToInt(&e, hash)
	return v.table.VerifyVarTime(&e, &rb, &sb)
}
