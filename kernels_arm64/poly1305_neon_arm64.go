//go:build !purego

package kernels

// Poly1305SumNEON computes the tag of a whole message (RFC 8439, section 2.5):
//
//	*out = (sum of (M_i + 2^(8 len M_i)) r^(q-i) mod 2^130-5) + s mod 2^128
//
// for the blocks M_0 … M_(q-1) of 16 bytes, the last one possibly shorter, with
// r = key[0:16], clamped, and s = key[16:32].
//
// n is at least 0, in bytes; m may have any alignment and is not touched where n
// is 0. out may overlap m and key. Nothing is read or written beyond a length.
//
// Up to 511 bytes it runs in general registers, two limbs of 64 bits and a top;
// beyond that in vectors, eight blocks at once.
//
// Needs ASIMD. key and m are secret; control flow and addresses depend on n only.
// Registers keep r, s and the accumulator.
//
//go:noescape
func Poly1305SumNEON(out *[16]byte, m *byte, n int, key *[32]byte)

// Poly1305UpdateNEON absorbs n bytes into the state
//
//	st = {h0, h1, h2, r0, r1, s0, s1}
//
// whose accumulator is h0 + 2^64 h1 + 2^128 h2 with h2 <= 4, before and after,
// and whose r is r0 + 2^64 r1, clamped. n is a multiple of 16, at least 0.
// Otherwise as [Poly1305SumNEON]; m and st do not overlap.
//
//go:noescape
func Poly1305UpdateNEON(st *[7]uint64, m *byte, n int)

// Poly1305FinishNEON computes the tag of what st absorbed and n <= 15 bytes more.
// It leaves st as it was, and out does not overlap it. Otherwise as
// [Poly1305SumNEON].
//
//go:noescape
func Poly1305FinishNEON(out *[16]byte, st *[7]uint64, tail *byte, n int)
