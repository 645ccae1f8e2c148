//lint:file-ignore U1000 types are looked at by reflection

package tlsrecord

import (
	"bytes"
	"crypto"
	"crypto/aes"
	"crypto/cipher"
	"crypto/fips140"
	"crypto/subtle"
	"errors"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"reflect"
	"slices"
	"testing"
)

func TestCheckVersion(t *testing.T) {
	for version, ok := range map[string]bool{
		"go1.26": true, "go1.26.0": true, "go1.26.8": true, "go1.26.27": true, "go1.26.8 X:greenteagc": true,
		"go1.25.9": false, "go1.27": false, "go1.27.1": false, "go1.260": false, "go1.2": false, "go1.26rc1": false,
		"go1.26.8-vendor": false, "go1.26.": false, "go1.26.x": false, "go1.26.8 X:boringcrypto": false,
		"go1.26.8 X:systemcrypto,greenteagc": false, "devel go1.27-abcdef": false, "go2.0": false, "": false,
	} {
		err := checkVersion(version)
		if (err == nil) != ok {
			t.Errorf("%q: %v", version, err)
		}
		if err != nil && !errors.Is(err, errors.ErrUnsupported) {
			t.Errorf("%q: the error does not match errors.ErrUnsupported", version)
		}
	}
}

// originals returns crypto/tls's table as it is without Install.
func originals(t testing.TB) []*cipherSuite {
	t.Helper()
	skipEnforced(t)
	suites, err := table()
	if err != nil {
		t.Skip(err)
	}
	uninstall()
	return suites
}

// everything replaces all suites, also where the generic tier serves.
var everything = map[uint16]replacement{aes128GCM: newGCM, aes256GCM: newGCM, chacha20Poly1305: newChaCha}

func TestPrepare(t *testing.T) {
	suites := originals(t)
	changes, err := prepare(suites, expected, everything)
	if err != nil {
		t.Fatal(err)
	}
	if len(changes) != len(suites) {
		t.Fatalf("%d changes for %d suites", len(changes), len(suites))
	}
	for i, c := range changes {
		if c.suite != suites[i] || functionName(c.to) == functionName(suites[i].aead) {
			t.Errorf("change %d is not for its suite", i)
		}
		if functionName(suites[i].aead) != expected.suites[i].aead {
			t.Errorf("prepare changed suite %d", i)
		}
	}
	if changes, err := prepare(suites, expected, map[uint16]replacement{aes256GCM: newGCM}); err != nil || len(changes) != 1 || changes[0].suite.id != aes256GCM {
		t.Errorf("one replacement gives %d changes, error %v", len(changes), err)
	}
}

// TestUnexpectedTable simulates tables of another layout or content.
func TestUnexpectedTable(t *testing.T) {
	table := originals(t)
	for name, change := range map[string]func([]*cipherSuite) []*cipherSuite{
		"nil":              func(s []*cipherSuite) []*cipherSuite { return nil },
		"too short":        func(s []*cipherSuite) []*cipherSuite { return s[:2:2] },
		"too long":         func(s []*cipherSuite) []*cipherSuite { return slices.Clip(append(s, s[0])) },
		"more capacity":    func(s []*cipherSuite) []*cipherSuite { return append(make([]*cipherSuite, 0, 8), s...) },
		"another order":    func(s []*cipherSuite) []*cipherSuite { s[0], s[1] = s[1], s[0]; return s },
		"nil entry":        func(s []*cipherSuite) []*cipherSuite { s[2] = nil; return s },
		"ID":               func(s []*cipherSuite) []*cipherSuite { s[1].id++; return s },
		"key length":       func(s []*cipherSuite) []*cipherSuite { s[0].keyLen = 32; return s },
		"huge key length":  func(s []*cipherSuite) []*cipherSuite { s[0].keyLen = -1; return s },
		"hash":             func(s []*cipherSuite) []*cipherSuite { s[2].hash = crypto.SHA512; return s },
		"nil constructor":  func(s []*cipherSuite) []*cipherSuite { s[1].aead = nil; return s },
		"swapped":          func(s []*cipherSuite) []*cipherSuite { s[0].aead, s[1].aead = s[1].aead, s[0].aead; return s },
		"somebody else's":  func(s []*cipherSuite) []*cipherSuite { s[2].aead = foreign; return s },
		"somebody's again": func(s []*cipherSuite) []*cipherSuite { s[0].aead = closure(s[0].aead); return s },
	} {
		t.Run(name, func(t *testing.T) {
			suites := make([]*cipherSuite, len(table))
			for i, s := range table {
				c := *s
				suites[i] = &c
			}
			suites = change(slices.Clip(suites))
			before := snapshot(suites)
			changes, err := prepare(suites, expected, everything)
			if err == nil || len(changes) != 0 {
				t.Fatalf("%d changes, error %v", len(changes), err)
			}
			if errors.Is(err, errors.ErrUnsupported) {
				t.Errorf("%v matches errors.ErrUnsupported", err)
			}
			if !slices.Equal(snapshot(suites), before) {
				t.Error("the table was changed")
			}
		})
	}
}

