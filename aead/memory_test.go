package aead

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/fastcrypto-go/fastcrypto/internal/testkit"
)

// A place puts n bytes somewhere in guarded memory.
type place func(g *testkit.Guarded, n int) []byte

// places are directly before and directly behind an inaccessible page, and with
// offset bytes in between.
func places(offset int) []place {
	return []place{
		func(g *testkit.Guarded, n int) []byte { return g.Front(n, offset) },
		func(g *testkit.Guarded, n int) []byte { return g.Back(n, offset) },
	}
}

// TestGuardPages runs every kernel with every pointer beside inaccessible pages.
func TestGuardPages(t *testing.T) {
	const most = 1700
	eachKernel(t, func(t *testing.T, r *rand.ChaCha8, key []byte, k *gcmKey) {
		var mem [7]*testkit.Guarded
		for i := range mem {
			mem[i] = testkit.NewGuarded(t, most)
		}
		_, std := pair(t, key, 12)
		plaintext, ad, nonce := testkit.Bytes(r, most), testkit.Bytes(r, most), testkit.Bytes(r, 12)
		var want []byte
		check := func(put place, n, a int) {
			want = std.Seal(want[:0], nonce, plaintext[:n], ad[:a])
			src, dst := put(mem[0], n), put(mem[1], n)
			tag := (*[16]byte)(put(mem[2], 16))
			guardedNonce, guardedAD := put(mem[3], 12), put(mem[4], a)
			copy(src, plaintext)
			copy(guardedNonce, nonce)
			copy(guardedAD, ad)
			k.seal(dst, src, tag, guardedNonce, guardedAD)
			if !bytes.Equal(dst, want[:n]) || !bytes.Equal(tag[:], want[n:]) {
				t.Fatalf("seal of %d and %d bytes is wrong", n, a)
			}
			k.open(src, dst, tag, guardedNonce, guardedAD)
			if !bytes.Equal(src, plaintext[:n]) || !bytes.Equal(tag[:], want[n:]) {
				t.Fatalf("open of %d and %d bytes is wrong", n, a)
			}
			// In place.
			k.seal(src, src, tag, guardedNonce, guardedAD)
			if !bytes.Equal(src, want[:n]) || !bytes.Equal(tag[:], want[n:]) {
				t.Fatalf("seal of %d and %d bytes in place is wrong", n, a)
			}
			k.open(src, src, tag, guardedNonce, guardedAD)
			if !bytes.Equal(src, plaintext[:n]) || !bytes.Equal(tag[:], want[n:]) {
				t.Fatalf("open of %d and %d bytes in place is wrong", n, a)
			}
		}
		for n := 0; n <= most; n += step(7) {
			for _, put := range places(0) {
				check(put, n, n%67)
				check(put, n%67, n)
			}
		}
		for offset := 1; offset < 64; offset += step(5) {
			for _, put := range places(offset) {
				for _, n := range []int{1, 15, 16, 17, 63, 64, 65, 100, 255, 512, 513, 600, 1100} {
					check(put, n, n/8)
				}
			}
		}
	})
}

// TestGuardPagesOfPieces does so for the kernels that serve messages in pieces.
func TestGuardPagesOfPieces(t *testing.T) {
	const most = 2048
	eachKernel(t, func(t *testing.T, r *rand.ChaCha8, key []byte, k *gcmKey) {
		source, target := testkit.NewGuarded(t, most), testkit.NewGuarded(t, most)
		_, std := pair(t, key, 12)
		plaintext, nonce := testkit.Bytes(r, most), testkit.Bytes(r, 12)
		check := func(put place, n int) {
			want := std.Seal(nil, nonce, plaintext[:n], nil)
			src, dst := put(source, n), put(target, n)
			copy(src, plaintext)
			var m message
			var tag [16]byte
			m.start(k, nonce, nil)
			if m.seal(dst, src); !bytes.Equal(dst, want[:n]) {
				t.Fatalf("seal of %d bytes is wrong", n)
			}
			if m.final(&tag); !bytes.Equal(tag[:], want[n:]) {
				t.Fatalf("seal of %d bytes gives a wrong tag", n)
			}
			m = message{}
			m.start(k, nonce, nil)
			m.open(dst, dst)
			if m.final(&tag); !bytes.Equal(dst, src) || !bytes.Equal(tag[:], want[n:]) {
				t.Fatalf("open of %d bytes in place is wrong", n)
			}
			chunk := k.chunk()
			if n == 0 || chunk == 0 || n%chunk != 0 {
				return
			}
			// Chunks, first out of place and then in place.
			for _, dst := range [][]byte{dst, src} {
				m = message{}
				m.start(k, nonce, nil)
				for i := 0; i < n; i += chunk {
					m.sealChunks(dst[i:][:chunk], src[i:][:chunk])
				}
				if m.final(&tag); !bytes.Equal(dst, want[:n]) || !bytes.Equal(tag[:], want[n:]) {
					t.Fatalf("seal of %d bytes by chunks is wrong", n)
				}
			}
		}
		for offset := 0; offset < 64; offset += step(5) {
			for _, put := range places(offset) {
				for _, n := range []int{0, 1, 16, 31, 64, 80, 256, 272, 512, 528, 544, 1000, 1024, 1536} {
					check(put, n)
				}
			}
		}
	})
}

// TestCanaries looks for writes beside short outputs, in writable memory.
func TestCanaries(t *testing.T) {
	eachKernel(t, func(t *testing.T, r *rand.ChaCha8, key []byte, k *gcmKey) {
		nonce := testkit.Bytes(r, 12)
		src := testkit.Bytes(r, 600)
		for n := 0; n <= len(src); n += step(7) {
			for _, offset := range []int{0, 1, 13, 63} {
				dst, tag := testkit.NewCanary(n, offset), testkit.NewCanary(16, offset)
				k.seal(dst.Bytes(), src[:n], (*[16]byte)(tag.Bytes()), nonce, nil)
				dst.Check(t)
				tag.Check(t)
				k.open(dst.Bytes(), src[:n], (*[16]byte)(tag.Bytes()), nonce, nil)
				dst.Check(t)
				tag.Check(t)
			}
		}
	})
}
