//go:build !purego

#include "textflag.h"
#include "poly1305_arm64.h"

// The vector form takes 128 bytes at once, eight blocks M0 … M7, as
//
//	h = h r^8 + (M0, M1) r^6 + (M2, M3) r^4 + (M4, M5) r^2 + (M6, M7)
//
// in two lanes; in the end the message's value is r (r h[0] + h[1]). h and the
// powers of r are five limbs of 26 bits, and products collect in five 64-bit sums
// for each lane. A block stays four words w of 32 bits, which need no splitting:
// word j is multiplied by the limbs of r^k 2^(32j) mod 2^130-5, from a table, and
// where there is no power, by 2^(32j) as 2^(6j) in limb j. So a pair of blocks
// takes 20 products. What the 2^128 of the blocks give is the same in each
// step: the sums begin with it. The part of limb i of h times limb j of r^8 with
// i+j >= 5 comes back times five, since 2^130 = 5.
//
//	V0–V4    limb k of r^2, r^4, r^6 and r^8 in the four words
//	V5–V9    limb k of r^2, r^4 and r^6 times 2^32; word 3 of V6–V9 is five times
//	         limb k of r^8
//	V10–V14  limb k of r^2, r^4 and r^6 times 2^64
//	V15–V19  limb k of r^2, r^4 and r^6 times 2^96
//	V20–V24  the sums
//	V25–V28  word j of four blocks; or V25–V27 h, see NARROW; or temporaries
//	V29      2^26-1 in each doubleword    V30  2^26-1 in each word
//	V31      5, 2^6, 2^12, 2^18
//
// A step begins with the blocks, so that it need not wait for the carries of the
// step before: h waits in memory meanwhile, as do the 2^128.
//
// Bounds: limb 4 of r^2 and r^4 is below 2^26.4, as their top may be 4 (see
// poly1305_arm64.h), every other limb of the tables below 2^26 + 2^13, and so is
// limb 1 of h. A sum has 12 products of a word with a limb, of which only sum 4
// has any of the larger limbs, two; 5 products of h, below 2^26.1 2^28.8 each; and
// less than 2^57 besides: it is below 2^62. So its carry has 36 bits, and five
// times that 39.
#define MASK64 V29
#define MASK V30

DATA poly1305Constants<>+0x00(SB)/8, $0x0000000003ffffff
DATA poly1305Constants<>+0x08(SB)/8, $0x0000000003ffffff
DATA poly1305Constants<>+0x10(SB)/8, $0x03ffffff03ffffff
DATA poly1305Constants<>+0x18(SB)/8, $0x03ffffff03ffffff
DATA poly1305Constants<>+0x20(SB)/8, $0x0000004000000005
DATA poly1305Constants<>+0x28(SB)/8, $0x0004000000001000
GLOBL poly1305Constants<>(SB), RODATA|NOPTR, $48

// What the assembler does not know, registers by number:
//
//	UMULL  Vd.2D, Vn.2S, Vm.S[i]       UMLAL  Vd.2D, Vn.2S, Vm.S[i]
//	UMLAL2 Vd.2D, Vn.4S, Vm.S[i]       XTN2   Vd.4S, Vn.2D
//	MUL    Vd.4S, Vn.4S, Vm.S[i]       MLA    Vd.4S, Vn.4S, Vm.S[i]
#define UMULL(i, m, n, d) WORD $(0x2f80a000 | ((i)&1)<<21 | ((i)>>1)<<11 | (m)<<16 | (n)<<5 | (d))
#define UMLAL(i, m, n, d) WORD $(0x2f802000 | ((i)&1)<<21 | ((i)>>1)<<11 | (m)<<16 | (n)<<5 | (d))
#define UMLAL2(i, m, n, d) WORD $(0x6f802000 | ((i)&1)<<21 | ((i)>>1)<<11 | (m)<<16 | (n)<<5 | (d))
#define XTN2(n, d) WORD $(0x4ea12800 | (n)<<5 | (d))
#define MUL4S(i, m, n, d) WORD $(0x4f808000 | ((i)&1)<<21 | ((i)>>1)<<11 | (m)<<16 | (n)<<5 | (d))
#define MLA4S(i, m, n, d) WORD $(0x6f800000 | ((i)&1)<<21 | ((i)>>1)<<11 | (m)<<16 | (n)<<5 | (d))

