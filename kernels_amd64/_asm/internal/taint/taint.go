// Package taint follows secrets through a kernel and refuses it if one decides which
// instructions run, which addresses they touch, or how long they take.
//
// It works on avo's program after register allocation: a forward analysis over the
// graph of control flow, to a fixed point. It follows general registers, vectors,
// opmasks and condition flags, the arguments, the stack frame byte by byte, and for
// pointers which argument they come from. Everything counts as secret but what a
// function declares, constants, and addresses. Where the analysis does not know it
// refuses: an opcode that is not in its table, an address that it cannot trace to an
// argument, the frame or a constant, a store whose size it does not know. It takes for
// granted that a kernel keeps to its memory, which other tests check: that what it
// writes through one pointer is not what another argument leads to, unless both are
// secret, and that a pointer that was aligned within the frame does not move below where
// it was.
package taint

import (
	"errors"
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/mmcloughlin/avo/ir"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/pass"
	"github.com/mmcloughlin/avo/reg"
)

// A region is memory that pointers lead to.
type region struct {
	name   string
	secret bool // what it holds
	child  int  // the region that pointers in it lead to, or −1
	memory int  // the index in state.memory of what is followed byte by byte, or −1
	// For an aligned pointer into the frame: it is this offset in the frame, rounded
	// down to a multiple of align.
	align, from int
}

// Indices in state.memory.
const (
	argumentsMemory = iota
	frameMemory
)

// frameRegion is the index of the frame in analysis.regions.
const frameRegion = 0

type analysis struct {
	fn      *ir.Function
	code    []*ir.Instruction
	index   map[*ir.Instruction]int
	regions []region
	found   []string // what is wrong
	report  bool     // whether findings count yet: only at the fixed point
	at      int      // the instruction at hand
}

// Check returns an error if in fn, which avo has compiled, control flow, an address or
// a time depends on anything but the arguments that decides names; of a pointer, that
// is what it points to.
func Check(fn *ir.Function, decides []string) error {
	a := &analysis{fn: fn, code: fn.Instructions(), index: map[*ir.Instruction]int{}}
	for i, c := range a.code {
		a.index[c] = i
		c.Pred, c.Succ = nil, nil
	}
	// avo removed instructions since it made the graph.
	if err := pass.LabelTarget(fn); err != nil {
		return err
	}
	if err := pass.CFG(fn); err != nil {
		return err
	}
	start, err := a.entry(decides)
	if err != nil {
		return fmt.Errorf("%s: %w", fn.Name, err)
	}

	// States are kept where control flow joins or splits.
	before := map[int]*state{0: start}
	work := []int{0}
	for len(work) > 0 {
		at := work[len(work)-1]
		work = work[:len(work)-1]
		a.run(at, before[at].clone(), func(to int, s *state) {
			known, ok := before[to]
			if !ok {
				before[to] = s.clone()
			}
			if !ok || known.join(s) {
				if !slices.Contains(work, to) {
					work = append(work, to)
				}
			}
		})
	}
	a.report = true
	for at, s := range before {
		a.run(at, s.clone(), func(int, *state) {})
	}
	if len(a.found) == 0 {
		return nil
	}
	slices.Sort(a.found)
	a.found = slices.Compact(a.found)
	return errors.New(strings.Join(a.found, "\n"))
}

// run follows straight code from an instruction on, and calls leave where it ends.
func (a *analysis) run(at int, s *state, leave func(to int, s *state)) {
	for {
		c := a.code[at]
		a.at = at
		a.step(c, s)
		if !c.IsBranch && !c.IsTerminal && at+1 < len(a.code) && len(a.code[at+1].Pred) == 1 {
			at++
			continue
		}
		for _, next := range c.Succ {
			if next == nil {
				a.refuse("runs off the end")
				continue
			}
			leave(a.index[next], s)
		}
		return
	}
}

func (a *analysis) refuse(format string, args ...any) {
	if !a.report {
		return
	}
	c := a.code[a.at]
	var ops []string
	for _, op := range c.Operands {
		ops = append(ops, op.Asm())
	}
	a.found = append(a.found, fmt.Sprintf("%s, instruction %d, %s %s: %s", a.fn.Name, a.at, c.OpcodeWithSuffixes(), strings.Join(ops, ", "), fmt.Sprintf(format, args...)))
}

