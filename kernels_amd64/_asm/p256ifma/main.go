// Command p256ifma generates P-256 arithmetic in eight lanes for AVX-512 IFMA.
package main

import (
	"math/big"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"

	"github.com/fastcrypto-go/fastcrypto/kernels_amd64/_asm/internal/contract"
)

const (
	combEntries  = 32 // multiples 1–32 of one base point
	tableEntries = 16 // multiples 1–16 of one point a lane
)

var montgomeryOne Mem

// What the stubs of this tier have in common.
const (
	elementDoc = `

An element is five limbs, each below 2^52, the lowest first; limb i of lane j is
word 8i+j. It stands for its residue and need not be below the modulus. R = 2^260.
Pointers need no alignment, but 64 bytes are fastest.`

	pointDoc = elementDoc + `
A point has Jacobian coordinates X, Y, Z in the Montgomery domain, X and Y below
2p, Z below 3p, and is infinite where Z is 0 mod p.`

	montgomery = "Montgomery multiplication."
	formulas   = "the formulas for a = −3 of the Explicit-Formulas Database."
	arraysOnly = "reads and writes nothing beyond the arrays."
	leaves     = `intermediate values in vector registers, of whose first sixteen VZEROUPPER clears
		the upper halves, and in the opmasks K1–K5; the stack frame, where there is one, is wiped.`
)

func function(name, signature string, c contract.Contract, body func()) {
	c.Bounds, c.Leaves = arraysOnly, leaves
	contract.Function(name, 0, signature, c)
	loadConstants()
	body()
	VZEROUPPER()
	RET()
}

// argument loads a pointer into the given register.
func argument(name string, r GPPhysical) Mem {
	Load(Param(name), r)
	return Mem{Base: r}
}

