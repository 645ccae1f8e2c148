package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/fastcrypto-go/fastcrypto/kernels_amd64/_asm/internal/contract"
)

// n is the order of the curve's group, and n0 is −n^-1 mod 2^64.
var n = [4]uint64{0xf3b9cac2fc632551, 0xbce6faada7179e84, 0xffffffffffffffff, 0xffffffff00000000}

const n0 = 0xccd1c8aaee00bc4f

// orderReduce sets t[0:4] = t·2^-256 mod n for t < n·2^256, one limb at a time;
// the limbs wander through t[0:4] as in reduce. Each m·n is added on two carry
// chains. nn is n in memory. Clobbers DX, lo, hi, spare and t[4:8].
func orderReduce(nn Mem) {
	for i := range 4 {
		MOVQ(U64(n0), reg.RDX)
		IMULQ(t[i], reg.RDX)
		XORL(spare.As32(), spare.As32())
		MULXQ(limb(nn, 0), lo, hi)
		ADCXQ(t[i], lo) // 0; the carry is wanted
		ADOXQ(hi, t[(i+1)%4])
		MULXQ(limb(nn, 1), lo, hi)
		ADCXQ(lo, t[(i+1)%4])
		ADOXQ(hi, t[(i+2)%4])
		MULXQ(limb(nn, 2), lo, hi)
		ADCXQ(lo, t[(i+2)%4])
		ADOXQ(hi, t[(i+3)%4])
		MULXQ(limb(nn, 3), lo, t[i])
		ADCXQ(lo, t[(i+3)%4])
		ADOXQ(spare, t[i])
		ADCQ(Imm(0), t[i])
	}
	ADDQ(t[4], t[0])
	for i := 1; i < 4; i++ {
		ADCQ(t[i+4], t[i])
	}
	SBBQ(spare, spare)
	for i := range 4 {
		MOVQ(t[i], t[i+4])
	}
	SUBQ(limb(nn, 0), t[4])
	for i := 1; i < 4; i++ {
		SBBQ(limb(nn, i), t[i+4])
	}
	SBBQ(Imm(0), spare)
	for i := range 4 {
		CMOVQCC(t[i+4], t[i])
	}
}

// localN puts n on the stack, which keeps R15 free of symbol addressing.
func localN() Mem {
	nn := AllocLocal(32)
	for i := range 4 {
		MOVQ(U64(n[i]), lo)
		MOVQ(lo, limb(nn, i))
	}
	return nn
}

func orderKernels() {
	contract.Function("P256OrderMulADX", NOSPLIT, "func(z, x, y *[4]uint64)", contract.Contract{
		Computes:  "P256OrderMulADX sets z = x·y·2^-256 mod n, n being the order of the group.",
		Source:    "SP 800-186, 3.2.1.3, for n; Montgomery multiplication with R = 2^256.",
		Arguments: "Four 64-bit limbs, the least significant first. x < n and y < 2^256, or the other way round; z < n.",
		Aliasing:  "any of z, x, y may be the same array; no partial overlap.",
		Bounds:    arraysOnly,
		Secret:    "x, y and z.",
		Leaves:    "intermediate values in general registers; the stack has only n.",
	})
	nn := localN()
	x, y := arg("x", reg.RSI), arg("y", reg.RDI)
	product(x, y)
	orderReduce(nn)
	Load(Param("z"), reg.RSI)
	store(Mem{Base: reg.RSI})
	RET()

	contract.Function("P256OrderSqrADX", NOSPLIT, "func(z, x *[4]uint64, n uint64)", contract.Contract{
		Computes:  "P256OrderSqrADX sets z = x^(2^n)·2^(256·(1−2^n)) modulo the order of the group: n Montgomery squarings.",
		Source:    "as P256OrderMulADX.",
		Arguments: "Elements as in P256OrderMulADX, x below the order; n >= 1, counted in squarings.",
		Aliasing:  "z and x may be the same array; no partial overlap.",
		Bounds:    arraysOnly,
		Secret:    "x and z.",
		Decides:   "n",
		Leaves:    "intermediate values in general registers; the stack has only the order and the count.",
	})
	nn = localN()
	count := AllocLocal(8)
	x = arg("x", reg.RSI)
	z := arg("z", reg.RDI)
	Load(Param("n"), lo)
	MOVQ(lo, count)
	Label("loop")
	square(x)
	orderReduce(nn)
	store(z)
	MOVQ(reg.RDI, reg.RSI)
	DECQ(count)
	JNZ(LabelRef("loop"))
	RET()
}
