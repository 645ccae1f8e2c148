package main

import (
	"fmt"
	"slices"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"

	"github.com/fastcrypto-go/fastcrypto/kernels_amd64/_asm/internal/wipe"
)

// The table of a vaes512 key holds the powers H^36 … H^1 of the hash key, 16 bytes
// each: those of 32 blocks of text, the lengths, and 3 blocks of additional data, or 31
// and 4. Behind them are three blocks that vectors reach into that begin at one of the last powers.
// Larger keys would cost more to allocate than long messages gain. So functions that
// use them keep the Karatsuba sums of a 512-byte chunk in their frame: for every pair of
// vectors the sums of the halves of the powers of the first vector in the even
// quadwords, of the second vector in the odd ones.
const (
	powers512 = 36
	table512  = 16 * (powers512 + 3)
	sums512   = 4 * 64
	frame512  = sums512 + 64 // and what their alignment takes

	chunk512 = 512 // bytes of one turn of the main loop
)

// Registers, the same in every function of this tier.
var (
	lo512, mid512, hi512 = Z8, Z9, Z10 // product under accumulation, not reduced
	t512                 = []VecPhysical{Z11, Z12, Z13, Z14}
	y512                 = Z15 // GHASH state, in the lowest lane, the others 0
	swap512              = Z16 // VPSHUFB mask that reverses the bytes of each lane
	ctr512               = Z17 // next four counter blocks, byte-reversed
	inc512               = Z18 // 4 in the counter of each lane
	j0512                = Z19 // J0, later E(K, J0)
	key512               = []VecPhysical{Z20, Z21, Z22, Z23, Z24, Z25, Z26, Z27, Z28, Z29}
	last512              = Z30 // last round key
	extra512             = Z31 // round key 10 of AES-192 and AES-256
	state512             = []VecPhysical{Z0, Z1, Z2, Z3, Z4, Z5, Z6, Z7}
	mask512              = K1        // bytes of the last vector
	line512              = K2        // the same, as they lie in their line
	data512              = extra512  // in a tail: the last vector of src
	lastSrc, lastDst     = ad, adLen // and where that is, and its place in dst
)

// What a function does with the text.
type mode int

const (
	seal mode = iota
	open
	stream // neither hashes
)

type kernel512 struct {
	mode mode
	tag  bool // J0 is encrypted along with the tail
	inc  func(...Op)

	swap, first, next, inc4, poly, carry, quads Mem
	frame                                       Mem // of the sums
	later                                       []func()
}

func lane128(r VecPhysical) VecPhysical { return r.AsX().(VecPhysical) }
func lane256(r VecPhysical) VecPhysical { return r.AsY().(VecPhysical) }

// explain writes the register map into the function.
func (k *kernel512) explain() {
	general := []string{
		"Registers: DI dst, SI src and DX n are what is left of the text; R8 round keys,",
		"R9 rounds, AX, BX, CX temporary.",
	}
	vectors := []string{
		"Z0-Z7 counter blocks, then key stream, then text; Z11-Z14 temporary; Z16 the mask that",
		"reverses the bytes of a block; Z17 the counter blocks of the next vector, byte-reversed;",
		"Z18 what it moves on by; Z20-Z29 round keys 0-9; Z30 the last one; Z31 round key 10,",
		"used if it is not the last.",
		"In the tail R12 and R13 point to the last vector of src and of dst, AX is its length, CX",
		"and K1 its bytes; Z31 is that of src, and that of dst comes in Z0.",
	}
	hashing := []string{
		"R10 table; R11 in it the power of the next block to be hashed; R12 and R13 what is left",
		"of the additional data, or in the middle of a message R12 the chunk to be hashed; BX the",
		"sums of powers, while whole chunks are hashed.",
		"Z8, Z9, Z10 the sum of products, not reduced, lane by lane: low, middle, high; within a",
		"chunk the middle is Karatsuba's and still contains the other two. Z15 the state of GHASH",
		"in the lowest lane, byte-reversed, and zeros. Z19 J0, then E(K, J0), in the lowest lane.",
	}
	switch k.mode {
	case stream:
		Comment(append(general, vectors...)...)
	default:
		Comment(append(append(general, vectors...), hashing...)...)
	}
}

func vaes512() {
	k := kernel512{inc: func(ops ...Op) { VPADDD(ops...) }}
	k.constants()
	k.init()
	k.message(seal)
	k.message(open)
	k.pieces(seal)
	k.pieces(open)
	k.chunks()
	k.hash()
	k.nonce()
	k.stream()
}

func constant(name string, words ...uint64) Mem {
	m := GLOBL(name, RODATA|NOPTR)
	for i, w := range words {
		DATA(8*i, U64(w))
	}
	return m
}

func (k *kernel512) constants() {
	k.swap = constant("swap512", 0x08090a0b0c0d0e0f, 0x0001020304050607)
	k.first = constant("first512", 0, 0, 1, 0, 2, 0, 3, 0)
	k.next = constant("next512", 1, 0, 2, 0, 3, 0, 4, 0)
	k.inc4 = constant("inc512", 4, 0)
	k.poly = constant("poly512", polynomial, polynomial)
	k.carry = constant("carry512", 1, polynomial)
	k.quads = constant("quads512", 0, 1, 2, 3, 4, 5, 6, 7)
}

func (k *kernel512) loadConstants() {
	VBROADCASTI32X4(k.swap, swap512)
	VBROADCASTI32X4(k.inc4, inc512)
}

