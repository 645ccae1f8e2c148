// ChaCha20 on 128-bit vectors, in three shapes, shared by the tiers. A tier
// defines the steps of the quarter round on four (STEP_…4) and two (STEP_…2)
// independent sets of vectors first; the names below say which words move.
//
// What runs between the steps is given as four macros, which is how the scalar
// instructions of Poly1305 are spread among the vector instructions: L, W, M and
// H are the quarters of one block, in order, and a double round takes three
// blocks. Where nothing is to run, all four are NOTHING.
//
// Much of the first double round is the same in all blocks of a message, since
// only word 12 differs. Its first column round leaves but column 0 to be done, and
// of the diagonal round words 1, 2 and 13 come half way (see START_ROWS).

// QUARTERS4: four quarter rounds side by side, with P, Q, R and S in between.
// Registers come by name and again by number (A0 of a0, and so on), for what the
// assembler cannot encode.
#define QUARTERS4(a0, b0, c0, d0, a1, b1, c1, d1, a2, b2, c2, d2, a3, b3, c3, d3, A0, B0, C0, D0, A1, B1, C1, D1, A2, B2, C2, D2, A3, B3, C3, D3, P, Q, R, S) \
	STEP_D16_4(a0, b0, d0, a1, b1, d1, a2, b2, d2, a3, b3, d3, A0, D0, A1, D1, A2, D2, A3, D3) \
	P \
	STEP_B12_4(b0, c0, d0, b1, c1, d1, b2, c2, d2, b3, c3, d3, B0, C0, B1, C1, B2, C2, B3, C3) \
	Q \
	STEP_D8_4(a0, b0, d0, a1, b1, d1, a2, b2, d2, a3, b3, d3, A0, D0, A1, D1, A2, D2, A3, D3) \
	R \
	STEP_B7_4(b0, c0, d0, b1, c1, d1, b2, c2, d2, b3, c3, d3, B0, C0, B1, C1, B2, C2, B3, C3) \
	S

// DOUBLE_ROUND_4: a column round and a diagonal round on four blocks. Vector i
// holds word i of the four blocks.
#define DOUBLE_ROUND_4(L, W, M, H) \
	QUARTERS4(V0, V4, V8, V12, V1, V5, V9, V13, V2, V6, V10, V14, V3, V7, V11, V15, 0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15, L W, M, H L, W M) \
	QUARTERS4(V0, V5, V10, V15, V1, V6, V11, V12, V2, V7, V8, V13, V3, V4, V9, V14, 0, 5, 10, 15, 1, 6, 11, 12, 2, 7, 8, 13, 3, 4, 9, 14, H, L W, M, H)

// DOUBLE_ROUND_8: the same on eight blocks, two sets of four, which gives wide
// processors eight independent quarter rounds: four leave half their pipes idle.
// Set A is V0–V15. Set B has its words 0–9 in V16–V25 and words 12–15 in V26–V29.
// The tier says where words 10 and 11 are (WORD10 and WORD11, and their numbers).
// One that needs V30 and V31 keeps them in V24 and V25 too: each half of a round
// takes words 8 and 9 or words 10 and 11, and HIGH_FOR_LOW and LOW_FOR_HIGH change
// the one pair for the other, which waits at SPILL_LOW or SPILL_HIGH. The rounds
// begin and end with words 8 and 9 in place, and words 10 and 11 at SPILL_HIGH,
// but for HIGH_BEGIN and HIGH_END.
#define DOUBLE_ROUND_8(L, W, M, H) \
	QUARTERS4(V0, V4, V8, V12, V1, V5, V9, V13, V16, V20, V24, V26, V17, V21, V25, V27, 0, 4, 8, 12, 1, 5, 9, 13, 16, 20, 24, 26, 17, 21, 25, 27, L, W, M, H) \
	HIGH_FOR_LOW \
	QUARTERS4(V2, V6, V10, V14, V3, V7, V11, V15, V18, V22, WORD10, V28, V19, V23, WORD11, V29, 2, 6, 10, 14, 3, 7, 11, 15, 18, 22, WORD10_N, 28, 19, 23, WORD11_N, 29, NOTHING, L, W, M) \
	QUARTERS4(V0, V5, V10, V15, V1, V6, V11, V12, V16, V21, WORD10, V29, V17, V22, WORD11, V26, 0, 5, 10, 15, 1, 6, 11, 12, 16, 21, WORD10_N, 29, 17, 22, WORD11_N, 26, H, NOTHING, L, W) \
	LOW_FOR_HIGH \
	QUARTERS4(V2, V7, V8, V13, V3, V4, V9, V14, V18, V23, V24, V27, V19, V20, V25, V28, 2, 7, 8, 13, 3, 4, 9, 14, 18, 23, 24, 27, 19, 20, 25, 28, M, H, NOTHING, NOTHING)

