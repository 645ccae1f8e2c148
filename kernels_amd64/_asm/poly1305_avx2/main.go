// Command poly1305_avx2 generates Poly1305 on AVX2.
//
// Four lanes hold numbers of five 26-bit limbs, x0 + 2^26 x1 + ... + 2^104 x4, and
// 2^130 = 5. A group is eight blocks m_0 to m_7; lane i belongs to the blocks i and
// i+4:
//
//	a_i = a_i r^8 + m_i r^4 + m_(4+i)
//
// and the value that the lanes stand for is the sum of a_i r^(4-i). Unpacking leaves
// the blocks in the order 0, 2, 1, 3.
//
// Bounds: accumulator limbs are below 2^27+2^12, limbs of powers below 2^27, five
// times these below 2^29.4; a sum of ten products is below 2^60.
package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"

	"github.com/fastcrypto-go/fastcrypto/kernels_amd64/_asm/internal/cc"
	"github.com/fastcrypto-go/fastcrypto/kernels_amd64/_asm/internal/contract"
	"github.com/fastcrypto-go/fastcrypto/kernels_amd64/_asm/internal/wipe"
)

// The tables at RDI: nine vectors each, limbs 0 to 4 of a power and five times
// limbs 1 to 4.
const (
	tableLane = 0 // r^4, r^2, r^3, r^1
	tableR4   = 9 * 32
	tableR8   = 18 * 32
	tableSize = 27 * 32
)

var (
	acc    = [5]VecPhysical{Y0, Y1, Y2, Y3, Y4}
	d      = [5]VecPhysical{Y5, Y6, Y7, Y8, Y9}
	t      = [5]VecPhysical{Y10, Y11, Y12, Y13, Y15}
	mask26 = Y14
	table  = RDI
)

func at(offset int) Mem { return Mem{Base: table, Disp: offset} }

// limbs splits h into 26-bit limbs and calls store for each; m is 2^26-1, x is
// clobbered.
func limbs(h [3]GPPhysical, m, x GPPhysical, store func(i int)) {
	MOVQ(h[0], x)
	ANDQ(m, x)
	store(0)
	MOVQ(h[0], x)
	SHRQ(Imm(26), x)
	ANDQ(m, x)
	store(1)
	MOVQ(h[0], x)
	SHRQ(Imm(52), h[1], x)
	ANDQ(m, x)
	store(2)
	MOVQ(h[1], x)
	SHRQ(Imm(14), x)
	ANDQ(m, x)
	store(3)
	MOVQ(h[1], x)
	SHRQ(Imm(40), h[2], x)
	store(4)
}

// split loads four blocks into t as limbs.
func split(m Mem, hibit Mem) (s cc.Stream) {
	s.Do(func() { VMOVDQU(m, t[3]) })
	s.Do(func() { VMOVDQU(m.Offset(32), t[4]) })
	s.Do(func() { VPUNPCKLQDQ(t[4], t[3], t[0]) })
	s.Do(func() { VPUNPCKHQDQ(t[4], t[3], t[3]) })
	s.Do(func() { VPSRLQ(Imm(52), t[0], t[1]) })
	s.Do(func() { VPSLLQ(Imm(12), t[3], t[2]) })
	s.Do(func() { VPOR(t[1], t[2], t[2]) })
	s.Do(func() { VPAND(mask26, t[2], t[2]) })
	s.Do(func() { VPSRLQ(Imm(26), t[0], t[1]) })
	s.Do(func() { VPAND(mask26, t[1], t[1]) })
	s.Do(func() { VPAND(mask26, t[0], t[0]) })
	s.Do(func() { VPSRLQ(Imm(40), t[3], t[4]) })
	s.Do(func() { VPOR(hibit, t[4], t[4]) })
	s.Do(func() { VPSRLQ(Imm(14), t[3], t[3]) })
	s.Do(func() { VPAND(mask26, t[3], t[3]) })
	return s
}