// entry returns the state at the function's begin.
func (a *analysis) entry(decides []string) (*state, error) {
	s := &state{flags: allFlags}
	for i := range s.gp {
		s.gp[i] = number(true)
	}
	for i := range s.vec {
		s.vec[i] = vector{true, true}
	}
	for i := range s.mask {
		s.mask[i] = true
	}
	frame := a.fn.FrameBytes()
	a.regions = []region{{name: "the frame", child: -1, memory: frameMemory, align: 1}}
	s.memory = []*bytes{newBytes(a.fn.ArgumentBytes()), newBytes(frame)}

	t, err := types.Eval(token.NewFileSet(), nil, token.NoPos, "func"+a.fn.Signature.String())
	if err != nil {
		return nil, err
	}
	params := t.Type.(*types.Signature).Params()
	sizes := types.SizesFor("gc", "amd64")
	var vars []*types.Var
	for v := range params.Variables() {
		vars = append(vars, v)
	}
	offsets := sizes.Offsetsof(vars)
	left := slices.Clone(decides)
	for i, v := range vars {
		public := slices.Contains(decides, v.Name())
		left = slices.DeleteFunc(left, func(n string) bool { return n == v.Name() })
		val := number(!public)
		if p, ok := v.Type().(*types.Pointer); ok {
			r := region{name: v.Name(), secret: !public, child: -1, memory: -1}
			val = value{may: a.bit(len(a.regions))}
			if _, ok := p.Elem().(*types.Pointer); ok && public {
				// What the pointers in it lead to is nobody's to decide by.
				r.child = len(a.regions) + 1
				a.regions = append(a.regions, r, region{name: "what " + v.Name() + " lead to", secret: true, child: -1, memory: -1})
			} else {
				a.regions = append(a.regions, r)
			}
		}
		s.memory[argumentsMemory].store(int(offsets[i]), int(sizes.Sizeof(v.Type())), val)
	}
	if len(left) > 0 {
		return nil, fmt.Errorf("no argument is named %s", strings.Join(left, ", "))
	}

	// Pointers into the frame that are aligned by AND.
	for i := range a.code {
		from, align, ok := a.alignment(i)
		if ok && a.aligned(from, align) < 0 {
			if len(a.regions) > 40 {
				return nil, errors.New("too many aligned pointers")
			}
			a.regions = append(a.regions, region{name: "the frame", child: -1, memory: len(s.memory), align: align, from: from})
			s.memory = append(s.memory, newBytes(frame))
		}
	}
	return s, nil
}

// alignment recognises LEAQ from(SP), R; ANDQ $-align, R, of which the latter is
// instruction i.
func (a *analysis) alignment(i int) (from, align int, ok bool) {
	c := a.code[i]
	if i == 0 || c.Opcode != "ANDQ" || a.code[i-1].Opcode != "LEAQ" || len(c.Pred) != 1 {
		return 0, 0, false
	}
	n, ok := constant(c.Operands[0])
	m, lea := a.code[i-1].Operands[0].(operand.Mem)
	if !ok || n >= 0 || n&-n != -n || !lea || a.code[i-1].Operands[1] != c.Operands[1] || m.Base == nil || m.Base.Asm() != "SP" || m.Index != nil {
		return 0, 0, false
	}
	return m.Disp, -n, true
}

// aligned returns the region of an aligned pointer, or −1.
func (a *analysis) aligned(from, align int) int {
	return slices.IndexFunc(a.regions, func(r region) bool { return r.align == align && r.from == from && r.memory > frameMemory })
}

func (a *analysis) bit(r int) regions { return first << r }

// constant returns an immediate operand.
func constant(op operand.Op) (n int, ok bool) {
	switch c := op.(type) {
	case operand.U8:
		return int(c), true
	case operand.I8:
		return int(c), true
	case operand.U16:
		return int(c), true
	case operand.I16:
		return int(c), true
	case operand.U32:
		return int(c), true
	case operand.I32:
		return int(c), true
	case operand.U64:
		return int(c), true
	case operand.I64:
		return int(c), true
	}
	return 0, false
}

