//go:build !purego

package kernels

// GCMInitPMULL prepares a key for the AES-GCM kernels of the tiers pmull and eor3.
//
//	h = E(K, 0^128)
//	table = for i = 8, 6, 4, 2: h^i·x, h^(i−1)·x, the sums of both one's halves;
//	        then c = 0xc2 << 56 as 16 bytes
//
// Source: NIST SP 800-38D, sections 6.3 and 6.4.
//
// Powers are those in the specification's field, with the factor x that the kernels'
// reduction takes away. An element is stored as two 64-bit words in native order, that
// of the bytes 0–7 first. roundKeys are those of AESExpandKey for rounds of 10, 12 or
// 14.
//
//   - Aliasing: nothing overlaps.
//   - Bounds: reads rounds+1 round keys; writes nothing beyond table and h.
//   - Needs: AES, PMULL.
//   - Secret: roundKeys, h and table. Control flow and addresses depend on rounds only.
//   - Leaves: round keys and powers in registers.
//
//go:noescape
func GCMInitPMULL(table *[208]byte, roundKeys *[240]byte, rounds int, h *[16]byte)

// GCMHashPMULL adds data to a GHASH state.
//
//	y = GHASH(y, data || 0…), that is: for each block X of it, y = (y + X)·h
//
// Source: NIST SP 800-38D, section 6.4.
//
// n is a length in bytes of 0 or more; the last block is filled up with zeros. table is
// GCMInitPMULL's.
//
//   - Aliasing: nothing overlaps y.
//   - Bounds: reads and writes nothing beyond the lengths.
//   - Needs: PMULL.
//   - Secret: y, data and table. Control flow and addresses depend on n only.
//   - Leaves: powers of h and the state in registers; the stack is cleared.
//
//go:noescape
func GCMHashPMULL(y *[16]byte, data *byte, n int, table *[208]byte)
