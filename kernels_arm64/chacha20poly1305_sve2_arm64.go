//go:build !purego

package kernels

// ChaCha20Poly1305SVE2 is [ChaCha20Poly1305NEON] with rotations by XAR. Needs
// ASIMD and SVE2, of any vector length.
//
//go:noescape
func ChaCha20Poly1305SVE2(dst, src *byte, n int, ad *byte, adn int, key *[32]byte, nonce *[12]byte, tag *[16]byte, open bool, first uint32)
