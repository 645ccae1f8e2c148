package aead

import (
	"crypto/cipher"
	"encoding/binary"
)

// A genericSealer is a Sealer where no kernel serves. The key stream is that of the
// standard library's CTR mode; since nothing there gives the tag of a message in
// pieces, it keeps the plaintext and has the whole sealed at last.
type genericSealer struct {
	aead      cipher.AEAD
	nonce, ad []byte
	stream    gctr
	plaintext []byte
}

func newGenericSealer(block cipher.Block, nonce, additionalData []byte) (*genericSealer, error) {
	a, err := gcmFor(block, nonce)
	if err != nil {
		return nil, err
	}
	s := &genericSealer{aead: a, nonce: clone(nonce), ad: clone(additionalData)}
	s.stream.init(block, a, nonce)
	return s, nil
}

func (s *genericSealer) update(out, plaintext []byte) {
	s.plaintext = append(s.plaintext, plaintext...)
	s.stream.xor(out, plaintext)
}

func (s *genericSealer) final(tag *[maxTagSize]byte) {
	n := len(s.plaintext)
	sealed := s.aead.Seal(s.plaintext[:0], s.nonce, s.plaintext, s.ad)
	copy(tag[:], sealed[n:])
}

// A genericOpener is an Opener where no kernel serves: it keeps the ciphertext.
type genericOpener struct {
	aead       cipher.AEAD
	nonce, ad  []byte
	ciphertext []byte
}

func newGenericOpener(block cipher.Block, nonce, additionalData []byte) (*genericOpener, error) {
	a, err := gcmFor(block, nonce)
	if err != nil {
		return nil, err
	}
	return &genericOpener{aead: a, nonce: clone(nonce), ad: clone(additionalData)}, nil
}

func (o *genericOpener) update(ciphertext []byte) { o.ciphertext = append(o.ciphertext, ciphertext...) }

func (o *genericOpener) final(dst, tag []byte) ([]byte, error) {
	return o.aead.Open(dst, o.nonce, append(o.ciphertext, tag...), o.ad)
}

func gcmFor(block cipher.Block, nonce []byte) (cipher.AEAD, error) {
	if len(nonce) == standardNonceSize {
		return NewGCM(block)
	}
	return NewGCMWithNonceSize(block, len(nonce))
}

// A gctr is the key stream of GCM's counter mode (SP 800-38D, section 6.5), in
// which only the last 32 bits of the counter block count, on top of the standard
// library's, in which all 128 do.
type gctr struct {
	block  cipher.Block
	start  [BlockSize]byte // the counter block of the first block of the message
	stream cipher.Stream
	left   uint64 // bytes until the 32-bit counter wraps
}

// init finds the first counter block. For a 12-byte nonce the specification
// gives it; for others, sealing a block of zeros shows its encryption.
func (c *gctr) init(block cipher.Block, a cipher.AEAD, nonce []byte) {
	c.block = stdOf(block)
	if len(nonce) == standardNonceSize {
		copy(c.start[:], nonce)
		c.start[BlockSize-1] = 2
	} else {
		keyStream := a.Seal(nil, nonce, make([]byte, BlockSize), nil)
		c.block.Decrypt(c.start[:], keyStream[:BlockSize])
	}
	c.restart()
}

func (c *gctr) restart() {
	c.stream = cipher.NewCTR(c.block, c.start[:])
	c.left = (1<<32 - uint64(binary.BigEndian.Uint32(c.start[12:]))) * BlockSize
}

func (c *gctr) xor(dst, src []byte) {
	for uint64(len(src)) >= c.left {
		n := c.left
		c.stream.XORKeyStream(dst[:n], src[:n])
		dst, src = dst[n:], src[n:]
		clear(c.start[12:])
		c.restart()
	}
	c.stream.XORKeyStream(dst, src)
	c.left -= uint64(len(src))
}

func clone(b []byte) []byte { return append([]byte(nil), b...) }
