package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/fastcrypto-go/fastcrypto/kernels_amd64/_asm/internal/contract"
)

// Inversion by division steps: Bernstein and Yang, "Fast constant-time gcd
// computation and modular inversion", 2019, with δ starting at 1/2, for which
// 590 steps suffice below 2^256 (Wuille, 2021). ζ stands for −(δ + 1/2). A step is
//
//	if ζ < 0 and g odd: ζ, f, g = −ζ−2, g, (g−f)/2
//	otherwise:          ζ, f, g = ζ−1, f, (g + (g mod 2)·f)/2
//
// Twenty steps depend on twenty low bits of f and g only, so that f and its row
// of the transition matrix share a register, and so do g and its row:
//
//	F = f + 2^21·U + 2^42·V, at the start U = −2^20, V = 0
//	G = g + 2^21·Q + 2^42·R, at the start Q = 0, R = −2^20
//
// All operations of a step are linear, and halving is exact. After twenty steps
// (−U, −V; −Q, −R) is the matrix times 2^20, |f|, |g| < 2^20, and U, Q are in
// [−2^20, 2^20): an entry of −2^20 itself, which its negative could not express,
// cannot arise, so the fields separate by rounding. Three rounds make a batch of
// sixty steps, ten batches 600.
const (
	steps   = 20
	rounds  = 3
	batch   = steps * rounds
	batches = 10
)

type inverter struct {
	f, g, d, e, next   Mem // 5 limbs each, two's complement
	fl, gl, zeta       Mem
	m, sign, abs       Mem // the matrix u, v, q, r of a batch
	correction         Mem // for either row: what makes −x of the complement of x
	modulus, factor, n Mem
}

// steps20 leaves the packed F and G in the registers that it returns. ζ is read
// from memory and written back.
func (v *inverter) steps20() (f, g reg.GPPhysical) {
	F, G, X, T, A := reg.R8, reg.R9, reg.R10, reg.R11, reg.RDX
	Z, ZT, ZA, ZB := reg.R12, reg.R13, reg.R14, reg.R15
	N, zero, one := reg.RAX, reg.RBX, reg.RCX

	XORL(zero.As32(), zero.As32())
	MOVL(U32(1), one.As32())
	MOVQ(U64(1<<64-1<<41), lo)
	MOVQ(v.fl, F)
	ANDL(U32(1<<steps-1), F.As32())
	ADDQ(lo, F)
	MOVQ(U64(1<<64-1<<62), lo)
	MOVQ(v.gl, G)
	ANDL(U32(1<<steps-1), G.As32())
	ADDQ(lo, G)
	MOVQ(v.zeta, Z)

	// prepare sets what the step does if g is odd: X is what is added to g, T the
	// next f, ZT the next ζ; ZA is the next ζ if g is even.
	prepare := func() {
		LEAQ(Mem{Base: Z, Disp: -1}, ZA)
		MOVQ(I32(-2), ZB)
		SUBQ(Z, ZB)
		MOVQ(F, N)
		NEGQ(N)
		MOVQ(F, X)
		MOVQ(F, T)
		MOVQ(ZA, ZT)
		TESTQ(Z, Z)
		CMOVQMI(N, X)
		CMOVQMI(G, T)
		CMOVQMI(ZB, ZT)
	}
	prepare()
	TESTQ(U32(1), G)
	for i := range steps {
		CMOVQEQ(zero, X)
		CMOVQEQ(F, T)
		CMOVQEQ(ZA, ZT)
		ADDQ(G, X)
		SARXQ(one, X, G)
		F, T = T, F
		Z, ZT = ZT, Z
		X, A = A, X
		if i < steps-1 {
			prepare()
			TESTQ(U32(2), A) // the next g's lowest bit, before it is shifted there
		}
	}
	MOVQ(Z, v.zeta)
	return F, G
}

// fields sets u and v to the matrix entries of the packed p, negated.
func fields(p, u, v reg.GPPhysical) {
	MOVQ(U64(1<<20+1<<41), reg.RDX)
	ADDQ(p, reg.RDX)
	LEAQ(Mem{Base: p, Disp: 1 << 20}, u)
	SHLQ(Imm(22), u)
	SARQ(Imm(43), u)
	SARQ(Imm(42), reg.RDX)
	MOVQ(reg.RDX, v)
}

// mulAdd sets z = a·x + b·y, in 64 bits. Clobbers lo.
func mulAdd(z, a, x, b, y reg.GPPhysical) {
	MOVQ(x, z)
	IMULQ(a, z)
	MOVQ(y, lo)
	IMULQ(b, lo)
	ADDQ(lo, z)
}

