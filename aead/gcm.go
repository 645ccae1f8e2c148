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
func NewGCM(block cipher.Block) (cipher.AEAD, error) {
	if g := tryGCM(block, standardNonceSize, maxTagSize); g != nil {
		return g, nil
	}
	return cipher.NewGCM(stdOf(block))
}

// NewGCMWithNonceSize is like [NewGCM] with nonces of the given size in bytes,
// which must be positive. It stands in for cipher.NewGCMWithNonceSize. Sizes
// other than 12 are for compatibility only: they are slower and, if short, weak.
func NewGCMWithNonceSize(block cipher.Block, nonceSize int) (cipher.AEAD, error) {
	if g := tryGCM(block, nonceSize, maxTagSize); g != nil {
		return g, nil
	}
	return cipher.NewGCMWithNonceSize(stdOf(block), nonceSize)
}

// NewGCMWithTagSize is like [NewGCM] with tags of the given size, 12 to 16 bytes.
// It stands in for cipher.NewGCMWithTagSize.
func NewGCMWithTagSize(block cipher.Block, tagSize int) (cipher.AEAD, error) {
	if g := tryGCM(block, standardNonceSize, tagSize); g != nil {
		return g, nil
	}
	return cipher.NewGCMWithTagSize(stdOf(block), tagSize)
}

// newGCM serves the hook that crypto/cipher calls on our block.
func newGCM(b *block, nonceSize, tagSize int) (cipher.AEAD, error) {
	if g := tryGCM(b, nonceSize, tagSize); g != nil {
		return g, nil
	}
	if tagSize == maxTagSize {
		return cipher.NewGCMWithNonceSize(b.std(), nonceSize)
	}
	if nonceSize == standardNonceSize {
		return cipher.NewGCMWithTagSize(b.std(), tagSize)
	}
	return nil, errors.New("cipher: GCM with both sizes nonstandard is not available here")
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
	key       *gcmKey // shared, and not written to any more
	nonceSize int
	tagSize   int
}

// tryGCM returns nil where the standard library is to serve, or to give the
// error: with foreign blocks, bad sizes, or no kernel.
func tryGCM(b cipher.Block, nonceSize, tagSize int) *gcm {
	if nonceSize <= 0 || tagSize < minTagSize || tagSize > maxTagSize {
		return nil
	}
	key := keyOf(b)
	if key == nil {
		return nil
	}
	return &gcm{key, nonceSize, tagSize}
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
	g.key.seal(out[:len(plaintext)], plaintext, &tag, nonce, additionalData)
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
	g.key.open(out, ciphertext[:n], &tag, nonce, additionalData)
	if subtle.ConstantTimeCompare(tag[:g.tagSize], ciphertext[n:]) != 1 {
		clear(out)
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
