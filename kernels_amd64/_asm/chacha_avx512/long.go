package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"

	"github.com/fastcrypto-go/fastcrypto/kernels_amd64/_asm/internal/cc"
	"github.com/fastcrypto-go/fastcrypto/kernels_amd64/_asm/internal/wipe"
)

// The registers of the state or of the key stream: x[i] is word i of 16 blocks,
// or the key stream of block i.
var x = [16]VecPhysical{Z0, Z1, Z2, Z3, Z4, Z5, Z6, Z7, Z8, Z9, Z10, Z11, Z12, Z13, Z14, Z15}

// t are free where no Poly1305 is in flight.
var t = [4]VecPhysical{Z21, Z22, Z23, Z24}

// The registers of the data phase.
var (
	table     = RDI // Poly1305's tables
	group     = RSI // the next group to absorb
	groups    = RCX // how many there are
	src       = R9  // the chunk in work
	dst       = R10
	remaining = R11 // bytes from src on
	key       = R12
	nonce     = R13
	left      = RBX // rounds of a loop
	first     = R8  // the first group, or group
)

// kernel builds one of the two long kernels.
type kernel struct {
	open bool
	p    *cc.Scalar
	v    *cc.IFMA

	frame   Mem
	c       Mem // third row of block 0
	r       [3]Mem
	s       [2]Mem
	count   Mem
	counter Mem // of the chunk in work
	tail    [2]Mem

	iota, masks, order Mem
	done               int // chunks emitted, for labels
}

var iotaData, masksData, orderData *Mem

func data() (iota, masks, order Mem) {
	if iotaData == nil {
		i := GLOBL("iota", RODATA|NOPTR)
		for k := range 8 {
			DATA(8*k, U64(uint64(2*k)|uint64(2*k+1)<<32))
		}
		m, o := cc.Masks(), cc.Order()
		iotaData, masksData, orderData = &i, &m, &o
	}
	return *iotaData, *masksData, *orderData
}