// matrix does a batch of steps and leaves the matrix, times 2^60, as absolute
// values and signs.
func (v *inverter) matrix() {
	u, w, q, r := reg.RBX, reg.RCX, reg.RSI, reg.RDI
	for i := range rounds {
		F, G := v.steps20()
		fields(F, u, w)
		fields(G, q, r)
		if i < rounds-1 {
			MOVQ(v.fl, reg.R8)
			MOVQ(v.gl, reg.R9)
			mulAdd(reg.R10, u, reg.R8, w, reg.R9)
			mulAdd(reg.R11, q, reg.R8, r, reg.R9)
			for _, x := range []struct {
				r reg.GPPhysical
				m Mem
			}{{reg.R10, v.fl}, {reg.R11, v.gl}} {
				NEGQ(x.r)
				SARQ(Imm(steps), x.r)
				MOVQ(x.r, x.m)
			}
		}
		if i == 0 {
			for j, x := range []reg.GPPhysical{u, w, q, r} {
				MOVQ(x, limb(v.m, j))
			}
			continue
		}
		for j := range 4 {
			MOVQ(limb(v.m, j), t[j])
		}
		mulAdd(t[4], u, t[0], w, t[2])
		mulAdd(t[5], u, t[1], w, t[3])
		mulAdd(t[6], q, t[0], r, t[2])
		mulAdd(t[7], q, t[1], r, t[3])
		for j := range 4 {
			MOVQ(t[4+j], limb(v.m, j))
		}
	}
	// The three rounds' fields were all negated.
	for j := range 4 {
		x, s := t[4+j], t[j]
		NEGQ(x)
		MOVQ(x, s)
		SARQ(Imm(63), s)
		XORQ(s, x)
		SUBQ(s, x)
		MOVQ(x, limb(v.abs, j))
		MOVQ(s, limb(v.sign, j))
		ANDQ(x, s)
	}
	for j := range 2 {
		ADDQ(t[2*j+1], t[2*j])
		MOVQ(t[2*j], limb(v.correction, j))
	}
}

// combine sets t[0:5] to row 0 or 1 of the matrix times (x, y), in two's
// complement: |a|·(x xor sign) for each, and the correction for the complements.
func (v *inverter) combine(row int, x, y Mem) {
	a := [4]reg.GPPhysical{t[5], t[6], t[7], reg.RDI}
	for term, z := range []Mem{x, y} {
		MOVQ(limb(v.sign, 2*row+term), reg.RSI)
		MOVQ(limb(v.abs, 2*row+term), reg.RDX)
		for i := range 4 {
			MOVQ(limb(z, i), a[i])
			XORQ(reg.RSI, a[i])
		}
		MOVQ(limb(z, 4), lo)
		XORQ(reg.RSI, lo)
		IMULQ(reg.RDX, lo)
		if term == 0 {
			MULXQ(a[0], t[0], t[1])
			ADDQ(limb(v.correction, row), t[0])
			for i := 1; i < 4; i++ {
				MULXQ(a[i], hi, t[i+1])
				ADCQ(hi, t[i])
			}
			ADCQ(lo, t[4])
			continue
		}
		ADDQ(lo, t[4])
		XORL(lo.As32(), lo.As32())
		for i := range 4 {
			MULXQ(a[i], hi, spare)
			ADCXQ(hi, t[i])
			ADOXQ(spare, t[i+1])
		}
		ADCXQ(lo, t[4])
	}
}

// shift stores t[0:5]/2^60 in z.
func shift(z Mem) {
	for i := range 4 {
		MOVQ(t[i+1], lo)
		SHLQ(Imm(64-batch), lo)
		SHRQ(Imm(batch), t[i])
		ORQ(lo, t[i])
		MOVQ(t[i], limb(z, i))
	}
	SARQ(Imm(batch), t[4])
	MOVQ(t[4], limb(z, 4))
}

// divide stores t[0:5]/2^64 modulo m in z: a multiple of m clears the lowest limb.
func (v *inverter) divide(z Mem) {
	MOVQ(t[0], reg.RDX)
	IMULQ(v.factor, reg.RDX)
	MOVQ(t[4], t[5])
	SARQ(Imm(63), t[5])
	XORL(reg.RSI.As32(), reg.RSI.As32())
	for i := range 4 {
		MULXQ(limb(v.modulus, i), lo, hi)
		ADCXQ(lo, t[i])
		ADOXQ(hi, t[i+1])
	}
	ADCXQ(reg.RSI, t[4]) // may carry on, as may the other chain
	ADOXQ(reg.RSI, t[5])
	ADCQ(Imm(0), t[5])
	for i := range 5 {
		MOVQ(t[i+1], limb(z, i))
	}
}

// addModulus adds m to t[0:5] if mask is all ones. Clobbers lo, hi.
func (v *inverter) addModulus(mask reg.GPPhysical) {
	for i := range 3 {
		MOVQ(limb(v.modulus, i), t[5+i])
		ANDQ(mask, t[5+i])
	}
	MOVQ(limb(v.modulus, 3), hi)
	ANDQ(mask, hi)
	ADDQ(t[5], t[0])
	ADCQ(t[6], t[1])
	ADCQ(t[7], t[2])
	ADCQ(hi, t[3])
	ADCQ(Imm(0), t[4])
}

