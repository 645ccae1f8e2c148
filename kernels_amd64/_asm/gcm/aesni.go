package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// The main loop of the tier without VAES, for messages: CTR mode alone has the one of
// the narrow tiers.
//
// What bounds it, on an AMD EPYC of family 26, model 2: a chunk of 128 bytes takes 80
// AESENC (AES-128), two a cycle, and 25 PCLMULQDQ, one in two cycles. But a PCLMULQDQ also
// takes three of the four slots that vector instructions have in a cycle, so that vector
// instructions other than loads and stores are what counts, 210 or 52.5 cycles; and it is
// dispatched alone, with up to eight others before it in a cycle of theirs, so that a
// run of nine between two costs as much as one of sixteen. Hence:
//
//   - Two chunks have one reduction, of two PCLMULQDQ. Their products are of the powers
//     H^16 … H^1.
//   - Counter blocks are made in general registers, of their last words, and stored into
//     the frame over those of two chunks before: a load that finds a narrower store under
//     way must wait until it is done.
//   - Runs between two PCLMULQDQ have seven instructions, where the dependencies allow.
//   - The ciphertext that is hashed has left the AES instructions long since: when
//     sealing it is that of the chunk before the last.
//
// With longer keys the AES instructions count: beside others they do not come to two a
// cycle, but to 1.8.
//
// Nothing branches on the counter, which is secret with nonces other than of 12 bytes.
//
// Registers: X0–X7 counter blocks, then key stream; X8–X10 the product, low, middle and
// high; X11–X13 ciphertext and Karatsuba's sums; X14 temporary; X15 a round key. BX is the
// number of the first counter block of the next chunk, R11 the last word of the first
// round key, R13 the address of the last round key, R12 the first ciphertext that was not
// hashed.
var (
	counter  = t1
	whitener = pow
	lastKey  = adLen
	unhashed = ad
)

const (
	lead = 24 // instructions of AES before the first of GHASH
	run  = 7  // instructions between two PCLMULQDQ
)

// An instruction of GHASH. A product is a PCLMULQDQ.
type instruction struct {
	emit    func()
	product bool
}

// A place is that of a chunk among those which have a reduction in common.
type place int

const (
	alone place = iota
	even        // the first of two, which the state is added to
	odd         // the second of two, which the reduction follows
)

// state is the place of the state of GHASH, which register hi holds too from a reduction to
// the beginning of the next chunk's hash.
func (k *narrow) state() Mem { return k.saved.Offset(16) }

// slot is the place of a counter block, to which the first round key was added: 0–7 are
// those of even chunks, of which the first is one, 8–15 those of odd chunks.
func (k *narrow) slot(i int) Mem { return k.saved.Offset(32 + 16*i) }

// frame returns the size of the frame of a kernel with a main loop.
func (k *narrow) frame() int {
	if k.interleaved() {
		return 32 + 16*16
	}
	return k.width
}

// interleaved reports whether this main loop serves.
func (k *narrow) interleaved() bool { return k.width == 16 && k.mode != stream }

// interleave is bulk: it takes at least one chunk.
func (k *narrow) interleave() {
	k.startSlots()
	VMOVDQU(k.x(hi), k.state())
	pair := U32(2 * k.chunk)
	behind := func() Mem { return Mem{Base: dst, Disp: -2 * k.chunk} }
	switch k.mode {
	case seal:
		Comment("Encrypt two chunks, or the only one.")
		MOVQ(dst, unhashed)
		k.crypt("first", even, nil)
		CMPQ(n, U32(k.chunk))
		k.unless("unhashed")
		k.crypt("second", odd, nil)
		Comment("The state of GHASH is that before the last two chunks, which are encrypted;",
			"the next chunk is an even one. Encrypt two while those are hashed.")
		CMPQ(n, pair)
		k.unless("bulkOne")
		Label("bulk")
		k.crypt("bulkEven", even, k.hashOf(behind(), even))
		k.crypt("bulkOdd", odd, k.hashOf(behind(), odd))
		CMPQ(n, pair)
		again("bulk", k.tag)
		Label("bulkOne")
		CMPQ(n, U32(k.chunk))
		k.unless("bulkEnd")
		Comment("One more, while the chunk before the last is hashed.")
		k.crypt("bulkOne", even, k.hashOf(behind(), alone))
		Label("bulkEnd")
		LEAQ(behind(), unhashed)
		Comment("Hash what is left, a chunk or two.")
		Label("unhashed")
		k.hashPlain(Mem{Base: unhashed})
		ADDQ(U32(k.chunk), unhashed)
		CMPQ(unhashed, dst)
		JB(LabelRef("unhashed"))
	case open:
		CMPQ(n, pair)
		k.unless("bulkOne")
		Comment("The state of GHASH is that before the two chunks, of which the first is an even one.",
			"Decrypt them while they are hashed.")
		Label("bulk")
		k.crypt("bulkEven", even, k.hashOf(Mem{Base: src}, even))
		k.crypt("bulkOdd", odd, k.hashOf(Mem{Base: src}, odd))
		CMPQ(n, pair)
		again("bulk", k.tag)
		Label("bulkOne")
		CMPQ(n, U32(k.chunk))
		k.unless("bulkEnd")
		Comment("One more.")
		k.crypt("bulkOne", even, k.hashOf(Mem{Base: src}, alone))
		Label("bulkEnd")
	}
	VMOVDQU(k.saved, k.x(ctr))
	VPINSRD(U8(0), counter.As32(), k.x(ctr), k.x(ctr))
}