func main() {
	ConstraintExpr("!purego")
	declareConstants()
	declareIndices()
	montgomeryOne = GLOBL("p256montgomeryone", RODATA|NOPTR)
	for i, w := range split52(new(big.Int).Mod(new(big.Int).Lsh(big.NewInt(1), 260), p.value)) {
		DATA(8*i, U64(w))
	}

	for _, m := range []struct {
		*modulus
		infix, of string
	}{{p, "", "the field's order p"}, {n, "Order", "the group's order n"}} {
		function("P256"+m.infix+"MulIFMA512", "func(out, a, b *[40]uint64)", contract.Contract{
			Computes:  "P256" + m.infix + "MulIFMA512 computes out = a·b/R mod " + m.of + ", in each of eight lanes.",
			Source:    montgomery,
			Arguments: "a and b are below 15 times the modulus m; out is below a·b/R + m." + elementDoc,
			Aliasing:  "out may be a or b, and these the same; no partial overlap.",
			Secret:    "a, b and out.",
		}, func() {
			out, a, b := argument("out", RDI), argument("a", RSI), argument("b", RDX)
			// 15 · 15 / 16 + 1 < 15.9: any two values that fit.
			mul(m.modulus, at(out, 0, 0), at(a, 0, 15), at(b, 0, 15))
		})
		function("P256"+m.infix+"SqrIFMA512", "func(out, a *[40]uint64, n int)", contract.Contract{
			Computes:  "P256" + m.infix + "SqrIFMA512 computes out = a^(2^n)/R^(2^n−1) mod " + m.of + ", in each of eight lanes, for n ≥ 1.",
			Source:    montgomery,
			Arguments: "If a is below k times the modulus m, for k = 2 or k = 14, then so is out; for n = 1 it is below a²/R + m." + elementDoc,
			Aliasing:  "out may be a; no partial overlap.",
			Secret:    "a and out.",
			Decides:   "n",
		}, func() {
			out, a := argument("out", RDI), argument("a", RSI)
			Load(Param("n"), RCX)
			Label("next")
			for _, bound := range []float64{2, 14} {
				if productBound(bound, bound) > bound {
					panic("a repeated square may outgrow its bound")
				}
			}
			sqr(m.modulus, at(out, 0, 0), at(a, 0, 14))
			MOVQ(RDI, RSI)
			DECQ(RCX)
			JNZ(LabelRef("next"))
		})
	}

	function("P256DoubleIFMA512", "func(q *[120]uint64, n int)", contract.Contract{
		Computes:  "P256DoubleIFMA512 computes q = 2^n·q on P-256 in each of eight lanes, for n ≥ 1. Infinity stays infinity.",
		Source:    formulas,
		Arguments: pointDoc,
		Aliasing:  "there is but one array.",
		Secret:    "q.",
		Decides:   "n",
	}, func() {
		q := pointAt(argument("q", RDI))
		Load(Param("n"), RCX)
		const elements = 6
		next, all := scratch(elements, RAX)
		Label("next")
		double(q, q, next)
		q.check()
		DECQ(RCX)
		JNZ(LabelRef("next"))
		wipe(all, elements)
	})

	for _, c := range []struct {
		name, table, doc string
		broadcast        bool
	}{
		{"P256CombAddIFMA512", "[320]", `entry i of table holds the affine x and y of (i+1)·B,
			each below p and the same for all lanes: word 32j+i is limb j of x, or limb j−5 of y.`, true},
		{"P256CombLanesAddIFMA512", "[2560]", `entry i of table holds the affine x and y of
			(i+1)·B of each lane, five limbs each, below p.`, false},
	} {
		function(c.name, "func(q *[120]uint64, table *"+c.table+"uint64, digits, signs *[8]uint64)", contract.Contract{
			Computes: c.name + " computes q = q ± digit·B on P-256 in each of eight lanes, where " + c.doc,
			Source:   formulas,
			Arguments: `digit is 0–32, a word of digits; the sign is minus where the word in signs is not 0.
				q may be infinite or −(± digit·B), but must not be ± digit·B.` + pointDoc,
			Aliasing: "q overlaps nothing.",
			Secret:   "q, digits and signs: every entry of the table is read, whatever they are.",
		}, func() {
			q := pointAt(argument("q", RDI))
			Load(Param("table"), RSI)
			Load(Param("digits"), RDX)
			Load(Param("signs"), RBX)
			const elements = 11
			next, all := scratch(elements, RAX)
			b := point{x: next(), y: next()}
			VMOVDQU64(Mem{Base: RDX}, Z2)
			if c.broadcast {
				permuteEntry([]*fe{b.x, b.y}, RSI, Z2)
			} else {
				selectEntry("entry", []*fe{b.x, b.y}, RSI, combEntries, Z2)
			}
			b.x.bound, b.y.bound = 1, 1
			loadDigits(RDX, RBX)
			negateWhere(b.y, K3, next)
			r := point{next(), next(), next()}
			h, rr := next(), next()
			add(r, q, b, h, rr, next)
			// An infinite q gives (b, 1).
			zeroMask(q.z, K4, K5)
			blend(r.x, b.x, K4)
			blend(r.y, b.y, K4)
			one(h)
			blend(r.z, h, K4)
			store(q, r, K2)
			wipe(all, elements)
		})
	}

	function("P256TableAddIFMA512", "func(q *[120]uint64, table *[1920]uint64, digits, signs *[8]uint64)", contract.Contract{
		Computes: `P256TableAddIFMA512 computes q = q ± digit·B on P-256 in each of eight lanes, where
			entry i of table holds the point (i+1)·B of each lane.`,
		Source: formulas,
		Arguments: `digit is 0–16, a word of digits; the sign is minus where the word in signs is not 0.
			q may be infinite or −(± digit·B), but must not be ± digit·B; B must not be infinite.` + pointDoc,
		Aliasing: "q overlaps nothing.",
		Secret:   "q, table, digits and signs: every entry of the table is read, whatever they are.",
	}, func() {
		q := pointAt(argument("q", RDI))
		Load(Param("table"), RSI)
		Load(Param("digits"), RDX)
		Load(Param("signs"), RBX)
		const elements = 14
		next, all := scratch(elements, RAX)
		b := point{next(), next(), next()}
		VMOVDQU64(Mem{Base: RDX}, Z2)
		selectEntry("entry", []*fe{b.x, b.y, b.z}, RSI, tableEntries, Z2)
		b.x.bound, b.y.bound, b.z.bound = boundX, boundY, boundZ
		loadDigits(RDX, RBX)
		negateWhere(b.y, K3, next)
		r := point{next(), next(), next()}
		h, rr := next(), next()
		add(r, q, b, h, rr, next)
		// An infinite q gives b.
		zeroMask(q.z, K4, K5)
		blend(r.x, b.x, K4)
		blend(r.y, b.y, K4)
		blend(r.z, b.z, K4)
		store(q, r, K2)
		wipe(all, elements)
	})

	function("P256AddDistinctIFMA512", "func(out, a, b *[120]uint64)", contract.Contract{
		Computes: `P256AddDistinctIFMA512 computes out = a + b on P-256 in each of eight lanes, for a ≠ b,
			neither infinite; a = −b gives infinity.`,
		Source:    formulas,
		Arguments: pointDoc,
		Aliasing:  "out may be a or b; no partial overlap.",
		Secret:    "a, b and out.",
	}, func() {
		out, a, b := pointAt(argument("out", RDI)), pointAt(argument("a", RSI)), pointAt(argument("b", RDX))
		const elements = 11
		next, all := scratch(elements, RAX)
		r := point{next(), next(), next()}
		h, rr := next(), next()
		add(r, a, b, h, rr, next)
		KXORB(K1, K1, K1)
		store(out, r, K1)
		wipe(all, elements)
	})

	function("P256AddIFMA512", "func(q, b *[120]uint64)", contract.Contract{
		Computes: `P256AddIFMA512 computes q = q + b on P-256 in each of eight lanes, for all points:
			equal, opposite and infinite ones.`,
		Source:    formulas,
		Arguments: pointDoc,
		Aliasing:  "b does not overlap q.",
		Secret:    "q and b.",
	}, func() {
		q, b := pointAt(argument("q", RDI)), pointAt(argument("b", RSI))
		const elements = 14
		next, all := scratch(elements, RAX)
		r, d := point{next(), next(), next()}, point{next(), next(), next()}
		h, rr := next(), next()
		add(r, q, b, h, rr, next)
		zeroMask(h, K1, K5)
		zeroMask(rr, K2, K5)
		KANDB(K1, K2, K1) // equal, or one is infinite
		zeroMask(q.z, K2, K5)
		zeroMask(b.z, K3, K5)
		// The scratch elements of add are free again.
		again := 8
		double(d, q, func() *fe { again++; return at(all, again-1, maxBound) })
		for _, c := range []struct {
			from point
			k    Register
		}{{d, K1}, {q, K3}, {b, K2}} {
			blend(r.x, c.from.x, c.k)
			blend(r.y, c.from.y, c.k)
			blend(r.z, c.from.z, c.k)
		}
		KXORB(K1, K1, K1)
		store(q, r, K1)
		wipe(all, elements)
	})

	function("P256OrderAddIFMA512", "func(out, a, b *[40]uint64)", contract.Contract{
		Computes:  "P256OrderAddIFMA512 computes out = a + b in each of eight lanes, as integers.",
		Source:    "addition of limbs.",
		Arguments: "The sum must be below 2^260." + elementDoc,
		Aliasing:  "out may be a or b; no partial overlap.",
		Secret:    "a, b and out.",
	}, func() {
		out, a, b := at(argument("out", RDI), 0, 0), at(argument("a", RSI), 0, 0), at(argument("b", RDX), 0, 0)
		for i := range limbs {
			VMOVDQU64(a.limb(i), operandA[i])
			VPADDQ(b.limb(i), operandA[i], operandA[i])
		}
		normalise(operandA, Z5, false)
		for i := range limbs {
			VMOVDQU64(operandA[i], out.limb(i))
		}
	})

	function("P256ToLanesIFMA512", "func(out *[40]uint64, in *[32]uint64)", contract.Contract{
		Computes: `P256ToLanesIFMA512 splits the eight numbers of in, four 64-bit words each, the lowest
			first and number after number, into an element of eight lanes, out.`,
		Source:    "a transposition.",
		Arguments: elementDoc,
		Aliasing:  "out does not overlap in.",
		Secret:    "in and out.",
	}, toLanes)

	function("P256FromLanesIFMA512", "func(out *[32]uint64, in *[40]uint64)", contract.Contract{
		Computes: `P256FromLanesIFMA512 sets out to the eight numbers of the element in: the inverse of
			P256ToLanesIFMA512.`,
		Source:    "a transposition.",
		Arguments: "The numbers must be below 2^256." + elementDoc,
		Aliasing:  "out does not overlap in.",
		Secret:    "in and out.",
	}, fromLanes)

	sumKernel()

	contract.Generate()
}
