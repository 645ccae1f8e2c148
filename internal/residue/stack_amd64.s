//go:build !purego

#include "textflag.h"

// func fillStack(n int)
TEXT ·fillStack(SB), NOSPLIT, $0-8
	MOVQ n+0(FP), CX
	LEAQ -8(SP), DI
	SUBQ CX, DI
	MOVB $0xA5, AX
	CLD
	REP; STOSB
	RET

// func readStack(dst *byte, n int)
TEXT ·readStack(SB), NOSPLIT, $0-16
	MOVQ dst+0(FP), DI
	MOVQ n+8(FP), CX
	LEAQ -8(SP), SI
	SUBQ CX, SI
	CLD
	REP; MOVSB
	RET
