package cc

import (
	. "github.com/mmcloughlin/avo/build"
)

// Text begins the kernel that seals or opens, for short messages or long ones, and
// states its contract.
func Text(open, short bool, suffix, needs string, left ...string) {
	name, what := "ChaCha20Poly1305Seal", "encrypts src to dst"
	if open {
		name, what = "ChaCha20Poly1305Open", "decrypts src to dst"
	}
	limit := "n is more than 64 and at most 2^38-64."
	if suffix == "AVX512" {
		limit = "n is 0 to 2^38-64."
	}
	if short {
		name += "Short"
		limit = "n is 0 to 64."
	}
	TEXT(name+suffix, 0, Args)
	Pragma("noescape")
	Doc(append([]string{
		name + suffix + " " + what + ", n bytes, and writes the",
		"tag of the additional data and the ciphertext (RFC 8439, section 2.8).",
		"",
		limit + " Reads and writes exactly n bytes. dst is src or does not overlap",
		"it; tag overlaps nothing. key is 32 bytes, nonce 12 bytes. Block 0 gives the",
		"one-time key; counter, 1 in the specification, is the number of the first block",
		"of data and wraps at 2^32 without a carry into the nonce.",
		"",
		"Needs " + needs + ". Secret: key, the",
		"plaintext and what derives from them; control flow depends on n and adLen only.",
	}, left...)...)
}
