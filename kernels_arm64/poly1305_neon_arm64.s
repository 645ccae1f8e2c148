//go:build !purego

#include "textflag.h"
#include "poly1305_arm64.h"

// The vector form takes 128 bytes at once, eight blocks M0 … M7, as
//
//	h = h r^8 + (M0, M1) r^6 + (M2, M3) r^4 + (M4, M5) r^2 + (M6, M7)
//
// in two lanes; in the end the message's value is r (r h[0] + h[1]). A number
// is five limbs of 26 bits. Products of limbs collect in five 64-bit sums for
// each lane, the part of limb i times limb j with i+j >= 5 having come back
// times five, since 2^130 = 5; carries run once for all four products.
//
//	V0–V4   limb k of r^2, r^4, r^6, r^8 in its four words
//	V5–V8   five times V1–V4
//	V9–V13  the sums
//	V14–V18 limb k of four blocks; the top bytes of V18 hold 2^128 of a block
//	V19–V22 the words of four blocks
//	V23–V25 the limbs of h, see NARROW (V23–V27, one each, for the h to begin with)
//	V28     2^26-1 in each word          V29 2^24 in each word
//	V30     2^26-1 in each doubleword    V31 5 in each word
//
// Bounds: limb 4 of a power of r is below 2^26.4, as its top may be 4 (see
// poly1305_arm64.h), every other below 2^26 + 2^10, and so is limb 1 of h; the
// limbs of h that begins, added to those of M0, are below 2^27. Five times a
// limb fits in 32 bits, and a sum is below 20 * 2^27 * 2^28.8 < 2^60.2. Sum 4 has
// no limb times five and is below 2^57.7, so its carry has 32 bits.
#define MASK V28
#define HIBIT V29
#define MASK64 V30
#define FIVE V31

DATA poly1305Constants<>+0x00(SB)/8, $0x03ffffff03ffffff
DATA poly1305Constants<>+0x08(SB)/8, $0x03ffffff03ffffff
DATA poly1305Constants<>+0x10(SB)/8, $0x0100000001000000
DATA poly1305Constants<>+0x18(SB)/8, $0x0100000001000000
DATA poly1305Constants<>+0x20(SB)/8, $0x0000000003ffffff
DATA poly1305Constants<>+0x28(SB)/8, $0x0000000003ffffff
DATA poly1305Constants<>+0x30(SB)/8, $0x0000000500000005
DATA poly1305Constants<>+0x38(SB)/8, $0x0000000500000005
GLOBL poly1305Constants<>(SB), RODATA|NOPTR, $64

// What the assembler does not know, registers by number:
//
//	UMULL  Vd.2D, Vn.2S, Vm.S[i]       UMLAL  Vd.2D, Vn.2S, Vm.S[i]
//	UMLAL2 Vd.2D, Vn.4S, Vm.S[i]       MUL    Vd.4S, Vn.4S, Vm.4S
//	SHRN   Vd.2S, Vn.2D, #26           XTN2   Vd.4S, Vn.2D
#define UMULL(i, m, n, d) WORD $(0x2f80a000 | ((i)&1)<<21 | ((i)>>1)<<11 | (m)<<16 | (n)<<5 | (d))
#define UMLAL(i, m, n, d) WORD $(0x2f802000 | ((i)&1)<<21 | ((i)>>1)<<11 | (m)<<16 | (n)<<5 | (d))
#define UMLAL2(i, m, n, d) WORD $(0x6f802000 | ((i)&1)<<21 | ((i)>>1)<<11 | (m)<<16 | (n)<<5 | (d))
#define MUL4S(m, n, d) WORD $(0x4ea09c00 | (m)<<16 | (n)<<5 | (d))
#define SHRN26(n, d) WORD $(0x0f268400 | (n)<<5 | (d))
#define XTN2(n, d) WORD $(0x4ea12800 | (n)<<5 | (d))

