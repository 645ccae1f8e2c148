package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"

	"github.com/fastcrypto-go/fastcrypto/kernels_amd64/_asm/internal/wipe"
)

// A narrow generates the kernels on VEX-encoded registers of 16 or 32 bytes. A chunk
// is eight registers of counter blocks.
//
// The table of a key holds the powers H^most … H^1 of the hash key, 16 bytes each, and
// behind them for each, in the low quadword, the sum of its halves for Karatsuba's
// multiplication, in the high one that of the power a register further on.
//
// Registers: 0–7 counter blocks, then key stream or ciphertext; 8, 9 and 10 the
// product under accumulation, low, middle and high, of which the middle is Karatsuba's:
// it contains the low and the high; 10 between turns the state of GHASH; 11–13
// temporary; 14 the next counter blocks, byte-reversed, in the main loop temporary, and in
// the tail E(K, J0); 15 a round key. In the main loop the counter blocks, in their own byte
// order, are in the frame.
type narrow struct {
	tier  string
	width int // 16 or 32
	chunk int
	most  int // powers in the table
	mode  mode
	tag   bool
	holds bool // the last ciphertext waits for the next call
	inc   func(...Op)

	left     string
	deferred []func()
	saved    Mem  // the next counter blocks, in the frame
	framed   bool // the function has that frame

	small, swap, first, next, step, poly, carry, mask Mem
}

func newNarrow(tier string, width int, left string) *narrow {
	blocks := 8 * width / 16
	return &narrow{
		tier: tier, width: width, chunk: 8 * width,
		// A tail of a whole chunk, the lengths and a block of additional data; or the two
		// chunks of the main loop in aesni.go.
		most: max(blocks+2, 16),
		left: left,
		inc:  func(ops ...Op) { VPADDD(ops...) },
	}
}

func (k *narrow) all() {
	k.constants()
	k.init()
	k.message(seal)
	k.message(open)
	k.pieces(seal)
	k.pieces(open)
	k.chunks()
	k.hash()
	k.nonce()
	k.streamKernel()
}

// v returns register i at the tier's width, x at 16 bytes.
func (k *narrow) v(i int) VecPhysical {
	if k.width == 32 {
		return lane256(k.x(i))
	}
	return k.x(i)
}

func (k *narrow) x(i int) VecPhysical {
	return []VecPhysical{X0, X1, X2, X3, X4, X5, X6, X7, X8, X9, X10, X11, X12, X13, X14, X15}[i]
}

const (
	lo, mid, hi = 8, 9, 10
	ctr, key    = 14, 15
	ej0         = 14
)

func (k *narrow) tableSize() int { return 32 * k.most }

func (k *narrow) constants() {
	lanes := func(name string, words func(lane int) [2]uint64) Mem {
		var list []uint64
		for lane := range k.width / 16 {
			w := words(lane)
			list = append(list, w[0], w[1])
		}
		return constant(name, list...)
	}
	n := uint64(k.width / 16)
	k.swap = lanes("swap", func(int) [2]uint64 { return [2]uint64{0x08090a0b0c0d0e0f, 0x0001020304050607} })
	k.first = lanes("first", func(i int) [2]uint64 { return [2]uint64{uint64(i), 0} })
	k.next = lanes("next", func(i int) [2]uint64 { return [2]uint64{uint64(i) + 1, 0} })
	k.step = lanes("step", func(int) [2]uint64 { return [2]uint64{n, 0} })
	// Multiples of the step, in the last byte of a block.
	var list []uint64
	for i := range uint64(9) {
		for range n {
			list = append(list, 0, i*n<<56)
		}
	}
	k.small = constant("small", list...)
	k.poly = lanes("poly", func(int) [2]uint64 { return [2]uint64{polynomial, polynomial} })
	k.carry = constant("carry", 1, polynomial)
	// 16 bytes from offset 16−r on: r bytes of ones, then zeros.
	k.mask = constant("ones", ^uint64(0), ^uint64(0), 0, 0)
}

func (k *narrow) loadKey(m Mem) {
	if k.width == 32 {
		VBROADCASTI128(m, k.v(key))
	} else {
		VMOVDQU(m, k.x(key))
	}
}

// startCounter spreads the byte-reversed counter block in register ctr over the lanes,
// and adds the offsets.
func (k *narrow) startCounter(offsets Mem) {
	if k.width == 32 {
		VINSERTI128(U8(1), k.x(ctr), k.v(ctr), k.v(ctr))
	}
	k.inc(offsets, k.v(ctr), k.v(ctr))
}

// counters puts the next counter blocks into the first states.
func (k *narrow) counters(states int) {
	for i := range states {
		VPSHUFB(k.swap, k.v(ctr), k.v(i))
		k.inc(k.step, k.v(ctr), k.v(ctr))
	}
}

