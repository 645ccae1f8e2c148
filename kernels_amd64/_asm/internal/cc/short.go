package cc

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"

	"github.com/fastcrypto-go/fastcrypto/kernels_amd64/_asm/internal/wipe"
)

// arg returns a function that loads a parameter of the function being built.
func arg(name string) func(GPPhysical) {
	return func(r GPPhysical) { Load(Param(name), r) }
}

// Args is the parameter list of the kernels that seal and open.
const Args = "func(dst, src *byte, n int, tag *[16]byte, key *[32]byte, nonce *[12]byte, counter uint32, ad *byte, adLen int)"

// AbsorbAD adds the additional data to p.H, which is set to zero first, each block
// padded with zeros to 16 bytes. left is a place on the stack. DI and p.T are
// clobbered. Who has absorbed the whole blocks in another way comes in at adTail.
func AbsorbAD(p *Scalar, left Mem) {
	XORQ(p.H[0], p.H[0])
	XORQ(p.H[1], p.H[1])
	XORQ(p.H[2], p.H[2])
	Load(Param("ad"), RDI)
	Load(Param("adLen"), p.T[0])
	SUBQ(Imm(16), p.T[0])
	MOVQ(p.T[0], left)
	JL(LabelRef("adTail"))
	Label("adLoop") // DI: the next block; left: bytes behind it
	p.AddBlock(Mem{Base: RDI})
	ADDQ(Imm(16), RDI)
	Emit(p.Mul())
	SUBQ(Imm(16), left)
	JGE(LabelRef("adLoop"))
	Label("adTail")
	MOVQ(left, p.T[0])
	ADDQ(Imm(16), p.T[0])
	JZ(LabelRef("adDone"))
	ADDQ(p.T[0], RDI)
	LoadTail("ad", RDI, p.T[0], p.T[1], p.T[2], p.T[3])
	ADDQ(p.T[1], p.H[0])
	ADCQ(p.T[2], p.H[1])
	ADCQ(Imm(1), p.H[2])
	Emit(p.Mul())
	Label("adDone")
}

// FinishTag absorbs the lengths and writes the tag.
func FinishTag(p *Scalar, s [2]Mem) {
	Load(Param("adLen"), p.T[0])
	Load(Param("n"), p.T[1])
	ADDQ(p.T[0], p.H[0])
	ADCQ(p.T[1], p.H[1])
	ADCQ(Imm(1), p.H[2])
	Emit(p.Mul())
	p.Finish(s[0], s[1])
	Load(Param("tag"), RDI)
	MOVQ(p.H[0], Mem{Base: RDI})
	MOVQ(p.H[1], Mem{Base: RDI, Disp: 8})
}

