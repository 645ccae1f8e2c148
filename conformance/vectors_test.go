package conformance

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"github.com/c2sp/wycheproof"
)

// The results that a vector may state.
const (
	valid      = "valid"
	acceptable = "acceptable"
	invalid    = "invalid"
)

// hexBytes is a byte string that JSON holds as hexadecimal digits.
type hexBytes []byte

func (h *hexBytes) UnmarshalJSON(text []byte) error {
	var s string
	if err := json.Unmarshal(text, &s); err != nil {
		return err
	}
	b, err := hex.DecodeString(s)
	*h = b
	return err
}

type source struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

type note struct {
	BugType     string   `json:"bugType"`
	Description string   `json:"description"`
	Effect      string   `json:"effect"`
	Links       []string `json:"links"`
	CVEs        []string `json:"cves"`
}

// A vector holds what every vector has.
type vector struct {
	ID      int      `json:"tcId"`
	Comment string   `json:"comment"`
	Flags   []string `json:"flags"`
	Result  string   `json:"result"`
}

func (v *vector) common() *vector { return v }

func (v *vector) String() string { return fmt.Sprintf("vector %d (%s)", v.ID, v.Comment) }

// A group holds vectors of type T beside what every group has.
type group[T any] struct {
	Type   string `json:"type"`
	Source source `json:"source"`
	Tests  []T    `json:"tests"`
}

func (g *group[T]) head() (kind string, tests []T) { return g.Type, g.Tests }

type document[G any] struct {
	Algorithm     string          `json:"algorithm"`
	Schema        string          `json:"schema"`
	Header        []string        `json:"header"`
	Notes         map[string]note `json:"notes"`
	NumberOfTests int             `json:"numberOfTests"`
	Groups        []G             `json:"testGroups"`
}

// load reads the groups of a file and holds the file against its row of the
// table: nothing in it may be unknown, and every count must be exact.
func load[G any, T any, PG interface {
	*G
	head() (string, []T)
}, PT interface {
	*T
	common() *vector
}](t *testing.T, name string) (*file, []G) {
	t.Helper()
	f := lookUp(t, name)
	text, err := fs.ReadFile(wycheproof.TestVectors, name)
	if err != nil {
		t.Fatal(err)
	}
	var doc document[G]
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&doc); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if _, err := d.Token(); err != io.EOF {
		t.Fatalf("%s: something follows the document", name)
	}

	got := counts{groups: len(doc.Groups)}
	last := 0
	for i := range doc.Groups {
		kind, tests := PG(&doc.Groups[i]).head()
		if kind != f.kind {
			t.Fatalf("%s: group of type %q, want %q", name, kind, f.kind)
		}
		for j := range tests {
			v := PT(&tests[j]).common()
			if v.ID <= last {
				t.Fatalf("%s: vector %d comes after vector %d", name, v.ID, last)
			}
			last = v.ID
			switch v.Result {
			case valid:
				got.valid++
			case acceptable:
				got.acceptable++
			case invalid:
				got.invalid++
			default:
				t.Fatalf("%s: %v has the unknown result %q", name, v, v.Result)
			}
			for _, flag := range v.Flags {
				if !slices.Contains(knownFlags[f.schema], flag) {
					t.Fatalf("%s: %v has the unknown flag %q", name, v, flag)
				}
				if _, ok := doc.Notes[flag]; !ok {
					t.Fatalf("%s: %v has the flag %q, which the file does not explain", name, v, flag)
				}
			}
		}
	}
	want := f.counts
	want.accepted = 0 // known only after the run
	if got != want {
		t.Fatalf("%s: %+v, want %+v", name, got, want)
	}
	if doc.NumberOfTests != want.tests() {
		t.Fatalf("%s: numberOfTests is %d, but there are %d", name, doc.NumberOfTests, want.tests())
	}
	if doc.Schema != f.schema {
		t.Fatalf("%s: schema %q, want %q", name, doc.Schema, f.schema)
	}
	return f, doc.Groups
}

// A tally counts what became of a file's vectors in one run.
type tally struct {
	f   *file
	got counts
}

// judge takes the outcome of a vector (nil if it was accepted) and what the
// standard library made of the same vector.
func (y *tally) judge(t *testing.T, v *vector, got, std error) {
	t.Helper()
	switch v.Result {
	case valid:
		y.got.valid++
	case acceptable:
		y.got.acceptable++
		if got == nil {
			y.got.accepted++
		}
		if want := outcomeOf(v); want != either && (got == nil) != (want == accepted) {
			t.Errorf("%v, with flags %v, is acceptable and was %s before; now the outcome is: %v", v, v.Flags, want, got)
		}
	case invalid:
		y.got.invalid++
	}
	if (got == nil) != (v.Result == valid) && v.Result != acceptable {
		t.Errorf("%v is %s, but the outcome is: %v", v, v.Result, got)
	}
	if (got == nil) != (std == nil) {
		t.Errorf("%v: the outcome is %v, the standard library's is %v", v, got, std)
	}
}

// done fails unless every vector of the file was judged and as many acceptable
// ones were accepted as the table says.
func (y *tally) done(t *testing.T) {
	t.Helper()
	y.got.groups = y.f.groups
	if y.got != y.f.counts {
		t.Errorf("%s: ran %+v, want %+v", y.f.name, y.got, y.f.counts)
	}
}

// slow skips, in short mode, files of curves that have no kernels and take most
// of the time.
func slow(t *testing.T, f *file) {
	t.Helper()
	if testing.Short() && (strings.Contains(f.name, "secp384r1") || strings.Contains(f.name, "secp521r1")) {
		t.Skip("slow, and no kernel has a part in it")
	}
}
