package fastcrypto_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestSoundness checks that SOUNDNESS.md speaks of tests that there are, that its table
// has no empty cell, and that each exception in it is explained.
func TestSoundness(t *testing.T) {
	b, err := os.ReadFile("SOUNDNESS.md")
	if err != nil {
		t.Fatal(err)
	}
	text := string(b)

	named := regexp.MustCompile("`([a-z0-9_/]+)\\.((?:Test|Fuzz)\\w+)`").FindAllStringSubmatch(text, -1)
	if len(named) < 20 {
		t.Errorf("it names only %d tests", len(named))
	}
	for _, n := range named {
		files, err := filepath.Glob(filepath.Join(filepath.FromSlash(n[1]), "*_test.go"))
		if err != nil {
			t.Fatal(err)
		}
		found := false
		for _, f := range files {
			code, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			found = found || strings.Contains(string(code), "\nfunc "+n[2]+"(")
		}
		if !found {
			t.Errorf("there is no test %s in %s", n[2], n[1])
		}
	}

	notes := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^- ([a-z])\. `).FindAllStringSubmatch(text, -1) {
		notes[m[1]] = false
	}
	rows, columns := 0, 0
	seen := map[string]bool{}
	cell := regexp.MustCompile(`^(✓|–)( ([a-z]))?$`)
	table, _, _ := strings.Cut(text, "\n## What each check does")
	for _, line := range strings.Split(table, "\n") {
		if !strings.HasPrefix(line, "| ") {
			continue
		}
		cells := strings.Split(strings.Trim(line, "| "), " | ")
		if rows++; rows == 1 {
			columns = len(cells)
			for _, g := range kernelGroups(t) {
				if !slices.Contains(cells, g) {
					t.Errorf("the table has no column for %s", g)
				}
			}
		}
		if seen[cells[0]] {
			t.Errorf("%q has two rows", cells[0])
		}
		seen[cells[0]] = true
		if rows <= 2 {
			continue
		}
		if len(cells) != columns {
			t.Errorf("%q has %d cells, want %d", cells[0], len(cells), columns)
		}
		if !strings.Contains(strings.ToLower(text), "\n**"+strings.ToLower(cells[0])+".**") {
			t.Errorf("nothing says what %q does", cells[0])
		}
		for i, c := range cells[1:] {
			m := cell.FindStringSubmatch(c)
			if m == nil {
				t.Errorf("%q: cell %d is %q", cells[0], i+1, c)
				continue
			}
			if _, ok := notes[m[3]]; m[3] != "" && !ok {
				t.Errorf("%q: cell %d: there is no note %s", cells[0], i+1, m[3])
			}
			if m[1] == "–" && m[3] == "" {
				t.Errorf("%q: cell %d is not explained", cells[0], i+1)
			}
			notes[m[3]] = true
		}
	}
	if rows < 8 {
		t.Errorf("the table has only %d rows", rows)
	}
	for n, used := range notes {
		if !used {
			t.Errorf("the note %s belongs to no cell", n)
		}
	}
}

// kernelGroups returns the columns of the table that the kernels belong to.
func kernelGroups(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("kernels_*/*.go")
	if err != nil {
		t.Fatal(err)
	}
	groups := []struct{ name, group string }{
		{`^P256\w+IFMA512$`, "P-256 in lanes"}, {`^P256`, "P-256"}, {`^AES`, "AES keys"}, {`^GCM`, "AES-GCM"}, {`^CTR`, "AES-CTR"},
		{`^ChaCha20Poly1305`, "ChaCha20-Poly1305"}, {`^HChaCha20`, "HChaCha20"}, {`^Poly1305`, "Poly1305"}, {`^(CPUID|XCR0)$`, "CPUID"},
	}
	var list []string
	for _, f := range files {
		code, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`(?m)^func (\w+)\(`).FindAllStringSubmatch(string(code), -1) {
			i := 0
			for i < len(groups) && !regexp.MustCompile(groups[i].name).MatchString(m[1]) {
				i++
			}
			if i == len(groups) {
				t.Errorf("%s belongs to no group of kernels", m[1])
			} else {
				list = append(list, groups[i].group)
			}
		}
	}
	if len(list) < 60 {
		t.Errorf("found only %d kernels", len(list))
	}
	return list
}
