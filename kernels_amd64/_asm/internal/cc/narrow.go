package cc

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"

	"github.com/fastcrypto-go/fastcrypto/kernels_amd64/_asm/internal/wipe"
)

// A Narrow generates the kernels for more than 64 bytes where there are 16 vector
// registers. A register holds one word of Width/4 blocks: four blocks in 128
// bits, eight in 256. A chunk is that many blocks.
//
// Of the 16 words 14 are in registers: the rows a, b and d, and two words of row
// c, in turn. The two other registers serve the rotations.
//
// The key stream of a chunk is transposed into a buffer on the stack. While the
// rounds of one chunk run on vectors, Poly1305 of the chunk before runs on general
// registers; when sealing it is encrypted by then, when opening it is decrypted
// afterwards, so that both take the same time and work in place.
type Narrow struct {
	ISA
	Width int
	VEX   bool
	P     *Scalar
	Open  bool

	a, b, d [4]VecPhysical
	c       [2]VecPhysical
	t       [2]VecPhysical

	cs                                             Mem // the four words of row c
	r                                              [3]Mem
	s                                              [2]Mem
	count, counter, src, dst, left, limit, scratch Mem
	buffer                                         Mem
	iota, sigma                                    Mem
	xors                                           int
}

// Iota is read-only data: 0, 1, 2, ..., 7.
func Iota() Mem {
	m := GLOBL("iota", RODATA|NOPTR)
	for i := range 4 {
		DATA(8*i, U64(uint64(2*i)|uint64(2*i+1)<<32))
	}
	return m
}

// SigmaData is read-only data: the constants of ChaCha20.
func SigmaData() Mem {
	m := GLOBL("sigma", RODATA|NOPTR)
	DATA(0, U64(uint64(Sigma[0])|uint64(Sigma[1])<<32))
	DATA(8, U64(uint64(Sigma[2])|uint64(Sigma[3])<<32))
	return m
}

func (k *Narrow) chunk() int { return 16 * k.Width }

