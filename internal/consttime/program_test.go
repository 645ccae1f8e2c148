//go:build linux && !purego

package consttime

import (
	"bytes"
	"debug/elf"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/fastcrypto-go/fastcrypto/internal/testkit"
)

const (
	module  = "github.com/fastcrypto-go/fastcrypto/"
	subject = module + "internal/consttime/subject"
)

var (
	only    = flag.String("case", "", "observe only the cases whose name matches the `regexp`, all of them")
	secrets = flag.Int("secrets", 12, "with how many secrets at least")
)

// long reports whether the long forms were asked for.
func long() bool { return os.Getenv("FASTCRYPTO_TEST_LONG") != "" }

// unavailable skips the test, or fails it where the environment demands it by name.
func unavailable(t *testing.T, name, format string, args ...any) {
	t.Helper()
	why := fmt.Sprintf(format, args...)
	if slices.Contains(strings.Split(os.Getenv(testkit.RequireVariable), ","), name) {
		t.Fatal(why)
	}
	t.Skip(why)
}

// A program is the subject built for an architecture.
type program struct {
	path    string
	ranges  []codeRange // ascending
	kernels []codeRange // those of kind kernel, in the same order
}

// The kinds of ranges, as testdata/trace.c takes them.
const (
	kindKernel  = 'k'
	kindGo      = 'g'
	kindLibrary = 'c'
	kindOwn     = 't'
	kindBegin   = 'b'
	kindEnd     = 'e'
	kindForget  = 'f'
	kindStack   = 'm'
	kindData    = 'd'
)

type codeRange struct {
	name   string
	kind   byte
	lo, hi uint64
	code   []byte
}

// libraries are prefixes of functions outside this module that are observed where our
// functions call them: a length or a comparison that depends on a secret shows there.
var libraries = []string{
	"runtime.memmove", "runtime.memclrNoHeapPointers", "runtime.memequal", "runtime.duffzero", "runtime.duffcopy",
	"internal/bytealg.", "internal/byteorder.", "encoding/binary.", "math/bits.", "bytes.", "slices.",
	"memeqbody", "cmpbody", "countbody", "indexbytebody", "indexbody",
	"crypto/subtle.", "crypto/internal/fips140/subtle.", "crypto/internal/constanttime.",
}

// exempt are functions that are not observed, and why.
var exempt = map[string]string{
	module + "ecdsa.encodeSignature": "a signature is public, and its encoding has a length that depends on it",
	module + "ecdsa.appendInteger":   "the same",

	"crypto/internal/fips140/subtle.XORBytes": "it compares addresses, and those of new memory have no order",
}

func kindOf(name string) byte {
	hasPrefix := func(p string) bool { return strings.HasPrefix(name, p) }
	switch {
	case name == "main.begin" || name == "main.begin.abi0":
		return kindBegin
	case name == "main.end" || name == "main.end.abi0":
		return kindEnd
	case name == "main.forget" || name == "main.forget.abi0":
		return kindForget
	case hasPrefix("main.leaky") && !hasPrefix("main.leaky.") && name != "main.leaky", hasPrefix("main.tight"),
		hasPrefix(module + "kernels_"):
		return kindKernel
	case hasPrefix("main."):
		return kindOwn
	case hasPrefix("runtime.morestack"):
		return kindStack
	case exempt[name] != "":
		return 0
	case hasPrefix(module):
		return kindGo
	case slices.ContainsFunc(libraries, hasPrefix):
		return kindLibrary
	}
	return 0
}

