// Scalar Poly1305 on two 64-bit limbs and a short top limb, shared by the MAC
// and by the combined AEAD. It uses general registers only, so it overlaps with
// ChaCha20 on the vector units.
//
// The accumulator is H = PH0 + 2^64 PH1 + 2^128 PH2, PH2 <= 4 between blocks.
// The key is r = PR0 + 2^64 PR1, clamped: both limbs are below 2^60, and PR1 is
// a multiple of 4, so that 2^128 PR1 = 2^130 PR1/4 = 5 PR1/4 = PS1 mod 2^130-5
// is a whole number, PS1 = PR1 + PR1>>2.

#define PH0 R5
#define PH1 R6
#define PH2 R7
#define PR0 R8
#define PR1 R9
#define PS1 R10
#define PA0 R11
#define PA1 R12
#define PT0 R13
#define PT1 R14
#define PB0 R15
#define PB1 R16
#define PU0 R17
#define PU1 R19
#define PONE R20 // holds 1 where POLY_LOAD is used
#define PPTR R3

// POLY_LOAD: H += 2^128 + the 16 bytes at PPTR; PPTR += 16. Then PH2 <= 6.
#define POLY_LOAD \
	LDP.P 16(PPTR), (PT0, PT1)   \
	ADDS  PT0, PH0, PH0          \
	ADCS  PT1, PH1, PH1          \
	ADC   PONE, PH2, PH2

// POLY_MUL_LOW, POLY_MUL_MID, POLY_MUL_HIGH: H = H*r mod 2^130-5, not fully
// reduced, for PH2 <= 10. With A = PA0 + 2^64 PA1 and B = PB0 + 2^64 PB1:
//
//	A = PH0*PR0 + PH1*PS1 + 2^64 PH2*PS1
//	B = PH0*PR1 + PH1*PR0 + 2^64 PH2*PR0
//	H = A + 2^64 B
//
// PA1 < (1 + 12.5 + 1.25) 2^60 + 1 and PB1 < (1 + 10 + 1) 2^60 + 2, so no sum
// leaves its 128 bits.
#define POLY_MUL_LOW \
	MUL   PR0, PH0, PA0          \
	UMULH PR0, PH0, PA1          \
	MUL   PS1, PH1, PT0          \
	UMULH PS1, PH1, PT1          \
	MUL   PR1, PH0, PB0          \
	UMULH PR1, PH0, PB1

#define POLY_MUL_MID \
	MUL   PR0, PH1, PU0          \
	UMULH PR0, PH1, PU1          \
	MADD  PS1, PA1, PH2, PA1     \
	MADD  PR0, PB1, PH2, PB1     \
	ADDS  PT0, PA0, PA0          \
	ADC   PT1, PA1, PA1

#define POLY_MUL_HIGH \
	ADDS  PU0, PB0, PB0          \
	ADC   PU1, PB1, PB1          \
	POLY_FOLD

// POLY_FOLD: H = A + 2^64 B. The part of H at and above 2^130, Q = PB1>>2, comes
// back as 5Q at the bottom: PT0 = 4Q + Q. Then PH2 <= 3 + 1.
#define POLY_FOLD \
	ADDS  PB0, PA1, PA1          \
	ADC   ZR, PB1, PB1           \
	AND   $~3, PB1, PT0          \
	AND   $3, PB1, PH2           \
	ADD   PB1>>2, PT0, PT0       \
	ADDS  PT0, PA0, PH0          \
	ADCS  ZR, PA1, PH1           \
	ADC   ZR, PH2, PH2

// POLY_SQUARE: H = r^2, with A = PR0*PR0 + PR1*PS1 and B = 2 PR0*PR1.
#define POLY_SQUARE \
	MUL   PR0, PR0, PA0          \
	UMULH PR0, PR0, PA1          \
	MUL   PS1, PR1, PT0          \
	UMULH PS1, PR1, PT1          \
	MUL   PR1, PR0, PB0          \
	UMULH PR1, PR0, PB1          \
	ADDS  PT0, PA0, PA0          \
	ADC   PT1, PA1, PA1          \
	ADDS  PB0, PB0, PB0          \
	ADC   PB1, PB1, PB1          \
	POLY_FOLD

#define POLY_MUL POLY_MUL_LOW; POLY_MUL_MID; POLY_MUL_HIGH

// POLY_NEXT multiplies and loads the block that comes next, in 24 instructions:
// H = H*r + 2^128 + the 16 bytes at PPTR; PPTR += 16. It comes behind POLY_LOAD or
// another POLY_NEXT, and POLY_MUL behind the last. Three chains of
// carries add up what the columns of weight 1, 2^64 and 2^128 hold: the products,
// the block, whose two words come to stand in PH0 and PH1, and 5Q. Its
// quarters are for running among vector instructions. PH2 is at most 6 before and
// 5 after, so the 2^128 column is below (1 + 1 + 6) 2^60 + 2, and in the 2^64
// column the sum of what is not a whole word below (1 + 1.25 + 7.5) 2^60.
#define POLY_NEXT_LOW POLY_MUL_LOW