// multiply returns the instructions that add the products of the blocks in d, byte-
// reversed, and the powers at power to the accumulator, or set it if fresh. d, a and b
// are overwritten; they and the products have the width of d.
func (k *narrow) multiply(d, a, b VecPhysical, power Mem, fresh bool) []func() {
	sum := power.Offset(16 * k.most)
	w := func(i int) VecPhysical {
		if d.Size() == 16 {
			return k.x(i)
		}
		return k.v(i)
	}
	if fresh {
		return []func(){
			func() { VPSHUFD(U8(0x4e), d, a) },
			func() { VPXOR(d, a, a) },
			func() { VPCLMULQDQ(U8(0x00), sum, a, w(mid)) },
			func() { VPCLMULQDQ(U8(0x00), power, d, w(lo)) },
			func() { VPCLMULQDQ(U8(0x11), power, d, w(hi)) },
		}
	}
	return []func(){
		func() { VPSHUFD(U8(0x4e), d, a) },
		func() { VPXOR(d, a, a) },
		func() { VPCLMULQDQ(U8(0x00), power, d, b) },
		func() { VPXOR(k.v(lo), asWidth(b, k.v(0)), k.v(lo)) },
		func() { VPCLMULQDQ(U8(0x00), sum, a, a) },
		func() { VPXOR(k.v(mid), asWidth(a, k.v(0)), k.v(mid)) },
		func() { VPCLMULQDQ(U8(0x11), power, d, d) },
		func() { VPXOR(k.v(hi), asWidth(d, k.v(0)), k.v(hi)) },
	}
}

// swapped returns the instruction that reverses the bytes of each block of d.
func (k *narrow) swapped(d VecPhysical) func() {
	return func() { VPSHUFB(k.swap, d, d) }
}

// reduction returns the instructions that reduce the accumulator and leave the state of
// GHASH in the lowest lane of register hi, the other 0. See the one of 512 bits.
func (k *narrow) reduction() []func() {
	t := k.v(11)
	fold := func(from, to int) []func() {
		return []func(){
			func() { VPCLMULQDQ(U8(0x00), k.poly, k.v(from), t) },
			func() { VPSHUFD(U8(0x4e), k.v(from), k.v(from)) },
			func() { VPXOR(t, k.v(to), k.v(to)) },
			func() { VPXOR(k.v(from), k.v(to), k.v(to)) },
		}
	}
	ops := []func(){
		func() { VPXOR(k.v(lo), k.v(mid), k.v(mid)) },
		func() { VPXOR(k.v(hi), k.v(mid), k.v(mid)) },
	}
	ops = append(ops, fold(lo, mid)...)
	ops = append(ops, fold(mid, hi)...)
	if k.width == 32 {
		ops = append(ops,
			func() { VEXTRACTI128(U8(1), k.v(hi), k.x(11)) },
			func() { VPXOR(k.x(11), k.x(hi), k.x(hi)) },
		)
	}
	return ops
}

func (k *narrow) power(p int) Mem { return Mem{Base: table, Disp: 16 * (k.most - p)} }

// hashChunk returns the instructions that hash a chunk at base, whose first block the
// state in register hi is added to. The halves of two registers are put together, so that
// one addition forms the Karatsuba sums of both. It uses registers 11–14.
func (k *narrow) hashChunk(base Mem) []func() {
	var ops []func()
	do := func(f func()) { ops = append(ops, f) }
	d, e, l, t := k.v(11), k.v(12), k.v(13), k.v(14)
	for i := 0; i < 8; i += 2 {
		power := k.power(k.chunk / 16).Offset(k.width * i)
		next := power.Offset(k.width)
		sums := power.Offset(16 * k.most)
		do(func() { VMOVDQU(base.Offset(k.width*i), d) })
		do(func() { VMOVDQU(base.Offset(k.width*(i+1)), e) })
		do(k.swapped(d))
		do(k.swapped(e))
		if i == 0 {
			do(func() { VPXOR(k.v(hi), d, d) })
		}
		do(func() { VPUNPCKLQDQ(e, d, l) })
		do(func() { VPUNPCKHQDQ(e, d, d) })
		do(func() { VPXOR(l, d, e) })
		// product adds x's even quadwords times m0 and odd ones times m1, and overwrites x.
		product := func(into int, x VecPhysical, m0 Mem, imm0 uint8, m1 Mem, imm1 uint8) {
			if i == 0 {
				do(func() { VPCLMULQDQ(U8(imm0), m0, x, k.v(into)) })
			} else {
				do(func() { VPCLMULQDQ(U8(imm0), m0, x, t) })
				do(func() { VPXOR(t, k.v(into), k.v(into)) })
			}
			do(func() { VPCLMULQDQ(U8(imm1), m1, x, x) })
			do(func() { VPXOR(x, k.v(into), k.v(into)) })
		}
		product(mid, e, sums, 0x00, sums, 0x11)
		product(lo, l, power, 0x00, next, 0x01)
		product(hi, d, power, 0x10, next, 0x11)
	}
	return append(ops, k.reduction()...)
}

