//go:build !purego

#include "textflag.h"

// func fillStack(n int)
TEXT ·fillStack(SB), NOSPLIT|NOFRAME, $0-8
	MOVD n+0(FP), R1
	MOVD RSP, R2
	SUB  $16, R2, R2 // where a caller keeps its frame pointer
	SUB  R1, R2, R3
	MOVD $0xa5, R4
fill:
	MOVB R4, (R3)
	ADD  $1, R3, R3
	CMP  R3, R2
	BNE  fill
	RET

// func readStack(dst *byte, n int)
TEXT ·readStack(SB), NOSPLIT|NOFRAME, $0-16
	MOVD dst+0(FP), R0
	MOVD n+8(FP), R1
	MOVD RSP, R2
	SUB  $16, R2, R2
	SUB  R1, R2, R3
read:
	MOVBU (R3), R4
	MOVB  R4, (R0)
	ADD   $1, R3, R3
	ADD   $1, R0, R0
	CMP   R3, R2
	BNE   read
	RET
