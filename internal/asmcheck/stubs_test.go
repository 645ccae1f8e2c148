package asmcheck

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// A stub is a declaration of a function in assembly.
type stub struct {
	name     string
	doc      string            // its documentation
	parts    map[string]string // the labelled parts of it
	labels   []string          // in their order
	params   []string
	results  []string
	pointers []string // the parameters that are pointers
	noescape bool
}

// labels are the parts that each stub has, in this order.
var labels = []string{"Source", "Aliasing", "Bounds", "Needs", "Secret", "Leaves"}

var item = regexp.MustCompile(`(?m)^(?: +- )?(` + strings.Join(labels, "|") + `):\s`)

// stubs returns the stubs of an architecture.
func stubs(t *testing.T, arch string) []stub {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(kernelDir(arch), "*.go"))
	if err != nil || len(files) == 0 {
		t.Fatalf("found no stubs for %s: %v", arch, err)
	}
	var list []stub
	fset := token.NewFileSet()
	for _, name := range files {
		file, err := parser.ParseFile(fset, name, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok {
				t.Errorf("%s: there is more than stubs", fset.Position(d.Pos()))
				continue
			}
			if f.Body != nil {
				t.Errorf("%s: %s is not in assembly", fset.Position(d.Pos()), f.Name)
			}
			s := stub{name: f.Name.Name, doc: f.Doc.Text(), parts: map[string]string{}}
			if f.Doc != nil {
				for _, c := range f.Doc.List {
					s.noescape = s.noescape || c.Text == "//go:noescape"
				}
			}
			for _, p := range f.Type.Params.List {
				for _, n := range p.Names {
					s.params = append(s.params, n.Name)
					if _, ok := p.Type.(*ast.StarExpr); ok {
						s.pointers = append(s.pointers, n.Name)
					}
				}
			}
			if f.Type.Results != nil {
				for _, p := range f.Type.Results.List {
					for _, n := range p.Names {
						s.results = append(s.results, n.Name)
					}
				}
			}
			at := item.FindAllStringSubmatchIndex(s.doc, -1)
			for i, m := range at {
				end := len(s.doc)
				if i+1 < len(at) {
					end = at[i+1][0]
				}
				text := s.doc[m[1]:end]
				label := s.doc[m[2]:m[3]]
				if label == "Source" {
					text, _, _ = strings.Cut(text, "\n\n")
				}
				s.labels = append(s.labels, label)
				s.parts[label] = strings.Join(strings.Fields(text), " ")
			}
			list = append(list, s)
		}
	}
	return list
}

// A row of the table in package impl.
type row struct {
	tier  string
	needs []string
}

// table returns the rows of an architecture's table, by the names of their variables.
func table(t *testing.T, arch string) map[string][]row {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), filepath.Join("..", "impl", "table_"+arch+".go"), nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	sets := map[string]ast.Expr{}
	rows := map[string][]row{}
	var eval func(e ast.Expr) []string
	eval = func(e ast.Expr) []string {
		switch e := e.(type) {
		case *ast.BinaryExpr:
			return append(eval(e.X), eval(e.Y)...)
		case *ast.Ident:
			if strings.HasPrefix(e.Name, "need") {
				return eval(sets[e.Name])
			}
			return []string{feature(strings.TrimSuffix(e.Name, "Feature"))}
		}
		t.Fatalf("the table of %s has a set of features of unknown form", arch)
		return nil
	}
	for _, d := range file.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok {
			continue
		}
		for _, spec := range g.Specs {
			v, ok := spec.(*ast.ValueSpec)
			if !ok || len(v.Values) != len(v.Names) {
				continue
			}
			for i, name := range v.Names {
				if strings.HasPrefix(name.Name, "need") {
					sets[name.Name] = v.Values[i]
				}
				list, ok := v.Values[i].(*ast.CompositeLit)
				if !ok || !strings.HasSuffix(name.Name, "Rows") {
					continue
				}
				rows[name.Name] = []row{}
				for _, e := range list.Elts {
					r := row{}
					for _, f := range e.(*ast.CompositeLit).Elts {
						kv := f.(*ast.KeyValueExpr)
						switch kv.Key.(*ast.Ident).Name {
						case "Tier":
							r.tier = kv.Value.(*ast.Ident).Name
						case "Needs":
							r.needs = eval(kv.Value)
						}
					}
					rows[name.Name] = append(rows[name.Name], r)
				}
			}
		}
	}
	if len(rows) == 0 {
		t.Fatalf("found no rows for %s", arch)
	}
	return rows
}

