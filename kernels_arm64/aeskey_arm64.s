//go:build !purego

#include "textflag.h"

// Indices that put RotWord of a block's last word, its last word, and RotWord of
// its second word into all four columns.
DATA columns<>+0(SB)/8, $0x0c0f0e0d0c0f0e0d
DATA columns<>+8(SB)/8, $0x0c0f0e0d0c0f0e0d
DATA columns<>+16(SB)/8, $0x0f0e0d0c0f0e0d0c
DATA columns<>+24(SB)/8, $0x0f0e0d0c0f0e0d0c
DATA columns<>+32(SB)/8, $0x0407060504070605
DATA columns<>+40(SB)/8, $0x0407060504070605
GLOBL columns<>(SB), RODATA|NOPTR, $48

// V0 and V1 are the key's words so far, V2 what the key schedule adds, V3 and V4
// temporary, V16–V18 columns, V19 zero.
#define ROT V16
#define SAME V17
#define ROT6 V18
#define ZERO V19

// SUBWORD makes SubWord of a word that INDEX finds in W, in all columns of V2.
// With equal columns ShiftRows changes nothing, and the key added is zero.
#define SUBWORD(W, INDEX) \
	VTBL INDEX.B16, [W.B16], V2.B16 \
	AESE ZERO.B16, V2.B16

// RCON adds the round constant, the low byte of each column's first byte's place;
// R3 doubles.
#define RCON \
	VDUP R3, V3.S4              \
	VEOR V3.B16, V2.B16, V2.B16 \
	LSL  $1, R3, R3

// RUN adds to each word of W those before it, then V2.
#define RUN(W) \
	VEXT $12, W.B16, ZERO.B16, V3.B16 \
	VEOR V3.B16, W.B16, W.B16         \
	VEXT $8, W.B16, ZERO.B16, V3.B16  \
	VEOR V3.B16, W.B16, W.B16         \
	VEOR V2.B16, W.B16, W.B16

// func AESExpandKey(roundKeys *[240]byte, key *byte, rounds int)
TEXT ·AESExpandKey(SB), NOSPLIT, $0-24
	MOVD roundKeys+0(FP), R0
	MOVD key+8(FP), R1
	MOVD rounds+16(FP), R2
	MOVD $columns<>(SB), R4
	VLD1 (R4), [ROT.B16, SAME.B16, ROT6.B16]
	VEOR ZERO.B16, ZERO.B16, ZERO.B16
	MOVD $1, R3
	CMP  $12, R2
	BEQ  aes192
	BGT  aes256

	// Ten round constants: 1, 2, …, 0x80, 0x1b, 0x36.
	VLD1   (R1), [V0.B16]
	VST1.P [V0.B16], 16(R0)
	MOVD   $10, R5

next128:
	SUBWORD(V0, ROT)
	RCON
	RUN(V0)
	VST1.P [V0.B16], 16(R0)
	CMP    $0x100, R3
	BNE    small
	MOVD   $0x1b, R3

small:
	SUBS $1, R5, R5
	BNE  next128
	RET

aes192:
	// Six words a step, in V0 and the first half of V1; the last step needs four.
	VLD1.P 16(R1), [V0.B16]
	VLD1   (R1), [V1.B8]
	VST1.P [V0.B16], 16(R0)
	VST1.P [V1.B8], 8(R0)
	MOVD   $8, R5

next192:
	SUBWORD(V1, ROT6)
	RCON
	RUN(V0)
	VST1.P [V0.B16], 16(R0)
	SUBS   $1, R5, R5
	BEQ    done
	VDUP   V0.S[3], V2.S4
	VEXT   $12, V1.B16, ZERO.B16, V3.B16
	VEOR   V3.B16, V1.B16, V1.B16
	VEOR   V2.B16, V1.B16, V1.B16
	VST1.P [V1.B8], 8(R0)
	B      next192

aes256:
	VLD1   (R1), [V0.B16, V1.B16]
	VST1.P [V0.B16, V1.B16], 32(R0)
	MOVD   $7, R5

next256:
	SUBWORD(V1, ROT)
	RCON
	RUN(V0)
	VST1.P [V0.B16], 16(R0)
	SUBS   $1, R5, R5
	BEQ    done
	SUBWORD(V0, SAME)
	RUN(V1)
	VST1.P [V1.B16], 16(R0)
	B      next256

done:
	RET
