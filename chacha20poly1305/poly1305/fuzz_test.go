package poly1305

import (
	"bytes"
	"fmt"
	"testing"

	//lint:ignore SA1019 it is what this package is compared with
	xpoly1305 "golang.org/x/crypto/poly1305"

	"github.com/fastcrypto-go/fastcrypto/internal/impl"
	"github.com/fastcrypto-go/fastcrypto/internal/testkit"
)

// FuzzMAC has a MAC called in any order, in pieces of any lengths.
func FuzzMAC(f *testing.F) {
	f.Add(bytes.Repeat([]byte{0xff}, 32), bytes.Repeat([]byte{0xff}, 700), []byte{0, 16, 0, 255, 0, 0, 1, 3, 1, 0, 2, 16, 0, 1})
	f.Add(make([]byte, 32), []byte("message"), []byte{2, 15, 2, 16, 0, 1})
	f.Add([]byte{1}, make([]byte, 1100), []byte{0, 1, 0, 15, 0, 200, 0, 255, 0, 255, 0, 255, 0, 100, 3, 0})
	f.Fuzz(func(t *testing.T, k, m, script []byte) {
		if len(script) > 200 || len(m) > 1<<13 {
			return
		}
		var key [32]byte
		copy(key[:], k)
		testkit.EachTier(t, impl.Poly1305, func(tier impl.Tier) {
			ours, theirs := New(&key), xpoly1305.New(&key)
			if ours.Size() != theirs.Size() {
				t.Errorf("%s: size %d", tier, ours.Size())
			}
			left, s := m, testkit.Script(script)
			for !s.Done() {
				op, n := s.Byte()%4, int(s.Byte())
				n = min(n*n/32, len(left))
				run := func(mac interface {
					Write(p []byte) (int, error)
					Sum(b []byte) []byte
					Verify(expected []byte) bool
				}) string {
					return testkit.Outcome(func() (string, error) {
						switch op {
						case 1:
							return fmt.Sprintf("%x", mac.Sum(bytes.Clone(left[:n]))), nil
						case 2: // a tag of any length and value
							return fmt.Sprint(mac.Verify(left[:min(n, 20)])), nil
						case 3: // the right tag, or a part of it
							return fmt.Sprint(mac.Verify(theirs.Sum(nil)[:min(n, TagSize)])), nil
						}
						n, err := mac.Write(left[:n])
						return fmt.Sprint(n), err
					})
				}
				if op == 3 {
					theirs.Sum(nil) // so that both have finished
					ours.Sum(nil)
				}
				if got, want := run(ours), run(theirs); got != want {
					t.Errorf("%s: operation %d: %s, want %s", tier, op, got, want)
				}
				if op == 0 {
					left = left[n:]
				}
			}
		})
	})
}

// FuzzSum compares Sum and Verify with the key, the message and the tag anywhere in one
// piece of memory.
func FuzzSum(f *testing.F) {
	memory := bytes.Repeat([]byte("0123456789abcdef"), 60)
	f.Add(memory, []byte{0, 0, 40, 0, 200, 2}, uint16(5), uint16(100))
	f.Add(bytes.Repeat([]byte{0xff}, 100), []byte{0, 0, 100, 0}, uint16(0), uint16(8))
	f.Fuzz(func(t *testing.T, memory, layout []byte, keyAt, tagAt uint16) {
		if len(memory) < 32 || len(memory) > 1<<13 {
			return
		}
		run := func(sum func(out *[16]byte, m []byte, key *[32]byte), verify func(mac *[16]byte, m []byte, key *[32]byte) bool) string {
			b, s := bytes.Clone(memory), testkit.Script(layout)
			key := (*[32]byte)(b[int(keyAt)%(len(b)-31):])
			tag := (*[16]byte)(b[int(tagAt)%(len(b)-15):])
			m := s.Piece(b)
			before := verify(tag, m, key)
			var right [16]byte
			sum(&right, m, key)
			after := verify(&right, m, key)
			sum(tag, m, key)
			return fmt.Sprintf("%v, %v, memory %x", before, after, b)
		}
		// x/crypto may write the tag while it still needs what lies there.
		want := run(func(out *[16]byte, m []byte, key *[32]byte) {
			var tag [16]byte
			xpoly1305.Sum(&tag, m, key)
			*out = tag
		}, xpoly1305.Verify)
		testkit.EachTier(t, impl.Poly1305, func(tier impl.Tier) {
			if tier == impl.Generic {
				return // x/crypto itself
			}
			if got := run(Sum, Verify); got != want {
				t.Errorf("%s: %s, want %s", tier, got, want)
			}
		})
	})
}
