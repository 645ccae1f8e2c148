package ecdsa

import (
	stdecdsa "crypto/ecdsa"
	"crypto/elliptic"
	"io"
	"math/big"

	"github.com/fastcrypto-go/fastcrypto/internal/deadstack"
	"github.com/fastcrypto-go/fastcrypto/internal/p256"
	"github.com/fastcrypto-go/fastcrypto/internal/random"
)

// A PrivateKey is crypto/ecdsa's private key. Its Sign method is that of
// crypto/ecdsa; see [NewSigner] for this package's.
type PrivateKey = stdecdsa.PrivateKey

// A PublicKey is crypto/ecdsa's public key.
type PublicKey = stdecdsa.PublicKey

// GenerateKey returns a new private key for the curve c, uniform in [1, n−1] by
// rejection sampling as in FIPS 186-5, appendix A.2.2. For what rand does see the
// package documentation.
func GenerateKey(c elliptic.Curve, rand io.Reader) (*PrivateKey, error) {
	if !random.IsSystem(rand) || !onKernels(c) {
		return stdecdsa.GenerateKey(c, rand)
	}
	var d [32]byte
	random.Fill(d[:])
	for !p256.ValidScalar(&d) { // probability 2^−32
		random.Fill(d[:])
	}
	key := newPrivateKey(c, &d)
	clear(d[:])
	deadstack.Clear()
	return key, nil
}

// ParseRawPrivateKey returns the private key with the scalar that data holds: a
// big-endian integer in [1, n−1] of the curve's fixed length, 32 bytes for P-256,
// as in SEC 1, section 2.3.6. It computes the public key. c must be P-224, P-256,
// P-384 or P-521. It returns an error for any other data or curve.
func ParseRawPrivateKey(c elliptic.Curve, data []byte) (*PrivateKey, error) {
	if c == elliptic.P256() && onKernels(c) && len(data) == 32 {
		d := [32]byte(data)
		if p256.ValidScalar(&d) {
			key := newPrivateKey(c, &d)
			clear(d[:])
			deadstack.Clear()
			return key, nil
		}
	}
	return stdecdsa.ParseRawPrivateKey(c, data)
}

// ParseUncompressedPublicKey returns the public key with the point that data holds
// in the uncompressed form of SEC 1, section 2.3.3: the byte 4, then x and y, 65
// bytes in all for P-256. c must be P-224, P-256, P-384 or P-521. It returns an
// error for compressed points, for the point at infinity, for coordinates that are
// not reduced modulo the field's prime and for points that are not on the curve.
func ParseUncompressedPublicKey(c elliptic.Curve, data []byte) (*PublicKey, error) {
	if c == elliptic.P256() && onKernels(c) && len(data) == 65 && data[0] == 4 {
		var q p256.PublicKey
		x, y := [32]byte(data[1:]), [32]byte(data[33:])
		if q.SetAffine(&x, &y) {
			return &PublicKey{Curve: c, X: new(big.Int).SetBytes(x[:]), Y: new(big.Int).SetBytes(y[:])}, nil
		}
	}
	return stdecdsa.ParseUncompressedPublicKey(c, data)
}

// SignASN1 signs hash, the digest of a message, with the key priv and returns the
// signature in ASN.1 DER, for P-256 at most 72 bytes. Of a hash longer than the
// curve's order only the leftmost bits count; a shorter one is taken as it is.
//
// The nonce is hedged: it depends on the key, on fresh random bytes and on the
// hash, so a failure of the random source neither reveals the key nor repeats a
// nonce for another hash. For what rand does see the package documentation.
//
// priv is checked on each call, as in crypto/ecdsa: its scalar must lie in
// [1, n−1] and its public point on the curve. Whether the two belong together is
// not checked. A [Signer] checks once.
func SignASN1(rand io.Reader, priv *PrivateKey, hash []byte) ([]byte, error) {
	var k signingKey
	if !onKernels(priv.Curve) || !random.Ignores(rand) || !k.load(priv) {
		return stdecdsa.SignASN1(rand, priv, hash)
	}
	sig, err := k.signASN1(hash)
	k = signingKey{}
	deadstack.Clear()
	return sig, err
}

// Sign is like [SignASN1] and returns the signature as two integers in [1, n−1].
func Sign(rand io.Reader, priv *PrivateKey, hash []byte) (r, s *big.Int, err error) {
	var k signingKey
	if !onKernels(priv.Curve) || !random.Ignores(rand) || !k.load(priv) {
		return stdecdsa.Sign(rand, priv, hash)
	}
	var rb, sb [32]byte
	err = k.sign(&rb, &sb, hash)
	k = signingKey{}
	deadstack.Clear()
	if err != nil {
		return nil, nil, err
	}
	return new(big.Int).SetBytes(rb[:]), new(big.Int).SetBytes(sb[:]), nil
}

// VerifyASN1 reports whether sig is a valid signature of hash under the key pub.
// sig must be strict ASN.1 DER: minimal lengths, minimal non-negative integers, and
// nothing behind. pub may come from a peer: a point that is not on the curve makes
// the verdict false. VerifyASN1 works in variable time.
func VerifyASN1(pub *PublicKey, hash, sig []byte) bool {
	if !onKernels(pub.Curve) {
		return stdecdsa.VerifyASN1(pub, hash, sig)
	}
	var e, r, s [32]byte
	var q p256.PublicKey
	if !parseSignature(&r, &s, sig) || !loadPublicKey(&q, pub) {
		return false
	}
	hashToInt(&e, hash)
	return q.VerifyVarTime(&e, &r, &s)
}

// Verify is like [VerifyASN1] for a signature given as two integers. Integers
// outside [1, n−1] make the verdict false, nil ones make Verify panic.
func Verify(pub *PublicKey, hash []byte, r, s *big.Int) bool {
	if r.Sign() <= 0 || s.Sign() <= 0 {
		return false
	}
	if !onKernels(pub.Curve) {
		return stdecdsa.Verify(pub, hash, r, s)
	}
	var e, rb, sb [32]byte
	var q p256.PublicKey
	if !fill(&rb, r) || !fill(&sb, s) || !loadPublicKey(&q, pub) {
		return false
	}
	hashToInt(&e, hash)
	return q.VerifyVarTime(&e, &rb, &sb)
}
