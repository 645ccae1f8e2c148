package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/fastcrypto-go/fastcrypto/kernels_amd64/_asm/internal/contract"
)

// arg loads a pointer argument into r and returns the memory that it points to.
func arg(name string, r reg.GPPhysical) Mem {
	Load(Param(name), r)
	return Mem{Base: r}
}

// arraysOnly is the bounds of kernels whose arguments are arrays.
const arraysOnly = "reads and writes nothing beyond the arrays."

func fieldKernels() {
	contract.Function("P256MulADX", NOSPLIT, "func(z, x, y *[4]uint64)", contract.Contract{
		Computes:  "P256MulADX sets z = x·y·2^-256 mod p.",
		Source:    "SP 800-186, 3.2.1.3, for p; Montgomery multiplication with R = 2^256.",
		Arguments: "Elements are four 64-bit limbs, the least significant first. x < p and y < 2^256, or the other way round; z < p.",
		Aliasing:  "any of z, x, y may be the same array; no partial overlap.",
		Bounds:    arraysOnly,
		Secret:    "x, y and z.",
		Leaves:    "intermediate values in general registers.",
	})
	x, y := arg("x", reg.RSI), arg("y", reg.RDI)
	mul(x, y)
	Load(Param("z"), reg.RSI)
	store(Mem{Base: reg.RSI})
	RET()

	contract.Function("P256SqrADX", NOSPLIT, "func(z, x *[4]uint64, n uint64)", contract.Contract{
		Computes:  "P256SqrADX sets z = x^(2^n)·2^(256·(1−2^n)) mod p: n Montgomery squarings.",
		Source:    "as P256MulADX.",
		Arguments: "Elements as in P256MulADX; x < p, z < p; n >= 1, counted in squarings.",
		Aliasing:  "z and x may be the same array; no partial overlap.",
		Bounds:    arraysOnly,
		Secret:    "x and z.",
		Decides:   "n",
		Leaves:    "intermediate values in general registers.",
	})
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
