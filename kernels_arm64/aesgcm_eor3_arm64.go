//go:build !purego

package kernels

// GCMSealEOR3 encrypts a message with AES-GCM.
//
//	dst = GCTR(K, J0 + 1, src)
//	tag = GHASH(ad || 0… || dst || 0… || 64-bit lengths of ad and dst in bits) + E(K, J0)
//
// Source: NIST SP 800-38D, section 7.1.
//
// J0 is the 12 bytes at j0 and a counter of 1 where j0Len is 12, and the 16 bytes at j0
// where it is 16; its last 32 bits count, and wrap. n and adLen are lengths in bytes, n
// up to 2^36 − 32. roundKeys are those of AESExpandKey for rounds of 10, 12 or 14, and
// table is GCMInitPMULL's. Alignment does not matter.
//
//   - Aliasing: dst is src or does not overlap it; j0 may overlap dst, since it is read
//     first; tag and dst overlap nothing else.
//   - Bounds: reads and writes nothing beyond the lengths.
//   - Needs: AES, PMULL, SHA3.
//   - Secret: roundKeys, table, the plaintext (src), tag, all intermediate values, and
//     the counter of a J0 that was hashed from a nonce, which would tell of the hash
//     key. Control flow and addresses depend on n, adLen, j0Len and rounds only.
//   - Leaves: round keys, powers of the hash key, and E(K, J0) in registers; the stack
//     is cleared.
//
//go:noescape
func GCMSealEOR3(dst, src *byte, n int, tag *[16]byte, j0 *byte, j0Len int, ad *byte, adLen int, roundKeys *[240]byte, rounds int, table *[208]byte)

// GCMOpenEOR3 decrypts a message with AES-GCM and computes the tag that it should have;
// the caller compares.
//
//	dst = GCTR(K, J0 + 1, src)
//	tag = GHASH(ad || 0… || src || 0… || 64-bit lengths of ad and src in bits) + E(K, J0)
//
// Source: NIST SP 800-38D, section 7.2.
//
// J0 is the 12 bytes at j0 and a counter of 1 where j0Len is 12, and the 16 bytes at j0
// where it is 16; its last 32 bits count, and wrap. n and adLen are lengths in bytes, n
// up to 2^36 − 32. roundKeys are those of AESExpandKey for rounds of 10, 12 or 14, and
// table is GCMInitPMULL's. Alignment does not matter.
//
//   - Aliasing: dst is src or does not overlap it; j0 may overlap dst, since it is read
//     first; tag and dst overlap nothing else.
//   - Bounds: reads and writes nothing beyond the lengths.
//   - Needs: AES, PMULL, SHA3.
//   - Secret: roundKeys, table, the plaintext (dst), tag, all intermediate values, and
//     the counter of a J0 that was hashed from a nonce, which would tell of the hash
//     key. Control flow and addresses depend on n, adLen, j0Len and rounds only.
//   - Leaves: round keys, powers of the hash key, and E(K, J0) in registers; the stack
//     is cleared.
//
//go:noescape
func GCMOpenEOR3(dst, src *byte, n int, tag *[16]byte, j0 *byte, j0Len int, ad *byte, adLen int, roundKeys *[240]byte, rounds int, table *[208]byte)

// GCMSealBlocksEOR3 encrypts part of a message and adds the ciphertext to a GHASH
// state.
//
//	dst = GCTR(K, ctr, src)
//	y = GHASH(y, dst || 0…)
//
// Source: NIST SP 800-38D, sections 6.4 and 6.5.
//
// n is a length in bytes of 1 or more; a last block of less than 16 bytes is hashed
// filled up with zeros, as at a message's end. The last 32 bits of ctr count, and wrap;
// ctr is not changed. y, the state, is. roundKeys, rounds and table are as for
// [GCMSealEOR3].
//
//   - Aliasing: dst is src or does not overlap it; y and dst overlap nothing else.
//   - Bounds: reads and writes nothing beyond the lengths.
//   - Needs: AES, PMULL, SHA3.
//   - Secret: roundKeys, table, the plaintext (src), ctr, y and all intermediate
//     values. Control flow and addresses depend on n and rounds only.
//   - Leaves: round keys, powers of the hash key, and key stream in registers; the
//     stack is cleared.
//
//go:noescape
func GCMSealBlocksEOR3(dst, src *byte, n int, ctr, y *[16]byte, roundKeys *[240]byte, rounds int, table *[208]byte)

// GCMOpenBlocksEOR3 decrypts part of a message and adds the ciphertext to a GHASH
// state.
//
//	dst = GCTR(K, ctr, src)
//	y = GHASH(y, src || 0…)
//
// Source: NIST SP 800-38D, sections 6.4 and 6.5.
//
// n is a length in bytes of 1 or more; a last block of less than 16 bytes is hashed
// filled up with zeros, as at a message's end. The last 32 bits of ctr count, and wrap;
// ctr is not changed. y, the state, is. roundKeys, rounds and table are as for
// [GCMSealEOR3].
//
//   - Aliasing: dst is src or does not overlap it; y and dst overlap nothing else.
//   - Bounds: reads and writes nothing beyond the lengths.
//   - Needs: AES, PMULL, SHA3.
//   - Secret: roundKeys, table, the plaintext (dst), ctr, y and all intermediate
//     values. Control flow and addresses depend on n and rounds only.
//   - Leaves: round keys, powers of the hash key, and key stream in registers; the
//     stack is cleared.
//
//go:noescape
func GCMOpenBlocksEOR3(dst, src *byte, n int, ctr, y *[16]byte, roundKeys *[240]byte, rounds int, table *[208]byte)
