//go:build !purego

#include "textflag.h"

// func begin()
TEXT ·begin(SB), NOSPLIT, $0-0
	CMPB ·stepping(SB), $0
	JEQ  done
	INT  $3

done:
	RET

// func end()
TEXT ·end(SB), NOSPLIT, $0-0
	RET

// func forget()
TEXT ·forget(SB), NOSPLIT, $0-0
	RET

// Each leaks its first argument in one way: through a branch, through the address of
// a table's entry, and through the number of a loop's rounds.

// func leakyBranch(secret uint64, table *[256]byte) uint64
TEXT ·leakyBranch(SB), NOSPLIT, $0-24
	MOVQ  secret+0(FP), AX
	MOVQ  $1, CX
	TESTQ $1, AX
	JEQ   even
	ADDQ  $2, CX

even:
	MOVQ CX, ret+16(FP)
	RET

// func leakyLookup(secret uint64, table *[256]byte) uint64
TEXT ·leakyLookup(SB), NOSPLIT, $0-24
	MOVQ    secret+0(FP), AX
	MOVQ    table+8(FP), CX
	ANDQ    $63, AX
	MOVBLZX (CX)(AX*1), AX
	MOVQ    AX, ret+16(FP)
	RET

// func leakyLoop(secret uint64, table *[256]byte) uint64
TEXT ·leakyLoop(SB), NOSPLIT, $0-24
	MOVQ secret+0(FP), AX
	ANDQ $15, AX
	XORQ CX, CX

more:
	INCQ CX
	SUBQ $1, AX
	JCC  more
	MOVQ CX, ret+16(FP)
	RET
