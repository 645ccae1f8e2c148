//go:build (amd64 || arm64) && !purego

package residue

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"unsafe"

	// These register the known-answer tests, without which no tier runs.
	_ "github.com/fastcrypto-go/fastcrypto/aead"
	_ "github.com/fastcrypto-go/fastcrypto/chacha20poly1305"
	_ "github.com/fastcrypto-go/fastcrypto/chacha20poly1305/poly1305"
	_ "github.com/fastcrypto-go/fastcrypto/ecdsa"

	"github.com/fastcrypto-go/fastcrypto/internal/testkit"
)

// TestStubs reads the stubs: every kernel with pointers has a case with an array for
// each of them.
func TestStubs(t *testing.T) {
	files, err := filepath.Glob(kernelDirectory + "/*_" + runtime.GOARCH + ".go")
	if err != nil || len(files) == 0 {
		t.Fatal("no stubs: ", err)
	}
	arrays := map[string]int{}
	for _, c := range kernelCases() {
		arrays[c.name] = len(c.arrays)
	}
	for _, file := range files {
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Body != nil {
				continue
			}
			pointers := 0
			for _, p := range fn.Type.Params.List {
				if _, ok := p.Type.(*ast.StarExpr); ok {
					pointers += max(1, len(p.Names))
				}
			}
			name := fn.Name.Name
			// Behind the arrays of the pointers may come what these lead to, or secrets
			// that are passed by value.
			more := 0
			switch {
			case strings.HasPrefix(name, "P256SelectAffine"):
				more = 1
			case name == "P256SumVarTimeIFMA512":
				more = 3
			}
			switch got, found := arrays[name]; {
			case pointers == 0 && slices.Contains(unneeded, name):
			case !found:
				t.Errorf("%s has no case", name)
			case got != pointers+more:
				t.Errorf("%s has %d pointers, and its cases %d arrays", name, pointers, got)
			}
			delete(arrays, name)
		}
	}
	for name := range arrays {
		t.Errorf("there is no kernel %s", name)
	}
}

// each runs f for every case whose tier runs here.
func each(t *testing.T, f func(t *testing.T, c *kernelCase)) {
	cases := kernelCases()
	slices.SortStableFunc(cases, func(a, b kernelCase) int { return strings.Compare(a.name, b.name) })
	for len(cases) > 0 {
		n := slices.IndexFunc(cases, func(c kernelCase) bool { return c.name != cases[0].name })
		if n < 0 {
			n = len(cases)
		}
		t.Run(cases[0].name, func(t *testing.T) {
			if err := cases[0].runs(); err != nil {
				if testkit.Required(cases[0].tier) || slices.Contains(cases[0].of.Supported(), cases[0].tier) {
					t.Fatal(err)
				}
				t.Skip(err)
			}
			for i := range cases[:n] {
				f(t, &cases[i])
			}
		})
		cases = cases[n:]
	}
}