// interleaveChunks is bulk for the kernel for chunks: n is a multiple of two chunks, and
// ad points to the ciphertext held, two chunks too, and in the end to where the last two
// chunks' goes.
func (k *narrow) interleaveChunks() {
	k.startSlots()
	VMOVDQU(k.x(hi), k.state())
	Load(Param("holds"), t0)
	TESTQ(t0, t0)
	JNZ(LabelRef("bulk"))
	Comment("The message's first two chunks: nothing to hash yet.")
	k.crypt("first", even, nil)
	k.crypt("second", odd, nil)
	JMP(LabelRef("bulkNext"))
	Label("bulk")
	Comment("Encrypt two chunks while the two before, at R12, are hashed.")
	k.crypt("bulkEven", even, k.hashOf(Mem{Base: unhashed}, even))
	k.crypt("bulkOdd", odd, k.hashOf(Mem{Base: unhashed, Disp: k.chunk}, odd))
	Label("bulkNext")
	LEAQ(Mem{Base: dst, Disp: -2 * k.chunk}, unhashed)
	TESTQ(n, n)
	JNZ(LabelRef("bulk"))
	Load(Param("held"), unhashed)
}

// startSlots puts the counter blocks of the first two chunks into the frame.
func (k *narrow) startSlots() {
	Comment("The counter blocks of two chunks, first round key added, go into the frame.")
	VMOVDQU(k.x(ctr), k.saved)
	VMOVD(k.x(ctr), counter.As32())
	MOVL(Mem{Base: rk, Disp: 12}, whitener.As32())
	MOVQ(rounds, lastKey)
	SHLQ(U8(4), lastKey)
	ADDQ(rk, lastKey)
	VPSHUFB(k.swap, k.x(ctr), k.x(0))
	VPXOR(Mem{Base: rk}, k.x(0), k.x(0))
	VMOVDQU(k.x(0), k.slot(0))
	for i := 1; i < 16; i++ {
		LEAL(Mem{Base: counter, Disp: i}, t0.As32())
		BSWAPL(t0.As32())
		XORL(whitener.As32(), t0.As32())
		VPINSRD(U8(3), t0.As32(), k.x(0), k.x(1))
		VMOVDQU(k.x(1), k.slot(i))
	}
}

// crypt adds the key stream to a chunk at place even or odd, from src to dst, and advances
// both, with hash woven in. The label's prefix is unique.
func (k *narrow) crypt(prefix string, p place, hash []instruction) {
	slot := k.slot
	if p == odd {
		slot = func(i int) Mem { return k.slot(8 + i) }
	}
	var list []func()
	do := func(f func()) { list = append(list, f) }
	for i := range 8 {
		do(func() { VMOVDQU(slot(i), k.x(i)) })
	}
	// The last words of the counter blocks of the chunk after the next, spread over the rounds.
	var words []func()
	word := func(f func()) { words = append(words, func() { do(f) }) }
	for i := range 8 {
		word(func() { LEAL(Mem{Base: counter, Disp: 16 + i}, t0.As32()) })
		word(func() { BSWAPL(t0.As32()) })
		word(func() { XORL(whitener.As32(), t0.As32()) })
		word(func() { MOVL(t0.As32(), slot(i).Offset(12)) })
	}
	word(func() { ADDL(Imm(8), counter.As32()) })
	next, rest := spread(words, 9*8)
	round := func(r int, each func()) {
		do(func() { k.loadKey(Mem{Base: rk, Disp: 16 * r}) })
		for i := range 8 {
			do(func() { VAESENC(k.x(key), k.x(i), k.x(i)) })
			each()
		}
	}
	for r := 1; r <= 9; r++ {
		round(r, next)
	}
	rest()
	// All that the other key sizes have more is one element of the list.
	long := len(list)
	round(10, func() {})
	round(11, func() {})
	longer := len(list)
	round(12, func() {})
	round(13, func() {})
	more := list[long:]
	list = list[:long:long]
	do(func() {
		CMPQ(rounds, Imm(12))
		JB(LabelRef(prefix + "LastRound"))
		emit(more[:longer-long])
		CMPQ(rounds, Imm(12))
		JE(LabelRef(prefix + "LastRound"))
		emit(more[longer-long:])
		Label(prefix + "LastRound")
	})
	do(func() { k.loadKey(Mem{Base: lastKey}) })
	for i := range 8 {
		do(func() { VAESENCLAST(k.x(key), k.x(i), k.x(i)) })
		do(func() { VPXOR(Mem{Base: src, Disp: 16 * i}, k.x(i), k.x(i)) })
	}
	for i := range 8 {
		do(func() { VMOVDQU(k.x(i), Mem{Base: dst, Disp: 16 * i}) })
	}
	weave(list, hash)
	ADDQ(U32(k.chunk), src)
	ADDQ(U32(k.chunk), dst)
	SUBQ(U32(k.chunk), n)
}

