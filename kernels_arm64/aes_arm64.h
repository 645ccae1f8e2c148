// AES in counter mode on eight blocks at a time: registers and macros shared by
// the AES-GCM and AES-CTR kernels. A file that includes this one first defines
//
//	XOR3(a, b, d)    d ^= a ^ b, clobbering nothing else
//
// which is all that tells the tiers pmull and eor3 apart.

// Vector registers. The round keys are k0–k8 and the last two, so that one code
// serves all key sizes; those between (two for AES-192, four for AES-256) are
// loaded into T0–T3 where they are used.
#define B0 V0
#define B1 V1
#define B2 V2
#define B3 V3
#define B4 V4
#define B5 V5
#define B6 V6
#define B7 V7
#define K0 V8
#define K1 V9
#define K2 V10
#define K3 V11
#define K4 V12
#define K5 V13
#define K6 V14
#define K7 V15
#define K8 V16
#define KA V17
#define KB V18
#define CTR V22
#define INC V23
#define T0 V24
#define T1 V25
#define T2 V26
#define T3 V27
#define T4 V28
#define T5 V29
#define T6 V30
#define T7 V31

// General registers that keep their meaning throughout.
#define DST R0
#define SRC R1
#define LEN R2
#define KEYS R3
#define ROUNDS R4

// The round keys of one block pass through AESE, which adds the key, substitutes
// and shifts, and AESMC, which mixes columns. Cores fuse the two if adjacent.
#define AES(K, B) \
	AESE  K.B16, B.B16 \
	AESMC B.B16, B.B16

#define AES2(K) \
	AES(K, B0) \
	AES(K, B1)

#define AES4(K) \
	AES2(K)    \
	AES(K, B2) \
	AES(K, B3)

#define AES8(K) \
	AES4(K)    \
	AES(K, B4) \
	AES(K, B5) \
	AES(K, B6) \
	AES(K, B7)

// LOADKEYS loads the resident round keys from KEYS, which is left at k9.
// Clobbers R11.
#define LOADKEYS \
	VLD1.P 64(KEYS), [K0.B16, K1.B16, K2.B16, K3.B16] \
	VLD1.P 64(KEYS), [K4.B16, K5.B16, K6.B16, K7.B16] \
	VLD1.P 16(KEYS), [K8.B16]                         \
	SUB    $10, ROUNDS, R11                           \
	ADD    R11<<4, KEYS, R11                          \
	VLD1   (R11), [KA.B16, KB.B16]

// FIRST9 is rounds 0 to 8 with the given AES2, AES4 or AES8.
#define FIRST9(AESN) \
	AESN(K0) \
	AESN(K1) \
	AESN(K2) \
	AESN(K3) \
	AESN(K4) \
	AESN(K5) \
	AESN(K6) \
	AESN(K7) \
	AESN(K8)

// MIDDLE is the rounds from the ninth up to the last but one; ROUNDS is 0b1010,
// 0b1100 or 0b1110. Clobbers T0–T3. For AES-192 it reads two keys too many,
// which are the last two or what follows them in the 240 bytes.
#define MIDDLE(AESN, last) \
	TBZ  $2, ROUNDS, last                          \
	VLD1 (KEYS), [T0.B16, T1.B16, T2.B16, T3.B16] \
	AESN(T0)                                       \
	AESN(T1)                                       \
	TBZ  $1, ROUNDS, last                          \
	AESN(T2)                                       \
	AESN(T3)                                       \
last:

#define LAST2 \
	AESE KA.B16, B0.B16 \
	AESE KA.B16, B1.B16

#define LAST4 \
	LAST2               \
	AESE KA.B16, B2.B16 \
	AESE KA.B16, B3.B16

#define LAST8 \
	LAST4               \
	AESE KA.B16, B4.B16 \
	AESE KA.B16, B5.B16 \
	AESE KA.B16, B6.B16 \
	AESE KA.B16, B7.B16

// XOR8 finishes eight blocks of key stream, adds 128 bytes of SRC, and leaves
// the sums in B0–B7. Clobbers T0–T7.
#define XOR8 \
	VLD1.P 64(SRC), [T0.B16, T1.B16, T2.B16, T3.B16] \
	VLD1.P 64(SRC), [T4.B16, T5.B16, T6.B16, T7.B16] \
	AESE   KA.B16, B0.B16                            \
	AESE   KA.B16, B1.B16                            \
	AESE   KA.B16, B2.B16                            \
	AESE   KA.B16, B3.B16                            \
	XOR3(KB, T0, B0)                                 \
	AESE   KA.B16, B4.B16                            \
	XOR3(KB, T1, B1)                                 \
	AESE   KA.B16, B5.B16                            \
	XOR3(KB, T2, B2)                                 \
	AESE   KA.B16, B6.B16                            \
	XOR3(KB, T3, B3)                                 \
	AESE   KA.B16, B7.B16                            \
	XOR3(KB, T4, B4)                                 \
	XOR3(KB, T5, B5)                                 \
	XOR3(KB, T6, B6)                                 \
	XOR3(KB, T7, B7)

#define STORE8 \
	VST1.P [B0.B16, B1.B16, B2.B16, B3.B16], 64(DST) \
	VST1.P [B4.B16, B5.B16, B6.B16, B7.B16], 64(DST)

// INC holds 1 in the last byte of a counter block and zeros elsewhere: added to
// a counter block in memory order it steps the counter where its last byte does
// not overflow. Shifted right, it is a small number in the last 32-bit lane.
// Clobbers R11.
#define LOADINC \
	VEOR INC.B16, INC.B16, INC.B16 \
	MOVD $1<<24, R11               \
	VMOV R11, INC.S[3]

// ADDCTR8 adds 8 to CTR, a counter block with each 32-bit word in native order.
#define ADDCTR8 \
	VUSRA $21, INC.S4, CTR.S4