// cryptChunk adds the key stream to a chunk, from src to dst, and advances both. It
// emits between after AES instructions of the rounds 1–9, and before the first byte is
// written.
func (k *narrow) cryptChunk(label string, between []func()) {
	k.loadKey(Mem{Base: rk})
	VMOVDQU(k.saved, k.v(ctr))
	carry := func() {
		k.reverseCounter()
		k.counters(8)
		k.reverseCounter()
		for i := range 8 {
			VPXOR(k.v(key), k.v(i), k.v(i))
		}
	}
	if k.countsPublicly() {
		// In the main loop the counter has the byte order of the block: adding to its last
		// byte needs no reversal unless that byte, of any lane, overflows before the next
		// chunk.
		CMPB(t1.As8(), U8(256-9*k.width/16))
		JA(LabelRef(label + "Carry"))
		for i := range 8 {
			if i == 0 {
				VPXOR(k.v(key), k.v(ctr), k.v(i))
			} else {
				VPADDD(k.small.Offset(k.width*i), k.v(ctr), k.v(i))
				VPXOR(k.v(key), k.v(i), k.v(i))
			}
		}
		VPADDD(k.small.Offset(k.width*8), k.v(ctr), k.v(ctr))
		Label(label + "Counted")
		ADDB(lastStep.As8(), t1.As8())
		k.later(func() {
			Label(label + "Carry")
			carry()
			JMP(LabelRef(label + "Counted"))
		})
	} else {
		carry()
	}
	VMOVDQU(k.v(ctr), k.saved)
	next, rest := spread(between, 9*8)
	round := func(r int, next func()) {
		k.loadKey(Mem{Base: rk, Disp: 16 * r})
		for i := range 8 {
			VAESENC(k.v(key), k.v(i), k.v(i))
			next()
		}
	}
	for r := 1; r <= 9; r++ {
		round(r, next)
	}
	rest()
	CMPQ(rounds, Imm(12))
	JB(LabelRef(label))
	round(10, func() {})
	round(11, func() {})
	CMPQ(rounds, Imm(12))
	JE(LabelRef(label))
	round(12, func() {})
	round(13, func() {})
	Label(label)
	MOVQ(rounds, t0)
	SHLQ(U8(4), t0)
	k.loadKey(Mem{Base: rk, Index: t0, Scale: 1})
	// The last round adds its key last, so data and key may be added first.
	for i := range 8 {
		t := k.v(11 + i%3)
		VPXOR(Mem{Base: src, Disp: k.width * i}, k.v(key), t)
		VAESENCLAST(t, k.v(i), k.v(i))
	}
	for i := range 8 {
		VMOVDQU(k.v(i), Mem{Base: dst, Disp: k.width * i})
	}
	ADDQ(U32(k.chunk), src)
	ADDQ(U32(k.chunk), dst)
	SUBQ(U32(k.chunk), n)
}

// lastStep is what t1 grows by in a chunk. adLen is free in the main loop.
var lastStep = adLen

// countsPublicly reports whether the main loop may branch on the last byte of the
// counter, which t1 has then. A counter that was hashed from a nonce tells of the hash
// key: then t1 stays where the loop takes the way that is right for every counter.
func (k *narrow) countsPublicly() bool { return k.mode == stream || k.tag || k.holds }

// reverseCounter turns the counter from the order of numbers into that of the block, as
// which the main loop keeps it where it counts publicly, and back.
func (k *narrow) reverseCounter() {
	if k.countsPublicly() {
		VPSHUFB(k.swap, k.v(ctr), k.v(ctr))
	}
}

// watchCounter prepares that branch.
func (k *narrow) watchCounter() {
	const always = 255
	if !k.countsPublicly() {
		return
	}
	MOVL(U32(8*k.width/16), lastStep.As32())
	switch {
	case k.mode == stream:
		Load(Param("ctrLo"), t1)
		return
	case k.holds:
		Load(Param("low"), t1)
		CMPQ(t1, U32(always))
		JBE(LabelRef("bulkFirst"))
	default:
		Load(Param("nonceLen"), t0)
		MOVL(U32(2), t1.As32())
		CMPQ(t0, Imm(16))
		JNE(LabelRef("bulkFirst"))
	}
	MOVL(U32(always), t1.As32())
	XORL(lastStep.As32(), lastStep.As32())
	Label("bulkFirst")
}

// unless is the opposite of again.
func (k *narrow) unless(label string) {
	if k.tag {
		JBE(LabelRef(label))
	} else {
		JB(LabelRef(label))
	}
}

// bulk takes whole chunks. Before a tail that makes a tag it leaves 1 byte to a chunk, or
// n if that is less; other functions need no tail if nothing is left, and it takes all
// that it can. Register hi is the state of GHASH before and after.
func (k *narrow) bulk() {
	CMPQ(n, U32(k.chunk))
	k.unless("bulkDone")
	if k.interleaved() {
		k.interleave()
		Label("bulkDone")
		return
	}
	k.watchCounter()
	k.reverseCounter()
	VMOVDQU(k.v(ctr), k.saved)
	switch k.mode {
	case seal:
		Comment("The first chunk: nothing to hash yet.")
		k.cryptChunk("firstLastRound", nil)
		JMP(LabelRef("bulkNext"))
		Label("bulk")
		Comment("Encrypt a chunk while the one before is hashed.")
		k.cryptChunk("bulkLastRound", k.hashChunk(Mem{Base: dst, Disp: -k.chunk}))
		Label("bulkNext")
		CMPQ(n, U32(k.chunk))
		again("bulk", k.tag)
		Comment("Hash the last chunk.")
		emit(k.hashChunk(Mem{Base: dst, Disp: -k.chunk}))
	case open:
		Label("bulk")
		Comment("Decrypt a chunk while it is hashed.")
		k.cryptChunk("bulkLastRound", k.hashChunk(Mem{Base: src}))
		CMPQ(n, U32(k.chunk))
		again("bulk", k.tag)
	case stream:
		Label("bulk")
		k.cryptChunk("bulkLastRound", nil)
		CMPQ(n, U32(k.chunk))
		again("bulk", k.tag)
	}
	VMOVDQU(k.saved, k.v(ctr))
	k.reverseCounter()
	Label("bulkDone")
}

