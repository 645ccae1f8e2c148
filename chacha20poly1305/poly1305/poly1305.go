package poly1305

import (
	"crypto/subtle"

	//lint:ignore SA1019 the warning is meant for users; this is the only importable Poly1305 of x/crypto
	xpoly1305 "golang.org/x/crypto/poly1305"

	"github.com/fastcrypto-go/fastcrypto/internal/impl"
)

const (
	// KeySize is the size of a one-time key in bytes: r (clamped before use) and
	// then s, 16 bytes each.
	KeySize = 32
	// TagSize is the size of a tag in bytes.
	TagSize = 16
)

// Each architecture's dispatch file (poly1305_GOARCH.go) defines what follows,
// for every tier of its table. None of it sees the tier Generic.
//
//	type state
//		// r, s, the accumulator and what a kernel derives from them. Its zero
//		// value may be anything; a copy is independent.
//	func initialize(tier impl.Tier, st *state, key *[32]byte)
//		// clamps r, takes s, sets the accumulator to zero
//	func update(tier impl.Tier, st *state, p []byte)
//		// absorbs p; len(p) is a multiple of 16, at least 16
//	func finish(tier impl.Tier, st *state, out *[16]byte, tail []byte)
//		// writes the tag of what was absorbed and then tail, 0–15 bytes; leaves
//		// *st as it was, and out may not alias *st
//	func sum(tier impl.Tier, out *[16]byte, m []byte, key *[32]byte)
//		// the whole message at once; out may alias m or key

// Sum writes the tag of m under key to out. The key must not serve for another
// message. out may overlap m and key.
func Sum(out *[16]byte, m []byte, key *[32]byte) {
	if tier := impl.Poly1305.Tier(); tier != impl.Generic {
		sum(tier, out, m, key)
		return
	}
	xpoly1305.Sum(out, m, key)
}

// Verify reports whether mac is the tag of m under key. The comparison takes
// constant time.
func Verify(mac *[16]byte, m []byte, key *[32]byte) bool {
	var tag [TagSize]byte
	Sum(&tag, m, key)
	ok := subtle.ConstantTimeCompare(tag[:], mac[:]) == 1
	clear(tag[:]) // if mac is wrong, it would make a forgery
	return ok
}

// A MAC computes the tag of a message that is written in pieces of any length.
// It holds a copy of the key and at most 15 bytes of the message. It is not
// safe for concurrent use. Use [New]; the zero value is not ready.
type MAC struct {
	st        state
	buffer    [TagSize]byte
	buffered  int // bytes in buffer, 0–15
	tier      impl.Tier
	finalized bool
	generic   *xpoly1305.MAC // serves instead where tier is Generic
}

// New returns a MAC for one message under key, which is copied.
func New(key *[32]byte) *MAC {
	// Inlined, so that a MAC that does not outlive its function needs no heap.
	m := new(MAC)
	m.start(key)
	return m
}

func (m *MAC) start(key *[32]byte) { m.initialize(impl.Poly1305.Tier(), key) }

func (m *MAC) initialize(tier impl.Tier, key *[32]byte) {
	m.tier = tier
	if tier == impl.Generic {
		m.generic = xpoly1305.New(key)
	} else {
		initialize(tier, &m.st, key)
	}
}

// Size returns the size of a tag in bytes: 16.
func (m *MAC) Size() int { return TagSize }

// Write appends p, of any length, to the message. It returns len(p) and a nil
// error. It panics after a call of Sum or Verify, since one key may not
// authenticate two messages.
func (m *MAC) Write(p []byte) (int, error) {
	if m.finalized || m.generic != nil {
		return m.writeOther(p)
	}
	n := len(p)
	if m.buffered > 0 {
		c := copy(m.buffer[m.buffered:], p)
		m.buffered += c
		p = p[c:]
		if m.buffered < TagSize {
			return n, nil
		}
		update(m.tier, &m.st, m.buffer[:])
		m.buffered = 0
	}
	if whole := len(p) &^ (TagSize - 1); whole > 0 {
		update(m.tier, &m.st, p[:whole])
		p = p[whole:]
	}
	m.buffered = copy(m.buffer[:], p)
	return n, nil
}

// writeOther is Write where there is no kernel, or after the end.
func (m *MAC) writeOther(p []byte) (int, error) {
	if m.finalized {
		panic("poly1305: write to MAC after Sum or Verify")
	}
	return m.generic.Write(p)
}

// Sum appends the 16-byte tag of the message to b and returns the result. It may
// be called again and gives the same tag; Write may not.
func (m *MAC) Sum(b []byte) []byte {
	m.finalized = true
	if m.generic != nil {
		return m.generic.Sum(b)
	}
	var tag [TagSize]byte
	finish(m.tier, &m.st, &tag, m.buffer[:m.buffered])
	return append(b, tag[:]...)
}

// Verify reports whether expected is the tag of the message, in time that
// depends on len(expected) only; any length but 16 is refused. After it Write
// panics.
func (m *MAC) Verify(expected []byte) bool {
	m.finalized = true
	if m.generic != nil {
		return m.generic.Verify(expected)
	}
	var tag [TagSize]byte
	finish(m.tier, &m.st, &tag, m.buffer[:m.buffered])
	ok := subtle.ConstantTimeCompare(expected, tag[:]) == 1
	clear(tag[:])
	return ok
}