// feature brings a feature's name to one form.
func feature(name string) string {
	return strings.ToUpper(strings.NewReplacer(".", "", "-", "").Replace(strings.TrimSpace(name)))
}

// primitives are the beginnings of kernels' names, with the rows that use them.
var primitives = []struct {
	prefix string
	rows   []string
}{
	{"ChaCha20Poly1305", []string{"chachaRows"}},
	{"HChaCha20", []string{"chachaRows"}},
	{"Poly1305", []string{"poly1305Rows"}},
	{"GCM", []string{"gcmRows"}},
	{"CTR", []string{"ctrRows"}},
	{"P256", []string{"p256Rows", "p256BatchRows"}},
}

// untiered are kernels that serve all tiers of some rows, and so need no more than each
// of them has; or that choose the tier.
var untiered = map[string][]string{
	"AESExpandKey": {"gcmRows", "ctrRows"},
	"HChaCha20":    {"chachaRows"},
	"CPUID":        nil,
	"XCR0":         nil,
}

var word = regexp.MustCompile(`\w+`)

// names returns which of list are words of text.
func names(text string, list []string) []string {
	words := word.FindAllString(text, -1)
	var found []string
	for _, n := range list {
		if slices.Contains(words, n) {
			found = append(found, n)
		}
	}
	return found
}

var depends = regexp.MustCompile(`Control flow and addresses depend on (nothing|([\w, ]+) only)\b`)

// TestStubs checks that each stub states its whole contract, that this agrees with its
// signature and with the table of kernels, and that each row of the table has kernels.
func TestStubs(t *testing.T) {
	for _, arch := range architectures {
		t.Run(arch, func(t *testing.T) {
			rows := table(t, arch)
			used := map[string]map[string]bool{} // rows, tiers
			list := stubs(t, arch)
			if len(list) < 20 {
				t.Fatalf("found only %d stubs", len(list))
			}
			for _, s := range list {
				wrong := func(format string, args ...any) {
					t.Helper()
					t.Errorf(s.name+": "+format, args...)
				}
				if !strings.HasPrefix(s.doc, s.name+" ") {
					wrong("its documentation does not begin with its name")
				}
				if !slices.Equal(s.labels, labels) {
					wrong("its documentation has the parts %v, want %v", s.labels, labels)
					continue
				}
				for _, l := range labels {
					if len(s.parts[l]) < 4 {
						wrong("the part %s is empty", l)
					}
				}
				for _, p := range append(slices.Clone(s.params), s.results...) {
					if len(names(s.doc, []string{p})) == 0 {
						wrong("its documentation does not mention %s", p)
					}
				}
				if s.noescape != (len(s.pointers) > 0) {
					wrong("go:noescape belongs to functions with pointers, and to these only")
				}

				// What is secret, and what control flow depends on.
				m := depends.FindStringSubmatch(s.parts["Secret"])
				if m == nil {
					wrong("its documentation does not say what control flow and addresses depend on")
					continue
				}
				var decides []string
				if m[1] != "nothing" {
					for _, n := range word.FindAllString(m[2], -1) {
						if n == "and" {
							continue
						}
						if !slices.Contains(s.params, n) {
							wrong("control flow depends on %q, which is not an argument", n)
						}
						decides = append(decides, n)
					}
				}
				secret, _, _ := strings.Cut(s.parts["Secret"], "Control flow")
				for _, n := range names(secret, s.params) {
					if slices.Contains(decides, n) {
						wrong("%s is secret and decides control flow", n)
					}
				}
				for _, n := range decides {
					if slices.Contains(s.pointers, n) && !strings.Contains(s.name, "VarTime") {
						wrong("control flow depends on what %s points to, but the name does not say VarTime", n)
					}
				}
				if strings.Contains(s.name, "VarTime") && len(names(secret, s.params)) > 0 {
					wrong("it takes variable time and has secrets")
				}

				// The features of its row.
				var needs []string
				if !strings.HasPrefix(s.parts["Needs"], "no feature") {
					text, _, _ := strings.Cut(s.parts["Needs"], ", of any")
					for _, f := range strings.Split(strings.TrimSuffix(text, "."), ",") {
						needs = append(needs, feature(f))
					}
				}
				var serves [][]string
				if users, ok := untiered[s.name]; ok {
					for _, u := range users {
						for _, r := range rows[u] {
							serves = append(serves, r.needs)
						}
					}
				} else {
					for _, p := range primitives {
						if !strings.HasPrefix(s.name, p.prefix) {
							continue
						}
						for _, u := range p.rows {
							for _, r := range rows[u] {
								if strings.HasSuffix(s.name, r.tier) {
									serves = append(serves, r.needs)
									if used[u] == nil {
										used[u] = map[string]bool{}
									}
									used[u][r.tier] = true
								}
							}
						}
						break
					}
					if len(serves) == 0 {
						wrong("its name does not end with a tier of its primitive")
					}
				}
				for _, row := range serves {
					for _, f := range needs {
						if !slices.Contains(row, f) {
							wrong("it needs %s, which its row in the table does not demand", f)
						}
					}
				}
			}
			for name, list := range rows {
				for _, r := range list {
					if !used[name][r.tier] {
						t.Errorf("%s: no kernel has the tier %s", name, r.tier)
					}
				}
			}
		})
	}
}

