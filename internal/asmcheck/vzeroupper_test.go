package asmcheck

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestVZEROUPPER checks that every amd64 function that uses 256-bit or 512-bit
// registers has VZEROUPPER between the last use above each return and the return:
// without it, SSE code that follows is slow on many processors, and no other test
// would notice.
func TestVZEROUPPER(t *testing.T) {
	wide := regexp.MustCompile(`\b[YZ][0-9]{1,2}\b`)
	files, err := filepath.Glob("../../kernels_amd64/*.s")
	if err != nil || len(files) == 0 {
		t.Fatalf("found no assembly: %v", err)
	}
	functions := 0
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range strings.Split(string(text), "\nTEXT ")[1:] {
			symbol, _, _ := strings.Cut(f, "(")
			if !wide.MatchString(f) {
				continue
			}
			functions++
			dirty := false
			for _, line := range strings.Split(f, "\n") {
				switch line = strings.TrimSpace(line); {
				case wide.MatchString(line):
					dirty = true
				case line == "VZEROUPPER":
					dirty = false
				case line == "RET" && dirty:
					t.Errorf("%s, %s: returns without VZEROUPPER", name, symbol)
				}
			}
		}
	}
	if functions == 0 {
		t.Error("found no function with wide registers")
	}
}
