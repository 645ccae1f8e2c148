package aead

import (
	"crypto/cipher"
	"encoding/binary"
	"slices"
)

// A Sealer encrypts one message with AES-GCM in pieces of any lengths. The
// ciphertext pieces and the tag, put together, are what Seal of a [NewGCM] AEAD
// gives for the whole message. A Sealer serves one message, and one goroutine
// at a time.
type Sealer struct {
	aead      cipher.AEAD
	nonce, ad []byte
	stream    gctr
	plaintext []byte
	done      bool
}

// NewSealer returns a Sealer for one message. The block is a 128-bit block
// cipher as for [NewGCM]; the nonce has any positive length, 12 bytes being the
// standard, and must not have been used before with the block's key. Nonce and
// additionalData are copied.
func NewSealer(block cipher.Block, nonce, additionalData []byte) (*Sealer, error) {
	a, err := gcmFor(block, nonce)
	if err != nil {
		return nil, err
	}
	s := &Sealer{aead: a, nonce: clone(nonce), ad: clone(additionalData)}
	s.stream.init(block, a, nonce)
	return s, nil
}

// Update encrypts the next piece and appends its ciphertext, of the same length,
// to dst. It returns the extended slice. The appended part may overlap plaintext
// exactly or not at all. Update panics on other overlaps, after Final, and if
// the message grows beyond 2^36 − 32 bytes.
func (s *Sealer) Update(dst, plaintext []byte) []byte {
	if s.done {
		panic("aead: Sealer used after Final")
	}
	if uint64(len(plaintext)) > maxMessage-uint64(len(s.plaintext)) {
		panic("crypto/cipher: message too large for GCM")
	}
	// Grow amortises: callers append piece after piece to one slice.
	ret := slices.Grow(dst, len(plaintext))[:len(dst)+len(plaintext)]
	out := ret[len(dst):]
	checkOverlap(out, plaintext, nil)
	s.plaintext = append(s.plaintext, plaintext...)
	s.stream.xor(out, plaintext)
	return ret
}

// Final appends the 16-byte tag to dst and returns the extended slice. The
// Sealer cannot be used afterwards.
func (s *Sealer) Final(dst []byte) []byte {
	if s.done {
		panic("aead: Sealer used after Final")
	}
	s.done = true
	n := len(s.plaintext)
	sealed := s.aead.Seal(s.plaintext[:0], s.nonce, s.plaintext, s.ad)
	return append(dst, sealed[n:]...)
}

// An Opener decrypts one AES-GCM message that arrives in pieces of any lengths.
// It keeps the pieces and gives out no plaintext before the tag proved right. An
// Opener serves one message, and one goroutine at a time.
type Opener struct {
	aead       cipher.AEAD
	nonce, ad  []byte
	ciphertext []byte
	tooLong    bool
	done       bool
}

// NewOpener returns an Opener for one message, with the arguments of [NewSealer].
func NewOpener(block cipher.Block, nonce, additionalData []byte) (*Opener, error) {
	a, err := gcmFor(block, nonce)
	if err != nil {
		return nil, err
	}
	return &Opener{aead: a, nonce: clone(nonce), ad: clone(additionalData)}, nil
}

// Update takes the next piece of the ciphertext, without the tag, and copies it.
// A message beyond 2^36 − 32 bytes fails in Final. Update panics after Final.
func (o *Opener) Update(ciphertext []byte) {
	if o.done {
		panic("aead: Opener used after Final")
	}
	if o.tooLong || uint64(len(ciphertext)) > maxMessage-uint64(len(o.ciphertext)) {
		o.tooLong, o.ciphertext = true, nil
		return
	}
	o.ciphertext = append(o.ciphertext, ciphertext...)
}

// Final compares the 16-byte tag and, if it is right, appends the plaintext of
// the whole message to dst and returns the extended slice. Otherwise, and for a
// tag of another length, it returns an error and no plaintext. The Opener cannot
// be used afterwards: Final panics the second time.
func (o *Opener) Final(dst, tag []byte) ([]byte, error) {
	if o.done {
		panic("aead: Opener used after Final")
	}
	o.done = true
	if o.tooLong || len(tag) != maxTagSize {
		return nil, errOpen
	}
	return o.aead.Open(dst, o.nonce, append(o.ciphertext, tag...), o.ad)
}

func gcmFor(block cipher.Block, nonce []byte) (cipher.AEAD, error) {
	if len(nonce) == standardNonceSize {
		return NewGCM(block)
	}
	return NewGCMWithNonceSize(block, len(nonce))
}

func clone(b []byte) []byte { return append([]byte(nil), b...) }

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
