// The body of CTR: AES in counter mode. On entry DST, SRC, LEN (not 0), HIGH, LOW,
// KEYS and ROUNDS are set. HIGH and LOW are the counter, which is public, except for
// a single block: that may belong to an AES-GCM message whose nonce was hashed.

// CTR is a counter block with HIGH alone.
#define COUNTERBLOCK(B)    \
	REV  LOW, R12          \
	VMOV CTR.B16, B.B16    \
	VMOV R12, B.D[1]       \
	ADD  $1, LOW, LOW

	LOADKEYS
	LOADINC
	REV   HIGH, HIGH
	FMOVD HIGH, F22

stride:
	CMP $16, LEN
	BLE one

	// Adding in the last byte alone does unless one of the eight overflows it.
	AND  $255, LOW, R14
	CMP  $248, R14
	BGT  carry
	REV  LOW, R12
	VMOV CTR.B16, B0.B16
	VMOV R12, B0.D[1]
	CMP  $64, LEN
	BLE  few
	VADD INC.S4, B0.S4, B1.S4
	VADD INC.S4, B1.S4, B2.S4
	VADD INC.S4, B2.S4, B3.S4
	VADD INC.S4, B3.S4, B4.S4
	VADD INC.S4, B4.S4, B5.S4
	VADD INC.S4, B5.S4, B6.S4
	VADD INC.S4, B6.S4, B7.S4
	ADD  $8, LOW, LOW

counted:
	SUBS $128, LEN, LEN
	BLT  tail
	FIRST9(AES8)
	MIDDLE(AES8, laststride)
	XOR8
	STORE8
	CBNZ LEN, stride
	RET

carry:
	COUNTERBLOCK(B0)
	COUNTERBLOCK(B1)
	COUNTERBLOCK(B2)
	COUNTERBLOCK(B3)
	COUNTERBLOCK(B4)
	COUNTERBLOCK(B5)
	COUNTERBLOCK(B6)
	COUNTERBLOCK(B7)
	B counted

one:
	REV  LOW, R12
	VMOV CTR.B16, B0.B16
	VMOV R12, B0.D[1]
	VADD INC.S4, B0.S4, B1.S4 // of no use
	B    tail2

few:
	VADD INC.S4, B0.S4, B1.S4
	VADD INC.S4, B1.S4, B2.S4
	VADD INC.S4, B2.S4, B3.S4
	CMP  $32, LEN
	BLE  tail2
	B    tail4

tail:
	ADD  $128, LEN, LEN
	CMP  $32, LEN
	BLE  tail2
	CMP  $64, LEN
	BLE  tail4
	FIRST9(AES8)
	MIDDLE(AES8, last8)
	LAST8
	B    combine

tail4:
	FIRST9(AES4)
	MIDDLE(AES4, last4)
	LAST4
	B combine

tail2:
	FIRST9(AES2)
	MIDDLE(AES2, last2)
	LAST2

combine:
	TBZ    $6, LEN, combine2
	VLD1.P 64(SRC), [T0.B16, T1.B16, T2.B16, T3.B16]
	XOR3(KB, T0, B0)
	XOR3(KB, T1, B1)
	XOR3(KB, T2, B2)
	XOR3(KB, T3, B3)
	VST1.P [B0.B16, B1.B16, B2.B16, B3.B16], 64(DST)
	CMP    $64, LEN
	BEQ    done
	VMOV   B4.B16, B0.B16
	VMOV   B5.B16, B1.B16
	VMOV   B6.B16, B2.B16
	VMOV   B7.B16, B3.B16

combine2:
	TBZ    $5, LEN, combine1
	VLD1.P 32(SRC), [T0.B16, T1.B16]
	XOR3(KB, T0, B0)
	XOR3(KB, T1, B1)
	VST1.P [B0.B16, B1.B16], 32(DST)
	VMOV   B2.B16, B0.B16
	VMOV   B3.B16, B1.B16

combine1:
	TBZ    $4, LEN, combinepart
	VLD1.P 16(SRC), [T0.B16]
	XOR3(KB, T0, B0)
	VST1.P [B0.B16], 16(DST)
	VMOV   B1.B16, B0.B16

combinepart:
	ANDS $15, LEN, LEN
	BEQ  done
	VEOR KB.B16, B0.B16, B0.B16
	LOADBYTES(SRC, LEN, R14, R15, R11, R12, loadless8, loadless4, loaded)
	VMOV B0.D[0], R11
	VMOV B0.D[1], R12
	EOR  R11, R14, R14
	EOR  R12, R15, R15
	STOREBYTES(DST, LEN, R14, R15, R11, R12, R13, storeless8, storeless4, stored)

done:
	RET