// hashOf returns the instructions that hash the chunk at base, at place p, into the state;
// those of even leave the product for those of odd, which add theirs. The halves of two
// blocks are put together, so that one addition forms Karatsuba's sums of both. The first
// block, which the state is added to, comes last: the products before it need not wait for
// the reduction before.
func (k *narrow) hashOf(base Mem, p place) []instruction {
	var list []instruction
	do := func(f func()) { list = append(list, instruction{emit: f}) }
	product := func(f func()) { list = append(list, instruction{emit: f, product: true}) }
	d, e, l, t := k.x(11), k.x(12), k.x(13), k.x(14)

	order := []int{2, 4, 6, 0}
	load := func(block int) {
		do(func() { VMOVDQU(base.Offset(16*block), d) })
		do(func() { VMOVDQU(base.Offset(16*(block+1)), e) })
	}
	swap := func() {
		do(k.swapped(d))
		do(k.swapped(e))
	}
	load(order[0])
	swap()
	for i, block := range order {
		power := k.power(8 - block)
		if p == even {
			power = k.power(16 - block)
		}
		sums := power.Offset(16 * k.most)
		if block == 0 && p != odd {
			do(func() { VPXOR(k.state(), d, d) })
		}
		do(func() { VPUNPCKLQDQ(e, d, l) })
		do(func() { VPUNPCKHQDQ(e, d, d) })
		do(func() { VPXOR(l, d, e) })
		add := func(x VecPhysical, into int) {
			do(func() { VPXOR(x, k.x(into), k.x(into)) })
		}
		// products adds x's even quadword times that of m0 and the odd one times that of m1,
		// with between in between, and overwrites x.
		products := func(into int, x VecPhysical, m0 Mem, imm0 uint8, m1 Mem, imm1 uint8, between func()) {
			first := t
			fresh := i == 0 && p != odd
			if fresh {
				first = k.x(into)
			}
			product(func() { VPCLMULQDQ(U8(imm0), m0, x, first) })
			between()
			product(func() { VPCLMULQDQ(U8(imm1), m1, x, x) })
			if !fresh {
				add(t, into)
			}
			add(x, into)
		}
		products(hi, d, power, 0x10, power.Offset(16), 0x11, func() {})
		products(mid, e, sums, 0x00, sums, 0x11, func() {})
		// The next blocks come where these are not needed any more.
		between := func() {}
		if i+1 < len(order) {
			load(order[i+1])
			between = swap
		}
		products(lo, l, power, 0x00, power.Offset(16), 0x01, between)
	}
	if p == even {
		return list
	}
	// The reduction, as in that of all tiers.
	u := k.x(11)
	do(func() { VPXOR(k.x(lo), k.x(mid), k.x(mid)) })
	do(func() { VPXOR(k.x(hi), k.x(mid), k.x(mid)) })
	product(func() { VPCLMULQDQ(U8(0x00), k.poly, k.x(lo), u) })
	do(func() { VPSHUFD(U8(0x4e), k.x(lo), k.x(lo)) })
	do(func() { VPXOR(u, k.x(mid), k.x(mid)) })
	do(func() { VPXOR(k.x(lo), k.x(mid), k.x(mid)) })
	product(func() { VPCLMULQDQ(U8(0x00), k.poly, k.x(mid), u) })
	do(func() { VPSHUFD(U8(0x4e), k.x(mid), k.x(mid)) })
	do(func() { VPXOR(u, k.x(hi), k.x(hi)) })
	do(func() { VPXOR(k.x(mid), k.x(hi), k.x(hi)) })
	do(func() { VMOVDQU(k.x(hi), k.state()) })
	return list
}

// hashPlain hashes the chunk at base into the state, without AES.
func (k *narrow) hashPlain(base Mem) {
	for _, i := range k.hashOf(base, alone) {
		i.emit()
	}
}

// weave emits the instructions of AES and of GHASH, each in its order, run of them
// between two products and lead of AES before the first of GHASH.
func weave(crypt []func(), hash []instruction) {
	// take emits so many of crypt and all of others, evenly mixed.
	take := func(count int, others []instruction) {
		count = max(0, min(count, len(crypt)))
		next, rest := spread(crypt[:count], len(others)+1)
		crypt = crypt[count:]
		for _, o := range others {
			next()
			o.emit()
		}
		rest()
	}
	if len(hash) > 0 {
		take(lead, nil)
	}
	start := 0
	for i, in := range hash {
		if in.product {
			take(run-(i-start), hash[start:i])
			in.emit()
			start = i + 1
		}
	}
	take(len(crypt), hash[start:])
}