// product sets d to x times the power in table, or adds it:
//
//	d_k = sum of x_i r_(k-i), where r_(j) with j < 0 is 5 r_(5+j)
func product(from int, x [5]VecPhysical, add bool, tmp [2]VecPhysical) (s cc.Stream) {
	n := 0
	for i := range 5 {
		for k := range 5 {
			r := from + 32*(k-i)
			if k < i {
				r = from + 32*(4+5+k-i)
			}
			if i == 0 && !add {
				s.Do(func() { VPMULUDQ(at(r), x[i], d[k]) })
				continue
			}
			y := tmp[n%2]
			n++
			s.Do(func() { VPMULUDQ(at(r), x[i], y) })
			s.Do(func() { VPADDQ(y, d[k], d[k]) })
		}
	}
	return s
}

// carry sets acc to d with limbs below 2^26, but the second and the last below
// 2^26+2^12. Two chains run side by side. t is clobbered.
func carry() (s cc.Stream) {
	step := func(i, j int, x VecPhysical) {
		s.Do(func() { VPSRLQ(Imm(26), d[i], x) })
		s.Do(func() { VPAND(mask26, d[i], d[i]) })
		if j == 0 { // 2^130 = 5
			s.Do(func() { VPADDQ(x, d[0], d[0]) })
			s.Do(func() { VPSLLQ(Imm(2), x, x) })
		}
		s.Do(func() { VPADDQ(x, d[j], d[j]) })
	}
	step(0, 1, t[0])
	step(3, 4, t[1])
	step(1, 2, t[0])
	step(4, 0, t[1])
	step(2, 3, t[0])
	step(0, 1, t[1])
	step(3, 4, t[0])
	for i := range 5 {
		s.Do(func() { VMOVDQA(d[i], acc[i]) })
	}
	return s
}

