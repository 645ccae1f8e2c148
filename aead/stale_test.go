package aead

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/fastcrypto-go/fastcrypto/chacha20poly1305"
	"github.com/fastcrypto-go/fastcrypto/internal/testkit"
)

// TestStaleRegisters runs each kernel right after another algorithm has used the vector
// registers: round keys and constants that the kernel forgets to load are there after a
// call of its own, and would go unnoticed.
func TestStaleRegisters(t *testing.T) {
	eachKernel(t, func(t *testing.T, r *rand.ChaCha8, key []byte, k *gcmKey) {
		other := must(chacha20poly1305.New(testkit.Bytes(r, 32)))
		text := testkit.Bytes(r, 5000)
		dirty := func() { other.Seal(text[:0], text[4096:4108], text[:3000], nil) }

		book := newTextbookGCM(key)
		plaintext, ad := testkit.Bytes(r, 1500), testkit.Bytes(r, 1500)
		nonce := testkit.Bytes(r, 12)
		got := make([]byte, len(plaintext))
		for _, n := range []int{0, 5, 16, 33, 64, 100, 200, 500, 528, 1100, 1500} {
			for _, a := range []int{0, 5, 16, 70, 1500} {
				want, wantTag := book.seal(book.j0(nonce), plaintext[:n], ad[:a])
				var tag [16]byte
				dirty()
				k.seal(got[:n], plaintext[:n], &tag, nonce, ad[:a])
				if !bytes.Equal(got[:n], want) || tag != wantTag {
					t.Fatalf("seal of %d and %d bytes: wrong", n, a)
				}
				dirty()
				k.open(got[:n], want, &tag, nonce, ad[:a])
				if !bytes.Equal(got[:n], plaintext[:n]) || tag != wantTag {
					t.Fatalf("open of %d and %d bytes: wrong", n, a)
				}
			}
			// Whole blocks in the midst of a message, alone, and the stream of CTR mode.
			n &^= 15
			want, wantTag := book.seal(book.j0(nonce), plaintext[:n], nil)
			for _, open := range []bool{false, true} {
				var m message
				m.start(k, nonce, nil)
				dirty()
				if open {
					m.open(got[:n], want)
				} else {
					m.seal(got[:n], plaintext[:n])
				}
				var tag [16]byte
				dirty()
				m.final(&tag)
				if text := map[bool][]byte{false: want, true: plaintext[:n]}[open]; !bytes.Equal(got[:n], text) || tag != wantTag {
					t.Fatalf("%d bytes in the midst of a message, opened: %v: wrong", n, open)
				}
			}
			if chunk := k.chunk(); chunk > 0 && n >= chunk {
				var m message
				m.start(k, nonce, nil)
				n := n &^ (chunk - 1)
				dirty()
				m.sealChunks(got[:chunk], plaintext[:chunk])
				if n > chunk {
					dirty()
					m.sealChunks(got[chunk:n], plaintext[chunk:n])
				}
				var tag [16]byte
				m.final(&tag)
				if want, wantTag := book.seal(book.j0(nonce), plaintext[:n], nil); !bytes.Equal(got[:n], want) || tag != wantTag {
					t.Fatalf("chunks of %d bytes: wrong", n)
				}
			}
			copy(got, plaintext)
			dirty()
			k.keyStream(k.tier, got[:n], got[:n], 7, 9)
			dirty()
			k.keyStream(k.tier, got[:n], got[:n], 7, 9)
			if n > 0 {
				var first [16]byte
				dirty()
				k.keyStream(k.tier, first[:], first[:], 7, 9)
				counter := [16]byte{7: 7, 15: 9}
				if book.encrypt(counter[:], counter[:]); first != counter || !bytes.Equal(got[:n], plaintext[:n]) {
					t.Fatalf("stream of %d bytes: wrong", n)
				}
			}
		}

		// Nonces other than of 12 bytes.
		for _, n := range []int{1, 7, 8, 16, 33, 100, shortNonce, shortNonce + 1} {
			var j0 [16]byte
			dirty()
			if k.firstCounter(&j0, plaintext[:n]); j0 != book.j0(plaintext[:n]) {
				t.Fatalf("nonce of %d bytes: wrong", n)
			}
		}

		// Key setup.
		dirty()
		again := kernelKey(k.tier, key)
		if again.roundKeys != k.roundKeys || again.table != k.table {
			t.Error("key setup depends on what was in the registers")
		}
	})
}