#define POLY_NEXT_MID \
	MUL   PR0, PH1, PU0          \
	UMULH PR0, PH1, PU1          \
	MADD  PS1, PA1, PH2, PA1     \
	MADD  PR0, PB1, PH2, PB1     \
	LDP.P 16(PPTR), (PH0, PH1)   \
	ADD   PT1, PA1, PA1

#define POLY_NEXT_HIGH \
	ADDS  PT0, PA0, PA0          \
	ADCS  PB0, PA1, PA1          \
	ADC   PU1, PB1, PB1          \
	ADDS  PH0, PA0, PA0          \
	ADCS  PU0, PA1, PA1          \
	ADC   ZR, PB1, PB1

#define POLY_NEXT_FOLD \
	AND   $~3, PB1, PT0          \
	AND   $3, PB1, PH2           \
	ADD   PB1>>2, PT0, PT0       \
	ADDS  PT0, PA0, PH0          \
	ADCS  PH1, PA1, PH1          \
	ADC   PONE, PH2, PH2

#define POLY_NEXT POLY_NEXT_LOW; POLY_NEXT_MID; POLY_NEXT_HIGH; POLY_NEXT_FOLD

// POLY_BLOCKS absorbs the whole blocks of the R4 bytes at PPTR, of which there is one
// at least: R4 becomes R4 mod 16, and PPTR moves there. It may be used once in a
// function, for its labels. Below 64 bytes, the low six bits of R4 are those of what is
// left, though R4 is negative.
#define POLY_BLOCKS \
	POLY_LOAD                    \
	SUBS $80, R4                 \
	BLO  polyLess                \
polyFour:                            \
	POLY_NEXT                    \
	POLY_NEXT                    \
	POLY_NEXT                    \
	POLY_NEXT                    \
	SUBS $64, R4                 \
	BHS  polyFour                \
polyLess:                            \
	TBZ  $5, R4, polyOne         \
	POLY_NEXT                    \
	POLY_NEXT                    \
polyOne:                             \
	TBZ  $4, R4, polyLast        \
	POLY_NEXT                    \
polyLast:                            \
	POLY_MUL                     \
	AND  $15, R4

// POLY_CLAMP: PR0, PR1 = clamped PR0, PR1, and PS1.
#define POLY_CLAMP \
	AND $0x0ffffffc0fffffff, PR0, PR0 \
	AND $0x0ffffffc0ffffffc, PR1, PR1 \
	ADD PR1>>2, PR1, PS1

// POLY_REDUCE: PH0, PH1 = (H mod 2^130-5) mod 2^128, for PH2 <= 4, by which H is
// below 2p: where H + 5 reaches 2^130, it replaces H.
#define POLY_REDUCE \
	ADDS $5, PH0, PA0            \
	ADCS ZR, PH1, PA1            \
	ADC  ZR, PH2, PT0            \
	CMP  $3, PT0                 \
	CSEL HI, PA0, PH0, PH0       \
	CSEL HI, PA1, PH1, PH1

// LOAD_TAIL: PT0, PT1 = the R4 bytes at PPTR, 1 to 15, padded with zeros. It
// reads no other byte: eight or more are the first eight, and the last eight
// shifted down to what these leave. It changes PPTR, PA0 and PA1, and may be used
// once in a function, for its labels.
#define LOAD_TAIL \
	TBZ  $3, R4, tailShort        \
	ADD  R4, PPTR, PA0            \
	MOVD (PPTR), PT0              \
	MOVD -8(PA0), PT1             \
	MOVD $15, PA1                 \
	SUB  R4, PA1, PA1             \
	LSL  $3, PA1, PA1             \
	LSR  $8, PT1, PT1             \
	LSR  PA1, PT1, PT1            \
	B    tailLoaded               \
tailShort:                            \
	MOVD ZR, PT0                  \
	MOVD ZR, PT1                  \
	MOVD ZR, PA0                  \
	TBZ  $2, R4, tailShort2       \
	MOVWU.P 4(PPTR), PT0          \
	MOVD $32, PA0                 \
tailShort2:                           \
	TBZ  $1, R4, tailShort1       \
	MOVHU.P 2(PPTR), PA1          \
	LSL  PA0, PA1, PA1            \
	ORR  PA1, PT0, PT0            \
	ADD  $16, PA0, PA0            \
tailShort1:                           \
	TBZ  $0, R4, tailLoaded       \
	MOVBU.P 1(PPTR), PA1          \
	LSL  PA0, PA1, PA1            \
	ORR  PA1, PT0, PT0            \
tailLoaded:
