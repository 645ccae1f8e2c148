package aead

import (
	"crypto/cipher"
	"crypto/subtle"
	"errors"

	"github.com/fastcrypto-go/fastcrypto/internal/alias"
)

const (
	standardNonceSize = 12
	maxTagSize        = 16
	minTagSize        = 12 // as SP 800-38D, section 5.2.1.2, recommends

	// maxMessage is the longest plaintext in bytes: 2^32 − 2 blocks, the limit
	// of 2^39 − 256 bits in SP 800-38D, section 5.2.1.1.
	maxMessage = (1<<32 - 2) * BlockSize
)

var errOpen = errors.New("cipher: message authentication failed")

// NewGCM returns the block cipher wrapped in Galois/counter mode, with 12-byte
// nonces and 16-byte tags. It stands in for cipher.NewGCM and accepts the same
// blocks: an AES block of [NewCipher] or of aes.NewCipher gets an accelerated
// kernel, and any other block goes to cipher.NewGCM.
//
// The AEAD is safe for concurrent use and does not refer to block afterwards.
// Seal and Open allocate nothing if dst has the capacity. Seal panics on a nonce
// of a wrong length, on a plaintext of more than 2^36 − 32 bytes, and if dst
// overlaps plaintext inexactly or additionalData at all; Open panics on the
// nonce and the overlaps, and returns an error, with what it wrote cleared, if
// authentication fails.
//
// As with every GCM, a nonce must not be used twice with one key.
func NewGCM(block cipher.Block) (g cipher.AEAD, err error) {
	// Small enough to be inlined, also into package fastcrypto's functions: an AEAD
	// that does not escape needs no heap.
	g, err = new(gcm).init(block, standardNonceSize, maxTagSize)
	return
}

// NewGCMWithNonceSize is like [NewGCM] with nonces of the given size in bytes,
// which must be positive. It stands in for cipher.NewGCMWithNonceSize. Sizes
// other than 12 are for compatibility only: they are slower and, if short, weak.
func NewGCMWithNonceSize(block cipher.Block, nonceSize int) (g cipher.AEAD, err error) {
	g, err = new(gcm).init(block, nonceSize, maxTagSize)
	return
}

// NewGCMWithTagSize is like [NewGCM] with tags of the given size, 12 to 16 bytes.
// It stands in for cipher.NewGCMWithTagSize.
func NewGCMWithTagSize(block cipher.Block, tagSize int) (g cipher.AEAD, err error) {
	g, err = new(gcm).init(block, standardNonceSize, tagSize)
	return
}

// stdOf returns the standard library's block where b is ours.
func stdOf(b cipher.Block) cipher.Block {
	if b, ok := b.(*block); ok {
		return b.std()
	}
	return b
}

// A gcm is an AEAD on a kernel.
type gcm struct {
	gcmKey
	nonceSize int
	tagSize   int
}

// init makes g the AEAD of the block, or has the standard library serve or give the
// error: with foreign blocks, bad sizes, or no kernel.
func (g *gcm) init(b cipher.Block, nonceSize, tagSize int) (cipher.AEAD, error) {
	switch {
	case nonceSize > 0 && tagSize >= minTagSize && tagSize <= maxTagSize && g.of(b):
		g.nonceSize, g.tagSize = nonceSize, tagSize
		return g, nil
	case tagSize == maxTagSize:
		return cipher.NewGCMWithNonceSize(stdOf(b), nonceSize)
	case nonceSize == standardNonceSize:
		return cipher.NewGCMWithTagSize(stdOf(b), tagSize)
	default:
		return nil, errors.New("cipher: GCM with both sizes nonstandard is not available here")
	}
}

func (g *gcm) NonceSize() int { return g.nonceSize }

func (g *gcm) Overhead() int { return g.tagSize }

func (g *gcm) Seal(dst, nonce, plaintext, additionalData []byte) []byte {
	if len(nonce) != g.nonceSize {
		panic("crypto/cipher: incorrect nonce length given to GCM")
	}
	if uint64(len(plaintext)) > maxMessage {
		panic("crypto/cipher: message too large for GCM")
	}
	ret, out := alias.SliceForAppend(dst, len(plaintext)+g.tagSize)
	checkOverlap(out, plaintext, additionalData)

	var tag [maxTagSize]byte
	g.seal(out[:len(plaintext)], plaintext, &tag, nonce, additionalData)
	copy(out[len(plaintext):], tag[:])
	return ret
}

func (g *gcm) Open(dst, nonce, ciphertext, additionalData []byte) ([]byte, error) {
	if len(nonce) != g.nonceSize {
		panic("crypto/cipher: incorrect nonce length given to GCM")
	}
	if len(ciphertext) < g.tagSize || uint64(len(ciphertext)) > maxMessage+uint64(g.tagSize) {
		return nil, errOpen
	}
	n := len(ciphertext) - g.tagSize
	ret, out := alias.SliceForAppend(dst, n)
	checkOverlap(out, ciphertext, additionalData)

	var tag [maxTagSize]byte
	g.open(out, ciphertext[:n], &tag, nonce, additionalData)
	if subtle.ConstantTimeCompare(tag[:g.tagSize], ciphertext[n:]) != 1 {
		clear(out)
		clear(tag[:]) // it would make a forgery
		return nil, errOpen
	}
	return ret, nil
}

func checkOverlap(out, in, additionalData []byte) {
	if alias.InexactOverlap(out, in) {
		panic("crypto/cipher: invalid buffer overlap of output and input")
	}
	if alias.AnyOverlap(out, additionalData) {
		panic("crypto/cipher: invalid buffer overlap of output and additional data")
	}
}
