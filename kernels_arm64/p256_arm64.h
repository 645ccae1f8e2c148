// P-256 in general registers: numbers of four 64-bit limbs, the least significant
// first. Macros read and write the registers that they name and, beside their
// parameters, those below.
//
//	X0–X3, Y0–Y3  operands and results
//	T0–T7         the limbs of a product
//	U0–U4         temporaries
//	P1, P3        limbs 1 and 3 of p; limb 0 is 2^64 − 1, and limb 2 is 0
//	R0, R1, R2    arguments
#define X0 R3
#define X1 R4
#define X2 R5
#define X3 R6
#define Y0 R7
#define Y1 R8
#define Y2 R9
#define Y3 R10
#define T0 R11
#define T1 R12
#define T2 R13
#define T3 R14
#define T4 R15
#define T5 R16
#define T6 R17
#define T7 R19
#define U0 R20
#define U1 R21
#define U2 R22
#define U3 R23
#define U4 R26
#define P1 R24
#define P3 R25

// Loads and stores of the four limbs at off(base).
#define LOADX(off, base) \
	LDP (off)(base), (X0, X1) \
	LDP (16+off)(base), (X2, X3)
#define LOADY(off, base) \
	LDP (off)(base), (Y0, Y1) \
	LDP (16+off)(base), (Y2, Y3)
#define LOADT(off, base) \
	LDP (off)(base), (T0, T1) \
	LDP (16+off)(base), (T2, T3)
#define STOREX(off, base) \
	STP (X0, X1), (off)(base) \
	STP (X2, X3), (16+off)(base)
#define STOREY(off, base) \
	STP (Y0, Y1), (off)(base) \
	STP (Y2, Y3), (16+off)(base)

// ROW0: T0–T4 = b·x.
#define ROW0(b) \
	MUL   X0, b, T0 \
	UMULH X0, b, T1 \
	MUL   X1, b, U0 \
	UMULH X1, b, T2 \
	MUL   X2, b, U1 \
	UMULH X2, b, T3 \
	MUL   X3, b, U2 \
	UMULH X3, b, T4 \
	ADDS  U0, T1, T1 \
	ADCS  U1, T2, T2 \
	ADCS  U2, T3, T3 \
	ADC   ZR, T4, T4

// ROW: t0–t4 = t0–t3 + b·x + 2^256·top, top being a bit. b·x is at most
// (2^64−1)·(2^256−1), whose top limb has room for one carry: t4 takes top last, and
// what carries out of it is in the flag.
#define ROW(b, t0, t1, t2, t3, t4, top) \
	MUL   X0, b, U0 \
	MUL   X1, b, U1 \
	MUL   X2, b, U2 \
	MUL   X3, b, U3 \
	ADDS  U0, t0, t0 \
	UMULH X0, b, U0 \
	ADCS  U1, t1, t1 \
	UMULH X1, b, U1 \
	ADCS  U2, t2, t2 \
	UMULH X2, b, U2 \
	ADCS  U3, t3, t3 \
	UMULH X3, b, U3 \
	ADC   ZR, U3, U3 \
	ADDS  U0, t1, t1 \
	ADCS  U1, t2, t2 \
	ADCS  U2, t3, t3 \
	ADCS  top, U3, t4

// PRODUCT: T0–T7 = x·y.
#define PRODUCT \
	ROW0(Y0) \
	ROW(Y1, T1, T2, T3, T4, T5, ZR) \
	ROW(Y2, T2, T3, T4, T5, T6, ZR) \
	ROW(Y3, T3, T4, T5, T6, T7, ZR)

// SQUARE: T0–T7 = (a0, a1, a2, a3)². The products of different limbs are summed
// once, doubled, and the squares added. The lowest limbs, for which reduction waits,
// come first.
#define SQUARE(a0, a1, a2, a3) \
	MUL   a0, a1, T1 \
	UMULH a0, a1, T2 \
	MUL   a0, a2, U0 \
	UMULH a0, a2, T3 \
	MUL   a0, a0, T0 \
	UMULH a0, a0, U4 \
	MUL   a1, a2, U2 \
	UMULH a1, a2, U3 \
	MUL   a0, a3, U1 \
	UMULH a0, a3, T4 \
	ADDS  U0, T2, T2 \
	ADCS  U1, T3, T3 \
	MUL   a1, a3, U0 \
	UMULH a1, a3, T5 \
	ADC   ZR, T4, T4 \
	ADDS  U2, T3, T3 \
	ADCS  U3, T4, T4 \
	MUL   a1, a1, U2 \
	UMULH a1, a1, U3 \
	ADC   ZR, T5, T5 \
	MUL   a2, a3, U1 \
	UMULH a2, a3, T6 \
	ADDS  U0, T4, T4 \
	ADCS  U1, T5, T5 \
	ADC   ZR, T6, T6 \
	ADDS  T1, T1, T1 \
	ADCS  T2, T2, T2 \
	ADCS  T3, T3, T3 \
	ADCS  T4, T4, T4 \
	MUL   a2, a2, U0 \
	UMULH a2, a2, U1 \
	ADCS  T5, T5, T5 \
	ADCS  T6, T6, T6 \
	ADC   ZR, ZR, T7 \
	ADDS  U4, T1, T1 \
	ADCS  U2, T2, T2 \
	MUL   a3, a3, U2 \
	ADCS  U3, T3, T3 \
	UMULH a3, a3, U3 \
	ADCS  U0, T4, T4 \
	ADCS  U1, T5, T5 \
	ADCS  U2, T6, T6 \
	ADC   U3, T7, T7

