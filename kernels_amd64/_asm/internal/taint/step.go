package taint

import (
	"strings"

	"github.com/mmcloughlin/avo/ir"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// step brings s from before an instruction to behind it.
func (a *analysis) step(c *ir.Instruction, s *state) {
	e, ok := opcodes[c.Opcode]
	if !ok {
		a.refuse("an opcode that is not in the table")
		return
	}
	lea := strings.HasPrefix(c.Opcode, "LEA")

	// What goes in.
	in := s.flags&e.reads != 0
	var masked, maskSecret, inMemory bool
	for i, op := range c.Operands {
		if r, ok := op.(reg.Register); ok && r.Kind() == reg.KindOpmask && i < len(c.Operands)-1 && !strings.HasPrefix(c.Opcode, "K") {
			masked, maskSecret = true, s.mask[number64(r)]
		}
		if m, ok := op.(operand.Mem); ok && !lea {
			inMemory = true
			a.places(s, m) // whether it is read, written, or only touched
		}
	}
	if masked && maskSecret && inMemory {
		a.refuse("a secret opmask decides which memory is touched")
	}
	var loaded value
	for _, op := range c.Inputs {
		switch op := op.(type) {
		case reg.Register:
			in = in || a.read(s, op)
		case operand.Mem:
			if lea {
				continue
			}
			loaded = a.load(s, op, a.size(c, e))
			in = in || loaded.secret
		}
	}
	if a.cancels(c, masked) {
		in = false
	}
	if strings.HasPrefix(c.Opcode, "SBB") && c.Operands[0] == c.Operands[1] {
		in = s.flags&carry != 0
	}

	if e.varies && in {
		a.refuse("a secret in an instruction of variable latency")
	}
	if c.IsBranch && c.IsConditional && in {
		a.refuse("a branch on a secret")
	}
	if c.IsBranch && c.TargetLabel() == nil {
		a.refuse("an indirect branch")
	}

	// Flags, from the state before the outputs change.
	f := e.writes
	var next flags
	if in {
		next = f
	}
	keeps := e.keeps
	if counted(c) {
		keeps &= adjust | overflow
	}
	next |= s.flags & keeps
	old := *s
	s.flags = s.flags&^f | next

	switch c.Opcode {
	case "RET":
		a.end(s)
		return
	case "VZEROUPPER", "VZEROALL":
		for i := range 16 {
			s.vec[i].rest = false
			if c.Opcode == "VZEROALL" {
				s.vec[i].low = false
			}
		}
		return
	}

	// What comes out.
	keepsOld := masked && !contains(c.Suffixes, "Z") || (c.Opcode == "MOVSS" || c.Opcode == "MOVSD") && allRegisters(c)
	for _, op := range c.Outputs {
		switch op := op.(type) {
		case operand.Mem:
			v := number(in)
			if c.Opcode == "MOVQ" {
				if r, ok := c.Operands[0].(reg.Register); ok && r.Kind() == reg.KindGP {
					v = old.gp[number64(r)]
				}
			}
			a.store(s, op, a.size(c, e), v, masked)
		case reg.Register:
			n := number64(op)
			switch op.Kind() {
			case reg.KindGP:
				v := a.general(c, &old, loaded, in)
				// Eight or sixteen bits leave the others as they were.
				if op.Size() < 4 {
					v = number(in || old.gp[n].secret)
				}
				s.gp[n] = v
			case reg.KindVector:
				was := old.vec[n]
				low := in || keepsOld && was.low
				rest := in || keepsOld && was.rest
				switch {
				case !strings.HasPrefix(c.Opcode, "V"):
					rest = was.rest
				case op.Size() == 16:
					rest = false
				}
				s.vec[n] = vector{low, rest}
			case reg.KindOpmask:
				s.mask[n] = in || keepsOld && old.mask[n]
			default:
				a.refuse("a register of unknown kind")
			}
		}
	}
}

// read reports whether a register holds a secret.
func (a *analysis) read(s *state, r reg.Register) bool {
	n := number64(r)
	switch r.Kind() {
	case reg.KindGP:
		return s.gp[n].secret
	case reg.KindVector:
		return s.vec[n].low || r.Size() > 16 && s.vec[n].rest
	case reg.KindOpmask:
		return s.mask[n]
	}
	a.refuse("a register of unknown kind")
	return true
}

// general returns the value of a general register that an instruction writes.
func (a *analysis) general(c *ir.Instruction, s *state, loaded value, in bool) value {
	// source returns the value of an operand.
	source := func(op operand.Op) (value, bool) {
		switch op := op.(type) {
		case reg.Register:
			if op.Kind() == reg.KindGP && op.Size() == 8 {
				return s.gp[number64(op)], true
			}
		case operand.Mem:
			return loaded, true
		}
		_, ok := constant(op)
		return number(false), ok
	}
	first := func() (value, bool) { return source(c.Operands[0]) }
	switch c.Opcode {
	case "MOVQ":
		if v, ok := first(); ok {
			return v
		}
	case "LEAQ":
		return a.sum(s, c.Operands[0].(operand.Mem))
	case "LEAL":
		return number(a.sum(s, c.Operands[0].(operand.Mem)).secret)
	case "INCQ", "DECQ":
		if v, ok := first(); ok {
			d := 1
			if c.Opcode == "DECQ" {
				d = -1
			}
			return v.moved(d)
		}
	case "ADDQ", "SUBQ":
		v, ok := first()
		w, also := source(c.Operands[1])
		if !ok || !also || a.cancels(c, false) {
			break
		}
		if n, ok := constant(c.Operands[0]); ok {
			if c.Opcode == "SUBQ" {
				n = -n
			}
			return w.moved(n)
		}
		if c.Opcode == "SUBQ" {
			return w.minus(v)
		}
		return w.plus(v)
	case "ANDQ":
		// A pointer into the frame, aligned.
		n, ok := constant(c.Operands[0])
		v, also := source(c.Operands[1])
		if ok && also && n < 0 && n >= -aligned && n&-n == -n && v.may == frame && v.at {
			v.off = (v.off+a.sp)&n - a.sp
			v.base = v.off
			return v
		}
	}
	if strings.HasPrefix(c.Opcode, "CMOVQ") {
		v, ok := first()
		w, also := source(c.Operands[1])
		if ok && also {
			v = v.join(w)
			v.secret = v.secret || in
			return v
		}
	}
	// Of pointers that are combined otherwise, nothing may be addressed.
	v := number(in)
	for _, op := range c.Inputs {
		if w, ok := source(op); ok && w.may != integer {
			v.may = opaque
		}
		if r, ok := op.(reg.Register); ok && r.Kind() == reg.KindGP && s.gp[number64(r)].may != integer {
			v.may = opaque
		}
	}
	if a.cancels(c, false) {
		v.may = integer
	}
	return v
}

// cancels reports whether an instruction's result does not depend on its inputs.
func (a *analysis) cancels(c *ir.Instruction, masked bool) bool {
	if masked {
		return false
	}
	if strings.HasPrefix(c.Opcode, "VPTERNLOG") {
		n, ok := constant(c.Operands[0])
		return ok && (n&0xff == 0xff || n&0xff == 0) && allRegisters(c)
	}
	if !cancels[c.Opcode] || len(c.Operands) < 2 {
		return false
	}
	x, ok := c.Operands[0].(reg.Register)
	y, also := c.Operands[1].(reg.Register)
	return ok && also && reg.Equal(x, y)
}

// size returns how many bytes of memory an instruction reads or writes.
func (a *analysis) size(c *ir.Instruction, e effect) int {
	if e.size != 0 {
		return e.size
	}
	if contains(c.Suffixes, "BCST") {
		if strings.HasSuffix(c.Opcode, "D") {
			return 4
		}
		return 8 // at least what is read: no store broadcasts
	}
	for _, op := range c.Operands {
		if r, ok := op.(reg.Register); ok && r.Kind() == reg.KindVector {
			return int(r.Size())
		}
	}
	switch {
	case strings.HasPrefix(c.Opcode, "MOVB"), strings.HasSuffix(c.Opcode, "B"):
		return 1
	case strings.HasPrefix(c.Opcode, "MOVW"):
		return 2
	case strings.HasPrefix(c.Opcode, "SET"):
		return 1
	case strings.HasSuffix(c.Opcode, "W"):
		return 2
	case strings.HasSuffix(c.Opcode, "L"), strings.HasPrefix(c.Opcode, "CMOVL"), strings.HasPrefix(c.Opcode, "MOVL"):
		return 4
	case strings.HasSuffix(c.Opcode, "Q"), strings.HasPrefix(c.Opcode, "CMOVQ"):
		return 8
	}
	a.refuse("an access to memory of unknown size")
	return 64
}

// counted reports whether an instruction is a shift by a constant that is not 0.
func counted(c *ir.Instruction) bool {
	if !strings.HasPrefix(c.Opcode, "SH") && !strings.HasPrefix(c.Opcode, "SA") {
		return false
	}
	n, ok := constant(c.Operands[0])
	return ok && n&31 != 0
}

func allRegisters(c *ir.Instruction) bool {
	for _, op := range c.Operands {
		if _, ok := op.(operand.Mem); ok {
			return false
		}
	}
	return true
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}