// long generates a kernel for any length; for at most 64 bytes it pays if the
// additional data is long.
//
// Block 0 and then the powers of r are made on general registers while the vectors
// make the first blocks of key stream: four or eight by rows, or sixteen by
// columns. Up to 512 bytes that is all. Further chunks of 1 KiB run interleaved with
// Poly1305 of the chunk before. When opening, that is decrypted only afterwards, or
// Poly1305 is a chunk ahead; so both take about the same time and work in place.
func long(p *cc.Scalar, open bool) {
	size := cc.TableSize
	if open {
		size += 1024
	}
	frame := AllocLocal(96 + 64 + size)
	k := &kernel{
		open: open, p: p, v: &cc.IFMA{Base: table}, frame: frame,
		c:     frame,
		r:     [3]Mem{frame.Offset(16), frame.Offset(24), frame.Offset(32)},
		s:     [2]Mem{frame.Offset(40), frame.Offset(48)},
		count: frame.Offset(56), counter: frame.Offset(72),
		tail: [2]Mem{frame.Offset(80), frame.Offset(88)},
	}
	k.iota, k.masks, k.order = data()
	Comment("Z0-Z15: 16 words of state of 16 blocks, or rows of four words of 4 blocks, then key",
		"stream, a block each. Z16-Z18: the line of powers r^8..r^1, later Poly1305's lanes.",
		"Z19, Z20: 2^44-1 and 2^40. Z21-Z31: products and scratch. K1-K6: opmasks of the",
		"first group; K7: of the last bytes. DI: tables. While block 0 and the powers are made,",
		"all other general registers belong to them; then R8-R10 are the accumulator, R11,",
		"R12 r and R13 5/4 of r's upper limb.")
	k.tables()
	Load(Param("counter"), RAX.As32())
	MOVL(RAX.As32(), k.counter)

	Load(Param("n"), RCX)
	Load(Param("key"), key)
	Load(Param("nonce"), nonce)
	CMPQ(RCX, U32(512))
	JA(LabelRef("sixteen"))
	CMPQ(RCX, U32(256))
	JA(LabelRef("eight"))
	k.first("four", k.rows(1, 4))
	JMP(LabelRef("additional"))
	Label("eight")
	k.first("eight", k.rows(2, 4))
	JMP(LabelRef("additional"))
	Label("sixteen")
	k.first("sixteen", k.columns())

	Label("additional")
	k.tables()
	k.v.Constants(RAX)
	k.additional()
	Load(Param("n"), RCX)
	CMPQ(RCX, U32(512))
	JA(LabelRef("long"))
	CMPQ(RCX, U32(384))
	JA(LabelRef("few8"))
	CMPQ(RCX, U32(256))
	JA(LabelRef("few6"))
	CMPQ(RCX, U32(128))
	JA(LabelRef("few4"))
	for _, blocks := range []int{2, 4, 6, 8} {
		k.few(blocks)
	}

	Label("long")
	Comment("From here on: SI: the next group, of 16 blocks, to absorb; CX: how many there are;",
		"R8: SI or a copy of a first group; R9, R10, R11: where src and dst go on and bytes from",
		"there on; R12, R13: key and nonce.")
	h := [3]GPPhysical{R11, R12, R13}
	MOVQ(U64(1<<44-1), RAX)
	cc.Limbs(p.H, RAX, h)
	for i, h := range h {
		MOVQ(h, k.limbs(i))
	}
	k.pointers()
	k.columns().final()
	from := "dst"
	if open {
		// The last bytes may be overwritten before it is their turn.
		from = "src"
		Load(Param("n"), RAX)
		Load(Param("src"), RCX)
		ADDQ(RAX, RCX)
		ANDQ(Imm(15), RAX)
		cc.LoadTail("tail", RCX, RAX, RSI, R14, RBX)
		MOVQ(RSI, k.tail[0])
		MOVQ(R14, k.tail[1])
	} else {
		k.xor()
	}
	for i, h := range h {
		MOVQ(k.limbs(i), h)
	}
	Load(Param(from), RDX)
	Load(Param("n"), groups)
	k.divide()
	INCQ(groups)
	k.v.SetFirst("first", k.masks, RBX, h, RDX, first, [3]GPPhysical{RAX, R9, R15})
	k.v.LaneTable(k.order)
	m := Mem{Base: group}
	k.v.R8Table()
	k.v.R16Table()
	k.v.Zero()
	k.pointers()
	if open {
		// A chunk may be decrypted when Poly1305 has absorbed it. The first group
		// ahead makes the groups reach to the end of each chunk.
		//
		// Up to 1 KiB there is nothing to weave.
		CMPQ(remaining, U32(1024))
		JBE(LabelRef("rest"))
		// Up to 4 KiB the key stream of a chunk waits in a buffer while the next
		// one's is made and its own bytes are absorbed. For more it is cheaper to
		// absorb a whole chunk ahead once and to use no buffer.
		cc.Emit(k.v.Group(Mem{Base: first}, true, false))
		cc.Emit(k.v.PlainNext())
		ADDQ(U32(256), group)
		MOVQ(group, first)
		DECQ(groups)
		MOVQ(U32(0), k.count) // 1: a chunk ahead
		CMPQ(remaining, U32(4096))
		JA(LabelRef("ahead"))
		k.save()
		JMP(LabelRef("chunk"))
		Label("ahead")
		MOVQ(U32(1), k.count)
		MOVQ(U32(4), left)
		SUBQ(left, groups)
		k.absorb("ahead", left)
		k.xor()
	} else {
		// The first chunk is done.
		MOVQ(U32(1024), RAX)
		CMPQ(remaining, RAX)
		CMOVQCS(remaining, RAX)
		ADDQ(RAX, src)
		ADDQ(RAX, dst)
		SUBQ(RAX, remaining)
		JZ(LabelRef("rest"))
	}

	Label("chunk")
	Comment("All in front of R9 is done. SI is 1 KiB behind it or, when opening more than 4 KiB, 1",
		"KiB ahead, but for the first group; lanes i of the accumulator weigh r^(8-i).")
	ADDL(Imm(16), k.counter)
	k.columns().init()
	if open {
		CMPQ(groups, Imm(4))
		JB(LabelRef("alone10"))
	}
	MOVQ(U32(2), left)
	Label("chunkHalf")
	Comment("BX: halves left: ten rounds of the chunk and two groups each.")
	{
		var rounds cc.Stream
		for range 5 {
			rounds = append(rounds, k.columns().round()...)
		}
		poly := k.v.Group(Mem{Base: first}, true, false)
		poly = append(poly, k.v.PlainNext()...)
		poly = append(poly, k.v.Group(m.Offset(256), false, false)...)
		cc.Emit(rounds, poly)
	}
	ADDQ(U32(512), group)
	MOVQ(group, first)
	DECQ(left)
	JNZ(LabelRef("chunkHalf"))
	SUBQ(Imm(4), groups)
	if open {
		JMP(LabelRef("chunkDone"))
		Label("alone10") // the last chunk has too few groups
		MOVQ(U32(10), left)
		Label("aloneRound")
		cc.Emit(k.columns().round())
		DECQ(left)
		JNZ(LabelRef("aloneRound"))
		// What is left of the chunk before must go before it is decrypted.
		TESTQ(groups, groups)
		JZ(LabelRef("chunkDone"))
		k.absorb("last", groups)
		Label("chunkDone")
		k.columns().final()
		CMPQ(k.count, Imm(0))
		JE(LabelRef("buffered"))
		k.xor()
		TESTQ(remaining, remaining)
		JNZ(LabelRef("chunk"))
		JMP(LabelRef("fold"))
		Label("buffered")
		k.restore()
		CMPQ(remaining, U32(1024))
		JBE(LabelRef("rest"))
		k.save()
		JMP(LabelRef("chunk"))
	} else {
		k.columns().final()
		k.xor()
		TESTQ(remaining, remaining)
		JNZ(LabelRef("chunk"))
	}
	Label("rest")
	if open {
		TESTQ(groups, groups)
		JZ(LabelRef("restXor"))
		k.absorb("rest", groups)
		Label("restXor")
		k.xor()
	} else {
		TESTQ(groups, groups)
		JZ(LabelRef("fold"))
		k.absorb("rest", groups)
	}

	Label("fold")
	k.v.Fold(p.H, [2]GPPhysical{RAX, RBX})
	// Here what clears the tables does not wait for the last products.
	k.wipeTables(Z0)
	if open {
		wipe.Frame(buffered(0), 1024, Z0, false)
	}
	VZEROUPPER()
	MOVQ(k.r[0], R11)
	MOVQ(k.r[1], R12)
	MOVQ(k.r[2], R13)
	// What is left over of the last block, padded with zeros.
	Load(Param("n"), RAX)
	if open {
		ANDQ(Imm(15), RAX)
		JZ(LabelRef("lengths"))
		MOVQ(k.tail[0], RSI)
		MOVQ(k.tail[1], R14)
	} else {
		Load(Param("dst"), RCX)
		ADDQ(RAX, RCX)
		ANDQ(Imm(15), RAX)
		JZ(LabelRef("lengths"))
		cc.LoadTail("tail", RCX, RAX, RSI, R14, RBX)
	}
	ADDQ(RSI, p.H[0])
	ADCQ(R14, p.H[1])
	ADCQ(Imm(1), p.H[2])
	cc.Emit(p.Mul())
	Label("lengths")
	cc.FinishTag(p, k.s)
	k.wipeFront()
	RET()
}

// tables points table into the frame.
func (k *kernel) tables() {
	LEAQ(k.frame.Offset(k.front()+63), table)
	ANDQ(I32(-64), table)
}

// front is how many bytes of the frame lie before the tables: 96, and the buffer.
func (k *kernel) front() int {
	if k.open {
		return 96 + 1024
	}
	return 96
}

// buffered is vector i of the key stream that waits.
func buffered(i int) Mem { return Mem{Base: table, Disp: 64*i - 1024} }

// wipeTables clears the tables at table, and what their alignment leaves behind them:
// one store's place is computed.
func (k *kernel) wipeTables(v VecPhysical) {
	wipe.Frame(Mem{Base: table}, cc.TableSize, v, false)
	VMOVDQU64(v, k.frame.Offset(k.front()+cc.TableSize))
}

// wipeFront clears what lies before the tables.
func (k *kernel) wipeFront() { wipe.Frame(k.frame, 96, X0, false) }

// divide divides the bytes at RDX, whose number is in the register groups, into groups
// from the last whole block on: RBX becomes the number of blocks in the first, 1 to 16,
// groups that of groups behind it, and group points 256 bytes in front of these. RAX is
// clobbered.
func (k *kernel) divide() {
	SHRQ(Imm(4), groups)
	LEAQ(Mem{Base: groups, Disp: -1}, RBX)
	MOVQ(RBX, groups)
	SHRQ(Imm(4), groups)
	ANDQ(Imm(15), RBX)
	INCQ(RBX)
	MOVQ(RBX, RAX)
	SHLQ(Imm(4), RAX)
	LEAQ(Mem{Base: RDX, Index: RAX, Scale: 1, Disp: -256}, group)
}