// arm64Features are the features that instructions of arm64 belong to.
var arm64Features = map[string]string{"AESE": "AES", "AESMC": "AES", "VPMULL": "PMULL", "VPMULL2": "PMULL", "VEOR3": "SHA3", "XAR": "SVE2"}

// TestNeedsOnARM64 checks that a stub names the features that the function's
// instructions belong to. On amd64 the generators see to it.
func TestNeedsOnARM64(t *testing.T) {
	documented := map[string][]string{}
	for _, s := range stubs(t, "arm64") {
		text, _, _ := strings.Cut(s.parts["Needs"], ", of any")
		if !strings.HasPrefix(text, "no feature") {
			for _, f := range strings.Split(strings.TrimSuffix(text, "."), ",") {
				documented[s.name] = append(documented[s.name], feature(f))
			}
		} else {
			documented[s.name] = nil
		}
	}
	for _, s := range read(t, "arm64") {
		// What a text uses: the features of its instructions, and of the macros in it.
		var uses func(text string, seen map[string]bool, found map[string]bool)
		uses = func(text string, seen, found map[string]bool) {
			for _, w := range word.FindAllString(text, -1) {
				if f := arm64Features[w]; f != "" {
					found[f] = true
				}
				if m, ok := s.macros[w]; ok && !seen[w] {
					seen[w] = true
					if !strings.HasPrefix(m.body, "WORD") {
						uses(m.body, seen, found)
					}
				}
				// Instructions on vectors begin with V, or name its registers.
				if regexp.MustCompile(`^[VF]\d+$|^V[A-Z]{2,}\d?$|^(UMULL|UMLAL2?|MUL4S|SHRN26|XTN2)$`).MatchString(w) {
					found["ASIMD"] = true
				}
			}
		}
		bodies := map[string]string{}
		for _, st := range s.statements {
			if st.function != "" && st.word != "TEXT" {
				bodies[st.function] += st.text + "\n"
			}
		}
		for name, body := range bodies {
			want, ok := documented[name]
			if !ok {
				continue // a part of another function
			}
			for called, b := range bodies {
				if strings.Contains(body, called+"<>(SB)") {
					body += b
				}
			}
			found := map[string]bool{}
			uses(body, map[string]bool{}, found)
			if len(found) > 1 && !slices.Contains(want, "ASIMD") {
				delete(found, "ASIMD") // the others imply it
			}
			for _, f := range want {
				if !found[f] {
					t.Errorf("%s: the documentation says that it needs %s; no instruction does", name, f)
				}
				delete(found, f)
			}
			for f := range found {
				t.Errorf("%s: its instructions need %s; the documentation does not say so", name, f)
			}
		}
	}
}
