//go:build !purego

#include "textflag.h"
#include "p256_arm64.h"

// The order n of the group is n0 + 2^64·n1 + 2^128·(2^128 − 2^96 + 2^64 − 1); K is
// −n^-1 mod 2^64.
#define N0 R24
#define N1 R25
#define K R1

// LOADN sets N0, N1 and K.
#define LOADN \
	MOVD $0xf3b9cac2fc632551, N0 \
	MOVD $0xbce6faada7179e84, N1 \
	MOVD $0xccd1c8aaee00bc4f, K

// CLEARN adds the multiple m of n to t0–t3 that makes t0 vanish, and puts the limb
// above them in t0. Of m·n the lowest limb has no effect but the carry, which there is
// if t0 was not 0; the next two are of m·n1 and the upper half of m·n0; above them
//
//	2^128·m·(2^128 − 2^96 + 2^64 − 1) = −2^128·m + 2^192·(m − 2^32·m) + 2^256·m.
//
// Clobbers U0–U4.
#define CLEARN(t0, t1, t2, t3) \
	MUL   K, t0, U0 \
	UMULH N0, U0, U1 \
	MUL   N1, U0, U2 \
	UMULH N1, U0, U3 \
	ADDS  U2, U1, U1 \
	ADC   ZR, U3, U3 \
	LSL   $32, U0, U2 \
	SUBS  U0, U3, U3 \
	SBCS  U2, U0, U2 \
	LSR   $32, U0, U4 \
	SBC   U4, U0, U0 \
	CMP   $1, t0 \
	ADCS  U1, t1, t1 \
	ADCS  U3, t2, t2 \
	ADCS  U2, t3, t3 \
	ADC   ZR, U0, t0

// JOINN: x = T0–T3 plus T4–T7, less n if that is at least n: a number below n, when
// the sum is below 2n. Clobbers T0–T4, U0–U3.
#define JOINN \
	ADDS T4, T0, T0 \
	ADCS T5, T1, T1 \
	ADCS T6, T2, T2 \
	ADCS T7, T3, T3 \
	ADC  ZR, ZR, T4 \
	MOVD $-1, U2 \
	MOVD $0xffffffff00000000, U3 \
	SUBS N0, T0, U0 \
	SBCS N1, T1, U1 \
	SBCS U2, T2, U2 \
	SBCS U3, T3, U3 \
	SBCS ZR, T4, ZR \
	CSEL CS, U0, T0, X0 \
	CSEL CS, U1, T1, X1 \
	CSEL CS, U2, T2, X2 \
	CSEL CS, U3, T3, X3

// In both functions the limbs of a product below 2^256·n wander through T0–T3 as a
// ring while multiples of n clear the lowest; T4–T7 join at the end.

// func P256OrderMulNEON(z, x, y *[4]uint64)
TEXT ·P256OrderMulNEON(SB), NOSPLIT, $0-24
	MOVD z+0(FP), R0
	MOVD x+8(FP), R1
	MOVD y+16(FP), R2
	LOADX(0, R1)
	LOADY(0, R2)
	LOADN
	ROW0(Y0)
	CLEARN(T0, T1, T2, T3)
	ROW(Y1, T1, T2, T3, T4, T5, ZR)
	CLEARN(T1, T2, T3, T0)
	ROW(Y2, T2, T3, T4, T5, T6, ZR)
	CLEARN(T2, T3, T0, T1)
	ROW(Y3, T3, T4, T5, T6, T7, ZR)
	CLEARN(T3, T0, T1, T2)
	JOINN
	STOREX(0, R0)
	RET

// func P256OrderSqrNEON(z, x *[4]uint64, n uint64)
TEXT ·P256OrderSqrNEON(SB), NOSPLIT, $0-24
	MOVD z+0(FP), R0
	MOVD x+8(FP), R1
	MOVD n+16(FP), R2
	LOADX(0, R1)
	LOADN

sqr:
	SQUARE(X0, X1, X2, X3)
	CLEARN(T0, T1, T2, T3)
	CLEARN(T1, T2, T3, T0)
	CLEARN(T2, T3, T0, T1)
	CLEARN(T3, T0, T1, T2)
	JOINN
	SUBS $1, R2, R2
	BNE  sqr
	STOREX(0, R0)
	RET