// longAD is the length in bytes from which additional data goes by groups: 17
// blocks, which are two groups, take less time so than on general registers.
const longAD = 17 * 16

// additional absorbs the additional data into the accumulator, which is zero
// before, and loads r.
func (k *kernel) additional() {
	p := k.p
	loadR := func() {
		MOVQ(k.r[0], R11)
		MOVQ(k.r[1], R12)
		MOVQ(k.r[2], R13)
	}
	Load(Param("adLen"), RCX)
	CMPQ(RCX, U32(longAD))
	JAE(LabelRef("adLong"))
	loadR()
	cc.AbsorbAD(p, k.count)
	JMP(LabelRef("adAbsorbed"))

	Label("adLong")
	Load(Param("ad"), RDX)
	k.divide()
	for _, h := range p.H {
		XORQ(h, h)
	}
	k.v.SetFirst("adFirst", k.masks, RBX, p.H, RDX, R11, [3]GPPhysical{RAX, R14, R15})
	k.v.StoreLine(k.v.Line())
	k.v.LaneTable(k.order)
	k.v.R8Table()
	k.v.R16Table()
	m := Mem{Base: group}
	cc.Emit(k.v.Group(Mem{Base: R11}, true, true))
	Label("adGroup") // group: what was absorbed; groups: how many are behind it
	ADDQ(U32(256), group)
	cc.Emit(k.v.Group(m, false, false))
	DECQ(groups)
	JNZ(LabelRef("adGroup"))
	k.v.Fold(p.H, [2]GPPhysical{RAX, RBX})
	k.v.LoadLine(k.v.Line())
	loadR()
	Load(Param("ad"), RDI)
	Load(Param("adLen"), RAX)
	MOVQ(RAX, RCX)
	ANDQ(I32(-16), RCX)
	ADDQ(RCX, RDI)
	SUBQ(RCX, RAX)
	SUBQ(Imm(16), RAX)
	MOVQ(RAX, k.count)
	JMP(LabelRef("adTail"))
	Label("adAbsorbed")
	k.tables()
}

// pointers loads the registers of the data phase, except group and groups.
func (k *kernel) pointers() {
	Load(Param("key"), key)
	Load(Param("nonce"), nonce)
	Load(Param("src"), src)
	Load(Param("dst"), dst)
	Load(Param("n"), remaining)
}

