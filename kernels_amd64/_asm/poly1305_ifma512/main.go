// Command poly1305_ifma512 generates Poly1305 on AVX-512 IFMA.
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
	masks, order := cc.Masks(), cc.Order()

	contract.Function("Poly1305BlocksIFMA512", 0, "func(st *[7]uint64, p *byte, blocks int, powers *[24]uint64, use int)", contract.Contract{
		Computes: `Poly1305BlocksIFMA512 absorbs whole blocks: for each of the blocks m_i of 16 bytes at
			p, h = (h + m_i + 2^128) r mod 2^130-5.`,
		Source: "RFC 8439, section 2.5.",
		Arguments: `st holds h (three 64-bit limbs, the lowest first; the third is at most 4 before and
			after), r (two limbs, clamped) and s (two limbs, unused). blocks >= 4.

			powers holds r^8, r^7, ..., r^1 as eight limbs of 44 bits, the lowest, then eight second
			and eight third ones. They are computed and kept nowhere if use is 0, computed and
			written to powers if it is 1, and read from powers if it is 2.`,
		Aliasing: "nothing overlaps st or powers.",
		Bounds:   "reads 16·blocks bytes at p, and nothing beyond.",
		Secret:   "st, powers and the bytes at p.",
		Decides:  "blocks use",
		Places:   "p",
		Leaves: `h in general registers, powers of r and words of the message in vector registers; the
			stack is wiped; VZEROUPPER clears the upper halves of Z0–Z15.`,
	})
	frame := AllocLocal(cc.TableSize + 64)
	v := &cc.IFMA{Base: RDI}
	LEAQ(frame.Offset(63), RDI)
	ANDQ(I32(-64), RDI)
	Comment("Z16-Z18: the line of powers r^8..r^1, later eight lanes of three limbs. Z19, Z20: 2^44-1,",
		"2^40. Z21-Z31: products and scratch. K1-K6: opmasks of the first group. DI: tables.",
		"R8-R10: the power in work, at last h; R11-R13: r and 5/4 of its upper limb.")
	v.Constants(RAX)

	Load(Param("powers"), RDX)
	Load(Param("use"), RAX)
	CMPQ(RAX, Imm(2))
	JEQ(LabelRef("known"))
	// r^1 to r^8. K1 is the lane of the next one.
	p := &cc.Scalar{
		H: [3]GPPhysical{R8, R9, R10},
		R: [2]Op{R11, R12}, S: R13,
		T: [6]GPPhysical{RCX, RBX, R14, RSI, R15, RAX},
	}
	Load(Param("st"), RAX)
	MOVQ(Mem{Base: RAX, Disp: 24}, R11)
	MOVQ(Mem{Base: RAX, Disp: 32}, R12)
	MOVQ(R12, R13)
	SHRQ(Imm(2), R13)
	ADDQ(R12, R13)
	MOVQ(R11, R8)
	MOVQ(R12, R9)
	XORQ(R10, R10)
	MOVL(U32(0x80), RAX.As32())
	KMOVB(RAX.As32(), K1)
	for i := 7; ; i-- {
		v.StorePower(p, K1, [4]GPPhysical{RCX, RBX, R14, RSI})
		if i == 0 {
			break
		}
		KSHIFTRB(Imm(1), K1, K1)
		cc.Emit(p.Mul())
	}
	Load(Param("use"), RAX)
	CMPQ(RAX, Imm(1))
	JNE(LabelRef("powers"))
	Load(Param("powers"), RDX)
	v.StoreLine(Mem{Base: RDX})
	JMP(LabelRef("powers"))
	Label("known")
	v.LoadLine(Mem{Base: RDX})
	Label("powers")

	Load(Param("st"), RAX)
	MOVQ(Mem{Base: RAX}, R8)
	MOVQ(Mem{Base: RAX, Disp: 8}, R9)
	MOVQ(Mem{Base: RAX, Disp: 16}, R10)
	MOVQ(U64(1<<44-1), RCX)
	h := [3]GPPhysical{R11, R12, R13}
	cc.Limbs(p.H, RCX, h)

	// RBX, R9: blocks in the first group, 1 to 16. R14: that group. RSI: 256 bytes in
	// front of what follows it. RCX: full groups.
	Load(Param("blocks"), RCX)
	Load(Param("p"), RSI)
	LEAQ(Mem{Base: RCX, Disp: -1}, RBX)
	MOVQ(RBX, RCX)
	SHRQ(Imm(4), RCX)
	ANDQ(Imm(15), RBX)
	INCQ(RBX)
	MOVQ(RBX, R9)
	v.SetFirst("first", masks, RBX, h, RSI, R14, [3]GPPhysical{RAX, RDX, R15})
	SHLQ(Imm(4), R9)
	LEAQ(Mem{Base: RSI, Index: R9, Scale: 1, Disp: -256}, RSI)

	v.LaneTable(order)
	group := Mem{Base: RSI}
	v.R8Table()
	TESTQ(RCX, RCX)
	JZ(LabelRef("last"))
	v.R16Table()
	cc.Emit(v.Group(Mem{Base: R14}, true, true))
	Label("loop")
	Comment("All up to SI + 256 is absorbed, CX groups follow. Lane i weighs r^(8-i).")
	ADDQ(U32(256), RSI)
	cc.Emit(v.Group(group, false, false))
	DECQ(RCX)
	JNZ(LabelRef("loop"))
	JMP(LabelRef("fold"))
	Label("last")
	cc.Emit(v.Group(Mem{Base: R14}, true, true))
	Label("fold")
	v.Fold(p.H, [2]GPPhysical{RAX, RBX})
	wipe.Frame(Mem{Base: RDI}, cc.TableSize, Z0, false)
	VZEROUPPER()
	Load(Param("st"), RAX)
	for i, h := range p.H {
		MOVQ(h, Mem{Base: RAX, Disp: 8 * i})
	}
	RET()
	contract.Generate()
}
