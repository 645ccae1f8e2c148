package main

import (
	"fmt"
	"strings"
	"unicode/utf8"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// General registers, the same in every function.
var (
	dst, src, n = RDI, RSI, RDX
	rk, rounds  = R8, R9
	table, pow  = R10, R11 // table, and the power of the next block to hash
	ad, adLen   = R12, R13
	t0, t1, t2  = RAX, RBX, RCX
	sums        = t1 // of powers, while they are in the frame
)

// polynomial is GHASH's x^128 + x^7 + x^2 + x + 1 without x^128 in reflected order,
// the coefficient of x^0 highest: 1, x, x^2, x^7, times x.
const polynomial = 0xc200000000000000

// emit emits ops.
func emit(ops []func()) {
	for _, op := range ops {
		op()
	}
}

// spread deals ops out evenly over calls of next; rest emits what remains.
func spread(ops []func(), calls int) (next, rest func()) {
	done, called := 0, 0
	next = func() {
		called++
		for done < len(ops) && done*calls < called*len(ops) {
			ops[done]()
			done++
		}
	}
	rest = func() { emit(ops[done:]) }
	return next, rest
}

// hashKey encrypts the zero block, stores it at param h and sets r to it,
// byte-reversed and times x: then a carry-less product of two reflected factors
// comes out reflected too, without a shift.
func hashKey(r, a, b VecPhysical, swap, carry Mem) {
	Load(Param("rk"), rk)
	Load(Param("rounds"), rounds)
	Load(Param("h"), t1)
	Comment("H = E(K, 0).")
	VMOVDQU(Mem{Base: rk}, r)
	DECQ(rounds)
	Label("round")
	ADDQ(Imm(16), rk)
	VAESENC(Mem{Base: rk}, r, r)
	DECQ(rounds)
	JNZ(LabelRef("round"))
	VAESENCLAST(Mem{Base: rk, Disp: 16}, r, r)
	VMOVDQU(r, Mem{Base: t1})
	VPSHUFB(swap, r, r)
	Comment("H times x: shift left by one bit; what falls out comes back as the polynomial.")
	VPSRAD(U8(31), r, a)
	VPSHUFD(U8(0xff), a, a)
	VPAND(carry, a, a)
	VPSRLQ(U8(63), r, b)
	VPSLLDQ(U8(8), b, b)
	VPADDQ(r, r, r)
	VPOR(b, r, r)
	VPXOR(a, r, r)
}

func initSignature(size int) string {
	return fmt.Sprintf("func(table *[%d]byte, rk *[240]byte, rounds int, h *[16]byte)", size)
}

func messageSignature(size int) string {
	return fmt.Sprintf("func(dst, src *byte, n int, tag *[16]byte, nonce *byte, nonceLen int, ad *byte, adLen int, rk *[240]byte, rounds int, table *[%d]byte)", size)
}

func piecesSignature(size int) string {
	return fmt.Sprintf("func(dst, src *byte, n int, ctr, y *[16]byte, rk *[240]byte, rounds int, table *[%d]byte)", size)
}

func hashSignature(size int) string {
	return fmt.Sprintf("func(y *[16]byte, data *byte, n int, table *[%d]byte)", size)
}

const streamSignature = "func(dst, src *byte, n int, ctrHi, ctrLo uint64, rk *[240]byte, rounds int)"

// describe writes a stub's documentation, a paragraph for each argument, in lines of
// at most 85 characters.
func describe(paragraphs ...string) {
	var lines []string
	for i, p := range paragraphs {
		if i > 0 {
			lines = append(lines, "")
		}
		line := ""
		for _, word := range strings.Fields(p) {
			if line != "" && utf8.RuneCountInString(line+" "+word) > 85 {
				lines, line = append(lines, line), ""
			}
			line = strings.TrimSpace(line + " " + word)
		}
		lines = append(lines, line)
	}
	Doc(lines...)
}

func initDoc(name string, size int, layout []string, features, left string) {
	describe(
		name+" prepares GHASH for a key: h = E(K, 0^128) = H, and the powers of H.",
		strings.Join(layout, "\n"),
		"Source: NIST SP 800-38D, section 6.3; reflected arithmetic after Gueron and Kounavis,\nIntel carry-less multiplication. rk holds rounds+1 round keys of 16 bytes in the byte\norder of FIPS 197, rounds is 10, 12 or 14. Writes all of table and h; the arguments must\nnot overlap.",
		"Needs "+features+". Everything but rounds is secret; control flow depends on rounds only. "+left+".",
	)
}

const common = `No byte beyond the lengths is read or written; a pointer whose length is 0 is not used.
rk holds rounds+1 round keys of 16 bytes in the byte order of FIPS 197; rounds is 10, 12
or 14.`

const secrecy = `Keys, text and tag are secret; control flow and addresses depend on the lengths and on
rounds only.`

func messageDoc(name string, m mode, features, left string) {
	what, equation := "seals", "dst = src ⊕ GCTR(K, inc32(J0)), tag = GHASH(H, AD, dst) ⊕ E(K, J0)"
	aliasing := "dst and src have n bytes"
	if m == open {
		what, equation = "opens", "dst = src ⊕ GCTR(K, inc32(J0)), tag = GHASH(H, AD, src) ⊕ E(K, J0)"
	}
	describe(
		name+" "+what+" a whole message of AES-GCM:", equation+".",
		"Source: NIST SP 800-38D, section 7. "+aliasing+", 0 ≤ n ≤ 2^36−32, and are equal or\ndisjoint. The additional data are adLen ≥ 0 bytes at ad, disjoint from dst. If nonceLen\nis 12, nonce points to 12 bytes and J0 is nonce ‖ 0^31 ‖ 1; if it is 16, to J0 itself.\ntag is written last. The caller compares it when opening. table is what the tier's\nGCMInit made of the key.\n"+common,
		"Needs "+features+". "+secrecy+"\n"+left+".",
	)
}

func piecesDoc(name string, m mode, features, left string) {
	what, equation := "seals", "dst = src ⊕ GCTR(K, ctr), y = GHASH of y and dst"
	if m == open {
		what, equation = "opens", "dst = src ⊕ GCTR(K, ctr), y = GHASH of y and src"
	}
	describe(
		name+" "+what+" blocks in the midst of an AES-GCM message:", equation+".",
		"Source: NIST SP 800-38D, section 7. dst and src have n bytes, a positive multiple of\n16, and are equal or disjoint. ctr is the counter block of the first block and is not\nchanged; its last 32 bits count. y is the state of GHASH in the byte order of the\nspecification. table is what the tier's GCMInit made of the key.\n"+common,
		"Needs "+features+". "+secrecy+"\n"+left+".",
	)
}

func hashDoc(name string, features, left string) {
	describe(
		name+" hashes data: y = (…((y ⊕ X1)·H ⊕ X2)·H … ⊕ Xm)·H.",
		"Source: NIST SP 800-38D, section 6.4. X1 … Xm are the n bytes at data, n ≥ 1, the last\nblock padded with zeros. y is the state in the byte order of the specification. table is\nwhat the tier's GCMInit made of the key. No byte beyond the lengths is read or written.",
		"Needs "+features+". y, data and table are secret; control flow and addresses depend on\nn only. "+left+".",
	)
}

func streamDoc(name string, features, left string) {
	describe(
		name+" adds AES key stream: block i of dst = block i of src ⊕ E(K, ctr + i).",
		"Source: NIST SP 800-38A, section 6.5. dst and src have n ≥ 1 bytes and are equal or\ndisjoint. ctr is ctrHi·2^64 + ctrLo, a big-endian number in the block. The sum does not\ncarry into ctrHi: the caller sees to it that ctrLo does not wrap.\n"+common,
		"Needs "+features+". "+secrecy+"\n"+left+".",
	)
}
