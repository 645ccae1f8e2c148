// The combined AEAD, for a tier that defined the quarter round's steps,
// LOAD_ROT8, where words 10 and 11 are, and the function's name SEAL_OPEN.
//
// The message goes by chunks, each from one pass of ChaCha20: eight blocks while
// more than four are wanted, then four or two. The first block of the first
// pass is the one-time key, so the first chunk has at most 448 bytes and every
// other but the last 512. Poly1305 of the ciphertext runs between the vector
// instructions of a pass, three of its blocks in a double round, which is what
// processors with slow 64-bit multiplications can hide: of the chunk before when
// sealing, of the pass's own chunk when opening (before it is overwritten, if dst
// is src). What no pass takes along (the last chunk sealed, the first chunk
// opened, additional data and tails) runs by itself. Once 512 bytes wait for
// Poly1305 and 512 for ChaCha20, bulk takes the pass.
//
//	R0  dst          R1  src          R2  bytes left
//	R3  next byte for Poly1305        R4  double rounds with Poly1305, or a length
//	R5–R20           Poly1305 (R18 unused)
//	R21 scratch      R22, R23  s, the second half of the one-time key
//	R24 double rounds left, then free
//	R25 bytes of this chunk, 0 until the first pass is over
//	R26 keystream or a table; in a pass, the end of what Poly1305 may take along
//	V0–V29 state, V30 and V31 the tier's

#define CHUNK R25
#define KS R26
#define LIMIT R26

DATA chachaConstants<>+0x00(SB)/8, $0x3320646e61707865 // "expand 3"
DATA chachaConstants<>+0x08(SB)/8, $0x6b20657479622d32 // "2-byte k"
DATA chachaConstants<>+0x10(SB)/8, $0x0000000100000000 // counters of four blocks
DATA chachaConstants<>+0x18(SB)/8, $0x0000000300000002
DATA chachaConstants<>+0x20(SB)/8, $0x0605040702010003 // bytes of a word rotated left by 8
DATA chachaConstants<>+0x28(SB)/8, $0x0e0d0c0f0a09080b
GLOBL chachaConstants<>(SB), RODATA|NOPTR, $48

// polyPadded absorbs the R4 bytes at R3, which may be none, padded with zeros to
// whole blocks. It advances R3 over the whole blocks, and changes R4 and the
// registers of Poly1305.
TEXT polyPadded<>(SB), NOSPLIT|NOFRAME, $0
	CMP $16, R4
	BLO tail
	POLY_BLOCKS

tail:
	CBZ R4, done
	LOAD_TAIL
	ADDS PT0, PH0, PH0
	ADCS PT1, PH1, PH1
	ADC  PONE, PH2, PH2
	POLY_MUL

done:
	RET

// xorKeystream writes CHUNK bytes at R1 xor those at KS to R0, and advances all
// three by CHUNK. It changes R4, PT0, PT1 and V0–V7. The keystream is read in
// whole words, src and dst to the byte.
TEXT xorKeystream<>(SB), NOSPLIT|NOFRAME, $0
	SUBS $64, CHUNK, R4
	BLO  less64

loop:
	VLD1.P 64(R1), [V0.B16, V1.B16, V2.B16, V3.B16]
	VLD1.P 64(KS), [V4.B16, V5.B16, V6.B16, V7.B16]
	VEOR   V4.B16, V0.B16, V0.B16
	VEOR   V5.B16, V1.B16, V1.B16
	VEOR   V6.B16, V2.B16, V2.B16
	VEOR   V7.B16, V3.B16, V3.B16
	VST1.P [V0.B16, V1.B16, V2.B16, V3.B16], 64(R0)
	SUBS   $64, R4, R4
	BHS    loop

less64:
	// the low six bits of R4 are those of CHUNK
	TBZ    $5, R4, less32
	VLD1.P 32(R1), [V0.B16, V1.B16]
	VLD1.P 32(KS), [V4.B16, V5.B16]
	VEOR   V4.B16, V0.B16, V0.B16
	VEOR   V5.B16, V1.B16, V1.B16
	VST1.P [V0.B16, V1.B16], 32(R0)

