package cc

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// Sigma are the constants of ChaCha20, "expand 32-byte k".
var Sigma = [4]uint32{0x61707865, 0x3320646e, 0x79622d32, 0x6b206574}

// An ISA gives the three operations of a quarter round, and the permutation of
// words within 128 bits, on registers of one width.
type ISA struct {
	Add, Xor func(src, dst Op)
	// Rot rotates the words of x to the left by n = 16, 12, 8 or 7; t may be
	// clobbered.
	Rot  func(n uint64, x, t VecPhysical)
	Shuf func(imm uint64, x VecPhysical)
}

// AVX512 rotates by one instruction.
func AVX512() ISA {
	return ISA{
		Add:  func(src, dst Op) { VPADDD(src, dst, dst) },
		Xor:  func(src, dst Op) { VPXORD(src, dst, dst) },
		Rot:  func(n uint64, x, _ VecPhysical) { VPROLD(Imm(n), x, x) },
		Shuf: func(imm uint64, x VecPhysical) { VPSHUFD(Imm(imm), x, x) },
	}
}

// RotateMasks is read-only data for PSHUFB: rotations of words to the left by 16
// and by 8, 32 bytes each.
func RotateMasks() (rot16, rot8 Mem) {
	rotation := func(name string, bytes int) Mem {
		m := GLOBL(name, RODATA|NOPTR)
		for q := range 4 {
			var x uint64
			for i := range 8 {
				x |= uint64(q%2*8+i&^3+(i-bytes)&3) << (8 * i)
			}
			DATA(8*q, U64(x))
		}
		return m
	}
	return rotation("rotate16", 2), rotation("rotate8", 1)
}

// AVX2 rotates by 16 and 8 with a byte shuffle by the masks given, registers or
// memory.
func AVX2(rot16, rot8 Op) ISA {
	return ISA{
		Add: func(src, dst Op) { VPADDD(src, dst, dst) },
		Xor: func(src, dst Op) { VPXOR(src, dst, dst) },
		Rot: func(n uint64, x, t VecPhysical) {
			switch n {
			case 16:
				VPSHUFB(rot16, x, x)
			case 8:
				VPSHUFB(rot8, x, x)
			default:
				VPSLLD(Imm(n), x, t)
				VPSRLD(Imm(32-n), x, x)
				VPXOR(t, x, x)
			}
		},
		Shuf: func(imm uint64, x VecPhysical) { VPSHUFD(Imm(imm), x, x) },
	}
}

// SSSE3 is AVX2 on 128 bits with two operands.
func SSSE3(rot16, rot8 Op) ISA {
	return ISA{
		Add: func(src, dst Op) { PADDD(src, dst) },
		Xor: func(src, dst Op) { PXOR(src, dst) },
		Rot: func(n uint64, x, t VecPhysical) {
			switch n {
			case 16:
				PSHUFB(rot16, x)
			case 8:
				PSHUFB(rot8, x)
			default:
				MOVO(x, t)
				PSLLL(Imm(n), t)
				PSRLL(Imm(32-n), x)
				PXOR(t, x)
			}
		},
		Shuf: func(imm uint64, x VecPhysical) { PSHUFD(Imm(imm), x, x) },
	}
}

// quarters appends quarter rounds on the given quadruples, in lockstep. t has a
// register for each.
func (v ISA) quarters(s *Stream, q [][4]VecPhysical, t []VecPhysical) {
	step := func(add, by, rot int, n uint64) {
		for _, r := range q {
			s.Do(func() { v.Add(r[by], r[add]) })
		}
		for _, r := range q {
			s.Do(func() { v.Xor(r[add], r[rot]) })
		}
		for i, r := range q {
			s.Do(func() { v.Rot(n, r[rot], t[i%len(t)]) })
		}
	}
	step(0, 1, 3, 16)
	step(2, 3, 1, 12)
	step(0, 1, 3, 8)
	step(2, 3, 1, 7)
}

