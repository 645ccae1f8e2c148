//go:build purego || (!amd64 && !arm64)

package aead

import "github.com/fastcrypto-go/fastcrypto/internal/impl"

// Without kernels the table has no row, the tier is always generic, and nothing
// here is reached.

const (
	gcmTableSize = 0
	ownSize      = 0
	heldSize     = 0
	shortNonce   = 0
)

func expandKey(roundKeys *[maxRoundKeys]byte, key []byte) { panic(noKernel) }

func (k *gcmKey) init(h *[BlockSize]byte) { panic(noKernel) }

func (k *gcmKey) sealFrom(dst, src []byte, tag *[maxTagSize]byte, j0 *byte, j0Len int, ad []byte) {
	panic(noKernel)
}

func (k *gcmKey) openFrom(dst, src []byte, tag *[maxTagSize]byte, j0 *byte, j0Len int, ad []byte) {
	panic(noKernel)
}

func (k *gcmKey) hash(y *[BlockSize]byte, data []byte) { panic(noKernel) }

func (k *gcmKey) hashNonce(j0 *[BlockSize]byte, nonce []byte) { panic(noKernel) }

func (k *gcmKey) sealBlocks(dst, src []byte, ctr, y *[BlockSize]byte) { panic(noKernel) }

func (k *gcmKey) chunk() int { panic(noKernel) }

func (m *message) sealChunks(dst, src []byte) { panic(noKernel) }

func (k *gcmKey) openBlocks(dst, src []byte, ctr, y *[BlockSize]byte) { panic(noKernel) }

func (s *schedule) keyStream(tier impl.Tier, dst, src []byte, hi, lo uint64) { panic(noKernel) }