// absorb absorbs n >= 1 groups, of which the first may be the message's first.
func (k *kernel) absorb(label string, n GPPhysical) {
	cc.Emit(k.v.Group(Mem{Base: first}, true, false))
	cc.Emit(k.v.PlainNext())
	JMP(LabelRef(label + "Next"))
	Label(label + "Loop")
	cc.Emit(k.v.Group(Mem{Base: group}, false, false))
	Label(label + "Next")
	ADDQ(U32(256), group)
	DECQ(n)
	JNZ(LabelRef(label + "Loop"))
	MOVQ(group, first)
}

// save writes the key stream to the buffer before the tables.
func (k *kernel) save() {
	for i, r := range x {
		VMOVDQA64(r, buffered(i))
	}
}

// restore decrypts 1 KiB with the key stream in the buffer and moves on.
func (k *kernel) restore() {
	for i := range x {
		t := t[i%len(t)]
		VMOVDQA64(buffered(i), t)
		VPXORD(Mem{Base: src, Disp: 64 * i}, t, t)
		VMOVDQU64(t, Mem{Base: dst, Disp: 64 * i})
	}
	ADDQ(U32(1024), src)
	ADDQ(U32(1024), dst)
	SUBQ(U32(1024), remaining)
}

// blocks is a way to make key stream.
type blocks struct {
	init  func()
	round func() cc.Stream
	final func() // leaves the key stream of block i in x[i]
}

// columns makes 16 blocks; init and final need the registers key and nonce.
func (k *kernel) columns() blocks {
	return blocks{
		init: func() {
			for i := range 4 {
				MOVL(U32(cc.Sigma[i]), RAX.As32())
				VPBROADCASTD(RAX.As32(), x[i])
			}
			for i := range 8 {
				VPBROADCASTD(Mem{Base: key, Disp: 4 * i}, x[4+i])
			}
			VPBROADCASTD(k.counter, x[12])
			VPADDD(k.iota, x[12], x[12])
			for i := range 3 {
				VPBROADCASTD(Mem{Base: nonce, Disp: 4 * i}, x[13+i])
			}
		},
		round: func() cc.Stream { return cc.AVX512().Columns(x, nil2) },
		final: func() {
			for i := range 4 {
				MOVL(U32(cc.Sigma[i]), RAX.As32())
				VPBROADCASTD(RAX.As32(), t[0])
				VPADDD(t[0], x[i], x[i])
			}
			for i := range 8 {
				VPADDD_BCST(Mem{Base: key, Disp: 4 * i}, x[4+i], x[4+i])
			}
			VPADDD_BCST(k.counter, x[12], x[12])
			VPADDD(k.iota, x[12], x[12])
			for i := range 3 {
				VPADDD_BCST(Mem{Base: nonce, Disp: 4 * i}, x[13+i], x[13+i])
			}
			// Four words of every fourth block, then four blocks at a time.
			for i := 0; i < 16; i += 4 {
				VPUNPCKLDQ(x[i+1], x[i], t[0])
				VPUNPCKHDQ(x[i+1], x[i], t[1])
				VPUNPCKLDQ(x[i+3], x[i+2], t[2])
				VPUNPCKHDQ(x[i+3], x[i+2], t[3])
				VPUNPCKLQDQ(t[2], t[0], x[i])
				VPUNPCKHQDQ(t[2], t[0], x[i+1])
				VPUNPCKLQDQ(t[3], t[1], x[i+2])
				VPUNPCKHQDQ(t[3], t[1], x[i+3])
			}
			for i := range 4 {
				lanes(x[i], x[4+i], x[8+i], x[12+i])
			}
		},
	}
}

var nil2 = []VecPhysical{nil}