// loadKeys broadcasts the round keys 0–9, the last one, and key 10.
func (k *kernel512) loadKeys() {
	Comment("Round keys.")
	for i, r := range key512 {
		VBROADCASTI32X4(Mem{Base: rk, Disp: 16 * i}, r)
	}
	MOVQ(rounds, t0)
	SHLQ(U8(4), t0)
	VBROADCASTI32X4(Mem{Base: rk, Index: t0, Scale: 1}, last512)
	VBROADCASTI32X4(Mem{Base: rk, Disp: 160}, extra512)
}

// startCounter sets ctr512 to four counter blocks that differ from the block in
// j0512 by the words of offsets.
func (k *kernel512) startCounter(offsets Mem) {
	VPSHUFB(lane128(swap512), lane128(j0512), lane128(ctr512))
	k.spreadCounter(offsets)
}

// spreadCounter is startCounter from the byte-reversed block in ctr512.
func (k *kernel512) spreadCounter(offsets Mem) {
	VSHUFI64X2(U8(0), ctr512, ctr512, ctr512)
	k.inc(offsets, ctr512, ctr512)
}

// counters puts the next counter blocks, with round key 0 added, into states.
func (k *kernel512) counters(states []VecPhysical) {
	for _, s := range states {
		VPSHUFB(swap512, ctr512, s)
		k.inc(inc512, ctr512, ctr512)
	}
	for _, s := range states {
		VPXORQ(key512[0], s, s)
	}
}

// rounds512 emits the rounds from 1 to the one before the last, and calls between
// after each of the instructions of rounds 1–9. Round key 10 is in extra512, or may be
// put into ten.
func (k *kernel512) rounds(label string, states []VecPhysical, ten VecPhysical, between func()) {
	for r := 1; r <= 9; r++ {
		for _, s := range states {
			VAESENC(key512[r], s, s)
			between()
		}
	}
	CMPQ(rounds, Imm(12))
	JB(LabelRef(label))
	if ten != extra512 {
		VBROADCASTI32X4(Mem{Base: rk, Disp: 16 * 10}, ten)
	}
	VBROADCASTI32X4(Mem{Base: rk, Disp: 16 * 11}, t512[0])
	for _, r := range []VecPhysical{ten, t512[0]} {
		for _, s := range states {
			VAESENC(r, s, s)
		}
	}
	JE(LabelRef(label))
	VBROADCASTI32X4(Mem{Base: rk, Disp: 16 * 12}, t512[0])
	VBROADCASTI32X4(Mem{Base: rk, Disp: 16 * 13}, t512[1])
	for _, r := range t512[:2] {
		for _, s := range states {
			VAESENC(r, s, s)
		}
	}
	Label(label)
}

// add adds the products of the blocks in data and the powers in power to the
// accumulator, by the schoolbook: where latency counts it beats Karatsuba.
func (k *kernel512) add(data, power VecPhysical) {
	w := func(r VecPhysical) VecPhysical { return asWidth(r, data) }
	a, b := w(t512[2]), w(t512[3])
	VPCLMULQDQ(U8(0x01), power, data, a)
	VPCLMULQDQ(U8(0x10), power, data, b)
	VPTERNLOGQ(U8(0x96), a, b, w(mid512))
	VPCLMULQDQ(U8(0x00), power, data, a)
	VPXORQ(a, w(lo512), w(lo512))
	VPCLMULQDQ(U8(0x11), power, data, b)
	VPXORQ(b, w(hi512), w(hi512))
}

// block adds y to the first of the four blocks in data if withY, and adds their
// products with the four powers at power to the accumulator. It uses t, which may be
// data, and t512 but the first.
func (k *kernel512) block(data, t VecPhysical, power Mem, withY bool) {
	VPSHUFB(swap512, data, t)
	if withY {
		VPXORQ(y512, t, t)
	}
	VMOVDQU64(power, t512[1])
	k.add(t, t512[1])
}

// reduction returns the instructions that reduce the accumulator modulo
// x^128 + x^7 + x^2 + x + 1 and put the sum of its four lanes into y. With
// lo + mid·x^64 + hi·x^128 in reflected order, the low quadword of lo is folded
// into mid, then the low quadword of mid into hi.
func (k *kernel512) reduction() []func() {
	t := t512[1]
	return append(k.folds(t512[0]),
		func() { VEXTRACTI64X4(U8(1), hi512, lane256(t)) },
		func() { VPXORQ(lane256(t), lane256(hi512), lane256(y512)) },
		func() { VEXTRACTI32X4(U8(1), lane256(y512), lane128(t)) },
		func() { VPXORQ(lane128(t), lane128(y512), lane128(y512)) },
	)
}

// folds returns the instructions that reduce the accumulator lane by lane, in the width
// of p, into hi512. They use p and t512[1].
func (k *kernel512) folds(p VecPhysical) []func() {
	w := func(r VecPhysical) VecPhysical { return asWidth(r, p) }
	t := w(t512[1])
	fold := func(from, to VecPhysical) []func() {
		return []func(){
			func() { VPCLMULQDQ(U8(0x00), p, from, t) },
			func() { VPSHUFD(U8(0x4e), from, from) },
			func() { VPTERNLOGQ(U8(0x96), t, from, to) },
		}
	}
	ops := []func(){func() {
		Comment(
			"poly512 is x^128 + x^7 + x^2 + x + 1 reflected, without x^128: bits 63, 62 and 57 of",
			"a quadword. A product with it and an exchange of halves take a quadword 64 bits up.",
		)
		if p.Size() == 16 {
			VMOVDQU(k.poly, p)
		} else {
			VBROADCASTI32X4(k.poly, p)
		}
	}}
	ops = append(ops, fold(w(lo512), w(mid512))...)
	return append(ops, fold(w(mid512), w(hi512))...)
}

