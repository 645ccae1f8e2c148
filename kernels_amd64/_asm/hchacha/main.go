// Command hchacha generates HChaCha20 on general registers.
package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"

	"github.com/fastcrypto-go/fastcrypto/kernels_amd64/_asm/internal/cc"
)

func main() {
	ConstraintExpr("!purego")
	TEXT("HChaCha20", 0, "func(out, key *[32]byte, nonce *[16]byte)")
	Pragma("noescape")
	Doc(
		"HChaCha20 writes the subkey of draft-irtf-cfrg-xchacha-03, section 2.2: words 0 to",
		"3 and 12 to 15 of the state after 20 rounds without the final addition.",
		"",
		"out may be key. Needs no feature; it is latency that counts for one block, and",
		"general registers have the least. Secret: key and out; there is no branch on data.",
		"Words of the state remain in registers and on the stack.",
	)
	frame := AllocLocal(24)
	count := frame.Offset(16)
	arg := func(name string) func(GPPhysical) { return func(r GPPhysical) { Load(Param(name), r) } }
	g := cc.NewGeneral(frame)
	g.Init(arg("key"), arg("nonce"), nil)
	MOVQ(U32(10), count)
	Label("loop")
	cc.Emit(g.DoubleRound())
	DECQ(count)
	JNZ(LabelRef("loop"))
	Load(Param("out"), RSI)
	for i := range 4 {
		MOVL(g.A[i].As32(), Mem{Base: RSI, Disp: 4 * i})
		MOVL(g.D[i].As32(), Mem{Base: RSI, Disp: 16 + 4*i})
	}
	RET()
	Generate()
}
