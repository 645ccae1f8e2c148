package taint

import (
	stdbytes "bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/ir"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/pass"
	"github.com/mmcloughlin/avo/reg"
)

// TestHardware compares what the analysis knows of instructions with the processor. For
// each form of instruction in the kernels, and for each register, half of a vector,
// flag and stretch of memory: where a change of it changes anything behind the
// instruction, the analysis must say that a secret in the one makes the other secret.
func TestHardware(t *testing.T) {
	if runtime.GOARCH != "amd64" || runtime.GOOS != "linux" {
		t.Skip("this is not Linux on amd64")
	}
	info, err := os.ReadFile("/proc/cpuinfo")
	if err != nil || !strings.Contains(string(info), " avx512ifma ") || !strings.Contains(string(info), " vaes ") {
		t.Skip("this processor does not have all the features that kernels need")
	}
	forms := forms(t)
	if len(forms) < 150 {
		t.Fatalf("found only %d forms of instructions", len(forms))
	}
	names := slices.Sorted(maps.Keys(forms))
	var code []*ir.Instruction
	for _, n := range names {
		code = append(code, forms[n])
	}
	flows := measure(t, code)
	for i, c := range code {
		found := 0
		for from := range components {
			allowed := flow(c, from)
			for _, to := range flows[i][from] {
				found++
				if !allowed[to] {
					t.Errorf("%s: %s goes into %s, and the analysis does not know it", names[i], components[from], components[to])
				}
			}
		}
		// All but what the instruction overwrites keeps its own value.
		if found < len(components)/2 {
			t.Errorf("%s: only %d flows", names[i], found)
		}
	}
	t.Logf("%d forms of instructions", len(code))
}

// The parts of the processor's state: general registers, flags, opmasks, the low 16
// bytes of vectors and the others, and memory in stretches of 8 bytes.
var components []string

const (
	gpAt     = 0
	flagsAt  = gpAt + 12
	masksAt  = flagsAt + 6
	lowAt    = masksAt + 8
	restAt   = lowAt + 32
	memoryAt = restAt + 32
	stretch  = 8
	memory   = 64
)

// testedGP are the general registers that instructions are tried with; SI is the
// address of the memory, and R15 that of the state.
var testedGP = []reg.GPPhysical{reg.RAX, reg.RBX, reg.RCX, reg.RDX, reg.RDI, reg.R8, reg.R9, reg.R10, reg.R11, reg.R12, reg.R13, reg.RBP}

func init() {
	for _, r := range testedGP {
		components = append(components, r.Asm())
	}
	components = append(components, "CF", "PF", "AF", "ZF", "SF", "OF")
	for i := range 8 {
		components = append(components, fmt.Sprintf("K%d", i))
	}
	for i := range 32 {
		components = append(components, fmt.Sprintf("X%d", i))
	}
	for i := range 32 {
		components = append(components, fmt.Sprintf("Z%d above X%d", i, i))
	}
	for i := range memory / stretch {
		components = append(components, fmt.Sprintf("memory from byte %d", stretch*i))
	}
}

// flow returns what the analysis says is secret behind an instruction if one component
// was before.
func flow(c *ir.Instruction, from int) map[int]bool {
	s := &state{memory: [2]*bytes{newBytes(0), newBytes(memory)}}
	for i := range s.gp {
		s.gp[i] = number(false)
	}
	s.gp[number64(reg.RSI)] = value{may: frame, at: true}
	for i := range s.memory[frameMemory].content {
		s.memory[frameMemory].content[i] = public
	}
	switch {
	case from < flagsAt:
		s.gp[number64(testedGP[from])] = number(true)
	case from < masksAt:
		s.flags = 1 << (from - flagsAt)
	case from < lowAt:
		s.mask[from-masksAt] = true
	case from < restAt:
		s.vec[from-lowAt].low = true
	case from < memoryAt:
		s.vec[from-restAt].rest = true
	default:
		s.memory[frameMemory].may((from-memoryAt)*stretch, (from-memoryAt+1)*stretch, number(true))
	}
	a := &analysis{fn: ir.NewFunction("f"), code: []*ir.Instruction{c}, regions: []region{{name: "the memory", child: -1}}}
	a.step(c, s)
	known := map[int]bool{}
	for i, r := range testedGP {
		known[gpAt+i] = s.gp[number64(r)].secret
	}
	for i := range 6 {
		known[flagsAt+i] = s.flags>>i&1 == 1
	}
	for i := range 8 {
		known[masksAt+i] = s.mask[i]
	}
	for i := range 32 {
		known[lowAt+i], known[restAt+i] = s.vec[i].low, s.vec[i].rest
	}
	for i, c := range s.memory[frameMemory].content {
		if c != public {
			known[memoryAt+i/stretch] = true
		}
	}
	return known
}

