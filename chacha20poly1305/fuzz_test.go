package chacha20poly1305

import (
	"bytes"
	"crypto/cipher"
	"testing"

	xchacha "golang.org/x/crypto/chacha20poly1305"

	"github.com/fastcrypto-go/fastcrypto/internal/alias"
	"github.com/fastcrypto-go/fastcrypto/internal/impl"
	"github.com/fastcrypto-go/fastcrypto/internal/testkit"
)

// FuzzNew gives keys of any length.
func FuzzNew(f *testing.F) {
	for _, n := range []int{0, 16, 31, 32, 33} {
		f.Add(make([]byte, n))
	}
	f.Fuzz(func(t *testing.T, key []byte) {
		try := func(construct func([]byte) (cipher.AEAD, error)) string {
			return testkit.Outcome(func() ([]byte, error) {
				a, err := construct(key)
				if err != nil {
					return nil, err
				}
				return a.Seal(nil, make([]byte, a.NonceSize()), key, nil), nil
			})
		}
		testkit.EachTier(t, impl.ChaCha, func(tier impl.Tier) {
			if got, want := try(New), try(xchacha.New); got != want {
				t.Errorf("%s: New: %s, want %s", tier, got, want)
			}
			if got, want := try(NewX), try(xchacha.NewX); got != want {
				t.Errorf("%s: NewX: %s, want %s", tier, got, want)
			}
		})
	})
}

// FuzzMemory compares Seal and Open with x/crypto's where all arguments lie anywhere in
// one piece of memory.
func FuzzMemory(f *testing.F) {
	memory := bytes.Repeat([]byte("0123456789abcdef"), 40)
	for flags := range uint8(32) {
		f.Add(make([]byte, 32), memory, []byte{20, 0, 100, 0, 16, 0, 0, 0, 13, 0, 0, 0}, flags, false)
		f.Add(make([]byte, 32), memory, []byte{20, 0, 100, 0, 16, 0, 0, 0, 13, 0, 0, 0}, flags, true)
	}
	f.Add(make([]byte, 32), memory, []byte{20, 0, 100, 0, 16, 0, 50, 0, 20, 0, 0, 0, 21, 0, 0, 0, 200, 0, 30, 0}, uint8(0), false)
	f.Add(make([]byte, 32), memory, []byte{20, 0, 100, 0, 16, 0, 10, 0, 20, 0, 0, 0, 5, 0, 0, 0, 200, 0, 30, 0}, uint8(testkit.CallOpen|testkit.CallGenuine), true)
	f.Fuzz(func(t *testing.T, key, memory, layout []byte, flags uint8, x bool) {
		if len(key) != KeySize || len(memory) > 1<<13 {
			return
		}
		construct, trusted := New, xchacha.New
		if x {
			construct, trusted = NewX, xchacha.NewX
		}
		want, err := trusted(key)
		if err != nil {
			t.Fatal(err)
		}
		testkit.EachTier(t, impl.ChaCha, func(tier impl.Tier) {
			got, err := construct(key)
			if err != nil {
				t.Fatal(err)
			}
			if tier == impl.Generic {
				got = tagKeeper{got}
			}
			testkit.AEADCall(t, got, tagKeeper{want}, memory, layout, flags)
		})
	})
}

// A tagKeeper is x/crypto's AEAD without a flaw: where dst lies over the tag, Open
// overwrites the tag before it compares, and rejects what is genuine.
type tagKeeper struct{ cipher.AEAD }

func (a tagKeeper) Open(dst, nonce, ciphertext, additionalData []byte) ([]byte, error) {
	n := len(ciphertext) - Overhead
	if free := dst[len(dst):cap(dst)]; n > 0 && len(free) >= n && alias.AnyOverlap(free[:n], ciphertext[n:]) && !alias.AnyOverlap(free[:n], ciphertext[:n]) {
		ciphertext = bytes.Clone(ciphertext)
	}
	return a.AEAD.Open(dst, nonce, ciphertext, additionalData)
}