// hashChunk returns the instructions that hash the 512 bytes at base: y becomes
// (y + first block)·H^32 + … + last block·H^1. The multiplications are Karatsuba's,
// two vectors at a time, so that one addition forms the sums of the halves of both.
// The pair that y goes into is last, to keep the dependency from turn to turn short.
func (k *kernel512) hashChunk(base Mem) []func() {
	var ops []func()
	do := func(f func()) { ops = append(ops, f) }
	d0, d1, s, t := t512[0], t512[1], t512[2], t512[3]
	for turn, pair := range []int{1, 2, 3, 0} {
		at := func(v int) Mem { return base.Offset(64 * v) }
		power := func(v int) Mem { return Mem{Base: table, Disp: 16*(powers512-32) + 64*v} }
		sums := Mem{Base: sums, Disp: 64 * pair}
		v := 2 * pair
		do(func() { VMOVDQU64(at(v), d0) })
		do(func() { VMOVDQU64(at(v+1), d1) })
		do(func() { VPSHUFB(swap512, d0, d0) })
		do(func() { VPSHUFB(swap512, d1, d1) })
		if pair == 0 {
			do(func() { VPXORQ(y512, d0, d0) })
		}
		do(func() { VPUNPCKLQDQ(d1, d0, s) })
		do(func() { VPUNPCKHQDQ(d1, d0, t) })
		do(func() { VPXORQ(t, s, s) })
		product := func(into VecPhysical, x0 VecPhysical, m0 Mem, imm0 uint8, x1 VecPhysical, m1 Mem, imm1 uint8, free VecPhysical) {
			if turn == 0 {
				do(func() { VPCLMULQDQ(U8(imm0), m0, x0, into) })
				do(func() { VPCLMULQDQ(U8(imm1), m1, x1, t) })
				do(func() { VPXORQ(t, into, into) })
				return
			}
			do(func() { VPCLMULQDQ(U8(imm0), m0, x0, t) })
			do(func() { VPCLMULQDQ(U8(imm1), m1, x1, free) })
			do(func() { VPTERNLOGQ(U8(0x96), free, t, into) })
		}
		// The last use of s, d0 and d1 in turn frees them for the second product.
		product(mid512, s, sums, 0x00, s, sums, 0x11, s)
		product(lo512, d0, power(v), 0x00, d1, power(v+1), 0x00, s)
		product(hi512, d0, power(v), 0x11, d1, power(v+1), 0x11, d1)
	}
	do(func() { VPTERNLOGQ(U8(0x96), lo512, hi512, mid512) })
	return append(ops, k.reduction()...)
}

// cryptChunk adds the key stream to 512 bytes, from src to dst, and advances both.
// It emits between after each AES instruction of the rounds 1–9, and before the
// first byte is written.
func (k *kernel512) cryptChunk(label string, between []func()) {
	k.counters(state512)
	next, rest := spread(between, 9*len(state512))
	k.rounds(label, state512, extra512, next)
	rest()
	// The last round adds its key last, so data and key may be added first.
	for i, s := range state512 {
		t := t512[i%4]
		VPXORQ(Mem{Base: src, Disp: 64 * i}, last512, t)
		VAESENCLAST(t, s, s)
	}
	for i, s := range state512 {
		VMOVDQU64(s, Mem{Base: dst, Disp: 64 * i})
	}
	ADDQ(U32(chunk512), src)
	ADDQ(U32(chunk512), dst)
	SUBQ(U32(chunk512), n)
}

// bulk takes whole chunks. Before a tail that makes a tag it leaves 1 to 512 bytes, or n
// if that is less; other functions need no tail if nothing is left, and it takes all that
// it can. y is the state of GHASH before and after.
func (k *kernel512) bulk() {
	CMPQ(n, U32(chunk512))
	if k.tag {
		JBE(LabelRef("bulkDone"))
	} else {
		JB(LabelRef("bulkDone"))
	}
	switch k.mode {
	case seal:
		Comment("The first chunk: nothing to hash yet.")
		k.cryptChunk("firstLastRound", nil)
		JMP(LabelRef("bulkNext"))
		Label("bulk")
		Comment(
			"Encrypt a chunk while the one before is hashed. Invariant: the 512 bytes before dst",
			"are ciphertext that is not hashed yet, Z15 is the state before them, Z17 counts the",
			"block at src.",
		)
		k.cryptChunk("bulkLastRound", k.hashChunk(Mem{Base: dst, Disp: -chunk512}))
		Label("bulkNext")
		CMPQ(n, U32(chunk512))
		again("bulk", k.tag)
		Comment("Hash the last chunk.")
		emit(k.hashChunk(Mem{Base: dst, Disp: -chunk512}))
	case open:
		Label("bulk")
		Comment(
			"Decrypt a chunk while it is hashed. Invariant: Z15 is the state before src, Z17",
			"counts the block at src.",
		)
		k.cryptChunk("bulkLastRound", k.hashChunk(Mem{Base: src}))
		CMPQ(n, U32(chunk512))
		again("bulk", k.tag)
	case stream:
		Label("bulk")
		Comment("Invariant: Z17 counts the block at src.")
		k.cryptChunk("bulkLastRound", nil)
		CMPQ(n, U32(chunk512))
		again("bulk", k.tag)
	}
	Label("bulkDone")
}