// Generate emits the body of the function.
func (k *Narrow) Generate(iota, sigma Mem) {
	regs := []VecPhysical{X0, X1, X2, X3, X4, X5, X6, X7, X8, X9, X10, X11, X12, X13, X14, X15}
	if k.Width == 32 {
		regs = []VecPhysical{Y0, Y1, Y2, Y3, Y4, Y5, Y6, Y7, Y8, Y9, Y10, Y11, Y12, Y13, Y14, Y15}
	}
	copy(k.a[:], regs)
	copy(k.b[:], regs[4:])
	copy(k.d[:], regs[8:])
	copy(k.c[:], regs[12:])
	copy(k.t[:], regs[14:])
	// Eight blocks take the vectors so long that general registers, which make block 0,
	// can make a ninth block of data too: it saves the second chunk up to 576 bytes.
	extra := k.Width == 32
	size := 128 + 4*k.Width + k.chunk() + 64
	frame := AllocLocal(size)
	k.r = [3]Mem{frame, frame.Offset(8), frame.Offset(16)}
	k.s = [2]Mem{frame.Offset(24), frame.Offset(32)}
	k.count, k.counter = frame.Offset(40), frame.Offset(48)
	k.src, k.dst, k.left = frame.Offset(56), frame.Offset(64), frame.Offset(72)
	k.scratch = frame.Offset(80) // 16 bytes: row c of block 0, or where the additional data ends
	k.limit = frame.Offset(96)   // bytes whose key stream a first chunk has
	k.cs = frame.Offset(128)
	k.buffer = frame.Offset(128 + 4*k.Width)
	k.iota, k.sigma = iota, sigma
	p := k.P
	if p.MulQ {
		p.R, p.S = [2]Op{k.r[0], k.r[1]}, k.r[2]
	}

	Commentf("Registers 0-3, 4-7, 8-11 hold rows a, b, d of %d blocks, a word each; 12, 13 two words of", k.Width/4)
	Comment("row c, whose others are on the stack; 14, 15 serve rotations. First all general registers",
		"make block 0, then R8-R10 are Poly1305's accumulator, R11, R12 r and R13 5/4 of its",
		"upper limb (or, with SSSE3, these are on the stack), DI what it absorbs next.")
	Load(Param("counter"), RAX.As32())
	MOVL(RAX.As32(), k.counter)
	k.init()
	g := NewGeneral(k.scratch)
	g.Init(arg("key"), arg("nonce"), U32(0))
	MOVQ(U32(uint32(k.chunk())), k.limit)
	if extra {
		k.firstOrNinth(g)
	} else {
		MOVQ(U32(10), k.count)
		Label("first")
		Emit(k.round(), g.DoubleRound())
		DECQ(k.count)
		JNZ(LabelRef("first"))
		g.PolyKey(arg("key"), k.r, k.s)
	}
	k.final()
	for _, x := range []struct {
		name string
		to   Mem
	}{{"src", k.src}, {"dst", k.dst}, {"n", k.left}} {
		Load(Param(x.name), RAX)
		MOVQ(RAX, x.to)
	}
	if !k.Open {
		k.xor(false)
	}
	if !p.MulQ {
		MOVQ(k.r[0], p.R[0].(Register))
		MOVQ(k.r[1], p.R[1].(Register))
		MOVQ(k.r[2], p.S.(Register))
	}
	AbsorbAD(p, k.scratch)
	from := "dst"
	if k.Open {
		from = "src"
	}
	Load(Param(from), RDI)

	Label("next") // RDI: what Poly1305 absorbs next; left: bytes that xor has not done
	if k.Open {
		MOVQ(k.limit, RAX)
		CMPQ(k.left, RAX) // their key stream is in the buffer
		JBE(LabelRef("rest"))
	} else {
		CMPQ(k.left, Imm(0))
		JE(LabelRef("rest"))
	}
	ADDL(Imm(uint64(k.Width/4)), k.counter)
	k.init()
	MOVQ(U32(2), k.count)
	Label("half")
	Comment("Half of a chunk's rounds, half of the chunk before absorbed: DI lies behind what is.")
	{
		var rounds, poly Stream
		for range 5 {
			rounds = append(rounds, k.round()...)
		}
		for i := range k.chunk() / 32 {
			poly.Do(func() { p.AddBlock(Mem{Base: RDI, Disp: 16 * i}) })
			poly = append(poly, p.Mul()...)
		}
		Emit(rounds, poly)
	}
	ADDQ(U32(uint32(k.chunk()/2)), RDI)
	DECQ(k.count)
	JNZ(LabelRef("half"))
	if k.Open {
		k.xor(true)
		k.final()
	} else {
		k.final()
		k.xor(false)
	}
	JMP(LabelRef("next"))

	Label("rest")
	t := p.T
	Load(Param(from), t[0])
	Load(Param("n"), t[1])
	ADDQ(t[1], t[0])
	SUBQ(Imm(16), t[0])
	MOVQ(t[0], k.scratch)
	CMPQ(RDI, t[0])
	JA(LabelRef("restTail"))
	Label("restLoop") // scratch: where the last whole block may start
	p.AddBlock(Mem{Base: RDI})
	ADDQ(Imm(16), RDI)
	Emit(p.Mul())
	CMPQ(RDI, k.scratch)
	JBE(LabelRef("restLoop"))
	Label("restTail")
	MOVQ(k.scratch, t[0])
	ADDQ(Imm(16), t[0])
	MOVQ(t[0], t[1])
	SUBQ(RDI, t[1])
	JZ(LabelRef("lengths"))
	LoadTail("restTail", t[0], t[1], t[2], t[3], t[4])
	ADDQ(t[2], p.H[0])
	ADCQ(t[3], p.H[1])
	ADCQ(Imm(1), p.H[2])
	Emit(p.Mul())
	Label("lengths")
	FinishTag(p, k.s)
	if k.Open {
		k.xor(false)
	}
	wipe.Frame(frame, size, k.a[0], k.Width == 16)
	if k.Width == 32 {
		VZEROUPPER()
	}
	RET()
}

// firstOrNinth does the rounds of the first chunk and meanwhile block 0 and, if it makes
// a second chunk needless, the block behind the chunk.
func (k *Narrow) firstOrNinth(g *General) {
	both := func() { Emit(k.round(), append(g.DoubleRound(), g.DoubleRound()...)) }
	MOVQ(U32(5), k.count)
	Label("first")
	both()
	DECQ(k.count)
	JNZ(LabelRef("first"))
	g.PolyKey(arg("key"), k.r, k.s)
	MOVQ(U32(5), k.count)
	Load(Param("n"), RAX)
	SUBQ(U32(uint32(k.chunk()+1)), RAX)
	CMPQ(RAX, Imm(64))
	JAE(LabelRef("second"))
	MOVQ(U32(uint32(k.chunk()+64)), k.limit)
	ninth := k.left // not yet in use
	MOVL(k.counter, RAX.As32())
	ADDL(Imm(uint64(k.Width/4)), RAX.As32())
	MOVL(RAX.As32(), ninth)
	g.Init(arg("key"), arg("nonce"), ninth)
	Label("ninth")
	both()
	DECQ(k.count)
	JNZ(LabelRef("ninth"))
	g.KeyStream(func(r GPPhysical) { MOVL(ninth, r.As32()) }, k.buffer.Offset(k.chunk()))
	JMP(LabelRef("firstDone"))
	Label("second")
	Emit(k.round())
	DECQ(k.count)
	JNZ(LabelRef("second"))
	Label("firstDone")
}

