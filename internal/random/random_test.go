package random

import (
	"bytes"
	"crypto/rand"
	"strings"
	"testing"
	"testing/cryptotest"

	"github.com/fastcrypto-go/fastcrypto/internal/testkit"
)

func TestIgnores(t *testing.T) {
	zero := strings.NewReader("")
	for setting, want := range map[string]bool{"cryptocustomrand=0": true, "cryptocustomrand=1": false} {
		t.Setenv("GODEBUG", setting)
		if got := Ignores(zero); got != want {
			t.Errorf("%s: Ignores(custom) = %v", setting, got)
		}
		if !Ignores(nil) || !Ignores(rand.Reader) {
			t.Errorf("%s: the system's reader counts as custom", setting)
		}
	}
}

func TestFill(t *testing.T) {
	var a, b [32]byte
	Fill(a[:])
	Fill(b[:])
	if a == b || a == [32]byte{} {
		t.Error("not random")
	}
	if testkit.Race {
		return // the race detector allocates
	}
	if n := testing.AllocsPerRun(100, func() {
		var c [32]byte
		Fill(c[:])
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// TestReplacedReader checks that a program's own crypto/rand.Reader is not read.
func TestReplacedReader(t *testing.T) {
	old := rand.Reader
	defer func() { rand.Reader = old }()
	rand.Reader = bytes.NewReader(make([]byte, 1000))
	var a [32]byte
	Fill(a[:])
	if a == [32]byte{} {
		t.Error("read from the replaced reader")
	}
}

func TestGlobalRandom(t *testing.T) {
	var a, b [32]byte
	cryptotest.SetGlobalRandom(t, 7)
	Fill(a[:])
	cryptotest.SetGlobalRandom(t, 7)
	Fill(b[:])
	if a != b {
		t.Error("not the test's source")
	}
}

func BenchmarkIgnores(b *testing.B) {
	r := strings.NewReader("")
	for b.Loop() {
		Ignores(r)
	}
}
