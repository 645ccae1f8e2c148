package aead

import (
	"crypto/cipher"
	"crypto/subtle"
	"encoding/binary"
	"errors"
	"math/bits"

	"github.com/fastcrypto-go/fastcrypto/internal/alias"
	"github.com/fastcrypto-go/fastcrypto/internal/impl"
)

func init() { impl.CTR.Register(katCTR) }

// NewCTR is called by cipher.NewCTR.
func (b *block) NewCTR(iv []byte) cipher.Stream {
	tier := impl.CTR.Tier()
	if tier == impl.Generic || len(iv) != BlockSize {
		return cipher.NewCTR(b.std(), iv) // which panics on a wrong length
	}
	c := newCTR(tier, iv)
	b.schedule(&c.schedule)
	return c
}

// A ctr is a stream of AES in counter mode (SP 800-38A, section 6.5) on a kernel. All
// 128 bits of the counter count.
type ctr struct {
	schedule
	tier   impl.Tier
	hi, lo uint64 // counter of the block that the next byte belongs to
	used   int    // bytes of that block that were used
}

// newCTR returns a stream that lacks its key.
func newCTR(tier impl.Tier, iv []byte) *ctr {
	return &ctr{tier: tier, hi: binary.BigEndian.Uint64(iv), lo: binary.BigEndian.Uint64(iv[8:])}
}

// XORKeyStream adds the next bytes of the key stream to src, into dst.
func (c *ctr) XORKeyStream(dst, src []byte) {
	if len(dst) < len(src) {
		panic("crypto/aes: len(dst) < len(src)")
	}
	dst = dst[:len(src)]
	if alias.InexactOverlap(dst, src) {
		panic("crypto/aes: invalid buffer overlap")
	}
	if c.used != 0 && len(src) > 0 {
		// The rest of a block, or some of it.
		var stream [BlockSize]byte
		c.keyStream(c.tier, stream[:], stream[:], c.hi, c.lo)
		n := subtle.XORBytes(dst, src, stream[c.used:])
		clear(stream[:])
		c.skip(n)
		dst, src = dst[n:], src[n:]
	}
	for len(src) > 0 {
		// The kernel carries through 64 bits: stop where they wrap.
		n := len(src)
		if left := -c.lo; left != 0 && uint64(n) > left*BlockSize && left < 1<<58 {
			n = int(left * BlockSize)
		}
		c.keyStream(c.tier, dst[:n], src[:n], c.hi, c.lo)
		c.skip(n)
		dst, src = dst[n:], src[n:]
	}
}

// skip moves the counter on by n bytes.
func (c *ctr) skip(n int) {
	c.used += n
	var carry uint64
	c.lo, carry = bits.Add64(c.lo, uint64(c.used/BlockSize), 0)
	c.hi += carry
	c.used %= BlockSize
}

// katCTR compares the stream with single blocks of the standard library's AES.
func katCTR(tier impl.Tier) error {
	if tier == impl.Generic {
		return nil
	}
	const size = 1<<10 + 13
	for _, keySize := range []int{16, 24, 32} {
		key := pattern(keySize, 0, 1)
		b := &block{size: keySize, key: [32]byte(append(key, make([]byte, 32-keySize)...))}
		iv := pattern(BlockSize, 0xf0, 0)
		iv[BlockSize-1] = 0xfa
		s := newCTR(tier, iv)
		b.schedule(&s.schedule)
		got := make([]byte, size)
		s.XORKeyStream(got[:600], got[:600])
		s.XORKeyStream(got[600:], got[600:])
		var block [BlockSize]byte
		for i := range got {
			if i%BlockSize == 0 {
				b.std().Encrypt(block[:], iv)
				for j := BlockSize - 1; j >= 0; j-- {
					if iv[j]++; iv[j] != 0 {
						break
					}
				}
			}
			if got[i] != block[i%BlockSize] {
				return errors.New("AES-CTR gives a wrong key stream")
			}
		}
	}
	return nil
}