func main() {
	ConstraintExpr("!purego")
	hibit := GLOBL("hibit26", RODATA|NOPTR)
	for i := range 4 {
		DATA(8*i, U64(1<<24)) // 2^128 = 2^24 2^104
	}

	contract.Function("Poly1305BlocksAVX2", 0, "func(st *[7]uint64, p *byte, blocks int)", contract.Contract{
		Computes: `Poly1305BlocksAVX2 absorbs whole blocks: for each of the blocks m_i of 16 bytes at
			p, h = (h + m_i + 2^128) r mod 2^130-5.`,
		Source: "RFC 8439, section 2.5.",
		Arguments: `st holds h (three 64-bit limbs, the lowest first; the third is at most 4 before and
			after), r (two limbs, clamped) and s (two limbs, unused). blocks is 4 plus a
			multiple of 8.`,
		Aliasing: "nothing overlaps st.",
		Bounds:   "reads 16·blocks bytes at p, and nothing beyond.",
		Secret:   "st and the bytes at p.",
		Decides:  "blocks",
		Leaves: `powers of r in vector registers; the stack is wiped; VZEROUPPER clears the upper halves
			of these.`,
	})
	frame := AllocLocal(tableSize + 32)
	LEAQ(frame.Offset(31), table)
	ANDQ(I32(-32), table)
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
	for i := 1; i <= 8; i++ {
		to, keep := [9]int{1: tableLane + 24, 2: tableLane + 8, 3: tableLane + 16, 4: tableLane, 8: tableR8}[i], i <= 4 || i == 8
		if keep {
			MOVL(U32(1<<26-1), RCX.As32())
			limbs(p.H, RCX, RBX, func(i int) {
				MOVQ(RBX, at(to+32*i))
				if i > 0 {
					LEAQ(Mem{Base: RBX, Index: RBX, Scale: 4}, RBX)
					MOVQ(RBX, at(to+32*(4+i)))
				}
			})
		}
		if i < 8 {
			cc.Emit(p.Mul())
		}
	}
	for i := range 9 {
		VPBROADCASTQ(at(tableLane+32*i), acc[0])
		VPBROADCASTQ(at(tableR8+32*i), acc[1])
		VMOVDQA(acc[0], at(tableR4+32*i))
		VMOVDQA(acc[1], at(tableR8+32*i))
	}
	// The first four blocks, with h.
	Load(Param("st"), RAX)
	for i, h := range p.H {
		MOVQ(Mem{Base: RAX, Disp: 8 * i}, h)
	}
	MOVL(U32(1<<26-1), RCX.As32())
	VMOVQ(RCX, mask26.AsX())
	VPBROADCASTQ(mask26.AsX(), mask26)
	limbs(p.H, RCX, RBX, func(i int) { VMOVQ(RBX, d[i].AsX()) })
	Load(Param("p"), RSI)
	Load(Param("blocks"), RCX)
	m := Mem{Base: RSI}
	cc.Emit(split(m, hibit))
	for i := range 5 {
		VPADDQ(t[i], d[i], acc[i])
	}
	ADDQ(Imm(64), RSI)
	SHRQ(Imm(3), RCX)
	JZ(LabelRef("fold"))
	Label("loop")
	Comment("Y0-Y4: four lanes of five limbs, lane i weighs r^(4-i), of all in front of SI; CX groups",
		"follow. Y5-Y9: products; Y10-Y13, Y15: scratch; Y14: 2^26-1; DI: tables.")
	cc.Emit(product(tableR8, acc, false, [2]VecPhysical{t[0], t[1]}))
	cc.Emit(split(m, hibit))
	// acc is free until the carry.
	cc.Emit(product(tableR4, t, true, [2]VecPhysical{acc[0], acc[1]}))
	cc.Emit(carry())
	cc.Emit(split(m.Offset(64), hibit))
	for i := range 5 {
		VPADDQ(t[i], acc[i], acc[i])
	}
	ADDQ(U32(128), RSI)
	DECQ(RCX)
	JNZ(LabelRef("loop"))
	Label("fold")
	cc.Emit(product(tableLane, acc, false, [2]VecPhysical{t[0], t[1]}))
	g := [5]GPPhysical{R8, R9, R10, R11, R12}
	for i := range 5 {
		VEXTRACTI128(Imm(1), d[i], t[0].AsX())
		VPADDQ(t[0].AsX(), d[i].AsX(), d[i].AsX())
		VPSHUFD(Imm(0x4e), d[i].AsX(), t[0].AsX())
		VPADDQ(t[0].AsX(), d[i].AsX(), d[i].AsX())
		VMOVQ(d[i].AsX(), g[i])
	}
	wipe.Frame(frame, tableSize+32, t[0], false)
	VZEROUPPER()
	for i := range 4 {
		MOVQ(g[i], RAX)
		SHRQ(Imm(26), RAX)
		ANDL(U32(1<<26-1), g[i].As32())
		ADDQ(RAX, g[i+1])
	}
	// h = g0 + 2^26 g1 + 2^52 g2 + 2^78 g3 + 2^104 g4
	SHLQ(Imm(26), R9)
	ORQ(R9, R8)
	MOVQ(R10, R9)
	SHLQ(Imm(52), R10)
	ORQ(R10, R8)
	SHRQ(Imm(12), R9)
	SHLQ(Imm(14), R11)
	ORQ(R11, R9)
	MOVQ(R12, R10)
	SHLQ(Imm(40), R12)
	SHRQ(Imm(24), R10)
	ADDQ(R12, R9)
	ADCQ(Imm(0), R10)
	// 2^130 = 5
	MOVQ(R10, RAX)
	MOVQ(R10, RBX)
	ANDQ(Imm(3), R10)
	ANDQ(I32(-4), RAX)
	SHRQ(Imm(2), RBX)
	ADDQ(RBX, RAX)
	ADDQ(RAX, R8)
	ADCQ(Imm(0), R9)
	ADCQ(Imm(0), R10)
	Load(Param("st"), RAX)
	for i, h := range p.H {
		MOVQ(h, Mem{Base: RAX, Disp: 8 * i})
	}
	RET()
	contract.Generate()
}
