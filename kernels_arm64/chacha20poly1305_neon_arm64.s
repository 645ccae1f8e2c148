//go:build !purego

#include "textflag.h"
#include "poly1305_arm64.h"
#include "chacha_arm64.h"

// The quarter round's steps. A rotation by 16 swaps halfwords, one by 8 is a
// table lookup, and the others are a shift and a shift with insertion. V30 is
// the only temporary: renaming makes as many of it as the processor likes.
#define ROT8 V31

#define WORD10 V24
#define WORD10_N 24
#define WORD11 V25
#define WORD11_N 25
#define HIGH_BEGIN FSTPQ (F10, F11), SPILL_HIGH(SCRATCH)
#define HIGH_END NOTHING
#define HIGH_FOR_LOW \
	FSTPQ (F24, F25), SPILL_LOW(SCRATCH) \
	FLDPQ SPILL_HIGH(SCRATCH), (F24, F25)
#define LOW_FOR_HIGH \
	FSTPQ (F24, F25), SPILL_HIGH(SCRATCH) \
	FLDPQ SPILL_LOW(SCRATCH), (F24, F25)

#define ADD_XOR(a, b, d) \
	VADD b.S4, a.S4, a.S4 \
	VEOR a.B16, d.B16, d.B16

#define XOR_ROT(l, r, b, c) \
	VEOR c.B16, b.B16, V30.B16 \
	VSHL $l, V30.S4, b.S4 \
	VSRI $r, V30.S4, b.S4

#define STEP_D16_4(a0, b0, d0, a1, b1, d1, a2, b2, d2, a3, b3, d3, A0, D0, A1, D1, A2, D2, A3, D3) \
	VADD   b0.S4, a0.S4, a0.S4 \
	VADD   b1.S4, a1.S4, a1.S4 \
	VADD   b2.S4, a2.S4, a2.S4 \
	VADD   b3.S4, a3.S4, a3.S4 \
	VEOR   a0.B16, d0.B16, d0.B16 \
	VEOR   a1.B16, d1.B16, d1.B16 \
	VEOR   a2.B16, d2.B16, d2.B16 \
	VEOR   a3.B16, d3.B16, d3.B16 \
	VREV32 d0.H8, d0.H8 \
	VREV32 d1.H8, d1.H8 \
	VREV32 d2.H8, d2.H8 \
	VREV32 d3.H8, d3.H8

#define STEP_D8_4(a0, b0, d0, a1, b1, d1, a2, b2, d2, a3, b3, d3, A0, D0, A1, D1, A2, D2, A3, D3) \
	VADD b0.S4, a0.S4, a0.S4 \
	VADD b1.S4, a1.S4, a1.S4 \
	VADD b2.S4, a2.S4, a2.S4 \
	VADD b3.S4, a3.S4, a3.S4 \
	VEOR a0.B16, d0.B16, d0.B16 \
	VEOR a1.B16, d1.B16, d1.B16 \
	VEOR a2.B16, d2.B16, d2.B16 \
	VEOR a3.B16, d3.B16, d3.B16 \
	VTBL ROT8.B16, [d0.B16], d0.B16 \
	VTBL ROT8.B16, [d1.B16], d1.B16 \
	VTBL ROT8.B16, [d2.B16], d2.B16 \
	VTBL ROT8.B16, [d3.B16], d3.B16

#define STEP_B_4(l, r, b0, c0, d0, b1, c1, d1, b2, c2, d2, b3, c3, d3) \
	VADD d0.S4, c0.S4, c0.S4 \
	VADD d1.S4, c1.S4, c1.S4 \
	VADD d2.S4, c2.S4, c2.S4 \
	VADD d3.S4, c3.S4, c3.S4 \
	XOR_ROT(l, r, b0, c0) \
	XOR_ROT(l, r, b1, c1) \
	XOR_ROT(l, r, b2, c2) \
	XOR_ROT(l, r, b3, c3)

#define STEP_B12_4(b0, c0, d0, b1, c1, d1, b2, c2, d2, b3, c3, d3, B0, C0, B1, C1, B2, C2, B3, C3) \
	STEP_B_4(12, 20, b0, c0, d0, b1, c1, d1, b2, c2, d2, b3, c3, d3)

#define STEP_B7_4(b0, c0, d0, b1, c1, d1, b2, c2, d2, b3, c3, d3, B0, C0, B1, C1, B2, C2, B3, C3) \
	STEP_B_4(7, 25, b0, c0, d0, b1, c1, d1, b2, c2, d2, b3, c3, d3)

#define STEP_D16_2(a0, b0, d0, a1, b1, d1, A0, D0, A1, D1) \
	ADD_XOR(a0, b0, d0) \
	ADD_XOR(a1, b1, d1) \
	VREV32 d0.H8, d0.H8 \
	VREV32 d1.H8, d1.H8

#define STEP_D8_2(a0, b0, d0, a1, b1, d1, A0, D0, A1, D1) \
	ADD_XOR(a0, b0, d0) \
	ADD_XOR(a1, b1, d1) \
	VTBL ROT8.B16, [d0.B16], d0.B16 \
	VTBL ROT8.B16, [d1.B16], d1.B16

#define STEP_B_2(l, r, b0, c0, d0, b1, c1, d1) \
	VADD d0.S4, c0.S4, c0.S4 \
	VADD d1.S4, c1.S4, c1.S4 \
	XOR_ROT(l, r, b0, c0) \
	XOR_ROT(l, r, b1, c1)

#define XOR_ROT16_2(a0, d0, a1, d1, A0, D0, A1, D1) \
	VEOR   a0.B16, d0.B16, d0.B16 \
	VEOR   a1.B16, d1.B16, d1.B16 \
	VREV32 d0.H8, d0.H8 \
	VREV32 d1.H8, d1.H8

#define STEP_B12_2(b0, c0, d0, b1, c1, d1, B0, C0, B1, C1) STEP_B_2(12, 20, b0, c0, d0, b1, c1, d1)
#define STEP_B7_2(b0, c0, d0, b1, c1, d1, B0, C0, B1, C1) STEP_B_2(7, 25, b0, c0, d0, b1, c1, d1)

#define LOAD_ROT8 \
	MOVD $chachaConstants<>+32(SB), PA0 \
	VLD1 (PA0), [ROT8.B16]

#define SEAL_OPEN ·ChaCha20Poly1305NEON
#include "chacha20poly1305_arm64.h"
