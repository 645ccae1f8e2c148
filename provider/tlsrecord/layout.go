package tlsrecord

import (
	"crypto"
	"crypto/cipher"
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"strings"
	"unsafe"
)

// The TLS 1.3 cipher suites of crypto/tls (RFC 8446, appendix B.4).
const (
	aes128GCM        = 0x1301
	aes256GCM        = 0x1302
	chacha20Poly1305 = 0x1303
)

// nonceLength is the length of the fixed nonce, in bytes (RFC 8446, section 5.3).
const nonceLength = 12

// A recordAEAD has the shape of crypto/tls.aead. Values of it come from crypto/tls
// and go back there as they are. They are never called through this type: an
// unexported method belongs to its package, so this is another type than theirs.
type recordAEAD interface {
	cipher.AEAD
	explicitNonceLen() int
}

// A constructor has the shape of the field aead of crypto/tls.cipherSuiteTLS13.
type constructor func(key, fixedNonce []byte) recordAEAD

// A cipherSuite has the layout of crypto/tls.cipherSuiteTLS13.
type cipherSuite struct {
	id     uint16
	keyLen int
	aead   constructor
	hash   crypto.Hash
}

// An expectation is all that is relied on in crypto/tls.
type expectation struct {
	suites  []expectedSuite
	pkg     string // of the wrapper
	wrapper string // the type of what a constructor returns points to
	mask    string // its field with the fixed nonce
	inner   string // its field with the AEAD
}

// An expectedSuite is one entry of the table. The binary has no description of
// the table's type, since no value of it ever becomes an interface; that each
// field has exactly this value stands in for it. The fields before and after the
// constructor prove its place.
type expectedSuite struct {
	id     uint16
	keyLen int
	aead   string // the name of the constructor
	hash   crypto.Hash
}

// expected is what crypto/tls of Go 1.26 looks like. When another series of Go
// comes, compare its cipher_suites.go and the uses of the field aead in conn.go,
// then adapt expected, checkVersion, the build constraints, and TestSource; that
// test fails when a patch release should change the sources.
var expected = expectation{
	suites: []expectedSuite{
		{aes128GCM, 16, "crypto/tls.aeadAESGCMTLS13", crypto.SHA256},
		{chacha20Poly1305, 32, "crypto/tls.aeadChaCha20Poly1305", crypto.SHA256},
		{aes256GCM, 32, "crypto/tls.aeadAESGCMTLS13", crypto.SHA384},
	},
	pkg:     "crypto/tls",
	wrapper: "xorNonceAEAD",
	mask:    "nonceMask",
	inner:   "aead",
}

// checkVersion accepts the releases of Go 1.26, with or without a list of
// experiments, and nothing that somebody else built from its sources.
func checkVersion(version string) error {
	release, experiments, _ := strings.Cut(version, " X:")
	patch, ok := strings.CutPrefix(release, "go1.26")
	if ok && patch != "" {
		patch, ok = strings.CutPrefix(patch, ".")
		ok = ok && patch != "" && strings.Trim(patch, "0123456789") == ""
	}
	if !ok || strings.Contains(experiments, "crypto") {
		return fmt.Errorf("crypto/tls of %s is not known to this release: %w", version, errors.ErrUnsupported)
	}
	return nil
}

// checkTable compares each value in the table. It looks at a suite's constructor
// only after the fields around it proved right.
func (e *expectation) checkTable(suites []*cipherSuite) error {
	if len(suites) != len(e.suites) || cap(suites) != len(e.suites) {
		return fmt.Errorf("crypto/tls has an unexpected table of cipher suites: length %d, capacity %d, want %d",
			len(suites), cap(suites), len(e.suites))
	}
	for i, want := range e.suites {
		got := suites[i]
		if got == nil {
			return fmt.Errorf("crypto/tls has an unexpected cipher suite: entry %d is nil", i)
		}
		if got.id != want.id || got.keyLen != want.keyLen || got.hash != want.hash {
			return fmt.Errorf("crypto/tls has an unexpected cipher suite: entry %d has ID %#04x, key length %d, hash %d, want %#04x, %d, %d",
				i, got.id, got.keyLen, uint(got.hash), want.id, want.keyLen, uint(want.hash))
		}
		if name := functionName(got.aead); name != want.aead {
			return fmt.Errorf("crypto/tls has an unexpected cipher suite: entry %d has the constructor %q, want %q", i, name, want.aead)
		}
	}
	return nil
}

