//go:build !purego

package kernels

// AESExpandKey computes the round keys of AES for encryption.
//
//	roundKeys = KeyExpansion(key), (rounds + 1) · 16 bytes
//
// Source: FIPS 197, section 5.2; the bytes are in its order.
//
// key points to 16, 24 or 32 bytes for rounds of 10, 12 or 14. What follows the round
// keys in roundKeys stays as it is.
//
//   - Aliasing: nothing overlaps.
//   - Bounds: reads the key and writes the round keys, and nothing beyond.
//   - Needs: AES.
//   - Secret: key and roundKeys: SubWord is an instruction. Control flow and addresses
//     depend on rounds only.
//   - Leaves: words of the key in V0–V3.
//
//go:noescape
func AESExpandKey(roundKeys *[240]byte, key *byte, rounds int)
