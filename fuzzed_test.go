package fastcrypto_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// fuzzed are the packages whose functions take what others made.
var fuzzed = []string{".", "aead", "chacha20poly1305", "chacha20poly1305/poly1305", "ecdsa", "ecdh", "internal/alias", "internal/p256", "provider", "provider/tlsrecord"}

// notFuzzed are functions with arguments that no fuzz target calls, and why.
var notFuzzed = map[string]string{
	"internal/p256.FieldMulChain": "a measure of speed: its argument is a count",
	"internal/p256.LaneMulChain":  "a measure of speed: its argument is a count",
}

// TestFuzzed checks that every function and method with an exported name and arguments,
// those of hidden types included, is called by a fuzz target of its package or by what
// the target calls in tests, and that each target has a corpus.
func TestFuzzed(t *testing.T) {
	for _, dir := range fuzzed {
		files, err := filepath.Glob(filepath.Join(dir, "*.go"))
		if err != nil || len(files) == 0 {
			t.Fatal(dir, err)
		}
		helpers, err := filepath.Glob("internal/testkit/*.go")
		if err != nil {
			t.Fatal(err)
		}
		wanted, uses := map[string]bool{}, map[string]map[string]bool{}
		for _, name := range append(files, helpers...) {
			f, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			ours := filepath.Dir(name) == filepath.Clean(dir)
			for _, d := range f.Decls {
				fn, ok := d.(*ast.FuncDecl)
				switch {
				case !ok:
				case ours && !strings.HasSuffix(name, "_test.go"):
					if fn.Name.IsExported() && fn.Type.Params.NumFields() > 0 {
						wanted[fn.Name.Name] = true
					}
				default:
					used := uses[fn.Name.Name]
					if used == nil {
						used = map[string]bool{}
						uses[fn.Name.Name] = used
					}
					ast.Inspect(fn, func(n ast.Node) bool {
						if id, ok := n.(*ast.Ident); ok {
							used[id.Name] = true
						}
						return true
					})
				}
			}
		}
		reached := map[string]bool{}
		var visit func(name string)
		visit = func(name string) {
			if !reached[name] {
				reached[name] = true
				for n := range uses[name] {
					visit(n)
				}
			}
		}
		for name := range uses {
			if strings.HasPrefix(name, "Fuzz") {
				visit(name)
				if corpus, err := os.ReadDir(filepath.Join(dir, "testdata", "fuzz", name)); err != nil || len(corpus) == 0 {
					t.Errorf("%s.%s has no corpus: %v", dir, name, err)
				}
			}
		}
		for name := range wanted {
			if !reached[name] && notFuzzed[dir+"."+name] == "" {
				t.Errorf("no fuzz target calls %s.%s", dir, name)
			}
		}
	}
}
