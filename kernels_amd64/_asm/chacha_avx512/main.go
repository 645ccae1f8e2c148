// Command chacha_avx512 generates ChaCha20-Poly1305 on AVX-512 IFMA.
package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"

	"github.com/fastcrypto-go/fastcrypto/kernels_amd64/_asm/internal/cc"
	"github.com/fastcrypto-go/fastcrypto/kernels_amd64/_asm/internal/contract"
)

func main() {
	ConstraintExpr("!purego")
	p := func() *cc.Scalar {
		return &cc.Scalar{
			H: [3]GPPhysical{R8, R9, R10}, R: [2]Op{R11, R12}, S: R13,
			T: [6]GPPhysical{RAX, RBX, RSI, R14, RCX, R15},
		}
	}
	for _, open := range []bool{false, true} {
		cc.Text(open, true, "AVX512",
			"key stream and one-time key in registers; the stack is wiped.")
		cc.Short(cc.AVX512(), true, p(), open)

		cc.Text(open, false, "AVX512",
			`one-time key, powers of r and key stream in registers; the stack is wiped; VZEROUPPER
				clears the upper halves of Z0–Z15.`)
		long(p(), open)
	}
	contract.Generate()
}
