package aead

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"github.com/fastcrypto-go/fastcrypto/internal/impl"
	"github.com/fastcrypto-go/fastcrypto/internal/testkit"
)

// long reports whether the long forms of tests are asked for.
func long() bool { return os.Getenv("FASTCRYPTO_TEST_LONG") != "" }

// pair returns an AEAD of ours, on the tier that serves, and the standard library's.
func pair(tb testing.TB, key []byte, nonceSize int) (ours, std cipher.AEAD) {
	tb.Helper()
	b, err := aes.NewCipher(key)
	if err != nil {
		tb.Fatal(err)
	}
	if std, err = cipher.NewGCMWithNonceSize(b, nonceSize); err != nil {
		tb.Fatal(err)
	}
	block, err := NewCipher(key)
	if err != nil {
		tb.Fatal(err)
	}
	if ours, err = NewGCMWithNonceSize(block, nonceSize); err != nil {
		tb.Fatal(err)
	}
	return ours, std
}

// A comparer seals and opens with both and compares, in buffers that it keeps.
type comparer struct {
	ours, std      cipher.AEAD
	got, want, out []byte
}

func (c *comparer) check(tb testing.TB, nonce, plaintext, ad []byte) {
	tb.Helper()
	n := len(plaintext)
	c.want = c.std.Seal(c.want[:0], nonce, plaintext, ad)
	c.got = c.ours.Seal(c.got[:0], nonce, plaintext, ad)
	if !bytes.Equal(c.got, c.want) {
		tb.Fatalf("Seal of %d bytes with %d of additional data and a nonce of %d: text right: %v, tag right: %v", n, len(ad), len(nonce),
			bytes.Equal(c.got[:n], c.want[:n]), bytes.Equal(c.got[n:], c.want[n:]))
	}
	out, err := c.ours.Open(c.out[:0], nonce, c.want, ad)
	if err != nil {
		tb.Fatalf("Open of %d bytes with %d of additional data and a nonce of %d: %v", n, len(ad), len(nonce), err)
	}
	if c.out = out; !bytes.Equal(out, plaintext) {
		tb.Fatalf("Open of %d bytes with %d of additional data and a nonce of %d: text wrong", n, len(ad), len(nonce))
	}
}

// eachKey runs f for every tier and key size.
func eachKey(t *testing.T, f func(t *testing.T, r *rand.ChaCha8, key []byte)) {
	testkit.Tiers(t, impl.GCM, func(t *testing.T, tier impl.Tier) {
		for _, size := range []int{16, 24, 32} {
			t.Run(fmt.Sprintf("key=%d", size*8), func(t *testing.T) {
				r := testkit.Rand(t)
				f(t, r, testkit.Bytes(r, size))
			})
		}
	})
}

// step thins a loop out under -short.
func step(short int) int {
	if testing.Short() {
		return short
	}
	return 1
}

func TestLengths(t *testing.T) {
	eachKey(t, func(t *testing.T, r *rand.ChaCha8, key []byte) {
		ours, std := pair(t, key, 12)
		c := comparer{ours: ours, std: std}
		nonce, plaintext, ad := testkit.Bytes(r, 12), testkit.Bytes(r, 8400), testkit.Bytes(r, 64)
		for n := 0; n <= len(plaintext); n++ {
			if n > 600 {
				n = min(n+step(61)-1, len(plaintext))
			}
			c.check(t, nonce, plaintext[:n], ad[:n%21])
		}
		if testing.Short() && len(key) != 16 {
			return // the rest concerns the counter, not the key
		}
		// The long block count: the counter's second and third bytes change.
		plaintext = testkit.Bytes(r, 65540*16)
		for _, blocks := range []int{252, 253, 254, 255, 256, 257, 65532, 65533, 65534, 65535, 65536, 65537} {
			c.check(t, nonce, plaintext[:blocks*16], ad[:13])
			c.check(t, nonce, plaintext[:blocks*16+7], nil)
		}
	})
}

func TestAdditionalDataLengths(t *testing.T) {
	eachKey(t, func(t *testing.T, r *rand.ChaCha8, key []byte) {
		ours, std := pair(t, key, 12)
		c := comparer{ours: ours, std: std}
		nonce, plaintext, ad := testkit.Bytes(r, 12), testkit.Bytes(r, 700), testkit.Bytes(r, 20000)
		lengths := []int{0, 1, 16, 33, 511, 512, 513, 700}
		for a := 0; a <= 1100; a += step(13) {
			for _, n := range lengths {
				c.check(t, nonce, plaintext[:n], ad[:a])
			}
		}
		for range 50 {
			c.check(t, nonce, plaintext[:r.Uint64()%700], ad[:10000+r.Uint64()%10000])
		}
		// All the ways in which few blocks of both share one accumulator.
		for a := 0; a <= 100; a += step(5) {
			for n := 0; n <= 560; n += step(5) {
				c.check(t, nonce, plaintext[:n], ad[:a])
			}
		}
		// About as many blocks as there are powers for.
		for a := 0; a <= 272; a += step(3) {
			for _, blocks := range []int{9, 17} {
				for _, more := range []int{-16, -1, 0, 1} {
					if n := blocks*16 - (a+15)&^15 + more; n >= 0 {
						c.check(t, nonce, plaintext[:n], ad[:a])
					}
				}
			}
		}
	})
}

