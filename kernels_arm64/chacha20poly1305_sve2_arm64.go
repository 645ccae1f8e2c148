//go:build !purego

package kernels

// ChaCha20Poly1305SVE2 encrypts or decrypts n bytes and computes their tag:
//
//	dst = src xor (ChaCha20 blocks first+1, first+2, … of key and nonce)
//	k   = bytes 0–31 of ChaCha20 block first
//	tag = Poly1305(k, ad || pad || c || pad || le64(adn) || le64(n))
//
// where c is dst, or src if open is true, pad is zeros up to a multiple of 16, and
// first is 0 in the specification; block numbers are modulo 2^32. Comparing the tag
// when opening is the caller's business. It is [ChaCha20Poly1305NEON] with rotations by
// XAR.
//
// Source: RFC 8439, section 2.8.
//
// n is 0 to 2^38-64 and adn at least 0, in bytes; dst, src and ad may have any
// alignment, and are not touched where their length is 0. The block counter has 32 bits
// and never carries into the nonce.
//
//   - Aliasing: dst is src or does not overlap it; tag and dst overlap nothing else.
//   - Bounds: reads and writes nothing beyond the lengths.
//   - Needs: ASIMD, SVE2, of any vector length.
//   - Secret: key, the plaintext (src or dst), and thereby all state. Control flow and
//     addresses depend on n, adn and open only.
//   - Leaves: state of ChaCha20 and Poly1305 in registers; the scratch on the stack is
//     cleared.
//
//go:noescape
func ChaCha20Poly1305SVE2(dst, src *byte, n int, ad *byte, adn int, key *[32]byte, nonce *[12]byte, tag *[16]byte, open bool, first uint32)
