package cc

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// Few absorbs a message of at most 32 blocks that lies in registers at once: with
// n blocks, block i counts m_i r^(n-i). There is no chain of products, and all
// that depends on the key is ready before the message is.
//
// The powers lie in lines of eight, r^8 to r^1, r^16 to r^9 and so on. Lane by lane
// those for the blocks 8j to 8j+7 are eight in a row that spans two lines; behind r^1
// come zeros, so that a block that is not there counts zero times.

// FewTables makes a table at Base for each eight blocks, where n blocks of at most
// 8*eights are there, and more than 8*(eights-1) unless that is one. The eight
// registers x and the powers in line are clobbered.
func (v *IFMA) FewTables(eights int, n GPPhysical, order Mem, x [8]VecPhysical) {
	lines := [][3]VecPhysical{line, {x[0], x[1], x[2]}, {x[3], x[4], x[5]}, {x[6], x[7], lo[2]}}[:eights]
	multiply := func(from, to int, by [5]VecPhysical) {
		Emit(v.clear())
		Emit(v.productBy(lines[from], [5]Op{by[0], by[1], by[2], by[3], by[4]}))
		Emit(v.carryTo(lines[to]))
	}
	// first sets x to the first power of a line; t is clobbered.
	first := func(line int, x [5]VecPhysical, t VecPhysical) {
		for i := range 3 {
			VPBROADCASTQ(lines[line][i].AsX(), x[i])
		}
		for i := 1; i < 3; i++ {
			times20(x[i], x[2+i], t)
		}
	}
	if eights > 1 {
		by := [5]VecPhysical(x[3:]) // r^8
		if eights == 3 {
			by = tmp
		}
		first(0, by, hi[0])
		multiply(0, 1, by)
		if eights == 3 {
			multiply(1, 2, by)
		}
	}
	if eights == 4 {
		first(1, tmp, hi[0]) // r^16
		multiply(0, 2, tmp)
		multiply(1, 3, tmp)
	}
	// Place 8*eights-n of the lines is r^n.
	index, zero := lo[0], lo[1]
	NEGQ(n)
	ADDQ(Imm(uint64(8*eights)), n)
	VPBROADCASTQ(n, index)
	VPADDQ(order, index, index)
	VPXORQ(zero, zero, zero)
	for j := range eights {
		for i := range 3 {
			behind := zero
			if j < eights-1 {
				behind = lines[eights-2-j][i]
			}
			VMOVDQA64(index, tmp[i])
			VPERMI2Q(behind, lines[eights-1-j][i], tmp[i])
		}
		v.storeTable(fewTable(j), [3]VecPhysical{tmp[0], tmp[1], tmp[2]})
	}
}

// fewTable is where the table for eight blocks lies.
func fewTable(j int) int { return 320 * j }

// Inject puts h, 44-bit limbs, in place to be added to block 0.
func (v *IFMA) Inject(h [3]GPPhysical) {
	for i := range 3 {
		VMOVQ(h[i], acc[i].AsX())
	}
}

// Few sets h to what Inject took and the blocks in m, four a register, absorbed.
// t are clobbered.
func (v *IFMA) Few(m []VecPhysical, h [3]GPPhysical, t [2]GPPhysical) {
	Emit(v.clear())
	for j := range len(m) / 2 {
		Emit(v.splitVectors(m[2*j], m[2*j+1], 0, false))
		if j == 0 {
			for i := range 3 {
				VPADDQ(acc[i], tmp[i], tmp[i])
			}
		}
		Emit(v.product([3]VecPhysical{tmp[0], tmp[1], tmp[2]}, fewTable(j)))
	}
	v.sum(h, t)
}

// Injected is the inverse of Inject, for a message without a block.
func (v *IFMA) Injected(h [3]GPPhysical, t [2]GPPhysical) {
	Emit(v.clear())
	for i := range 3 {
		VMOVDQA64(acc[i], lo[i])
	}
	v.sum(h, t)
}
