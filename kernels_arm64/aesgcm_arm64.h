// What the AES-GCM kernels share beside aes_arm64.h, ghash_arm64.h and
// bytes_arm64.h: counters, the stack frame, short groups.

// Offsets of eight counter blocks, in 32-bit words of native order: −1 to 6; 0 to 7,
// from the second on; 1 to 7 and 0, from the third on.
DATA counterOffsets<>+0(SB)/8, $0
DATA counterOffsets<>+8(SB)/8, $0xffffffff<<32
DATA counterOffsets<>+16(SB)/8, $0
DATA counterOffsets<>+24(SB)/8, $0<<32
DATA counterOffsets<>+32(SB)/8, $0
DATA counterOffsets<>+40(SB)/8, $1<<32
DATA counterOffsets<>+48(SB)/8, $0
DATA counterOffsets<>+56(SB)/8, $2<<32
DATA counterOffsets<>+64(SB)/8, $0
DATA counterOffsets<>+72(SB)/8, $3<<32
DATA counterOffsets<>+80(SB)/8, $0
DATA counterOffsets<>+88(SB)/8, $4<<32
DATA counterOffsets<>+96(SB)/8, $0
DATA counterOffsets<>+104(SB)/8, $5<<32
DATA counterOffsets<>+112(SB)/8, $0
DATA counterOffsets<>+120(SB)/8, $6<<32
DATA counterOffsets<>+128(SB)/8, $0
DATA counterOffsets<>+136(SB)/8, $7<<32
DATA counterOffsets<>+144(SB)/8, $0
DATA counterOffsets<>+152(SB)/8, $0<<32
GLOBL counterOffsets<>(SB), RODATA|NOPTR, $160

#define COUNTER(B) \
	VADD   CTR.S4, B.S4, B.S4 \
	VREV32 B.B16, B.B16

// COUNTERS8 and COUNTERS4 make the counter blocks CTR, CTR + 1, … in B0, B1, …; the
// last 32 bits count, modulo 2^32. Clobber R11.
#define COUNTERS8 \
	MOVD $counterOffsets<>+16(SB), R11 \
	COUNTERS8AT(R11)

#define COUNTERS4 \
	MOVD $counterOffsets<>+16(SB), R11               \
	VLD1 (R11), [B0.B16, B1.B16, B2.B16, B3.B16]     \
	COUNTER(B0)                                      \
	COUNTER(B1)                                      \
	COUNTER(B2)                                      \
	COUNTER(B3)

#define COUNTERS8AT(OFFSETS) \
	VLD1.P 64(OFFSETS), [B0.B16, B1.B16, B2.B16, B3.B16] \
	VLD1   (OFFSETS), [B4.B16, B5.B16, B6.B16, B7.B16]   \
	COUNTER(B0)                                          \
	COUNTER(B1)                                          \
	COUNTER(B2)                                          \
	COUNTER(B3)                                          \
	COUNTER(B4)                                          \
	COUNTER(B5)                                          \
	COUNTER(B6)                                          \
	COUNTER(B7)

// BEFORE8 makes eight counter blocks from the one before CTR on.
#define BEFORE8 \
	MOVD $counterOffsets<>(SB), R11 \
	COUNTERS8AT(R11)

// FIRSTn makes n counter blocks with CTR itself the last: CTR + 1, CTR + 2, …, CTR.
#define FIRST8 \
	MOVD $counterOffsets<>+32(SB), R11 \
	COUNTERS8AT(R11)

#define FIRST4 \
	MOVD   $counterOffsets<>+32(SB), R11         \
	VLD1   (R11), [B0.B16, B1.B16, B2.B16]       \
	VREV32 CTR.B16, B3.B16                       \
	COUNTER(B0)                                  \
	COUNTER(B1)                                  \
	COUNTER(B2)

#define FIRST2 \
	MOVD   $counterOffsets<>+32(SB), R11 \
	VLD1   (R11), [B0.B16]               \
	VREV32 CTR.B16, B1.B16               \
	COUNTER(B0)

// ALIGNED8 is COUNTERS8 followed by ADDCTR8 for a CTR that is a multiple of 8, so
// that no carry leaves the last byte of a block. Clobbers nothing else.
#define ALIGNED8 \
	VREV32 CTR.B16, B0.B16      \
	VADD   INC.S4, B0.S4, B1.S4 \
	VADD   INC.S4, B1.S4, B2.S4 \
	VADD   INC.S4, B2.S4, B3.S4 \
	VADD   INC.S4, B3.S4, B4.S4 \
	VADD   INC.S4, B4.S4, B5.S4 \
	VADD   INC.S4, B5.S4, B6.S4 \
	VADD   INC.S4, B6.S4, B7.S4 \
	ADDCTR8

// The frame, from BUF: 128 bytes for a group of blocks that is to be hashed, put
// together at the end of the space, then E(K, J0).
#define BUF R22
#define SLOT R19  // runs through the group
#define COUNT R24 // blocks of the group

#define FRAME \
	ADD $16, RSP, BUF