// A place is memory that an operand may mean.
type place struct {
	region int // or one of those below
	off    int
	known  bool
}

const (
	constants = -1 - iota
	arguments
)

// sum returns the value that an address is, without regard to what is there.
func (a *analysis) sum(s *state, m operand.Mem) value {
	v := number(false)
	if m.Base != nil {
		switch m.Base.Asm() {
		case "SB":
			v = value{may: data}
		case "SP":
			v = value{may: a.bit(frameRegion), at: true}
		case "FP":
			v = value{may: opaque} // only as an operand in memory
		default:
			v = s.gp[number64(m.Base)]
		}
	}
	if m.Index != nil {
		i := number(a.read(s, m.Index))
		if m.Index.Kind() == reg.KindGP {
			i = s.gp[number64(m.Index)]
		}
		if m.Scale != 1 && i.may != integer {
			i.may = opaque
		}
		v = v.plus(i)
	}
	return v.moved(m.Disp)
}

// places returns where an operand in memory may be.
func (a *analysis) places(s *state, m operand.Mem) []place {
	if m.Base != nil && m.Base.Asm() == "FP" {
		if m.Index != nil {
			a.refuse("an index into the arguments")
		}
		return []place{{arguments, m.Disp, true}}
	}
	v := a.sum(s, m)
	if v.secret {
		a.refuse("a secret in an address")
	}
	if v.may&(integer|opaque) != 0 || v.may == 0 {
		a.refuse("an address of unknown origin")
		return nil
	}
	var list []place
	if v.may&data != 0 {
		list = append(list, place{constants, 0, false})
	}
	for r := range a.regions {
		if v.may&a.bit(r) != 0 {
			list = append(list, place{r, v.off, v.at})
		}
	}
	return list
}

// load returns what n bytes of memory hold.
func (a *analysis) load(s *state, m operand.Mem, n int) value {
	list := a.places(s, m)
	var r value
	for i, p := range list {
		v := number(false)
		switch {
		case p.region == constants:
		case p.region == arguments:
			v = s.memory[argumentsMemory].load(p.off, n)
		case a.regions[p.region].memory < 0:
			v.secret = a.regions[p.region].secret
			if c := a.regions[p.region].child; c >= 0 && n == 8 {
				v = value{may: a.bit(c)}
			}
		case p.known:
			v = s.memory[a.regions[p.region].memory].load(p.off, n)
		default:
			v.secret = slices.Contains(s.memory[a.regions[p.region].memory].secret, true)
		}
		if i == 0 {
			r = v
		} else {
			r = r.join(v)
		}
	}
	if len(list) == 0 {
		return number(true)
	}
	return r
}

// store notes a store of n bytes; if it is partial, some of them may stay as they were.
func (a *analysis) store(s *state, m operand.Mem, n int, v value, partial bool) {
	list := a.places(s, m)
	for _, p := range list {
		switch {
		case p.region == constants:
			a.refuse("a store to a constant")
		case p.region == arguments:
			s.memory[argumentsMemory].store(p.off, n, v)
		case a.regions[p.region].memory < 0:
			if r := a.regions[p.region]; v.secret && !r.secret {
				a.refuse("a secret stored where %s leads, which decides control flow", r.name)
			}
		default:
			r := a.regions[p.region]
			b := s.memory[r.memory]
			from, to := p.off, p.off+n
			if !p.known {
				from, to = -1<<40, 1<<40
				if r.memory != frameMemory {
					from = 0 // it stays in the object that it was aligned for
				}
			}
			if p.known && len(list) == 1 && !partial {
				b.store(from, n, v)
			} else {
				b.may(from, to, v)
			}
			// The same bytes as they look from other pointers into the frame: an aligned
			// one is at from−align+1 … from.
			if r.memory != frameMemory {
				from, to = from+r.from-r.align+1, to+r.from
			}
			for _, o := range a.regions {
				switch {
				case o.memory == r.memory || o.memory < 0:
				case o.memory == frameMemory:
					s.memory[o.memory].may(from, to, v)
				default:
					s.memory[o.memory].may(from-o.from, to-o.from+o.align-1, v)
				}
			}
		}
	}
}

// number64 is the number of a register among those of its kind.
func number64(r reg.Register) int { return int(r.ID().Index()) }
