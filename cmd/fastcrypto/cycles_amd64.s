#include "textflag.h"

// func cycles() uint64
//
// LFENCE waits for what came before, and keeps what follows from starting early.
TEXT ·cycles(SB), NOSPLIT, $0-8
	LFENCE
	RDTSC
	LFENCE
	SHLQ $32, DX
	ORQ  DX, AX
	MOVQ AX, ret+0(FP)
	RET