// The last vector of the text or of the additional data is loaded and stored with an
// opmask. If its 64 bytes lie on two pages, and all that the opmask leaves is on the
// first, the second may be inaccessible or never touched; then the access does not
// fault, but takes more than a thousand cycles. So there the line is accessed that has
// all of the bytes, and the vector is rotated.

// atEdge goes to the label if 64 bytes at p lie on two pages.
func atEdge(p, t GPPhysical, label string) {
	MOVL(p.As32(), t.As32())
	ANDL(U32(4095), t.As32())
	CMPL(t.As32(), U32(4096-64))
	JA(LabelRef(label))
}

// lineOf moves p back to the beginning of the line that has all of the length bytes at
// p, by s bytes; or if none has, by 0: then both pages are there. It sets line512 to
// these bytes; t2 is mask512. t may be length.
func lineOf(label string, p, s, length, t GPPhysical) {
	LEAL(Mem{Base: p}, s.As32()) // to the taint pass a number
	ANDL(Imm(63), s.As32())
	LEAQ(Mem{Base: s, Index: length, Scale: 1}, t)
	CMPQ(t, Imm(64))
	JBE(LabelRef(label))
	XORL(s.As32(), s.As32())
	Label(label)
	SHLXQ(s, t2, t)
	KMOVQ(t, line512)
	SUBQ(s, p)
}

// rotate sets byte i of to to byte i+s of from, modulo 64. It uses t512 but the first, s
// and t.
func (k *kernel512) rotate(from, to VecPhysical, s, t GPPhysical) {
	count, a, b := t512[1], t512[2], t512[3]
	MOVQ(s, t)
	SHRQ(U8(3), t)
	VPBROADCASTQ(t, a)
	VPADDQ(k.quads, a, a) // VPERMQ counts modulo 8
	VPERMQ(from, a, a)
	VALIGNQ(U8(1), a, a, b)
	ANDL(Imm(7), s.As32())
	SHLL(U8(3), s.As32())
	VMOVQ(s, lane128(count))
	VPSRLQ(lane128(count), a, a)
	NEGQ(s)
	ADDQ(Imm(64), s)
	VMOVQ(s, lane128(count))
	VPSLLQ(lane128(count), b, b) // by 64 bits to 0
	VPORQ(a, b, to)
}

// loadLast loads the length ≤ 64 last bytes at p, those of mask512 and t2, into to. At
// the end of a page it changes p, and uses all of t512, s and t, which may be length.
func (k *kernel512) loadLast(label string, p, length GPPhysical, to VecPhysical, s, t GPPhysical) {
	atEdge(p, s, label+"Edge")
	VMOVDQU8_Z(Mem{Base: p}, mask512, to)
	Label(label)
	k.later = append(k.later, func() {
		Label(label + "Edge")
		Comment("The end of a page: load the line, and rotate.")
		lineOf(label+"Line", p, s, length, t)
		VMOVDQU8_Z(Mem{Base: p}, line512, t512[0])
		k.rotate(t512[0], to, s, t)
		JMP(LabelRef(label))
	})
}

// storeLast is the inverse of loadLast. It changes from.
func (k *kernel512) storeLast(label string, from VecPhysical, p, length, s, t GPPhysical) {
	atEdge(p, s, label+"Edge")
	VMOVDQU8(from, mask512, Mem{Base: p})
	Label(label)
	k.later = append(k.later, func() {
		Label(label + "Edge")
		Comment("The end of a page: rotate, and store the line.")
		lineOf(label+"Line", p, s, length, t)
		NEGQ(s)
		ANDL(Imm(63), s.As32())
		k.rotate(from, from, s, t)
		VMOVDQU8(from, line512, Mem{Base: p})
		JMP(LabelRef(label))
	})
}

// rest emits what was put off, behind the function's last instruction.
func (k *kernel512) rest() {
	emit(k.later)
	k.later = nil
}

// hashBytes hashes the adLen bytes at ad, at least one, the last block padded with
// zeros, into y. It uses pow, t0 and t2, and changes ad and adLen.
func (k *kernel512) hashBytes() {
	JMP(LabelRef("hashNext"))
	Label("hashChunks")
	Comment("Invariant: Z15 is the state before R12.")
	emit(k.hashChunk(Mem{Base: ad}))
	ADDQ(U32(chunk512), ad)
	SUBQ(U32(chunk512), adLen)
	Label("hashNext")
	CMPQ(adLen, U32(chunk512))
	JA(LabelRef("hashChunks"))
	Comment("1 to 512 bytes more: one reduction.")
	k.clear()
	k.powerOf(adLen, 0)
	JMP(LabelRef("hashVector"))
	Label("hashVectors")
	Comment(
		"Invariant: the sum holds the products of the blocks before R12, the state's among them",
		"(Z15 is 0 from the second turn on); R11 points to the power of the block at R12.",
	)
	VMOVDQU64(Mem{Base: ad}, t512[0])
	k.block(t512[0], t512[0], Mem{Base: pow}, true)
	VPXOR(lane128(y512), lane128(y512), lane128(y512))
	ADDQ(Imm(64), ad)
	ADDQ(Imm(64), pow)
	SUBQ(Imm(64), adLen)
	Label("hashVector")
	CMPQ(adLen, Imm(64))
	JA(LabelRef("hashVectors"))
	k.maskOf(adLen)
	k.loadLast("hashLast", ad, adLen, t512[0], t0, adLen)
	k.block(t512[0], t512[0], Mem{Base: pow}, true)
	emit(k.reduction())
}

