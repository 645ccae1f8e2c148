//go:build (amd64 || arm64) && !purego

package residue

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/fastcrypto-go/fastcrypto/internal/impl"
	"github.com/fastcrypto-go/fastcrypto/internal/testkit"
)

// level is what fillRegisters takes for this machine.
func level() int {
	if runtime.GOARCH != "amd64" {
		return 0
	}
	for _, of := range []*impl.Primitive{impl.ChaCha, impl.P256Batch, impl.GCM} {
		for _, tier := range []impl.Tier{impl.AVX512, impl.IFMA512, impl.VAES512} {
			if restore, err := of.Force(tier); err == nil {
				restore()
				return 2
			}
		}
	}
	for _, of := range []*impl.Primitive{impl.ChaCha, impl.GCM} {
		for _, tier := range []impl.Tier{impl.AVX2, impl.AESNI} {
			if restore, err := of.Force(tier); err == nil {
				restore()
				return 1
			}
		}
	}
	return 0
}

// A claim is what a contract says about registers.
type claim struct {
	first, last int  // the vector registers that may depend on secrets
	lowest      bool // of the first sixteen only the lowest 16 bytes may
	opmasks     bool // so may these
}

var span = regexp.MustCompile(`[XYZV](\d+)–[XYZV](\d+)`)

// claimOf reads what follows "Leaves:" in a stub's documentation.
func claimOf(leaves string) claim {
	c := claim{opmasks: strings.Contains(leaves, "opmasks"), first: 0, last: 31, lowest: strings.Contains(leaves, "VZEROUPPER") || strings.Contains(leaves, "X")}
	before, _, _ := strings.Cut(leaves, "VZEROUPPER")
	switch m := span.FindStringSubmatch(before); {
	case m != nil:
		c.first, _ = strconv.Atoi(m[1])
		c.last, _ = strconv.Atoi(m[2])
	case strings.Contains(leaves, "vector registers"):
	case strings.Contains(leaves, "in general registers"):
		c.first, c.last = 1, 0 // none
	default: // all registers
		c.opmasks = true
	}
	return c
}

// claims returns those of all stubs.
func claims(t *testing.T) map[string]claim {
	files, err := filepath.Glob(kernelDirectory + "/*_" + runtime.GOARCH + ".go")
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]claim{}
	for _, file := range files {
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Body == nil {
				_, leaves, _ := strings.Cut(fn.Doc.Text(), "Leaves:")
				leaves, _, _ = strings.Cut(leaves, "\n  - ")
				all[fn.Name.Name] = claimOf(strings.Join(strings.Fields(leaves), " "))
			}
		}
	}
	return all
}

// TestKernelRegisters compares what each kernel leaves in vector registers and opmasks
// with its contract: those which differ after runs with different secrets are among those
// that it names.
func TestKernelRegisters(t *testing.T) {
	stable(t)
	says, level := claims(t), level()
	held, ran := map[string]bool{}, 0
	var last string
	each(t, func(t *testing.T, c *kernelCase) {
		rng := testkit.Rand(t)
		claim := says[c.name]
		if last != c.name {
			last = c.name
			ran++
		}
		if strings.Contains(c.name, "VarTime") {
			return // nothing is secret
		}
		set, pointers := c.twoSecrets(func(b []byte) { rng.Read(b) })
		order := []int{0, 1, 0, 0, 1, 1}
		snapshots := make([]registers, len(order))
		call := func() { c.call(pointers) }
		for run, which := range order {
			set(which)
			registersAfter(&snapshots[run], level, call)
		}
		depends := func(from, to int) bool {
			for run, which := range order {
				if !bytes.Equal(snapshots[run][from:to], snapshots[which][from:to]) {
					return false
				}
			}
			return !bytes.Equal(snapshots[0][from:to], snapshots[1][from:to])
		}
		var wrong []string
		for r := range 32 {
			low, high := depends(64*r, 64*r+16), depends(64*r+16, 64*r+64)
			if (low || high) && (r < claim.first || r > claim.last) || high && r < 16 && claim.lowest {
				wrong = append(wrong, fmt.Sprintf("register %d (%v, %v)", r, low, high))
			}
			if low || high {
				held[c.name] = true
			}
		}
		for k := range 8 {
			if depends(2048+8*k, 2048+8*k+8) && !claim.opmasks {
				wrong = append(wrong, fmt.Sprintf("K%d", k))
			}
		}
		if wrong != nil {
			t.Errorf("%v: secrets are in %v, of which the contract does not speak", c, wrong)
		}
	})
	if ran > 20 && len(held) < ran/3 {
		t.Errorf("only %d of %d kernels were seen to leave something in registers: the comparison is blind", len(held), ran)
	}
}