func foreign(key, fixedNonce []byte) recordAEAD { return nil }

func closure(f constructor) constructor {
	return func(key, fixedNonce []byte) recordAEAD { return f(key, fixedNonce) }
}

// snapshot returns the names of the constructors.
func snapshot(suites []*cipherSuite) []string {
	var names []string
	for _, s := range suites {
		if s == nil {
			names = append(names, "nil suite")
		} else {
			names = append(names, functionName(s.aead))
		}
	}
	return names
}

// The following are like crypto/tls.xorNonceAEAD, or nearly.
type (
	good struct {
		nonceMask [12]byte
		aead      cipher.AEAD
	}
	exchanged struct {
		aead      cipher.AEAD
		nonceMask [12]byte
	}
	shortMask struct {
		nonceMask [8]byte
		aead      cipher.AEAD
	}
	sliceMask struct {
		nonceMask []byte
		aead      cipher.AEAD
	}
	otherMask struct {
		nonce [12]byte
		aead  cipher.AEAD
	}
	otherInner struct {
		nonceMask [12]byte
		inner     cipher.AEAD
	}
	concreteInner struct {
		nonceMask [12]byte
		aead      *good
	}
	narrowInner struct {
		nonceMask [12]byte
		aead      interface{ NonceSize() int }
	}
	thirdField struct {
		nonceMask [12]byte
		aead      cipher.AEAD
		counter   uint64
	}
	oneField  struct{ aead cipher.AEAD }
	deeper    struct{ good }
	notStruct [5]uint64
)

func (g *good) NonceSize() int        { return 8 }
func (g *good) Overhead() int         { return g.aead.Overhead() }
func (g *good) explicitNonceLen() int { return 0 }

func (g *good) Seal(dst, nonce, plaintext, additionalData []byte) []byte {
	return g.aead.Seal(dst, g.nonce(nonce), plaintext, additionalData)
}

func (g *good) Open(dst, nonce, ciphertext, additionalData []byte) ([]byte, error) {
	return g.aead.Open(dst, g.nonce(nonce), ciphertext, additionalData)
}

func (g *good) nonce(number []byte) []byte {
	n := g.nonceMask
	subtle.XORBytes(n[4:], n[4:], number)
	return n[:]
}

// like returns an expectation of the given type of this package.
func like(t reflect.Type) *expectation {
	e := expected
	e.pkg, e.wrapper = t.PkgPath(), t.Name()
	return &e
}

func TestUnexpectedType(t *testing.T) {
	for _, c := range []struct {
		pointer reflect.Type
		ok      bool
	}{
		{reflect.TypeFor[*good](), true},
		{reflect.TypeFor[*exchanged](), true}, // reflection finds the fields wherever they are
		{reflect.TypeFor[*shortMask](), false},
		{reflect.TypeFor[*sliceMask](), false},
		{reflect.TypeFor[*otherMask](), false},
		{reflect.TypeFor[*otherInner](), false},
		{reflect.TypeFor[*concreteInner](), false},
		{reflect.TypeFor[*narrowInner](), false},
		{reflect.TypeFor[*thirdField](), false},
		{reflect.TypeFor[*oneField](), false},
		{reflect.TypeFor[*deeper](), false},
		{reflect.TypeFor[*notStruct](), false},
	} {
		if w, err := like(c.pointer.Elem()).checkType(c.pointer); (err == nil) != c.ok || (w != nil) != c.ok {
			t.Errorf("%v: %v, %v", c.pointer, w, err)
		}
	}

	e := like(reflect.TypeFor[good]())
	for _, other := range []reflect.Type{nil, reflect.TypeFor[good](), reflect.TypeFor[**good](), reflect.TypeFor[*exchanged](), reflect.TypeFor[*aes.KeySizeError]()} {
		if _, err := e.checkType(other); err == nil {
			t.Errorf("%v was taken for *good", other)
		}
	}
	if _, err := expected.checkType(reflect.TypeFor[*good]()); err == nil {
		t.Error("a type of this package was taken for crypto/tls's")
	}
}

