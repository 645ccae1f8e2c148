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
// reduced, for PH2 <= 6. With A = PA0 + 2^64 PA1 and B = PB0 + 2^64 PB1:
//
//	A = PH0*PR0 + PH1*PS1 + 2^64 PH2*PS1
//	B = PH0*PR1 + PH1*PR0 + 2^64 PH2*PR0
//	H = A + 2^64 B
//
// PA1 < (1 + 7.5 + 1.25) 2^60 and PB1 < (1 + 6 + 1) 2^60 + 2, so no sum leaves
// its 128 bits.
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

// The part of H at and above 2^130, Q = PB1>>2, comes back as 5Q at the bottom:
// PT0 = 4Q + Q. Then PH2 <= 3 + 1.
#define POLY_MUL_HIGH \
	ADDS  PU0, PB0, PB0          \
	ADC   PU1, PB1, PB1          \
	ADDS  PB0, PA1, PA1          \
	ADC   ZR, PB1, PB1           \
	AND   $~3, PB1, PT0          \
	AND   $3, PB1, PH2           \
	ADD   PB1>>2, PT0, PT0       \
	ADDS  PT0, PA0, PH0          \
	ADCS  ZR, PA1, PH1           \
	ADC   ZR, PH2, PH2

#define POLY_MUL POLY_MUL_LOW; POLY_MUL_MID; POLY_MUL_HIGH

// POLY_CLAMP: PR0, PR1 = clamped PR0, PR1, and PS1.
#define POLY_CLAMP \
	AND $0x0ffffffc0fffffff, PR0, PR0 \
	AND $0x0ffffffc0ffffffc, PR1, PR1 \
	ADD PR1>>2, PR1, PS1

// POLY_REDUCE: PH0, PH1 = (H mod 2^130-5) mod 2^128, for PH2 <= 4. H < 2p + 2^128
// and, H + 5 reaching 2^130 exactly when H >= p, one conditional subtraction
// is not enough for PH2 = 4 unless the top is folded first.
#define POLY_REDUCE \
	AND  $~3, PH2, PT0           \
	AND  $3, PH2, PH2            \
	ADD  PT0>>2, PT0, PT0        \
	ADDS PT0, PH0, PH0           \
	ADCS ZR, PH1, PH1            \
	ADC  ZR, PH2, PH2            \
	ADDS $5, PH0, PA0            \
	ADCS ZR, PH1, PA1            \
	ADC  ZR, PH2, PT0            \
	CMP  $3, PT0                 \
	CSEL HI, PA0, PH0, PH0       \
	CSEL HI, PA1, PH1, PH1
