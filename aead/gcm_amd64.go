//go:build !purego

package aead

import (
	"unsafe"

	"github.com/fastcrypto-go/fastcrypto/internal/impl"
	kernels "github.com/fastcrypto-go/fastcrypto/kernels_amd64"
)

// gcmTableSize is what vaes512 takes; the others take less.
const (
	gcmTableSize = 624
	vaes256Table = 576
	aesniTable   = 512
)

// What the kernels for sealChunks keep: heldSize bytes of ciphertext, and vaes512's ownSize
// bytes besides.
const (
	ownSize    = 256
	heldSize   = 512
	narrowHeld = 256
)

// The last byte of the counter of a message, where its nonce has 12 bytes, goes from
// firstCount on; otherwise it is secret.
const (
	firstCount    = 2
	secretCounter = 256
)

// expandKey makes the round keys of a key of 16, 24 or 32 bytes.
func expandKey(roundKeys *[maxRoundKeys]byte, key []byte) {
	kernels.AESExpandKey(roundKeys, unsafe.SliceData(key), len(key)/4+6)
}

// init prepares the table from the tier and the round keys, and sets h to E(K, 0).
func (k *gcmKey) init(h *[BlockSize]byte) {
	switch k.tier {
	case impl.VAES512:
		kernels.GCMInitVAES512(&k.table, &k.roundKeys, k.rounds, h)
	case impl.VAES256:
		kernels.GCMInitVAES256((*[vaes256Table]byte)(k.table[:]), &k.roundKeys, k.rounds, h)
	case impl.AESNI:
		kernels.GCMInitAESNI((*[aesniTable]byte)(k.table[:]), &k.roundKeys, k.rounds, h)
	default:
		panic(noKernel)
	}
}

// sealFrom is seal with either a 12-byte nonce or the 16 bytes of J0 at j0.
func (k *gcmKey) sealFrom(dst, src []byte, tag *[maxTagSize]byte, j0 *byte, j0Len int, ad []byte) {
	switch k.tier {
	case impl.VAES512:
		kernels.GCMSealVAES512(unsafe.SliceData(dst), unsafe.SliceData(src), len(src), tag, j0, j0Len,
			unsafe.SliceData(ad), len(ad), &k.roundKeys, k.rounds, &k.table)
	case impl.VAES256:
		kernels.GCMSealVAES256(unsafe.SliceData(dst), unsafe.SliceData(src), len(src), tag, j0, j0Len,
			unsafe.SliceData(ad), len(ad), &k.roundKeys, k.rounds, (*[vaes256Table]byte)(k.table[:]))
	case impl.AESNI:
		kernels.GCMSealAESNI(unsafe.SliceData(dst), unsafe.SliceData(src), len(src), tag, j0, j0Len,
			unsafe.SliceData(ad), len(ad), &k.roundKeys, k.rounds, (*[aesniTable]byte)(k.table[:]))
	default:
		panic(noKernel)
	}
}

// openFrom is open with either a 12-byte nonce or the 16 bytes of J0 at j0.
func (k *gcmKey) openFrom(dst, src []byte, tag *[maxTagSize]byte, j0 *byte, j0Len int, ad []byte) {
	switch k.tier {
	case impl.VAES512:
		kernels.GCMOpenVAES512(unsafe.SliceData(dst), unsafe.SliceData(src), len(src), tag, j0, j0Len,
			unsafe.SliceData(ad), len(ad), &k.roundKeys, k.rounds, &k.table)
	case impl.VAES256:
		kernels.GCMOpenVAES256(unsafe.SliceData(dst), unsafe.SliceData(src), len(src), tag, j0, j0Len,
			unsafe.SliceData(ad), len(ad), &k.roundKeys, k.rounds, (*[vaes256Table]byte)(k.table[:]))
	case impl.AESNI:
		kernels.GCMOpenAESNI(unsafe.SliceData(dst), unsafe.SliceData(src), len(src), tag, j0, j0Len,
			unsafe.SliceData(ad), len(ad), &k.roundKeys, k.rounds, (*[aesniTable]byte)(k.table[:]))
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
	case impl.VAES512:
		kernels.GCMHashVAES512(y, unsafe.SliceData(data), len(data), &k.table)
	case impl.VAES256:
		kernels.GCMHashVAES256(y, unsafe.SliceData(data), len(data), (*[vaes256Table]byte)(k.table[:]))
	case impl.AESNI:
		kernels.GCMHashAESNI(y, unsafe.SliceData(data), len(data), (*[aesniTable]byte)(k.table[:]))
	default:
		panic(noKernel)
	}
}

// shortNonce is the longest nonce that hashNonce takes.
const shortNonce = 128