// MULTIPLY: the sums get the product of word i of V0–V4, whose multiples by five
// are in V6–V9, with the number whose limb k is in register nk; the operation ok
// tells whether it takes the two low or the two high words, and whether it begins
// the sum.
#define MULTIPLY(i, o0, n0, o1, n1, o2, n2, o3, n3, o4, n4) \
	o0(i, 0, n0, 20) \
	o0(i, 1, n0, 21) \
	o0(i, 2, n0, 22) \
	o0(i, 3, n0, 23) \
	o0(i, 4, n0, 24) \
	o1(i, 9, n1, 20) \
	o1(i, 0, n1, 21) \
	o1(i, 1, n1, 22) \
	o1(i, 2, n1, 23) \
	o1(i, 3, n1, 24) \
	o2(i, 8, n2, 20) \
	o2(i, 9, n2, 21) \
	o2(i, 0, n2, 22) \
	o2(i, 1, n2, 23) \
	o2(i, 2, n2, 24) \
	o3(i, 7, n3, 20) \
	o3(i, 8, n3, 21) \
	o3(i, 9, n3, 22) \
	o3(i, 0, n3, 23) \
	o3(i, 1, n3, 24) \
	o4(i, 6, n4, 20) \
	o4(i, 7, n4, 21) \
	o4(i, 8, n4, 22) \
	o4(i, 9, n4, 23) \
	o4(i, 0, n4, 24)

// MULTIPLY_WORDS: the sums get the products of the words in V25–V28, of the two
// low or the two high blocks as o tells, with word i of the tables.
#define MULTIPLY_WORDS(i, o) \
	o(i, 0, 25, 20) \
	o(i, 1, 25, 21) \
	o(i, 2, 25, 22) \
	o(i, 3, 25, 23) \
	o(i, 4, 25, 24) \
	o(i, 5, 26, 20) \
	o(i, 6, 26, 21) \
	o(i, 7, 26, 22) \
	o(i, 8, 26, 23) \
	o(i, 9, 26, 24) \
	o(i, 10, 27, 20) \
	o(i, 11, 27, 21) \
	o(i, 12, 27, 22) \
	o(i, 13, 27, 23) \
	o(i, 14, 27, 24) \
	o(i, 15, 28, 20) \
	o(i, 16, 28, 21) \
	o(i, 17, 28, 22) \
	o(i, 18, 28, 23) \
	o(i, 19, 28, 24)

// MULTIPLY_BLOCKS: the sums get the eight blocks, of which the first four are in
// V25–V28; PPTR += 64.
#define MULTIPLY_BLOCKS \
	MULTIPLY_WORDS(2, UMLAL) \
	MULTIPLY_WORDS(1, UMLAL2) \
	VLD4.P 64(PPTR), [V25.S4, V26.S4, V27.S4, V28.S4] \
	MULTIPLY_WORDS(0, UMLAL) \
	VUADDW2 V25.S4, V20.D2, V20.D2 \
	UMLAL2(1, 31, 26, 21) \
	UMLAL2(2, 31, 27, 22) \
	UMLAL2(3, 31, 28, 23)

// TOPS: the sums get what the 2^128 of two blocks, 2^24 in limb 4, give with word
// i of V0–V4; V25 holds 2^24 and V26 5 2^24 for each lane.
#define TOPS(i, o) \
	o(i, 1, 26, 20) \
	o(i, 2, 26, 21) \
	o(i, 3, 26, 22) \
	o(i, 4, 26, 23) \
	o(i, 0, 25, 24)

// SHIFT32: limbs b = limbs a times 2^32, in all four words. A limb moves up by
// one, shifted by six; its upper six bits or more go on to the next one, and
// what leaves limb 4 returns times five. Then limb 0 has 29 bits and carries
// once. V25 is a temporary.
#define SHIFT32(a0, a1, a2, a3, a4, b0, b1, b2, b3, b4, B0, B1) \
	VSHL  $6, a4.S4, b0.S4 \
	VSHL  $6, a0.S4, b1.S4 \
	VSHL  $6, a1.S4, b2.S4 \
	VSHL  $6, a2.S4, b3.S4 \
	VSHL  $6, a3.S4, b4.S4 \
	VAND  MASK.B16, b0.B16, b0.B16 \
	VAND  MASK.B16, b1.B16, b1.B16 \
	VAND  MASK.B16, b2.B16, b2.B16 \
	VAND  MASK.B16, b3.B16, b3.B16 \
	VAND  MASK.B16, b4.B16, b4.B16 \
	VUSHR $20, a4.S4, V25.S4 \
	VUSRA $20, a3.S4, b0.S4 \
	VUSRA $20, a0.S4, b2.S4 \
	VUSRA $20, a1.S4, b3.S4 \
	VUSRA $20, a2.S4, b4.S4 \
	MUL4S(0, 31, B0, B0) \
	MLA4S(0, 31, 25, B1) \
	VUSRA $26, b0.S4, b1.S4 \
	VAND  MASK.B16, b0.B16, b0.B16