// functionName returns the full name of the function that f is, or "" if f is nil
// or does not point to the start of a function.
func functionName(f constructor) string {
	pc := reflect.ValueOf(f).Pointer()
	if fn := runtime.FuncForPC(pc); fn != nil && fn.Entry() == pc {
		return fn.Name()
	}
	return ""
}

// A wrapper is the type that holds a fixed nonce and an AEAD.
type wrapper struct {
	pointer     reflect.Type // *xorNonceAEAD
	mask, inner int          // indices of its fields
}

// checkWrapper constructs an AEAD of the suite and checks its type and content.
func (e *expectation) checkWrapper(s *cipherSuite) (*wrapper, error) {
	var fixed [nonceLength]byte
	for i := range fixed {
		fixed[i] = byte(0xa0 + i)
	}
	a := any(s.aead(make([]byte, s.keyLen), fixed[:]))
	w, err := e.checkType(reflect.TypeOf(a))
	if err != nil {
		return nil, err
	}
	if !w.holds(a) {
		return nil, fmt.Errorf("its AEAD is a nil %v", w.pointer)
	}
	if got := *w.maskOf(a); got != fixed {
		return nil, fmt.Errorf("%v holds %x for the fixed nonce %x", w.pointer, got, fixed)
	}
	if in := *w.innerOf(a); in == nil || in.NonceSize() != nonceLength || in.Overhead() != tagLength {
		return nil, fmt.Errorf("%v holds an unexpected AEAD, %T", w.pointer, in)
	}
	return w, nil
}

// checkType looks at a type by reflection: it must be a pointer to a struct of the
// expected name with exactly two fields, the fixed nonce and a cipher.AEAD.
func (e *expectation) checkType(pointer reflect.Type) (*wrapper, error) {
	if pointer == nil || pointer.Kind() != reflect.Pointer {
		return nil, fmt.Errorf("its AEAD is %v, want a pointer to %s.%s", pointer, e.pkg, e.wrapper)
	}
	t := pointer.Elem()
	if t.PkgPath() != e.pkg || t.Name() != e.wrapper || t.Kind() != reflect.Struct {
		return nil, fmt.Errorf("its AEAD is %v, want a pointer to %s.%s", pointer, e.pkg, e.wrapper)
	}
	if t.NumField() != 2 {
		return nil, fmt.Errorf("%v has %d fields, want 2", t, t.NumField())
	}
	mask, ok := t.FieldByName(e.mask)
	if !ok || mask.Type != reflect.TypeFor[[nonceLength]byte]() || len(mask.Index) != 1 {
		return nil, fmt.Errorf("%v has no field %s of type [%d]byte", t, e.mask, nonceLength)
	}
	inner, ok := t.FieldByName(e.inner)
	if !ok || inner.Type != reflect.TypeFor[cipher.AEAD]() || len(inner.Index) != 1 {
		return nil, fmt.Errorf("%v has no field %s of type cipher.AEAD", t, e.inner)
	}
	return &wrapper{pointer: pointer, mask: mask.Index[0], inner: inner.Index[0]}, nil
}

// holds reports whether a is of the type that was checked, and not nil.
func (w *wrapper) holds(a any) bool {
	return reflect.TypeOf(a) == w.pointer && !reflect.ValueOf(a).IsNil()
}

// maskOf returns where a, which w holds, has its fixed nonce.
func (w *wrapper) maskOf(a any) *[nonceLength]byte {
	return (*[nonceLength]byte)(w.field(a, w.mask))
}

// innerOf returns where a, which w holds, has its AEAD.
func (w *wrapper) innerOf(a any) *cipher.AEAD {
	return (*cipher.AEAD)(w.field(a, w.inner))
}

func (w *wrapper) field(a any, i int) unsafe.Pointer {
	return reflect.ValueOf(a).Elem().Field(i).Addr().UnsafePointer()
}

// wrap returns a constructor that calls the original, which checks its arguments
// and makes the wrapper, and then exchanges the AEAD inside. What is not as it was
// when it was checked stays as it is.
func (w *wrapper) wrap(original constructor, r replacement) constructor {
	return func(key, fixedNonce []byte) recordAEAD {
		a := original(key, fixedNonce)
		if !w.holds(a) {
			return a
		}
		if fast, err := r(key); err == nil {
			*w.innerOf(a) = fast
		}
		return a
	}
}
