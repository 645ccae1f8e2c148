//go:build !purego

#include "textflag.h"

// One block in general registers: their instructions take one cycle where a
// vector's take two, so a lone block is done in half the time.

#define STEP4(r, a0, b0, d0, a1, b1, d1, a2, b2, d2, a3, b3, d3) \
	ADDW b0, a0, a0 \
	ADDW b1, a1, a1 \
	ADDW b2, a2, a2 \
	ADDW b3, a3, a3 \
	EORW a0, d0, d0 \
	EORW a1, d1, d1 \
	EORW a2, d2, d2 \
	EORW a3, d3, d3 \
	RORW $(32-r), d0, d0 \
	RORW $(32-r), d1, d1 \
	RORW $(32-r), d2, d2 \
	RORW $(32-r), d3, d3

#define QUARTERS(a0, b0, c0, d0, a1, b1, c1, d1, a2, b2, c2, d2, a3, b3, c3, d3) \
	STEP4(16, a0, b0, d0, a1, b1, d1, a2, b2, d2, a3, b3, d3) \
	STEP4(12, c0, d0, b0, c1, d1, b1, c2, d2, b2, c3, d3, b3) \
	STEP4(8, a0, b0, d0, a1, b1, d1, a2, b2, d2, a3, b3, d3) \
	STEP4(7, c0, d0, b0, c1, d1, b1, c2, d2, b2, c3, d3, b3)

DATA hchachaConstants<>+0x00(SB)/8, $0x3320646e61707865
DATA hchachaConstants<>+0x08(SB)/8, $0x6b20657479622d32
GLOBL hchachaConstants<>(SB), RODATA|NOPTR, $16

// func HChaCha20NEON(out *[32]byte, key *[32]byte, nonce *[16]byte)
// Words 0–15 are in R0–R15.
TEXT ·HChaCha20NEON(SB), NOSPLIT, $0-24
	MOVD key+8(FP), R16
	MOVD nonce+16(FP), R17
	MOVD $hchachaConstants<>(SB), R19
	LDPW 0(R19), (R0, R1)
	LDPW 8(R19), (R2, R3)
	LDPW 0(R16), (R4, R5)
	LDPW 8(R16), (R6, R7)
	LDPW 16(R16), (R8, R9)
	LDPW 24(R16), (R10, R11)
	LDPW 0(R17), (R12, R13)
	LDPW 8(R17), (R14, R15)
	MOVD $10, R20

rounds:
	QUARTERS(R0, R4, R8, R12, R1, R5, R9, R13, R2, R6, R10, R14, R3, R7, R11, R15)
	QUARTERS(R0, R5, R10, R15, R1, R6, R11, R12, R2, R7, R8, R13, R3, R4, R9, R14)
	SUBS $1, R20
	BNE  rounds

	MOVD out+0(FP), R16
	STPW (R0, R1), 0(R16)
	STPW (R2, R3), 8(R16)
	STPW (R12, R13), 16(R16)
	STPW (R14, R15), 24(R16)
	RET
