package ecdsa

import (
	"bytes"
	"crypto"
	"crypto/sha256"
	"crypto/sha512"

	"github.com/fastcrypto-go/fastcrypto/internal/p256"
)

// signDeterministic signs digest, which hash made, with the nonce of RFC 6979,
// section 3.2. hash must be available.
func (k *signingKey) signDeterministic(digest []byte, hash crypto.Hash) ([]byte, error) {
	var e, reduced, nonce, r, s [32]byte
	hashToInt(&e, digest)
	reduce(&reduced, &e)

	var g nonceGenerator
	g.init(hash, &k.d, &reduced)
	g.next(&nonce)
	for !p256.ValidScalar(&nonce) { // probability 2^−32
		g.update()
		g.next(&nonce)
	}
	g = nonceGenerator{}
	if err := k.signWithNonce(&r, &s, &nonce, &e); err != nil {
		return nil, err
	}
	return encodeSignature(&r, &s), nil
}

// reduce sets v to e mod n.
func reduce(v, e *[32]byte) {
	var wide [64]byte
	copy(wide[32:], e[:])
	p256.ReduceWide(v, &wide)
}

const (
	maxHashSize  = 64  // of any crypto.Hash
	maxBlockSize = 144 // SHA3-224
)

// A nonceGenerator is the HMAC_DRBG of RFC 6979, section 3.2. k and v have the
// hash's size.
type nonceGenerator struct {
	hash  crypto.Hash
	size  int
	block int
	k, v  [maxHashSize]byte
}

// init takes the steps b to g for the private key d and the digest e reduced
// modulo n.
func (g *nonceGenerator) init(hash crypto.Hash, d, e *[32]byte) {
	*g = nonceGenerator{hash: hash, size: hash.Size(), block: blockSize(hash)}
	for i := range g.size {
		g.v[i] = 1
	}
	for _, separator := range []byte{0, 1} {
		var in [maxHashSize + 1 + 64]byte
		n := copy(in[:], g.v[:g.size])
		in[n] = separator
		n++
		n += copy(in[n:], d[:])
		n += copy(in[n:], e[:])
		g.hmac(&g.k, in[:n])
		g.hmac(&g.v, g.v[:g.size])
		clear(in[:])
	}
}

// next takes step h.2: it sets t to the next 256 bits.
func (g *nonceGenerator) next(t *[32]byte) {
	for n := 0; n < len(t); {
		g.hmac(&g.v, g.v[:g.size])
		n += copy(t[n:], g.v[:g.size])
	}
}

// update prepares the next candidate after one was rejected, as step h.3 says.
func (g *nonceGenerator) update() {
	var in [maxHashSize + 1]byte
	n := copy(in[:], g.v[:g.size])
	g.hmac(&g.k, in[:n+1])
	g.hmac(&g.v, g.v[:g.size])
}

// hmac sets out to HMAC(k, message). The message has at most 129 bytes and may be
// out's. No hash has a block shorter than its output, so k is never hashed first.
func (g *nonceGenerator) hmac(out *[maxHashSize]byte, message []byte) {
	var inner [maxBlockSize + maxHashSize + 1 + 64]byte
	var outer [maxBlockSize + maxHashSize]byte
	copy(inner[:], g.k[:g.size])
	copy(outer[:], g.k[:g.size])
	for i := range g.block {
		inner[i] ^= 0x36
		outer[i] ^= 0x5c
	}
	n := g.block + copy(inner[g.block:], message)
	var digest [maxHashSize]byte
	sum(&digest, g.hash, inner[:n])
	n = g.block + copy(outer[g.block:], digest[:g.size])
	sum(out, g.hash, outer[:n])
	clear(inner[:])
	clear(outer[:])
	clear(digest[:])
}

// sum sets out to hash's digest of data, without heap for the hash functions that
// are used with P-256.
func sum(out *[maxHashSize]byte, hash crypto.Hash, data []byte) {
	switch hash {
	case crypto.SHA256:
		d := sha256.Sum256(data)
		copy(out[:], d[:])
	case crypto.SHA384:
		d := sha512.Sum384(data)
		copy(out[:], d[:])
	case crypto.SHA512:
		*out = sha512.Sum512(data)
	default:
		h := hash.New()
		h.Write(bytes.Clone(data)) // what Write gets escapes
		copy(out[:], h.Sum(nil))
	}
}

// blockSize returns the length of hash's input block in bytes.
func blockSize(hash crypto.Hash) int {
	switch hash {
	case crypto.SHA256:
		return sha256.BlockSize
	case crypto.SHA384, crypto.SHA512:
		return sha512.BlockSize
	}
	return hash.New().BlockSize()
}
