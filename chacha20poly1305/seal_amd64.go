//go:build !purego

package chacha20poly1305

import (
	"unsafe"

	"github.com/fastcrypto-go/fastcrypto/internal/impl"
	kernels "github.com/fastcrypto-go/fastcrypto/kernels_amd64"
)

// short is the longest message in bytes for which each tier has a kernel that
// makes one block of key stream. With additional data of longAD bytes the other
// kernel of avx512, which absorbs it on vectors, is faster for those too.
const (
	short  = 64
	longAD = 320
)

func seal(tier impl.Tier, dst, src []byte, tag *[16]byte, key *[32]byte, nonce *[12]byte, ad []byte) {
	sealFrom(tier, 1, dst, src, tag, key, nonce, ad)
}

func open(tier impl.Tier, dst, src []byte, tag *[16]byte, key *[32]byte, nonce *[12]byte, ad []byte) {
	openFrom(tier, 1, dst, src, tag, key, nonce, ad)
}

// sealFrom is seal with the number of the first block of data.
func sealFrom(tier impl.Tier, counter uint32, dst, src []byte, tag *[16]byte, key *[32]byte, nonce *[12]byte, ad []byte) {
	n, d, s, a := len(src), unsafe.SliceData(dst), unsafe.SliceData(src), unsafe.SliceData(ad)
	switch tier {
	case impl.AVX512:
		if n <= short && len(ad) < longAD {
			kernels.ChaCha20Poly1305SealShortAVX512(d, s, n, tag, key, nonce, counter, a, len(ad))
		} else {
			kernels.ChaCha20Poly1305SealAVX512(d, s, n, tag, key, nonce, counter, a, len(ad))
		}
	case impl.AVX2:
		if n <= short {
			kernels.ChaCha20Poly1305SealShortAVX2(d, s, n, tag, key, nonce, counter, a, len(ad))
		} else {
			kernels.ChaCha20Poly1305SealAVX2(d, s, n, tag, key, nonce, counter, a, len(ad))
		}
	case impl.SSSE3:
		if n <= short {
			kernels.ChaCha20Poly1305SealShortSSSE3(d, s, n, tag, key, nonce, counter, a, len(ad))
		} else {
			kernels.ChaCha20Poly1305SealSSSE3(d, s, n, tag, key, nonce, counter, a, len(ad))
		}
	default:
		noKernel(tier)
	}
}

// openFrom is open with the number of the first block of data.
func openFrom(tier impl.Tier, counter uint32, dst, src []byte, tag *[16]byte, key *[32]byte, nonce *[12]byte, ad []byte) {
	n, d, s, a := len(src), unsafe.SliceData(dst), unsafe.SliceData(src), unsafe.SliceData(ad)
	switch tier {
	case impl.AVX512:
		if n <= short && len(ad) < longAD {
			kernels.ChaCha20Poly1305OpenShortAVX512(d, s, n, tag, key, nonce, counter, a, len(ad))
		} else {
			kernels.ChaCha20Poly1305OpenAVX512(d, s, n, tag, key, nonce, counter, a, len(ad))
		}
	case impl.AVX2:
		if n <= short {
			kernels.ChaCha20Poly1305OpenShortAVX2(d, s, n, tag, key, nonce, counter, a, len(ad))
		} else {
			kernels.ChaCha20Poly1305OpenAVX2(d, s, n, tag, key, nonce, counter, a, len(ad))
		}
	case impl.SSSE3:
		if n <= short {
			kernels.ChaCha20Poly1305OpenShortSSSE3(d, s, n, tag, key, nonce, counter, a, len(ad))
		} else {
			kernels.ChaCha20Poly1305OpenSSSE3(d, s, n, tag, key, nonce, counter, a, len(ad))
		}
	default:
		noKernel(tier)
	}
}

// hChaCha20 has one kernel for all tiers: a single block is a matter of latency.
func hChaCha20(_ impl.Tier, out *[32]byte, key *[32]byte, nonce *[16]byte) {
	kernels.HChaCha20(out, key, nonce)
}

// noKernel is reached only if the table has a row that this file does not know.
func noKernel(tier impl.Tier) { panic("chacha20poly1305: no kernel for tier " + tier.String()) }