func inverseKernel() {
	contract.Function("P256InverseADX", 0, "func(z, x *[4]uint64, c *[9]uint64)", contract.Contract{
		Computes: "P256InverseADX sets z = w/x mod m, or 0 for x = 0, for an odd prime m.",
		Source: `Bernstein and Yang, "Fast constant-time gcd computation and modular inversion",
			IACR TCHES 2019; 600 division steps with δ = 1/2 at the start, of which 590 suffice.`,
		Arguments: `c holds m, 2^255 < m < 2^256, then −m^-1 mod 2^64, then w·2^40 mod m, 4, 1 and 4
			limbs, the least significant first: w is 1 for plain numbers and 2^512 mod m to stay
			in the Montgomery domain. x < m, z < m, four limbs.`,
		Aliasing: "z and x may be the same array; neither overlaps c.",
		Bounds:   arraysOnly,
		Secret:   "x and z.",
		Leaves:   "intermediate values in general registers; the stack is wiped.",
	})
	var v inverter
	for _, m := range []*Mem{&v.f, &v.g, &v.d, &v.e, &v.next} {
		*m = AllocLocal(40)
	}
	v.m, v.sign, v.abs, v.modulus = AllocLocal(32), AllocLocal(32), AllocLocal(32), AllocLocal(32)
	v.correction = AllocLocal(16)
	v.fl, v.gl, v.zeta, v.factor, v.n = AllocLocal(8), AllocLocal(8), AllocLocal(8), AllocLocal(8), AllocLocal(8)

	x, c := arg("x", reg.RSI), arg("c", reg.RDI)
	XORL(hi.As32(), hi.As32())
	for i := range 4 {
		MOVQ(limb(c, i), lo)
		MOVQ(lo, limb(v.modulus, i))
		MOVQ(lo, limb(v.f, i))
		MOVQ(limb(x, i), lo)
		MOVQ(lo, limb(v.g, i))
		MOVQ(hi, limb(v.d, i))
		MOVQ(limb(c, 5+i), lo)
		MOVQ(lo, limb(v.e, i))
	}
	for _, m := range []Mem{v.f, v.g, v.d, v.e} {
		MOVQ(hi, limb(m, 4))
	}
	MOVQ(limb(c, 4), lo)
	MOVQ(lo, v.factor)
	MOVQ(I32(-1), lo)
	MOVQ(lo, v.zeta)
	MOVQ(U32(batches), v.n)

	// Before each turn d·x ≡ f·w and e·x ≡ g·w modulo m, but for a power of two: a
	// batch divides f and g by 2^60, d and e by 2^64. d and e stay between −m/15 and
	// 16m/15, since a row's absolute values sum to 2^60 at most.
	Label("batch")
	MOVQ(limb(v.f, 0), lo)
	MOVQ(lo, v.fl)
	MOVQ(limb(v.g, 0), lo)
	MOVQ(lo, v.gl)
	v.matrix()
	for _, pair := range []struct {
		a, b Mem
		out  func(Mem)
	}{{v.f, v.g, shift}, {v.d, v.e, v.divide}} {
		v.combine(0, pair.a, pair.b)
		pair.out(v.next)
		v.combine(1, pair.a, pair.b)
		pair.out(pair.b)
		for i := range 5 {
			MOVQ(limb(v.next, i), lo)
			MOVQ(lo, limb(pair.a, i))
		}
	}
	DECQ(v.n)
	JNZ(LabelRef("batch"))

	// g is 0 and f is 1 or −1 (±m for x = 0, where d is 0). Negate d if f is
	// negative, and bring it into [0, m).
	MOVQ(limb(v.f, 4), reg.RDX)
	SARQ(Imm(63), reg.RDX)
	for i := range 5 {
		MOVQ(limb(v.d, i), t[i])
		XORQ(reg.RDX, t[i])
	}
	SUBQ(reg.RDX, t[0])
	for i := 1; i < 5; i++ {
		SBBQ(reg.RDX, t[i])
	}
	for i := range 3 {
		if i == 2 {
			SUBQ(limb(v.modulus, 0), t[0])
			for j := 1; j < 4; j++ {
				SBBQ(limb(v.modulus, j), t[j])
			}
			SBBQ(Imm(0), t[4])
		}
		MOVQ(t[4], reg.RDX)
		SARQ(Imm(63), reg.RDX)
		v.addModulus(reg.RDX)
	}
	Load(Param("z"), reg.RDI)
	store(Mem{Base: reg.RDI})
	wipeFrame(v.f, 5*40+4*32+16+5*8)
	RET()
}