func (k *kernel512) clear() {
	for _, r := range []VecPhysical{lo512, mid512, hi512} {
		VPXOR(lane128(r), lane128(r), lane128(r))
	}
}

// powerOf points pow to H^(blocks + more), where blocks is length in whole blocks.
func (k *kernel512) powerOf(length GPPhysical, more int) {
	LEAQ(Mem{Base: length, Disp: 15}, t0)
	ANDQ(I8(-16), t0)
	LEAQ(Mem{Base: table, Disp: 16 * (powers512 - more)}, pow)
	SUBQ(t0, pow)
}

// maskOf sets mask512 to the lowest length bits, for a length of 1 to 64.
func (k *kernel512) maskOf(length GPPhysical) {
	MOVQ(I32(-1), t2)
	BZHIQ(length, t2, t2)
	KMOVQ(t2, mask512)
}

// tail takes the last n bytes, at most 512, every vector in flight at once. The
// accumulator holds what else the tag depends on, and pow points to the power of
// the first block; the products are added to the accumulator.
func (k *kernel512) tail() {
	if k.tag {
		TESTQ(n, n)
		JZ(LabelRef("none"))
	}
	offset := t1 // of the last vector
	LEAQ(Mem{Base: n, Disp: -1}, t0)
	MOVQ(t0, offset)
	ANDQ(I8(-64), offset)
	ANDQ(Imm(63), t0)
	INCQ(t0)
	k.maskOf(t0)
	LEAQ(Mem{Base: src, Index: offset, Scale: 1}, lastSrc)
	LEAQ(Mem{Base: dst, Index: offset, Scale: 1}, lastDst)
	k.loadLast("load", lastSrc, t0, data512, n, table)
	Comment("Branch on the number of vectors.")
	var tree func(from, to int)
	tree = func(from, to int) {
		if from == to {
			k.tailOf(from)
			if from != len(state512) {
				JMP(LabelRef("store"))
			}
			return
		}
		m := (from + to + 1) / 2
		label := fmt.Sprintf("from%dto%d", m, to)
		CMPQ(offset, U32(uint32(64*(m-1))))
		JAE(LabelRef(label))
		tree(from, m-1)
		Label(label)
		tree(m, to)
	}
	tree(1, len(state512))
	Label("store")
	k.storeLast("finish", state512[0], lastDst, t0, n, table)
	if k.tag {
		k.later = append(k.later, func() {
			Label("none")
			k.tailOf(0)
			JMP(LabelRef("finish"))
		})
	}
}

// tailOf leaves the last vector to be stored in state512[0].
func (k *kernel512) tailOf(vectors int) {
	Commentf("%d vectors.", vectors)
	states := slices.Clone(state512[:vectors])
	slices.Reverse(states)
	k.counters(states)
	last := vectors - 1
	at := func(base GPPhysical, i int) Mem { return Mem{Base: base, Disp: 64 * i} }
	power := func(i int) Mem { return at(pow, i) }
	if vectors == 0 {
		// With no text, y goes into the block of lengths, which has the same power.
		VMOVDQU64(power(0), t512[1])
		k.add(y512, t512[1])
	}
	if k.mode == open {
		for i := range vectors {
			data := data512
			if i < last {
				data = t512[0]
				VMOVDQU64(at(src, i), data)
			}
			k.block(data, t512[0], power(i), i == 0)
		}
	}
	batch := states
	if k.tag {
		batch = append(slices.Clone(states), j0512)
	}
	k.rounds(fmt.Sprintf("lastRound%d", vectors), batch, t512[1], func() {})
	if k.tag {
		VAESENCLAST(last512, j0512, j0512)
	}
	for i, s := range states {
		t := t512[i%4]
		if i < last {
			VPXORQ(at(src, i), last512, t)
		} else {
			VPXORQ(data512, last512, t)
		}
		VAESENCLAST(t, s, s)
	}
	for i, s := range states[:max(last, 0)] {
		VMOVDQU64(s, at(dst, i))
	}
	if k.mode == seal {
		for i, s := range states {
			to := s
			if i == last {
				VMOVDQU8_Z(s, mask512, s)
				to = t512[0]
			}
			k.block(s, to, power(i), i == 0)
		}
	}
}

