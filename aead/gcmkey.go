package aead

import (
	"crypto/cipher"
	"encoding/binary"

	"github.com/fastcrypto-go/fastcrypto/internal/impl"
)

// A gcmKey is what the kernels of one tier need of a key. The kernels of an
// architecture are reached through the methods in gcm_GOARCH.go, each a switch on the
// tier: init, sealFrom, openFrom, hash, sealBlocks, holds, openBlocks and stream.
type gcmKey struct {
	roundKeys [maxRoundKeys]byte // encryption, in the byte order of FIPS 197
	rounds    int                // 10, 12 or 14
	tier      impl.Tier
	table     [gcmTableSize]byte // powers of H, in the form that the tier's kernels take
}

// newGCMKey returns a key for the tier, which must not be generic.
func newGCMKey(tier impl.Tier, roundKeys *[maxRoundKeys]byte, rounds int) *gcmKey {
	k := &gcmKey{rounds: rounds, tier: tier}
	copy(k.roundKeys[:(rounds+1)*BlockSize], roundKeys[:])
	k.makeTable()
	return k
}

func (k *gcmKey) makeTable() {
	var h [BlockSize]byte
	k.init(&h)
	clear(h[:])
}

// keyOf returns the key of an AES block for the tier that serves, or nil if the
// standard library does, or if the block is foreign.
func keyOf(b cipher.Block) *gcmKey {
	tier := impl.GCM.Tier()
	if tier == impl.Generic {
		return nil
	}
	if b, ok := b.(*block); ok {
		return b.keyFor(tier)
	}
	return stdKey(b, tier)
}

// seal encrypts src to dst, of the same length, and sets tag. The nonce has any
// positive length, and dst may overlap it.
func (k *gcmKey) seal(dst, src []byte, tag *[maxTagSize]byte, nonce, additionalData []byte) {
	var j0 [BlockSize]byte
	if len(nonce) == standardNonceSize {
		// A copy: kernels may read it again when dst, which may overlap it, is written.
		*(*[standardNonceSize]byte)(j0[:]) = [standardNonceSize]byte(nonce)
		k.sealFrom(dst, src, tag, &j0[0], standardNonceSize, additionalData)
		return
	}
	k.firstCounter(&j0, nonce)
	k.sealFrom(dst, src, tag, &j0[0], BlockSize, additionalData)
}

// open decrypts src to dst, of the same length, and sets tag to what the tag of src
// should be.
func (k *gcmKey) open(dst, src []byte, tag *[maxTagSize]byte, nonce, additionalData []byte) {
	var j0 [BlockSize]byte
	if len(nonce) == standardNonceSize {
		// A copy: kernels may read it again when dst, which may overlap it, is written.
		*(*[standardNonceSize]byte)(j0[:]) = [standardNonceSize]byte(nonce)
		k.openFrom(dst, src, tag, &j0[0], standardNonceSize, additionalData)
		return
	}
	k.firstCounter(&j0, nonce)
	k.openFrom(dst, src, tag, &j0[0], BlockSize, additionalData)
}

// firstCounter sets j0 to the counter block before a message's first: SP 800-38D,
// section 7.1, step 2.
func (k *gcmKey) firstCounter(j0 *[BlockSize]byte, nonce []byte) {
	*j0 = [BlockSize]byte{}
	if len(nonce) == standardNonceSize {
		copy(j0[:], nonce)
		j0[BlockSize-1] = 1
		return
	}
	k.hash(j0, nonce)
	k.hashLengths(j0, 0, uint64(len(nonce)))
}

// hashLengths adds the block of two lengths in bytes to the GHASH state y.
func (k *gcmKey) hashLengths(y *[BlockSize]byte, a, b uint64) {
	var lengths [BlockSize]byte
	binary.BigEndian.PutUint64(lengths[:], a*8)
	binary.BigEndian.PutUint64(lengths[8:], b*8)
	k.hash(y, lengths[:])
}

const noKernel = "aead: internal error: no such kernel"