less32:
	TBZ    $4, R4, less16
	VLD1.P 16(R1), [V0.B16]
	VLD1.P 16(KS), [V4.B16]
	VEOR   V4.B16, V0.B16, V0.B16
	VST1.P [V0.B16], 16(R0)

less16:
	TBZ    $3, R4, less8
	MOVD.P 8(R1), PT0
	MOVD.P 8(KS), PT1
	EOR    PT1, PT0, PT0
	MOVD.P PT0, 8(R0)

less8:
	TBZ    $2, R4, less4
	MOVWU.P 4(R1), PT0
	MOVWU.P 4(KS), PT1
	EOR    PT1, PT0, PT0
	MOVW.P PT0, 4(R0)

less4:
	TBZ    $1, R4, less2
	MOVHU.P 2(R1), PT0
	MOVHU.P 2(KS), PT1
	EOR    PT1, PT0, PT0
	MOVH.P PT0, 2(R0)

less2:
	TBZ    $0, R4, done
	MOVBU.P 1(R1), PT0
	MOVBU.P 1(KS), PT1
	EOR    PT1, PT0, PT0
	MOVB.P PT0, 1(R0)

done:
	RET

// LOAD_START begins a pass of eight blocks. It leaves R24 behind what it loads.
#define LOAD_START \
	ADD $START, SCRATCH, R24 \
	VLD1.P 64(R24), [V0.S4, V1.S4, V2.S4, V3.S4] \
	VLD1.P 64(R24), [V4.S4, V5.S4, V6.S4, V7.S4] \
	VLD1.P 64(R24), [V8.S4, V9.S4, V10.S4, V11.S4] \
	VLD1.P 64(R24), [V12.S4, V13.S4, V14.S4, V15.S4] \
	FLDPQ -256(R24), (F16, F17) \
	FLDPQ -224(R24), (F18, F19) \
	FLDPQ -192(R24), (F20, F21) \
	FLDPQ -160(R24), (F22, F23) \
	FLDPQ -128(R24), (F24, F25) \
	FLDPQ COUNTERS(SCRATCH), (F12, F26) \
	VMOV V13.B16, V27.B16 \
	FLDPQ -32(R24), (F28, F29) \
	HIGH_BEGIN

// ADD_INITIAL adds four words of the initial state, broadcast, to set A (a to d)
// and set B (e to h).
#define ADD_INITIAL(a, b, c, d, e, f, g, h) \
	VLD1.P 64(KS), [V28.S4, V29.S4, V30.S4, V31.S4] \
	VADD V28.S4, a.S4, a.S4 \
	VADD V29.S4, b.S4, b.S4 \
	VADD V30.S4, c.S4, c.S4 \
	VADD V31.S4, d.S4, d.S4 \
	VADD V28.S4, e.S4, e.S4 \
	VADD V29.S4, f.S4, f.S4 \
	VADD V30.S4, g.S4, g.S4 \
	VADD V31.S4, h.S4, h.S4

// FINISH_A ends the rounds: it adds the initial state, except to words 10 and 11
// of set B, which wait at SPILL_HIGH, moves the counters on by eight, and turns
// set A into blocks 0–3, (V2, V6, V10, V14), (V13, V28, V5, V9),
// (V1, V4, V8, V12) and (V3, V7, V11, V15). Words 14 and 15 of set B move to
// SPILL_LOW; V0 and V29–V31 are free. With a block of Poly1305.
#define FINISH_A(L, W, M, H) \
	HIGH_END \
	FLDPQ (BROADCAST+224)(SCRATCH), (F30, F31) \
	VADD  V30.S4, V14.S4, V14.S4 \
	VADD  V31.S4, V15.S4, V15.S4 \
	VADD  V30.S4, V28.S4, V28.S4 \
	VADD  V31.S4, V29.S4, V29.S4 \
	FSTPQ (F28, F29), SPILL_LOW(SCRATCH) \
	FLDPQ COUNTERS(SCRATCH), (F30, F31) \
	FLDPQ (BROADCAST+192)(SCRATCH), (F28, F29) \
	VADD  V30.S4, V12.S4, V12.S4 \
	VADD  V31.S4, V26.S4, V26.S4 \
	VADD  V29.S4, V13.S4, V13.S4 \
	VADD  V29.S4, V27.S4, V27.S4 \
	VADD  V28.S4, V30.S4, V30.S4 \
	VADD  V28.S4, V31.S4, V31.S4 \
	FSTPQ (F30, F31), COUNTERS(SCRATCH) \
	L \
	ADD   $BROADCAST, SCRATCH, KS \
	ADD_INITIAL(V0, V1, V2, V3, V16, V17, V18, V19) \
	ADD_INITIAL(V4, V5, V6, V7, V20, V21, V22, V23) \
	W \
	VLD1  (KS), [V28.S4, V29.S4, V30.S4, V31.S4] \
	VADD  V28.S4, V8.S4, V8.S4 \
	VADD  V29.S4, V9.S4, V9.S4 \
	VADD  V30.S4, V10.S4, V10.S4 \
	VADD  V31.S4, V11.S4, V11.S4 \
	VADD  V28.S4, V24.S4, V24.S4 \
	VADD  V29.S4, V25.S4, V25.S4 \
	TRANSPOSE(V4, V5, V6, V7, V28) \
	M \
	TRANSPOSE(V8, V9, V10, V11, V5) \
	TRANSPOSE(V12, V13, V14, V15, V9) \
	H \
	TRANSPOSE_A(V0, V1, V2, V3, V13)

