// Package taint follows secrets through a kernel and refuses it if one decides which
// instructions run, which addresses they touch, or how long they take; or if one stays
// in a frame that is to be wiped.
//
// It works on avo's program after register allocation: a forward analysis over the
// graph of control flow, to a fixed point. It follows general registers, vectors,
// opmasks and condition flags, the arguments, the stack frame byte by byte, and for
// pointers which argument they come from. Everything counts as secret but what a
// function declares, constants, and addresses. Where the analysis does not know it
// refuses: an opcode that is not in its table, an address that it cannot trace to an
// argument, the frame or a constant, a store whose size it does not know. What it knows
// of instructions comes from avo and from the table in opcodes.go; TestHardware compares
// it with a processor. It takes for
// granted that a kernel keeps to its memory, which other tests check: that what it
// writes through one pointer is not what another argument leads to, unless both are
// secret, and that a pointer into the frame does not move below where LEA took it or AND
// aligned it.
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
}

// Indices in state.memory.
const (
	argumentsMemory = iota
	frameMemory
)

// frameRegion is the index of the frame in analysis.regions.
const frameRegion = 0

// aligned is what pointers into the frame may be aligned to; the stack pointer itself is
// a multiple of 8. Each of the cases is analysed on its own.
const aligned = 64

type analysis struct {
	fn      *ir.Function
	code    []*ir.Instruction
	index   map[*ir.Instruction]int
	regions []region
	found   []string // what is wrong
	report  bool     // whether findings count yet: only at the fixed point
	at      int      // the instruction at hand
	sp      int      // the stack pointer modulo aligned
	wiped   bool     // whether the frame must hold no secret at the end
}

// Check returns an error if in fn, which avo has compiled, control flow, an address or
// a time depends on anything but the arguments that decides names; of a pointer, that
// is what it points to. If wiped, then also if the frame may hold a secret at the end.
func Check(fn *ir.Function, decides []string, wiped bool) error {
	return check(fn, decides, wiped, true)
}

// Leaks reports whether Check would find a leak, wherever the stack pointer is.
func Leaks(fn *ir.Function, decides []string) bool {
	return check(fn, decides, false, false) != nil
}

func check(fn *ir.Function, decides []string, wiped, everyAlignment bool) error {
	a := &analysis{fn: fn, code: fn.Instructions(), index: map[*ir.Instruction]int{}, wiped: wiped}
	aligns := false
	for i, c := range a.code {
		a.index[c] = i
		c.Pred, c.Succ = nil, nil
		if c.Opcode == "ANDQ" {
			n, ok := constant(c.Operands[0])
			aligns = aligns || ok && n < 0
		}
	}
	// avo removed instructions since it made the graph.
	if err := pass.LabelTarget(fn); err != nil {
		return err
	}
	if err := pass.CFG(fn); err != nil {
		return err
	}
	for a.sp = 0; a.sp < aligned; a.sp += 8 {
		if err := a.analyse(decides); err != nil {
			return fmt.Errorf("%s: %w", fn.Name, err)
		}
		if !aligns || !everyAlignment {
			break
		}
	}
	if len(a.found) == 0 {
		return nil
	}
	slices.Sort(a.found)
	a.found = slices.Compact(a.found)
	return errors.New(strings.Join(a.found, "\n"))
}

// analyse follows the function to the fixed point, and then notes what is wrong.
func (a *analysis) analyse(decides []string) error {
	start, err := a.entry(decides)
	if err != nil {
		return err
	}
	// States are kept where control flow joins or splits.
	before := map[int]*state{0: start}
	work := []int{0}
	a.report = false
	for len(work) > 0 {
		at := work[len(work)-1]
		work = work[:len(work)-1]
		a.run(at, before[at].clone(), func(to int, s *state) {
			known, ok := before[to]
			if !ok {
				before[to] = s.clone()
			}
			if (!ok || known.join(s)) && !slices.Contains(work, to) {
				work = append(work, to)
			}
		})
	}
	a.report = true
	for at, s := range before {
		a.run(at, s.clone(), func(int, *state) {})
	}
	return nil
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
	a.regions = []region{{name: "the frame", child: -1}}
	s.memory = [2]*bytes{newBytes(a.fn.ArgumentBytes()), newBytes(a.fn.FrameBytes())}

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
		isPublic := slices.Contains(decides, v.Name())
		left = slices.DeleteFunc(left, func(n string) bool { return n == v.Name() })
		val := number(!isPublic)
		if p, ok := v.Type().(*types.Pointer); ok {
			r := region{name: v.Name(), secret: !isPublic, child: -1}
			val = value{may: a.bit(len(a.regions))}
			if _, ok := p.Elem().(*types.Pointer); ok && isPublic {
				// What the pointers in it lead to is nobody's to decide by.
				r.child = len(a.regions) + 1
				a.regions = append(a.regions, r, region{name: "what " + v.Name() + " lead to", secret: true, child: -1})
			} else {
				a.regions = append(a.regions, r)
			}
		}
		if !s.memory[argumentsMemory].store(int(offsets[i]), int(sizes.Sizeof(v.Type())), val) {
			return nil, fmt.Errorf("the argument %s is beyond the arguments", v.Name())
		}
	}
	if len(left) > 0 {
		return nil, fmt.Errorf("no argument is named %s", strings.Join(left, ", "))
	}

	return s, nil
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
	base   int
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
			v = value{may: frame, at: true, base: m.Disp}
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
		return []place{{region: arguments, off: m.Disp, known: true}}
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
		list = append(list, place{region: constants})
	}
	for r := range a.regions {
		if v.may&a.bit(r) != 0 {
			list = append(list, place{r, v.off, v.at, v.base})
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
		case p.region != frameRegion:
			v.secret = a.regions[p.region].secret
			if c := a.regions[p.region].child; c >= 0 && n == 8 {
				v = value{may: a.bit(c)}
			}
		case p.known:
			v = s.memory[frameMemory].load(p.off, n)
		default:
			bytes := s.memory[frameMemory].content
			v.secret = slices.ContainsFunc(bytes[min(max(p.base, 0), len(bytes)):], func(c content) bool { return c != public })
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
			if !s.memory[argumentsMemory].store(p.off, n, v) {
				a.refuse("a store beyond the arguments")
			}
		case p.region != frameRegion:
			if r := a.regions[p.region]; v.secret && !r.secret {
				a.refuse("a secret stored where %s leads, which decides control flow", r.name)
			}
		case !p.known:
			s.memory[frameMemory].may(p.base, len(s.memory[frameMemory].content), v)
		case len(list) == 1 && !partial:
			if !s.memory[frameMemory].store(p.off, n, v) {
				a.refuse("a store beyond the frame")
			}
		default:
			s.memory[frameMemory].may(p.off, p.off+n, v)
		}
	}
}

// end checks what a function leaves where it returns.
func (a *analysis) end(s *state) {
	if i := slices.Index(s.memory[frameMemory].content, secret); a.wiped && i >= 0 {
		a.refuse("a secret is left on the stack, at %d(SP)", i)
	}
}

// number64 is the number of a register among those of its kind.
func number64(r reg.Register) int { return int(r.ID().Index()) }