// TestGuards moves each array of each kernel to every offset from the guard pages
// before and behind it.
func TestGuards(t *testing.T) {
	// As much memory as an array needs: what is beside it is looked at each time.
	var small, large [8]*testkit.Guarded
	for i := range small {
		small[i], large[i] = testkit.NewGuarded(t, 1<<12), testkit.NewGuarded(t, 6<<12)
	}
	each(t, func(t *testing.T, c *kernelCase) {
		rng := testkit.Rand(t)
		memory := small
		for i, a := range c.arrays {
			if a.n+64 > memory[i].Len() {
				memory[i] = large[i]
			}
		}
		// What the arrays hold before, and after.
		before, after := make([][]byte, len(c.arrays)), make([][]byte, len(c.arrays))
		for i, a := range c.arrays {
			before[i] = make([]byte, a.n+8) // never empty
			a.fill(before[i][:a.n], func(b []byte) { rng.Read(b) })
			before[i] = before[i][:a.n]
		}
		filled := bytes.Repeat([]byte{0xc3}, 6<<12)
		for _, g := range memory {
			copy(g.Front(g.Len(), 0), filled)
		}
		places := make([][]byte, len(c.arrays))
		pointers := make([]unsafe.Pointer, len(c.arrays))
		run := func(what string) {
			for i, a := range c.arrays {
				b := places[i]
				if a.in {
					copy(b, before[i])
				}
				pointers[i] = unsafe.Pointer(unsafe.SliceData(b))
			}
			c.call(pointers)
			for i, a := range c.arrays {
				switch {
				case i == 1 && c.name == "P256SumVarTimeIFMA512": // set by call
				case !a.out && a.in && !bytes.Equal(places[i], before[i]):
					t.Fatalf("%v, %s: array %d is an input and changed", c, what, i)
				case !a.out && !a.in && !bytes.Equal(places[i], filled[:a.n]):
					t.Fatalf("%v, %s: array %d is not used and changed", c, what, i)
				case a.out && after[i] == nil:
					after[i] = bytes.Clone(places[i])
				case a.out && !bytes.Equal(places[i], after[i]):
					t.Fatalf("%v, %s: array %d differs", c, what, i)
				}
			}
		}
		for moved := range c.arrays {
			for offset := range 64 {
				if c.arrays[moved].words && offset%8 != 0 {
					continue
				}
				// -short is for emulators: each offset once, and edges twice.
				for _, back := range []bool{false, true} {
					if testing.Short() && offset > 8 && (offset%2 == 1) != back {
						continue
					}
					for i, a := range c.arrays {
						at := 0
						if i == moved {
							at = offset
						}
						if (i == moved) == back {
							places[i] = memory[i].Back(a.n, at)
						} else {
							places[i] = memory[i].Front(a.n, at)
						}
					}
					run("array moved")
					// Nothing beside the arrays may have changed.
					for i := range places {
						copy(places[i], filled)
						if i != moved && offset%16 != 0 {
							continue
						}
						if all := memory[i].Front(memory[i].Len(), 0); !bytes.Equal(all, filled[:len(all)]) {
							t.Fatalf("%v, array %d %d bytes from a page: the kernel wrote beside array %d", c, moved, offset, i)
						}
					}
				}
			}
		}
	})
}

// stable keeps the garbage collector from moving the stack.
func stable(t *testing.T) {
	runtime.LockOSThread()
	percent := debug.SetGCPercent(-1)
	runtime.GC()
	t.Cleanup(func() {
		debug.SetGCPercent(percent)
		runtime.UnlockOSThread()
	})
}

// differences returns the ranges in which a and b differ, as the distance from the
// stack's top; close ones are joined.
func differences(a, b *[stackSize]byte) (ranges [][2]int) {
	for i := stackSize - 1; i >= 0; i-- {
		if a[i] == b[i] {
			continue
		}
		at := stackSize - i
		if n := len(ranges); n > 0 && at-ranges[n-1][1] <= 16 {
			ranges[n-1][1] = at
		} else {
			ranges = append(ranges, [2]int{at, at})
		}
	}
	return ranges
}

// stacks runs f with two different secrets, and returns what is different on the stack
// after. What differs after the same secret is not counted: something else, such as a
// preemption, used the stack meanwhile. So it is if another attempt finds less.
func stacks(secret func(which int), f func()) (least [][2]int) {
	deepen(2 * stackSize)
	snapshots := make([][stackSize]byte, 3)
	for attempt := range 6 {
		for i := range snapshots {
			secret(i / 2)
			stackAfter(&snapshots[i], f)
		}
		for i := range snapshots[0] {
			if snapshots[0][i] != snapshots[1][i] {
				snapshots[2][i] = snapshots[1][i]
			}
		}
		if d := differences(&snapshots[1], &snapshots[2]); attempt == 0 || bytesIn(d) < bytesIn(least) {
			least = d
		}
		if least == nil {
			break
		}
	}
	return least
}

func bytesIn(ranges [][2]int) (n int) {
	for _, r := range ranges {
		n += r[1] - r[0] + 1
	}
	return n
}

// TestKernelStack looks for secrets in the stack frames that kernels gave back.
func TestKernelStack(t *testing.T) {
	stable(t)
	each(t, func(t *testing.T, c *kernelCase) {
		rng := testkit.Rand(t)
		set, pointers := c.twoSecrets(func(b []byte) { rng.Read(b) })
		left := stacks(set, func() { c.call(pointers) })
		if bytesIn(left) > c.byValue() {
			t.Errorf("%v leaves %d bytes that depend on secrets on the stack, at %v below it", c, bytesIn(left), left)
		}
	})
}