// FINISH_B turns set B into blocks 4–7, (V18, V22, V10, V28), (V30, V17, V21, V25),
// (V16, V20, V24, V26) and (V19, V23, V11, V29). V0–V9 and V12–V15 are free.
#define FINISH_B(P, Q) \
	FLDPQ SPILL_HIGH(SCRATCH), (F10, F11) \
	FLDPQ (BROADCAST+160)(SCRATCH), (F30, F31) \
	FLDPQ SPILL_LOW(SCRATCH), (F28, F29) \
	VADD  V30.S4, V10.S4, V10.S4 \
	VADD  V31.S4, V11.S4, V11.S4 \
	TRANSPOSE(V16, V17, V18, V19, V30) \
	P \
	TRANSPOSE(V20, V21, V22, V23, V17) \
	TRANSPOSE(V24, V25, V10, V11, V21) \
	Q \
	TRANSPOSE(V26, V27, V28, V29, V25)

// XOR_BLOCK writes 64 bytes of src xor (a, b, c, d) to dst; t to w, which are
// consecutive, are temporaries.
#define XOR_BLOCK(a, b, c, d, t, u, v, w) \
	VLD1.P 64(R1), [t.B16, u.B16, v.B16, w.B16] \
	VEOR   a.B16, t.B16, t.B16 \
	VEOR   b.B16, u.B16, u.B16 \
	VEOR   c.B16, v.B16, v.B16 \
	VEOR   d.B16, w.B16, w.B16 \
	VST1.P [t.B16, u.B16, v.B16, w.B16], 64(R0)

