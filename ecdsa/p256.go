package ecdsa

import (
	"crypto/elliptic"
	"crypto/sha512"
	"math/big"
	"math/bits"

	"github.com/fastcrypto-go/fastcrypto/internal/impl"
	"github.com/fastcrypto-go/fastcrypto/internal/p256"
	"github.com/fastcrypto-go/fastcrypto/internal/random"
)

// onKernels reports whether c is P-256 and a kernel serves it. As in crypto/ecdsa
// the parameters decide which curve it is.
func onKernels(c elliptic.Curve) bool {
	return c.Params() == elliptic.P256().Params() && impl.P256.Tier() != impl.Generic
}

// loadPublicKey sets q to pub's point. It reports whether that is on the curve.
func loadPublicKey(q *p256.PublicKey, pub *PublicKey) bool {
	var x, y [32]byte
	return fill(&x, pub.X) && fill(&y, pub.Y) && q.SetAffine(&x, &y)
}

// fill sets b to v, big-endian. It reports whether 0 ≤ v < 2^256. It depends on how
// many words v has and on nothing else, unlike v.FillBytes, which looks for the first
// byte that is not 0.
func fill(b *[32]byte, v *big.Int) bool {
	if v.Sign() < 0 || v.BitLen() > 256 {
		return false
	}
	*b = [32]byte{}
	const size = bits.UintSize / 8
	for i, w := range v.Bits() {
		for j := range size {
			b[len(b)-1-size*i-j] = byte(w >> (8 * j))
		}
	}
	return true
}

// hashToInt sets e to the integer, below 2^256, that FIPS 186-5, section 6.4.1,
// makes of a hash: its leftmost 256 bits, or the whole of a shorter one.
func hashToInt(e *[32]byte, hash []byte) {
	rightAlign(e, hash[:min(len(hash), len(e))])
}

// A signingKey is what signing with a P-256 key needs. All of it is secret.
type signingKey struct {
	d      [32]byte // the private scalar, big-endian, in [1, n−1]
	prefix [32]byte // the key's share in its hedged nonces
}

// load sets k to the key priv. It reports whether priv is valid: its scalar in
// [1, n−1] and its public point on the curve.
func (k *signingKey) load(priv *PrivateKey) bool {
	var q p256.PublicKey
	if !loadPublicKey(&q, &priv.PublicKey) || !fill(&k.d, priv.D) || !p256.ValidScalar(&k.d) {
		return false
	}
	k.prefix = noncePrefix(&k.d)
	return true
}

// prefixLabel separates the derivation of a nonce prefix from every other use of
// SHA-512 on a private key.
const prefixLabel = "fastcrypto ECDSA P-256 hedged nonce prefix v1\x00"

// noncePrefix returns the first 256 bits of SHA-512(prefixLabel ‖ d).
func noncePrefix(d *[32]byte) (prefix [32]byte) {
	var in [len(prefixLabel) + 32]byte
	copy(in[copy(in[:], prefixLabel):], d[:])
	sum := sha512.Sum512(in[:])
	copy(prefix[:], sum[:])
	clear(in[:])
	clear(sum[:])
	return prefix
}

// hedgedNonce sets nonce to SHA-512(prefix ‖ z ‖ e) mod n. It reports whether that
// is not zero. The three parts have fixed lengths and fill one block. With z uniform
// the nonce's bias is below 2^−256; with z constant or known it is still a secret
// function of key and e alone, as in RFC 6979.
func (k *signingKey) hedgedNonce(nonce, z, e *[32]byte) bool {
	var in [96]byte
	copy(in[:32], k.prefix[:])
	copy(in[32:64], z[:])
	copy(in[64:], e[:])
	wide := sha512.Sum512(in[:])
	ok := p256.ReduceWide(nonce, &wide)
	clear(in[:])
	clear(wide[:])
	return ok
}

// sign sets (r, s) to the signature of hash with a hedged nonce.
func (k *signingKey) sign(r, s *[32]byte, hash []byte) error {
	var e, nonce [32]byte
	k.prepare(&nonce, &e, hash)
	return k.signWithNonce(r, s, &nonce, &e)
}

// prepare sets e to the integer of hash and nonce to a hedged nonce for it.
func (k *signingKey) prepare(nonce, e *[32]byte, hash []byte) {
	var z [32]byte
	hashToInt(e, hash)
	random.Fill(z[:])
	for !k.hedgedNonce(nonce, &z, e) { // probability 2^−256
		random.Fill(z[:])
	}
}

// signWithNonce sets (r, s) to the signature of e and clears the nonce, which must
// serve only once.
func (k *signingKey) signWithNonce(r, s, nonce, e *[32]byte) error {
	ok := p256.Sign(r, s, &k.d, nonce, e)
	*nonce = [32]byte{}
	if !ok {
		return ErrFault
	}
	return nil
}

// signASN1 is sign with the signature encoded, the only thing it allocates.
func (k *signingKey) signASN1(hash []byte) ([]byte, error) {
	var r, s [32]byte
	if err := k.sign(&r, &s, hash); err != nil {
		return nil, err
	}
	return encodeSignature(&r, &s), nil
}
