//go:build !purego

#include "textflag.h"
#include "p256_arm64.h"

// func P256MulNEON(z, x, y *[4]uint64)
TEXT ·P256MulNEON(SB), NOSPLIT, $0-24
	MOVD z+0(FP), R0
	MOVD x+8(FP), R1
	MOVD y+16(FP), R2
	LOADX(0, R1)
	LOADY(0, R2)
	LOADP
	MULX
	STOREX(0, R0)
	RET

// func P256SqrNEON(z, x *[4]uint64, n uint64)
TEXT ·P256SqrNEON(SB), NOSPLIT, $0-24
	MOVD z+0(FP), R0
	MOVD x+8(FP), R1
	MOVD n+16(FP), R2
	LOADX(0, R1)
	LOADP

sqr:
	SQRXX
	SUBS $1, R2, R2
	BNE  sqr
	STOREX(0, R0)
	RET

// Temporaries of the point functions, from 16(RSP) on, on 16-byte boundaries.
#define SLOT(i) (16+32*(i))

// WIPE clears SLOT(i), before the function returns.
#define WIPE(i) \
	STP (ZR, ZR), (16+32*(i))(RSP) \
	STP (ZR, ZR), (32+32*(i))(RSP)

// func P256PointDoubleNEON(z, x *[12]uint64, n uint64)
//
// With λ = 3/2·(X+Z²)·(X−Z²) and S = X·Y²:
//
//	X' = λ² − 2S, Y' = λ·(S−X') − Y⁴, Z' = Y·Z
//
// which is the point of the formulas for a = −3 with its z halved. SLOT(0) holds λ,
// SLOT(1) and SLOT(2) Y⁴ unreduced.
TEXT ·P256PointDoubleNEON(SB), 0, $104-24
	MOVD z+0(FP), R0
	MOVD x+8(FP), R1
	MOVD n+16(FP), R2
	LOADP

double:
	LOADX(64, R1)
	SQRXY
	LOADX(0, R1)
	SUMDIFF
	MULY
	THREEHALVES
	STOREY(SLOT(0), RSP)
	LOADX(32, R1)
	LOADY(64, R1)
	MULY
	STOREY(64, R0)
	SQRXY
	SQUARE(Y0, Y1, Y2, Y3)
	STOREWIDE(SLOT(1), RSP)
	LOADX(0, R1)
	MULY
	LOADX(SLOT(0), RSP)
	SQRXX
	SUBX_Y
	SUBX_Y
	STOREX(0, R0)
	SUBY_X
	LOADX(SLOT(0), RSP)
	MULSUBY(SLOT(1), RSP)
	STOREY(32, R0)
	MOVD R0, R1
	SUBS $1, R2, R2
	BNE  double
	WIPE(0)
	WIPE(1)
	WIPE(2)
	RET

// ADDITION is the common part of both additions. From U1 and S1 in memory, the other
// point's x and y brought to the common z, and Y = H, the difference of the
// x-coordinates, also in SLOT(0), R in SLOT(1):
//
//	V = U1·H², X3 = R² − H³ − 2V, Y3 = R·(V−X3) − S1·H³
//
// U1 is read before X3 is stored, and S1 before Y3. SLOT(2) and SLOT(3) hold S1·H³
// unreduced, SLOT(4) V.
#define ADDITION(u1, s1, base) \
	SQRYX \
	LOADY(u1, base) \
	MULY \
	STOREY(SLOT(4), RSP) \
	LOADY(SLOT(0), RSP) \
	MULY \
	LOADX(s1, base) \
	PRODUCT \
	STOREWIDE(SLOT(2), RSP) \
	LOADX(SLOT(1), RSP) \
	SQRXX \
	SUBX_Y \
	LOADY(SLOT(4), RSP) \
	SUBX_Y \
	SUBX_Y \
	STOREX(0, R0) \
	SUBY_X \
	LOADX(SLOT(1), RSP) \
	MULSUBY(SLOT(2), RSP) \
	STOREY(32, R0)

// ANYBIT sets U0 to the limbs of Y, or-ed together.
#define ANYBIT \
	ORR Y0, Y1, U0 \
	ORR Y2, Y3, U1 \
	ORR U1, U0, U0

