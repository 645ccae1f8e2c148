// The body of GCMSealBlocks and GCMOpenBlocks: part of a message. On entry DST, SRC,
// LEN (not 0), KEYS, ROUNDS and TABLE are set, and R13 and R20 point to the counter
// block and the GHASH state.

	FRAME
	LOADKEYS
	LOADINC
	VLD1   (R13), [CTR.B16]
	VREV32 CTR.B16, CTR.B16
	VLD1   (R20), [HI.B16]
	VREV64 HI.B16, HI.B16
	VEOR   MID.B16, MID.B16, MID.B16

	SUBS $128, LEN, LEN
	BLT  few

	FIRSTSTRIDE

stride:
	HASHNOW
	COUNTERS8
	ADDCTR8
	STRIDE
	MIDDLE(AES8, laststride)
	XOR8
	HASHNEXT
	STORE8
	SUBS $128, LEN, LEN
	BGE  stride

strided:
	ADD $128, LEN, LEN
	CMP $64, LEN
	BGT tail8
	HASHLAST
	CBZ LEN, done
	COUNTERS4
	FIRST9(AES4)
	MIDDLE(AES4, lasttail4)
	LAST4
	B   tail

tail8:
	COUNTERS8
	TAIL9
	MIDDLE(AES8, lasttail8)
	LAST8

	B tail

few:
	ADD $128, LEN, LEN
	CMP $64, LEN
	BGT few8
	COUNTERS4
	FIRST9(AES4)
	MIDDLE(AES4, lastfew4)
	LAST4
	B   tail

few8:
	COUNTERS8
	FIRST9(AES8)
	MIDDLE(AES8, lastfew8)
	LAST8

tail:
	ADD $15, LEN, COUNT
	LSR $4, COUNT, COUNT
	SETGROUP(taileven)
	COMBINE
	GROUP(lastgroup)

done:
	VEOR   HI.B16, MID.B16, T0.B16
	VREV64 T0.B16, T0.B16
	VST1   [T0.B16], (R20)
	WIPE
	RET