// broadcast sets all words of x to the one at m.
func (k *Narrow) broadcast(m Mem, x VecPhysical) {
	if k.VEX {
		VPBROADCASTD(m, x)
		return
	}
	MOVSS(m, x) // MOVD reads 8 bytes in this assembler
	PSHUFD(Imm(0), x, x)
}

func (k *Narrow) move(src, dst Op) {
	if k.VEX {
		VMOVDQU(src, dst)
		return
	}
	MOVOU(src, dst)
}

// init sets the state of a chunk. RSI and R14 are clobbered.
func (k *Narrow) init() {
	Load(Param("key"), RSI)
	Load(Param("nonce"), R14)
	for i := range 4 {
		k.broadcast(k.sigma.Offset(4*i), k.a[i])
		k.broadcast(Mem{Base: RSI, Disp: 4 * i}, k.b[i])
	}
	for i := range 2 {
		k.broadcast(Mem{Base: RSI, Disp: 24 + 4*i}, k.t[i])
		k.move(k.t[i], k.cs.Offset(k.Width*(2+i)))
		k.broadcast(Mem{Base: RSI, Disp: 16 + 4*i}, k.c[i])
	}
	k.broadcast(k.counter, k.d[0])
	k.Add(k.iota, k.d[0])
	for i := range 3 {
		k.broadcast(Mem{Base: R14, Disp: 4 * i}, k.d[1+i])
	}
}

// round is a double round. It starts and ends with words 0 and 1 of row c in c.
func (k *Narrow) round() (s Stream) {
	for diagonal := range 2 {
		for pair := range 2 {
			var q [][4]VecPhysical
			for j := range 2 {
				i := 2*pair + j
				q = append(q, [4]VecPhysical{k.a[i], k.b[(i+diagonal)%4], k.c[j], k.d[(i+3*diagonal)%4]})
			}
			k.quarters(&s, q, k.t[:])
			if pair == 0 {
				for j := range 2 {
					s.Do(func() { k.move(k.c[j], k.cs.Offset(k.Width*(2*diagonal+j))) })
				}
				for j := range 2 {
					s.Do(func() { k.move(k.cs.Offset(k.Width*(2-2*diagonal+j)), k.c[j]) })
				}
			}
		}
	}
	return s
}

// final adds the input and writes the key stream to the buffer. RSI and R14 are
// clobbered.
func (k *Narrow) final() {
	Load(Param("key"), RSI)
	Load(Param("nonce"), R14)
	add := func(m Mem, x VecPhysical) {
		k.broadcast(m, k.t[0])
		k.Add(k.t[0], x)
	}
	for i := range 4 {
		add(k.sigma.Offset(4*i), k.a[i])
	}
	k.transpose(k.a, 0)
	for i := range 4 {
		add(Mem{Base: RSI, Disp: 4 * i}, k.b[i])
	}
	k.transpose(k.b, 16)
	add(k.counter, k.d[0])
	k.Add(k.iota, k.d[0])
	for i := range 3 {
		add(Mem{Base: R14, Disp: 4 * i}, k.d[1+i])
	}
	k.transpose(k.d, 48)
	c := [4]VecPhysical{k.c[0], k.c[1], k.a[0], k.a[1]}
	for i := range 2 {
		k.move(k.cs.Offset(k.Width*(2+i)), c[2+i])
	}
	for i := range 4 {
		add(Mem{Base: RSI, Disp: 16 + 4*i}, c[i])
	}
	k.transpose(c, 32)
}

