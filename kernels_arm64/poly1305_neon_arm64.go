//go:build !purego

package kernels

// Poly1305SumNEON computes the tag of a whole message:
//
//	*out = (sum of (M_i + 2^(8 len M_i)) r^(q-i) mod 2^130-5) + s mod 2^128
//
// for the blocks M_0 … M_(q-1) of 16 bytes, the last one possibly shorter, with r =
// key[0:16], clamped, and s = key[16:32].
//
// Source: RFC 8439, section 2.5.
//
// n is at least 0, in bytes; m may have any alignment and is not touched where n is 0.
// Up to 383 bytes it runs in general registers, two limbs of 64 bits and a top; beyond
// that in vectors, eight blocks at once.
//
//   - Aliasing: out may overlap m and key.
//   - Bounds: reads and writes nothing beyond the lengths.
//   - Needs: ASIMD.
//   - Secret: key, m and out. Control flow and addresses depend on n only.
//   - Leaves: r and its powers, s, the accumulator and words of m in registers; the
//     scratch on the stack is cleared.
//
//go:noescape
func Poly1305SumNEON(out *[16]byte, m *byte, n int, key *[32]byte)

// Poly1305UpdateNEON absorbs n bytes into the state
//
//	st = {h0, h1, h2, r0, r1, s0, s1}
//
// whose accumulator is h0 + 2^64 h1 + 2^128 h2 with h2 <= 4, before and after, and
// whose r is r0 + 2^64 r1, clamped: for each block M_i of 16 bytes, h = (h + M_i +
// 2^128) r mod 2^130-5.
//
// Source: RFC 8439, section 2.5.
//
// n is a multiple of 16, at least 0, in bytes; m may have any alignment and is not
// touched where n is 0.
//
//   - Aliasing: m does not overlap st.
//   - Bounds: reads n bytes at m, and nothing beyond.
//   - Needs: ASIMD.
//   - Secret: st and m. Control flow and addresses depend on n only.
//   - Leaves: r and its powers, the accumulator and words of m in registers; the scratch
//     on the stack is cleared.
//
//go:noescape
func Poly1305UpdateNEON(st *[7]uint64, m *byte, n int)

// Poly1305FinishNEON computes the tag out of what st absorbed and the n bytes at tail
// more: h = (h + M + 2^(8n)) r for the tail M if n is not 0, then out = (h mod 2^130-5)
// + s mod 2^128.
//
// Source: RFC 8439, section 2.5.
//
// st is as in [Poly1305UpdateNEON], and stays as it is. n is at most 15, in bytes; tail
// is not touched where n is 0.
//
//   - Aliasing: out does not overlap st; it may overlap tail.
//   - Bounds: reads n bytes at tail, and nothing beyond.
//   - Needs: no feature.
//   - Secret: st, tail and out. Control flow and addresses depend on n only.
//   - Leaves: r, s and the accumulator in registers.
//
//go:noescape
func Poly1305FinishNEON(out *[16]byte, st *[7]uint64, tail *byte, n int)
