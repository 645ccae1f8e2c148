//go:build !purego

package aead

import (
	"encoding/binary"
	"unsafe"

	"github.com/fastcrypto-go/fastcrypto/internal/impl"
	kernels "github.com/fastcrypto-go/fastcrypto/kernels_arm64"
)

const gcmTableSize = 208

// expandKey makes the round keys of a key of 16, 24 or 32 bytes.
func expandKey(roundKeys *[maxRoundKeys]byte, key []byte) {
	kernels.AESExpandKey(roundKeys, unsafe.SliceData(key), len(key)/4+6)
}

// init prepares the table, the same for both tiers, from the round keys, and sets h
// to E(K, 0).
func (k *gcmKey) init(h *[BlockSize]byte) {
	switch k.tier {
	case impl.EOR3, impl.PMULL:
		kernels.GCMInitPMULL(&k.table, &k.roundKeys, k.rounds, h)
	default:
		panic(noKernel)
	}
}

// sealFrom is seal with either a 12-byte nonce or the 16 bytes of J0 at j0.
func (k *gcmKey) sealFrom(dst, src []byte, tag *[maxTagSize]byte, j0 *byte, j0Len int, ad []byte) {
	switch k.tier {
	case impl.EOR3:
		kernels.GCMSealEOR3(unsafe.SliceData(dst), unsafe.SliceData(src), len(src), tag, j0, j0Len,
			unsafe.SliceData(ad), len(ad), &k.roundKeys, k.rounds, &k.table)
	case impl.PMULL:
		kernels.GCMSealPMULL(unsafe.SliceData(dst), unsafe.SliceData(src), len(src), tag, j0, j0Len,
			unsafe.SliceData(ad), len(ad), &k.roundKeys, k.rounds, &k.table)
	default:
		panic(noKernel)
	}
}

// openFrom is open with either a 12-byte nonce or the 16 bytes of J0 at j0.
func (k *gcmKey) openFrom(dst, src []byte, tag *[maxTagSize]byte, j0 *byte, j0Len int, ad []byte) {
	switch k.tier {
	case impl.EOR3:
		kernels.GCMOpenEOR3(unsafe.SliceData(dst), unsafe.SliceData(src), len(src), tag, j0, j0Len,
			unsafe.SliceData(ad), len(ad), &k.roundKeys, k.rounds, &k.table)
	case impl.PMULL:
		kernels.GCMOpenPMULL(unsafe.SliceData(dst), unsafe.SliceData(src), len(src), tag, j0, j0Len,
			unsafe.SliceData(ad), len(ad), &k.roundKeys, k.rounds, &k.table)
	default:
		panic(noKernel)
	}
}

// hash adds data, the last block padded with zeros, to the GHASH state y.
func (k *gcmKey) hash(y *[BlockSize]byte, data []byte) {
	if len(data) == 0 {
		return
	}
	switch k.tier {
	case impl.EOR3, impl.PMULL:
		kernels.GCMHashPMULL(y, unsafe.SliceData(data), len(data), &k.table)
	default:
		panic(noKernel)
	}
}

// shortNonce is the longest nonce that hashNonce takes.
const shortNonce = 7 * BlockSize

// hashNonce sets j0 to the hash of the nonce, padded, and its length, at once.
func (k *gcmKey) hashNonce(j0 *[BlockSize]byte, nonce []byte) {
	var whole [shortNonce + BlockSize]byte
	n := (copy(whole[:], nonce) + BlockSize - 1) &^ (BlockSize - 1)
	binary.BigEndian.PutUint64(whole[n+8:], uint64(len(nonce))*8)
	*j0 = [BlockSize]byte{}
	k.hash(j0, whole[:n+BlockSize])
}

// sealBlocks encrypts src, whole blocks, to dst, of the same length, from the counter
// block ctr on, and adds the ciphertext to the GHASH state y. The last 32 bits of ctr
// count; ctr is not changed.
func (k *gcmKey) sealBlocks(dst, src []byte, ctr, y *[BlockSize]byte) {
	if len(src) == 0 {
		return
	}
	switch k.tier {
	case impl.EOR3:
		kernels.GCMSealBlocksEOR3(unsafe.SliceData(dst), unsafe.SliceData(src), len(src), ctr, y,
			&k.roundKeys, k.rounds, &k.table)
	case impl.PMULL:
		kernels.GCMSealBlocksPMULL(unsafe.SliceData(dst), unsafe.SliceData(src), len(src), ctr, y,
			&k.roundKeys, k.rounds, &k.table)
	default:
		panic(noKernel)
	}
}

// No kernel holds chunks back: see gcm_amd64.go.
const ownSize, heldSize = 0, 0

func (k *gcmKey) chunk() int { return 0 }

func (m *message) sealChunks(dst, src []byte) { panic(noKernel) }

// openBlocks is sealBlocks for decryption: src is hashed.
func (k *gcmKey) openBlocks(dst, src []byte, ctr, y *[BlockSize]byte) {
	if len(src) == 0 {
		return
	}
	switch k.tier {
	case impl.EOR3:
		kernels.GCMOpenBlocksEOR3(unsafe.SliceData(dst), unsafe.SliceData(src), len(src), ctr, y,
			&k.roundKeys, k.rounds, &k.table)
	case impl.PMULL:
		kernels.GCMOpenBlocksPMULL(unsafe.SliceData(dst), unsafe.SliceData(src), len(src), ctr, y,
			&k.roundKeys, k.rounds, &k.table)
	default:
		panic(noKernel)
	}
}

// keyStream adds the key stream of CTR mode to src, into dst, of the same length. The
// counter of the first block is hi·2^64 + lo; lo must not wrap. It takes the tier of
// impl.CTR.
func (s *schedule) keyStream(tier impl.Tier, dst, src []byte, hi, lo uint64) {
	if len(src) == 0 {
		return
	}
	switch tier {
	case impl.EOR3:
		kernels.CTREOR3(unsafe.SliceData(dst), unsafe.SliceData(src), len(src), hi, lo, &s.roundKeys, s.rounds)
	case impl.PMULL:
		kernels.CTRPMULL(unsafe.SliceData(dst), unsafe.SliceData(src), len(src), hi, lo, &s.roundKeys, s.rounds)
	default:
		panic(noKernel)
	}
}