// FIRST_ROUND_8: the first double round on eight blocks, from the words that
// START_ROWS gives, and with two blocks of Poly1305. V13 and V27 are rotated.
#define FIRST_ROUND_8(L, W, M, H) \
	XOR_ROT16_2(V0, V12, V16, V26, 0, 12, 16, 26) \
	STEP_B12_2(V4, V8, V12, V20, V24, V26, 4, 8, 20, 24) \
	L \
	STEP_D8_2(V0, V4, V12, V16, V20, V26, 0, 12, 16, 26) \
	W \
	STEP_B7_2(V4, V8, V12, V20, V24, V26, 4, 8, 20, 24) \
	M \
	HIGH_FOR_LOW \
	VADD V5.S4, V0.S4, V0.S4 \
	VADD V21.S4, V16.S4, V16.S4 \
	XOR_ROT16_2(V0, V15, V16, V29, 0, 15, 16, 29) \
	XOR_ROT16_2(V1, V12, V17, V26, 1, 12, 17, 26) \
	H \
	STEP_B12_4(V5, V10, V15, V6, V11, V12, V21, WORD10, V29, V22, WORD11, V26, 5, 10, 6, 11, 21, WORD10_N, 22, WORD11_N) \
	STEP_D8_4(V0, V5, V15, V1, V6, V12, V16, V21, V29, V17, V22, V26, 0, 15, 1, 12, 16, 29, 17, 26) \
	L \
	STEP_B7_4(V5, V10, V15, V6, V11, V12, V21, WORD10, V29, V22, WORD11, V26, 5, 10, 6, 11, 21, WORD10_N, 22, WORD11_N) \
	LOW_FOR_HIGH \
	VADD V4.S4, V3.S4, V3.S4 \
	VADD V20.S4, V19.S4, V19.S4 \
	XOR_ROT16_2(V3, V14, V19, V28, 3, 14, 19, 28) \
	W \
	STEP_B12_4(V7, V8, V13, V4, V9, V14, V23, V24, V27, V20, V25, V28, 7, 8, 4, 9, 23, 24, 20, 25) \
	M \
	STEP_D8_4(V2, V7, V13, V3, V4, V14, V18, V23, V27, V19, V20, V28, 2, 13, 3, 14, 18, 27, 19, 28) \
	H \
	STEP_B7_4(V7, V8, V13, V4, V9, V14, V23, V24, V27, V20, V25, V28, 7, 8, 4, 9, 23, 24, 20, 25)

// START_ROWS: from the rows of the initial state in V16–V19, the words to start
// FIRST_ROUND_8 from in V4, V1, V2 and V5. Columns 1–3 have had their quarter
// round; of column 0, word 0 has had word 4 added. Then words 1 and 2 have had
// words 6 and 7 added, and word 13 has been combined with word 2 and rotated by 16.
// Word 12 is not set. V0–V7 are changed.
#define START_ROWS \
	VADD   V17.S4, V16.S4, V0.S4 \
	VEOR   V0.B16, V19.B16, V3.B16 \
	VREV32 V3.H8, V3.H8 \
	VADD   V3.S4, V18.S4, V2.S4 \
	VEOR   V2.B16, V17.B16, V7.B16 \
	VSHL   $12, V7.S4, V1.S4 \
	VSRI   $20, V7.S4, V1.S4 \
	VADD   V1.S4, V0.S4, V4.S4 \
	VEOR   V4.B16, V3.B16, V3.B16 \
	VSHL   $8, V3.S4, V5.S4 \
	VSRI   $24, V3.S4, V5.S4 \
	VADD   V5.S4, V2.S4, V2.S4 \
	VEOR   V2.B16, V1.B16, V7.B16 \
	VSHL   $7, V7.S4, V1.S4 \
	VSRI   $25, V7.S4, V1.S4 \
	VEXT   $4, V1.B16, V1.B16, V6.B16 \
	VADD   V6.S4, V4.S4, V6.S4 \
	VEXT   $4, V6.B16, V6.B16, V7.B16 \
	VEOR   V5.B16, V7.B16, V7.B16 \
	VREV32 V7.H8, V7.H8 \
	VMOV   V0.S[0], V4.S[0] \
	VMOV   V6.S[1], V4.S[1] \
	VMOV   V6.S[2], V4.S[2] \
	VMOV   V17.S[0], V1.S[0] \
	VMOV   V18.S[0], V2.S[0] \
	VMOV   V7.S[1], V5.S[1]

