package cc

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// A Scalar is Poly1305 on general registers: the accumulator
// H[0] + 2^64 H[1] + 2^128 H[2] and the key r = R[0] + 2^64 R[1], which is
// clamped: both limbs are below 2^60 and R[1] is a multiple of 4. S is
// 5 R[1] / 4, since 2^128 R[1] = 2^130 R[1]/4 = 5 R[1]/4 modulo 2^130-5.
// R and S may be registers or memory. T are clobbered, and so is DX, or with
// MulQ (for processors without BMI2) DX and AX.
type Scalar struct {
	H    [3]GPPhysical
	R    [2]Op
	S    Op
	T    [6]GPPhysical
	MulQ bool
}

// mul sets (hi, lo) to x times the multiplier that load put in place.
func (p *Scalar) mul(k Op, x, lo, hi Register) {
	if p.MulQ {
		MOVQ(k, RAX)
		MULQ(x)
		MOVQ(RAX, lo)
		MOVQ(RDX, hi)
		return
	}
	MULXQ(x, lo, hi)
}

func (p *Scalar) load(k Op) {
	if !p.MulQ {
		MOVQ(k, RDX)
	}
}

// Mul multiplies H by r and reduces it partially. Before: H[2] < 10. After:
// H[2] <= 4.
//
//	d0 = H0 R0 + H1 S
//	d1 = H0 R1 + H1 R0 + H2 S
//	d2 = H2 R0
//
// With H[2] < 10 the word at 2^128 is below 10*2^60, of d2, + 2*2^60 + 3, of what d1
// carries, so that 5/4 of it fits in 64 bits.
func (p *Scalar) Mul() Stream {
	h0, h1, h2 := p.H[0], p.H[1], p.H[2]
	t := p.T
	var s Stream
	s.Do(func() { p.load(p.R[0]) })
	s.Do(func() { p.mul(p.R[0], h0, t[0], t[1]) })
	s.Do(func() { p.mul(p.R[0], h1, t[2], t[3]) })
	s.Do(func() { MOVQ(h2, t[4]) })
	s.Do(func() { IMULQ(p.R[0], t[4]) })
	s.Do(func() { p.load(p.R[1]) })
	s.Do(func() { p.mul(p.R[1], h0, h0, t[5]) })
	s.Do(func() { IMULQ(p.S, h2) })
	s.Do(func() {
		ADDQ(h0, t[2])
		ADCQ(t[5], t[3])
	})
	s.Do(func() { p.load(p.S) })
	s.Do(func() { p.mul(p.S, h1, h1, t[5]) })
	s.Do(func() {
		ADDQ(h2, t[2])
		ADCQ(Imm(0), t[3])
	})
	s.Do(func() {
		ADDQ(h1, t[0])
		ADCQ(t[5], t[1])
	})
	s.Do(func() { MOVQ(t[0], h0) })
	s.Do(func() {
		ADDQ(t[1], t[2])
		ADCQ(t[3], t[4])
	})
	// 2^130 = 5: the word at 2^128 keeps two bits, the others come back five
	// fourths as heavy.
	s.Do(func() { MOVQ(t[4], h2) })
	s.Do(func() { MOVQ(t[4], t[5]) })
	s.Do(func() { ANDQ(Imm(3), h2) })
	s.Do(func() { ANDQ(I32(-4), t[4]) })
	s.Do(func() { SHRQ(Imm(2), t[5]) })
	s.Do(func() { ADDQ(t[5], t[4]) })
	s.Do(func() { MOVQ(t[2], h1) })
	s.Do(func() {
		ADDQ(t[4], h0)
		ADCQ(Imm(0), h1)
		ADCQ(Imm(0), h2)
	})
	return s
}

// AddBlock adds the 16 bytes at m, and 2^128.
func (p *Scalar) AddBlock(m Mem) {
	ADDQ(m, p.H[0])
	ADCQ(m.Offset(8), p.H[1])
	ADCQ(Imm(1), p.H[2])
}

// Finish reduces H fully and leaves H + s mod 2^128 in H[0], H[1]. Before:
// H < 2p, which H[2] <= 4 ensures.
func (p *Scalar) Finish(s0, s1 Op) {
	g := p.T
	MOVQ(p.H[0], g[0])
	MOVQ(p.H[1], g[1])
	MOVQ(p.H[2], g[2])
	ADDQ(Imm(5), g[0])
	ADCQ(Imm(0), g[1])
	ADCQ(Imm(0), g[2])
	// H + 5 >= 2^130 exactly if H >= p; then H - p = H + 5 - 2^130.
	CMPQ(g[2], Imm(4))
	CMOVQCC(g[0], p.H[0])
	CMOVQCC(g[1], p.H[1])
	ADDQ(s0, p.H[0])
	ADCQ(s1, p.H[1])
}