// MULTIPLY: the sums get the product of word i of V0–V8 with the number whose
// limb k is in register nk; the operation ok tells whether it takes the two low
// or the two high words, and whether it begins the sum.
#define MULTIPLY(i, o0, n0, o1, n1, o2, n2, o3, n3, o4, n4) \
	o0(i, 0, n0, 9) \
	o0(i, 1, n0, 10) \
	o0(i, 2, n0, 11) \
	o0(i, 3, n0, 12) \
	o0(i, 4, n0, 13) \
	o1(i, 8, n1, 9) \
	o1(i, 0, n1, 10) \
	o1(i, 1, n1, 11) \
	o1(i, 2, n1, 12) \
	o1(i, 3, n1, 13) \
	o2(i, 7, n2, 9) \
	o2(i, 8, n2, 10) \
	o2(i, 0, n2, 11) \
	o2(i, 1, n2, 12) \
	o2(i, 2, n2, 13) \
	o3(i, 6, n3, 9) \
	o3(i, 7, n3, 10) \
	o3(i, 8, n3, 11) \
	o3(i, 0, n3, 12) \
	o3(i, 1, n3, 13) \
	o4(i, 5, n4, 9) \
	o4(i, 6, n4, 10) \
	o4(i, 7, n4, 11) \
	o4(i, 8, n4, 12) \
	o4(i, 0, n4, 13)

// TIMES5: V5–V8 = 5 (V1–V4)
#define TIMES5 \
	MUL4S(31, 1, 5) \
	MUL4S(31, 2, 6) \
	MUL4S(31, 3, 7) \
	MUL4S(31, 4, 8)

// LOAD4: V14–V18 = the limbs of the four blocks at PPTR; PPTR += 64. V18 keeps
// its top bytes.
#define LOAD4 \
	VLD4.P 64(PPTR), [V19.S4, V20.S4, V21.S4, V22.S4] \
	VAND  MASK.B16, V19.B16, V14.B16 \
	VUSHR $26, V19.S4, V15.S4 \
	VUSHR $20, V20.S4, V16.S4 \
	VUSHR $14, V21.S4, V17.S4 \
	VSRI  $8, V22.S4, V18.S4 \
	VSLI  $6, V20.S4, V15.S4 \
	VSLI  $12, V21.S4, V16.S4 \
	VSLI  $18, V22.S4, V17.S4 \
	VAND  MASK.B16, V15.B16, V15.B16 \
	VAND  MASK.B16, V16.B16, V16.B16 \
	VAND  MASK.B16, V17.B16, V17.B16

// CARRY runs carries from sum 0 up to sum 4, from there times five to sum 0, and
// once more to sum 1, which takes 2^10 at most. The low 26 bits of sums 0 and 2–4,
// and all of sum 1, are the limbs then. V19 is a temporary.
#define CARRY \
	VUSRA $26, V9.D2, V10.D2 \
	VAND  MASK64.B16, V9.B16, V9.B16 \
	VUSRA $26, V10.D2, V11.D2 \
	VAND  MASK64.B16, V10.B16, V10.B16 \
	VUSRA $26, V11.D2, V12.D2 \
	VUSRA $26, V12.D2, V13.D2 \
	SHRN26(13, 19) \
	UMLAL(0, 31, 19, 9) \
	VUSRA $26, V9.D2, V10.D2

// NARROW: the limbs 0, 2, 1, 3 and 4 in the halves of V23, in V24, and in the
// halves of V25.
#define NARROW \
	VUZP1 V11.S4, V9.S4, V23.S4 \
	VUZP1 V10.S4, V10.S4, V24.S4 \
	VUZP1 V13.S4, V12.S4, V25.S4 \
	VAND  MASK.B16, V23.B16, V23.B16 \
	VAND  MASK.B16, V25.B16, V25.B16

// NARROW_POWERS: the two high words of V0–V4 = the limbs.
#define NARROW_POWERS \
	VAND  MASK64.B16, V9.B16, V9.B16 \
	VAND  MASK64.B16, V11.B16, V11.B16 \
	VAND  MASK64.B16, V12.B16, V12.B16 \
	VAND  MASK64.B16, V13.B16, V13.B16 \
	XTN2(9, 0) \
	XTN2(10, 1) \
	XTN2(11, 2) \
	XTN2(12, 3) \
	XTN2(13, 4)

// SPLIT: PA0, PT0, PT1, PB0, PB1 = the limbs of h0 + 2^64 h1 + 2^128 h2.
#define SPLIT(h0, h1, h2) \
	AND  $0x3ffffff, h0, PA0 \
	UBFX $26, h0, $26, PT0 \
	EXTR $52, h0, h1, PT1 \
	AND  $0x3ffffff, PT1, PT1 \
	UBFX $14, h1, $26, PB0 \
	LSR  $40, h1, PB1 \
	ADD  h2<<24, PB1, PB1

