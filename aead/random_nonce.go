package aead

import (
	"bytes"
	"crypto/cipher"
	"crypto/rand"

	"github.com/fastcrypto-go/fastcrypto/internal/alias"
)

// NewGCMWithRandomNonce returns the AES block wrapped in Galois/counter mode with
// random nonces. It stands in for cipher.NewGCMWithRandomNonce: the block must be
// one of [NewCipher] or aes.NewCipher, NonceSize is 0 and Overhead 28. Seal
// prepends a random 96-bit nonce to the ciphertext, and Open takes it from there;
// both panic if a nonce is given.
//
// One key must not seal more than 2^32 messages (SP 800-38D, section 8.3).
func NewGCMWithRandomNonce(block cipher.Block) (cipher.AEAD, error) {
	g := &gcmRandomNonce{gcm{nonceSize: standardNonceSize, tagSize: maxTagSize}}
	if g.gcm.of(block) {
		return g, nil
	}
	return cipher.NewGCMWithRandomNonce(stdOf(block))
}

type gcmRandomNonce struct{ gcm gcm }

func (g *gcmRandomNonce) NonceSize() int { return 0 }

func (g *gcmRandomNonce) Overhead() int { return standardNonceSize + maxTagSize }

func (g *gcmRandomNonce) Seal(dst, nonce, plaintext, additionalData []byte) []byte {
	if len(nonce) != 0 {
		panic("crypto/cipher: non-empty nonce passed to GCMWithRandomNonce")
	}
	if uint64(len(plaintext)) > maxMessage {
		panic("crypto/cipher: message too large for GCM")
	}
	ret, out := alias.SliceForAppend(dst, standardNonceSize+len(plaintext)+maxTagSize)
	checkOverlap(out, plaintext, additionalData)

	// With dst = plaintext[:0] the ciphertext lies 12 bytes behind the plaintext,
	// so the plaintext is moved first.
	prefix, ciphertext := out[:standardNonceSize], out[standardNonceSize:]
	if alias.AnyOverlap(out, plaintext) {
		copy(ciphertext, plaintext)
		plaintext = ciphertext[:len(plaintext)]
	}
	rand.Read(prefix)
	g.gcm.Seal(ciphertext[:0], prefix, plaintext, additionalData)
	return ret
}

func (g *gcmRandomNonce) Open(dst, nonce, ciphertext, additionalData []byte) ([]byte, error) {
	if len(nonce) != 0 {
		panic("crypto/cipher: non-empty nonce passed to GCMWithRandomNonce")
	}
	if len(ciphertext) < standardNonceSize+maxTagSize {
		return nil, errOpen
	}
	ret, out := alias.SliceForAppend(dst, len(ciphertext)-standardNonceSize-maxTagSize)
	checkOverlap(out, ciphertext, additionalData)

	// With dst = ciphertext[:0] the ciphertext is moved over the nonce, as in the
	// standard library, if all of it belongs to dst's capacity. Where it does not, the
	// standard library panics.
	var moved [standardNonceSize]byte
	nonce, sealed := ciphertext[:standardNonceSize], ciphertext[standardNonceSize:]
	if alias.AnyOverlap(out, ciphertext) {
		copy(moved[:], nonce)
		nonce = moved[:]
		if cap(out) < len(ciphertext) {
			sealed = bytes.Clone(sealed)
		} else {
			sealed = ciphertext[:copy(ciphertext, sealed)]
		}
	}
	if _, err := g.gcm.Open(out[:0], nonce, sealed, additionalData); err != nil {
		return nil, err
	}
	return ret, nil
}