// SEAL_OPEN(dst, src *byte, n int, ad *byte, adn int, key *[32]byte, nonce *[12]byte, tag *[16]byte, open bool, first uint32)
TEXT SEAL_OPEN(SB), 0, $1304-72
	MOVD dst+0(FP), R0
	MOVD src+8(FP), R1
	MOVD n+16(FP), R2
	MOVD key+40(FP), R11
	MOVD nonce+48(FP), R12
	ADD  $16, RSP, SCRATCH

	// the initial state with counter first
	MOVD  $chachaConstants<>(SB), R13
	VLD1  (R13), [V16.B16]
	VLD1  (R11), [V17.B16, V18.B16]
	MOVWU (R12), R14
	MOVD  4(R12), R15
	MOVWU first+68(FP), R16
	ORR   R14<<32, R16, R14
	FSTPQ (F16, F17), STATE(SCRATCH)
	FMOVQ F18, (STATE+32)(SCRATCH)
	STP   (R14, R15), (STATE+48)(SCRATCH)

	MOVD ZR, PH0
	MOVD ZR, PH1
	MOVD ZR, PH2
	MOVD $1, PONE
	MOVD ZR, R4
	MOVD ZR, CHUNK
	MOVD ZR, PPTR
	MOVD ZR, LIMIT
	LOAD_ROT8

	CMP $64, R2
	BLS pass2
	CMP $192, R2
	BLS pass4

	// more than four blocks: spread the state for passes of eight, and what they
	// start from
	FMOVQ (STATE+48)(SCRATCH), F19
	START_ROWS
	FSTPQ (F4, F1), START(SCRATCH)
	FSTPQ (F2, F5), (START+32)(SCRATCH)
	FMOVQ 16(R13), F20
	MOVD  $4, R11
	VDUP  R11, V21.S4
	MOVD  SCRATCH, R11
	ADD   $BROADCAST, SCRATCH, R12
	VLD4R.P 16(R11), [V0.S4, V1.S4, V2.S4, V3.S4]
	VLD4R.P 16(R11), [V4.S4, V5.S4, V6.S4, V7.S4]
	VLD4R.P 16(R11), [V8.S4, V9.S4, V10.S4, V11.S4]
	VLD4R.P 16(R11), [V12.S4, V13.S4, V14.S4, V15.S4]
	VADD   V20.S4, V12.S4, V30.S4
	VADD   V21.S4, V30.S4, V31.S4
	FSTPQ  (F30, F31), COUNTERS(SCRATCH)
	VADD   V21.S4, V21.S4, V12.S4
	VST1.P [V0.S4, V1.S4, V2.S4, V3.S4], 64(R12)
	VST1.P [V4.S4, V5.S4, V6.S4, V7.S4], 64(R12)
	VST1.P [V8.S4, V9.S4, V10.S4, V11.S4], 64(R12)
	VST1.P [V12.S4, V13.S4, V14.S4, V15.S4], 64(R12)
	MOVD   R12, R11
	VLD4R.P 16(R11), [V0.S4, V1.S4, V2.S4, V3.S4]
	VLD4R.P 16(R11), [V4.S4, V5.S4, V6.S4, V7.S4]
	VLD4R.P 16(R11), [V8.S4, V9.S4, V10.S4, V11.S4]
	VLD4R  (R11), [V12.S4, V13.S4, V14.S4, V15.S4]
	VST1.P [V0.S4, V1.S4, V2.S4, V3.S4], 64(R12)
	VST1.P [V4.S4, V5.S4, V6.S4, V7.S4], 64(R12)
	VST1.P [V8.S4, V9.S4, V10.S4, V11.S4], 64(R12)
	VST1   [V12.S4, V13.S4, V14.S4, V15.S4], (R12)
	LOAD_ROT8

// Eight blocks, R4 <= 9 double rounds of them with Poly1305, from which on a block
// is loaded.
pass8:
	LOAD_START
	FIRST_ROUND_8(NOTHING, NOTHING, NOTHING, NOTHING)
	MOVD $9, R24
	CBZ  R4, rounds8
	POLY_LOAD

rounds8poly:
	DOUBLE_ROUND_8(POLY_NEXT_LOW, POLY_NEXT_MID, POLY_NEXT_HIGH, POLY_NEXT_FOLD)
	SUB  $1, R24
	SUBS $1, R4
	BNE  rounds8poly
	POLY_MUL
	CBZ  R24, rounds8done

rounds8:
	DOUBLE_ROUND_8(NOTHING, NOTHING, NOTHING, NOTHING)
	SUBS $1, R24
	BNE  rounds8

rounds8done:
	SUB  PPTR, LIMIT, R4
	CALL polyPadded<>(SB)
	FINISH_A(NOTHING, NOTHING, NOTHING, NOTHING)

	// A whole chunk behind the first needs no copy of the keystream.
	CBZ   CHUNK, dump
	CMP   $512, R2
	BLO   dump
	XOR_BLOCK(V2, V6, V10, V14, V29, V30, V31, V0)
	XOR_BLOCK(V13, V28, V5, V9, V29, V30, V31, V0)
	XOR_BLOCK(V1, V4, V8, V12, V29, V30, V31, V0)
	XOR_BLOCK(V3, V7, V11, V15, V29, V30, V31, V0)
	FINISH_B(NOTHING, NOTHING)
	XOR_BLOCK(V18, V22, V10, V28, V0, V1, V2, V3)
	XOR_BLOCK(V30, V17, V21, V25, V0, V1, V2, V3)
	XOR_BLOCK(V16, V20, V24, V26, V0, V1, V2, V3)
	XOR_BLOCK(V19, V23, V11, V29, V0, V1, V2, V3)
	LOAD_ROT8
	MOVD  $512, CHUNK
	B     chunkDone

