package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/fastcrypto-go/fastcrypto/kernels_amd64/_asm/internal/contract"
	"github.com/fastcrypto-go/fastcrypto/kernels_amd64/_asm/internal/wipe"
)

// coord returns the i-th element of the point at m.
func coord(m Mem, i int) Mem { return m.Offset(32 * i) }

// into runs the ops one after another on t[0:4] and stores the result.
func into(dst Mem, op func(), more ...func()) {
	op()
	for _, f := range more {
		f()
	}
	store(dst)
}

func doMul(a, b Mem) func() { return func() { mul(a, b) } }
func doSqr(a Mem) func()    { return func() { sqr(a) } }
func doLoad(a Mem) func()   { return func() { load(a) } }
func doSub(b Mem) func()    { return func() { sub(b) } }

// doubling sets z = 2x. The formula is that of Jacobian coordinates for a = −3
// with the result scaled by 1/2, that is (X/4, Y/8, Z/2), which saves additions:
//
//	λ = 3/2·(X+Z²)·(X−Z²), S = X·Y²
//	X' = λ² − 2S, Y' = λ·(S−X') − Y⁴, Z' = Y·Z
//
// It is right for Z = 0, where Z' = 0. x and z may be the same.
func doubling(z, x Mem, tmp [5]Mem, wide Mem) {
	zz, yy, s, u, v := tmp[0], tmp[1], tmp[2], tmp[3], tmp[4]
	into(zz, doSqr(coord(x, 2)))
	into(yy, doSqr(coord(x, 1)))
	into(u, doLoad(coord(x, 0)), func() { addLoose(zz) })
	into(v, doLoad(coord(x, 0)), doSub(zz))
	into(u, doMul(u, v))
	into(s, doMul(coord(x, 0), yy))
	into(u, doLoad(u), threeHalves)
	into(coord(z, 2), doMul(coord(x, 1), coord(x, 2)))
	into(coord(z, 0), doSqr(u), doSub(s), doSub(s))
	square(yy)
	storeWide(wide)
	into(s, doLoad(s), doSub(coord(z, 0)))
	into(coord(z, 1), func() { mulSub(u, s, wide) })
}

func locals(tmp []Mem) {
	for i := range tmp {
		tmp[i] = AllocLocal(32)
	}
}

// wipeFrame clears the frame, which begins at m.
func wipeFrame(m Mem, n int) { wipe.Frame(m, n, reg.X0, false) }

const pointLeaves = "intermediate values in general registers; the stack is wiped."

func pointKernels() {
	contract.Function("P256PointDoubleADX", 0, "func(z, x *[12]uint64, n uint64)", contract.Contract{
		Computes: "P256PointDoubleADX sets z = 2^n·x on the curve y² = x³ − 3x + b.",
		Source: `the Jacobian doubling for a = −3 of the Explicit-Formulas Database, its result
			scaled by 1/2.`,
		Arguments: `A point is X, Y, Z, each as in P256MulADX and below p, in the Montgomery domain;
			x = X/Z², y = Y/Z³, infinity is Z = 0 and stays so. n >= 1, counted in doublings.`,
		Aliasing: "z and x may be the same array; no partial overlap.",
		Bounds:   arraysOnly,
		Secret:   "x and z.",
		Decides:  "n",
		Leaves:   pointLeaves,
	})
	x, z := arg("x", reg.RSI), arg("z", reg.RDI)
	var tmp [5]Mem
	locals(tmp[:])
	count := AllocLocal(8)
	Load(Param("n"), lo)
	MOVQ(lo, count)
	Label("loop")
	doubling(z, x, tmp, AllocLocal(64))
	MOVQ(reg.RDI, reg.RSI)
	DECQ(count)
	JNZ(LabelRef("loop"))
	wipeFrame(tmp[0], 5*32+8+64)
	RET()

	pointAdd("P256PointAddMixedADX", true)
	pointAdd("P256PointAddADX", false)
	coZAdd()
}

// coZAdd generates the co-Z addition with update of Meloni: for x and y with the
// same Z, which is kept with y,
//
//	H = X1 − X2, R = Y1 − Y2, U1 = X1·H², U2 = X2·H²
//	X3 = R² − U1 − U2, Y3 = R·(U2−X3) − Y2·H³, Z3 = Z·H
//
// and y with the new Z is (U2, Y2·H³); H³ is U1 − U2.
func coZAdd() {
	contract.Function("P256PointAddCoZADX", 0, "func(z, x *[8]uint64, y *[12]uint64, h *[4]uint64)", contract.Contract{
		Computes: `P256PointAddCoZADX sets z = x + y, brings y to the Jacobian Z of the sum, and sets
			h to that Z divided by the one before.`,
		Source: `Meloni, "New point addition formulae for ECC applications", WAIFI 2007; five
			multiplications and two squarings.`,
		Arguments: `y is a point as in P256PointDoubleADX, x and z are X and Y of points with the Z
			of y, before and after. x ≠ ±y, neither is infinity: h is 0 if and only if x = ±y.`,
		Aliasing: "z may be x; the arrays do not overlap otherwise.",
		Bounds:   arraysOnly,
		Secret:   "what x, y, z and h hold.",
		Leaves:   pointLeaves,
	})
	q, p := arg("y", reg.RSI), arg("x", reg.RDI)
	tmp := make([]Mem, 6)
	locals(tmp)
	h, r, c, u, s, w := tmp[0], tmp[1], tmp[2], tmp[3], tmp[4], tmp[5]
	into(h, doLoad(coord(p, 0)), doSub(coord(q, 0)))
	into(r, doLoad(coord(p, 1)), doSub(coord(q, 1)))
	into(c, doSqr(h))
	into(s, doSqr(r))
	into(coord(q, 2), doMul(coord(q, 2), h))
	into(u, doMul(coord(p, 0), c))
	into(coord(q, 0), doMul(coord(q, 0), c))
	into(w, doLoad(u), doSub(coord(q, 0))) // H³
	into(s, doLoad(s), doSub(u), doSub(coord(q, 0)))
	into(coord(q, 1), doMul(coord(q, 1), w))
	into(w, doLoad(coord(q, 0)), doSub(s))
	mul(r, w)
	sub(coord(q, 1))
	Load(Param("z"), reg.RDI)
	z := Mem{Base: reg.RDI}
	store(coord(z, 1))
	load(s)
	store(coord(z, 0))
	Load(Param("h"), reg.RSI)
	load(h)
	store(Mem{Base: reg.RSI})
	wipeFrame(tmp[0], 6*32)
	RET()
}