// func P256PointAddMixedNEON(z, x *[12]uint64, y *[8]uint64) (h, r uint64)
//
// U1 = X1 and S1 = Y1, H = X2·Z1² − X1, R = Y2·Z1·Z1² − Y1, Z3 = Z1·H.
TEXT ·P256PointAddMixedNEON(SB), 0, $168-40
	MOVD z+0(FP), R0
	MOVD x+8(FP), R1
	MOVD y+16(FP), R2
	LOADP
	LOADX(64, R1)
	LOADY(32, R2)
	MULY
	SQRXX
	MULY
	LOADT(32, R1)
	SUBY_T
	STOREY(SLOT(1), RSP)
	ANYBIT
	MOVD U0, r+32(FP)
	LOADY(0, R2)
	MULY
	LOADT(0, R1)
	SUBY_T
	STOREY(SLOT(0), RSP)
	ANYBIT
	MOVD U0, h+24(FP)
	ADDITION(0, 32, R1)
	LOADX(64, R1)
	LOADY(SLOT(0), RSP)
	MULX
	STOREX(64, R0)
	WIPE(0)
	WIPE(1)
	WIPE(2)
	WIPE(3)
	WIPE(4)
	RET

// func P256PointAddNEON(z, x, y *[12]uint64) (h, r uint64)
//
// U1 = X1·Z2², S1 = Y1·Z2·Z2², H = X2·Z1² − U1, R = Y2·Z1·Z1² − S1, Z3 = Z1·Z2·H.
// SLOT(5) holds U1, SLOT(6) S1.
TEXT ·P256PointAddNEON(SB), 0, $232-40
	MOVD z+0(FP), R0
	MOVD x+8(FP), R1
	MOVD y+16(FP), R2
	LOADP
	LOADX(64, R2)
	LOADY(32, R1)
	MULY
	SQRXX
	MULY
	STOREY(SLOT(6), RSP)
	LOADY(0, R1)
	MULY
	STOREY(SLOT(5), RSP)
	LOADX(64, R1)
	LOADY(32, R2)
	MULY
	SQRXX
	MULY
	LOADT(SLOT(6), RSP)
	SUBY_T
	STOREY(SLOT(1), RSP)
	ANYBIT
	MOVD U0, r+32(FP)
	LOADY(0, R2)
	MULY
	LOADT(SLOT(5), RSP)
	SUBY_T
	STOREY(SLOT(0), RSP)
	ANYBIT
	MOVD U0, h+24(FP)
	ADDITION(SLOT(5), SLOT(6), RSP)
	LOADX(64, R1)
	LOADY(64, R2)
	MULX
	LOADY(SLOT(0), RSP)
	MULX
	STOREX(64, R0)
	WIPE(0)
	WIPE(1)
	WIPE(2)
	WIPE(3)
	WIPE(4)
	WIPE(5)
	WIPE(6)
	RET

// SELECT: entries for which the counter c equals the wanted index V0 replace V4–V7.
// V1 is the counters' step.
#define SELECT(c, e0, e1, e2, e3) \
	VLD1.P 64(R1), [e0.B16, e1.B16, e2.B16, e3.B16] \
	VCMEQ V0.D2, c.D2, V2.D2 \
	VADD V1.D2, c.D2, c.D2 \
	VBIT V2.B16, e0.B16, V4.B16 \
	VBIT V2.B16, e1.B16, V5.B16 \
	VBIT V2.B16, e2.B16, V6.B16 \
	VBIT V2.B16, e3.B16, V7.B16

// func P256SelectAffineNEON(z, table *[8]uint64, n, index, negate uint64)
TEXT ·P256SelectAffineNEON(SB), NOSPLIT, $0-40
	MOVD z+0(FP), R0
	MOVD table+8(FP), R1
	MOVD n+16(FP), R2
	MOVD index+24(FP), R3
	VDUP R3, V0.D2
	MOVD $4, R4
	VDUP R4, V1.D2
	VEOR V28.B16, V28.B16, V28.B16
	MOVD $1, R4
	VDUP R4, V29.D2
	VADD V29.D2, V29.D2, V30.D2
	VADD V29.D2, V30.D2, V31.D2

select:
	// V4–V7 are the wanted entry if it was among those read.
	SELECT(V28, V16, V17, V18, V19)
	SELECT(V29, V20, V21, V22, V23)
	SELECT(V30, V24, V25, V26, V27)
	SELECT(V31, V16, V17, V18, V19)
	SUBS $4, R2, R2
	BNE  select
	VST1 [V4.B16, V5.B16, V6.B16, V7.B16], (R0)

	// p − y where negate is 1.
	MOVD negate+32(FP), R3
	LOADP
	LOADY(32, R0)
	MOVD $-1, U0
	SUBS Y0, U0, U0
	SBCS Y1, P1, U1
	SBCS Y2, ZR, U2
	SBC  Y3, P3, U3
	CMP  $0, R3
	CSEL EQ, Y0, U0, Y0
	CSEL EQ, Y1, U1, Y1
	CSEL EQ, Y2, U2, Y2
	CSEL EQ, Y3, U3, Y3
	STOREY(32, R0)
	RET
