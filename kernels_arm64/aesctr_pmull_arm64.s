//go:build !purego

#include "textflag.h"

// Two-input XORs: SHA3 is not needed.
#define XOR3(a, b, d) VEOR a.B16, d.B16, d.B16; VEOR b.B16, d.B16, d.B16

#include "aes_arm64.h"
#include "bytes_arm64.h"

#define HIGH R5
#define LOW R6

// func CTRPMULL(dst, src *byte, n int, hi, lo uint64, roundKeys *[240]byte, rounds int)
TEXT ·CTRPMULL(SB), NOSPLIT, $0-56
	MOVD dst+0(FP), DST
	MOVD src+8(FP), SRC
	MOVD n+16(FP), LEN
	MOVD hi+24(FP), HIGH
	MOVD lo+32(FP), LOW
	MOVD roundKeys+40(FP), KEYS
	MOVD rounds+48(FP), ROUNDS

#include "aesctr_arm64.h"
