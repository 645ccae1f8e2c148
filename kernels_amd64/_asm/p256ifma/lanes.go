package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// The permutations of a 4 by 8 transposition: words 0 and 1, and 2 and 3, of each
// group of four words in two vectors.
var transposeLow, transposeHigh Mem

func declareIndices() {
	words := func(name string, v ...uint64) Mem {
		m := GLOBL(name, RODATA|NOPTR)
		for i, x := range v {
			DATA(8*i, U64(x))
		}
		return m
	}
	transposeLow = words("p256transposelow", 0, 4, 8, 12, 1, 5, 9, 13)
	transposeHigh = words("p256transposehigh", 2, 6, 10, 14, 3, 7, 11, 15)
}

// toLanes transposes eight rows of four words, two rows a vector, into four
// vectors of words, and cuts these into limbs.
func toLanes() {
	out, in := argument("out", RDI), argument("in", RSI)
	rows := []VecPhysical{Z0, Z1, Z2, Z3}
	for i, z := range rows {
		VMOVDQU64(in.Offset(64*i), z)
	}
	// Words 0 and 1, then 2 and 3, of rows 0–3 and of rows 4–7.
	for i, index := range []Mem{transposeLow, transposeHigh} {
		a, b := []VecPhysical{Z4, Z6}[i], []VecPhysical{Z5, Z7}[i]
		VMOVDQU64(index, a)
		VMOVDQA64(a, b)
		VPERMI2Q(Z1, Z0, a)
		VPERMI2Q(Z3, Z2, b)
	}
	w := []VecPhysical{Z8, Z9, Z10, Z11}
	for i, pair := range [][2]VecPhysical{{Z4, Z5}, {Z6, Z7}} {
		VSHUFI64X2(U8(0x44), pair[1], pair[0], w[2*i])
		VSHUFI64X2(U8(0xee), pair[1], pair[0], w[2*i+1])
	}
	// Limb i starts at bit 52·i: in word i−1 (i > 0), at bit 64 − 12·i.
	VPANDQ(zMask52, w[0], Z12)
	VMOVDQU64(Z12, out)
	for i := 1; i < limbs; i++ {
		VPSRLQ(U8(64-12*i), w[i-1], Z12)
		if i < limbs-1 {
			VPSLLQ(U8(12*i), w[i], Z13)
			VPORQ(Z13, Z12, Z12)
			VPANDQ(zMask52, Z12, Z12)
		}
		VMOVDQU64(Z12, out.Offset(64*i))
	}
}

func fromLanes() {
	out, in := argument("out", RDI), argument("in", RSI)
	w := []VecPhysical{Z8, Z9, Z10, Z11}
	for i := range limbs - 1 {
		VMOVDQU64(in.Offset(64*i), Z12)
		VMOVDQU64(in.Offset(64*(i+1)), Z13)
		if i > 0 {
			VPSRLQ(U8(12*i), Z12, Z12)
		}
		VPSLLQ(U8(52-12*i), Z13, Z13)
		VPORQ(Z13, Z12, w[i])
	}
	// The transposition of toLanes, backwards: words of rows 0–3, then of 4–7.
	for i := range 2 {
		VSHUFI64X2(U8(0x44), w[2*i+1], w[2*i], []VecPhysical{Z4, Z6}[i])
		VSHUFI64X2(U8(0xee), w[2*i+1], w[2*i], []VecPhysical{Z5, Z7}[i])
	}
	// Z4, Z6: words 0, 1 and 2, 3 of rows 0–3; Z5, Z7 of rows 4–7.
	for i, pair := range [][2]VecPhysical{{Z4, Z6}, {Z5, Z7}} {
		for j, index := range []Mem{transposeLow, transposeHigh} {
			VMOVDQU64(index, Z12)
			VPERMI2Q(pair[1], pair[0], Z12)
			VMOVDQU64(Z12, out.Offset(64*(2*i+j)))
		}
	}
}
