//go:build !purego

#include "textflag.h"

// func begin()
TEXT ·begin(SB), NOSPLIT, $0-0
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
	MOVD secret+0(FP), R0
	MOVD $1, R1
	TBZ  $0, R0, even
	ADD  $2, R1, R1

even:
	MOVD R1, ret+16(FP)
	RET

// func leakyLookup(secret uint64, table *[256]byte) uint64
TEXT ·leakyLookup(SB), NOSPLIT, $0-24
	MOVD  secret+0(FP), R0
	MOVD  table+8(FP), R1
	AND   $63, R0, R0
	MOVBU (R1)(R0), R0
	MOVD  R0, ret+16(FP)
	RET

// func leakyLoop(secret uint64, table *[256]byte) uint64
TEXT ·leakyLoop(SB), NOSPLIT, $0-24
	MOVD secret+0(FP), R0
	AND  $15, R0, R0
	MOVD ZR, R1

more:
	ADD  $1, R1, R1
	SUBS $1, R0, R0
	BGE  more
	MOVD R1, ret+16(FP)
	RET