var (
	line  = regexp.MustCompile(`^\t([A-Z][A-Z0-9]*)((?:\.[A-Z]+)*)\s+([^/]+?)\s*(?://.*)?$|^\t(VZEROUPPER)$`)
	gpReg = regexp.MustCompile(`^(AX|BX|CX|DX|SI|DI|BP|R[0-9]+)$`)
	gpLow = regexp.MustCompile(`^([ABCD]L|R[0-9]+B|SIB|DIB|BPB)$`)
	vec   = regexp.MustCompile(`^([XYZ])([0-9]+)$`)
)

// forms returns an instruction of each form that the kernels have, with registers of
// its own.
func forms(t *testing.T) map[string]*ir.Instruction {
	t.Helper()
	files, err := filepath.Glob("../../../*.s")
	if err != nil || len(files) == 0 {
		t.Fatalf("found no assembly: %v", err)
	}
	list := map[string]*ir.Instruction{}
	done := map[string]bool{}
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range strings.Split(string(text), "\n") {
			m := line.FindStringSubmatch(l)
			if m == nil {
				continue
			}
			if m[4] != "" {
				m = []string{"", m[4], "", ""}
			}
			if strings.HasPrefix(m[1], "J") || m[1] == "CPUID" || m[1] == "XGETBV" || m[1] == "TEXT" {
				continue
			}
			name := m[1] + m[2]
			ops, form := operands(m[1], m[3])
			if key := name + " " + form; !done[key] {
				done[key] = true
				c := instruction(name, ops)
				if c == nil {
					t.Errorf("%s: no instruction was made of it", l)
					continue
				}
				list[key] = c
			}
		}
	}
	return list
}

// operands makes operands of the kinds that text has, each in a register of its own
// unless they are the same.
func operands(opcode, text string) (ops [][]operand.Op, form string) {
	if text == "" {
		return nil, ""
	}
	given := map[string]int{}
	gp := []reg.GPPhysical{reg.RBX, reg.R8, reg.R9, reg.R10}
	for i, o := range strings.Split(text, ", ") {
		o = strings.TrimSpace(o)
		id := o
		if v := vec.FindStringSubmatch(o); v != nil {
			id = "V" + v[2]
		}
		n, again := given[id]
		if !again {
			n = len(given)
			given[id] = n
		}
		var op []operand.Op
		kind := ""
		switch {
		case strings.HasPrefix(o, "$"):
			u, err := strconv.ParseInt(o[1:], 0, 64)
			if err != nil {
				v, _ := strconv.ParseUint(o[1:], 0, 64)
				op, kind = []operand.Op{operand.U64(v)}, "$"
				break
			}
			kind = "$"
			if cancels[opcode] || strings.HasPrefix(opcode, "VPTERNLOG") || u == 0 {
				kind = o // what it does depends on it
			}
			for _, x := range []operand.Op{operand.U8(u), operand.I8(u), operand.U32(u), operand.I32(u), operand.U64(u)} {
				if c, _ := constant(x); int64(c) == u {
					op = append(op, x)
				}
			}
		case strings.Contains(o, "("):
			op, kind = []operand.Op{operand.Mem{Base: reg.RSI}}, "m"
			if strings.HasPrefix(opcode, "LEA") {
				op = []operand.Op{operand.Mem{Base: reg.RBX, Index: reg.R8, Scale: 2, Disp: 5}}
			}
		case o == "CL":
			op, kind = []operand.Op{reg.CL}, "CL"
		case gpLow.MatchString(o):
			op, kind = []operand.Op{gp[n].As8L()}, "b"
		case gpReg.MatchString(o):
			r := gp[n]
			switch {
			case opcode == "MOVB" || strings.HasSuffix(opcode, "B") && !strings.HasPrefix(opcode, "K"):
				op = []operand.Op{r.As8L()}
			case strings.HasSuffix(opcode, "W") && !strings.HasPrefix(opcode, "K"):
				op = []operand.Op{r.As16()}
			case strings.HasSuffix(opcode, "L"), opcode == "MOVBLZX", opcode == "MOVWLZX":
				op = []operand.Op{r.As32(), r}
			default:
				op = []operand.Op{r, r.As32()}
			}
			kind = "r"
		case strings.HasPrefix(o, "K"):
			op, kind = []operand.Op{[]reg.OpmaskPhysical{reg.K1, reg.K2, reg.K3, reg.K4}[n]}, "k"
		case vec.MatchString(o):
			x := []reg.VecPhysical{reg.X1, reg.X2, reg.X3, reg.X4, reg.X5}[n]
			kind = strings.ToLower(o[:1])
			switch kind {
			case "x":
				op = []operand.Op{x.AsX()}
			case "y":
				op = []operand.Op{x.AsY()}
			default:
				op = []operand.Op{x.AsZ()}
			}
		}
		if again {
			kind += strconv.Itoa(n)
		}
		if i > 0 {
			form += ","
		}
		ops, form = append(ops, op), form+kind
	}
	return ops, form
}