// Rows is a double round where each register holds a row of four words, for as
// many blocks as it is wide; sets of four registers are independent. For the
// diagonal round the rows a, c, d move and b, which ends each round, stays: no
// permutation lies on the critical path.
func (v ISA) Rows(sets [][4]VecPhysical, t []VecPhysical) (s Stream) {
	for _, imm := range [][3]uint64{{0x93, 0x39, 0x4e}, {0x39, 0x93, 0x4e}} {
		v.quarters(&s, sets, t)
		for _, r := range sets {
			s.Do(func() { v.Shuf(imm[0], r[0]) })
		}
		for _, r := range sets {
			s.Do(func() { v.Shuf(imm[2], r[3]) })
		}
		for _, r := range sets {
			s.Do(func() { v.Shuf(imm[1], r[2]) })
		}
	}
	return s
}

// Columns is a double round where each of 16 registers holds one word of as many
// blocks as it has words.
func (v ISA) Columns(x [16]VecPhysical, t []VecPhysical) (s Stream) {
	for diagonal := range 2 {
		var q [][4]VecPhysical
		for i := range 4 {
			q = append(q, [4]VecPhysical{x[i], x[4+(i+diagonal)%4], x[8+(i+2*diagonal)%4], x[12+(i+3*diagonal)%4]})
		}
		v.quarters(&s, q, t)
	}
	return s
}

// General is one block of ChaCha20 on general registers. Two words of the third
// row are in registers, in turn; all four have a place at C.
type General struct {
	A, B, D [4]GPPhysical
	C2      [2]GPPhysical
	C       Mem
}

// NewGeneral uses all registers but SP and BP. c are 16 bytes on the stack.
func NewGeneral(c Mem) *General {
	return &General{
		A:  [4]GPPhysical{RAX, RBX, RCX, RDX},
		B:  [4]GPPhysical{RSI, RDI, R14, R8},
		D:  [4]GPPhysical{R9, R10, R11, R12},
		C2: [2]GPPhysical{R13, R15},
		C:  c,
	}
}

// Init loads the constants, the key, the counter and, unless it is nil, the
// nonce: 12 bytes, or 16 that include the counter. key and nonce are loads of the
// pointers into the register given.
func (g *General) Init(key, nonce func(GPPhysical), counter Op) {
	key(RAX)
	for i, r := range g.B {
		MOVL(Mem{Base: RAX, Disp: 4 * i}, r.As32())
	}
	for i := range 4 {
		MOVL(Mem{Base: RAX, Disp: 16 + 4*i}, RBX.As32())
		if i < 2 {
			MOVL(RBX.As32(), g.C2[i].As32())
		} else {
			MOVL(RBX.As32(), g.C.Offset(4*i))
		}
	}
	nonce(RAX)
	first := 0
	if counter != nil {
		MOVL(counter, g.D[0].As32())
		first = 1
	}
	for i := first; i < 4; i++ {
		MOVL(Mem{Base: RAX, Disp: 4 * (i - first)}, g.D[i].As32())
	}
	for i, r := range g.A {
		MOVL(U32(Sigma[i]), r.As32())
	}
}

