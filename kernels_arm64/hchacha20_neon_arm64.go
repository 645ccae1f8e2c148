//go:build !purego

package kernels

// HChaCha20NEON derives a key: words 0–3 and 12–15 of the ChaCha20 permutation of the
// constants, key and nonce, without the final addition.
//
// Source: draft-irtf-cfrg-xchacha-03, section 2.2.
//
// The arrays, out among them, have the byte order of the specification. It carries the
// tier's name because it serves in that tier.
//
//   - Aliasing: out may be key, or overlap nonce.
//   - Bounds: reads and writes nothing beyond the arrays.
//   - Needs: no feature.
//   - Secret: key and out. Control flow and addresses depend on nothing.
//   - Leaves: the state in general registers.
//
//go:noescape
func HChaCha20NEON(out *[32]byte, key *[32]byte, nonce *[16]byte)