// message generates the kernel for a whole message.
func (k *kernel512) message(m mode) {
	k.mode, k.tag = m, true
	name := map[mode]string{seal: "GCMSealVAES512", open: "GCMOpenVAES512"}[m]
	beginMessage(name, 0, m, table512, left512, "dst src ad")
	k.explain()

	Load(Param("rk"), rk)
	Load(Param("rounds"), rounds)
	Load(Param("n"), n)
	Load(Param("adLen"), adLen)
	Load(Param("table"), table)
	Load(Param("ad"), ad)
	Load(Param("src"), src)
	Load(Param("dst"), dst)
	k.loadConstants()
	Load(Param("nonce"), t1)
	Load(Param("nonceLen"), t0)
	CMPQ(t0, Imm(16))
	JE(LabelRef("given"))
	VMOVQ(Mem{Base: t1}, lane128(j0512))
	VPINSRD(U8(2), Mem{Base: t1, Disp: 8}, lane128(j0512), lane128(j0512))
	MOVL(U32(1<<24), t0.As32())
	VPINSRD(U8(3), t0.As32(), lane128(j0512), lane128(j0512))
	JMP(LabelRef("counter"))
	Label("given")
	VMOVDQU64(Mem{Base: t1}, lane128(j0512))
	Label("counter")
	k.startCounter(k.next)
	k.loadKeys()
	VPXORQ(key512[0], j0512, j0512)
	VPXOR(lane128(y512), lane128(y512), lane128(y512))
	CMPQ(n, U32(chunk512))
	JA(LabelRef("long"))
	Comment("Short, if there are enough powers: 32 blocks of text, 3 of additional data, or 31 and 4.")
	CMPQ(adLen, Imm(48))
	JBE(LabelRef("short"))
	CMPQ(adLen, Imm(64))
	JA(LabelRef("long"))
	CMPQ(n, U32(chunk512-16))
	JA(LabelRef("long"))

	Label("short")
	Comment("Everything goes into one accumulator.")
	k.lengths()
	TESTQ(adLen, adLen)
	JZ(LabelRef("shortPower"))
	LEAQ(Mem{Base: n, Disp: 15}, t1)
	ANDQ(I8(-16), t1)
	k.powerOf(adLen, 1)
	SUBQ(t1, pow)
	k.maskOf(adLen)
	k.loadLast("shortLast", ad, adLen, t512[0], t0, adLen)
	k.block(t512[0], t512[0], Mem{Base: pow}, false)
	JMP(LabelRef("shortPower"))

	Label("long")
	k.sumsInFrame()
	TESTQ(adLen, adLen)
	JZ(LabelRef("bulkStart"))
	k.hashBytes()
	Label("bulkStart")
	k.bulk()
	wipe.Frame(Mem{Base: sums}, sums512, t512[0], false)
	Load(Param("adLen"), adLen)
	Load(Param("n"), t1)
	k.lengthsOf(t1)

	Label("shortPower")
	k.powerOf(n, 1)
	k.tail()
	emit(k.reduction())
	Load(Param("tag"), t0)
	VPSHUFB(lane128(swap512), lane128(y512), lane128(y512))
	VPXORQ(lane128(j0512), lane128(y512), lane128(y512))
	VMOVDQU(lane128(y512), Mem{Base: t0})
	VZEROUPPER()
	RET()
	k.rest()
}

func (k *kernel512) lengths() { k.lengthsOf(n) }

// lengthsOf starts the accumulator with the product of the block of lengths in bits,
// of adLen and text bytes, and H^1.
func (k *kernel512) lengthsOf(text GPPhysical) {
	Comment("The block of lengths.")
	d, e, p := lane128(t512[0]), lane128(t512[2]), lane128(t512[1])
	VMOVQ(text, d)
	VMOVQ(adLen, e)
	VPUNPCKLQDQ(e, d, d)
	VPSLLQ(U8(3), d, d)
	VMOVDQU(Mem{Base: table, Disp: 16 * (powers512 - 1)}, p)
	VPCLMULQDQ(U8(0x00), p, d, lane128(lo512))
	VPCLMULQDQ(U8(0x11), p, d, lane128(hi512))
	VPCLMULQDQ(U8(0x01), p, d, lane128(mid512))
	VPCLMULQDQ(U8(0x10), p, d, lane128(t512[3]))
	VPXOR(lane128(t512[3]), lane128(mid512), lane128(mid512))
}

// pieces generates the kernel for whole blocks in the midst of a message.
func (k *kernel512) pieces(m mode) {
	k.mode, k.tag = m, false
	name := map[mode]string{seal: "GCMSealBlocksVAES512", open: "GCMOpenBlocksVAES512"}[m]
	beginPieces(name, 0, m, table512, left512, "dst src")
	k.explain()

	Load(Param("rk"), rk)
	Load(Param("rounds"), rounds)
	Load(Param("n"), n)
	Load(Param("table"), table)
	Load(Param("src"), src)
	Load(Param("dst"), dst)
	k.loadConstants()
	Load(Param("ctr"), t0)
	Load(Param("y"), t1)
	VMOVDQU64(Mem{Base: t0}, lane128(j0512))
	k.startCounter(k.first)
	k.loadKeys()
	VMOVDQU(Mem{Base: t1}, lane128(y512))
	VPSHUFB(lane128(swap512), lane128(y512), lane128(y512))
	CMPQ(n, U32(chunk512))
	JB(LabelRef("bulkDone"))
	k.sumsInFrame()
	k.bulk()
	k.wipeSums()
	TESTQ(n, n)
	JZ(LabelRef("done"))
	k.clear()
	k.powerOf(n, 0)
	k.tail()
	emit(k.reduction())
	Label("done")
	k.storeY()
	k.rest()
}

