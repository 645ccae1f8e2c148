package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/attr"
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"

	"github.com/fastcrypto-go/fastcrypto/kernels_amd64/_asm/internal/contract"
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

// more are parameters behind the counter.
func chunksSignature(size, held int, more string) string {
	return fmt.Sprintf("func(dst, src *byte, n int, held *[%d]byte, holds int, j0 *[16]byte, ctr uint32, %sy *[16]byte, rk *[240]byte, rounds int, table *[%d]byte)", held, more, size)
}

func hashSignature(size int) string {
	return fmt.Sprintf("func(y *[16]byte, data *byte, n int, table *[%d]byte)", size)
}

func nonceSignature(size int) string {
	return fmt.Sprintf("func(j0 *[16]byte, nonce *byte, n int, table *[%d]byte)", size)
}

const streamSignature = "func(dst, src *byte, n int, ctrHi, ctrLo uint64, rk *[240]byte, rounds int)"

// What the stubs have in common.
const (
	roundKeys = ` rk holds rounds+1 round keys of 16 bytes in the byte order of FIPS 197; rounds is 10,
		12 or 14.`
	made    = " table is what the tier's GCMInit made of the key."
	lengths = "reads and writes nothing beyond the lengths; a pointer whose length is 0 is not used."
)

func textOf(m mode) (what, hashed, text string) {
	if m == open {
		return "opens", "src", "dst"
	}
	return "seals", "dst", "src"
}

func beginInit(name string, size int, layout, left string) {
	contract.Function(name, NOSPLIT, initSignature(size), contract.Contract{
		Computes: name + " prepares GHASH for a key: h = E(K, 0^128) = H, and the powers of H.\n\n" + layout,
		Source: `NIST SP 800-38D, section 6.3; reflected arithmetic after Gueron and Kounavis, Intel
			carry-less multiplication.`,
		Arguments: roundKeys + " h is in the byte order of the specification.",
		Aliasing:  "nothing overlaps.",
		Bounds:    "reads rounds+1 round keys; writes nothing beyond table and h.",
		Secret:    "rk, h and table.",
		Decides:   "rounds",
		Leaves:    left,
	})
}

func beginMessage(name string, attributes attr.Attribute, m mode, size int, left, places string) {
	what, hashed, text := textOf(m)
	contract.Function(name, attributes, messageSignature(size), contract.Contract{
		Computes: name + " " + what + " a whole message of AES-GCM:\n\ndst = src ⊕ GCTR(K, inc32(J0)), tag = GHASH(H, AD, " + hashed + ") ⊕ E(K, J0).",
		Source:   "NIST SP 800-38D, section 7.",
		Arguments: `dst and src have n bytes, 0 ≤ n ≤ 2^36−32. The additional data AD are adLen ≥ 0 bytes at
			ad. If nonceLen is 12, nonce points to 12 bytes and J0 is nonce ‖ 0^31 ‖ 1; if it is
			16, to J0 itself. tag is written last; the caller compares it when opening.` + made + roundKeys,
		Aliasing: `dst is src or does not overlap it; nonce may overlap dst, since it is read first; tag and
			dst overlap nothing else.`,
		Bounds: lengths,
		Secret: "rk, table, the plaintext (" + text + `) and tag, and a J0 that was hashed from a nonce, which
			would tell of the hash key.`,
		Decides: "n nonceLen adLen rounds",
		Places:  places,
		Leaves:  left,
	})
}

func beginPieces(name string, attributes attr.Attribute, m mode, size int, left, places string) {
	what, hashed, text := textOf(m)
	contract.Function(name, attributes, piecesSignature(size), contract.Contract{
		Computes: name + " " + what + " blocks in the midst of an AES-GCM message:\n\ndst = src ⊕ GCTR(K, ctr), y = GHASH of y and " + hashed + ".",
		Source:   "NIST SP 800-38D, section 7.",
		Arguments: `dst and src have n bytes, a positive multiple of 16. ctr is the counter block of the
			first block and is not changed; its last 32 bits count. y is the state of GHASH in
			the byte order of the specification.` + made + roundKeys,
		Aliasing: "dst is src or does not overlap it; y and dst overlap nothing else.",
		Bounds:   lengths,
		Secret:   "rk, table, the plaintext (" + text + "), ctr and y.",
		Decides:  "n rounds",
		Places:   places,
		Leaves:   left,
	})
}

// A chunksForm is what differs between the tiers' kernels for chunks.
type chunksForm struct {
	own, held int  // bytes at held: the kernel's own, and those that wait to be hashed
	low       bool // has the parameter low
}