// powerOf points pow to H^(blocks + more), where blocks is length in whole blocks.
func (k *narrow) powerOf(length GPPhysical, more int) {
	LEAQ(Mem{Base: length, Disp: 15}, t0)
	ANDQ(I8(-16), t0)
	LEAQ(k.power(more), pow)
	SUBQ(t0, pow)
}

// addState starts the accumulator with the product of the state in register hi and the
// power at pow, which is that of the next block to be hashed.
func (k *narrow) addState() {
	VMOVDQA(k.x(hi), k.x(11))
	emit(k.multiply(k.x(11), k.x(12), k.x(13), Mem{Base: pow}, true))
}

// hashBytes hashes the adLen bytes at ad, at least one, the last block padded with
// zeros, into the state in register hi. It uses pow, t0–t2, and changes ad and adLen.
func (k *narrow) hashBytes() {
	JMP(LabelRef("hashNext"))
	Label("hashChunks")
	emit(k.hashChunk(Mem{Base: ad}))
	ADDQ(U32(k.chunk), ad)
	SUBQ(U32(k.chunk), adLen)
	Label("hashNext")
	CMPQ(adLen, U32(k.chunk))
	JA(LabelRef("hashChunks"))
	Comment("A chunk or less: one reduction.")
	k.powerOf(adLen, 0)
	k.addState()
	k.hashLast()
}

// hashLast adds the products of the adLen bytes at ad, 1 to a chunk, to the accumulator
// and reduces it. pow points to the power of the first block.
func (k *narrow) hashLast() {
	k.addBytes("hash")
	emit(k.reduction())
}

// addBytes is hashLast without the reduction. pow points to the power of the block behind
// the bytes in the end. The labels' prefix is unique.
func (k *narrow) addBytes(prefix string) {
	l := func(s string) string { return prefix + s }
	d, a, b := 11, 12, 13
	if k.width == 32 {
		SUBQ(Imm(32), adLen)
		JB(LabelRef(l("Short")))
		Label(l("Vectors"))
		VMOVDQU(Mem{Base: ad}, k.v(d))
		k.swapped(k.v(d))()
		emit(k.multiply(k.v(d), k.v(a), k.v(b), Mem{Base: pow}, false))
		ADDQ(Imm(32), ad)
		ADDQ(Imm(32), pow)
		SUBQ(Imm(32), adLen)
		JAE(LabelRef(l("Vectors")))
		Label(l("Short"))
		ADDQ(Imm(32), adLen)
	}
	SUBQ(Imm(16), adLen)
	JB(LabelRef(l("Part")))
	Label(l("Blocks"))
	VMOVDQU(Mem{Base: ad}, k.x(d))
	VPSHUFB(k.swap, k.x(d), k.x(d))
	emit(k.multiply(k.x(d), k.x(a), k.x(b), Mem{Base: pow}, false))
	ADDQ(Imm(16), ad)
	ADDQ(Imm(16), pow)
	SUBQ(Imm(16), adLen)
	JAE(LabelRef(l("Blocks")))
	Label(l("Part"))
	ADDQ(Imm(16), adLen)
	JZ(LabelRef(l("Added")))
	loadPart(prefix, ad, adLen, k.x(d))
	VPSHUFB(k.swap, k.x(d), k.x(d))
	emit(k.multiply(k.x(d), k.x(a), k.x(b), Mem{Base: pow}, false))
	ADDQ(Imm(16), pow)
	Label(l("Added"))
}

// loadPart loads length bytes, 1 to 15, at base into x, padded with zeros, by loads that
// overlap. It uses t0, t1 and t2, which is CX.
func loadPart(prefix string, base, length GPPhysical, x VecPhysical) {
	l := func(s string) string { return prefix + s }
	// t2 is CX: the number of bits that a shift takes.
	CMPQ(length, Imm(8))
	JBE(LabelRef(l("UpTo8")))
	MOVQ(Mem{Base: base}, t0)
	MOVQ(Mem{Base: base, Index: length, Scale: 1, Disp: -8}, t1)
	Comment("The last 8 bytes: those behind the first 8 go down, by 16 − length bytes.")
	MOVL(U32(16), t2.As32())
	SUBQ(length, t2)
	SHLQ(U8(3), t2)
	SHRQ(CL, t1)
	VMOVQ(t0, x)
	VPINSRQ(U8(1), t1, x, x)
	JMP(LabelRef(l("Loaded")))
	Label(l("UpTo8"))
	CMPQ(length, Imm(4))
	JB(LabelRef(l("UpTo3")))
	MOVL(Mem{Base: base}, t0.As32())
	MOVL(Mem{Base: base, Index: length, Scale: 1, Disp: -4}, t1.As32())
	LEAQ(Mem{Base: length, Disp: -4}, t2)
	JMP(LabelRef(l("Join")))
	Label(l("UpTo3"))
	MOVBLZX(Mem{Base: base}, t0.As32())
	MOVBLZX(Mem{Base: base, Index: length, Scale: 1, Disp: -1}, t1.As32())
	LEAQ(Mem{Base: length, Disp: -1}, t2)
	CMPQ(length, Imm(2))
	JBE(LabelRef(l("Join")))
	MOVWLZX(Mem{Base: base}, t0.As32())
	Label(l("Join"))
	SHLQ(U8(3), t2)
	SHLQ(CL, t1)
	ORQ(t1, t0)
	VMOVQ(t0, x)
	Label(l("Loaded"))
}

