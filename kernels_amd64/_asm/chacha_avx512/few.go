package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"

	"github.com/fastcrypto-go/fastcrypto/kernels_amd64/_asm/internal/cc"
)

// few finishes a message of at most 64*blocks bytes, and more than 64*(blocks-2) unless
// blocks is 2, after the rounds and the additional data; blocks is 2, 4, 6 or 8. All of it
// is in registers: Poly1305 takes from there what is sealed, and what is opened before
// the key stream is ready.
func (k *kernel) few(blocks int) {
	p := k.p
	name := func(s string) string { return fmt.Sprintf("few%d%s", blocks, s) }
	b := k.rows((blocks+3)/4, 4-blocks%4)
	data := x[8 : 8+blocks]
	offset, edge := R14, RCX // bytes in front of the last, partial, register; and how many it has

	Label(name(""))
	Commentf("At most %d blocks: R8-R10 hold what was absorbed, Z0-Z%d rows after their rounds.", blocks, 4*((blocks+3)/4)-1)
	MOVQ(U64(1<<44-1), RAX)
	h := [3]GPPhysical{R11, R12, R13}
	cc.Limbs(p.H, RAX, h)
	// The last block counts as a whole one, padded with zeros.
	Load(Param("n"), RAX)
	ADDQ(Imm(15), RAX)
	SHRQ(Imm(4), RAX)
	k.v.FewTables(blocks/2, RAX, k.order, [8]VecPhysical(x[8:]))
	k.v.Inject(h)

	split := func() {
		Load(Param("n"), offset)
		MOVQ(offset, edge)
		ANDQ(Imm(63), edge)
		ANDQ(I32(-64), offset)
	}
	// chain runs whole for each register that is full and part for the one that is not.
	chain := func(label string, whole, part func(i int)) {
		for i := range blocks {
			if i >= blocks-2 { // the others are full
				CMPQ(offset, U32(uint32(64*(i+1))))
				JB(LabelRef(fmt.Sprintf("%s%d", label, i)))
			}
			whole(i)
		}
		JMP(LabelRef(label))
		for i := range blocks {
			if i >= blocks-2 {
				Label(fmt.Sprintf("%s%d", label, i))
				part(i)
				if i < blocks-1 {
					JMP(LabelRef(label))
				}
			}
		}
		Label(label)
	}

	Commentf("Z8-Z%d: the data. R14: bytes in front of the last register; CX: how many it has, K7;", 7+blocks)
	Comment("SI: where they are loaded from or stored to, in the text or a slot; R8: in the text.")
	k.pointers()
	split()
	k.mask(edge)
	at := RSI
	LEAQ(Mem{Base: src, Index: offset, Scale: 1}, at)
	k.lastOrSlot(name("Src"), at, edge, 0)
	chain(name("Load"),
		func(i int) { VMOVDQU64(Mem{Base: src, Disp: 64 * i}, data[i]) },
		func(i int) { VMOVDQU8_Z(Mem{Base: at}, K7, data[i]) })
	if k.open {
		k.fewTag(name("Tag"), data)
		k.pointers()
		split()
	}
	b.final()
	LEAQ(Mem{Base: dst, Index: offset, Scale: 1}, at)
	MOVQ(at, R8)
	k.lastOrSlot(name("Dst"), at, edge, -1)
	chain(name("Store"),
		func(i int) {
			VPXORD(data[i], x[i], x[i])
			VMOVDQU64(x[i], Mem{Base: dst, Disp: 64 * i})
		},
		func(i int) {
			VPXORD(data[i], x[i], x[i])
			VMOVDQU8(x[i], K7, Mem{Base: at})
			if !k.open {
				VMOVDQU8_Z(x[i], K7, x[i])
			}
		})
	k.edgeOut(name("Out"), R8, at, edge)
	if !k.open {
		k.fewTag(name("Tag"), x[:blocks])
	}
	if k.open { // the plaintext was in slots since
		k.wipeTables(Z0)
	}
	k.wipeFront()
	VZEROUPPER()
	RET()
}

// lastOrSlot is edge, and takes the slot also if n is zero: then p may be where the
// memory ends.
func (k *kernel) lastOrSlot(label string, p, n GPPhysical, in int) {
	k.edge(label, p, n, in)
	LEAQ(k.slot(-in), RAX)
	TESTQ(n, n)
	CMOVQEQ(RAX, p)
}

// fewTag absorbs the ciphertext in m, padded with zeros, and the lengths, and writes
// the tag. All general registers but table are clobbered.
func (k *kernel) fewTag(label string, m []VecPhysical) {
	p := k.p
	t := [2]GPPhysical{RAX, RBX}
	Comment("Each block by its power of r from the tables, then the lengths.")
	Load(Param("n"), RAX)
	TESTQ(RAX, RAX)
	JZ(LabelRef(label + "None"))
	k.v.Few(m, p.H, t)
	JMP(LabelRef(label + "Lengths"))
	Label(label + "None")
	k.v.Injected(p.H, t)
	Label(label + "Lengths")
	if !k.open {
		// Here what clears the tables does not wait for the last products.
		k.wipeTables(Z21)
	}
	for i := range 2 {
		MOVQ(k.r[i], p.R[i].(Register))
	}
	MOVQ(k.r[2], p.S.(Register))
	cc.FinishTag(p, k.s)
	k.tables()
}
