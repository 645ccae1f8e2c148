// Command poly1305_adx generates Poly1305 on general registers.
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
	blocks()
	tag()
	contract.Generate()
}

// poly lays the accumulator in R8-R10 and the key in R11, R12, R13.
func poly() *cc.Scalar {
	return &cc.Scalar{
		H: [3]GPPhysical{R8, R9, R10},
		R: [2]Op{R11, R12}, S: R13,
		T: [6]GPPhysical{RAX, RBX, RCX, RSI, R14, R15},
	}
}

// load reads the state at st (h, r, s) and derives S.
func load(p *cc.Scalar, st Mem) {
	for i, h := range p.H {
		MOVQ(st.Offset(8*i), h)
	}
	MOVQ(st.Offset(24), R11)
	MOVQ(st.Offset(32), R12)
	MOVQ(R12, R13)
	SHRQ(Imm(2), R13)
	ADDQ(R12, R13)
}

func blocks() {
	contract.Function("Poly1305BlocksADX", 0, "func(st *[7]uint64, p *byte, blocks int)", contract.Contract{
		Computes: `Poly1305BlocksADX absorbs whole blocks: for each of the blocks m_i of 16 bytes at
			p, h = (h + m_i + 2^128) r mod 2^130-5.`,
		Source: "RFC 8439, section 2.5.",
		Arguments: `st holds h (three 64-bit limbs, the lowest first; the third is at most 4 before and
			after), r (two limbs, clamped) and s (two limbs, unused). blocks >= 1.`,
		Aliasing: "nothing overlaps st.",
		Bounds:   "reads 16·blocks bytes at p, and nothing beyond.",
		Secret:   "st and the bytes at p.",
		Decides:  "blocks",
		Leaves:   "r and h in general registers.",
	})
	end := AllocLocal(8) // where the blocks end
	p := poly()
	Load(Param("st"), RDI)
	load(p, Mem{Base: RDI})
	Load(Param("p"), RDI)
	Load(Param("blocks"), RAX)
	SHLQ(Imm(4), RAX)
	ADDQ(RDI, RAX)
	MOVQ(RAX, end)
	Label("loop")
	Comment("R8-R10: h of all in front of DI; R11, R12: r; R13: 5/4 of its upper limb.")
	p.AddBlock(Mem{Base: RDI})
	ADDQ(Imm(16), RDI)
	cc.Emit(p.Mul())
	CMPQ(RDI, end)
	JB(LabelRef("loop"))
	Load(Param("st"), RDI)
	for i, h := range p.H {
		MOVQ(h, Mem{Base: RDI, Disp: 8 * i})
	}
	RET()
}

func tag() {
	contract.Function("Poly1305TagADX", 0, "func(out *[16]byte, st *[7]uint64, p *byte, n int)", contract.Contract{
		Computes: `Poly1305TagADX absorbs the last n bytes of a message and writes its tag:
			h = (h + m_i + 2^(8 l)) r mod 2^130-5 for each block m_i of l = 16 bytes, and the
			last one of fewer, then out = h + s mod 2^128.`,
		Source:    "RFC 8439, section 2.5.",
		Arguments: "st is as in Poly1305BlocksADX; it is not changed. n >= 0.",
		Aliasing:  "out may overlap the bytes at p, and does not overlap st.",
		Bounds:    "reads n bytes at p, and nothing beyond.",
		Secret:    "st, out and the bytes at p.",
		Decides:   "n",
		Leaves:    "r and h in general registers.",
	})
	left := AllocLocal(8) // bytes from RDI on, less 16
	p := poly()
	Load(Param("st"), RDI)
	load(p, Mem{Base: RDI})
	Load(Param("p"), RDI)
	Load(Param("n"), RAX)
	SUBQ(Imm(16), RAX)
	MOVQ(RAX, left)
	JL(LabelRef("tail"))
	Label("loop")
	Comment("R8-R10: h of all in front of DI; R11, R12: r; R13: 5/4 of its upper limb.")
	p.AddBlock(Mem{Base: RDI})
	ADDQ(Imm(16), RDI)
	cc.Emit(p.Mul())
	SUBQ(Imm(16), left)
	JGE(LabelRef("loop"))
	Label("tail")
	MOVQ(left, RCX)
	ADDQ(Imm(16), RCX)
	JZ(LabelRef("done"))
	ADDQ(RCX, RDI)
	cc.LoadTail("load", RDI, RCX, RAX, RBX, RSI)
	// The bit behind the last byte: 8n mod 64, in the limb that n chooses.
	SHLQ(Imm(3), RCX)
	XORQ(RSI, RSI)
	BTSQ(RCX, RSI)
	XORQ(R14, R14)
	CMPQ(RCX, Imm(64))
	CMOVQCC(RSI, R14)
	XORQ(R14, RSI)
	ORQ(RSI, RAX)
	ORQ(R14, RBX)
	ADDQ(RAX, R8)
	ADCQ(RBX, R9)
	ADCQ(Imm(0), R10)
	cc.Emit(p.Mul())
	Label("done")
	Load(Param("st"), RDI)
	p.Finish(Mem{Base: RDI, Disp: 40}, Mem{Base: RDI, Disp: 48})
	Load(Param("out"), RDI)
	MOVQ(R8, Mem{Base: RDI})
	MOVQ(R9, Mem{Base: RDI, Disp: 8})
	RET()
}
