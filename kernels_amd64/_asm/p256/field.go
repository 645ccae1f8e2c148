package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// arg loads a pointer argument into r and returns the memory that it points to.
func arg(name string, r reg.GPPhysical) Mem {
	Load(Param(name), r)
	return Mem{Base: r}
}

func fieldKernels() {
	TEXT("P256MulADX", NOSPLIT, "func(z, x, y *[4]uint64)")
	Pragma("noescape")
	Doc(
		"P256MulADX sets z = x·y·2^-256 mod p.",
		"",
		"Source: SP 800-186, 3.2.1.3, for p; Montgomery multiplication with R = 2^256.",
		"Elements are four 64-bit limbs, the least significant first. x < p and y <",
		"2^256, or the other way round; z < p. Any of z, x, y may be the same array;",
		"partial overlap is not allowed. Needs BMI2 and ADX. x, y and z may be secret: no",
		"branch or address depends on them. Registers keep intermediate values.",
	)
	x, y := arg("x", reg.RSI), arg("y", reg.RDI)
	mul(x, y)
	Load(Param("z"), reg.RSI)
	store(Mem{Base: reg.RSI})
	RET()

	TEXT("P256SqrADX", NOSPLIT, "func(z, x *[4]uint64, n uint64)")
	Pragma("noescape")
	Doc(
		"P256SqrADX sets z = x^(2^n)·2^(256·(1−2^n)) mod p: n Montgomery squarings.",
		"",
		"Elements as in P256MulADX; x < p, z < p; n >= 1, counted in squarings. z and x may",
		"be the same array. Needs BMI2 and ADX. x and z may be secret, n is not: the number",
		"of iterations is n.",
	)
	x = arg("x", reg.RSI)
	z := arg("z", reg.RDI)
	n := AllocLocal(8)
	Load(Param("n"), lo)
	MOVQ(lo, n)
	Label("loop") // z = x^(2^(n0−n)) in the Montgomery domain, x = z from the second turn
	sqr(x)
	store(z)
	MOVQ(reg.RDI, reg.RSI)
	DECQ(n)
	JNZ(LabelRef("loop"))
	RET()
}
