//go:build !purego

#include "textflag.h"

#define XOR3(a, b, d) VEOR a.B16, d.B16, d.B16; VEOR b.B16, d.B16, d.B16

#include "aes_arm64.h"
#include "ghash_arm64.h"
#include "bytes_arm64.h"
#include "aesgcm_arm64.h"

// Powers and, in the first half, the sums of their halves.
#define H1 V0
#define H2 V1
#define H3 V2
#define H4 V3
#define S1 V4
#define S2 V5
#define S3 V6
#define S4 V7

#define SUM(H, S) \
	VEXT $8, H.B16, H.B16, S.B16 \
	VEOR H.B16, S.B16, S.B16

// MULTIPLY is P = X·Y with SX and SY the sums of their halves. Clobbers T0.
#define MULTIPLY(X, SX, Y, SY, P) \
	VPMULL  X.D1, Y.D1, HI.Q1      \
	VPMULL2 X.D2, Y.D2, LO.Q1      \
	VPMULL  SX.D1, SY.D1, MID.Q1   \
	REDUCE                         \
	VEOR    HI.B16, MID.B16, P.B16

// PAIR stores two powers and their sums; for these the first halves of S1 and S2.
#define STOREPAIR(X, Y, SX, SY) \
	VTRN1 SY.D2, SX.D2, T3.D2                \
	VMOV  X.B16, T1.B16                      \
	VMOV  Y.B16, T2.B16                      \
	VST1.P [T1.B16, T2.B16, T3.B16], 48(R5)

// func GCMInitPMULL(table *[208]byte, roundKeys *[240]byte, rounds int, h *[16]byte)
TEXT ·GCMInitPMULL(SB), NOSPLIT, $0-32
	MOVD table+0(FP), TABLE
	MOVD roundKeys+8(FP), KEYS
	MOVD rounds+16(FP), ROUNDS
	MOVD h+24(FP), R0
	LOADKEYS
	VEOR B0.B16, B0.B16, B0.B16
#define AES1(K) AES(K, B0)
	FIRST9(AES1)
	MIDDLE(AES1, last)
	AESE KA.B16, B0.B16
	VEOR KB.B16, B0.B16, B0.B16
	VST1 [B0.B16], (R0)

	// H·x: in reflected bits a shift up by one over both halves. What falls out is
	// x^128 = 1 + x + x^2 + x^7, in reflected bits c in the high half and 1 in the low.
	MOVD  $0xc2<<56, R11
	MOVD  $1, R12
	VEOR  POLY.B16, POLY.B16, POLY.B16
	VMOV  R11, POLY.D[0]
	VMOV  POLY.B16, T7.B16
	VMOV  R12, T7.D[1]
	VREV64 B0.B16, B0.B16
	VMOV  B0.D[0], R11
	ASR   $63, R11, R11
	VDUP  R11, T0.D2
	VAND  T7.B16, T0.B16, T0.B16
	VUSHR $63, B0.D2, T1.D2
	VEXT  $8, T1.B16, T1.B16, T1.B16
	VMOV  ZR, T1.D[1]
	VSHL  $1, B0.D2, H1.D2
	VEOR  T0.B16, H1.B16, H1.B16
	VEOR  T1.B16, H1.B16, H1.B16

	SUM(H1, S1)
	MULTIPLY(H1, S1, H1, S1, H2)
	SUM(H2, S2)
	MULTIPLY(H1, S1, H2, S2, H3)
	SUM(H3, S3)
	MULTIPLY(H2, S2, H2, S2, H4)
	SUM(H4, S4)
	MULTIPLY(H1, S1, H4, S4, V8)
	SUM(V8, V12)
	MULTIPLY(H2, S2, H4, S4, V9)
	SUM(V9, V13)
	MULTIPLY(H3, S3, H4, S4, V10)
	SUM(V10, V14)
	MULTIPLY(H4, S4, H4, S4, V11)
	SUM(V11, V15)
	STOREPAIR(V11, V10, V15, V14)
	STOREPAIR(V9, V8, V13, V12)
	STOREPAIR(H4, H3, S4, S3)
	STOREPAIR(H2, H1, S2, S1)
	VST1 [POLY.B16], (R5)
	RET

// func GCMHashPMULL(y *[16]byte, data *byte, n int, table *[208]byte)
TEXT ·GCMHashPMULL(SB), NOSPLIT, $160-32
	MOVD y+0(FP), R20
	MOVD data+8(FP), SRC
	MOVD n+16(FP), LEN
	MOVD table+24(FP), TABLE
	FRAME
	VLD1   (R20), [HI.B16]
	VREV64 HI.B16, HI.B16
	VEOR   MID.B16, MID.B16, MID.B16

strides:
	CMP  $128, LEN
	BLT  rest
	MOVD SRC, HASHED
	GROUP8
	ADD  $128, SRC, SRC
	SUB  $128, LEN, LEN
	B    strides

rest:
	CBZ LEN, done
	ADD $15, LEN, COUNT
	LSR $4, COUNT, COUNT
	SETGROUP(even)
	STAGE(SRC, LEN, next, part, less8, less4, parted, staged)
	GROUP(last)

done:
	VEOR   HI.B16, MID.B16, T0.B16
	VREV64 T0.B16, T0.B16
	VST1   [T0.B16], (R20)
	WIPE
	RET