// Short generates a kernel for at most 64 bytes. Block 0, which gives the
// one-time key, runs on general registers and meanwhile the first half of block 1
// on vectors; general registers do a round in half the time where vector
// instructions have a latency of two cycles, so they do the other half too.
func Short(isa ISA, vex bool, p *Scalar, open bool) {
	const size = 16 + 48 + 64 + 8
	frame := AllocLocal(size)
	c := frame // the third row of a block
	r := [3]Mem{frame.Offset(16), frame.Offset(24), frame.Offset(32)}
	s := [2]Mem{frame.Offset(40), frame.Offset(48)}
	count := frame.Offset(56)
	stream := frame.Offset(64) // the key stream of block 1
	if p.MulQ {
		p.R, p.S = [2]Op{r[0], r[1]}, r[2]
	}

	x := [4]VecPhysical{X0, X1, X2, X3}
	load, store := MOVOU, MOVOU
	if vex {
		load, store = VMOVDQU, VMOVDQU
	}
	Load(Param("key"), RAX)
	Load(Param("nonce"), RBX)
	load(Mem{Base: RAX}, x[1])
	load(Mem{Base: RAX, Disp: 16}, x[2])
	// The fourth row goes through memory as words: two moves and one forwarding
	// each way would cost the same.
	MOVQ(Mem{Base: RBX}, RCX)
	MOVL(Mem{Base: RBX, Disp: 8}, RDX.As32())
	Load(Param("counter"), RSI.As32())
	MOVQ(RCX, RDI)
	SHLQ(Imm(32), RCX)
	ORQ(RCX, RSI)
	SHRQ(Imm(32), RDI)
	SHLQ(Imm(32), RDX)
	ORQ(RDX, RDI)
	MOVQ(U64(uint64(Sigma[0])|uint64(Sigma[1])<<32), RCX)
	MOVQ(U64(uint64(Sigma[2])|uint64(Sigma[3])<<32), RDX)
	if vex {
		VMOVQ(RSI, X3)
		VPINSRQ(Imm(1), RDI, X3, X3)
		VMOVQ(RCX, X0)
		VPINSRQ(Imm(1), RDX, X0, X0)
	} else {
		MOVQ(RSI, X3)
		MOVQ(RDI, X4)
		PUNPCKLQDQ(X4, X3)
		MOVQ(RCX, X0)
		MOVQ(RDX, X4)
		PUNPCKLQDQ(X4, X0)
	}

	Comment("X0-X3: the rows of block 1; all general registers: block 0. Five times two rounds of",
		"one and four of the other.")
	g := NewGeneral(c)
	g.Init(arg("key"), arg("nonce"), U32(0))
	MOVQ(U32(5), count)
	Label("both")
	Emit(isa.Rows([][4]VecPhysical{x}, []VecPhysical{X4}), append(g.DoubleRound(), g.DoubleRound()...))
	DECQ(count)
	JNZ(LabelRef("both"))
	g.PolyKey(arg("key"), r, s)

	// Block 1 moves over.
	store(X0, stream)
	store(X1, stream.Offset(16))
	store(X2, c)
	store(X3, stream.Offset(48))
	for i := range 4 {
		MOVL(stream.Offset(4*i), g.A[i].As32())
		MOVL(stream.Offset(16+4*i), g.B[i].As32())
		MOVL(stream.Offset(48+4*i), g.D[i].As32())
	}
	MOVL(c, g.C2[0].As32())
	MOVL(c.Offset(4), g.C2[1].As32())
	MOVQ(U32(5), count)
	Label("one")
	Emit(g.DoubleRound())
	DECQ(count)
	JNZ(LabelRef("one"))

	g.KeyStream(func(r GPPhysical) { Load(Param("counter"), r.As32()) }, stream)

	if !p.MulQ {
		for i := range 2 {
			MOVQ(r[i], p.R[i].(Register))
		}
		MOVQ(r[2], p.S.(Register))
	}
	AbsorbAD(p, count)
	// DI: bytes done; whole blocks first.
	t := p.T
	XORQ(RDI, RDI)
	Label("block")
	Comment("R8-R10: the accumulator of all in front of DI, which counts bytes; R11-R13: r, 5/4 of r's upper limb.")
	Load(Param("n"), t[0])
	SUBQ(RDI, t[0])
	CMPQ(t[0], Imm(16))
	JB(LabelRef("tail"))
	Load(Param("src"), t[1])
	MOVQ(Mem{Base: t[1], Index: RDI, Scale: 1}, t[2])
	MOVQ(Mem{Base: t[1], Index: RDI, Scale: 1, Disp: 8}, t[3])
	LEAQ(stream, t[5])
	Load(Param("dst"), t[4])
	add := func() {
		ADDQ(t[2], p.H[0])
		ADCQ(t[3], p.H[1])
		ADCQ(Imm(1), p.H[2])
	}
	xor := func() {
		XORQ(Mem{Base: t[5], Index: RDI, Scale: 1}, t[2])
		XORQ(Mem{Base: t[5], Index: RDI, Scale: 1, Disp: 8}, t[3])
	}
	if open {
		add()
		xor()
	} else {
		xor()
		add()
	}
	MOVQ(t[2], Mem{Base: t[4], Index: RDI, Scale: 1})
	MOVQ(t[3], Mem{Base: t[4], Index: RDI, Scale: 1, Disp: 8})
	ADDQ(Imm(16), RDI)
	Emit(p.Mul())
	JMP(LabelRef("block"))

	Label("tail") // t0 < 16 bytes are left
	TESTQ(t[0], t[0])
	JZ(LabelRef("done"))
	n, low, high, tmp := t[0], t[2], t[3], t[1]
	Load(Param("src"), t[4])
	ADDQ(RDI, t[4])
	ADDQ(n, t[4])
	LoadTail("src", t[4], n, low, high, tmp)
	LEAQ(stream, t[5])
	if open {
		add()
		xor()
	} else {
		xor()
		MaskTail("mask", n, low, high, tmp)
		add()
	}
	Load(Param("dst"), t[4])
	ADDQ(RDI, t[4])
	StoreTail("dst", t[4], n, low, high)
	Emit(p.Mul())
	Label("done")
	FinishTag(p, s)
	wipe.Frame(frame, size, X0, !vex)
	RET()
}