// transpose writes four words of each block to place at of its 64 bytes in the
// buffer.
func (k *Narrow) transpose(x [4]VecPhysical, at int) {
	t := k.t
	k.unpack(false, false, x[0], x[1], t[0])
	k.unpack(true, false, x[0], x[1], x[0])
	k.unpack(false, false, x[2], x[3], t[1])
	k.unpack(true, false, x[2], x[3], x[2])
	k.unpack(false, true, t[0], t[1], x[1])
	k.unpack(true, true, t[0], t[1], t[0])
	k.unpack(false, true, x[0], x[2], x[3])
	k.unpack(true, true, x[0], x[2], x[0])
	for j, v := range []VecPhysical{x[1], t[0], x[3], x[0]} {
		k.move(v.AsX(), k.buffer.Offset(64*j+at))
		if k.Width == 32 {
			VEXTRACTI128(Imm(1), v, k.buffer.Offset(64*(4+j)+at))
		}
	}
}

// unpack sets dst, which may be a, to the low or high halves of a and b,
// interleaved by words or by double words.
func (k *Narrow) unpack(high, double bool, a, b, dst VecPhysical) {
	if k.VEX {
		switch {
		case !high && !double:
			VPUNPCKLDQ(b, a, dst)
		case high && !double:
			VPUNPCKHDQ(b, a, dst)
		case !high:
			VPUNPCKLQDQ(b, a, dst)
		default:
			VPUNPCKHQDQ(b, a, dst)
		}
		return
	}
	if a != dst {
		MOVO(a, dst)
	}
	switch {
	case !high && !double:
		PUNPCKLLQ(b, dst)
	case high && !double:
		PUNPCKHLQ(b, dst)
	case !high:
		PUNPCKLQDQ(b, dst)
	default:
		PUNPCKHQDQ(b, dst)
	}
}

// xor encrypts or decrypts a chunk or what is left with the key stream in the
// buffer; a chunk if whole says that so much is left. All of p.T and DX are clobbered,
// of the vectors only t.
func (k *Narrow) xor(whole bool) {
	k.xors++
	label := func(s string) string { return fmt.Sprintf("xor%d%s", k.xors, s) }
	src, dst, n, stream := RAX, RBX, RCX, RSI
	MOVQ(k.src, src)
	MOVQ(k.dst, dst)
	if whole {
		MOVQ(U32(uint32(k.chunk())), n)
	} else {
		MOVQ(k.left, n)
		MOVQ(k.limit, R14)
		CMPQ(n, R14)
		CMOVQHI(R14, n)
	}
	SUBQ(n, k.left)
	LEAQ(k.buffer, stream)
	x := [2]VecPhysical{k.t[0].AsX().(VecPhysical), k.t[1].AsX().(VecPhysical)}
	step := func(i int) {
		x := x[i%2]
		if k.VEX {
			VMOVDQU(Mem{Base: stream, Disp: 16 * i}, x)
			VPXOR(Mem{Base: src, Disp: 16 * i}, x, x)
			VMOVDQU(x, Mem{Base: dst, Disp: 16 * i})
			return
		}
		// The two-operand form wants its memory operand aligned.
		y := k.t[1]
		MOVOU(Mem{Base: stream, Disp: 16 * i}, k.t[0])
		MOVOU(Mem{Base: src, Disp: 16 * i}, y)
		PXOR(y, k.t[0])
		MOVOU(k.t[0], Mem{Base: dst, Disp: 16 * i})
	}
	advance := func(by uint64) {
		ADDQ(Imm(by), src)
		ADDQ(Imm(by), dst)
		ADDQ(Imm(by), stream)
		SUBQ(Imm(by), n)
	}
	if !whole {
		JMP(LabelRef(label("Test64")))
	}
	Label(label("By64"))
	for i := range 4 {
		step(i)
	}
	advance(64)
	if whole {
		JNZ(LabelRef(label("By64")))
		MOVQ(src, k.src)
		MOVQ(dst, k.dst)
		return
	}
	Label(label("Test64"))
	CMPQ(n, Imm(64))
	JAE(LabelRef(label("By64")))
	JMP(LabelRef(label("Test16")))
	Label(label("By16"))
	step(0)
	advance(16)
	Label(label("Test16"))
	CMPQ(n, Imm(16))
	JAE(LabelRef(label("By16")))
	MOVQ(src, k.src)
	MOVQ(dst, k.dst)
	TESTQ(n, n)
	JZ(LabelRef(label("Done")))
	ADDQ(n, src)
	LoadTail(label("Load"), src, n, R14, R15, RDX)
	XORQ(Mem{Base: stream}, R14)
	XORQ(Mem{Base: stream, Disp: 8}, R15)
	StoreTail(label("Store"), dst, n, R14, R15)
	Label(label("Done"))
}