// DOUBLE_ROUND_2: a double round on two blocks. V0–V3 are the rows of the first, V4–V7
// of the second; rotating rows by one, two and three words makes columns of the
// diagonals, and back.
#define DOUBLE_ROUND_2(L, W, M, H) \
	QUARTERS2(L W, M, H L, W M) \
	ROTATE_ROWS(4, 12) \
	QUARTERS2(H, L W, M, H) \
	ROTATE_ROWS(12, 4)

#define QUARTERS2(P, Q, R, S) \
	STEP_D16_2(V0, V1, V3, V4, V5, V7, 0, 3, 4, 7) \
	P \
	STEP_B12_2(V1, V2, V3, V5, V6, V7, 1, 2, 5, 6) \
	Q \
	STEP_D8_2(V0, V1, V3, V4, V5, V7, 0, 3, 4, 7) \
	R \
	STEP_B7_2(V1, V2, V3, V5, V6, V7, 1, 2, 5, 6) \
	S

#define ROTATE_ROWS(b, d) \
	VEXT $b, V1.B16, V1.B16, V1.B16 \
	VEXT $b, V5.B16, V5.B16, V5.B16 \
	VEXT $8, V2.B16, V2.B16, V2.B16 \
	VEXT $8, V6.B16, V6.B16, V6.B16 \
	VEXT $d, V3.B16, V3.B16, V3.B16 \
	VEXT $d, V7.B16, V7.B16, V7.B16

// TRANSPOSE: from word i of four blocks in the i-th vector (a, b, c, d) to four
// words of one block in each: block 0 in c, 1 in t, 2 in a, 3 in d. b is free.
#define TRANSPOSE(a, b, c, d, t) \
	VTRN1 b.S4, a.S4, t.S4 \
	VTRN2 b.S4, a.S4, b.S4 \
	VTRN1 d.S4, c.S4, a.S4 \
	VTRN2 d.S4, c.S4, d.S4 \
	VTRN1 a.D2, t.D2, c.D2 \
	VTRN2 a.D2, t.D2, a.D2 \
	VTRN1 d.D2, b.D2, t.D2 \
	VTRN2 d.D2, b.D2, d.D2

// TRANSPOSE_A: the same with block 2 in b, and a is free.
#define TRANSPOSE_A(a, b, c, d, t) \
	VTRN1 b.S4, a.S4, t.S4 \
	VTRN2 b.S4, a.S4, a.S4 \
	VTRN1 d.S4, c.S4, b.S4 \
	VTRN2 d.S4, c.S4, d.S4 \
	VTRN1 b.D2, t.D2, c.D2 \
	VTRN2 b.D2, t.D2, b.D2 \
	VTRN1 d.D2, a.D2, t.D2 \
	VTRN2 d.D2, a.D2, d.D2

// The scratch on the stack.
#define SCRATCH R21
#define STATE 0       // the initial state, 64 bytes
#define KEYSTREAM 64  // up to 512 bytes
#define COUNTERS 576  // word 12 of eight blocks, 32 bytes
#define SPILL_LOW 608
#define SPILL_HIGH 640
#define BROADCAST 672 // each word of the initial state four times, 256 bytes; 8 for word 12
#define START 928     // the same of what START_ROWS gives
#define SCRATCH_SIZE 1280
#define SCRATCH_SMALL 384 // what messages of up to 192 bytes use of it

#define NOTHING
