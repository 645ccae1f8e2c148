package ecdh

import (
	"bytes"
	"crypto"
	stdecdh "crypto/ecdh"
	"crypto/subtle"
	"errors"
)

// A PublicKey is a public key, usually a peer's share of an agreement. It has been
// checked as [Curve] says. It is immutable.
type PublicKey struct {
	curve Curve
	std   *stdecdh.PublicKey // nil where p256 is not
	p256  *p256Public        // nil unless the kernels serve
}

// Bytes returns a copy of the key's encoding: an uncompressed point for the NIST
// curves, 65 bytes for P-256, and 32 bytes for X25519.
func (k *PublicKey) Bytes() []byte {
	if k.p256 != nil {
		return bytes.Clone(k.p256.enc[:])
	}
	return k.std.Bytes()
}

// Curve returns the key's curve.
func (k *PublicKey) Curve() Curve { return k.curve }

// Equal reports whether x is a *PublicKey of the same curve with the same encoding.
// It takes constant time for keys of one curve. Keys of crypto/ecdh are of another
// type and never equal; convert them first.
func (k *PublicKey) Equal(x crypto.PublicKey) bool {
	other, ok := x.(*PublicKey)
	return ok && k.curve == other.curve && subtle.ConstantTimeCompare(k.Bytes(), other.Bytes()) == 1
}

// Std returns the key as a key of crypto/ecdh. The first call may have crypto/ecdh
// check the point again; later calls return the same key.
func (k *PublicKey) Std() *stdecdh.PublicKey {
	if k.p256 != nil {
		return k.p256.toStd()
	}
	return k.std
}

// A PrivateKey is a private key with its public key. It is immutable.
type PrivateKey struct {
	curve  Curve
	public *PublicKey
	std    *stdecdh.PrivateKey // nil where p256 is not
	p256   *p256Private        // nil unless the kernels serve
}

// ECDH returns the secret that k shares with the owner of remote. It returns an
// error if the curves differ.
//
// For the NIST curves the secret is the x-coordinate of the shared point (SEC 1,
// sections 3.3.1 and 2.3.5), as many bytes as the private key; it is zero for the
// two points that have x = 0, which are as good as any other. For X25519 it is the
// result of the function X25519 of RFC 7748, and ECDH returns an error if that is
// all zeros.
//
// Use the secret as the input of a key derivation function, not as a key.
func (k *PrivateKey) ECDH(remote *PublicKey) ([]byte, error) {
	if k.curve != remote.curve {
		return nil, errors.New("crypto/ecdh: private key and public key curves do not match")
	}
	return k.curve.ecdh(k, remote)
}

// Bytes returns a copy of the key's encoding, as [Curve] describes it.
func (k *PrivateKey) Bytes() []byte {
	if k.p256 != nil {
		return bytes.Clone(k.p256.d[:])
	}
	return k.std.Bytes()
}

// Curve returns the key's curve.
func (k *PrivateKey) Curve() Curve { return k.curve }

// Equal reports whether x is a *PrivateKey of the same curve with the same
// encoding. It takes constant time for keys of one curve. Keys of crypto/ecdh are of
// another type and never equal; convert them first.
func (k *PrivateKey) Equal(x crypto.PrivateKey) bool {
	other, ok := x.(*PrivateKey)
	return ok && k.curve == other.curve && subtle.ConstantTimeCompare(k.Bytes(), other.Bytes()) == 1
}

// PublicKey returns the key's public key.
func (k *PrivateKey) PublicKey() *PublicKey { return k.public }

// Public returns the key's public key, a *[PublicKey].
func (k *PrivateKey) Public() crypto.PublicKey { return k.public }

// Std returns the key as a key of crypto/ecdh: the one that [FromStdPrivateKey] got,
// or else one that the first call has crypto/ecdh make, at the price of its key
// generation; later calls return the same key.
func (k *PrivateKey) Std() *stdecdh.PrivateKey {
	if k.p256 != nil {
		return k.p256.toStd()
	}
	return k.std
}
