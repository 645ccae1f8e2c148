// Command chacha_avx512 generates ChaCha20-Poly1305 on AVX-512 IFMA.
package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"

	"github.com/fastcrypto-go/fastcrypto/kernels_amd64/_asm/internal/cc"
)

func main() {
	ConstraintExpr("!purego")
	p := func() *cc.Scalar {
		return &cc.Scalar{
			H: [3]GPPhysical{R8, R9, R10}, R: [2]Op{R11, R12}, S: R13,
			T: [6]GPPhysical{RAX, RBX, RSI, RBP, RCX, R15},
		}
	}
	for _, open := range []bool{false, true} {
		name, what := "Seal", "encrypts src to dst"
		if open {
			name, what = "Open", "decrypts src to dst"
		}
		doc := func(limit string, left ...string) []string {
			return append([]string{
				" " + what + ", n bytes, and writes the tag of the additional data and",
				"the ciphertext (RFC 8439, section 2.8).",
				"",
				limit + " Reads and writes exactly n bytes. dst is src or does not overlap it; tag",
				"overlaps nothing. key is 32 bytes, nonce 12 bytes. Block 0 gives the one-time",
				"key; counter, 1 in the specification, is the number of the first block of data",
				"and wraps at 2^32 without a carry into the nonce.",
				"",
				"Needs AVX-512 F, DQ, BW, VL and IFMA, and BMI2 (tier avx512). Secret: key, the",
				"plaintext and what derives from them; control flow depends on n and adLen only.",
			}, left...)
		}
		write := func(symbol string, d []string) {
			TEXT(symbol, 0, cc.Args)
			Pragma("noescape")
			d[0] = symbol + d[0]
			Doc(d...)
		}
		write("ChaCha20Poly1305"+name+"ShortAVX512", doc("n is 0 to 64.",
			"Key stream and one-time key remain on the stack and in registers."))
		cc.Short(cc.AVX512(), true, p(), open)

		write("ChaCha20Poly1305"+name+"AVX512", doc("n is more than 64 and at most 2^38-64.",
			"One-time key and powers of r remain on the stack, key stream in registers; the",
			"upper halves of the vector registers are zeroed by VZEROUPPER."))
		long(p(), open)
	}
	Generate()
}
