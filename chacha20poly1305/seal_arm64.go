//go:build !purego

package chacha20poly1305

import (
	"unsafe"

	"github.com/fastcrypto-go/fastcrypto/internal/impl"
	kernels "github.com/fastcrypto-go/fastcrypto/kernels_arm64"
)

func seal(tier impl.Tier, dst, src []byte, tag *[16]byte, key *[32]byte, nonce *[12]byte, ad []byte) {
	crypt(tier, dst, src, tag, key, nonce, ad, false, 0)
}

func open(tier impl.Tier, dst, src []byte, tag *[16]byte, key *[32]byte, nonce *[12]byte, ad []byte) {
	crypt(tier, dst, src, tag, key, nonce, ad, true, 0)
}

// crypt is seal or open with the number of the block that gives the one-time key.
func crypt(tier impl.Tier, dst, src []byte, tag *[16]byte, key *[32]byte, nonce *[12]byte, ad []byte, open bool, first uint32) {
	d, s, a := unsafe.SliceData(dst), unsafe.SliceData(src), unsafe.SliceData(ad)
	switch tier {
	case impl.SVE2:
		kernels.ChaCha20Poly1305SVE2(d, s, len(src), a, len(ad), key, nonce, tag, open, first)
	case impl.NEON:
		kernels.ChaCha20Poly1305NEON(d, s, len(src), a, len(ad), key, nonce, tag, open, first)
	default:
		noKernel(tier)
	}
}

func hChaCha20(tier impl.Tier, out *[32]byte, key *[32]byte, nonce *[16]byte) {
	switch tier {
	case impl.SVE2, impl.NEON:
		kernels.HChaCha20NEON(out, key, nonce)
	default:
		noKernel(tier)
	}
}

// noKernel is reached only if the table has a row that this file does not know.
func noKernel(tier impl.Tier) { panic("chacha20poly1305: no kernel for tier " + tier.String()) }