func skipEnforced(t testing.TB) {
	t.Helper()
	if fips140.Enforced() {
		t.Skip("FIPS 140-3 mode: crypto/cipher refuses GCM with given nonces")
	}
}

func gcmOf(t *testing.T, key []byte) cipher.AEAD {
	skipEnforced(t)
	block, err := aes.NewCipher(key)
	if err != nil {
		t.Fatal(err)
	}
	a, err := cipher.NewGCM(block)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// TestUnexpectedContent simulates constructors whose results have the right type
// and something else inside.
func TestUnexpectedContent(t *testing.T) {
	e := like(reflect.TypeFor[good]())
	right := func(key, fixed []byte) recordAEAD {
		return &good{[12]byte(fixed), gcmOf(t, key)}
	}
	if _, err := e.checkWrapper(&cipherSuite{keyLen: 16, aead: right}); err != nil {
		t.Fatal(err)
	}
	for name, f := range map[string]constructor{
		"nil":         func(key, fixed []byte) recordAEAD { return nil },
		"nil pointer": func(key, fixed []byte) recordAEAD { return (*good)(nil) },
		"mask":        func(key, fixed []byte) recordAEAD { return &good{[12]byte{}, gcmOf(t, key)} },
		"no AEAD":     func(key, fixed []byte) recordAEAD { return &good{aead: nil, nonceMask: [12]byte(fixed)} },
		"nonce size": func(key, fixed []byte) recordAEAD {
			block, _ := aes.NewCipher(key)
			a, _ := cipher.NewGCMWithNonceSize(block, 16)
			return &good{[12]byte(fixed), a}
		},
		"tag size": func(key, fixed []byte) recordAEAD {
			block, _ := aes.NewCipher(key)
			a, _ := cipher.NewGCMWithTagSize(block, 12)
			return &good{[12]byte(fixed), a}
		},
		"type": func(key, fixed []byte) recordAEAD { return another{right(key, fixed)} },
	} {
		if _, err := e.checkWrapper(&cipherSuite{keyLen: 16, aead: f}); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}

type another struct{ recordAEAD }

// A faulty is an AEAD that does one thing wrong.
type faulty struct {
	cipher.AEAD
	seal func(a cipher.AEAD, dst, nonce, plaintext, additionalData []byte) []byte
	open func(a cipher.AEAD, dst, nonce, ciphertext, additionalData []byte) ([]byte, error)
}

func (f faulty) Seal(dst, nonce, plaintext, additionalData []byte) []byte {
	if f.seal == nil {
		return f.AEAD.Seal(dst, nonce, plaintext, additionalData)
	}
	return f.seal(f.AEAD, dst, nonce, plaintext, additionalData)
}

func (f faulty) Open(dst, nonce, ciphertext, additionalData []byte) ([]byte, error) {
	if f.open == nil {
		return f.AEAD.Open(dst, nonce, ciphertext, additionalData)
	}
	return f.open(f.AEAD, dst, nonce, ciphertext, additionalData)
}

type wrongSizes struct{ cipher.AEAD }

func (wrongSizes) Overhead() int { return 12 }

// TestWrongResults has the known-answer records find replacements that are wrong.
func TestWrongResults(t *testing.T) {
	suites := originals(t)
	gcm := func(key []byte) cipher.AEAD { return gcmOf(t, key) }
	for name, r := range map[string]replacement{
		"error": func(key []byte) (cipher.AEAD, error) { return nil, errors.New("no") },
		"key": func(key []byte) (cipher.AEAD, error) {
			return gcm(append([]byte{key[0] ^ 1}, key[1:]...)), nil
		},
		"sizes": func(key []byte) (cipher.AEAD, error) { return wrongSizes{gcm(key)}, nil },
		"one length": func(key []byte) (cipher.AEAD, error) {
			return faulty{AEAD: gcm(key), seal: func(a cipher.AEAD, dst, nonce, p, ad []byte) []byte {
				out := a.Seal(dst, nonce, p, ad)
				if len(p) == 257 {
					out[len(out)-1] ^= 128
				}
				return out
			}}, nil
		},
		"no additional data": func(key []byte) (cipher.AEAD, error) {
			return faulty{
				AEAD: gcm(key),
				seal: func(a cipher.AEAD, dst, nonce, p, ad []byte) []byte { return a.Seal(dst, nonce, p, nil) },
				open: func(a cipher.AEAD, dst, nonce, c, ad []byte) ([]byte, error) { return a.Open(dst, nonce, c, nil) },
			}, nil
		},
		"opens nothing": func(key []byte) (cipher.AEAD, error) {
			return faulty{AEAD: gcm(key), open: func(a cipher.AEAD, dst, nonce, c, ad []byte) ([]byte, error) {
				return nil, errors.New("no")
			}}, nil
		},
		"opens anything": func(key []byte) (cipher.AEAD, error) {
			return faulty{AEAD: gcm(key), open: func(a cipher.AEAD, dst, nonce, c, ad []byte) ([]byte, error) {
				s := a.Seal(nil, nonce, c[:len(c)-16], ad) // counter mode: sealing the ciphertext opens it
				return append(dst, s[:len(c)-16]...), nil
			}}, nil
		},
		"opens part of the tag": func(key []byte) (cipher.AEAD, error) {
			return faulty{AEAD: gcm(key), open: func(a cipher.AEAD, dst, nonce, c, ad []byte) ([]byte, error) {
				n := len(c) - 16
				p := a.Seal(nil, nonce, c[:n], ad)[:n]
				if !bytes.Equal(a.Seal(nil, nonce, p, ad)[n:n+15], c[n:n+15]) {
					return nil, errors.New("no")
				}
				return append(dst, p...), nil
			}}, nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			before := snapshot(suites)
			changes, err := prepare(suites, expected, map[uint16]replacement{aes256GCM: r})
			if err == nil || len(changes) != 0 {
				t.Fatalf("%d changes, error %v", len(changes), err)
			}
			t.Log(err)
			if !slices.Equal(snapshot(suites), before) {
				t.Error("the table was changed")
			}
		})
	}
}

// TestWrapLater checks that a constructor that does not return what it used to,
// or a replacement that fails, leaves crypto/tls's own AEAD.
func TestWrapLater(t *testing.T) {
	w, err := like(reflect.TypeFor[good]()).checkType(reflect.TypeFor[*good]())
	if err != nil {
		t.Fatal(err)
	}
	own := gcmOf(t, make([]byte, 16))
	fail := func([]byte) (cipher.AEAD, error) { return nil, errors.New("no") }
	for _, result := range []recordAEAD{nil, (*good)(nil), another{&good{}}, &good{aead: own}} {
		r := newGCM
		if g, ok := result.(*good); ok && g != nil {
			r = fail
		}
		got := w.wrap(func(key, fixedNonce []byte) recordAEAD { return result }, r)(make([]byte, 16), make([]byte, 12))
		if got != result {
			t.Errorf("%T became %T", result, got)
		}
		if g, ok := got.(*good); ok && g != nil && g.aead != own {
			t.Errorf("the AEAD became %T", g.aead)
		}
	}
}

// TestSource compares what is relied on with the sources of crypto/tls, where
// this toolchain has them.
func TestSource(t *testing.T) {
	if _, err := table(); err != nil {
		t.Skip(err)
	}
	dir := filepath.Join(build.Default.GOROOT, "src", "crypto", "tls")
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, filepath.Join(dir, "cipher_suites.go"), nil, parser.ParseComments)
	if err != nil {
		t.Skip(err)
	}
	want := map[string]string{
		"cipherSuiteTLS13": "struct{id uint16; keyLen int; aead func(key, fixedNonce []byte) aead; hash crypto.Hash}",
		"aead":             "interface{cipher.AEAD; explicitNonceLen() int}",
		"xorNonceAEAD":     "struct{nonceMask [aeadNonceLength]byte; aead cipher.AEAD}",
	}
	found, linked := 0, false
	for _, d := range file.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok {
			continue
		}
		if g.Doc != nil && slices.ContainsFunc(g.Doc.List, func(c *ast.Comment) bool {
			return c.Text == "//go:linkname cipherSuitesTLS13"
		}) {
			linked = true
		}
		for _, spec := range g.Specs {
			ts, ok := spec.(*ast.TypeSpec)
			if !ok || want[ts.Name.Name] == "" {
				continue
			}
			found++
			if got := types.ExprString(ts.Type); got != want[ts.Name.Name] {
				t.Errorf("%s is %s, want %s", ts.Name.Name, got, want[ts.Name.Name])
			}
		}
	}
	if found != len(want) || !linked {
		t.Errorf("%d of %d types found, variable kept for linkname: %v", found, len(want), linked)
	}
}
