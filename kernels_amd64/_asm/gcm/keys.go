package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"

	"github.com/fastcrypto-go/fastcrypto/kernels_amd64/_asm/internal/contract"
)

// expandKey generates the key schedule. AESENCLAST on a word repeated four times does
// the SubWord, RotWord and Rcon of FIPS 197, section 5.2: ShiftRows moves nothing
// where all columns are the same, and the round constant is its round key. It takes
// fewer cycles than AESKEYGENASSIST, which AMD and recent Intel processors split up.
func expandKey() {
	// Bytes 13, 14, 15, 12 in each word: RotWord of the last word.
	rotate := constant("rotateLast", 0x0c0f0e0d0c0f0e0d, 0x0c0f0e0d0c0f0e0d)
	// The last word of AES-192's first eight bytes: bytes 5, 6, 7, 4.
	rotate192 := constant("rotateSecond", 0x0407060504070605, 0x0407060504070605)
	rcon := constant("rcon", 0x0000000100000001, 0x0000000100000001)

	contract.Function("AESExpandKey", NOSPLIT, "func(rk *[240]byte, key *byte, rounds int)", contract.Contract{
		Computes: "AESExpandKey sets rk to the round keys of key, of AES for encryption.",
		Source:   "FIPS 197, section 5.2.",
		Arguments: `key has 16, 24 or 32 bytes for rounds 10, 12 or 14; rk receives rounds+1 keys of 16
			bytes in the byte order of the specification, and the rest of it is not touched.`,
		Aliasing: "nothing overlaps.",
		Bounds:   "reads the key and writes the round keys, and nothing beyond.",
		Secret:   "key and rk.",
		Decides:  "rounds",
		Leaves:   "round keys in X0–X5.",
	})
	Load(Param("rk"), rk)
	Load(Param("key"), src)
	Load(Param("rounds"), rounds)
	a, b, t, u, rot, rc, zero := X0, X1, X2, X3, X4, X5, X6
	VMOVDQU(rcon, rc)
	VPXOR(zero, zero, zero)
	VMOVDQU(Mem{Base: src}, a)
	VMOVDQU(a, Mem{Base: rk})

	// chain adds to each word of r the words before it, and t.
	chain := func(r VecPhysical) {
		VPSLLDQ(U8(4), r, u)
		VPXOR(u, r, r)
		VPSLLDQ(U8(8), r, u)
		VPXOR(u, r, r)
		VPXOR(t, r, r)
	}
	CMPQ(rounds, Imm(12))
	JE(LabelRef("aes192"))
	VMOVDQU(rotate, rot)
	JA(LabelRef("aes256"))

	Comment("AES-128: each key from the one before.")
	for i := 1; i <= 10; i++ {
		if i == 9 {
			Comment("The round constant is x^8 = x^4 + x^3 + x + 1 now.")
			nextRcon(rc, t)
		}
		VPSHUFB(rot, a, t)
		VAESENCLAST(rc, t, t)
		chain(a)
		VPADDD(rc, rc, rc)
		VMOVDQU(a, Mem{Base: rk, Disp: 16 * i})
	}
	RET()

	Label("aes192")
	Comment("AES-192: six words from the six before, two of them in b.")
	VMOVDQU(rotate192, rot)
	VMOVQ(Mem{Base: src, Disp: 16}, b)
	VMOVQ(b, Mem{Base: rk, Disp: 16})
	for i := 1; i <= 8; i++ {
		VPSHUFB(rot, b, t)
		VAESENCLAST(rc, t, t)
		chain(a)
		VPADDD(rc, rc, rc)
		VMOVDQU(a, Mem{Base: rk, Disp: 24 * i})
		if i < 8 {
			VPSHUFD(U8(0xff), a, t)
			VPSLLDQ(U8(4), b, u)
			VPXOR(u, b, b)
			VPXOR(t, b, b)
			VMOVQ(b, Mem{Base: rk, Disp: 24*i + 16})
		}
	}
	RET()

	Label("aes256")
	Comment("AES-256: keys from the two before; every other one without rotation and constant.")
	VMOVDQU(Mem{Base: src, Disp: 16}, b)
	VMOVDQU(b, Mem{Base: rk, Disp: 16})
	for i := 2; i <= 14; i += 2 {
		VPSHUFB(rot, b, t)
		VAESENCLAST(rc, t, t)
		chain(a)
		VPADDD(rc, rc, rc)
		VMOVDQU(a, Mem{Base: rk, Disp: 16 * i})
		if i < 14 {
			VPSHUFD(U8(0xff), a, t)
			VAESENCLAST(zero, t, t)
			chain(b)
			VMOVDQU(b, Mem{Base: rk, Disp: 16 * (i + 1)})
		}
	}
	RET()
}

// nextRcon sets the round constant to 0x1b after 0x80: all bytes but the lowest of
// each word are to be 0.
func nextRcon(rc, t VecPhysical) {
	MOVL(U32(0x1b), t0.As32())
	VMOVD(t0.As32(), rc)
	VPSHUFD(U8(0), rc, rc)
	_ = t
}