// instruction returns an instruction with the first of the operands that suit it.
func instruction(name string, ops [][]operand.Op) *ir.Instruction {
	var try func(chosen []reflect.Value, rest [][]operand.Op) *ir.Instruction
	try = func(chosen []reflect.Value, rest [][]operand.Op) *ir.Instruction {
		if len(rest) > 0 {
			for _, op := range rest[0] {
				if c := try(append(slices.Clone(chosen), reflect.ValueOf(op)), rest[1:]); c != nil {
					return c
				}
			}
			return nil
		}
		c := build.NewContext()
		c.Function("f")
		c.SignatureExpr("func()")
		m := reflect.ValueOf(c).MethodByName(strings.ReplaceAll(name, ".", "_"))
		if !m.IsValid() || !m.Type().IsVariadic() && m.Type().NumIn() != len(chosen) {
			return nil
		}
		m.Call(chosen)
		f, err := c.Result()
		if err != nil {
			return nil
		}
		i := f.Functions()[0].Instructions()[0]
		if pass.ZeroExtend32BitOutputs(i) != nil {
			return nil
		}
		return i
	}
	return try(nil, ops)
}

// measure runs the instructions on the processor and returns, for each of them and each
// component, what a change of it changes.
func measure(t *testing.T, code []*ir.Instruction) [][][]int {
	t.Helper()
	dir := t.TempDir()
	var asm, table strings.Builder
	asm.WriteString("#include \"textflag.h\"\n")
	const kOffset, zOffset = 8 * 13, 8*13 + 8*8
	for n, c := range code {
		fmt.Fprintf(&table, "\tt%d,\n", n)
		fmt.Fprintf(&asm, "\nTEXT ·t%d(SB), NOSPLIT, $16-8\n\tMOVQ s+0(FP), R15\n", n)
		for i := range 8 {
			fmt.Fprintf(&asm, "\tKMOVQ %d(R15), K%d\n", kOffset+8*i, i)
		}
		for i := range 32 {
			fmt.Fprintf(&asm, "\tVMOVDQU64 %d(R15), Z%d\n", zOffset+64*i, i)
		}
		fmt.Fprintf(&asm, "\tLEAQ %d(R15), SI\n\tMOVQ %d(R15), AX\n\tPUSHQ AX\n\tPOPFQ\n", zOffset+64*32, 8*12)
		for i, r := range testedGP {
			fmt.Fprintf(&asm, "\tMOVQ %d(R15), %s\n", 8*i, r.Asm())
		}
		var ops []string
		for _, op := range c.Operands {
			ops = append(ops, op.Asm())
		}
		fmt.Fprintf(&asm, "\t%s %s\n", c.OpcodeWithSuffixes(), strings.Join(ops, ", "))
		for i, r := range testedGP {
			fmt.Fprintf(&asm, "\tMOVQ %s, %d(R15)\n", r.Asm(), 8*i)
		}
		fmt.Fprintf(&asm, "\tPUSHFQ\n\tPOPQ AX\n\tMOVQ AX, %d(R15)\n", 8*12)
		for i := range 8 {
			fmt.Fprintf(&asm, "\tKMOVQ K%d, %d(R15)\n", i, kOffset+8*i)
		}
		for i := range 32 {
			fmt.Fprintf(&asm, "\tVMOVDQU64 Z%d, %d(R15)\n", i, zOffset+64*i)
		}
		asm.WriteString("\tVZEROUPPER\n\tRET\n")
	}
	var decls strings.Builder
	for n := range code {
		fmt.Fprintf(&decls, "//go:noescape\nfunc t%d(s *state)\n", n)
	}
	for name, text := range map[string]string{
		"go.mod": "module hardware\n\ngo 1.26\n",
		"t.s":    asm.String(),
		"t.go":   "package main\n\n" + decls.String() + "\nvar table = []func(*state){\n" + table.String() + "}\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	main, err := os.ReadFile("testdata/hardware.go")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "main.go"), main, 0o644); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("go", "run", ".")
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod")
	var out, stderr stdbytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &stderr
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v\n%s", err, stderr.String())
	}
	var flows [][][]int
	if err := json.Unmarshal(out.Bytes(), &flows); err != nil {
		t.Fatal(err)
	}
	if len(flows) != len(code) || len(flows[0]) != len(components) {
		t.Fatalf("the processor answered for %d instructions", len(flows))
	}
	return flows
}
