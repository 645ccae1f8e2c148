// The body of GCMSeal and GCMOpen: a whole message. On entry DST, SRC, LEN, KEYS,
// ROUNDS, TABLE, AD, ADLEN and J0LEN are set, and R13 points to J0 or a
// 12-byte nonce; at the end
// LOADTAG points R13 to the tag.
//
// Up to 112 bytes, all counter blocks and J0 are encrypted together, and additional
// data, ciphertext and lengths are one group of GHASH (two or more where the
// additional data is long). Beyond, the first eight counter blocks are J0 − 1, J0 and
// the message's first six, so that with a 12-byte nonce every later stride of eight
// starts at a multiple of 8; the first group of GHASH is up to two blocks of
// additional data and those six. Sealing hashes the stride before while it encrypts
// the next; opening hashes the stride that it decrypts.

	FRAME
	LOADKEYS
	LOADINC
	CMP    $12, J0LEN
	BEQ    nonce12
	VLD1   (R13), [CTR.B16]
	VREV32 CTR.B16, CTR.B16
	B      start

nonce12:
	// J0 is the nonce and a counter of 1.
	FMOVD  (R13), F22
	MOVWU  8(R13), R12
	ORR    $1<<56, R12, R12
	VMOV   R12, CTR.D[1]
	VREV32 CTR.B16, CTR.B16

start:
	LSL    $3, ADLEN, ADBITS
	LSL    $3, LEN, BITS
	VEOR   MID.B16, MID.B16, MID.B16
	VEOR   HI.B16, HI.B16, HI.B16

adstrides:
	CMP  $128, ADLEN
	BLT  adrest
	MOVD AD, HASHED
	GROUP8
	ADD  $128, AD, AD
	SUB  $128, ADLEN, ADLEN
	B    adstrides

adrest:
	// The rest of the additional data is a group of its own if it cannot join the
	// message's first.
	ADD  $15, ADLEN, R25
	LSR  $4, R25, R25
	ADD  $31, LEN, R12
	LSR  $4, R12, R12
	CMP  $112, LEN
	BLE  adcount
	MOVD $6, R12

adcount:
	ADD  R25, R12, COUNT
	CMP  $8, COUNT
	BLE  adfits
	MOVD R25, COUNT
	SETGROUP(adeven)
	STAGE(AD, ADLEN, adnext, adpart, adless8, adless4, adparted, adstaged)
	GROUP(adalone)
	MOVD ZR, R25

adfits:
	CMP $112, LEN
	BGT long

	// Short: key stream of J0 and up to seven blocks. COUNT is right unless the
	// additional data was a group of its own.
	ADD $31, LEN, COUNT
	LSR $4, COUNT, COUNT
	ADD R25, COUNT, COUNT
	SETGROUP(shorteven)
	STAGE(AD, ADLEN, shortnext, shortpart, shortless8, shortless4, shortparted, shortstaged)
	CMP $48, LEN
	BGT short8
	CMP $16, LEN
	BGT short4
	FIRST2
	FIRST9(AES2)
	MIDDLE(AES2, last2)
	LAST2
	VEOR KB.B16, B1.B16, INC.B16
	B    combine

short4:
	FIRST4
	FIRST9(AES4)
	MIDDLE(AES4, last4)
	LAST4
	VEOR KB.B16, B3.B16, INC.B16
	B    combine

short8:
	FIRST8
	FIRST9(AES8)
	MIDDLE(AES8, last8)
	LAST8
	VEOR KB.B16, B7.B16, INC.B16
	B    combine

long:
	BEFORE8
	VUSHR  $24, INC.S4, T0.S4
	VSUB   T0.S4, CTR.S4, CTR.S4
	ADDCTR8
	FIRST9(AES8)
	MIDDLE(AES8, lastfirst)
	LAST8
	VEOR   KB.B16, B1.B16, B1.B16
	ADD    $128, BUF, R11
	VST1   [B1.B16], (R11)
	VLD1.P 64(SRC), [T0.B16, T1.B16, T2.B16, T3.B16]
	VLD1.P 32(SRC), [T4.B16, T5.B16]
	XOR3(KB, T0, B2)
	XOR3(KB, T1, B3)
	XOR3(KB, T2, B4)
	XOR3(KB, T3, B5)
	XOR3(KB, T4, B6)
	XOR3(KB, T5, B7)
	VST1.P [B2.B16, B3.B16, B4.B16, B5.B16], 64(DST)
	VST1.P [B6.B16, B7.B16], 32(DST)
	ADD    $32, BUF, R11
	VST1.P FIRST4OF6, 64(R11)
	VST1   LAST2OF6, (R11)

	// The buffer's first two blocks: additional data or zeros before it. Up to 32
	// bytes of it have left the state zero; otherwise the state is added to the
	// first block behind the zeros.
	STP  (ZR, ZR), (BUF)
	STP  (ZR, ZR), 16(BUF)
	ADD  $32, BUF, SLOT
	SUB  R25<<4, SLOT, SLOT
	MOVD SLOT, R13
	STAGE(AD, ADLEN, longnext, longpart, longless8, longless4, longparted, longstaged)
	CMP  $256, ADBITS
	BLS  longfirst
	VLD1 (R13), [T0.B16]
	VEOR HI.B16, MID.B16, T1.B16
	VREV64 T1.B16, T1.B16
	VEOR T1.B16, T0.B16, T0.B16
	VST1 [T0.B16], (R13)
	VEOR MID.B16, MID.B16, MID.B16
	VEOR HI.B16, HI.B16, HI.B16

longfirst:
	MOVD BUF, HASHED
	HASHFIRST

	SUB  $224, LEN, LEN
	TBNZ $63, LEN, strided
	CMP  $12, J0LEN
	BNE  anystride

	// Invariant of both loops: LEN + 128 bytes are left; HASHED is the group before
	// (sealing), not yet hashed.
alignedstride:
	HASHNOW
	ALIGNED8
	STRIDE
	MIDDLE(AES8, lastaligned)
	XOR8
	HASHNEXT
	STORE8
	SUBS $128, LEN, LEN
	BGE  alignedstride
	B    strided

anystride:
	HASHNOW
	COUNTERS8
	ADDCTR8
	STRIDE
	MIDDLE(AES8, lastany)
	XOR8
	HASHNEXT
	STORE8
	SUBS $128, LEN, LEN
	BGE  anystride

strided:
	ADD $128, LEN, LEN
	CMP $64, LEN
	BGT tail8
	HASHLAST
	CBZ LEN, tail
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

tail:
	// Up to 127 bytes and the lengths: where these do not fit too they follow alone.
	ADD  $31, LEN, COUNT
	LSR  $4, COUNT, COUNT
	MOVD $8, R11
	CMP  R11, COUNT
	CSEL LT, COUNT, R11, COUNT
	SETGROUP(taileven)
	ADD  $128, BUF, R11
	VLD1 (R11), [INC.B16]

combine:
	// INC is E(K, J0) from here on.
	COMBINE
	ADD  $128, BUF, R11
	CMP  R11, SLOT
	BNE  lengths
	GROUP(fullgroup)
	MOVD $1, COUNT
	SETGROUP(fulleven)

lengths:
	REV  ADBITS, R11
	REV  BITS, R12
	STP  (R11, R12), (SLOT)
	GROUP(lastgroup)
	VEOR   HI.B16, MID.B16, T0.B16
	VREV64 T0.B16, T0.B16
	VEOR   INC.B16, T0.B16, T0.B16
	LOADTAG
	VST1   [T0.B16], (R13)
	WIPE
	RET
