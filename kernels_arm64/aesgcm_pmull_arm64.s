//go:build !purego

#include "textflag.h"

// Two-input XORs: SHA3 is not needed.
#define XOR3(a, b, d) VEOR a.B16, d.B16, d.B16; VEOR b.B16, d.B16, d.B16

#include "aes_arm64.h"
#include "ghash_arm64.h"
#include "bytes_arm64.h"
#include "aesgcm_arm64.h"

#define AD R8
#define ADLEN R9
#define J0LEN R10
#define ADBITS R20
#define BITS R21
#define LOADTAG MOVD tag+24(FP), R13

#include "aesgcm_seal_arm64.h"

// func GCMSealPMULL(dst, src *byte, n int, tag *[16]byte, j0 *byte, j0Len int, ad *byte, adLen int, roundKeys *[240]byte, rounds int, table *[208]byte)
TEXT ·GCMSealPMULL(SB), NOSPLIT, $160-88
	MOVD dst+0(FP), DST
	MOVD src+8(FP), SRC
	MOVD n+16(FP), LEN
	MOVD j0+32(FP), R13
	MOVD j0Len+40(FP), J0LEN
	MOVD ad+48(FP), AD
	MOVD adLen+56(FP), ADLEN
	MOVD roundKeys+64(FP), KEYS
	MOVD rounds+72(FP), ROUNDS
	MOVD table+80(FP), TABLE

#include "aesgcm_message_arm64.h"

// func GCMSealBlocksPMULL(dst, src *byte, n int, ctr, y *[16]byte, roundKeys *[240]byte, rounds int, table *[208]byte)
TEXT ·GCMSealBlocksPMULL(SB), NOSPLIT, $160-64
	MOVD dst+0(FP), DST
	MOVD src+8(FP), SRC
	MOVD n+16(FP), LEN
	MOVD ctr+24(FP), R13
	MOVD y+32(FP), R20
	MOVD roundKeys+40(FP), KEYS
	MOVD rounds+48(FP), ROUNDS
	MOVD table+56(FP), TABLE

#include "aesgcm_blocks_arm64.h"

#include "aesgcm_open_arm64.h"

// func GCMOpenPMULL(dst, src *byte, n int, tag *[16]byte, j0 *byte, j0Len int, ad *byte, adLen int, roundKeys *[240]byte, rounds int, table *[208]byte)
TEXT ·GCMOpenPMULL(SB), NOSPLIT, $160-88
	MOVD dst+0(FP), DST
	MOVD src+8(FP), SRC
	MOVD n+16(FP), LEN
	MOVD j0+32(FP), R13
	MOVD j0Len+40(FP), J0LEN
	MOVD ad+48(FP), AD
	MOVD adLen+56(FP), ADLEN
	MOVD roundKeys+64(FP), KEYS
	MOVD rounds+72(FP), ROUNDS
	MOVD table+80(FP), TABLE

#include "aesgcm_message_arm64.h"

// func GCMOpenBlocksPMULL(dst, src *byte, n int, ctr, y *[16]byte, roundKeys *[240]byte, rounds int, table *[208]byte)
TEXT ·GCMOpenBlocksPMULL(SB), NOSPLIT, $160-64
	MOVD dst+0(FP), DST
	MOVD src+8(FP), SRC
	MOVD n+16(FP), LEN
	MOVD ctr+24(FP), R13
	MOVD y+32(FP), R20
	MOVD roundKeys+40(FP), KEYS
	MOVD rounds+48(FP), ROUNDS
	MOVD table+56(FP), TABLE

#include "aesgcm_blocks_arm64.h"
