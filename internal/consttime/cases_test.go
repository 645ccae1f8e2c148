//go:build linux && !purego

package consttime

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// noSecret has the kernels that handle no secret, and says why they have no case.
var noSecret = map[string]map[string]string{
	"amd64": {
		"CPUID":                 "describes the processor",
		"XCR0":                  "describes the operating system",
		"P256SumVarTimeIFMA512": "verification: all of it is public",
	},
	"arm64": {},
}

// stubs returns the functions that the assembly of an architecture implements.
func stubs(t *testing.T, arch string) []string {
	t.Helper()
	files, err := filepath.Glob("../../kernels_" + arch + "/*.go")
	if err != nil || len(files) == 0 {
		t.Fatalf("no files of kernels_%s: %v", arch, err)
	}
	var names []string
	for _, name := range files {
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			if d, ok := d.(*ast.FuncDecl); ok && d.Body == nil {
				names = append(names, d.Name.Name)
			}
		}
	}
	slices.Sort(names)
	return names
}

// TestCases checks that every kernel has a case or a reason to have none.
func TestCases(t *testing.T) {
	for _, arch := range slices.Sorted(maps.Keys(emulators)) {
		t.Run(arch, func(t *testing.T) {
			var emulator []string
			if arch != runtime.GOARCH || runtime.GOOS != "linux" {
				emulator = emulators[arch]
				if _, err := exec.LookPath(emulator[0]); err != nil {
					unavailable(t, "trace", "there is no %s here", emulator[0])
				}
			}
			has := map[string]bool{}
			for _, c := range build(t, arch).list(t, emulator...) {
				if strings.HasPrefix(c.name, "kernel/") {
					has[c.kernel] = true
				}
			}
			all := stubs(t, arch)
			for _, name := range all {
				switch why := noSecret[arch][name]; {
				case !has[name] && why == "":
					t.Errorf("%s has no case in kernels_%s.go of the subject", name, arch)
				case has[name] && why != "":
					t.Errorf("%s has a case, and is said to handle no secret", name)
				}
			}
			for name := range has {
				if !slices.Contains(all, name) {
					t.Errorf("there is a case for %s, and no such kernel", name)
				}
			}
			for name := range noSecret[arch] {
				if !slices.Contains(all, name) {
					t.Errorf("there is a reason for %s to have no case, and no such kernel", name)
				}
			}
		})
	}
}
