package ecdh

import (
	stdecdh "crypto/ecdh"
	"fmt"
	"io"
)

// A Curve is one of the curves that this package implements. Each of the functions
// [P256], [P384], [P521] and [X25519] returns the same value every time, so that
// curves can be compared with ==. A Curve has a String method that gives its name.
type Curve interface {
	// GenerateKey returns a new random private key. Like crypto/ecdh from Go 1.26
	// on, it takes the operating system's random bytes and ignores rand, unless
	// GODEBUG=cryptocustomrand=1 is set.
	GenerateKey(rand io.Reader) (*PrivateKey, error)

	// NewPrivateKey returns the private key that key encodes.
	//
	// For the NIST curves key is a big-endian integer in [1, n−1] of fixed length,
	// 32, 48 or 66 bytes, as in SEC 1, section 2.3.6. For X25519 it is any 32 bytes.
	// For anything else NewPrivateKey returns an error. The public key is computed.
	NewPrivateKey(key []byte) (*PrivateKey, error)

	// NewPublicKey returns the public key that key encodes.
	//
	// For the NIST curves key is an uncompressed point as in SEC 1, section 2.3.3:
	// the byte 4, then x and y, 65, 97 or 133 bytes in all. NewPublicKey returns an
	// error for compressed points, for the point at infinity, for coordinates that
	// are not reduced modulo the field's prime and for points that are not on the
	// curve. For X25519 key is any 32 bytes; ECDH rejects points of low order.
	NewPublicKey(key []byte) (*PublicKey, error)

	fmt.Stringer

	// ecdh returns the secret that local and remote, both of this curve, share.
	ecdh(local *PrivateKey, remote *PublicKey) ([]byte, error)
	// fromStdPrivate and fromStdPublic wrap keys of std's curve.
	fromStdPrivate(key *stdecdh.PrivateKey) *PrivateKey
	fromStdPublic(key *stdecdh.PublicKey) *PublicKey
}

// P256 returns NIST P-256, also known as secp256r1 and prime256v1 (SP 800-186,
// section 3.2.1.3). Private keys have 32 bytes, public keys 65, shared secrets 32.
func P256() Curve { return nistP256 }

// P384 returns NIST P-384, also known as secp384r1 (SP 800-186, section 3.2.1.4).
// Private keys have 48 bytes, public keys 97, shared secrets 48.
func P384() Curve { return nistP384 }

// P521 returns NIST P-521, also known as secp521r1 (SP 800-186, section 3.2.1.5).
// Private keys have 66 bytes, public keys 133, shared secrets 66.
func P521() Curve { return nistP521 }

// X25519 returns Curve25519 as the function X25519 of RFC 7748 uses it. Private
// keys, public keys and shared secrets have 32 bytes.
func X25519() Curve { return x25519 }