// storePart stores the first length bytes, 1 to 15, of x at base, and changes base, x,
// t0 and t1.
func (k *narrow) storePart(base, length GPPhysical, x VecPhysical) {
	VMOVQ(x, t0)
	TESTQ(U32(8), length)
	JZ(LabelRef("store4"))
	MOVQ(t0, Mem{Base: base})
	VPEXTRQ(U8(1), x, t0)
	ADDQ(Imm(8), base)
	Label("store4")
	TESTQ(U32(4), length)
	JZ(LabelRef("store2"))
	MOVL(t0.As32(), Mem{Base: base})
	SHRQ(U8(32), t0)
	ADDQ(Imm(4), base)
	Label("store2")
	TESTQ(U32(2), length)
	JZ(LabelRef("store1"))
	MOVW(t0.As16(), Mem{Base: base})
	SHRQ(U8(16), t0)
	ADDQ(Imm(2), base)
	Label("store1")
	TESTQ(U32(1), length)
	JZ(LabelRef("stored"))
	MOVB(t0.As8(), Mem{Base: base})
	Label("stored")
}

// wholeBlocks reports whether n is a multiple of 16, as in the midst of a message.
func (k *narrow) wholeBlocks() bool { return k.mode != stream && !k.tag }

// tail takes the last n bytes, at most a chunk, all blocks in flight at once. The
// accumulator holds what else the tag depends on, and pow points to the power of the
// first block; the products are added to the accumulator.
func (k *narrow) tail() {
	LEAQ(Mem{Base: n, Disp: k.width - 1}, t1)
	SHRQ(U8(map[int]uint64{16: 4, 32: 5}[k.width]), t1)
	Comment("Branch on the number of registers.")
	var tree func(from, to int)
	tree = func(from, to int) {
		if from == to {
			k.tailOf(from)
			switch {
			case from == 0:
				JMP(LabelRef("finish"))
			case from != 8:
				JMP(LabelRef("lastVector"))
			}
			return
		}
		m := (from + to + 1) / 2
		label := fmt.Sprintf("from%dto%d", m, to)
		CMPQ(t1, Imm(uint64(m)))
		JAE(LabelRef(label))
		tree(from, m-1)
		Label(label)
		tree(m, to)
	}
	switch {
	case k.tag:
		tree(0, 8)
	case k.wholeBlocks() && k.width == 16: // less than a chunk
		tree(1, 7)
	default:
		tree(1, 8)
	}
	k.lastVector()
	Label("finish")
}

// tailOf takes all registers but the last, whose key stream it leaves in register 11.
func (k *narrow) tailOf(vectors int) {
	Commentf("%d registers.", vectors)
	k.counters(vectors)
	full := max(vectors-1, 0)
	if k.mode == open {
		for i := range full {
			VMOVDQU(Mem{Base: src, Disp: k.width * i}, k.v(11))
			k.swapped(k.v(11))()
			emit(k.multiply(k.v(11), k.v(12), k.v(13), Mem{Base: pow, Disp: k.width * i}, false))
		}
	}
	batch := make([]VecPhysical, vectors)
	for i := range batch {
		batch[i] = k.v(i)
	}
	if k.tag {
		k.loadJ0(fmt.Sprintf("given%d", vectors), k.x(ej0))
		batch = append(batch, k.v(ej0))
	}
	k.loadKey(Mem{Base: rk})
	for _, s := range batch {
		VPXOR(k.v(key), s, s)
	}
	LEAQ(Mem{Base: rk, Disp: 16}, t0)
	MOVQ(rounds, t2)
	SHLQ(U8(4), t2)
	ADDQ(rk, t2)
	label := fmt.Sprintf("round%d", vectors)
	Label(label)
	k.loadKey(Mem{Base: t0})
	for _, s := range batch {
		VAESENC(k.v(key), s, s)
	}
	ADDQ(Imm(16), t0)
	CMPQ(t0, t2)
	JNE(LabelRef(label))
	k.loadKey(Mem{Base: t0})
	for _, s := range batch {
		VAESENCLAST(k.v(key), s, s)
	}
	for i := range full {
		VPXOR(Mem{Base: src, Disp: k.width * i}, k.v(i), k.v(i))
		VMOVDQU(k.v(i), Mem{Base: dst, Disp: k.width * i})
	}
	if k.mode == seal {
		for i := range full {
			k.swapped(k.v(i))()
			emit(k.multiply(k.v(i), k.v(12), k.v(13), Mem{Base: pow, Disp: k.width * i}, false))
		}
	}
	if vectors > 0 {
		VMOVDQA(k.v(full), k.v(11))
	}
	if full > 0 {
		ADDQ(U32(k.width*full), src)
		ADDQ(U32(k.width*full), dst)
		ADDQ(U32(k.width*full), pow)
		SUBQ(U32(k.width*full), n)
	}
}