dump:
	ADD   $KEYSTREAM, SCRATCH, KS
	FSTPQ (F2, F6), 0(KS)
	FSTPQ (F10, F14), 32(KS)
	FSTPQ (F13, F28), 64(KS)
	FSTPQ (F5, F9), 96(KS)
	FSTPQ (F1, F4), 128(KS)
	FSTPQ (F8, F12), 160(KS)
	FSTPQ (F3, F7), 192(KS)
	FSTPQ (F11, F15), 224(KS)
	FINISH_B(NOTHING, NOTHING)
	FSTPQ (F18, F22), 256(KS)
	FSTPQ (F10, F28), 288(KS)
	FSTPQ (F30, F17), 320(KS)
	FSTPQ (F21, F25), 352(KS)
	FSTPQ (F16, F20), 384(KS)
	FSTPQ (F24, F26), 416(KS)
	FSTPQ (F19, F23), 448(KS)
	FSTPQ (F11, F29), 480(KS)
	LOAD_ROT8
	B     haveKeystream

// Chunks of 512 bytes while as much is left, with as much for Poly1305 at PPTR:
// 32 blocks, two in the first double round, 27 in the others, and three in the
// end. When opening, these are read before the last block is written.
bulk:
	LOAD_START
	POLY_LOAD
	FIRST_ROUND_8(POLY_NEXT_LOW, POLY_NEXT_MID, POLY_NEXT_HIGH, POLY_NEXT_FOLD)
	MOVD $3, R24

bulkRounds:
	DOUBLE_ROUND_8(POLY_NEXT_LOW, POLY_NEXT_MID, POLY_NEXT_HIGH, POLY_NEXT_FOLD)
	DOUBLE_ROUND_8(POLY_NEXT_LOW, POLY_NEXT_MID, POLY_NEXT_HIGH, POLY_NEXT_FOLD)
	DOUBLE_ROUND_8(POLY_NEXT_LOW, POLY_NEXT_MID, POLY_NEXT_HIGH, POLY_NEXT_FOLD)
	SUBS $1, R24
	BNE  bulkRounds

	FINISH_A(POLY_NEXT_LOW, POLY_NEXT_MID, POLY_NEXT_HIGH, POLY_NEXT_FOLD)
	XOR_BLOCK(V2, V6, V10, V14, V29, V30, V31, V0)
	POLY_NEXT_LOW
	XOR_BLOCK(V13, V28, V5, V9, V29, V30, V31, V0)
	POLY_NEXT_MID
	XOR_BLOCK(V1, V4, V8, V12, V29, V30, V31, V0)
	POLY_NEXT_HIGH
	XOR_BLOCK(V3, V7, V11, V15, V29, V30, V31, V0)
	POLY_NEXT_FOLD
	FINISH_B(POLY_MUL_LOW, POLY_MUL_MID)
	POLY_MUL_HIGH
	XOR_BLOCK(V18, V22, V10, V28, V0, V1, V2, V3)
	XOR_BLOCK(V30, V17, V21, V25, V0, V1, V2, V3)
	XOR_BLOCK(V16, V20, V24, V26, V0, V1, V2, V3)
	XOR_BLOCK(V19, V23, V11, V29, V0, V1, V2, V3)
	LOAD_ROT8
	SUB  $512, R2
	CMP  $512, R2
	BHS  bulk
	CBZ  R2, end
	B    next

// Three or four blocks, the last of the message.
pass4:
	MOVD   SCRATCH, R11
	VLD4R.P 16(R11), [V0.S4, V1.S4, V2.S4, V3.S4]
	VLD4R.P 16(R11), [V4.S4, V5.S4, V6.S4, V7.S4]
	VLD4R.P 16(R11), [V8.S4, V9.S4, V10.S4, V11.S4]
	VLD4R  (R11), [V12.S4, V13.S4, V14.S4, V15.S4]
	MOVD   $chachaConstants<>(SB), R11
	FMOVQ  16(R11), F29
	VADD   V29.S4, V12.S4, V12.S4
	MOVD $10, R24
	CBZ  R4, rounds4
	POLY_LOAD

