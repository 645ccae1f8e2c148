package aead

import (
	"crypto/aes"
	"crypto/cipher"
	"sync/atomic"

	"github.com/fastcrypto-go/fastcrypto/internal/impl"
)

// BlockSize is the AES block size in bytes.
const BlockSize = aes.BlockSize

// maxRoundKeys is the size in bytes of the round keys of AES-256.
const maxRoundKeys = 15 * BlockSize

// NewCipher returns an AES block cipher for a key of 16, 24 or 32 bytes, which
// select AES-128, AES-192 or AES-256. It stands in for aes.NewCipher and returns
// its [aes.KeySizeError] for other lengths. The key is copied.
//
// The block works with every function of crypto/cipher. [NewGCM] and its
// siblings, here and in crypto/cipher, and cipher.NewCTR make AEADs and streams
// with accelerated kernels of it; single blocks and CBC are the standard
// library's. The block is safe for concurrent use.
//
// The key is secret; its length is not.
func NewCipher(key []byte) (b cipher.Block, err error) {
	b, err = new(block).init(key) // inlined, as NewGCM is
	return
}

// A block is an AES key. Its methods NewGCM, NewCTR, NewCBCEncrypter and NewCBCDecrypter
// are hooks that crypto/cipher looks for. It is small, because most blocks serve to make
// one AEAD, which has its own round keys.
type block struct {
	key    [32]byte
	size   int                          // of the key in bytes
	other  atomic.Pointer[cipher.Block] // what std returns
	shared atomic.Pointer[gcmKey]       // what keyFor returns
}

func (b *block) init(key []byte) (cipher.Block, error) {
	if impl.GCM.Tier() == impl.Generic || (len(key) != 16 && len(key) != 24 && len(key) != 32) {
		return aes.NewCipher(key)
	}
	b.size = copy(b.key[:], key)
	return b, nil
}

// schedule sets s to the round keys.
func (b *block) schedule(s *schedule) {
	s.rounds = b.size/4 + 6
	expandKey(&s.roundKeys, b.key[:b.size])
}

// keyFor returns the key for the tier, made when first asked for: all Sealers and
// Openers of a block share it.
func (b *block) keyFor(tier impl.Tier) *gcmKey {
	if k := b.shared.Load(); k != nil && k.tier == tier {
		return k
	}
	k := new(gcmKey)
	b.schedule(&k.schedule)
	k.makeTable(tier)
	b.shared.Store(k)
	return k
}

// std returns the standard library's block with the same key, made when first
// asked for: most programs only ever make an AEAD of a block.
func (b *block) std() cipher.Block {
	if p := b.other.Load(); p != nil {
		return *p
	}
	s, err := aes.NewCipher(b.key[:b.size])
	if err != nil {
		panic("aead: internal error: " + err.Error())
	}
	b.other.CompareAndSwap(nil, &s)
	return *b.other.Load()
}

func (b *block) BlockSize() int { return BlockSize }

func (b *block) Encrypt(dst, src []byte) { b.std().Encrypt(dst, src) }

func (b *block) Decrypt(dst, src []byte) { b.std().Decrypt(dst, src) }

// NewGCM is called by cipher.NewGCM, NewGCMWithNonceSize and NewGCMWithTagSize.
func (b *block) NewGCM(nonceSize, tagSize int) (cipher.AEAD, error) {
	return new(gcm).init(b, nonceSize, tagSize)
}

// NewCBCEncrypter is called by cipher.NewCBCEncrypter.
func (b *block) NewCBCEncrypter(iv []byte) cipher.BlockMode {
	return cipher.NewCBCEncrypter(b.std(), iv)
}

// NewCBCDecrypter is called by cipher.NewCBCDecrypter.
func (b *block) NewCBCDecrypter(iv []byte) cipher.BlockMode {
	return cipher.NewCBCDecrypter(b.std(), iv)
}