// lastVector takes the last n bytes, 1 to a register's, with the key stream in register
// 11.
func (k *narrow) lastVector() {
	// hash hashes the ciphertext: ks, to which the text was added, or the text itself.
	hash := func(ks, text VecPhysical) {
		if k.mode == stream {
			return
		}
		d, a := text, ks
		if k.mode == seal {
			d, a = ks, text
		}
		VPSHUFB(k.swap, d, d)
		emit(k.multiply(d, a, asWidth(k.x(13), d), Mem{Base: pow}, false))
	}
	whole := func(w func(int) VecPhysical) {
		VMOVDQU(Mem{Base: src}, w(12))
		VPXOR(w(12), w(11), w(11))
		VMOVDQU(w(11), Mem{Base: dst})
		hash(w(11), w(12))
	}
	Label("lastVector")
	if k.wholeBlocks() && k.width == 16 {
		whole(k.v)
		return
	}
	CMPQ(n, Imm(uint64(k.width)))
	JB(LabelRef("lastPart"))
	whole(k.v)
	JMP(LabelRef("finish"))
	Label("lastPart")
	if k.wholeBlocks() {
		whole(k.x)
		return
	}
	if k.width == 32 {
		CMPQ(n, Imm(16))
		JB(LabelRef("lastBlock"))
		VEXTRACTI128(U8(1), k.v(11), k.x(0))
		whole(k.x)
		VMOVDQA(k.x(0), k.x(11))
		ADDQ(Imm(16), src)
		ADDQ(Imm(16), dst)
		ADDQ(Imm(16), pow)
		SUBQ(Imm(16), n)
		JZ(LabelRef("finish"))
		Label("lastBlock")
	}
	loadPart("text", src, n, k.x(12))
	VPXOR(k.x(12), k.x(11), k.x(11))
	Comment("Nothing of the key stream behind the text may be stored or hashed.")

	LEAQ(k.mask, t0)
	SUBQ(n, t0)
	VPAND(Mem{Base: t0, Disp: 16}, k.x(11), k.x(11))
	k.storePart(dst, n, k.x(11))
	hash(k.x(11), k.x(12))
}

// loadJ0 loads J0, the nonce and 1, or given. It uses t0 and t2.
func (k *narrow) loadJ0(label string, x VecPhysical) {
	Load(Param("nonce"), t0)
	Load(Param("nonceLen"), t2)
	VMOVQ(Mem{Base: t0}, x)
	CMPQ(t2, Imm(16))
	JE(LabelRef(label))
	VPINSRD(U8(2), Mem{Base: t0, Disp: 8}, x, x)
	MOVL(U32(1<<24), t2.As32())
	VPINSRD(U8(3), t2.As32(), x, x)
	JMP(LabelRef(label + "Done"))
	Label(label)
	VMOVDQU(Mem{Base: t0}, x)
	Label(label + "Done")
}

func (k *narrow) loadText() {
	Load(Param("rk"), rk)
	Load(Param("rounds"), rounds)
	Load(Param("n"), n)
	Load(Param("src"), src)
	Load(Param("dst"), dst)
}

// message generates the kernel for a whole message.
func (k *narrow) message(m mode) {
	k.mode, k.tag = m, true
	name := map[mode]string{seal: "GCMSeal", open: "GCMOpen"}[m] + k.tier
	beginMessage(name, NOSPLIT, m, k.tableSize(), k.left, "")

	k.saved, k.framed = AllocLocal(k.frame()), true
	k.loadJ0("given", k.x(ctr))
	k.loadText()
	Load(Param("table"), table)
	Load(Param("ad"), ad)
	Load(Param("adLen"), adLen)
	VPSHUFB(k.swap, k.x(ctr), k.x(ctr))
	k.startCounter(k.next)
	VPXOR(k.x(hi), k.x(hi), k.x(hi))
	CMPQ(n, U32(k.chunk))
	JA(LabelRef("long"))
	TESTQ(adLen, adLen)
	JZ(LabelRef("noState"))
	CMPQ(adLen, Imm(16))
	JA(LabelRef("blocks"))
	Comment("Short, and a block of additional data: one accumulator for all.")
	JB(LabelRef("adPart"))
	VMOVDQU(Mem{Base: ad}, k.x(hi))
	JMP(LabelRef("adLoaded"))
	Label("adPart")
	loadPart("short", ad, adLen, k.x(hi))
	Label("adLoaded")
	VPSHUFB(k.swap, k.x(hi), k.x(hi))
	k.powerOf(n, 2)
	k.addState()
	ADDQ(Imm(16), pow)
	MOVQ(n, t1)
	JMP(LabelRef("lengths"))
	Label("noState")
	k.clear()
	k.powerOf(n, 1)
	MOVQ(n, t1)
	JMP(LabelRef("lengths"))
	Label("blocks")
	Comment("Short, and more additional data: the same, if there are enough powers.")
	k.powerOf(n, 1)
	LEAQ(Mem{Base: adLen, Disp: 15}, t1)
	ANDQ(I8(-16), t1)
	SUBQ(t1, pow)
	ADDQ(t0, t1)
	CMPQ(t1, U32(16*(k.most-1)))
	JA(LabelRef("long"))
	k.lengths(n, true)
	k.addBytes("blocks")
	JMP(LabelRef("text"))

	Label("long")
	TESTQ(adLen, adLen)
	JZ(LabelRef("bulkStart"))
	VMOVDQU(k.v(ctr), k.saved)
	k.hashBytes()
	VMOVDQU(k.saved, k.v(ctr))
	Label("bulkStart")
	k.bulk()
	k.powerOf(n, 1)
	k.addState()
	Load(Param("adLen"), adLen)
	Load(Param("n"), t1)

	Label("lengths")
	k.lengths(t1, false)
	Label("text")
	k.tail()
	emit(k.reduction())
	Load(Param("tag"), t0)
	VPSHUFB(k.swap, k.x(hi), k.x(hi))
	VPXOR(k.x(ej0), k.x(hi), k.x(hi))
	VMOVDQU(k.x(hi), Mem{Base: t0})
	k.leave()
}