// CARRY runs carries from sum 0 up to sum 4, from there times five to sum 0, and
// once more to sum 1, which takes 2^13 at most. The low 26 bits of sums 0 and 2–4,
// and all of sum 1, are the limbs then. V25 is a temporary.
#define CARRY \
	VUSRA $26, V20.D2, V21.D2 \
	VAND  MASK64.B16, V20.B16, V20.B16 \
	VUSRA $26, V21.D2, V22.D2 \
	VAND  MASK64.B16, V21.B16, V21.B16 \
	VUSRA $26, V22.D2, V23.D2 \
	VUSRA $26, V23.D2, V24.D2 \
	VUSHR $26, V24.D2, V25.D2 \
	VADD  V25.D2, V20.D2, V20.D2 \
	VSHL  $2, V25.D2, V25.D2 \
	VADD  V25.D2, V20.D2, V20.D2 \
	VUSRA $26, V20.D2, V21.D2

// NARROW: the limbs 0, 2, 1, 3 and 4 in the halves of V25, in V26, and in the
// halves of V27.
#define NARROW \
	VUZP1 V22.S4, V20.S4, V25.S4 \
	VUZP1 V21.S4, V21.S4, V26.S4 \
	VUZP1 V24.S4, V23.S4, V27.S4 \
	VAND  MASK.B16, V25.B16, V25.B16 \
	VAND  MASK.B16, V27.B16, V27.B16

// NARROW_POWERS: the two high words of V0–V4 = the limbs.
#define NARROW_POWERS \
	VAND  MASK64.B16, V20.B16, V20.B16 \
	VAND  MASK64.B16, V22.B16, V22.B16 \
	VAND  MASK64.B16, V23.B16, V23.B16 \
	VAND  MASK64.B16, V24.B16, V24.B16 \
	XTN2(20, 0) \
	XTN2(21, 1) \
	XTN2(22, 2) \
	XTN2(23, 3) \
	XTN2(24, 4)

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
// been put together in V20, and 2 and 3 in V22. What V22 and V24 hold above 52 and
// 26 bits has been carried already.
#define JOIN(i, h0, h1, h2) \
	VMOV V20.D[i], h0 \
	VMOV V22.D[i], PT1 \
	VMOV V24.D[i], PB1 \
	ADDS PT1<<52, h0, h0 \
	UBFX $12, PT1, $40, PT0 \
	LSL  $40, PB1, PA1 \
	ADCS PA1, PT0, h1 \
	UBFX $24, PB1, $2, PB1 \
	ADC  ZR, PB1, h2

// polyBlocks absorbs the whole blocks of the R4 bytes at PPTR into H, and leaves
// R4 < 16 bytes at PPTR. R26 points to H in memory, or is 0 where a message
// begins, with H = 0. R0 points to 128 bytes of scratch, what
// the sums begin with and h. It changes the registers of
// Poly1305, R21–R23 and all vectors. From 384 bytes on it uses the vector form.
TEXT polyBlocks<>(SB), NOSPLIT|NOFRAME, $0
	CMP $384, R4
	BLO scalar

	MOVD $poly1305Constants<>(SB), PA0
	VLD1 (PA0), [V29.B16, V30.B16, V31.B16]

	// r^2, r^3 and r^4 in general registers, then r^6 and r^8 as (r^2, r^4) r^4
	POLY_SQUARE
	POWER(0)
	POLY_MUL
	POLY_MUL
	POWER(1)
	MUL4S(0, 31, 1, 6)
	MUL4S(0, 31, 2, 7)
	MUL4S(0, 31, 3, 8)
	MUL4S(0, 31, 4, 9)
	MULTIPLY(1, UMULL, 0, UMLAL, 1, UMLAL, 2, UMLAL, 3, UMLAL, 4)
	CARRY
	NARROW_POWERS

	// the tables, and five times r^8
	SHIFT32(V0, V1, V2, V3, V4, V5, V6, V7, V8, V9, 5, 6)
	SHIFT32(V5, V6, V7, V8, V9, V10, V11, V12, V13, V14, 10, 11)
	SHIFT32(V10, V11, V12, V13, V14, V15, V16, V17, V18, V19, 15, 16)
	MUL4S(0, 31, 1, 25)
	MUL4S(0, 31, 2, 26)
	MUL4S(0, 31, 3, 27)
	MUL4S(0, 31, 4, 28)
	VMOV V25.S[3], V6.S[3]
	VMOV V26.S[3], V7.S[3]
	VMOV V27.S[3], V8.S[3]
	VMOV V28.S[3], V9.S[3]

	// what the sums begin with
	MOVD $(1<<24), PA0
	VDUP PA0, V25.S4
	ADD  PA0<<2, PA0, PA0
	VDUP PA0, V26.S4
	TOPS(0, UMULL)
	TOPS(1, UMLAL)
	TOPS(2, UMLAL)
	VUADDW V25.S2, V24.D2, V24.D2
	VST1  [V20.D2, V21.D2, V22.D2, V23.D2], (R0)
	FMOVQ F24, 64(R0)

	CBNZ R26, begun
	VLD4.P 64(PPTR), [V25.S4, V26.S4, V27.S4, V28.S4]
	B    first

