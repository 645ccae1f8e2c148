// Command hchacha generates HChaCha20 on general registers.
package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"

	"github.com/fastcrypto-go/fastcrypto/kernels_amd64/_asm/internal/cc"
	"github.com/fastcrypto-go/fastcrypto/kernels_amd64/_asm/internal/contract"
	"github.com/fastcrypto-go/fastcrypto/kernels_amd64/_asm/internal/wipe"
)

func main() {
	ConstraintExpr("!purego")
	contract.Function("HChaCha20", 0, "func(out, key *[32]byte, nonce *[16]byte)", contract.Contract{
		Computes: `HChaCha20 sets out to the subkey of key and nonce: words 0 to 3 and 12 to 15 of the
			state after 20 rounds without the final addition.`,
		Source: "draft-irtf-cfrg-xchacha-03, section 2.2.",
		Arguments: `The arrays have the byte order of the specification. It is latency that counts for
			one block, and general registers have the least.`,
		Aliasing: "out may overlap key and nonce.",
		Bounds:   "reads and writes nothing beyond the arrays.",
		Secret:   "key and out.",
		Leaves:   "words of the state in registers; the stack is wiped.",
	})
	frame := AllocLocal(24)
	count := frame.Offset(16)
	arg := func(name string) func(GPPhysical) { return func(r GPPhysical) { Load(Param(name), r) } }
	g := cc.NewGeneral(frame)
	g.Init(arg("key"), arg("nonce"), nil)
	MOVQ(U32(10), count)
	Label("loop")
	Comment("AX-DX: row a; SI, DI, R14, R8: row b; R13, R15 and the stack: row c; R9-R12: row d.")
	cc.Emit(g.DoubleRound())
	DECQ(count)
	JNZ(LabelRef("loop"))
	Load(Param("out"), RSI)
	for i := range 4 {
		MOVL(g.A[i].As32(), Mem{Base: RSI, Disp: 4 * i})
		MOVL(g.D[i].As32(), Mem{Base: RSI, Disp: 16 + 4*i})
	}
	wipe.Frame(frame, 16, X0, true)
	RET()
	contract.Generate()
}
