// ChaCha20 on 128-bit vectors, in three shapes, shared by the tiers. A tier
// defines the steps of the quarter round on four (STEP_…4) and two (STEP_…2)
// independent sets of vectors first; the names below say which words move.
//
// What runs between the steps is given as four macros, which is how the scalar
// instructions of Poly1305 are spread among the vector instructions: L, W, M and
// H are the quarters of one block, in order, and a double round takes three
// blocks. Where nothing is to run, all four are NOTHING.

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

// DOUBLE_ROUND_2: the same on two blocks. V0–V3 are the rows of the first, V4–V7
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

#define SCRATCH R21
#define STATE 0       // the initial state, 64 bytes
#define BROADCAST 64  // each word of it four times, 256 bytes
#define SPILL_LOW 320
#define SPILL_HIGH 352
#define KEYSTREAM 384 // up to 512 bytes
#define SCRATCH_SIZE 896

#define NOTHING
