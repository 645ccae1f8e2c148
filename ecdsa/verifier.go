package ecdsa

import "math/big"

// A Verifier verifies signatures under one public key. It is safe for concurrent
// use.
type Verifier struct {
	key *PublicKey
}

// NewVerifier returns a Verifier for pub, which it checks and copies. It returns an
// error if pub or a part of it is nil, or if its point is not on the curve.
func NewVerifier(pub *PublicKey) (*Verifier, error) {
	if err := checkPublicKey(pub); err != nil {
		return nil, err
	}
	return &Verifier{key: copyPublicKey(pub)}, nil
}

// VerifyASN1 is like the function [VerifyASN1].
func (v *Verifier) VerifyASN1(hash, sig []byte) bool { return VerifyASN1(v.key, hash, sig) }

// Verify is like the function [Verify].
func (v *Verifier) Verify(hash []byte, r, s *big.Int) bool { return Verify(v.key, hash, r, s) }
