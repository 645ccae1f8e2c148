//go:build !purego

#include "textflag.h"

// Inversion by division steps: Bernstein and Yang, "Fast constant-time gcd
// computation and modular inversion", 2019, with δ starting at 1/2, for which 590
// steps suffice below 2^256 (Wuille, 2021). ζ stands for −(δ + 1/2). A step is
//
//	if ζ < 0 and g odd: ζ, f, g = −ζ−2, g, (g−f)/2
//	otherwise:          ζ, f, g = ζ−1, f, (g + (g mod 2)·f)/2
//
// Twenty steps depend on twenty low bits of f and g only, so f and the row of the
// transition matrix that leads to it share a register, likewise g:
//
//	F = f + 2^21·u + 2^42·v, at the start u = −2^20, v = 0
//	G = g + 2^21·q + 2^42·r, at the start q = 0, r = −2^20
//
// A step is linear in F and G, and halving is exact. After twenty steps |f|, |g| <
// 2^20, and (−u, −v; −q, −r) is the matrix times 2^20. The matrix has no entry of
// −2^20, so u and q are in [−2^20, 2^20), and rounding separates the parts. Three
// rounds make a batch of sixty steps, ten batches 600.
//
// Between batches f, g, d, e are on the stack, 5 limbs each, in two's complement:
// d·x ≡ f·w and e·x ≡ g·w modulo m, but for a power of two, as a batch divides f and
// g by 2^60, d and e by 2^64. d and e stay between −m/15 and 16m/15, since the
// absolute values of a row of the matrix sum to 2^60 at most.
#define FAT 16
#define GAT 64
#define DAT 112
#define EAT 160

// The matrix of a batch, times 2^60: absolute value and sign of each entry; for each
// row the correction that makes −x of the complement of x, and the batches left.
#define MAT 208
#define CORRECTION 272
#define BATCHES 288

#define ZETA R1
#define C R2

// STEP sets the registers for f, g and ζ after one step. The flag Z says that g is
// even, before and after. Where it is odd the comparison decides; where it is even
// the flag N is made 0.
#define STEP \
	CSEL NE, R5, ZR, R7 \
	CCMP NE, ZETA, $0, $0 \
	CNEG MI, R7, R7 \
	CINV MI, ZETA, ZETA \
	CSEL MI, R6, R5, R5 \
	ADD  R7, R6, R6 \
	SUB  $1, ZETA, ZETA \
	TST  $2, R6 \
	ASR  $1, R6, R6

#define STEP5 STEP STEP STEP STEP STEP

// ROUND does twenty steps on the low words R3 and R4 of f and g, and leaves the
// negated matrix, times 2^20, in R8–R11. R21 is 2^41, R22 2^62. Clobbers R5–R7, R23.
#define ROUND \
	AND  $0xfffff, R3, R5 \
	SUB  R21, R5, R5 \
	AND  $0xfffff, R4, R6 \
	SUB  R22, R6, R6 \
	TST  $1, R6 \
	STEP5 STEP5 STEP5 STEP5 \
	ADD  $0x100000, R5, R5 \
	SBFX $21, R5, $21, R8 \
	ADD  R21, R5, R5 \
	ASR  $42, R5, R9 \
	ADD  $0x100000, R6, R6 \
	SBFX $21, R6, $21, R10 \
	ADD  R21, R6, R6 \
	ASR  $42, R6, R11

// LOWWORDS brings R3 and R4 to after the round that left R8–R11.
#define LOWWORDS \
	MNEG R8, R3, R23 \
	MSUB R9, R23, R4, R23 \
	MNEG R10, R3, R3 \
	MSUB R11, R3, R4, R4 \
	ASR  $20, R23, R3 \
	ASR  $20, R4, R4

// SIGN stores the absolute value of a and its sign, 0 or −1, at MAT+off, and puts in
// s what the entry adds to the row's correction.
#define SIGN(a, s, off) \
	ASR $63, a, s \
	EOR s, a, a \
	SUB s, a, a \
	STP (a, s), (MAT+off)(RSP) \
	AND a, s, s

