//go:build !purego

package kernels

// CTREOR3 adds the key stream of AES in counter mode.
//
//	dst = src + (E(K, c) || E(K, c + 1) || …), the first n bytes, c = hi·2^64 + lo
//
// Source: NIST SP 800-38A, section 6.5; counter blocks are big-endian.
//
// n is a length in bytes of 1 or more, and lo plus the number of blocks is at most
// 2^64. roundKeys are those of AESExpandKey for rounds of 10, 12 or 14. Alignment does
// not matter.
//
//   - Aliasing: dst is src or does not overlap it; dst overlaps nothing else.
//   - Bounds: reads and writes nothing beyond the lengths.
//   - Needs: AES, SHA3.
//   - Secret: roundKeys, src and dst. Control flow and addresses depend on n, rounds
//     and lo only: the counter is public. They do not depend on lo where n is at most 16.
//   - Leaves: round keys and key stream in registers.
//
//go:noescape
func CTREOR3(dst, src *byte, n int, hi, lo uint64, roundKeys *[240]byte, rounds int)