// watch looks at every source file of the module, so that the go command does not take
// the result of an earlier run for that of this one: it does not see what build needs.
func watch(t *testing.T) {
	t.Helper()
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if err == nil && slices.Contains([]string{".go", ".s", ".h", ".c", ".mod"}, filepath.Ext(path)) {
			_, err = os.Stat(path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// build builds the subject for linux on an architecture, and lists what to observe.
func build(t *testing.T, arch string) *program {
	t.Helper()
	if testing.Short() {
		t.Skip("not part of the short form")
	}
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("there is no go command here")
	}
	watch(t)
	p := &program{path: filepath.Join(t.TempDir(), "subject")}
	// Without inlining the functions of other packages stay apart from the subject's.
	cmd := exec.Command("go", "build", "-gcflags="+subject+"=-l", "-o", p.path, subject)
	cmd.Env = append(os.Environ(), "GOOS=linux", "GOARCH="+arch, "CGO_ENABLED=0", "GOFLAGS=", "GOFIPS140=off")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", cmd, err, out)
	}
	f, err := elf.Open(p.path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	symbols, err := f.Symbols()
	if err != nil {
		t.Fatal(err)
	}
	text := f.Section(".text")
	code, err := text.Data()
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range symbols {
		kind := kindOf(s.Name)
		if elf.ST_TYPE(s.Info) != elf.STT_FUNC || s.Size == 0 || kind == 0 || s.Value < text.Addr || s.Value+s.Size > text.Addr+text.Size {
			continue
		}
		p.ranges = append(p.ranges, codeRange{s.Name, kind, s.Value, s.Value + s.Size, code[s.Value-text.Addr:][:s.Size]})
	}
	for _, s := range f.Progs {
		if s.Type == elf.PT_LOAD && s.Flags&elf.PF_X == 0 {
			p.ranges = append(p.ranges, codeRange{"", kindData, s.Vaddr, s.Vaddr + s.Memsz, nil})
		}
	}
	slices.SortFunc(p.ranges, func(a, b codeRange) int {
		if a.lo != b.lo {
			return int(int64(a.lo - b.lo))
		}
		return int(int64(a.hi - b.hi))
	})
	p.ranges = slices.CompactFunc(p.ranges, func(a, b codeRange) bool { return a.lo == b.lo && a.hi == b.hi })
	for _, r := range p.ranges {
		if r.kind == kindKernel {
			p.kernels = append(p.kernels, r)
		}
	}
	return p
}

// find returns the range that the address is in, or nil.
func (p *program) find(address uint64) *codeRange {
	i, _ := slices.BinarySearchFunc(p.ranges, address, func(r codeRange, a uint64) int {
		if r.hi <= a {
			return -1
		}
		return 1
	})
	if i < len(p.ranges) && p.ranges[i].lo <= address {
		return &p.ranges[i]
	}
	return nil
}

// kernelName returns the name of the function that a kernel's symbol is the body of,
// or "" for a wrapper that only passes arguments on.
func (p *program) kernelName(r *codeRange) string {
	name, body := strings.CutSuffix(r.name, ".abi0")
	if !body && slices.ContainsFunc(p.kernels, func(k codeRange) bool { return k.name == r.name+".abi0" }) {
		return ""
	}
	return name[strings.LastIndexByte(name, '.')+1:]
}

// A subjectCase is one line of the subject's list.
type subjectCase struct{ name, tier, kernel, why string }

// list has the program list its cases. emulator is the command that runs it.
func (p *program) list(t *testing.T, emulator ...string) []subjectCase {
	t.Helper()
	argv := append(slices.Clone(emulator), p.path, "-list")
	out, err := exec.Command(argv[0], argv[1:]...).Output()
	if err != nil {
		t.Fatalf("%v: %v", argv, err)
	}
	var cases []subjectCase
	for line := range bytes.Lines(out) {
		f := strings.Split(strings.TrimSuffix(string(line), "\n"), "\t")
		if len(f) != 4 {
			t.Fatalf("malformed line %q", line)
		}
		cases = append(cases, subjectCase{f[0], f[1], f[2], f[3]})
	}
	return cases
}

// A run is one execution of a case with one secret, and what was observed.
type run struct {
	secret       string
	public       string
	instructions string
	hash         string
	entered      []string // kernels
}

// compare checks that all runs of each case that agree in what is public agree in
// what was observed, and that the controls do not.
func compare(t *testing.T, cases []subjectCase, runs map[string][]run) {
	t.Helper()
	for _, c := range cases {
		all := runs[c.name]
		if len(all) == 0 {
			continue
		}
		groups := map[string][]run{}
		for _, r := range all {
			groups[r.public] = append(groups[r.public], r)
		}
		largest, differing := 0, 0
		var first, other run
		for _, g := range groups {
			largest = max(largest, len(g))
			for _, r := range g[1:] {
				if r.hash != g[0].hash {
					if differing++; differing == 1 {
						first, other = g[0], r
					}
				}
			}
		}
		switch leaks := strings.HasPrefix(c.name, "control/leaky"); {
		case largest < 2:
			t.Errorf("%s: no two runs that could be compared", c.name)
		case leaks && differing == 0:
			t.Errorf("%s leaks, and was not found out", c.name)
		case !leaks && differing > 0:
			t.Errorf("%s: %d of %d runs differ; secret %s: %s instructions, secret %s: %s",
				c.name, differing, len(all), first.secret, first.instructions, other.secret, other.instructions)
		}
		if c.kernel != "" && !slices.Contains(all[0].entered, c.kernel) {
			t.Errorf("%s does not call %s", c.name, c.kernel)
		}
	}
}
