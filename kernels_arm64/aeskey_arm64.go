//go:build !purego

package kernels

// AESExpandKey computes the round keys of AES for encryption.
//
//	roundKeys = KeyExpansion(key), (rounds + 1) · 16 bytes
//
// Source: FIPS 197, section 5.2; the bytes are in its order. key points to 16, 24
// or 32 bytes for rounds of 10, 12 or 14. What follows the round keys in roundKeys
// stays as it is. The arguments must not overlap.
//
// Needs AES. The key and the round keys are secret; control flow depends on rounds
// only, and SubWord is an instruction. Registers V0–V3 keep words of the key.
//
//go:noescape
func AESExpandKey(roundKeys *[240]byte, key *byte, rounds int)
