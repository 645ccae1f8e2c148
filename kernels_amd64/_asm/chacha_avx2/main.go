// Command chacha_avx2 generates ChaCha20-Poly1305 on AVX2.
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
	rot16, rot8 := cc.RotateMasks()
	iota, sigma := cc.Iota(), cc.SigmaData()
	isa := cc.AVX2(rot16, rot8)
	for _, open := range []bool{false, true} {
		cc.Text(open, true, "AVX2",
			"key stream and one-time key in registers; the stack is wiped.")
		cc.Short(isa, true, p(), open)

		cc.Text(open, false, "AVX2",
			`one-time key and key stream in registers; the stack is wiped; VZEROUPPER clears the
				upper halves of the vector registers.`)
		k := &cc.Narrow{ISA: isa, Width: 32, VEX: true, P: p(), Open: open}
		k.Generate(iota, sigma)
	}
	contract.Generate()
}