// ROW: R13–R17 = the row of the matrix at MAT+off times (x, y), x in R3–R7, y in
// R8–R12, in two's complement. Clobbers R19–R26.
#define ROW(off, corr) \
	LDP   (MAT+off)(RSP), (R25, R26) \
	EOR   R26, R3, R23 \
	MUL   R25, R23, R13 \
	UMULH R25, R23, R19 \
	EOR   R26, R4, R23 \
	MUL   R25, R23, R14 \
	UMULH R25, R23, R20 \
	EOR   R26, R5, R23 \
	MUL   R25, R23, R15 \
	UMULH R25, R23, R21 \
	EOR   R26, R6, R23 \
	MUL   R25, R23, R16 \
	UMULH R25, R23, R22 \
	EOR   R26, R7, R23 \
	MUL   R25, R23, R17 \
	MOVD  (CORRECTION+corr)(RSP), R24 \
	LDP   (MAT+16+off)(RSP), (R25, R26) \
	ADDS  R24, R13, R13 \
	ADCS  R19, R14, R14 \
	ADCS  R20, R15, R15 \
	ADCS  R21, R16, R16 \
	ADC   R22, R17, R17 \
	EOR   R26, R8, R23 \
	MUL   R25, R23, R24 \
	UMULH R25, R23, R19 \
	ADDS  R24, R13, R13 \
	EOR   R26, R9, R23 \
	MUL   R25, R23, R24 \
	UMULH R25, R23, R20 \
	ADCS  R24, R14, R14 \
	EOR   R26, R10, R23 \
	MUL   R25, R23, R24 \
	UMULH R25, R23, R21 \
	ADCS  R24, R15, R15 \
	EOR   R26, R11, R23 \
	MUL   R25, R23, R24 \
	UMULH R25, R23, R22 \
	ADCS  R24, R16, R16 \
	EOR   R26, R12, R23 \
	MUL   R25, R23, R24 \
	ADC   R24, R17, R17 \
	ADDS  R19, R14, R14 \
	ADCS  R20, R15, R15 \
	ADCS  R21, R16, R16 \
	ADC   R22, R17, R17

// SHIFT stores R13–R17, divided by 2^60, at off.
#define SHIFT(off) \
	EXTR $60, R13, R14, R13 \
	EXTR $60, R14, R15, R14 \
	EXTR $60, R15, R16, R15 \
	EXTR $60, R16, R17, R16 \
	ASR  $60, R17, R17 \
	STP  (R13, R14), (off)(RSP) \
	STP  (R15, R16), (16+off)(RSP) \
	MOVD R17, (32+off)(RSP)

// DIVIDE stores R13–R17, divided by 2^64 modulo m, at off: a multiple of m clears the
// lowest limb, which carries if it was not 0. Clobbers R0, R19–R26.
#define DIVIDE(off) \
	MOVD  32(C), R24 \
	MUL   R24, R13, R23 \
	LDP   (C), (R25, R26) \
	UMULH R25, R23, R19 \
	MUL   R26, R23, R24 \
	UMULH R26, R23, R20 \
	ASR   $63, R17, R0 \
	LDP   16(C), (R25, R26) \
	CMP   $1, R13 \
	ADCS  R24, R14, R14 \
	MUL   R25, R23, R24 \
	UMULH R25, R23, R21 \
	ADCS  R24, R15, R15 \
	MUL   R26, R23, R24 \
	UMULH R26, R23, R22 \
	ADCS  R24, R16, R16 \
	ADCS  ZR, R17, R17 \
	ADC   ZR, R0, R0 \
	ADDS  R19, R14, R14 \
	ADCS  R20, R15, R15 \
	ADCS  R21, R16, R16 \
	ADCS  R22, R17, R17 \
	ADC   ZR, R0, R0 \
	STP   (R14, R15), (off)(RSP) \
	STP   (R16, R17), (16+off)(RSP) \
	MOVD  R0, (32+off)(RSP)

// LOAD5 loads x from xat and y from yat.
#define LOAD5(xat, yat) \
	LDP  (xat)(RSP), (R3, R4) \
	LDP  (16+xat)(RSP), (R5, R6) \
	MOVD (32+xat)(RSP), R7 \
	LDP  (yat)(RSP), (R8, R9) \
	LDP  (16+yat)(RSP), (R10, R11) \
	MOVD (32+yat)(RSP), R12

// ADDIFNEGATIVE adds m, which is in R19–R22, to R13–R17 if that is negative.
// Clobbers R23–R26, R0.
#define ADDIFNEGATIVE \
	ASR  $63, R17, R0 \
	AND  R0, R19, R23 \
	AND  R0, R20, R24 \
	AND  R0, R21, R25 \
	AND  R0, R22, R26 \
	ADDS R23, R13, R13 \
	ADCS R24, R14, R14 \
	ADCS R25, R15, R15 \
	ADCS R26, R16, R16 \
	ADC  ZR, R17, R17

