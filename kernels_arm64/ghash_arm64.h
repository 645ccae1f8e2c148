// GHASH with carry-less products, and its interleaving with AES. Include
// aes_arm64.h first.
//
// An element of GF(2^128) is held as VREV64 of its 16 bytes: two 64-bit halves
// in native bit order, the one of the higher powers (bytes 0–7) first. With X
// and H split in this way, Karatsuba's
//
//	HI = Xh·Hh, LO = Xl·Hl, MID = (Xh + Xl)·(Hh + Hl) + HI + LO
//
// give the product HI·x^128 + MID·x^64 + LO. Products of several blocks by their
// powers are summed before one reduction. Since the field's bits are reflected,
// the reduction works from the low end: with c = 0xc2 << 56, which is the
// reflected x^7 + x^2 + x + 1 but for its x^0 term,
//
//	MID += swap(LO) + LO[0]·c;  HI += swap(MID) + MID[0]·c
//
// takes away 128 bits, and a factor x^-1 is cancelled by the powers of H, which
// are stored multiplied by x (see GCMInitPMULL).
//
// The table of powers is four groups for two blocks each, then c:
//
//	H^8, H^7, halves' sums of both | H^6, H^5, … | H^4, H^3, … | H^2, H^1, … | c, 0
#define LO V19
#define MID V20
#define HI V21
#define POLY T6

#define TABLE R5
#define POWER R6 // runs through the table
#define HASHED R7  // runs through what is hashed

// Between strides the state is HI + MID, added where the next block is: see REDUCE.

// SPLIT makes the halves' sums of the two blocks T0 and T1 in T2. Clobbers T7.
#define SPLIT \
	VTRN1 T1.D2, T0.D2, T2.D2    \
	VTRN2 T1.D2, T0.D2, T7.D2    \
	VEOR  T7.B16, T2.B16, T2.B16

// REDUCE leaves HI + MID, the reduced sum. Clobbers T0 and LO; reads POLY.
#define REDUCE \
	XOR3(LO, HI, MID)                   \
	VPMULL LO.D1, POLY.D1, T0.Q1        \
	VEXT   $8, LO.B16, LO.B16, LO.B16   \
	XOR3(LO, T0, MID)                   \
	VPMULL MID.D1, POLY.D1, T0.Q1       \
	VEOR   T0.B16, HI.B16, HI.B16       \
	VEXT   $8, HI.B16, HI.B16, HI.B16

// GROUP hashes one group of blocks from HASHED with the powers from POWER to H^1,
// an even number of blocks, and reduces. T6 is added to the first block and T7 to
// the second. Clobbers T0–T7 and R11.
#define GROUP(loop) \
	ADD    $192, TABLE, R11                          \
	VEOR   LO.B16, LO.B16, LO.B16                    \
	VEOR   MID.B16, MID.B16, MID.B16                 \
	VEOR   HI.B16, HI.B16, HI.B16                    \
loop:                                                \
	VLD1.P 32(HASHED), [T0.B16, T1.B16]                \
	VLD1.P 48(POWER), [T3.B16, T4.B16, T5.B16]       \
	VREV64 T0.B16, T0.B16                            \
	VREV64 T1.B16, T1.B16                            \
	VEOR   T6.B16, T0.B16, T0.B16                    \
	VEOR   T7.B16, T1.B16, T1.B16                    \
	VEOR   T6.B16, T6.B16, T6.B16                    \
	SPLIT                                            \
	VPMULL  T0.D1, T3.D1, T7.Q1                      \
	VPMULL2 T0.D2, T3.D2, T0.Q1                      \
	VPMULL  T1.D1, T4.D1, T3.Q1                      \
	VPMULL2 T1.D2, T4.D2, T1.Q1                      \
	VPMULL  T2.D1, T5.D1, T4.Q1                      \
	VPMULL2 T2.D2, T5.D2, T2.Q1                      \
	XOR3(T7, T3, HI)                                 \
	XOR3(T0, T1, LO)                                 \
	XOR3(T4, T2, MID)                                \
	VEOR   T7.B16, T7.B16, T7.B16                    \
	CMP    R11, POWER                                \
	BNE    loop                                      \
	VLD1   (POWER), [POLY.B16]                       \
	REDUCE

