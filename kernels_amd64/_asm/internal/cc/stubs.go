package cc

import "github.com/fastcrypto-go/fastcrypto/kernels_amd64/_asm/internal/contract"

// Text begins the kernel that seals or opens, for short messages or long ones, and
// states its contract.
func Text(open, short bool, suffix, left string) {
	name, what, hashed, text := "ChaCha20Poly1305Seal", "encrypts", "dst", "src"
	if open {
		name, what, hashed, text = "ChaCha20Poly1305Open", "decrypts", "src", "dst"
	}
	limit, places := "n is more than 64 and at most 2^38-64.", ""
	if suffix == "AVX512" && !short {
		limit = "n is 0 to 2^38-64."
		places = "dst src ad"
	}
	if short {
		name += "Short"
		limit = "n is 0 to 64."
	}
	name += suffix
	contract.Function(name, 0, Args, contract.Contract{
		Computes: name + " " + what + ` src to dst, n bytes, and sets tag to the tag of the adLen
			bytes of additional data at ad and of the n bytes at ` + hashed + ".",
		Source: "RFC 8439, section 2.8.",
		Arguments: limit + ` adLen is at least 0. Block 0 of key and nonce gives the one-time key; counter, 1
			in the specification, is the number of the first block of data and wraps at 2^32
			without a carry into the nonce.`,
		Aliasing: "dst is src or does not overlap it; tag and dst overlap nothing else.",
		Bounds:   "reads n bytes at src and adLen at ad and writes n at dst, and nothing beyond.",
		Secret:   "key, the plaintext (" + text + ") and what derives from them.",
		Decides:  "n adLen",
		Places:   places,
		Leaves:   left,
	})
}
