package fastcrypto_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/fastcrypto-go/fastcrypto"

// layers has the packages of this module from the bottom up. A package may import
// packages of lower layers, and nothing of its own layer or above.
var layers = [][]string{
	{"kernels_amd64", "kernels_arm64"},
	{"internal/alias", "internal/deadstack", "internal/impl", "internal/parallel", "internal/random"},
	{"internal/p256"}, // and each internal package that is not named here
	{"chacha20poly1305/poly1305"},
	{"aead", "chacha20poly1305", "ecdsa", "ecdh"},
	{""},
	{"provider"},
	{"provider/tlsrecord"},
	{"internal/consttime", "internal/consttime/subject"}, // which run all that is below
}

// requirements are the modules that the root module may require. It is what a user
// has to audit.
var requirements = []string{"filippo.io/bigmod", "golang.org/x/crypto", "golang.org/x/sys"}

// testOnly are packages that tests import and nothing else does.
var testOnly = []string{"internal/hostile", "internal/residue", "internal/testkit"}

func layer(t *testing.T, pkg string) int {
	t.Helper()
	holds := func(pkg string) int {
		return slices.IndexFunc(layers, func(l []string) bool { return slices.Contains(l, pkg) })
	}
	i := holds(pkg)
	if i < 0 && strings.HasPrefix(pkg, "internal/") {
		i = holds("internal/p256")
	}
	if i < 0 {
		t.Fatalf("the package %q has no layer: say in imports_test.go where it belongs", pkg)
	}
	return i
}

// within returns the path of a package inside this module.
func within(importPath string) (pkg string, ok bool) {
	if importPath == module {
		return "", true
	}
	return strings.CutPrefix(importPath, module+"/")
}

type listed struct {
	ImportPath string
	Standard   bool
	Imports    []string
}

// list returns the packages that match the pattern and all that they import, with
// tests left aside, as the go command sees them for a platform.
func list(t *testing.T, pattern, goos, goarch, tags string) []listed {
	t.Helper()
	cmd := exec.Command("go", "list", "-deps", "-json=ImportPath,Standard,Imports", "-tags", tags, pattern)
	cmd.Env = append(os.Environ(), "GOOS="+goos, "GOARCH="+goarch, "GOWORK=off", "GOFIPS140=off", "CGO_ENABLED=0")
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %v\n%s", cmd, err, stderr.String())
	}
	var packages []listed
	for d := json.NewDecoder(strings.NewReader(string(out))); d.More(); {
		var p listed
		if err := d.Decode(&p); err != nil {
			t.Fatal(err)
		}
		packages = append(packages, p)
	}
	return packages
}

func needsGo(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("there is no go command here")
	}
}

// TestImports checks the direction of imports on platforms that, together, build
// every file.
func TestImports(t *testing.T) {
	needsGo(t)
	for _, platform := range [][3]string{
		{"linux", "amd64", ""}, {"linux", "arm64", ""}, {"darwin", "arm64", ""}, {"windows", "amd64", ""},
		{"linux", "s390x", ""}, {"js", "wasm", ""}, {"linux", "amd64", "purego"}, {"linux", "arm64", "purego"},
	} {
		t.Run(strings.Trim(path.Join(platform[:]...), "/"), func(t *testing.T) {
			for _, p := range list(t, "./...", platform[0], platform[1], platform[2]) {
				pkg, ours := within(p.ImportPath)
				if !ours {
					if !p.Standard && !slices.ContainsFunc(requirements, func(m string) bool { return strings.HasPrefix(p.ImportPath, m+"/") || p.ImportPath == m }) {
						t.Errorf("%s is neither ours, nor the standard library's, nor of a module that we may require", p.ImportPath)
					}
					continue
				}
				if slices.Contains(testOnly, pkg) {
					continue
				}
				for _, i := range p.Imports {
					imported, ours := within(i)
					switch {
					case !ours:
					case slices.Contains(testOnly, imported):
						t.Errorf("%q imports %q, which is for tests", pkg, imported)
					case layer(t, imported) >= layer(t, pkg):
						t.Errorf("%q imports %q, which is not below it", pkg, imported)
					}
				}
			}
		})
	}
}

// TestKernelImports checks that packages of kernels import nothing but unsafe.
func TestKernelImports(t *testing.T) {
	needsGo(t)
	for _, arch := range []string{"amd64", "arm64"} {
		for _, p := range list(t, "./kernels_"+arch, "linux", arch, "") {
			if p.ImportPath != module+"/kernels_"+arch && p.ImportPath != "unsafe" {
				t.Errorf("kernels_%s depends on %s", arch, p.ImportPath)
			}
		}
	}
}

// TestRequirements checks that the root module requires no other modules than it
// may, indirect ones included.
func TestRequirements(t *testing.T) {
	needsGo(t)
	out, err := exec.Command("go", "mod", "edit", "-json").Output()
	if err != nil {
		t.Fatal(err)
	}
	var mod struct {
		Module           struct{ Path string }
		Require          []struct{ Path string }
		Replace, Exclude []any
	}
	if err := json.Unmarshal(out, &mod); err != nil {
		t.Fatal(err)
	}
	if mod.Module.Path != module {
		t.Errorf("the module is %s, want %s", mod.Module.Path, module)
	}
	for _, r := range mod.Require {
		if !slices.Contains(requirements, r.Path) {
			t.Errorf("the module requires %s", r.Path)
		}
	}
	if len(mod.Replace) > 0 || len(mod.Exclude) > 0 {
		t.Error("go.mod replaces or excludes modules, which users of the module would not get")
	}
}