// lengths adds the product of the block of lengths, of adLen and text bytes, and H to the
// accumulator, or begins it if fresh.
func (k *narrow) lengths(text GPPhysical, fresh bool) {
	Comment("The block of lengths in bits, byte-reversed, gets the power H.")
	VMOVQ(text, k.x(11))
	VPINSRQ(U8(1), adLen, k.x(11), k.x(11))
	VPSLLQ(U8(3), k.x(11), k.x(11))
	emit(k.multiply(k.x(11), k.x(12), k.x(13), k.power(1), fresh))
}

func (k *narrow) clear() {
	for _, i := range []int{lo, mid, hi} {
		VPXOR(k.x(i), k.x(i), k.x(i))
	}
}

func (k *narrow) leave() {
	if k.framed {
		wipe.Frame(k.saved, k.frame(), k.v(lo), false)
		k.framed = false
	}
	if k.width > 16 {
		VZEROUPPER()
	}
	RET()
	emit(k.deferred)
	k.deferred = nil
}

// later has code emitted behind the function's end.
func (k *narrow) later(f func()) { k.deferred = append(k.deferred, f) }

// pieces generates the kernel for whole blocks in the midst of a message.
func (k *narrow) pieces(m mode) {
	k.mode, k.tag = m, false
	name := map[mode]string{seal: "GCMSealBlocks", open: "GCMOpenBlocks"}[m] + k.tier
	beginPieces(name, NOSPLIT, m, k.tableSize(), k.left, "")

	k.saved, k.framed = AllocLocal(k.frame()), true
	k.loadText()
	Load(Param("table"), table)
	Load(Param("ctr"), t0)
	VMOVDQU(Mem{Base: t0}, k.x(ctr))
	VPSHUFB(k.swap, k.x(ctr), k.x(ctr))
	k.startCounter(k.first)
	k.loadY()
	k.bulk()
	TESTQ(n, n)
	JZ(LabelRef("done"))
	k.powerOf(n, 0)
	k.addState()
	k.tail()
	emit(k.reduction())
	Label("done")
	k.storeY()
}

// held is the size of the ciphertext that the kernel for chunks leaves to its next call.
const held = 256

// chunks generates the kernel for whole chunks in the midst of a message, of which the
// last are hashed by the call that follows: so no call but the first encrypts without
// hashing, and none hashes without encrypting.
func (k *narrow) chunks() {
	k.mode, k.tag, k.holds = seal, false, true
	beginChunks("GCMSealChunks"+k.tier, chunksForm{held: held, low: !k.interleaved()}, k.tableSize(), k.left)

	k.saved, k.framed = AllocLocal(k.frame()), true
	Load(Param("j0"), t0)
	Load(Param("ctr"), t2.As32())
	k.loadText()
	Load(Param("table"), table)
	VMOVDQU(Mem{Base: t0}, k.x(ctr))
	VPSHUFB(k.swap, k.x(ctr), k.x(ctr))
	VPINSRD(U8(0), t2.As32(), k.x(ctr), k.x(ctr))
	k.startCounter(k.first)
	k.loadY()
	Load(Param("held"), ad)
	if k.interleaved() {
		k.interleaveChunks()
	} else {
		k.watchCounter()
		k.reverseCounter()
		VMOVDQU(k.v(ctr), k.saved)
		Load(Param("holds"), t0)
		TESTQ(t0, t0)
		JNZ(LabelRef("bulk"))
		Comment("The message's first chunk: nothing to hash yet.")
		k.cryptChunk("firstLastRound", nil)
		JMP(LabelRef("bulkNext"))
		Label("bulk")
		Comment("Encrypt a chunk while the one before, at R12, is hashed.")
		k.cryptChunk("bulkLastRound", k.hashChunk(Mem{Base: ad}))
		Label("bulkNext")
		LEAQ(Mem{Base: dst, Disp: -k.chunk}, ad)
		TESTQ(n, n)
		JNZ(LabelRef("bulk"))
		Load(Param("held"), ad)
	}
	Comment("Keep the last ciphertext.")
	k.keepHeld()
	k.storeY()
	k.holds = false
}

