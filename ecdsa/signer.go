package ecdsa

import (
	"crypto"
	"errors"
	"io"

	"github.com/fastcrypto-go/fastcrypto/internal/deadstack"
	"github.com/fastcrypto-go/fastcrypto/internal/random"
)

// A Signer signs with one private key. It implements [crypto.Signer] and
// [crypto.MessageSigner], fits [crypto/tls.Certificate] and [crypto/x509], and is
// safe for concurrent use.
type Signer struct {
	key     *PrivateKey
	kernels bool       // p256 is set and serves
	p256    signingKey // secret

	verifier *Verifier // or nil: see NewCheckedSigner
}

// NewSigner returns a Signer for priv, which it checks and copies. It returns an
// error if priv or a part of it is nil, if its scalar is not in [1, n−1] or if its
// public point is not on the curve. That the two belong together is not checked, as
// in crypto/ecdsa.
func NewSigner(priv *PrivateKey) (*Signer, error) {
	if err := checkPrivateKey(priv); err != nil {
		return nil, err
	}
	s := &Signer{key: copyPrivateKey(priv)}
	s.kernels = onKernels(priv.Curve) && s.p256.load(priv)
	deadstack.Clear()
	return s, nil
}

// Public returns the public key, a *[PublicKey].
func (s *Signer) Public() crypto.PublicKey { return &s.key.PublicKey }

// Sign signs digest and returns the signature in ASN.1 DER, like [SignASN1].
//
// With a nil rand the signature is the deterministic one of RFC 6979, byte for byte
// that of crypto/ecdsa: opts must then not be nil, opts.HashFunc() must be the hash
// function that made the digest, and len(digest) its size, or Sign returns an
// error. With a non-nil rand opts is not looked at.
func (s *Signer) Sign(rand io.Reader, digest []byte, opts crypto.SignerOpts) ([]byte, error) {
	sig, err := s.sign(rand, digest, opts)
	deadstack.Clear()
	return s.release(digest, sig, err)
}

func (s *Signer) sign(rand io.Reader, digest []byte, opts crypto.SignerOpts) ([]byte, error) {
	switch {
	case !s.kernels:
	case rand == nil:
		if hash, ok := deterministicHash(opts, digest); ok {
			return s.p256.signDeterministic(digest, hash)
		}
	case random.Ignores(rand):
		return s.p256.signASN1(digest)
	}
	return s.key.Sign(rand, digest, opts)
}

// deterministicHash returns the hash function that opts names. It reports whether a
// deterministic signature of digest can be made with it; where not, crypto/ecdsa
// knows the error or the panic.
func deterministicHash(opts crypto.SignerOpts, digest []byte) (crypto.Hash, bool) {
	if opts == nil {
		return 0, false
	}
	hash := opts.HashFunc()
	return hash, hash.Available() && hash.Size() == len(digest)
}

// SignMessage signs the digest that opts.HashFunc() makes of msg, or msg itself if
// opts.HashFunc() is 0, as Sign does. It returns an error if opts is nil and panics
// if the hash function is not linked into the program.
func (s *Signer) SignMessage(rand io.Reader, msg []byte, opts crypto.SignerOpts) ([]byte, error) {
	var buf [maxHashSize]byte
	digest, err := messageDigest(&buf, msg, opts)
	if err != nil {
		return nil, err
	}
	return s.Sign(rand, digest, opts)
}

// messageDigest returns what SignMessage signs: msg or, in buf, its digest.
func messageDigest(buf *[maxHashSize]byte, msg []byte, opts crypto.SignerOpts) ([]byte, error) {
	if opts == nil {
		return nil, errors.New("ecdsa: SignMessage called with nil opts")
	}
	hash := opts.HashFunc()
	if hash == 0 {
		return msg, nil
	}
	sum(buf, hash, msg)
	return buf[:hash.Size()], nil
}