func beginChunks(name string, form chunksForm, size int, left string) {
	arguments := fmt.Sprintf(`dst and src have n bytes, a positive multiple of %d. The counter block of
		the first block is the first 12 bytes of j0 and the word ctr, which alone counts, and
		wraps. y is the state of GHASH in the byte order of the specification. holds is %d, or
		0 if nothing is held: then held is not read. `, form.held, form.held)
	secret, decides, parameters := "rk, table, the plaintext (src), j0, ctr and y", "n holds rounds", ""
	if form.own > 0 {
		arguments += fmt.Sprintf(`The first %d bytes of held are the kernel's own and depend on table
			only; the %d behind them are the ciphertext held, and receive the last of dst.`, form.own, form.held)
		secret = "rk, table, the plaintext (src), j0, ctr, y and the kernel's own part of held"
	} else {
		arguments += "held is the ciphertext held, and receives the last of dst."
	}
	if form.low {
		arguments += ` low is the last byte of ctr, 0 to 255, if the nonce has 12 bytes, and 256 if J0 was
			hashed from it, which makes it secret.`
		decides, parameters = "n holds low rounds", "low int, "
	}
	contract.Function(name, NOSPLIT, chunksSignature(size, form.own+form.held, parameters), contract.Contract{
		Computes: name + fmt.Sprintf(` seals chunks in the midst of an AES-GCM message, and leaves the
			last %d bytes to be hashed by the next call:

			dst = src ⊕ GCTR(K, ctr), y = GHASH of y, the ciphertext held and all of dst but those.`, form.held),
		Source:    "NIST SP 800-38D, section 7.",
		Arguments: arguments + made + roundKeys,
		Aliasing:  "dst is src or does not overlap it; held, y and dst overlap nothing else.",
		Bounds:    lengths,
		Secret:    secret + ".",
		Decides:   decides,
		Leaves:    left,
	})
}

func beginHash(name string, attributes attr.Attribute, size int, left, places string) {
	contract.Function(name, attributes, hashSignature(size), contract.Contract{
		Computes: name + " hashes data: y = (…((y ⊕ X1)·H ⊕ X2)·H … ⊕ Xm)·H.",
		Source:   "NIST SP 800-38D, section 6.4.",
		Arguments: `X1 … Xm are the n bytes at data, n ≥ 1, the last block padded with zeros. y is the
			state in the byte order of the specification.` + made,
		Aliasing: "nothing overlaps y.",
		Bounds:   "reads and writes nothing beyond the lengths.",
		Secret:   "y, data and table.",
		Decides:  "n",
		Places:   places,
		Leaves:   left,
	})
}

// nonceSize is the longest nonce that the kernels for nonces take: the products of its
// blocks and of its length go into one sum.
const nonceSize = 128

func beginNonce(name string, attributes attr.Attribute, size int, left string) {
	contract.Function(name, attributes, nonceSignature(size), contract.Contract{
		Computes: name + " makes the counter block before the first from a nonce that has not 12 bytes:\n\nj0 = GHASH(H, nonce ‖ 0… ‖ [8n]64), the zeros up to the next block and 8 more.",
		Source:   "NIST SP 800-38D, section 7.1, step 2.",
		Arguments: fmt.Sprintf(`nonce has n bytes, 1 ≤ n ≤ %d. j0 is in the byte order of the
			specification.`, nonceSize) + made,
		Aliasing: "nothing overlaps.",
		Bounds:   "reads and writes nothing beyond the lengths.",
		Secret:   "table and j0, which would tell of the hash key.",
		Decides:  "n",
		Leaves:   left,
	})
}

// beginStream is for a kernel that may branch on the counter if it is one of decides.
func beginStream(name, decides, left, places string) {
	contract.Function(name, NOSPLIT, streamSignature, contract.Contract{
		Computes: name + " adds AES key stream: block i of dst = block i of src ⊕ E(K, ctr + i).",
		Source:   "NIST SP 800-38A, section 6.5.",
		Arguments: `dst and src have n ≥ 1 bytes. ctr is ctrHi·2^64 + ctrLo, a big-endian number in the
			block. The sum does not carry into ctrHi: the caller sees to it that ctrLo does not
			wrap.` + roundKeys,
		Aliasing: "dst is src or does not overlap it; dst overlaps nothing else.",
		Bounds:   lengths,
		Secret:   "rk, src and dst.",
		Decides:  decides,
		Places:   places,
		Leaves:   left,
	})
}

// again goes back to the label while a chunk remains, and if the tail makes a tag, while
// more than one does.
func again(label string, tag bool) {
	if tag {
		JA(LabelRef(label))
	} else {
		JAE(LabelRef(label))
	}
}
