package aead

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"github.com/fastcrypto-go/fastcrypto/internal/impl"
	"github.com/fastcrypto-go/fastcrypto/internal/testkit"
)

// piecesOf cuts b at random into pieces of 0–17 bytes and now and then large ones, or
// whole chunks of a kernel.
func piecesOf(r *rand.Rand, b []byte) (pieces [][]byte) {
	chunks := r.IntN(2) == 0
	for len(b) > 0 {
		n := r.IntN(18)
		switch {
		case chunks && r.IntN(4) > 0:
			n = 256 * (1 + r.IntN(8))
		case r.IntN(8) == 0:
			n = r.IntN(3000)
		}
		n = min(n, len(b))
		pieces = append(pieces, b[:n])
		b = b[n:]
	}
	return pieces
}

func TestPieces(t *testing.T) {
	testkit.Tiers(t, impl.GCM, func(t *testing.T, _ impl.Tier) {
		source := testkit.Rand(t)
		r := rand.New(source)
		for i := range 300 {
			key := testkit.Bytes(source, []int{16, 24, 32}[i%3])
			nonce := testkit.Bytes(source, []int{12, 12, 1, 16, 60}[i%5])
			ad, plaintext := testkit.Bytes(source, r.IntN(100)), testkit.Bytes(source, r.IntN(6000))
			std := must(aes.NewCipher(key))
			want := must(cipher.NewGCMWithNonceSize(std, len(nonce))).Seal(nil, nonce, plaintext, ad)
			n := len(plaintext)
			for name, b := range map[string]cipher.Block{"own": must(NewCipher(key)), "std": std, "foreign": wrapped{std}} {
				s := must(NewSealer(b, nonce, ad))
				got := []byte("prefix")
				var kept []byte
				for _, p := range piecesOf(r, plaintext) {
					got = s.Update(got, p)
					// The Sealer does not look at what it gave out any more.
					kept = append(kept, got[len(got)-len(p):]...)
					clear(got[len(got)-len(p):])
				}
				got = append(got[:6], kept...)
				if !bytes.Equal(got[6:], want[:n]) {
					t.Fatalf("%s block: Update gives a wrong ciphertext", name)
				}
				if got = s.Final(got); !bytes.Equal(got[6:], want) {
					t.Fatalf("%s block: Final gives a wrong tag", name)
				}
				o := must(NewOpener(b, nonce, ad))
				for _, p := range piecesOf(r, want[:n]) {
					o.Update(p)
				}
				if got, err := o.Final([]byte("prefix"), want[n:]); err != nil || string(got) != "prefix"+string(plaintext) {
					t.Fatalf("%s block: Opener fails: %v", name, err)
				}
				o = must(NewOpener(b, nonce, append(ad, 0)))
				o.Update(want[:n])
				if got, err := o.Final(nil, want[n:]); err == nil || got != nil {
					t.Fatalf("%s block: Opener opens a forgery", name)
				}
			}
		}
	})
}

// TestPiecesInPlace encrypts each piece where it lies.
func TestPiecesInPlace(t *testing.T) {
	testkit.Tiers(t, impl.GCM, func(t *testing.T, _ impl.Tier) {
		nonce, plaintext := make([]byte, 12), bytes.Repeat([]byte("0123456789"), 200)
		b := must(NewCipher(make([]byte, 16)))
		want := must(NewGCM(b)).Seal(nil, nonce, plaintext, nil)
		s := must(NewSealer(b, nonce, nil))
		buf := bytes.Clone(plaintext)
		for at := 0; at < len(buf); at += 125 {
			s.Update(buf[at:at], buf[at:at+125])
		}
		if got := s.Final(buf); !bytes.Equal(got, want) {
			t.Error("in place: wrong ciphertext")
		}
		s = must(NewSealer(b, nonce, nil))
		if got := outcome(func() ([]byte, error) { return s.Update(buf[:0], buf[1:50]), nil }); got != "panic: crypto/cipher: invalid buffer overlap of output and input" {
			t.Error("inexact overlap:", got)
		}
	})
}