// HASHPAIR follows loads of T0, T1 and T3–T5. Clobbers T0–T5 and T7.
#define HASHPAIR \
	VREV64  T0.B16, T0.B16      \
	VREV64  T1.B16, T1.B16      \
	SPLIT                       \
	VPMULL  T0.D1, T3.D1, T7.Q1 \
	VPMULL2 T0.D2, T3.D2, T0.Q1 \
	VPMULL  T1.D1, T4.D1, T3.Q1 \
	VPMULL2 T1.D2, T4.D2, T1.Q1 \
	VPMULL  T2.D1, T5.D1, T4.Q1 \
	VPMULL2 T2.D2, T5.D2, T2.Q1 \
	XOR3(T7, T3, HI)            \
	XOR3(T0, T1, LO)            \
	XOR3(T4, T2, MID)

// GROUP8 hashes 128 bytes at HASHED, which stays, from the state HI + MID. Clobbers
// T0–T7, LO and POWER.
#define GROUP8 \
	MOVD    TABLE, POWER                                \
	FLDPQ   (HASHED), (F24, F25)                        \
	VLD1.P  48(POWER), [T3.B16, T4.B16, T5.B16]         \
	VREV64  T0.B16, T0.B16                              \
	VREV64  T1.B16, T1.B16                              \
	XOR3(HI, MID, T0)                                   \
	SPLIT                                               \
	VPMULL  T0.D1, T3.D1, HI.Q1                         \
	VPMULL2 T0.D2, T3.D2, LO.Q1                         \
	VPMULL  T1.D1, T4.D1, T3.Q1                         \
	VPMULL2 T1.D2, T4.D2, T1.Q1                         \
	VPMULL  T2.D1, T5.D1, MID.Q1                        \
	VPMULL2 T2.D2, T5.D2, T2.Q1                         \
	VEOR    T3.B16, HI.B16, HI.B16                      \
	VEOR    T1.B16, LO.B16, LO.B16                      \
	VEOR    T2.B16, MID.B16, MID.B16                    \
	FLDPQ   32(HASHED), (F24, F25)                      \
	VLD1.P  48(POWER), [T3.B16, T4.B16, T5.B16]         \
	HASHPAIR                                            \
	FLDPQ   64(HASHED), (F24, F25)                      \
	VLD1.P  48(POWER), [T3.B16, T4.B16, T5.B16]         \
	HASHPAIR                                            \
	FLDPQ   96(HASHED), (F24, F25)                      \
	VLD1    (POWER), [T3.B16, T4.B16, T5.B16, POLY.B16] \
	HASHPAIR                                            \
	REDUCE

// The stride: rounds 0 to 8 of eight blocks, interleaved with the GHASH of 128
// bytes at HASHED from the state HI + MID. Two rounds take two blocks of GHASH;
// the ninth round takes the reduction. Clobbers T0–T7, LO and POWER.

