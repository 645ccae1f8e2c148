//go:build !purego

package kernels

// HChaCha20NEON derives a key: words 0–3 and 12–15 of the ChaCha20 permutation of
// the constants, key and nonce, without the final addition
// (draft-irtf-cfrg-xchacha-03, section 2.2).
//
// out may alias key or nonce. Nothing beyond the arrays is read or written.
//
// Needs nothing beyond the base architecture; it carries the tier's name because
// it serves in that tier. key is secret; control flow and addresses depend on
// nothing. General registers keep the state.
//
//go:noescape
func HChaCha20NEON(out *[32]byte, key *[32]byte, nonce *[16]byte)