begun:
	// The accumulator so far belongs to M0: its low words are added there. The rest,
	// at most 5, goes with r^6 as the 2^128 do.
	LDP  0(R26), (PA0, PA1)
	MOVD 16(R26), PT0
	LDP  (PPTR), (PB0, PB1)
	ADDS PB0, PA0, PA0
	ADCS PB1, PA1, PA1
	ADC  ZR, PT0, PT0
	LSL  $24, PT0, PT0
	ADD  PT0<<2, PT0, PT1
	FMOVD PT0, F25
	FMOVD PT1, F26
	TOPS(2, UMLAL)
	VLD4.P 64(PPTR), [V25.S4, V26.S4, V27.S4, V28.S4]
	VMOV PA0, V25.S[0]
	LSR  $32, PA0, PA0
	VMOV PA0, V26.S[0]
	VMOV PA1, V27.S[0]
	LSR  $32, PA1, PA1
	VMOV PA1, V28.S[0]

first:
	MULTIPLY_BLOCKS
	SUBS $256, R4, R4
	B    carry

vector:
	NARROW
	FSTPQ (F25, F26), 80(R0)
	FMOVQ F27, 112(R0)
	VLD1  (R0), [V20.D2, V21.D2, V22.D2, V23.D2]
	FMOVQ 64(R0), F24
	VLD4.P 64(PPTR), [V25.S4, V26.S4, V27.S4, V28.S4]
	MULTIPLY_BLOCKS
	FLDPQ 80(R0), (F25, F26)
	FMOVQ 112(R0), F27
	MULTIPLY(3, UMLAL, 25, UMLAL, 26, UMLAL2, 25, UMLAL, 27, UMLAL2, 27)
	SUBS $128, R4, R4

carry:
	CARRY
	BHS vector

	VEOR V25.B16, V25.B16, V25.B16
	VEOR V26.B16, V26.B16, V26.B16
	VEOR V27.B16, V27.B16, V27.B16
	VEOR V28.B16, V28.B16, V28.B16
	VST1.P [V25.B16, V26.B16, V27.B16, V28.B16], 64(R0)
	VST1 [V25.B16, V26.B16, V27.B16, V28.B16], (R0)

	// r (r h[0] + h[1]); the top is at most 4 + 4 + 1 in between
	VSLI $26, V21.D2, V20.D2
	VSLI $26, V23.D2, V22.D2
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
	CMP $16, R4
	BLO done
	POLY_BLOCKS

done:
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
TEXT ·Poly1305SumNEON(SB), NOSPLIT, $128-32
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
	MOVD $scratch-128(SP), R0
	CALL polyBlocks<>(SB)
	CALL polyFinish<>(SB)
	MOVD out+0(FP), R11
	STP  (PH0, PH1), (R11)
	RET

// func Poly1305UpdateNEON(st *[7]uint64, m *byte, n int)
TEXT ·Poly1305UpdateNEON(SB), NOSPLIT, $128-24
	MOVD st+0(FP), R26
	MOVD m+8(FP), PPTR
	MOVD n+16(FP), R4
	LDP  0(R26), (PH0, PH1)
	LDP  16(R26), (PH2, PR0)
	MOVD 32(R26), PR1
	ADD  PR1>>2, PR1, PS1
	MOVD $1, PONE
	MOVD $scratch-128(SP), R0
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