// lanes transposes a matrix of 4 by 4 lanes of 128 bits.
func lanes(a, b, c, d VecPhysical) {
	VSHUFI32X4(Imm(0x44), b, a, t[0])
	VSHUFI32X4(Imm(0x44), d, c, t[1])
	VSHUFI32X4(Imm(0xee), b, a, t[2])
	VSHUFI32X4(Imm(0xee), d, c, t[3])
	VSHUFI32X4(Imm(0x88), t[1], t[0], a)
	VSHUFI32X4(Imm(0xdd), t[1], t[0], b)
	VSHUFI32X4(Imm(0x88), t[3], t[2], c)
	VSHUFI32X4(Imm(0xdd), t[3], t[2], d)
}

// lanes2 makes rows 0 and 1 of it.
func lanes2(a, b, c, d VecPhysical) {
	VSHUFI32X4(Imm(0x44), b, a, t[0])
	VSHUFI32X4(Imm(0x44), d, c, t[1])
	VSHUFI32X4(Imm(0x88), t[1], t[0], a)
	VSHUFI32X4(Imm(0xdd), t[1], t[0], b)
}

// rows makes four blocks a set, or two in the last set if last is 2; a
// row's four lanes belong to four blocks.
func (k *kernel) rows(sets, last int) blocks {
	var q [][4]VecPhysical
	for i := range sets {
		q = append(q, [4]VecPhysical{x[4*i], x[4*i+1], x[4*i+2], x[4*i+3]})
	}
	input := func(s int, r [4]VecPhysical) {
		MOVQ(U64(uint64(cc.Sigma[0])|uint64(cc.Sigma[1])<<32), RAX)
		MOVQ(U64(uint64(cc.Sigma[2])|uint64(cc.Sigma[3])<<32), RDX)
		VMOVQ(RAX, r[0].AsX())
		VPINSRQ(Imm(1), RDX, r[0].AsX(), r[0].AsX())
		VSHUFI32X4(Imm(0), r[0], r[0], r[0])
		VBROADCASTI32X4(Mem{Base: key}, r[1])
		VBROADCASTI32X4(Mem{Base: key, Disp: 16}, r[2])
		VMOVD(k.counter, r[3].AsX())
		for i := range 3 {
			VPINSRD(Imm(uint64(1+i)), Mem{Base: nonce, Disp: 4 * i}, r[3].AsX(), r[3].AsX())
		}
		VSHUFI32X4(Imm(0), r[3], r[3], r[3])
		VPADDD(k.lane(s), r[3], r[3])
	}
	return blocks{
		init: func() {
			for s, r := range q {
				if s == 0 {
					input(0, r)
					continue
				}
				for i := range 3 {
					VMOVDQA64(q[0][i], r[i])
				}
				VPADDD(k.lane(4), q[0][3], r[3])
			}
		},
		round: func() cc.Stream { return cc.AVX512().Rows(q, nil2) },
		final: func() {
			for s, r := range q {
				input(0, t)
				if s > 0 {
					VPADDD(k.lane(4), t[3], t[3])
				}
				for i := range 4 {
					VPADDD(t[i], r[i], r[i])
				}
				if last == 2 && s == sets-1 {
					lanes2(r[0], r[1], r[2], r[3])
					continue
				}
				lanes(r[0], r[1], r[2], r[3])
			}
		},
	}
}

var laneData = map[int]Mem{}

// lane is read-only data: per lane of 128 bits what to add to its block's counter:
// 0, 1, 2, 3, or 4 in all lanes.
func (k *kernel) lane(step int) Mem {
	if m, ok := laneData[step]; ok {
		return m
	}
	m := GLOBL(fmt.Sprintf("lanes%d", step), RODATA|NOPTR)
	for i := range 4 {
		n := uint64(i)
		if step > 0 {
			n = uint64(step)
		}
		DATA(16*i, U64(n))
		DATA(16*i+8, U64(0))
	}
	laneData[step] = m
	return m
}

// first does the rounds of b, and meanwhile makes block 0, the one-time key and the
// powers r^1 to r^8. All general registers are clobbered.
func (k *kernel) first(label string, b blocks) {
	arg := func(name string) func(GPPhysical) { return func(r GPPhysical) { Load(Param(name), r) } }
	b.init()
	g := cc.NewGeneral(k.c)
	g.Init(arg("key"), arg("nonce"), U32(0))
	MOVQ(U32(5), k.count)
	Label(label + "Rounds")
	cc.Emit(b.round(), append(g.DoubleRound(), g.DoubleRound()...))
	DECQ(k.count)
	JNZ(LabelRef(label + "Rounds"))

	p := &cc.Scalar{
		H: k.p.H, R: k.p.R, S: k.p.S,
		T: [6]GPPhysical{RCX, RBX, R14, RSI, R15, RAX},
	}
	var setup cc.Stream
	setup.Do(func() { g.PolyKey(arg("key"), k.r, k.s) })
	setup.Do(func() {
		MOVQ(k.r[0], R11)
		MOVQ(k.r[1], R12)
		MOVQ(k.r[2], R13)
		MOVQ(R11, R8)
		MOVQ(R12, R9)
		XORQ(R10, R10)
		MOVL(U32(0x80), RAX.As32()) // r^1
		KMOVB(RAX.As32(), K1)
		KSHIFTRB(Imm(1), K1, K2)
		MOVQ(U32(4), k.count)
	})
	cc.Emit(b.round(), setup)

	Label(label + "Powers") // H: the next power; K1, K2: lanes of two
	var powers cc.Stream
	for _, lane := range []OpmaskPhysical{K1, K2} {
		powers.Do(func() { k.v.StorePower(p, lane, [4]GPPhysical{RCX, RBX, R14, RSI}) })
		powers.Do(func() { KSHIFTRB(Imm(2), lane, lane) })
		powers = append(powers, p.Mul()...)
	}
	cc.Emit(b.round(), powers)
	DECQ(k.count)
	JNZ(LabelRef(label + "Powers"))
}

// xor encrypts or decrypts up to 1 KiB and moves on.
func (k *kernel) xor() {
	k.done++
	label := fmt.Sprintf("xor%d", k.done)
	CMPQ(remaining, U32(1024))
	JB(LabelRef(label + "Partial"))
	for i := range x {
		VPXORD(Mem{Base: src, Disp: 64 * i}, x[i], x[i])
		VMOVDQU64(x[i], Mem{Base: dst, Disp: 64 * i})
	}
	ADDQ(U32(1024), src)
	ADDQ(U32(1024), dst)
	SUBQ(U32(1024), remaining)
	JMP(LabelRef(label + "Done"))
	Label(label + "Partial") // at most 15 whole blocks, then a masked one
	for i := range x {
		if i < 15 {
			CMPQ(remaining, Imm(64))
			JB(LabelRef(fmt.Sprintf("%sTail%d", label, i)))
			VPXORD(Mem{Base: src, Disp: 64 * i}, x[i], x[i])
			VMOVDQU64(x[i], Mem{Base: dst, Disp: 64 * i})
			SUBQ(Imm(64), remaining)
		}
	}
	for i := 15; i >= 0; i-- {
		Label(fmt.Sprintf("%sTail%d", label, i))
		if i < 15 {
			VMOVDQA64(x[i], x[15])
		}
		if i > 0 {
			ADDQ(U32(uint32(64*i)), src)
			ADDQ(U32(uint32(64*i)), dst)
		}
		if i > 0 {
			JMP(LabelRef(label + "Tail"))
		}
	}
	Label(label + "Tail")
	TESTQ(remaining, remaining)
	JZ(LabelRef(label + "Done"))
	k.mask(remaining)
	k.edge(label+"Src", src, remaining, 0)
	VMOVDQU8_Z(Mem{Base: src}, K7, t[0])
	VPXORD(t[0], x[15], x[15])
	MOVQ(dst, R14)
	k.edge(label+"Dst", dst, remaining, -1)
	VMOVDQU8(x[15], K7, Mem{Base: dst})
	k.edgeOut(label+"Out", R14, dst, remaining)
	XORQ(remaining, remaining)
	Label(label + "Done")
}