// chunks generates the kernel for whole chunks in the midst of a message, of which the
// last is hashed by the call that follows: so no call but the first encrypts without
// hashing, and none hashes without encrypting. The sums are kept from call to call, too.
func (k *kernel512) chunks() {
	k.mode, k.tag = seal, false
	const name = "GCMSealChunksVAES512"
	beginChunks(name, chunksForm{own: sums512, held: chunk512}, table512, registers512+".")
	k.explain()

	Load(Param("j0"), t0)
	Load(Param("ctr"), t2.As32())
	Load(Param("rk"), rk)
	Load(Param("rounds"), rounds)
	Load(Param("n"), n)
	Load(Param("table"), table)
	Load(Param("src"), src)
	Load(Param("dst"), dst)
	k.loadConstants()
	VMOVDQU64(Mem{Base: t0}, lane128(ctr512))
	VPSHUFB(lane128(swap512), lane128(ctr512), lane128(ctr512))
	VPINSRD(U8(0), t2.As32(), lane128(ctr512), lane128(ctr512))
	k.spreadCounter(k.first)
	k.loadKeys()
	Load(Param("y"), t0)
	VMOVDQU(Mem{Base: t0}, lane128(y512))
	VPSHUFB(lane128(swap512), lane128(y512), lane128(y512))
	Load(Param("held"), sums)
	Comment("ad points to the chunk to be hashed.")
	LEAQ(Mem{Base: sums, Disp: sums512}, ad)
	Load(Param("holds"), t0)
	TESTQ(t0, t0)
	JNZ(LabelRef("bulk"))
	k.makeSums()
	Comment("The message's first chunk: nothing to hash yet.")
	k.cryptChunk("firstLastRound", nil)
	JMP(LabelRef("bulkNext"))
	Label("bulk")
	Comment(
		"Encrypt a chunk while the one before is hashed. Invariant: the 512 bytes at R12 are",
		"ciphertext that is not hashed yet, Z15 is the state before them, Z17 counts the block",
		"at src.",
	)
	k.cryptChunk("bulkLastRound", k.hashChunk(Mem{Base: ad}))
	Label("bulkNext")
	LEAQ(Mem{Base: dst, Disp: -chunk512}, ad)
	TESTQ(n, n)
	JNZ(LabelRef("bulk"))
	Comment("Keep the last chunk's ciphertext.")
	for i, s := range state512 {
		VMOVDQU64(s, Mem{Base: sums, Disp: sums512 + 64*i})
	}
	k.storeY()
}

func (k *kernel512) storeY() {
	Load(Param("y"), t1)
	VPSHUFB(lane128(swap512), lane128(y512), lane128(y512))
	VMOVDQU(lane128(y512), Mem{Base: t1})
	VZEROUPPER()
	RET()
}

// hash generates GHASH alone.
func (k *kernel512) hash() {
	beginHash("GCMHashVAES512", 0, table512, left512, "data")
	Comment(
		"Registers: R12 and R13 what is left of the data; R10 table; R11 in it the power of the",
		"next block; BX the sums of powers; AX, CX temporary; K1 the bytes of the last vector.",
		"Z8, Z9, Z10 the sum of products, not reduced, lane by lane; Z11-Z14 temporary; Z15 the",
		"state in the lowest lane, byte-reversed, and zeros; Z16 the mask that reverses bytes.",
	)

	Load(Param("data"), ad)
	Load(Param("n"), adLen)
	Load(Param("table"), table)
	k.loadConstants()
	Load(Param("y"), t1)
	VMOVDQU(Mem{Base: t1}, lane128(y512))
	VPSHUFB(lane128(swap512), lane128(y512), lane128(y512))
	CMPQ(adLen, U32(chunk512))
	JBE(LabelRef("hashNext"))
	k.sumsInFrame()
	k.hashBytes()
	k.wipeSums()
	k.storeY()
	k.rest()
}

// nonce generates the hash of a nonce and its length. It loads no more than a block at
// once, and that without an opmask: a nonce is short and may lie beside bytes that were
// written a moment ago, of which a load waits even for those that an opmask leaves out.
func (k *kernel512) nonce() {
	beginNonce("GCMNonceVAES512", NOSPLIT, table512, registers512+".")
	Comment(
		"Registers: R12 and DX what is left of the nonce; R10 table; R11 in it the power of the",
		"next block; AX, BX, CX temporary, R13 0. X8-X10 the sum of products, not reduced; X11-X14",
		"temporary.",
	)
	d, power := lane128(t512[0]), lane128(t512[1])
	block := func() {
		VPSHUFB(k.swap, d, d)
		VMOVDQU(Mem{Base: pow}, power)
		k.add(d, power)
	}

	Load(Param("nonce"), ad)
	Load(Param("n"), n)
	Load(Param("table"), table)
	XORL(adLen.As32(), adLen.As32())
	k.lengthsOf(n)
	k.powerOf(n, 1)
	SUBQ(Imm(16), n)
	JB(LabelRef("noncePart"))
	Label("nonceBlocks")
	VMOVDQU(Mem{Base: ad}, d)
	block()
	ADDQ(Imm(16), ad)
	ADDQ(Imm(16), pow)
	SUBQ(Imm(16), n)
	JAE(LabelRef("nonceBlocks"))
	Label("noncePart")
	ADDQ(Imm(16), n)
	JZ(LabelRef("nonceReduce"))
	loadPart("nonce", ad, n, d)
	block()
	Label("nonceReduce")
	emit(k.folds(d))
	Load(Param("j0"), t1)
	VPSHUFB(k.swap, lane128(hi512), lane128(hi512))
	VMOVDQU(lane128(hi512), Mem{Base: t1})
	VZEROUPPER()
	RET()
}