rounds4poly:
	DOUBLE_ROUND_4(POLY_NEXT_LOW, POLY_NEXT_MID, POLY_NEXT_HIGH, POLY_NEXT_FOLD)
	SUB  $1, R24
	SUBS $1, R4
	BNE  rounds4poly
	POLY_MUL

rounds4:
	DOUBLE_ROUND_4(NOTHING, NOTHING, NOTHING, NOTHING)
	SUBS $1, R24
	BNE  rounds4

	SUB  PPTR, LIMIT, R4
	CALL polyPadded<>(SB)

	MOVD   SCRATCH, R11
	VLD4R.P 16(R11), [V16.S4, V17.S4, V18.S4, V19.S4]
	VLD4R.P 16(R11), [V20.S4, V21.S4, V22.S4, V23.S4]
	VLD4R.P 16(R11), [V24.S4, V25.S4, V26.S4, V27.S4]
	VADD   V16.S4, V0.S4, V0.S4
	VADD   V17.S4, V1.S4, V1.S4
	VADD   V18.S4, V2.S4, V2.S4
	VADD   V19.S4, V3.S4, V3.S4
	VLD4R  (R11), [V16.S4, V17.S4, V18.S4, V19.S4]
	VADD   V20.S4, V4.S4, V4.S4
	VADD   V21.S4, V5.S4, V5.S4
	VADD   V22.S4, V6.S4, V6.S4
	VADD   V23.S4, V7.S4, V7.S4
	VADD   V24.S4, V8.S4, V8.S4
	VADD   V25.S4, V9.S4, V9.S4
	VADD   V26.S4, V10.S4, V10.S4
	VADD   V27.S4, V11.S4, V11.S4
	VADD   V29.S4, V12.S4, V12.S4
	VADD   V16.S4, V12.S4, V12.S4
	VADD   V17.S4, V13.S4, V13.S4
	VADD   V18.S4, V14.S4, V14.S4
	VADD   V19.S4, V15.S4, V15.S4
	TRANSPOSE(V0, V1, V2, V3, V16)
	TRANSPOSE(V4, V5, V6, V7, V17)
	TRANSPOSE(V8, V9, V10, V11, V18)
	TRANSPOSE(V12, V13, V14, V15, V19)
	ADD    $KEYSTREAM, SCRATCH, KS
	FSTPQ  (F2, F6), 0(KS)
	FSTPQ  (F10, F14), 32(KS)
	FSTPQ  (F16, F17), 64(KS)
	FSTPQ  (F18, F19), 96(KS)
	FSTPQ  (F0, F4), 128(KS)
	FSTPQ  (F8, F12), 160(KS)
	FSTPQ  (F3, F7), 192(KS)
	FSTPQ  (F11, F15), 224(KS)
	B      haveKeystream

// One or two blocks, the last of the message.
pass2:
	VLD1 (SCRATCH), [V16.B16, V17.B16, V18.B16, V19.B16]
	MOVD $1, R11
	VEOR V20.B16, V20.B16, V20.B16
	VMOV R11, V20.S[0]
	VADD V20.S4, V19.S4, V20.S4
	VMOV V16.B16, V0.B16
	VMOV V17.B16, V1.B16
	VMOV V18.B16, V2.B16
	VMOV V19.B16, V3.B16
	VMOV V16.B16, V4.B16
	VMOV V17.B16, V5.B16
	VMOV V18.B16, V6.B16
	VMOV V20.B16, V7.B16
	MOVD $10, R24
	CBZ  R4, rounds2
	POLY_LOAD

rounds2poly:
	DOUBLE_ROUND_2(POLY_NEXT_LOW, POLY_NEXT_MID, POLY_NEXT_HIGH, POLY_NEXT_FOLD)
	SUB  $1, R24
	SUBS $1, R4
	BNE  rounds2poly
	POLY_MUL