func TestNonceLengths(t *testing.T) {
	eachKey(t, func(t *testing.T, r *rand.ChaCha8, key []byte) {
		plaintext := testkit.Bytes(r, 1100)
		for _, size := range slices.Concat(upTo(1, 140), []int{255, 256, 500, 512, 513, 1024, 1040, 3000}) {
			ours, std := pair(t, key, size)
			c := comparer{ours: ours, std: std}
			nonce := testkit.Bytes(r, size)
			for _, n := range []int{0, 5, 64, 300, 1100} {
				c.check(t, nonce, plaintext[:n], plaintext[:n%50])
			}
		}
	})
}

// upTo returns the numbers from a to b.
func upTo(a, b int) (list []int) {
	for i := a; i <= b; i++ {
		list = append(list, i)
	}
	return
}

func TestTagSizes(t *testing.T) {
	eachKey(t, func(t *testing.T, r *rand.ChaCha8, key []byte) {
		b, _ := aes.NewCipher(key)
		for size := 12; size <= 16; size++ {
			std, err := cipher.NewGCMWithTagSize(b, size)
			if err != nil {
				t.Fatal(err)
			}
			ours, err := NewGCMWithTagSize(b, size)
			if err != nil {
				t.Fatal(err)
			}
			c := comparer{ours: ours, std: std}
			nonce, plaintext := testkit.Bytes(r, 12), testkit.Bytes(r, 300)
			for n := range plaintext {
				c.check(t, nonce, plaintext[:n], plaintext[:n%30])
			}
		}
	})
}

func TestRandomLengths(t *testing.T) {
	eachKey(t, func(t *testing.T, r *rand.ChaCha8, key []byte) {
		ours, std := pair(t, key, 12)
		c := comparer{ours: ours, std: std}
		buffer := testkit.Bytes(r, 1<<20+4096)
		draw := func(most int) []byte {
			// Lengths of every order of magnitude.
			n := int(r.Uint64()%uint64(most)) >> (r.Uint64() % 20)
			at := int(r.Uint64() % 4096)
			return buffer[at : at+n]
		}
		turns := 200
		if long() {
			turns = 1_000_000
		}
		for range turns {
			nonce := buffer[r.Uint64()%4096:][:12]
			c.check(t, nonce, draw(1<<20), draw(1<<12))
		}
	})
}

// kernelKey returns a key for the tier.
func kernelKey(tier impl.Tier, key []byte) *gcmKey {
	k := new(gcmKey)
	k.rounds = len(key)/4 + 6
	expandKey(&k.roundKeys, key)
	k.makeTable(tier)
	return k
}

// eachKernel runs f for every tier that has kernels, and key size.
func eachKernel(t *testing.T, f func(t *testing.T, r *rand.ChaCha8, key []byte, k *gcmKey)) {
	testkit.Tiers(t, impl.GCM, func(t *testing.T, tier impl.Tier) {
		if tier == impl.Generic {
			t.Skip("no kernel")
		}
		for _, size := range []int{16, 24, 32} {
			t.Run(fmt.Sprintf("key=%d", size*8), func(t *testing.T) {
				r := testkit.Rand(t)
				key := testkit.Bytes(r, size)
				f(t, r, key, kernelKey(tier, key))
			})
		}
	})
}

// TestTextbook compares with the specification read literally, for any first counter
// block, such that the 32-bit counter wraps at every place of the loops.
func TestTextbook(t *testing.T) {
	eachKernel(t, func(t *testing.T, r *rand.ChaCha8, key []byte, k *gcmKey) {
		book := newTextbookGCM(key)
		ad := testkit.Bytes(r, 80)
		for i := range 140 / step(4) {
			n := i * 11
			plaintext := testkit.Bytes(r, n)
			j0 := [16]byte(testkit.Bytes(r, 16))
			binary.BigEndian.PutUint32(j0[12:], -uint32(r.Uint64()%uint64(n/16+3)))
			want, wantTag := book.seal(j0, plaintext, ad[:i%80])
			got := make([]byte, n)
			var tag [16]byte
			k.sealFrom(got, plaintext, &tag, &j0[0], 16, ad[:i%80])
			if !bytes.Equal(got, want) || tag != wantTag {
				t.Fatalf("seal of %d bytes from counter block %x: text right: %v, tag right: %v", n, j0, bytes.Equal(got, want), tag == wantTag)
			}
			k.openFrom(got, want, &tag, &j0[0], 16, ad[:i%80])
			if !bytes.Equal(got, plaintext) || tag != wantTag {
				t.Fatalf("open of %d bytes from counter block %x: text right: %v, tag right: %v", n, j0, bytes.Equal(got, plaintext), tag == wantTag)
			}
		}
	})
}

// TestTextbookItself holds the textbook against the standard library.
func TestTextbookItself(t *testing.T) {
	r := testkit.Rand(t)
	key := testkit.Bytes(r, 16)
	book := newTextbookGCM(key)
	_, std := pair(t, key, 12)
	_, odd := pair(t, key, 21)
	for n := range 50 {
		nonce, plaintext, ad := testkit.Bytes(r, 21), testkit.Bytes(r, n), testkit.Bytes(r, n/2)
		for _, c := range []struct {
			std   cipher.AEAD
			nonce []byte
		}{{std, nonce[:12]}, {odd, nonce}} {
			ciphertext, tag := book.seal(book.j0(c.nonce), plaintext, ad)
			if !bytes.Equal(append(ciphertext, tag[:]...), c.std.Seal(nil, c.nonce, plaintext, ad)) {
				t.Fatalf("the textbook differs at %d bytes", n)
			}
		}
	}
}
