//go:build purego || (!amd64 && !arm64)

package chacha20poly1305

import "github.com/fastcrypto-go/fastcrypto/internal/impl"

func seal(tier impl.Tier, dst, src []byte, tag *[16]byte, key *[32]byte, nonce *[12]byte, ad []byte) {
	noKernel(tier)
}

func open(tier impl.Tier, dst, src []byte, tag *[16]byte, key *[32]byte, nonce *[12]byte, ad []byte) {
	noKernel(tier)
}

func hChaCha20(tier impl.Tier, out *[32]byte, key *[32]byte, nonce *[16]byte) { noKernel(tier) }

// noKernel is reached only if the table has a row that this file does not know.
func noKernel(tier impl.Tier) { panic("chacha20poly1305: no kernel for tier " + tier.String()) }