rounds2:
	DOUBLE_ROUND_2(NOTHING, NOTHING, NOTHING, NOTHING)
	SUBS $1, R24
	BNE  rounds2

	SUB  PPTR, LIMIT, R4
	CALL polyPadded<>(SB)

	ADD    $KEYSTREAM, SCRATCH, KS
	VADD   V16.S4, V0.S4, V0.S4
	VADD   V17.S4, V1.S4, V1.S4
	VADD   V18.S4, V2.S4, V2.S4
	VADD   V19.S4, V3.S4, V3.S4
	VADD   V16.S4, V4.S4, V4.S4
	VADD   V17.S4, V5.S4, V5.S4
	VADD   V18.S4, V6.S4, V6.S4
	VADD   V20.S4, V7.S4, V7.S4
	FSTPQ  (F0, F1), 0(KS)
	FSTPQ  (F2, F3), 32(KS)
	FSTPQ  (F4, F5), 64(KS)
	FSTPQ  (F6, F7), 96(KS)

// The keystream of this pass stands at KS.
haveKeystream:
	CBNZ  CHUNK, notFirst
	LDP   0(KS), (PR0, PR1)
	LDP   16(KS), (R22, R23)
	POLY_CLAMP
	MOVD  ad+24(FP), PPTR
	MOVD  adn+32(FP), R4
	CALL  polyPadded<>(SB)
	ADD   $64, KS
	MOVD  R0, PPTR
	MOVD  $448, CHUNK
	CMP   R2, CHUNK
	CSEL  HI, R2, CHUNK, CHUNK
	MOVBU open+64(FP), R24
	CBZ   R24, xor
	MOVD  R1, PPTR
	MOVD  CHUNK, R4
	CALL  polyPadded<>(SB)
	B     xor

notFirst:
	MOVD $512, CHUNK
	CMP  R2, CHUNK
	CSEL HI, R2, CHUNK, CHUNK

xor:
	CALL xorKeystream<>(SB)

// R0 and R1 are behind the chunk. The next pass takes along what was sealed, or
// what it is going to open; behind a first block, b blocks of Poly1305 want 11b/32
// double rounds, which is b/3 or less for b up to 31.
chunkDone:
	SUB   CHUNK, R2, R2
	CBZ   R2, end

next:
	MOVD  R0, LIMIT
	MOVBU open+64(FP), R24
	CBZ   R24, limited
	MOVD  $512, R11
	CMP   R11, R2
	CSEL  LO, R2, R11, R11
	ADD   R11, R1, LIMIT

limited:
	SUB  PPTR, LIMIT, R4
	CMP  $512, R2
	BLO  notBulk
	CMP  $512, R4
	BEQ  bulk

notBulk:
	SUB  $16, R4
	ASR  $4, R4, R4
	CMP  $0, R4
	CSEL LT, ZR, R4, R4
	MOVD $11, R11
	MUL  R11, R4, R4
	LSR  $5, R4, R4
	MOVD $9, R11
	CMP  R11, R4
	CSEL LO, R4, R11, R4
	CMP  $256, R2
	BHI pass8
	MOVWU COUNTERS(SCRATCH), R11
	MOVW R11, (STATE+48)(SCRATCH)
	CMP $128, R2
	BHI pass4
	B   pass2

end:
	MOVBU open+64(FP), R24
	CBNZ  R24, lengths
	SUB   PPTR, R0, R4
	CALL  polyPadded<>(SB)

lengths:
	MOVD adn+32(FP), PT0
	MOVD n+16(FP), PT1
	ADDS PT0, PH0, PH0
	ADCS PT1, PH1, PH1
	ADC  PONE, PH2, PH2
	POLY_MUL
	POLY_REDUCE
	ADDS R22, PH0, PH0
	ADC  R23, PH1, PH1
	MOVD tag+56(FP), R0
	STP  (PH0, PH1), (R0)

	// The key, the state and the keystream do not stay on the stack.
	VEOR V0.B16, V0.B16, V0.B16
	VEOR V1.B16, V1.B16, V1.B16
	VEOR V2.B16, V2.B16, V2.B16
	VEOR V3.B16, V3.B16, V3.B16
	MOVD $(SCRATCH_SIZE/128), R11
	MOVD $(SCRATCH_SMALL/128), R12
	MOVD n+16(FP), R13
	CMP  $192, R13
	CSEL LS, R12, R11, R11

wipe:
	VST1.P [V0.B16, V1.B16, V2.B16, V3.B16], 64(SCRATCH)
	VST1.P [V0.B16, V1.B16, V2.B16, V3.B16], 64(SCRATCH)
	SUBS   $1, R11
	BNE    wipe
	RET