// POWER: word i of V0–V4 = the limbs of H.
#define POWER(i) \
	SPLIT(PH0, PH1, PH2) \
	VMOV PA0, V0.S[i] \
	VMOV PT0, V1.S[i] \
	VMOV PT1, V2.S[i] \
	VMOV PB0, V3.S[i] \
	VMOV PB1, V4.S[i]

// JOIN: (h0, h1, h2) = the number in lane i of the sums, once limbs 0 and 1 have
// been put together in V9, and 2 and 3 in V11. What V11 and V13 hold above 52 and
// 26 bits has been carried already.
#define JOIN(i, h0, h1, h2) \
	VMOV V9.D[i], h0 \
	VMOV V11.D[i], PT1 \
	VMOV V13.D[i], PB1 \
	ADDS PT1<<52, h0, h0 \
	UBFX $12, PT1, $40, PT0 \
	LSL  $40, PB1, PA1 \
	ADCS PA1, PT0, h1 \
	UBFX $24, PB1, $2, PB1 \
	ADC  ZR, PB1, h2

// polyBlocks absorbs the whole blocks of the R4 bytes at PPTR into H, and leaves
// R4 < 16 bytes at PPTR. R26 points to H in memory, or is 0 where a message
// begins, with H = 0. It changes the registers of Poly1305, R21–R23 and all
// vectors. From 512 bytes on it uses the vector form.
TEXT polyBlocks<>(SB), NOSPLIT|NOFRAME, $0
	CMP $512, R4
	BLO scalar

	MOVD $poly1305Constants<>(SB), PA0
	VLD1 (PA0), [MASK.B16, HIBIT.B16, MASK64.B16, FIVE.B16]

	// r^2, r^3 and r^4 in general registers, then r^6 and r^8 as (r^2, r^4) r^4
	POLY_SQUARE
	POWER(0)
	POLY_MUL
	POLY_MUL
	POWER(1)
	TIMES5
	MULTIPLY(1, UMULL, 0, UMLAL, 1, UMLAL, 2, UMLAL, 3, UMLAL, 4)
	CARRY
	NARROW_POWERS
	TIMES5

	// the first 128 bytes: the accumulator so far belongs to M0
	VMOV HIBIT.B16, V18.B16
	LOAD4
	VMOV V18.B16, V27.B16
	CBZ  R26, first
	LDP  0(R26), (R21, R22)
	MOVD 16(R26), R23
	SPLIT(R21, R22, R23)
	FMOVD PA0, F23
	FMOVD PT0, F24
	FMOVD PT1, F25
	FMOVD PB0, F26
	FMOVD PB1, F27
	VADD V23.S4, V14.S4, V14.S4
	VADD V24.S4, V15.S4, V15.S4
	VADD V25.S4, V16.S4, V16.S4
	VADD V26.S4, V17.S4, V17.S4
	VADD V18.S4, V27.S4, V27.S4

first:
	MULTIPLY(2, UMULL, 14, UMLAL, 15, UMLAL, 16, UMLAL, 17, UMLAL, 27)
	MULTIPLY(1, UMLAL2, 14, UMLAL2, 15, UMLAL2, 16, UMLAL2, 17, UMLAL2, 27)
	LOAD4
	MULTIPLY(0, UMLAL, 14, UMLAL, 15, UMLAL, 16, UMLAL, 17, UMLAL, 18)
	SUBS $256, R4, R4
	B    carry

vector:
	NARROW
	LOAD4
	MULTIPLY(2, UMULL, 14, UMLAL, 15, UMLAL, 16, UMLAL, 17, UMLAL, 18)
	MULTIPLY(1, UMLAL2, 14, UMLAL2, 15, UMLAL2, 16, UMLAL2, 17, UMLAL2, 18)
	LOAD4
	MULTIPLY(0, UMLAL, 14, UMLAL, 15, UMLAL, 16, UMLAL, 17, UMLAL, 18)
	MULTIPLY(3, UMLAL, 23, UMLAL, 24, UMLAL2, 23, UMLAL, 25, UMLAL2, 25)
	SUBS $128, R4, R4

