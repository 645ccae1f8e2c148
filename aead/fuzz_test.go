package aead

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/fastcrypto-go/fastcrypto/internal/impl"
)

// FuzzGCM compares every tier with the standard library: whole messages, forgeries, and
// messages in pieces cut where the fuzzer says.
func FuzzGCM(f *testing.F) {
	f.Add([]byte("0123456789abcdef"), []byte("nonce-nonce-"), []byte("text"), []byte("ad"), uint16(3))
	f.Add(make([]byte, 32), make([]byte, 16), make([]byte, 700), make([]byte, 70), uint16(513))
	f.Add(make([]byte, 24), make([]byte, 1), make([]byte, 1100), make([]byte, 600), uint16(600))
	f.Fuzz(func(t *testing.T, key, nonce, plaintext, ad []byte, cut uint16) {
		std, err := aes.NewCipher(key)
		if err != nil || len(nonce) == 0 {
			return
		}
		want := must(cipher.NewGCMWithNonceSize(std, len(nonce))).Seal(nil, nonce, plaintext, ad)
		n := len(plaintext)
		at := int(cut) % (n + 1)
		for _, tier := range impl.GCM.Supported() {
			restore, err := impl.GCM.Force(tier)
			if err != nil {
				t.Fatal(err)
			}
			block := must(NewCipher(key))
			a := must(NewGCMWithNonceSize(block, len(nonce)))
			s, o := must(NewSealer(block, nonce, ad)), must(NewOpener(block, nonce, ad))
			restore()
			if got := a.Seal(nil, nonce, plaintext, ad); !bytes.Equal(got, want) {
				t.Errorf("%s: Seal is wrong", tier)
			}
			if got, err := a.Open(nil, nonce, want, ad); err != nil || !bytes.Equal(got, plaintext) {
				t.Errorf("%s: Open is wrong: %v", tier, err)
			}
			forged := bytes.Clone(want)
			forged[int(cut)%len(forged)] ^= 1 << (cut % 8)
			if _, err := a.Open(nil, nonce, forged, ad); err == nil {
				t.Errorf("%s: opened a forgery", tier)
			}
			got := s.Update(s.Update(nil, plaintext[:at]), plaintext[at:])
			if got = s.Final(got); !bytes.Equal(got, want) {
				t.Errorf("%s: Sealer is wrong", tier)
			}
			o.Update(want[:at])
			o.Update(want[at:n])
			if got, err := o.Final(nil, want[n:]); err != nil || !bytes.Equal(got, plaintext) {
				t.Errorf("%s: Opener is wrong: %v", tier, err)
			}
		}
	})
}

// TestAllocations checks that Seal and Open allocate nothing, with nonces of any size.
func TestAllocations(t *testing.T) {
	eachKernel(t, func(t *testing.T, _ *rand.ChaCha8, key []byte, _ *gcmKey) {
		for _, nonceSize := range []int{12, 8, 40} {
			a := must(NewGCMWithNonceSize(must(NewCipher(key)), nonceSize))
			nonce, ad, buf := make([]byte, nonceSize), make([]byte, 20), make([]byte, 1350, 1400)
			sealed := a.Seal(nil, nonce, buf, ad)
			if n := testing.AllocsPerRun(100, func() {
				a.Seal(buf[:0], nonce, buf, ad)
				if _, err := a.Open(buf[:0], nonce, sealed, ad); err != nil {
					t.Fatal(err)
				}
			}); n != 0 {
				t.Errorf("nonces of %d bytes: %v allocations", nonceSize, n)
			}
		}
	})
}

// lyingSlice returns a slice of n bytes with one byte of memory behind it.
func lyingSlice(n uint64) []byte {
	header := struct {
		data     *byte
		len, cap int
	}{new(byte), int(n), int(n)}
	return *(*[]byte)(unsafe.Pointer(&header))
}

// TestTooLong checks that a message beyond the limit is refused before memory is touched.
func TestTooLong(t *testing.T) {
	if ^uint(0)>>32 == 0 {
		t.Skip("slices cannot be that long here")
	}
	eachKernel(t, func(t *testing.T, _ *rand.ChaCha8, key []byte, _ *gcmKey) {
		a := must(NewGCM(must(NewCipher(key))))
		huge := lyingSlice(maxMessage + 1)
		if got := outcome(func() ([]byte, error) { return a.Seal(nil, make([]byte, 12), huge, nil), nil }); got != "panic: crypto/cipher: message too large for GCM" {
			t.Error(got)
		}
		huge = lyingSlice(maxMessage + 16 + 1)
		if _, err := a.Open(nil, make([]byte, 12), huge, nil); err == nil {
			t.Error("opened")
		}
		s := must(NewSealer(must(NewCipher(key)), make([]byte, 12), nil))
		s.Update(nil, []byte("x"))
		if got := outcome(func() ([]byte, error) { return s.Update(nil, lyingSlice(maxMessage)), nil }); got != "panic: crypto/cipher: message too large for GCM" {
			t.Error(got)
		}
		o := must(NewOpener(must(NewCipher(key)), make([]byte, 12), nil))
		o.Update(lyingSlice(maxMessage + 1))
		if _, err := o.Final(nil, make([]byte, 16)); err == nil {
			t.Error("Opener opened")
		}
	})
}
