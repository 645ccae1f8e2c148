package ecdsa

import (
	"crypto"
	"io"
)

// A BatchSigner signs with one private key for many concurrent callers, such as the
// handshakes of a busy TLS server. It implements [crypto.Signer] and
// [crypto.MessageSigner] and is safe for concurrent use. It starts no goroutine of
// its own, and a caller that is alone is served at once.
type BatchSigner struct {
	signer *Signer
}

// NewBatchSigner returns a BatchSigner for priv, which it checks and copies as
// [NewSigner] does, with the same errors.
func NewBatchSigner(priv *PrivateKey) (*BatchSigner, error) {
	s, err := NewSigner(priv)
	if err != nil {
		return nil, err
	}
	return &BatchSigner{signer: s}, nil
}

// Public returns the public key, a *[PublicKey].
func (b *BatchSigner) Public() crypto.PublicKey { return b.signer.Public() }

// Sign is like [Signer.Sign].
func (b *BatchSigner) Sign(rand io.Reader, digest []byte, opts crypto.SignerOpts) ([]byte, error) {
	return b.signer.Sign(rand, digest, opts)
}

// SignMessage is like [Signer.SignMessage].
func (b *BatchSigner) SignMessage(rand io.Reader, msg []byte, opts crypto.SignerOpts) ([]byte, error) {
	return b.signer.SignMessage(rand, msg, opts)
}