// stream generates the key stream of CTR mode, whose counter is wider than GCM's.
func (k *kernel512) stream() {
	s := *k
	s.mode, s.tag = stream, false
	s.inc = func(ops ...Op) { VPADDQ(ops...) }
	beginStream("CTRVAES512", "n rounds", left512, "dst src")

	Load(Param("ctrHi"), t0)
	Load(Param("ctrLo"), t1)
	Load(Param("rk"), rk)
	Load(Param("rounds"), rounds)
	Load(Param("n"), n)
	Load(Param("src"), src)
	Load(Param("dst"), dst)
	s.loadConstants()
	VMOVQ(t1, lane128(ctr512))
	VPINSRQ(U8(1), t0, lane128(ctr512), lane128(ctr512))
	s.spreadCounter(s.first)
	s.loadKeys()
	s.bulk()
	TESTQ(n, n)
	JZ(LabelRef("done"))
	s.tail()
	Label("done")
	VZEROUPPER()
	RET()
	s.rest()
}

// times sets d to a·b, reduced, vector by vector; b may be in memory. It takes q to hold
// the constant of the reduction, and uses Z20–Z23.
func times(a VecPhysical, b Op, d VecPhysical, q VecPhysical) {
	w := func(r VecPhysical) VecPhysical { return asWidth(r, a) }
	lo, mid, hi, t := w(Z20), w(Z21), w(Z22), w(Z23)
	VPCLMULQDQ(U8(0x00), b, a, lo)
	VPCLMULQDQ(U8(0x01), b, a, mid)
	VPCLMULQDQ(U8(0x10), b, a, t)
	VPCLMULQDQ(U8(0x11), b, a, hi)
	VPXORQ(t, mid, mid)
	VPCLMULQDQ(U8(0x00), w(q), lo, t)
	VPSHUFD(U8(0x4e), lo, lo)
	VPTERNLOGQ(U8(0x96), t, lo, mid)
	VPCLMULQDQ(U8(0x00), w(q), mid, t)
	VPSHUFD(U8(0x4e), mid, mid)
	VPTERNLOGQ(U8(0x96), t, mid, hi)
	VMOVDQA64(hi, d)
}

// init generates the key setup: H and its powers.
func (k *kernel512) init() {
	beginInit("GCMInitVAES512", table512, `The table holds the powers H^36 … H^1, each times x and
		byte-reversed, 16 bytes each. The three blocks behind them may hold anything, and are not
		written.`, left512)

	h, q := X0, Z19
	Comment(
		"Registers: Z0-Z8 the powers, vector v H^(4v+4) to H^(4v+1), the highest in the lowest",
		"lane; Z10-Z12 factors of the next; Z19 poly512; Z20-Z23 temporary; R8 round keys, R9",
		"rounds left, BX h, R10 table.",
	)
	hashKey(h, X1, X2, k.swap, k.carry)
	VBROADCASTI32X4(k.poly, q)
	// Vector v holds H^(4v+4) … H^(4v+1), the highest power in the lowest lane.
	v := []VecPhysical{Z0, Z1, Z2, Z3, Z4, Z5, Z6, Z7, Z8}
	Comment("H^2; then two, four, eight, sixteen, thirty-two and thirty-six powers.")
	times(X0, X0, X10, q)
	VINSERTI128(U8(1), X0, Y10, Y11) // H^2, H^1
	VINSERTI128(U8(1), X10, Y10, Y12)
	times(Y11, Y12, Y12, q) // H^4, H^3
	VINSERTI64X4(U8(1), Y11, Z12, Z0)
	VSHUFI64X2(U8(0), Z0, Z0, Z10)
	times(v[0], Z10, v[1], q)
	VSHUFI64X2(U8(0), Z1, Z1, Z11)
	times(v[0], Z11, v[2], q)
	times(v[1], Z11, v[3], q)
	VSHUFI64X2(U8(0), Z3, Z3, Z12)
	for i := range 5 {
		times(v[i], Z12, v[i+4], q)
	}
	Load(Param("table"), table)
	for i, r := range v {
		VMOVDQU64(r, Mem{Base: table, Disp: 16*powers512 - 64*(i+1)})
	}
	VZEROUPPER()
	RET()
}

// sumsInFrame points sums to the frame, at a multiple of 64, and makes them.
func (k *kernel512) sumsInFrame() {
	k.frame = AllocLocal(frame512)
	LEAQ(k.frame.Offset(63), sums)
	ANDQ(I8(-64), sums)
	k.makeSums()
}

// wipeSums clears what sumsInFrame made, whether or not it was reached.
func (k *kernel512) wipeSums() { wipe.Frame(k.frame, frame512, t512[0], false) }

// makeSums makes the 256 bytes at sums. It uses t512.
func (k *kernel512) makeSums() {
	Comment("Karatsuba sums of the powers.")
	for pair := range 4 {
		a, b := Mem{Base: table, Disp: 16*(powers512-32) + 128*pair}, Mem{Base: table, Disp: 16*(powers512-32) + 128*pair + 64}
		even, odd := t512[pair%2*2], t512[pair%2*2+1]
		VMOVDQU64(a, odd)
		VPUNPCKLQDQ(b, odd, even)
		VPUNPCKHQDQ(b, odd, odd)
		VPXORQ(even, odd, even)
		VMOVDQU64(even, Mem{Base: sums, Disp: 64 * pair})
	}
}

func asWidth(r, like VecPhysical) VecPhysical {
	switch like.Size() {
	case 16:
		return lane128(r)
	case 32:
		return lane256(r)
	}
	return r
}

const (
	registers512 = `round keys, key stream and powers of H in Z0–Z31, of which VZEROUPPER clears the
	upper halves of the first sixteen`
	left512 = registers512 + "; the stack is wiped."
)