// hashNonce sets j0 to the hash of the nonce, which is not empty, and its length.
func (k *gcmKey) hashNonce(j0 *[BlockSize]byte, nonce []byte) {
	switch k.tier {
	case impl.VAES512:
		kernels.GCMNonceVAES512(j0, unsafe.SliceData(nonce), len(nonce), &k.table)
	case impl.VAES256:
		kernels.GCMNonceVAES256(j0, unsafe.SliceData(nonce), len(nonce), (*[vaes256Table]byte)(k.table[:]))
	case impl.AESNI:
		kernels.GCMNonceAESNI(j0, unsafe.SliceData(nonce), len(nonce), (*[aesniTable]byte)(k.table[:]))
	default:
		panic(noKernel)
	}
}

// sealBlocks encrypts src, whole blocks, to dst, of the same length, from the counter
// block ctr on, and adds the ciphertext to the GHASH state y. The last 32 bits of ctr
// count; ctr is not changed.
func (k *gcmKey) sealBlocks(dst, src []byte, ctr, y *[BlockSize]byte) {
	if len(src) == 0 {
		return
	}
	switch k.tier {
	case impl.VAES512:
		kernels.GCMSealBlocksVAES512(unsafe.SliceData(dst), unsafe.SliceData(src), len(src), ctr, y,
			&k.roundKeys, k.rounds, &k.table)
	case impl.VAES256:
		kernels.GCMSealBlocksVAES256(unsafe.SliceData(dst), unsafe.SliceData(src), len(src), ctr, y,
			&k.roundKeys, k.rounds, (*[vaes256Table]byte)(k.table[:]))
	case impl.AESNI:
		kernels.GCMSealBlocksAESNI(unsafe.SliceData(dst), unsafe.SliceData(src), len(src), ctr, y,
			&k.roundKeys, k.rounds, (*[aesniTable]byte)(k.table[:]))
	default:
		panic(noKernel)
	}
}

// chunk returns the length of which sealChunks takes multiples, or 0 if the tier has no
// kernel for it.
func (k *gcmKey) chunk() int {
	switch k.tier {
	case impl.VAES512:
		return heldSize
	case impl.VAES256, impl.AESNI:
		return narrowHeld
	default:
		return 0
	}
}

// sealChunks is seal for a multiple of key.chunk bytes, but 0, where no block is under way.
func (m *message) sealChunks(dst, src []byte) {
	k := m.key
	switch k.tier {
	case impl.VAES512:
		kernels.GCMSealChunksVAES512(unsafe.SliceData(dst), unsafe.SliceData(src), len(src),
			(*[ownSize + heldSize]byte)(m.held[:]), m.holds, &m.j0, m.counter, &m.y, &k.roundKeys, k.rounds, &k.table)
	case impl.VAES256:
		low := secretCounter
		if m.standard {
			low = int(byte(firstCount + m.length/BlockSize))
		}
		kernels.GCMSealChunksVAES256(unsafe.SliceData(dst), unsafe.SliceData(src), len(src),
			(*[narrowHeld]byte)(m.held[ownSize:]), m.holds, &m.j0, m.counter, low, &m.y, &k.roundKeys, k.rounds,
			(*[vaes256Table]byte)(k.table[:]))
	case impl.AESNI:
		kernels.GCMSealChunksAESNI(unsafe.SliceData(dst), unsafe.SliceData(src), len(src),
			(*[narrowHeld]byte)(m.held[ownSize:]), m.holds, &m.j0, m.counter, &m.y, &k.roundKeys, k.rounds,
			(*[aesniTable]byte)(k.table[:]))
	default:
		panic(noKernel)
	}
	m.holds = k.chunk()
	m.count(len(src) / BlockSize)
	m.length += uint64(len(src))
}

// openBlocks is sealBlocks for decryption: src is hashed.
func (k *gcmKey) openBlocks(dst, src []byte, ctr, y *[BlockSize]byte) {
	if len(src) == 0 {
		return
	}
	switch k.tier {
	case impl.VAES512:
		kernels.GCMOpenBlocksVAES512(unsafe.SliceData(dst), unsafe.SliceData(src), len(src), ctr, y,
			&k.roundKeys, k.rounds, &k.table)
	case impl.VAES256:
		kernels.GCMOpenBlocksVAES256(unsafe.SliceData(dst), unsafe.SliceData(src), len(src), ctr, y,
			&k.roundKeys, k.rounds, (*[vaes256Table]byte)(k.table[:]))
	case impl.AESNI:
		kernels.GCMOpenBlocksAESNI(unsafe.SliceData(dst), unsafe.SliceData(src), len(src), ctr, y,
			&k.roundKeys, k.rounds, (*[aesniTable]byte)(k.table[:]))
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
	case impl.VAES512:
		kernels.CTRVAES512(unsafe.SliceData(dst), unsafe.SliceData(src), len(src), hi, lo, &s.roundKeys, s.rounds)
	case impl.VAES256:
		kernels.CTRVAES256(unsafe.SliceData(dst), unsafe.SliceData(src), len(src), hi, lo, &s.roundKeys, s.rounds)
	case impl.AESNI:
		kernels.CTRAESNI(unsafe.SliceData(dst), unsafe.SliceData(src), len(src), hi, lo, &s.roundKeys, s.rounds)
	default:
		panic(noKernel)
	}
}
