// Command chacha_ssse3 generates ChaCha20-Poly1305 on SSSE3, for processors
// without AVX2.
package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/reg"

	"github.com/fastcrypto-go/fastcrypto/kernels_amd64/_asm/internal/cc"
	"github.com/fastcrypto-go/fastcrypto/kernels_amd64/_asm/internal/contract"
)

func main() {
	ConstraintExpr("!purego")
	p := func() *cc.Scalar {
		return &cc.Scalar{
			H: [3]GPPhysical{R8, R9, R10}, MulQ: true,
			T: [6]GPPhysical{RBX, R11, RSI, R14, RCX, R15},
		}
	}
	rot16, rot8 := cc.RotateMasks()
	iota, sigma := cc.Iota(), cc.SigmaData()
	isa := cc.SSSE3(rot16, rot8)
	for _, open := range []bool{false, true} {
		cc.Text(open, true, "SSSE3",
			"key stream and one-time key in registers; the stack is wiped.")
		cc.Short(isa, false, p(), open)

		cc.Text(open, false, "SSSE3",
			"one-time key and key stream in registers; the stack is wiped.")
		k := &cc.Narrow{ISA: isa, Width: 16, P: p(), Open: open}
		k.Generate(iota, sigma)
	}
	contract.Generate()
}