// LoadTail loads n bytes, 1 to 15, that end at end, as a 128-bit number
// (hi, lo). It branches on n only; end is clobbered.
func LoadTail(label string, end, n, lo, hi, tmp GPPhysical) {
	XORQ(lo, lo)
	XORQ(hi, hi)
	TESTQ(U32(1), n)
	JZ(LabelRef(label + "1"))
	DECQ(end)
	MOVBQZX(Mem{Base: end}, lo)
	Label(label + "1")
	TESTQ(U32(2), n)
	JZ(LabelRef(label + "2"))
	SUBQ(Imm(2), end)
	SHLQ(Imm(16), lo)
	MOVWQZX(Mem{Base: end}, tmp)
	ORQ(tmp, lo)
	Label(label + "2")
	TESTQ(U32(4), n)
	JZ(LabelRef(label + "4"))
	SUBQ(Imm(4), end)
	SHLQ(Imm(32), lo)
	MOVL(Mem{Base: end}, tmp.As32())
	ORQ(tmp, lo)
	Label(label + "4")
	TESTQ(U32(8), n)
	JZ(LabelRef(label + "8"))
	SUBQ(Imm(8), end)
	MOVQ(lo, hi)
	MOVQ(Mem{Base: end}, lo)
	Label(label + "8")
}

// StoreTail stores the low n bytes, 1 to 15, of (hi, lo) at to. It branches on n
// only; to, lo and hi are clobbered.
func StoreTail(label string, to, n, lo, hi GPPhysical) {
	TESTQ(U32(8), n)
	JZ(LabelRef(label + "8"))
	MOVQ(lo, Mem{Base: to})
	MOVQ(hi, lo)
	ADDQ(Imm(8), to)
	Label(label + "8")
	TESTQ(U32(4), n)
	JZ(LabelRef(label + "4"))
	MOVL(lo.As32(), Mem{Base: to})
	SHRQ(Imm(32), lo)
	ADDQ(Imm(4), to)
	Label(label + "4")
	TESTQ(U32(2), n)
	JZ(LabelRef(label + "2"))
	MOVW(lo.As16(), Mem{Base: to})
	SHRQ(Imm(16), lo)
	ADDQ(Imm(2), to)
	Label(label + "2")
	TESTQ(U32(1), n)
	JZ(LabelRef(label + "1"))
	MOVB(lo.As8(), Mem{Base: to})
	Label(label + "1")
}

// MaskTail clears the bytes of (hi, lo) from the n-th on, n 1 to 15; CX and tmp
// are clobbered.
func MaskTail(label string, n, lo, hi, tmp GPPhysical) {
	MOVQ(n, RCX)
	SHLQ(Imm(3), RCX)
	MOVQ(I32(-1), tmp)
	SHLQ(CL, tmp) // by 8n mod 64
	NOTQ(tmp)
	CMPQ(n, Imm(8))
	JB(LabelRef(label + "low"))
	ANDQ(tmp, hi) // n = 8: all of hi goes
	JMP(LabelRef(label + "done"))
	Label(label + "low")
	ANDQ(tmp, lo)
	XORQ(hi, hi)
	Label(label + "done")
}

// CopyTail copies n < 64 bytes. It branches on n only; to, from, m and t are
// clobbered.
func CopyTail(label string, to, from, n, m, t GPPhysical) {
	MOVQ(n, m)
	SUBQ(Imm(8), m)
	JB(LabelRef(label + "Copied8"))
	Label(label + "Copy8")
	MOVQ(Mem{Base: from}, t)
	MOVQ(t, Mem{Base: to})
	ADDQ(Imm(8), from)
	ADDQ(Imm(8), to)
	SUBQ(Imm(8), m)
	JAE(LabelRef(label + "Copy8"))
	Label(label + "Copied8")
	for _, size := range []uint64{4, 2, 1} {
		name := label + map[uint64]string{4: "Copied4", 2: "Copied2", 1: "Copied1"}[size]
		TESTQ(U32(uint32(size)), m)
		JZ(LabelRef(name))
		switch size {
		case 4:
			MOVL(Mem{Base: from}, t.As32())
			MOVL(t.As32(), Mem{Base: to})
		case 2:
			MOVWQZX(Mem{Base: from}, t)
			MOVW(t.As16(), Mem{Base: to})
		case 1:
			MOVBQZX(Mem{Base: from}, t)
			MOVB(t.As8(), Mem{Base: to})
		}
		ADDQ(Imm(size), from)
		ADDQ(Imm(size), to)
		Label(name)
	}
}
