package ecdsa

import (
	"crypto"
	"crypto/rand"
	"errors"
	"fmt"
)

// ErrFault is the error of a signature that came out wrong and was not released:
// this processor or its memory is broken, or a kernel is. A program does best to stop
// using the machine; what [crypto/ecdsa] computes on it is no better.
//
// Where a kernel serves, every signature is checked, which takes about 3 % of the time
// of a signature by itself and 5 % of one in a batch: that the nonce's multiple of the
// generator is on the curve, that r is its x-coordinate, and that s fits key, nonce and
// digest. A private key that was already wrong, and a wrong point that is on the curve,
// are found by [NewCheckedSigner] and [NewCheckedBatchSigner] only.
var ErrFault = errors.New("ecdsa: fault: the signature came out wrong and was not released")

// NewCheckedSigner returns a Signer like [NewSigner], whose methods verify each
// signature before they return it, and return [ErrFault] instead where it is wrong.
// Without a fault the signatures are the same.
//
// A wrong signature, beside a right one of the same nonce or by itself, can reveal the
// private key. Verifying finds every fault in the computation and in the key. With P-256
// on a kernel a signature takes 1.7 (ifma512) to 2.5 times (adx) as long, and the Signer
// holds a table of 52 KiB, as a [Verifier] does; elsewhere verifying takes as long as it
// takes crypto/ecdsa. A batch of [SignBatch] can be checked with [VerifyBatch].
//
// It signs and verifies once by itself, and returns an error if that fails: because the
// private and the public key do not belong together, or because of a fault.
func NewCheckedSigner(priv *PrivateKey) (*Signer, error) {
	s, err := NewSigner(priv)
	if err != nil {
		return nil, err
	}
	if s.verifier, err = NewVerifier(&priv.PublicKey); err != nil {
		return nil, err
	}
	digest := make([]byte, crypto.SHA256.Size())
	if _, err := s.Sign(rand.Reader, digest, crypto.SHA256); errors.Is(err, ErrFault) {
		return nil, fmt.Errorf("%w; or the private and the public key do not belong together", err)
	} else if err != nil {
		return nil, err
	}
	return s, nil
}

// NewCheckedBatchSigner returns a BatchSigner that checks its signatures as a Signer of
// [NewCheckedSigner] does. Each caller verifies its own, one at a time.
func NewCheckedBatchSigner(priv *PrivateKey) (*BatchSigner, error) {
	s, err := NewCheckedSigner(priv)
	if err != nil {
		return nil, err
	}
	return &BatchSigner{signer: s}, nil
}

// release returns the signature if it may leave.
func (s *Signer) release(digest, sig []byte, err error) ([]byte, error) {
	if s.verifier == nil || err != nil {
		return sig, err
	}
	if !s.verifier.VerifyASN1(digest, sig) {
		clear(sig)
		return nil, ErrFault
	}
	return sig, nil
}