// pointAdd generates z = x + y for y affine (mixed) or Jacobian:
//
//	U1 = X1·Z2², S1 = Y1·Z2³, H = X2·Z1² − U1, R = Y2·Z1³ − S1, V = U1·H²
//	X3 = R² − H³ − 2V, Y3 = R·(V−X3) − S1·H³, Z3 = Z1·Z2·H
//
// It returns what H and R are in limbs that are or-ed together: 0 if they vanish.
func pointAdd(name string, mixed bool) {
	y := "*[12]uint64"
	if mixed {
		y = "*[8]uint64"
	}
	c := contract.Contract{
		Computes: name + " sets z = x + y for x ≠ ±y, neither being infinity.",
		Source: `the Jacobian addition of the Explicit-Formulas Database, twelve multiplications
			and four squarings.`,
		Arguments: `Points are as in P256PointDoubleADX. h and r, and x = ±y, are as in
			P256PointAddMixedADX; where x or y is infinity, z is infinity, h is 0 if both are,
			and r is of no meaning.`,
		Aliasing: "any of z, x, y may be the same array; no partial overlap.",
		Bounds:   arraysOnly,
		Secret:   "x, y, z, h and r.",
		Leaves:   pointLeaves,
	}
	if mixed {
		c.Computes = name + " sets z = x + y, y being affine, for x ≠ ±y and x ≠ infinity."
		c.Source = `the Jacobian mixed addition of the Explicit-Formulas Database, eight
			multiplications and three squarings.`
		c.Arguments = `x and z are points as in P256PointDoubleADX, y is x and y, in the Montgomery
			domain and below p. h is 0 if and only if x and y have the same affine x-coordinate,
			r is 0 if and only if they have the same y; where h is 0 and r is not, that is
			x = −y, z is infinity, as it should be. Where h and r are 0, that is x = y, or where
			x is infinity, z is infinity and wrong.`
		c.Aliasing = "z and x may be the same array; no partial overlap."
	}
	contract.Function(name, 0, "func(z, x *[12]uint64, y "+y+") (h, r uint64)", c)
	p := arg("x", reg.RSI)
	q := arg("y", reg.RDI)
	tmp := make([]Mem, 8)
	locals(tmp)
	u1, s1, v, s2, zz, h, r, z1 := tmp[0], tmp[1], tmp[2], tmp[3], tmp[4], tmp[5], tmp[6], tmp[7]
	wide := AllocLocal(64)

	// Products that do not wait for each other stand side by side, and the last
	// ones of the z-coordinate and of S1·H³ where others wait for X3.
	into(zz, doSqr(coord(p, 2)))
	into(s2, doMul(coord(p, 2), coord(q, 1)))
	if mixed {
		u1, s1, z1 = coord(p, 0), coord(p, 1), coord(p, 2)
	} else {
		into(z1, doSqr(coord(q, 2)))
		into(s1, doMul(coord(q, 2), coord(p, 1)))
		into(u1, doMul(coord(p, 0), z1))
		into(s1, doMul(s1, z1))
		into(z1, doMul(coord(p, 2), coord(q, 2)))
	}
	into(h, doMul(coord(q, 0), zz), doSub(u1))
	orLimbs()
	Store(lo, Return("h"))
	into(r, doMul(s2, zz), doSub(s1))
	orLimbs()
	Store(lo, Return("r"))
	into(zz, doSqr(h))
	into(s2, doSqr(r))
	into(v, doMul(u1, zz))
	into(zz, doMul(zz, h))                              // H³
	into(s2, doLoad(s2), doSub(zz), doSub(v), doSub(v)) // X3
	product(s1, zz)
	storeWide(wide)
	out := Mem{Base: reg.RDI}
	Load(Param("z"), reg.RDI)
	into(coord(out, 2), doMul(z1, h))
	into(v, doLoad(v), doSub(s2))
	into(coord(out, 1), func() { mulSub(r, v, wide) })
	load(s2)
	store(coord(out, 0))
	wipeFrame(tmp[0], 8*32+64)
	RET()
}

// orLimbs sets lo to the limbs of t[0:4], or-ed together.
func orLimbs() {
	MOVQ(t[0], lo)
	for i := 1; i < 4; i++ {
		ORQ(t[i], lo)
	}
}
