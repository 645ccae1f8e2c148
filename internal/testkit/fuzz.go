package testkit

import (
	"crypto/cipher"
	"encoding/binary"
	"fmt"
	"reflect"
	"slices"
	"testing"

	"github.com/fastcrypto-go/fastcrypto/internal/impl"
)

// EachTier calls f for each tier of p that can run here, the generic one included,
// with that tier forced. Unlike [Tiers] it makes no subtests, which a fuzz target
// cannot afford.
func EachTier(tb testing.TB, p *impl.Primitive, f func(tier impl.Tier)) {
	tb.Helper()
	for _, tier := range p.Supported() {
		func() {
			restore, err := p.Force(tier)
			if err != nil {
				tb.Fatal(err)
			}
			defer restore()
			f(tier)
		}()
	}
}

// Outcome tells how f ended, so that two implementations can be compared: with its
// result, its error's text or its panic's text.
func Outcome[T any](f func() (T, error)) (text string) {
	defer func() {
		if r := recover(); r != nil {
			text = fmt.Sprintf("panic: %v", r)
		}
	}()
	v, err := f()
	if err != nil {
		return fmt.Sprintf("error: %v", err)
	}
	if b, ok := any(v).([]byte); ok {
		return fmt.Sprintf("result: %x", b)
	}
	return fmt.Sprintf("result: %v", v)
}

// A Script yields numbers from a fuzzer's bytes, and zeros when they have run out.
type Script []byte

// Done reports whether nothing is left.
func (s *Script) Done() bool { return len(*s) == 0 }

// Byte takes one byte.
func (s *Script) Byte() byte {
	if len(*s) == 0 {
		return 0
	}
	b := (*s)[0]
	*s = (*s)[1:]
	return b
}

// Below takes two bytes and returns a number in [0, n).
func (s *Script) Below(n int) int {
	b := [2]byte{s.Byte(), s.Byte()}
	return int(binary.LittleEndian.Uint16(b[:])) % n
}

// Piece takes six bytes and returns a piece of arena, of any length and capacity.
func (s *Script) Piece(arena []byte) []byte {
	at := s.Below(len(arena) + 1)
	n := s.Below(len(arena) - at + 1)
	spare := s.Below(len(arena) - at - n + 1)
	return arena[at : at+n : at+n+spare]
}

// The bits of [AEADCall]'s flags.
const (
	CallOpen    = 1 << iota // Open, not Seal
	CallGenuine             // Open what was sealed before, if it fits
	CallInPlace             // dst begins where the text does, with all the capacity
	CallNil                 // dst is nil
	CallNonce               // the nonce has any length
)

// AEADCall compares one call of Seal or Open with the same call of a trusted
// implementation: the result, the error's or the panic's text, and each byte of the
// memory in which the fuzzer laid out all arguments, over one another or not.
func AEADCall(tb testing.TB, ours, trusted cipher.AEAD, memory, layout []byte, flags uint8) {
	tb.Helper()
	if ours.NonceSize() != trusted.NonceSize() || ours.Overhead() != trusted.Overhead() {
		tb.Fatalf("sizes %d and %d, want %d and %d", ours.NonceSize(), ours.Overhead(), trusted.NonceSize(), trusted.Overhead())
	}
	call := func(a cipher.AEAD) (outcome string, memoryAfter []byte) {
		m, s := slices.Clone(memory), Script(layout)
		text, ad, dst, nonce := s.Piece(m), s.Piece(m), s.Piece(m), s.Piece(m)
		if size := trusted.NonceSize(); flags&CallNonce == 0 {
			if cap(nonce) < size {
				nonce = make([]byte, size)
			}
			nonce = nonce[:size]
		}
		if flags&CallInPlace != 0 {
			dst = text[:0]
		}
		if flags&CallNil != 0 {
			dst = nil
		}
		if flags&CallOpen == 0 {
			var out []byte // the part of the memory that belongs to the result
			if n := len(text) + trusted.Overhead(); cap(dst)-len(dst) >= n {
				out = dst[len(dst) : len(dst)+n]
			}
			outcome = Outcome(func() ([]byte, error) { return a.Seal(dst, nonce, text, ad), nil })
			if reflect.TypeOf(a) == reflect.TypeOf(trusted) {
				// With a tag of less than 16 bytes crypto/cipher's assembly writes up to
				// four bytes behind its result.
				written := slices.Clone(out)
				copy(m, memory)
				copy(out, written)
			}
			return outcome, m
		}
		if n := len(text) - trusted.Overhead(); flags&CallGenuine != 0 && n >= 0 && len(nonce) == trusted.NonceSize() {
			copy(text, trusted.Seal(nil, slices.Clone(nonce), slices.Clone(text[:n]), slices.Clone(ad)))
		}
		outcome = Outcome(func() ([]byte, error) { return a.Open(dst, nonce, text, ad) })
		return outcome, m
	}
	got, gotMemory := call(ours)
	want, wantMemory := call(trusted)
	if got != want {
		tb.Errorf("%s, want %s", got, want)
	}
	if !slices.Equal(gotMemory, wantMemory) {
		tb.Errorf("memory is %x, want %x (%s)", gotMemory, wantMemory, want)
	}
}