// DoubleRound starts and ends with words 0 and 1 of the third row in C2.
func (g *General) DoubleRound() (s Stream) {
	for diagonal := range 2 {
		for pair := range 2 {
			var a, b, c, d [2]Register
			for j := range 2 {
				i := 2*pair + j
				a[j] = g.A[i].As32()
				b[j] = g.B[(i+diagonal)%4].As32()
				c[j] = g.C2[j].As32()
				d[j] = g.D[(i+3*diagonal)%4].As32()
			}
			step := func(add, by, rot [2]Register, n uint64) {
				for j := range 2 {
					s.Do(func() { ADDL(by[j], add[j]) })
				}
				for j := range 2 {
					s.Do(func() { XORL(add[j], rot[j]) })
				}
				for j := range 2 {
					s.Do(func() { ROLL(Imm(n), rot[j]) })
				}
			}
			step(a, b, d, 16)
			step(c, d, b, 12)
			step(a, b, d, 8)
			step(c, d, b, 7)
			// A column round works on words 0, 1, then 2, 3; a diagonal round on
			// 2, 3, then 0, 1.
			if pair == 0 {
				for j := range 2 {
					s.Do(func() { MOVL(c[j], g.C.Offset(8*diagonal+4*j)) })
					s.Do(func() { MOVL(g.C.Offset(8-8*diagonal+4*j), c[j]) })
				}
			}
		}
	}
	return s
}

// Pair joins two words: lo becomes lo + 2^32 hi.
func Pair(lo, hi GPPhysical) {
	SHLQ(Imm(32), hi)
	ORQ(hi, lo)
}

// PolyKey finishes block 0 as far as the one-time key goes and writes r, clamped,
// to r[0], r[1], 5/4 of r's upper limb to r[2], and s to s[0], s[1].
func (g *General) PolyKey(key func(GPPhysical), r [3]Mem, s [2]Mem) {
	for i, a := range g.A {
		ADDL(U32(Sigma[i]), a.As32())
	}
	Pair(g.A[0], g.A[1])
	Pair(g.A[2], g.A[3])
	MOVQ(U64(0x0ffffffc0fffffff), g.A[1])
	ANDQ(g.A[1], g.A[0])
	MOVQ(U64(0x0ffffffc0ffffffc), g.A[1])
	ANDQ(g.A[1], g.A[2])
	MOVQ(g.A[0], r[0])
	MOVQ(g.A[2], r[1])
	MOVQ(g.A[2], g.A[1])
	SHRQ(Imm(2), g.A[1])
	ADDQ(g.A[2], g.A[1])
	MOVQ(g.A[1], r[2])
	key(g.A[0])
	for i, b := range g.B {
		ADDL(Mem{Base: g.A[0], Disp: 4 * i}, b.As32())
	}
	Pair(g.B[0], g.B[1])
	Pair(g.B[2], g.B[3])
	MOVQ(g.B[0], s[0])
	MOVQ(g.B[2], s[1])
}

// KeyStream finishes a block, whose number counter loads, and writes it to out. All
// registers are clobbered.
func (g *General) KeyStream(counter func(GPPhysical), out Mem) {
	// The first row is added to in place, then its registers serve.
	for i, a := range g.A {
		ADDL(U32(Sigma[i]), a.As32())
	}
	Pair(g.A[0], g.A[1])
	Pair(g.A[2], g.A[3])
	MOVQ(g.A[0], out)
	MOVQ(g.A[2], out.Offset(8))
	arg("key")(RAX)
	arg("nonce")(RBX)
	for i, b := range g.B {
		ADDL(Mem{Base: RAX, Disp: 4 * i}, b.As32())
	}
	MOVL(g.C.Offset(8), RCX.As32())
	MOVL(g.C.Offset(12), RDX.As32())
	for i, w := range []GPPhysical{g.C2[0], g.C2[1], RCX, RDX} {
		ADDL(Mem{Base: RAX, Disp: 16 + 4*i}, w.As32())
	}
	counter(RAX)
	ADDL(RAX.As32(), g.D[0].As32())
	for i := range 3 {
		ADDL(Mem{Base: RBX, Disp: 4 * i}, g.D[1+i].As32())
	}
	for i, w := range [][2]GPPhysical{{g.B[0], g.B[1]}, {g.B[2], g.B[3]}, {g.C2[0], g.C2[1]}, {RCX, RDX}, {g.D[0], g.D[1]}, {g.D[2], g.D[3]}} {
		Pair(w[0], w[1])
		MOVQ(w[0], out.Offset(16+8*i))
	}
}