carry:
	VUADDW2 V14.S4, V9.D2, V9.D2
	VUADDW2 V15.S4, V10.D2, V10.D2
	VUADDW2 V16.S4, V11.D2, V11.D2
	VUADDW2 V17.S4, V12.D2, V12.D2
	VUADDW2 V18.S4, V13.D2, V13.D2
	CARRY
	BHS vector

	// r (r h[0] + h[1]); the top is at most 4 + 4 + 1 in between
	VSLI $26, V10.D2, V9.D2
	VSLI $26, V12.D2, V11.D2
	JOIN(0, PH0, PH1, PH2)
	POLY_MUL
	JOIN(1, R21, R22, R23)
	ADDS R21, PH0, PH0
	ADCS R22, PH1, PH1
	ADC  R23, PH2, PH2
	POLY_MUL
	ADDS $128, R4, R4
	BEQ  done

scalar:
	SUBS $64, R4
	BLO  less

four:
	POLY_BLOCK
	POLY_BLOCK
	POLY_BLOCK
	POLY_BLOCK
	SUBS $64, R4
	BHS  four

less:
	AND $63, R4 // as R4 is now 64 less than what is left
	TBZ $5, R4, one
	POLY_BLOCK
	POLY_BLOCK

one:
	TBZ $4, R4, done
	POLY_BLOCK

done:
	AND $15, R4
	RET

// polyFinish absorbs the last R4 < 16 bytes at PPTR, with a one bit behind them,
// reduces H and gives PH0, PH1 = H + s mod 2^128 with s in (R24, R25).
TEXT polyFinish<>(SB), NOSPLIT|NOFRAME, $0
	CBZ R4, reduce
	LOAD_TAIL

	// 2^(8 R4) is a bit of PT0 for R4 < 8, of PT1 else: the shift counts mod 64.
	LSL  $3, R4, PA0
	LSL  PA0, PONE, PA0
	TST  $8, R4
	CSEL EQ, PA0, ZR, PA1
	CSEL NE, PA0, ZR, PA0
	ADD  PA1, PT0, PT0
	ADD  PA0, PT1, PT1
	ADDS PT0, PH0, PH0
	ADCS PT1, PH1, PH1
	ADC  ZR, PH2, PH2
	POLY_MUL

reduce:
	POLY_REDUCE
	ADDS R24, PH0, PH0
	ADC  R25, PH1, PH1
	RET

// func Poly1305SumNEON(out *[16]byte, m *byte, n int, key *[32]byte)
TEXT ·Poly1305SumNEON(SB), NOSPLIT, $0-32
	MOVD m+8(FP), PPTR
	MOVD n+16(FP), R4
	MOVD key+24(FP), R11
	LDP  0(R11), (PR0, PR1)
	LDP  16(R11), (R24, R25)
	POLY_CLAMP
	MOVD ZR, PH0
	MOVD ZR, PH1
	MOVD ZR, PH2
	MOVD $1, PONE
	MOVD ZR, R26
	CALL polyBlocks<>(SB)
	CALL polyFinish<>(SB)
	MOVD out+0(FP), R11
	STP  (PH0, PH1), (R11)
	RET

// func Poly1305UpdateNEON(st *[7]uint64, m *byte, n int)
TEXT ·Poly1305UpdateNEON(SB), NOSPLIT, $0-24
	MOVD st+0(FP), R26
	MOVD m+8(FP), PPTR
	MOVD n+16(FP), R4
	LDP  0(R26), (PH0, PH1)
	LDP  16(R26), (PH2, PR0)
	MOVD 32(R26), PR1
	ADD  PR1>>2, PR1, PS1
	MOVD $1, PONE
	CALL polyBlocks<>(SB)
	STP  (PH0, PH1), 0(R26)
	MOVD PH2, 16(R26)
	RET

// func Poly1305FinishNEON(out *[16]byte, st *[7]uint64, tail *byte, n int)
TEXT ·Poly1305FinishNEON(SB), NOSPLIT, $0-32
	MOVD st+8(FP), R26
	MOVD tail+16(FP), PPTR
	MOVD n+24(FP), R4
	LDP  0(R26), (PH0, PH1)
	LDP  16(R26), (PH2, PR0)
	LDP  32(R26), (PR1, R24)
	MOVD 48(R26), R25
	ADD  PR1>>2, PR1, PS1
	MOVD $1, PONE
	CALL polyFinish<>(SB)
	MOVD out+0(FP), R11
	STP  (PH0, PH1), (R11)
	RET