// CLEAR2 adds the multiple of p to t0–t5 that makes t0 and t1 vanish, and leaves
// the carry out of t5 in the flag. Clobbers t0, t1 and U0–U2.
//
// Since p ≡ 2^96 − 1 mod 2^128, the multiple is m·p, where m = m0 + m1·2^64, m0 = t0
// and m1 = t1 + 2^32·t0 mod 2^64, and
//
//	m·p = −m + 2^96·m + 2^192·(m + 2^64·m − 2^32·m).
//
// −m clears t0 and t1. Of 2^32·m the limb below 2^64 is a shifted operand, U0 and U1
// are the two above; they serve for both terms. U0 is put together from two shifts,
// since EXTR takes three cycles on several processors.
#define CLEAR2(t0, t1, t2, t3, t4, t5) \
	LSR  $32, t0, U0 \
	ADDS t0<<32, t1, t1 \
	ORR  t1<<32, U0, U0 \
	ADCS U0, t2, t2 \
	LSR  $32, t1, U1 \
	ADCS U1, t3, t3 \
	ADCS t0, t1, U2 \
	ADC  ZR, t1, t1 \
	SUBS t0<<32, t0, t0 \
	SBCS U0, U2, U2 \
	SBC  U1, t1, t1 \
	ADDS t0, t3, t3 \
	ADCS U2, t4, t4 \
	ADCS t1, t5, t5

// LOADP sets P1 and P3.
#define LOADP \
	MOVD $0x00000000ffffffff, P1 \
	MOVD $0xffffffff00000001, P3

// BELOWP: (d0, d1, d2, d3) = (t0, t1, t2, t3) + 2^256·top, less p if that is at least
// p. Clobbers U0–U3.
#define BELOWP(t0, t1, t2, t3, top, d0, d1, d2, d3) \
	ADDS $1, t0, U0 \
	SBCS P1, t1, U1 \
	SBCS ZR, t2, U2 \
	SBCS P3, t3, U3 \
	SBCS ZR, top, ZR \
	CSEL CS, U0, t0, d0 \
	CSEL CS, U1, t1, d1 \
	CSEL CS, U2, t2, d2 \
	CSEL CS, U3, t3, d3

// MULP: (d0, d1, d2, d3) = x·y·2^-256 mod p for x·y < 2^256·p, below p. Reduction
// starts after two rows, when what they and the multiple of p make is below
// 2^384 + 2^128·p: T6 is a bit, and so is T7 after the third row, where x is p or more.
// In the end the quotient by 2^256 is below 2p.
// Clobbers T0–T7, U0–U3.
#define MULP(d0, d1, d2, d3) \
	ROW0(Y0) \
	ROW(Y1, T1, T2, T3, T4, T5, ZR) \
	CLEAR2(T0, T1, T2, T3, T4, T5) \
	ADC  ZR, ZR, T6 \
	ROW(Y2, T2, T3, T4, T5, T6, T6) \
	ADC  ZR, ZR, T7 \
	ROW(Y3, T3, T4, T5, T6, T7, T7) \
	CLEAR2(T2, T3, T4, T5, T6, T7) \
	ADC  ZR, ZR, T0 \
	BELOWP(T4, T5, T6, T7, T0, d0, d1, d2, d3)

// REDUCE: (d0, d1, d2, d3) = (T0 … T7)·2^-256 mod p for a number below 2^256·p.
// Half a multiple of p does not carry out of T7. Clobbers T0–T7, U0–U3.
#define REDUCE(d0, d1, d2, d3) \
	CLEAR2(T0, T1, T2, T3, T4, T5) \
	ADCS ZR, T6, T6 \
	ADC  ZR, T7, T7 \
	CLEAR2(T2, T3, T4, T5, T6, T7) \
	ADC  ZR, ZR, T0 \
	BELOWP(T4, T5, T6, T7, T0, d0, d1, d2, d3)