// keepHeld copies the last ciphertext to ad. That of the last chunk is in registers 0–7.
func (k *narrow) keepHeld() {
	before := held - k.chunk
	for i := 0; i < before; i += k.width {
		t := k.v(11 + i/k.width%3)
		VMOVDQU(Mem{Base: dst, Disp: i - held}, t)
		VMOVDQU(t, Mem{Base: ad, Disp: i})
	}
	for i := range 8 {
		VMOVDQU(k.v(i), Mem{Base: ad, Disp: before + k.width*i})
	}
}

func (k *narrow) loadY() {
	Load(Param("y"), t1)
	VMOVDQU(Mem{Base: t1}, k.x(hi))
	VPSHUFB(k.swap, k.x(hi), k.x(hi))
}

func (k *narrow) storeY() {
	Load(Param("y"), t1)
	k.storeState()
}

// storeState stores the state at t1 and returns.
func (k *narrow) storeState() {
	VPSHUFB(k.swap, k.x(hi), k.x(hi))
	VMOVDQU(k.x(hi), Mem{Base: t1})
	k.leave()
}

// hash generates GHASH alone.
func (k *narrow) hash() {
	name := "GCMHash" + k.tier
	beginHash(name, NOSPLIT, k.tableSize(), k.left, "")

	Load(Param("data"), ad)
	Load(Param("n"), adLen)
	Load(Param("table"), table)
	k.loadY()
	k.hashBytes()
	k.storeY()
}

// nonce generates the hash of a nonce and its length.
func (k *narrow) nonce() {
	beginNonce("GCMNonce"+k.tier, NOSPLIT, k.tableSize(), k.left)

	Load(Param("nonce"), ad)
	Load(Param("n"), adLen)
	Load(Param("table"), table)
	Comment("The block of the length in bits, byte-reversed, gets the power H.")
	VMOVQ(adLen, k.x(11))
	VPSLLQ(U8(3), k.x(11), k.x(11))
	emit(k.multiply(k.x(11), k.x(12), k.x(13), k.power(1), true))
	k.powerOf(adLen, 1)
	k.hashLast()
	Load(Param("j0"), t1)
	k.storeState()
}

// streamKernel generates the key stream of CTR mode, whose counter is wider than GCM's.
func (k *narrow) streamKernel() {
	s := *k
	s.mode, s.tag = stream, false
	s.inc = func(ops ...Op) { VPADDQ(ops...) }
	name := "CTR" + k.tier
	beginStream(name, "n ctrLo rounds", k.left, "")

	s.saved, s.framed = AllocLocal(s.frame()), true
	s.loadText()
	Load(Param("ctrHi"), t0)
	Load(Param("ctrLo"), t1)
	VMOVQ(t1, k.x(ctr))
	VPINSRQ(U8(1), t0, k.x(ctr), k.x(ctr))
	s.startCounter(s.first)
	s.bulk()
	TESTQ(n, n)
	JZ(LabelRef("done"))
	s.tail()
	Label("done")
	s.leave()
}

// init generates the key setup: H and its powers.
func (k *narrow) init() {
	name := "GCMInit" + k.tier
	beginInit(name, k.tableSize(), fmt.Sprintf(`The table holds the powers H^%d … H^1, each times x
		and byte-reversed, 16 bytes each, and behind them for each the sum of its halves and of
		those of the power that goes with the next register.`, k.most), k.left)

	hashKey(X0, X5, X6, k.swap, k.carry)
	Load(Param("table"), table)
	store := func(p int, x VecPhysical) {
		VMOVDQU(x, k.power(p))
		VPSHUFD(U8(0x4e), x, X5)
		VPXOR(x, X5, X5)
		if q := p - k.width/16; q > 0 {
			VPUNPCKLQDQ(k.power(q).Offset(16*k.most), X5, X5)
		}
		VMOVDQU(X5, k.power(p).Offset(16*k.most))
	}
	// Powers of two stay in registers: X0 H, X1 H^2, X2 H^4, X3 H^8, X4 H^16.
	twos := []VecPhysical{X0, X1, X2, X3, X4}
	store(1, X0)
	log := 0
	for p := 2; p <= k.most; p++ {
		// H^p is H^(2^log) times H^rest.
		for 2<<log < p {
			log++
		}
		rest := p - 1<<log
		d := X7
		if rest == 1<<log {
			d = twos[log+1]
			VMOVDQA(twos[log], X6)
		} else {
			VMOVDQU(k.power(rest), X6)
		}
		a := twos[log]
		VPCLMULQDQ(U8(0x00), X6, a, X8)
		VPCLMULQDQ(U8(0x01), X6, a, X9)
		VPCLMULQDQ(U8(0x10), X6, a, X5)
		VPCLMULQDQ(U8(0x11), X6, a, X10)
		VPXOR(X5, X9, X9)
		VPCLMULQDQ(U8(0x00), k.poly, X8, X5)
		VPSHUFD(U8(0x4e), X8, X8)
		VPXOR(X5, X9, X9)
		VPXOR(X8, X9, X9)
		VPCLMULQDQ(U8(0x00), k.poly, X9, X5)
		VPSHUFD(U8(0x4e), X9, X9)
		VPXOR(X5, X10, X10)
		VPXOR(X9, X10, d)
		store(p, d)
	}
	RET()
}
