//go:build !purego

package aead

import "github.com/fastcrypto-go/fastcrypto/internal/impl"

// Until a kernel lands, the table has no row, the tier is always generic, and nothing
// here is reached.

type gcmKey struct {
	roundKeys [maxRoundKeys]byte
	rounds    int
	tier      impl.Tier
}

const unreachable = "aead: internal error: no kernel is built in"

func expandKey(roundKeys *[maxRoundKeys]byte, key []byte) { panic(unreachable) }

func (k *gcmKey) init(h *[BlockSize]byte) { panic(unreachable) }

func (k *gcmKey) seal(dst, src []byte, tag *[maxTagSize]byte, nonce, additionalData []byte) {
	panic(unreachable)
}

func (k *gcmKey) open(dst, src []byte, tag *[maxTagSize]byte, nonce, additionalData []byte) {
	panic(unreachable)
}
