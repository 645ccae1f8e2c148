//go:build !purego

#include "textflag.h"
#include "poly1305_arm64.h"
#include "chacha_arm64.h"

// The quarter round's steps with SVE2's XAR, which does the exclusive or and the
// rotation at once, in place. It works on registers Z, whose low 128 bits are the
// vectors V; what longer registers hold above does not matter, as vector
// instructions clear it, so the code fits every vector length.
//
// Processors with four vector pipes have XAR on one of them. So three of four
// rotations by 16 stay an exclusive or and a swap of halfwords: 52 XAR in a double
// round of eight blocks, 140 instructions instead of 224.

// XAR Zn.S, Zn.S, Zm.S, #r rotates to the right by r; registers by number.
#define XAR(r, m, n) WORD $(0x04603400 | (((64-(r))>>3)&3)<<19 | ((64-(r))&7)<<16 | (m)<<5 | (n))

#define STEP_D16_4(a0, b0, d0, a1, b1, d1, a2, b2, d2, a3, b3, d3, A0, D0, A1, D1, A2, D2, A3, D3) \
	VADD   b0.S4, a0.S4, a0.S4 \
	VADD   b1.S4, a1.S4, a1.S4 \
	VADD   b2.S4, a2.S4, a2.S4 \
	VADD   b3.S4, a3.S4, a3.S4 \
	XAR(16, A0, D0) \
	VEOR   a1.B16, d1.B16, d1.B16 \
	VEOR   a2.B16, d2.B16, d2.B16 \
	VEOR   a3.B16, d3.B16, d3.B16 \
	VREV32 d1.H8, d1.H8 \
	VREV32 d2.H8, d2.H8 \
	VREV32 d3.H8, d3.H8

// STEP_4: x += y; z = z xor x, rotated to the right by r.
#define STEP_4(r, x0, y0, x1, y1, x2, y2, x3, y3, X0, Z0, X1, Z1, X2, Z2, X3, Z3) \
	VADD y0.S4, x0.S4, x0.S4 \
	VADD y1.S4, x1.S4, x1.S4 \
	VADD y2.S4, x2.S4, x2.S4 \
	VADD y3.S4, x3.S4, x3.S4 \
	XAR(r, X0, Z0) \
	XAR(r, X1, Z1) \
	XAR(r, X2, Z2) \
	XAR(r, X3, Z3)

#define STEP_D8_4(a0, b0, d0, a1, b1, d1, a2, b2, d2, a3, b3, d3, A0, D0, A1, D1, A2, D2, A3, D3) \
	STEP_4(24, a0, b0, a1, b1, a2, b2, a3, b3, A0, D0, A1, D1, A2, D2, A3, D3)

#define STEP_B12_4(b0, c0, d0, b1, c1, d1, b2, c2, d2, b3, c3, d3, B0, C0, B1, C1, B2, C2, B3, C3) \
	STEP_4(20, c0, d0, c1, d1, c2, d2, c3, d3, C0, B0, C1, B1, C2, B2, C3, B3)

#define STEP_B7_4(b0, c0, d0, b1, c1, d1, b2, c2, d2, b3, c3, d3, B0, C0, B1, C1, B2, C2, B3, C3) \
	STEP_4(25, c0, d0, c1, d1, c2, d2, c3, d3, C0, B0, C1, B1, C2, B2, C3, B3)

#define XOR_ROT16_2(a0, d0, a1, d1, A0, D0, A1, D1) \
	XAR(16, A0, D0) \
	XAR(16, A1, D1)

#define STEP_D16_2(a0, b0, d0, a1, b1, d1, A0, D0, A1, D1) \
	STEP_2(16, a0, b0, a1, b1, A0, D0, A1, D1)

#define STEP_2(r, x0, y0, x1, y1, X0, Z0, X1, Z1) \
	VADD y0.S4, x0.S4, x0.S4 \
	VADD y1.S4, x1.S4, x1.S4 \
	XAR(r, X0, Z0) \
	XAR(r, X1, Z1)

#define STEP_D8_2(a0, b0, d0, a1, b1, d1, A0, D0, A1, D1) \
	STEP_2(24, a0, b0, a1, b1, A0, D0, A1, D1)

#define STEP_B12_2(b0, c0, d0, b1, c1, d1, B0, C0, B1, C1) \
	STEP_2(20, c0, d0, c1, d1, C0, B0, C1, B1)

#define STEP_B7_2(b0, c0, d0, b1, c1, d1, B0, C0, B1, C1) \
	STEP_2(25, c0, d0, c1, d1, C0, B0, C1, B1)

#define LOAD_ROT8 NOTHING

// Nothing else needs V30 and V31.
#define WORD10 V30
#define WORD10_N 30
#define WORD11 V31
#define WORD11_N 31
#define HIGH_BEGIN FLDPQ -96(R24), (F30, F31)
#define HIGH_END FSTPQ (F30, F31), SPILL_HIGH(SCRATCH)
#define HIGH_FOR_LOW NOTHING
#define LOW_FOR_HIGH NOTHING

#define SEAL_OPEN ·ChaCha20Poly1305SVE2
#include "chacha20poly1305_arm64.h"