// func P256InverseNEON(z, x *[4]uint64, c *[9]uint64)
TEXT ·P256InverseNEON(SB), 0, $296-24
	MOVD x+8(FP), R0
	MOVD c+16(FP), C
	LDP  (C), (R3, R4)
	LDP  16(C), (R5, R6)
	STP  (R3, R4), FAT(RSP)
	STP  (R5, R6), (FAT+16)(RSP)
	LDP  (R0), (R3, R4)
	LDP  16(R0), (R5, R6)
	STP  (R3, R4), GAT(RSP)
	STP  (R5, R6), (GAT+16)(RSP)
	STP  (ZR, ZR), DAT(RSP)
	STP  (ZR, ZR), (DAT+16)(RSP)
	MOVD 40(C), R3
	MOVD 48(C), R4
	MOVD 56(C), R5
	MOVD 64(C), R6
	STP  (R3, R4), EAT(RSP)
	STP  (R5, R6), (EAT+16)(RSP)
	MOVD ZR, (FAT+32)(RSP)
	MOVD ZR, (GAT+32)(RSP)
	MOVD ZR, (DAT+32)(RSP)
	MOVD ZR, (EAT+32)(RSP)
	MOVD $-1, ZETA
	MOVD $10, R3
	MOVD R3, BATCHES(RSP)

batch:
	MOVD FAT(RSP), R3
	MOVD GAT(RSP), R4
	MOVD $(1<<41), R21
	MOVD $(1<<62), R22
	ROUND
	LOWWORDS
	MOVD R8, R12
	MOVD R9, R13
	MOVD R10, R14
	MOVD R11, R15
	ROUND
	LOWWORDS
	MUL  R8, R12, R16
	MUL  R8, R13, R17
	MUL  R10, R12, R19
	MUL  R10, R13, R20
	MADD R9, R16, R14, R12
	MADD R9, R17, R15, R13
	MADD R11, R19, R14, R14
	MADD R11, R20, R15, R15
	ROUND
	// All three matrices are negated.
	MNEG R8, R12, R16
	MNEG R8, R13, R17
	MNEG R10, R12, R19
	MNEG R10, R13, R20
	MSUB R9, R16, R14, R12
	MSUB R9, R17, R15, R13
	MSUB R11, R19, R14, R14
	MSUB R11, R20, R15, R15
	SIGN(R12, R16, 0)
	SIGN(R13, R17, 16)
	SIGN(R14, R19, 32)
	SIGN(R15, R20, 48)
	ADD  R17, R16, R16
	ADD  R20, R19, R19
	STP  (R16, R19), CORRECTION(RSP)

	LOAD5(FAT, GAT)
	ROW(0, 0)
	SHIFT(FAT)
	ROW(32, 8)
	SHIFT(GAT)
	LOAD5(DAT, EAT)
	ROW(0, 0)
	DIVIDE(DAT)
	ROW(32, 8)
	DIVIDE(EAT)
	MOVD BATCHES(RSP), R3
	SUBS $1, R3, R3
	MOVD R3, BATCHES(RSP)
	BNE  batch

	// g is 0 and f is 1 or −1 (±m for x = 0, where d is 0). Negate d if f is
	// negative, and bring it into [0, m).
	MOVD (FAT+32)(RSP), R3
	ASR  $63, R3, R3
	LDP  DAT(RSP), (R13, R14)
	LDP  (DAT+16)(RSP), (R15, R16)
	MOVD (DAT+32)(RSP), R17
	EOR  R3, R13, R13
	EOR  R3, R14, R14
	EOR  R3, R15, R15
	EOR  R3, R16, R16
	EOR  R3, R17, R17
	SUBS R3, R13, R13
	SBCS R3, R14, R14
	SBCS R3, R15, R15
	SBCS R3, R16, R16
	SBC  R3, R17, R17
	LDP  (C), (R19, R20)
	LDP  16(C), (R21, R22)
	ADDIFNEGATIVE
	ADDIFNEGATIVE
	SUBS R19, R13, R13
	SBCS R20, R14, R14
	SBCS R21, R15, R15
	SBCS R22, R16, R16
	SBC  ZR, R17, R17
	ADDIFNEGATIVE
	MOVD z+0(FP), R0
	STP  (R13, R14), (R0)
	STP  (R15, R16), 16(R0)

	// Wipe the stack.
	STP  (ZR, ZR), 16(RSP)
	STP  (ZR, ZR), 32(RSP)
	STP  (ZR, ZR), 48(RSP)
	STP  (ZR, ZR), 64(RSP)
	STP  (ZR, ZR), 80(RSP)
	STP  (ZR, ZR), 96(RSP)
	STP  (ZR, ZR), 112(RSP)
	STP  (ZR, ZR), 128(RSP)
	STP  (ZR, ZR), 144(RSP)
	STP  (ZR, ZR), 160(RSP)
	STP  (ZR, ZR), 176(RSP)
	STP  (ZR, ZR), 192(RSP)
	STP  (ZR, ZR), 208(RSP)
	STP  (ZR, ZR), 224(RSP)
	STP  (ZR, ZR), 240(RSP)
	STP  (ZR, ZR), 256(RSP)
	STP  (ZR, ZR), 272(RSP)
	MOVD ZR, BATCHES(RSP)
	RET
