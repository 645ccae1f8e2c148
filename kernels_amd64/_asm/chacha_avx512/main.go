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
	const needs = "AVX-512 F, DQ, BW, VL and IFMA, and BMI2 (tier avx512)"
	for _, open := range []bool{false, true} {
		cc.Text(open, true, "AVX512", needs,
			"Key stream and one-time key remain on the stack and in registers.")
		cc.Short(cc.AVX512(), true, p(), open)

		cc.Text(open, false, "AVX512", needs,
			"One-time key, powers of r and key stream remain on the stack and in registers;",
			"VZEROUPPER zeroes the upper halves of the vector registers.")
		long(p(), open)
	}
	Generate()
}
