package aead

import (
	"crypto/cipher"
	"encoding/binary"

	"github.com/fastcrypto-go/fastcrypto/internal/impl"
)

// A gcmKey is what the kernels of one tier need of a key. The kernels of an
// architecture are reached through the methods in gcm_GOARCH.go, each a switch on the
// tier: init, sealFrom, openFrom, hash, hashNonce, sealBlocks, chunk and openBlocks; and
// keyStream.
type gcmKey struct {
	schedule
	tier  impl.Tier
	table [gcmTableSize]byte // powers of H, in the form that the tier's kernels take
}

// A schedule is what AES needs of a key for encryption.
type schedule struct {
	roundKeys [maxRoundKeys]byte // in the byte order of FIPS 197
	rounds    int                // 10, 12 or 14
}

// makeTable makes the key of its schedule for the tier, which must not be generic.
func (k *gcmKey) makeTable(tier impl.Tier) {
	var h [BlockSize]byte
	k.tier = tier
	k.init(&h)
	clear(h[:])
}

// of makes the key of an AES block for the tier that serves. It reports false if the
// standard library does, or if the block is foreign.
func (k *gcmKey) of(b cipher.Block) bool {
	tier := impl.GCM.Tier()
	if tier == impl.Generic {
		return false
	}
	if b, ok := b.(*block); ok {
		b.schedule(&k.schedule)
		k.makeTable(tier)
		return true
	}
	return k.ofStd(b, tier)
}

// keyOf returns a key as of makes it, or nil.
func keyOf(b cipher.Block) *gcmKey {
	if b, ok := b.(*block); ok {
		if tier := impl.GCM.Tier(); tier != impl.Generic {
			return b.keyFor(tier)
		}
		return nil
	}
	if k := new(gcmKey); k.of(b) {
		return k
	}
	return nil
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
	clear(j0[:]) // depends on H
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
	clear(j0[:]) // depends on H
}

// firstCounter sets j0 to the counter block before a message's first: SP 800-38D,
// section 7.1, step 2.
func (k *gcmKey) firstCounter(j0 *[BlockSize]byte, nonce []byte) {
	switch {
	case len(nonce) == standardNonceSize:
		*j0 = [BlockSize]byte{BlockSize - 1: 1}
		copy(j0[:], nonce)
	case len(nonce) <= shortNonce:
		k.hashNonce(j0, nonce)
	default:
		*j0 = [BlockSize]byte{}
		k.hash(j0, nonce)
		var length [BlockSize]byte
		binary.BigEndian.PutUint64(length[8:], uint64(len(nonce))*8)
		k.hash(j0, length[:])
	}
}

const noKernel = "aead: internal error: no such kernel"