// WIPE clears the frame. Clobbers BUF and T0–T3.
#define WIPE \
	VEOR   T0.B16, T0.B16, T0.B16                    \
	VEOR   T1.B16, T1.B16, T1.B16                    \
	VEOR   T2.B16, T2.B16, T2.B16                    \
	VEOR   T3.B16, T3.B16, T3.B16                    \
	VST1.P [T0.B16, T1.B16, T2.B16, T3.B16], 64(BUF) \
	VST1.P [T0.B16, T1.B16, T2.B16, T3.B16], 64(BUF) \
	VST1   [T0.B16], (BUF)

// SETGROUP prepares a group of COUNT blocks, 1 to 8, in the buffer, with the state
// HI + MID, which goes to T6 and T7 as GROUP expects. An odd group gets a zero block
// before its first. SLOT is where the first block goes. Clobbers R11 and R12.
#define SETGROUP(even) \
	ADD  $1, COUNT, R11            \
	AND  $14, R11, R11             \
	MOVD $8, R12                   \
	SUB  R11, R12, R11             \
	SUB  COUNT, R12, R12           \
	ADD  R11<<4, BUF, HASHED         \
	ADD  R12<<4, BUF, SLOT         \
	ADD  R11<<3, TABLE, POWER      \
	ADD  R11<<4, POWER, POWER      \
	VEOR HI.B16, MID.B16, T6.B16   \
	VEOR T7.B16, T7.B16, T7.B16    \
	TBZ  $0, COUNT, even           \
	VMOV T6.B16, T7.B16            \
	VEOR T6.B16, T6.B16, T6.B16    \
	STP  (ZR, ZR), (HASHED)          \
even:

// STAGE copies N bytes at FROM to SLOT, the last block filled up with zeros. Leaves
// N = 0, FROM and SLOT behind what it copied. Clobbers R11, R12, R14, R15 and T0.
#define STAGE(FROM, N, next, rest, less8, less4, rested, done) \
next:                                                        \
	SUBS   $16, N, N                                         \
	BLT    rest                                              \
	VLD1.P 16(FROM), [T0.B16]                                   \
	VST1.P [T0.B16], 16(SLOT)                                \
	B      next                                              \
rest:                                                        \
	ADDS   $16, N, N                                         \
	BEQ    done                                              \
	LOADBYTES(FROM, N, R14, R15, R11, R12, less8, less4, rested) \
	STP.P  (R14, R15), 16(SLOT)                              \
	MOVD   ZR, N                                             \
done:

// COMBINE adds the key stream of B0–B7 and KB to the LEN bytes at SRC, up to 127, and
// puts the ciphertext, the last block filled up with zeros, at SLOT. Clobbers R11–R15,
// B0–B7 and T0–T3. CIPHERTEXTn is the list of n registers that hold the ciphertext:
// sealing B0–B3, opening T0–T3; and see there for KEEPBEFORE and KEEPAFTER.
#define COMBINE \
	TBZ    $6, LEN, combine2                         \
	VLD1.P 64(SRC), [T0.B16, T1.B16, T2.B16, T3.B16] \
	XOR3(KB, T0, B0)                                 \
	XOR3(KB, T1, B1)                                 \
	XOR3(KB, T2, B2)                                 \
	XOR3(KB, T3, B3)                                 \
	VST1.P [B0.B16, B1.B16, B2.B16, B3.B16], 64(DST) \
	VST1.P CIPHERTEXT4, 64(SLOT)                     \
	VMOV   B4.B16, B0.B16                            \
	VMOV   B5.B16, B1.B16                            \
	VMOV   B6.B16, B2.B16                            \
	VMOV   B7.B16, B3.B16                            \
combine2:                                            \
	TBZ    $5, LEN, combine1                         \
	VLD1.P 32(SRC), [T0.B16, T1.B16]                 \
	XOR3(KB, T0, B0)                                 \
	XOR3(KB, T1, B1)                                 \
	VST1.P [B0.B16, B1.B16], 32(DST)                 \
	VST1.P CIPHERTEXT2, 32(SLOT)                     \
	VMOV   B2.B16, B0.B16                            \
	VMOV   B3.B16, B1.B16                            \
combine1:                                            \
	TBZ    $4, LEN, combinepart                      \
	VLD1.P 16(SRC), [T0.B16]                         \
	XOR3(KB, T0, B0)                                 \
	VST1.P [B0.B16], 16(DST)                         \
	VST1.P CIPHERTEXT1, 16(SLOT)                     \
	VMOV   B1.B16, B0.B16                            \
combinepart:                                         \
	ANDS   $15, LEN, LEN                             \
	BEQ    combined                                  \
	VEOR   KB.B16, B0.B16, B0.B16                    \
	LOADBYTES(SRC, LEN, R14, R15, R11, R12, loadless8, loadless4, loaded) \
	KEEPBEFORE                                       \
	VMOV   B0.D[0], R11                              \
	VMOV   B0.D[1], R12                              \
	EOR    R11, R14, R14                             \
	EOR    R12, R15, R15                             \
	STOREBYTES(DST, LEN, R14, R15, R11, R12, R13, storeless8, storeless4, stored) \
	KEEPAFTER                                        \
	ADD    $16, SLOT, SLOT                           \
combined:
