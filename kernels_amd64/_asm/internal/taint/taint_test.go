package taint

import (
	"strings"
	"testing"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/pass"
	. "github.com/mmcloughlin/avo/reg"
)

// check runs the analysis on a function whose body emit builds.
func analyse(t *testing.T, signature, decides string, wiped bool, emit func(c *build.Context)) error {
	t.Helper()
	c := build.NewContext()
	c.Function("f")
	c.Attributes(attr.NOSPLIT)
	c.SignatureExpr(signature)
	emit(c)
	c.RET()
	f, err := c.Result()
	if err != nil {
		t.Fatal(err)
	}
	if err := pass.Compile.Execute(f); err != nil {
		t.Fatal(err)
	}
	return Check(f.Functions()[0], strings.Fields(decides), wiped)
}

const signature = "func(key *[64]byte, table *[256]byte, n int, x uint64) uint64"

// load brings the arguments to RSI, RDI, RCX and RAX.
func load(c *build.Context) {
	c.Load(c.Param("key"), RSI)
	c.Load(c.Param("table"), RDI)
	c.Load(c.Param("n"), RCX)
	c.Load(c.Param("x"), RAX)
}

// leaks are functions that must be refused. key, table and x are secret, n is not.
var leaks = []struct {
	name, why string
	emit      func(c *build.Context)
}{
	{"a branch on a secret argument", "a branch on a secret", func(c *build.Context) {
		c.TESTQ(RAX, RAX)
		c.JZ(LabelRef("end"))
		c.INCQ(RAX)
		c.Label("end")
	}},
	{"a branch on secret memory", "a branch on a secret", func(c *build.Context) {
		c.CMPB(Mem{Base: RSI, Disp: 3}, Imm(5))
		c.JA(LabelRef("end"))
		c.INCQ(RAX)
		c.Label("end")
	}},
	{"a table lookup", "a secret in an address", func(c *build.Context) {
		c.MOVBQZX(Mem{Base: RSI}, RBX)
		c.MOVQ(Mem{Base: RDI, Index: RBX, Scale: 8}, RAX)
	}},
	{"a lookup in constants", "a secret in an address", func(c *build.Context) {
		data := c.ConstData("sbox", U64(1))
		c.LEAQ(data, RDX)
		c.MOVQ(Mem{Base: RDX, Index: RAX, Scale: 1}, RAX)
	}},
	{"a store to a secret place", "a secret in an address", func(c *build.Context) {
		c.ADDQ(RAX, RDI)
		c.MOVQ(RCX, Mem{Base: RDI})
	}},
	{"a prefetch of a secret place", "not in the table", func(c *build.Context) {
		c.PREFETCHT0(Mem{Base: RDI, Index: RAX, Scale: 1})
	}},
	{"a secret that went through a stack slot", "a secret in an address", func(c *build.Context) {
		slot := c.AllocLocal(16).Offset(8)
		c.SHLQ(Imm(3), RAX)
		c.MOVQ(RAX, slot)
		c.XORQ(RAX, RAX)
		c.MOVQ(slot, RBX)
		c.MOVQ(Mem{Base: RDI, Index: RBX, Scale: 1}, RAX)
	}},
	{"half of a stack slot", "a branch on a secret", func(c *build.Context) {
		slot := c.AllocLocal(16)
		c.MOVQ(RCX, slot)
		c.MOVL(EAX, slot.Offset(4))
		c.CMPQ(slot, Imm(7))
		c.JB(LabelRef("end"))
		c.INCQ(RAX)
		c.Label("end")
	}},
	{"a slot in an aligned part of the frame", "a branch on a secret", func(c *build.Context) {
		frame := c.AllocLocal(192)
		c.LEAQ(frame.Offset(63), RDX)
		c.ANDQ(I32(-64), RDX)
		c.VPXOR(X0, X0, X0)
		c.VMOVDQU64(Z0, Mem{Base: RDX})
		c.VMOVDQU64(Z0, Mem{Base: RDX, Disp: 64})
		c.MOVQ(RAX, Mem{Base: RDX, Disp: 16})
		c.MOVQ(Mem{Base: RDX, Disp: 16}, RBX)
		c.TESTQ(RBX, RBX)
		c.JZ(LabelRef("end"))
		c.INCQ(RAX)
		c.Label("end")
	}},
	{"a slot that an aligned pointer may have overwritten", "a branch on a secret", func(c *build.Context) {
		frame := c.AllocLocal(128)
		c.MOVQ(RCX, frame.Offset(40))
		c.LEAQ(frame.Offset(63), RDX)
		c.ANDQ(I32(-64), RDX)
		c.MOVQ(RAX, Mem{Base: RDX, Disp: 8})
		c.MOVQ(frame.Offset(40), RBX)
		c.TESTQ(RBX, RBX)
		c.JZ(LabelRef("end"))
		c.INCQ(RAX)
		c.Label("end")
	}},
	{"memory that was never written", "a branch on a secret", func(c *build.Context) {
		c.CMPQ(c.AllocLocal(8), Imm(0))
		c.JE(LabelRef("end"))
		c.INCQ(RAX)
		c.Label("end")
	}},
	{"a register that was never written", "a branch on a secret", func(c *build.Context) {
		c.TESTQ(R11, R11)
		c.JE(LabelRef("end"))
		c.INCQ(RAX)
		c.Label("end")
	}},
	{"KORTEST", "a branch on a secret", func(c *build.Context) {
		c.VMOVDQU64(Mem{Base: RSI}, Z1)
		c.VPTESTMQ(Z1, Z1, K1)
		c.KORTESTB(K1, K1)
		c.JZ(LabelRef("end"))
		c.INCQ(RAX)
		c.Label("end")
	}},
	{"an opmask in a general register", "a branch on a secret", func(c *build.Context) {
		c.VMOVDQU64(Mem{Base: RSI}, Z1)
		c.VPXORQ(Z2, Z2, Z2)
		c.VPCMPEQQ(Z1, Z2, K1)
		c.KMOVB(K1, EBX)
		c.CMPL(EBX, Imm(255))
		c.JNE(LabelRef("end"))
		c.INCQ(RAX)
		c.Label("end")
	}},
	{"VPTEST", "a branch on a secret", func(c *build.Context) {
		c.VMOVDQU(Mem{Base: RSI}, Y1)
		c.VPTEST(Y1, Y1)
		c.JZ(LabelRef("end"))
		c.INCQ(RAX)
		c.Label("end")
	}},
	{"a load under a secret opmask", "a secret opmask decides which memory is touched", func(c *build.Context) {
		c.KMOVQ(RAX, K1)
		c.VMOVDQU8_Z(Mem{Base: RDI}, K1, Z1)
	}},
	{"a store under a secret opmask", "a secret opmask decides which memory is touched", func(c *build.Context) {
		c.KMOVQ(RAX, K1)
		c.VPXORQ(Z1, Z1, Z1)
		c.VMOVDQU8(Z1, K1, Mem{Base: RDI})
	}},
	{"a gather", "a secret in an address", func(c *build.Context) {
		c.VMOVDQU64(Mem{Base: RSI}, Z1)
		c.KXNORB(K1, K1, K1)
		c.VPGATHERQQ(Mem{Base: RDI, Index: Z1, Scale: 8}, K1, Z2)
	}},
	{"the carry of a secret addition", "a branch on a secret", func(c *build.Context) {
		c.ADDQ(Mem{Base: RSI}, RAX)
		c.JC(LabelRef("end"))
		c.INCQ(RCX)
		c.Label("end")
	}},
	{"the carry by way of ADC", "a branch on a secret", func(c *build.Context) {
		c.MOVQ(U32(0), RBX)
		c.ADDQ(Mem{Base: RSI}, RAX)
		c.ADCQ(Imm(0), RBX)
		c.CMPQ(RBX, Imm(0))
		c.JNE(LabelRef("end"))
		c.INCQ(RCX)
		c.Label("end")
	}},
	{"the carry by way of SBB", "a secret in an address", func(c *build.Context) {
		c.CMPQ(RAX, Imm(9))
		c.SBBQ(RBX, RBX)
		c.ANDQ(Imm(64), RBX)
		c.MOVQ(Mem{Base: RDI, Index: RBX, Scale: 1}, RAX)
	}},
	{"the carry by way of ADCX past an addition that keeps it", "a branch on a secret", func(c *build.Context) {
		c.XORL(EBX, EBX)
		c.ADCXQ(RAX, RAX)
		c.ADOXQ(RCX, RBX)
		c.JC(LabelRef("end"))
		c.INCQ(RCX)
		c.Label("end")
	}},
	{"a flag that INC leaves alone", "a branch on a secret", func(c *build.Context) {
		c.CMPQ(RAX, Imm(9))
		c.INCQ(RCX)
		c.JB(LabelRef("end"))
		c.INCQ(RCX)
		c.Label("end")
	}},
	{"a conditional move into an address", "a secret in an address", func(c *build.Context) {
		c.TESTQ(RAX, RAX)
		c.CMOVQEQ(RSI, RDI)
		c.MOVQ(Mem{Base: RDI}, RAX)
	}},
	{"SETcc", "a branch on a secret", func(c *build.Context) {
		c.XORL(EBX, EBX)
		c.TESTQ(RAX, RAX)
		c.SETNE(BL)
		c.CMPB(BL, Imm(1))
		c.JE(LabelRef("end"))
		c.INCQ(RAX)
		c.Label("end")
	}},
	{"one byte of a register", "a branch on a secret", func(c *build.Context) {
		c.XORL(EBX, EBX)
		c.MOVB(AL, BL)
		c.SHRQ(Imm(1), RBX)
		c.JZ(LabelRef("end"))
		c.INCQ(RAX)
		c.Label("end")
	}},
	{"the upper lanes of a vector", "a branch on a secret", func(c *build.Context) {
		c.VMOVDQU(Mem{Base: RSI}, Y1)
		c.PXOR(X1, X1)
		c.VEXTRACTI128(U8(1), Y1, X2)
		c.VMOVQ(X2, RBX)
		c.TESTQ(RBX, RBX)
		c.JZ(LabelRef("end"))
		c.INCQ(RAX)
		c.Label("end")
	}},
	{"lanes that an opmask keeps", "a branch on a secret", func(c *build.Context) {
		c.VMOVDQU64(Mem{Base: RSI}, Z1)
		c.VPXORQ(Z2, Z2, Z2)
		c.KMOVB(ECX, K1)
		c.VMOVDQA64(Z2, K1, Z1)
		c.VMOVQ(X1, RBX)
		c.TESTQ(RBX, RBX)
		c.JZ(LabelRef("end"))
		c.INCQ(RAX)
		c.Label("end")
	}},
	{"constants that an opmask selects", "a branch on a secret", func(c *build.Context) {
		c.VPTERNLOGQ(U8(0xff), Z2, Z2, Z2)
		c.KMOVB(EAX, K1)
		c.VMOVDQA64_Z(Z2, K1, Z1)
		c.VMOVQ(X1, RBX)
		c.TESTQ(RBX, RBX)
		c.JZ(LabelRef("end"))
		c.INCQ(RAX)
		c.Label("end")
	}},
	{"a store somewhere into the frame", "a branch on a secret", func(c *build.Context) {
		frame := c.AllocLocal(64)
		c.MOVQ(RCX, frame.Offset(48))
		c.LEAQ(frame.Offset(16), RDX)
		c.ADDQ(RCX, RDX)
		c.MOVQ(RAX, Mem{Base: RDX})
		c.CMPQ(frame.Offset(48), Imm(1))
		c.JE(LabelRef("end"))
		c.INCQ(RAX)
		c.Label("end")
	}},
	{"division", "variable latency", func(c *build.Context) {
		c.XORL(EDX, EDX)
		c.DIVQ(RCX)
	}},
	{"a division by a secret", "variable latency", func(c *build.Context) {
		c.MOVQ(RAX, RBX)
		c.MOVQ(RCX, RAX)
		c.XORL(EDX, EDX)
		c.DIVQ(RBX)
	}},
	{"a bit scan", "variable latency", func(c *build.Context) { c.BSRQ(RAX, RBX) }},
	{"PEXT", "variable latency", func(c *build.Context) { c.PEXTQ(RCX, RAX, RBX) }},
	{"VPCONFLICT", "variable latency", func(c *build.Context) {
		c.VMOVDQU64(Mem{Base: RSI}, Z1)
		c.VPCONFLICTQ(Z1, Z2)
	}},
	{"a leak in the second turn of a loop", "a branch on a secret", func(c *build.Context) {
		c.XORL(EBX, EBX)
		c.Label("next")
		c.TESTQ(RBX, RBX)
		c.JS(LabelRef("end"))
		c.MOVQ(RAX, RBX)
		c.DECQ(RCX)
		c.JNZ(LabelRef("next"))
		c.Label("end")
	}},
	{"a leak on one of two ways", "a branch on a secret", func(c *build.Context) {
		c.XORL(EBX, EBX)
		c.TESTQ(RCX, RCX)
		c.JZ(LabelRef("joined"))
		c.MOVQ(RAX, RBX)
		c.Label("joined")
		c.TESTQ(RBX, RBX)
		c.JZ(LabelRef("end"))
		c.INCQ(RAX)
		c.Label("end")
	}},
	{"the other argument by the difference of pointers", "unknown origin", func(c *build.Context) {
		c.SUBQ(RSI, RDI)
		c.MOVQ(Mem{Base: RSI, Index: RDI, Scale: 1}, RAX)
	}},
	{"a number as an address", "unknown origin", func(c *build.Context) { c.MOVQ(Mem{Base: RCX}, RAX) }},
	{"an unknown opcode", "not in the table", func(c *build.Context) { c.ADDSD(X0, X1) }},
	{"a store to a constant", "a store to a constant", func(c *build.Context) {
		data := c.ConstData("data", U64(1))
		c.MOVQ(RCX, data)
	}},
}

func TestLeaks(t *testing.T) {
	for _, l := range leaks {
		t.Run(l.name, func(t *testing.T) {
			err := analyse(t, signature, "n", false, func(c *build.Context) {
				load(c)
				l.emit(c)
			})
			if err == nil || !strings.Contains(err.Error(), l.why) {
				t.Errorf("the answer is %q, want %q", err, l.why)
			}
		})
	}
}

// TestPublic checks that what a leak is about passes where it is declared.
func TestPublic(t *testing.T) {
	for _, l := range leaks[:5] {
		t.Run(l.name, func(t *testing.T) {
			err := analyse(t, signature, "key table n x", false, func(c *build.Context) {
				load(c)
				l.emit(c)
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
}

// TestStoreToPublic checks that a secret cannot hide in memory that counts as public.
func TestStoreToPublic(t *testing.T) {
	err := analyse(t, signature, "n table", false, func(c *build.Context) {
		load(c)
		c.MOVQ(RAX, Mem{Base: RDI, Index: RCX, Scale: 1})
	})
	if err == nil || !strings.Contains(err.Error(), "a secret stored where table leads") {
		t.Errorf("the answer is %v", err)
	}
}

// TestWiped checks that a secret may not stay on the stack, on no path and in no place.
func TestWiped(t *testing.T) {
	frame := func(wipe func(c *build.Context, frame, aligned Mem)) error {
		return analyse(t, signature, "n", true, func(c *build.Context) {
			load(c)
			frame := c.AllocLocal(16 + 64 + 128)
			c.LEAQ(frame.Offset(16+63), RDX)
			c.ANDQ(I32(-64), RDX)
			aligned := Mem{Base: RDX}
			c.MOVQ(RCX, frame)
			c.MOVQ(RAX, frame.Offset(8))
			c.VMOVDQU64(Mem{Base: RSI}, Z1)
			c.VMOVDQA64(Z1, aligned)
			c.VMOVDQU(X1, aligned.Offset(64))
			wipe(c, frame, aligned)
		})
	}
	slot := func(c *build.Context, frame Mem) { c.MOVQ(U32(0), frame.Offset(8)) }
	vectors := func(c *build.Context, aligned Mem) {
		c.VPXOR(X0, X0, X0)
		c.VMOVDQA64(Z0, aligned)
		c.VMOVDQU(X0, aligned.Offset(64))
	}
	if err := frame(func(c *build.Context, frame, aligned Mem) {
		slot(c, frame)
		vectors(c, aligned)
	}); err != nil {
		t.Error(err)
	}
	if err := frame(func(c *build.Context, frame, aligned Mem) {
		c.VPXOR(X0, X0, X0)
		for i := 0; i < 208; i += 16 {
			c.VMOVDQU(X0, frame.Offset(i))
		}
	}); err != nil {
		t.Errorf("all of the frame is wiped: %v", err)
	}
	for name, wipe := range map[string]func(c *build.Context, frame, aligned Mem){
		"nothing":      func(c *build.Context, frame, aligned Mem) {},
		"slots only":   func(c *build.Context, frame, aligned Mem) { slot(c, frame) },
		"vectors only": func(c *build.Context, frame, aligned Mem) { vectors(c, aligned) },
		"half a slot": func(c *build.Context, frame, aligned Mem) {
			vectors(c, aligned)
			c.MOVL(ECX, frame.Offset(8))
		},
		"with a secret": func(c *build.Context, frame, aligned Mem) {
			vectors(c, aligned)
			c.MOVQ(RAX, frame.Offset(8))
		},
		"on one path": func(c *build.Context, frame, aligned Mem) {
			vectors(c, aligned)
			c.TESTQ(RCX, RCX)
			c.JZ(LabelRef("end"))
			slot(c, frame)
			c.Label("end")
		},
		"under an opmask": func(c *build.Context, frame, aligned Mem) {
			slot(c, frame)
			vectors(c, aligned)
			c.VMOVDQA64(Z1, aligned)
			c.KMOVB(ECX, K1)
			c.VMOVDQA64(Z0, K1, aligned)
		},
	} {
		if err := frame(wipe); err == nil || !strings.Contains(err.Error(), "a secret is left on the stack") {
			t.Errorf("%s: the answer is %v", name, err)
		}
	}
}

func TestUnknownArgument(t *testing.T) {
	if err := analyse(t, signature, "n m", false, func(*build.Context) {}); err == nil {
		t.Error("an argument that there is not may decide")
	}
}

// TestClean has what constant-time code does, in one function.
func TestClean(t *testing.T) {
	err := analyse(t, signature, "n", false, func(c *build.Context) {
		frame := c.AllocLocal(256)
		load(c)
		// Counters and pointers in slots, next to secrets.
		c.MOVQ(RCX, frame)
		c.MOVQ(RSI, frame.Offset(8))
		c.MOVQ(RAX, frame.Offset(16))
		c.LEAQ(frame.Offset(24+63), RDX)
		c.ANDQ(I32(-64), RDX)
		c.VPXORQ(Z0, Z0, Z0)
		c.VMOVDQA64(Z0, Mem{Base: RDX})
		c.Label("next")
		c.MOVQ(frame.Offset(8), RBX)
		c.VMOVDQU64(Mem{Base: RBX}, Z1)
		c.VPADDQ(Mem{Base: RDX}, Z1, Z1)
		c.VMOVDQA64(Z1, Mem{Base: RDX})
		c.ADDQ(Imm(64), frame.Offset(16))
		c.ADDQ(Imm(64), RBX)
		c.MOVQ(RBX, frame.Offset(8))
		c.DECQ(frame)
		c.JNZ(LabelRef("next"))
		// A selection by masks, of all of the table.
		c.VPBROADCASTQ(RAX, Z2)
		c.VPCMPEQQ(Z2, Z1, K1)
		c.VMOVDQU64(Mem{Base: RDI}, Z3)
		c.VMOVDQA64(Z3, K1, Z1)
		c.KORTESTB(K1, K1)
		c.SETEQ(BL)
		// A register that is public again, a mask of a length, a branch on both.
		c.Load(c.Param("n"), RAX)
		c.MOVQ(I32(-1), RBX)
		c.BZHIQ(RAX, RBX, RBX)
		c.KMOVQ(RBX, K2)
		c.VMOVDQU8(Z1, K2, Mem{Base: RDI, Index: RAX, Scale: 1})
		c.VPXORQ(Z4, Z4, Z4)
		c.VMOVQ(X4, RBX)
		c.CMPQ(RAX, RBX)
		c.JBE(LabelRef("end"))
		// Division of what is public.
		c.XORL(EDX, EDX)
		c.MOVQ(U32(7), RBX)
		c.DIVQ(RBX)
		c.MOVQ(Mem{Base: RDI, Index: RDX, Scale: 8}, RAX)
		c.Label("end")
		c.VZEROUPPER()
		c.Store(RAX, c.ReturnIndex(0))
	})
	if err != nil {
		t.Error(err)
	}
}

// TestPointersToPointers checks that what public pointers lead to is read, and secret.
func TestPointersToPointers(t *testing.T) {
	const signature = "func(entries **[8]uint64, n int)"
	walk := func(c *build.Context) {
		c.Load(c.Param("entries"), RSI)
		c.MOVQ(Mem{Base: RSI}, RDI)
		c.MOVQ(Mem{Base: RDI}, RAX)
	}
	if err := analyse(t, signature, "entries n", false, walk); err != nil {
		t.Error(err)
	}
	if err := analyse(t, signature, "n", false, walk); err == nil {
		t.Error("secret pointers are followed")
	}
	err := analyse(t, signature, "entries n", false, func(c *build.Context) {
		walk(c)
		c.TESTQ(RAX, RAX)
		c.JZ(LabelRef("end"))
		c.INCQ(RAX)
		c.Label("end")
	})
	if err == nil {
		t.Error("what the pointers lead to decides a branch")
	}
}

// TestMerging checks, for the opcodes that read what they write, that avo says so.
func TestMerging(t *testing.T) {
	c := build.NewContext()
	c.Function("f")
	c.SignatureExpr("func()")
	c.VPTERNLOGQ(U8(0x96), Z0, Z1, Z2)
	c.VPTERNLOGD(U8(0x96), Z0, Z1, Z2)
	c.VPMADD52LUQ(Z0, Z1, Z2)
	c.VPMADD52HUQ(Z0, Z1, Z2)
	c.VPERMI2Q(Z0, Z1, Z2)
	c.VPERMT2Q(Z0, Z1, Z2)
	c.PXOR(X0, X2)
	c.PADDD(X0, X2)
	c.PSHUFB(X0, X2)
	c.PUNPCKLLQ(X0, X2)
	c.PSLLL(U8(3), X2)
	c.ADDQ(RAX, RDX)
	c.CMOVQEQ(RAX, RDX)
	c.SHLQ(Imm(1), RDX)
	c.ADCXQ(RAX, RDX)
	c.IMULQ(RAX, RDX)
	c.BTSQ(RAX, RDX)
	c.SHRQ(Imm(1), RAX, RDX)
	c.RET()
	f, err := c.Result()
	if err != nil {
		t.Fatal(err)
	}
	for _, i := range f.Functions()[0].Instructions() {
		if i.IsTerminal {
			continue
		}
		last := i.Operands[len(i.Operands)-1]
		if !has(i.Inputs, last) || !has(i.Outputs, last) {
			t.Errorf("%s does not read and write its last operand", i.Opcode)
		}
	}
}

func has(list []Op, op Op) bool {
	for _, x := range list {
		if x == op {
			return true
		}
	}
	return false
}