// TestPiecesWrap lets the 32-bit counter wrap inside the message.
func TestPiecesWrap(t *testing.T) {
	key := make([]byte, 16)
	std := must(aes.NewCipher(key))
	nonce := nonceNearWrap(t, std)
	plaintext := make([]byte, 1<<20)
	want := must(cipher.NewGCMWithNonceSize(std, len(nonce))).Seal(nil, nonce, plaintext, nil)
	testkit.Tiers(t, impl.GCM, func(t *testing.T, _ impl.Tier) {
		for _, b := range []cipher.Block{must(NewCipher(key)), wrapped{std}} {
			for _, size := range []int{1000, 16, 256, 4096, 1 << 20} {
				s := must(NewSealer(b, nonce, nil))
				var got []byte
				for at := 0; at < len(plaintext); at += size {
					got = s.Update(got, plaintext[at:min(at+size, len(plaintext))])
				}
				if got = s.Final(got); !bytes.Equal(got, want) {
					t.Errorf("pieces of %d bytes: wrong across the counter's wrap", size)
				}
			}
		}
	})
}

// nonceNearWrap searches for a 16-byte nonce whose counter wraps within 2^15
// blocks; the block cipher's inverse shows where the counter starts.
func nonceNearWrap(t *testing.T, b cipher.Block) []byte {
	a := must(cipher.NewGCMWithNonceSize(b, 16))
	nonce := make([]byte, 16)
	var start [16]byte
	for i := range uint64(1 << 22) {
		binary.LittleEndian.PutUint64(nonce, i)
		b.Decrypt(start[:], a.Seal(start[:0], nonce, make([]byte, 16), nil)[:16])
		if left := -binary.BigEndian.Uint32(start[12:]); left > 2 && left < 1<<15 {
			return nonce
		}
	}
	t.Fatal("found no nonce")
	return nil
}

// TestPiecesAllocations holds Sealers to no allocation at all, where they do not escape.
func TestPiecesAllocations(t *testing.T) {
	testkit.Tiers(t, impl.GCM, func(t *testing.T, tier impl.Tier) {
		if tier == impl.Generic {
			t.Skip("no kernel")
		}
		b, nonce, text := must(NewCipher(make([]byte, 16))), make([]byte, 12), make([]byte, 5000)
		out := make([]byte, 0, len(text)+16)
		allocs := testing.AllocsPerRun(20, func() {
			s, o := must(NewSealer(b, nonce, text[:20])), out
			for _, p := range [][]byte{text[:512], text[512:4608], text[4608:4613], text[4613:]} {
				o = s.Update(o, p)
			}
			s.Final(o)
		})
		if allocs > 0 && !testkit.Race {
			t.Errorf("a message takes %v allocations", allocs)
		}
	})
}

func TestPiecesMisuse(t *testing.T) {
	testkit.Tiers(t, impl.GCM, func(t *testing.T, _ impl.Tier) {
		b := must(NewCipher(make([]byte, 16)))
		if _, err := NewSealer(b, nil, nil); err == nil {
			t.Error("NewSealer accepts an empty nonce")
		}
		if _, err := NewOpener(b, nil, nil); err == nil {
			t.Error("NewOpener accepts an empty nonce")
		}
		nonce := make([]byte, 12)
		s := must(NewSealer(b, nonce, nil))
		tag := s.Final(nil)
		for _, f := range []func() ([]byte, error){
			func() ([]byte, error) { return s.Update(nil, nil), nil },
			func() ([]byte, error) { return s.Final(nil), nil },
		} {
			if got := outcome(f); got != "panic: aead: Sealer used after Final" {
				t.Error("Sealer after Final:", got)
			}
		}
		for n := range 18 {
			o := must(NewOpener(b, nonce, nil))
			if _, err := o.Final(nil, append(tag[:16:16], 0, 0)[:n]); (err == nil) != (n == 16) {
				t.Errorf("tag of %d bytes: error %v", n, err)
			}
			for _, f := range []func() ([]byte, error){
				func() ([]byte, error) { o.Update(nil); return nil, nil },
				func() ([]byte, error) { return o.Final(nil, tag) },
			} {
				if got := outcome(f); got != "panic: aead: Opener used after Final" {
					t.Error("Opener after Final:", got)
				}
			}
		}
	})
}