#define ROUNDSPAIR0(KX, KY) \
	FLDPQ   (HASHED), (F24, F25)                 \
	VLD1.P  48(POWER), [T3.B16, T4.B16, T5.B16] \
	AES(KX, B0)                                \
	VREV64  T0.B16, T0.B16                     \
	AES(KX, B1)                                \
	VREV64  T1.B16, T1.B16                     \
	AES(KX, B2)                                \
	XOR3(HI, MID, T0)                          \
	AES(KX, B3)                                \
	VTRN1   T1.D2, T0.D2, T2.D2                \
	AES(KX, B4)                                \
	VTRN2   T1.D2, T0.D2, T7.D2                \
	AES(KX, B5)                                \
	VEOR    T7.B16, T2.B16, T2.B16             \
	AES(KX, B6)                                \
	VPMULL  T0.D1, T3.D1, HI.Q1                \
	AES(KX, B7)                                \
	VPMULL2 T0.D2, T3.D2, LO.Q1                \
	AES(KY, B0)                                \
	VPMULL  T1.D1, T4.D1, T3.Q1                \
	AES(KY, B1)                                \
	VPMULL2 T1.D2, T4.D2, T1.Q1                \
	AES(KY, B2)                                \
	VPMULL  T2.D1, T5.D1, MID.Q1               \
	AES(KY, B3)                                \
	VPMULL2 T2.D2, T5.D2, T2.Q1                \
	AES(KY, B4)                                \
	VEOR    T3.B16, HI.B16, HI.B16             \
	AES(KY, B5)                                \
	VEOR    T1.B16, LO.B16, LO.B16             \
	AES(KY, B6)                                \
	VEOR    T2.B16, MID.B16, MID.B16           \
	AES(KY, B7)

// ROUNDSPAIR follows loads of T0, T1 and T3–T5.
#define ROUNDSPAIR(KX, KY) \
	AES(KX, B0)                    \
	VREV64  T0.B16, T0.B16         \
	AES(KX, B1)                    \
	VREV64  T1.B16, T1.B16         \
	AES(KX, B2)                    \
	VTRN1   T1.D2, T0.D2, T2.D2    \
	AES(KX, B3)                    \
	VTRN2   T1.D2, T0.D2, T7.D2    \
	AES(KX, B4)                    \
	VEOR    T7.B16, T2.B16, T2.B16 \
	AES(KX, B5)                    \
	VPMULL  T0.D1, T3.D1, T7.Q1    \
	AES(KX, B6)                    \
	VPMULL2 T0.D2, T3.D2, T0.Q1    \
	AES(KX, B7)                    \
	VPMULL  T1.D1, T4.D1, T3.Q1    \
	AES(KY, B0)                    \
	VPMULL2 T1.D2, T4.D2, T1.Q1    \
	AES(KY, B1)                    \
	VPMULL  T2.D1, T5.D1, T4.Q1    \
	AES(KY, B2)                    \
	VPMULL2 T2.D2, T5.D2, T2.Q1    \
	AES(KY, B3)                    \
	XOR3(T7, T3, HI)               \
	AES(KY, B4)                    \
	XOR3(T0, T1, LO)               \
	AES(KY, B5)                    \
	XOR3(T4, T2, MID)              \
	AES(KY, B6)                    \
	AES(KY, B7)

#define STRIDE \
	MOVD   TABLE, POWER                                 \
	ROUNDSPAIR0(K0, K1)                                 \
	FLDPQ  32(HASHED), (F24, F25)                         \
	VLD1.P 48(POWER), [T3.B16, T4.B16, T5.B16]          \
	ROUNDSPAIR(K2, K3)                                  \
	FLDPQ  64(HASHED), (F24, F25)                         \
	VLD1.P 48(POWER), [T3.B16, T4.B16, T5.B16]          \
	ROUNDSPAIR(K4, K5)                                  \
	FLDPQ  96(HASHED), (F24, F25)                         \
	VLD1   (POWER), [T3.B16, T4.B16, T5.B16, POLY.B16]  \
	ROUNDSPAIR(K6, K7)                                  \
	AES(K8, B0)                                         \
	XOR3(LO, HI, MID)                                   \
	AES(K8, B1)                                         \
	VPMULL LO.D1, POLY.D1, T0.Q1                        \
	AES(K8, B2)                                         \
	VEXT   $8, LO.B16, LO.B16, LO.B16                   \
	AES(K8, B3)                                         \
	XOR3(LO, T0, MID)                                   \
	AES(K8, B4)                                         \
	VPMULL MID.D1, POLY.D1, T0.Q1                       \
	AES(K8, B5)                                         \
	VEOR   T0.B16, HI.B16, HI.B16                       \
	AES(K8, B6)                                         \
	VEXT   $8, HI.B16, HI.B16, HI.B16                   \
	AES(K8, B7)
