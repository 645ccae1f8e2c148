package testkit

import (
	"os"
	"os/exec"
	"runtime"
	"testing"
	"unsafe"
)

// TestGuardFaults proves that the guards guard: a child process touches each.
func TestGuardFaults(t *testing.T) {
	if runtime.GOOS == "windows" || runtime.GOOS == "js" || runtime.GOOS == "wasip1" || runtime.GOOS == "plan9" {
		t.Skip("no guard pages on " + runtime.GOOS)
	}
	switch os.Getenv("TESTKIT_TOUCH") {
	case "front":
		b := NewGuarded(t, 100).Front(16, 0)
		sink = *(*byte)(unsafe.Add(unsafe.Pointer(&b[0]), -1))
		return
	case "back":
		b := NewGuarded(t, 100).Back(16, 0)
		sink = *(*byte)(unsafe.Add(unsafe.Pointer(&b[15]), 1))
		return
	}
	for _, side := range []string{"front", "back"} {
		cmd := exec.Command(os.Args[0], "-test.run=^TestGuardFaults$")
		cmd.Env = append(os.Environ(), "TESTKIT_TOUCH="+side)
		if err := cmd.Run(); err == nil {
			t.Errorf("%s: touching the guard page did not fault", side)
		}
	}
}

var sink byte

func TestGuardedOffsets(t *testing.T) {
	g := NewGuarded(t, 100)
	for offset := range 64 {
		for _, b := range [][]byte{g.Front(20, offset), g.Back(20, offset)} {
			if len(b) != 20 || cap(b) != 20 {
				t.Fatalf("length %d, capacity %d", len(b), cap(b))
			}
			b[0], b[19] = 1, 2
		}
	}
}

func TestCanary(t *testing.T) {
	for _, n := range []int{0, 1, 17, 64} {
		for _, offset := range []int{0, 1, 63} {
			c := NewCanary(n, offset)
			if len(c.Bytes()) != n {
				t.Fatalf("%d bytes, want %d", len(c.Bytes()), n)
			}
			clear(c.Bytes())
			c.Check(t)
			for _, i := range []int{0, canaryLen - 1, len(c.all) - 1, canaryLen + n} {
				c.all[i] ^= 1
				f := &failing{TB: t}
				c.Check(f)
				if f.errors != 1 {
					t.Errorf("n=%d offset=%d: change at %d reported %d times", n, offset, i, f.errors)
				}
				c.all[i] ^= 1
			}
		}
	}
}

// failing counts errors instead of failing the test.
type failing struct {
	testing.TB
	errors int
}

func (f *failing) Helper()               {}
func (f *failing) Errorf(string, ...any) { f.errors++ }