// SUBP: d = a − b mod p, for both below p, d too. Clobbers U0–U2.
#define SUBP(a0, a1, a2, a3, b0, b1, b2, b3, d0, d1, d2, d3) \
	SUBS b0, a0, d0 \
	SBCS b1, a1, d1 \
	SBCS b2, a2, d2 \
	SBCS b3, a3, d3 \
	SBC  ZR, ZR, U0 \
	LSR  $32, U0, U1 \
	AND  P3, U0, U2 \
	ADDS U0, d0, d0 \
	ADCS U1, d1, d1 \
	ADCS ZR, d2, d2 \
	ADC  U2, d3, d3

#define MULX MULP(X0, X1, X2, X3)
#define MULY MULP(Y0, Y1, Y2, Y3)
#define SUBX_Y SUBP(X0, X1, X2, X3, Y0, Y1, Y2, Y3, X0, X1, X2, X3)
#define SUBY_X SUBP(Y0, Y1, Y2, Y3, X0, X1, X2, X3, Y0, Y1, Y2, Y3)
#define SUBY_T SUBP(Y0, Y1, Y2, Y3, T0, T1, T2, T3, Y0, Y1, Y2, Y3)

// SQRXX, SQRXY, SQRYX: the square of x or y in x or y, as MULP.
#define SQRXX \
	SQUARE(X0, X1, X2, X3) \
	REDUCE(X0, X1, X2, X3)
#define SQRXY \
	SQUARE(X0, X1, X2, X3) \
	REDUCE(Y0, Y1, Y2, Y3)
#define SQRYX \
	SQUARE(Y0, Y1, Y2, Y3) \
	REDUCE(X0, X1, X2, X3)

// SUMDIFF: y = x − y mod p, below p, and x = x + y modulo p, below 2^256, which a
// factor may be. Both were below p. Clobbers T0–T3, U0–U3.
#define SUMDIFF \
	ADDS Y0, X0, T0 \
	ADCS Y1, X1, T1 \
	ADCS Y2, X2, T2 \
	ADCS Y3, X3, T3 \
	CSETM CS, U3 \
	SUBP(X0, X1, X2, X3, Y0, Y1, Y2, Y3, Y0, Y1, Y2, Y3) \
	LSR  $32, U3, U1 \
	AND  P3, U3, U2 \
	SUBS U3, T0, X0 \
	SBCS U1, T1, X1 \
	SBCS ZR, T2, X2 \
	SBC  U2, T3, X3

// THREEHALVES: y = 3/2·y mod p, below p. y is halved, after adding p if it is odd,
// and added. Clobbers T0–T4, U0–U3.
#define THREEHALVES \
	SBFX $0, Y0, $1, U0 \
	LSR  $32, U0, U1 \
	AND  P3, U0, U2 \
	ADDS U0, Y0, T0 \
	ADCS U1, Y1, T1 \
	ADCS ZR, Y2, T2 \
	ADCS U2, Y3, T3 \
	ADC  ZR, ZR, T4 \
	EXTR $1, T0, T1, T0 \
	EXTR $1, T1, T2, T1 \
	EXTR $1, T2, T3, T2 \
	EXTR $1, T3, T4, T3 \
	ADDS Y0, T0, T0 \
	ADCS Y1, T1, T1 \
	ADCS Y2, T2, T2 \
	ADCS Y3, T3, T3 \
	ADC  ZR, ZR, T4 \
	BELOWP(T0, T1, T2, T3, T4, Y0, Y1, Y2, Y3)

// STOREWIDE stores T0–T7 at off(base).
#define STOREWIDE(off, base) \
	STP (T0, T1), (off)(base) \
	STP (T2, T3), (16+off)(base) \
	STP (T4, T5), (32+off)(base) \
	STP (T6, T7), (48+off)(base)

// MULSUBY: y = (x·y − wide)·2^-256 mod p, wide being the product of numbers below p
// at off(base), and x, y < p: one reduction for two products. 2^256·p is added where
// the difference is negative. Clobbers T0–T7, U0–U3.
#define MULSUBY(off, base) \
	PRODUCT \
	LDP  (off)(base), (U0, U1) \
	LDP  (16+off)(base), (U2, U3) \
	SUBS U0, T0, T0 \
	SBCS U1, T1, T1 \
	SBCS U2, T2, T2 \
	SBCS U3, T3, T3 \
	LDP  (32+off)(base), (U0, U1) \
	LDP  (48+off)(base), (U2, U3) \
	SBCS U0, T4, T4 \
	SBCS U1, T5, T5 \
	SBCS U2, T6, T6 \
	SBCS U3, T7, T7 \
	SBC  ZR, ZR, U0 \
	LSR  $32, U0, U1 \
	AND  P3, U0, U2 \
	ADDS U0, T4, T4 \
	ADCS U1, T5, T5 \
	ADCS ZR, T6, T6 \
	ADC  U2, T7, T7 \
	REDUCE(Y0, Y1, Y2, Y3)
