package chacha20poly1305

import (
	"bytes"
	"crypto/cipher"
	"fmt"
	"os"
	"sync"
	"testing"

	xchacha "golang.org/x/crypto/chacha20poly1305"

	"github.com/fastcrypto-go/fastcrypto/internal/impl"
	"github.com/fastcrypto-go/fastcrypto/internal/testkit"
)

// long reports whether the tests that take minutes should run.
func long() bool { return os.Getenv("FASTCRYPTO_TEST_LONG") != "" }

// compare seals and opens with ours, in place and apart, against x/crypto.
func compare(t testing.TB, ours, xcrypto cipher.AEAD, nonce, plaintext, ad []byte) {
	t.Helper()
	n := len(plaintext)
	want := xcrypto.Seal(nil, nonce, plaintext, ad)
	buf := make([]byte, n, n+Overhead)
	copy(buf, plaintext)
	for i, got := range [][]byte{ours.Seal(nil, nonce, plaintext, ad), ours.Seal(buf[:0], nonce, buf, ad)} {
		if !bytes.Equal(got, want) {
			at := 0
			for got[at] == want[at] {
				at++
			}
			t.Fatalf("way %d: sealing %d bytes with %d of additional data differs from byte %d on", i, n, len(ad), at)
		}
	}
	apart, err := ours.Open(nil, nonce, want, ad)
	if err != nil || !bytes.Equal(apart, plaintext) {
		t.Fatalf("opening %d bytes with %d of additional data apart: %v", n, len(ad), err)
	}
	inPlace, err := ours.Open(want[:0], nonce, want, ad)
	if err != nil || !bytes.Equal(inPlace, plaintext) {
		t.Fatalf("opening %d bytes with %d of additional data in place: %v", n, len(ad), err)
	}
}

func TestEveryLength(t *testing.T) {
	step := 1
	if testing.Short() {
		step = 17
	}
	testkit.Tiers(t, impl.ChaCha, func(t *testing.T, tier impl.Tier) {
		bothVariants(t, func(t *testing.T, name string, ours, xcrypto cipher.AEAD) {
			r := testkit.Rand(t)
			nonce, text := testkit.Bytes(r, ours.NonceSize()), testkit.Bytes(r, 4200)
			for n := 0; n <= len(text); n += step {
				compare(t, ours, xcrypto, nonce, text[:n], text[n/2:n/2+n%61])
			}
			if name == "XChaCha20" {
				return
			}
			for n := 0; n <= len(text); n += step {
				compare(t, ours, xcrypto, nonce, text[:n*7%130], text[:n])
			}
			// Around each boundary, with every short length of additional data.
			for _, n := range []int{0, 1, 15, 16, 17, 63, 64, 65, 127, 128, 129, 255, 256, 257, 511, 512, 513, 1023, 1024, 1025, 1039, 1040, 2048, 2049} {
				for a := range 34 {
					compare(t, ours, xcrypto, nonce, text[:n], text[:a])
				}
			}
		})
	})
}

func TestRandomLengths(t *testing.T) {
	rounds := 12
	if testing.Short() {
		rounds = 2
	}
	testkit.Tiers(t, impl.ChaCha, func(t *testing.T, tier impl.Tier) {
		bothVariants(t, func(t *testing.T, name string, ours, xcrypto cipher.AEAD) {
			r := testkit.Rand(t)
			text := testkit.Bytes(r, 1<<20)
			nonce := testkit.Bytes(r, ours.NonceSize())
			for chunks := 4; chunks <= 10; chunks++ { // just around whole chunks
				for d := -20; d <= 20; d += 1 + 40/(4*rounds) {
					compare(t, ours, xcrypto, nonce, text[:1024*chunks+d], text[:chunks])
				}
			}
			for range rounds {
				n, a := int(r.Uint64()%uint64(len(text))), int(r.Uint64()%5000)
				compare(t, ours, xcrypto, testkit.Bytes(r, ours.NonceSize()), text[:n], text[n/2:n/2+min(a, n/2)])
			}
		})
	})
}

// TestLargeMessage has 64 MiB in the long form.
func TestLargeMessage(t *testing.T) {
	n := 1<<20 + 77
	if long() {
		n = 64<<20 + 77
	}
	testkit.Tiers(t, impl.ChaCha, func(t *testing.T, tier impl.Tier) {
		bothVariants(t, func(t *testing.T, name string, ours, xcrypto cipher.AEAD) {
			compare(t, ours, xcrypto, make([]byte, ours.NonceSize()), bytes.Repeat([]byte{0xff}, n), nil)
		})
	})
}

// TestHChaCha20 has the vector of draft-irtf-cfrg-xchacha-03, section 2.2.1, and
// compares with the reference.
func TestHChaCha20(t *testing.T) {
	testkit.Tiers(t, impl.ChaCha, func(t *testing.T, tier impl.Tier) {
		if tier == impl.Generic {
			t.Skip("has no such function")
		}
		var key, out [32]byte
		for i := range key {
			key[i] = byte(i)
		}
		nonce := [16]byte(unhex(t, "000000090000004a0000000031415927"))
		hChaCha20(tier, &out, &key, &nonce)
		if want := unhex(t, "82413b4227b27bfed30e42508a877d73a0f9e4d58a74a853c12ec41326d3ecdc"); !bytes.Equal(out[:], want) {
			t.Errorf("%x, want %x", out, want)
		}
		r := testkit.Rand(t)
		for range 100 {
			key, nonce = [32]byte(testkit.Bytes(r, 32)), [16]byte(testkit.Bytes(r, 16))
			block := referenceBlock(key[:], uint32(nonce[0])|uint32(nonce[1])<<8|uint32(nonce[2])<<16|uint32(nonce[3])<<24, nonce[4:], false)
			want := append(bytes.Clone(block[:16]), block[48:]...)
			hChaCha20(tier, &key, &key, &nonce)
			if !bytes.Equal(key[:], want) {
				t.Fatalf("%x, want %x", key, want)
			}
		}
	})
}

// TestGuardPages lays each argument of the kernels against inaccessible pages, at
// every offset.
func TestGuardPages(t *testing.T) {
	lengths := []int{0, 1, 15, 16, 17, 31, 63, 64, 65, 80, 127, 128, 129, 191, 255, 256, 257, 320, 511, 512, 513, 600, 1023, 1024, 1025, 1100, 1300, 2047, 2048, 2049, 2600}
	if testing.Short() {
		lengths = []int{0, 1, 17, 64, 65, 257, 513, 1025}
	}
	testkit.Tiers(t, impl.ChaCha, func(t *testing.T, tier impl.Tier) {
		if tier == impl.Generic {
			t.Skip("the library's own business")
		}
		r := testkit.Rand(t)
		var g [6]*testkit.Guarded
		for i := range g {
			g[i] = testkit.NewGuarded(t, 4096)
		}
		text, key, nonce, adText := testkit.Bytes(r, 4096), testkit.Bytes(r, 32), testkit.Bytes(r, 12), testkit.Bytes(r, 1024)
		xcrypto, err := xchacha.New(key)
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range lengths {
			for offset := range 64 {
				a := (n + offset) % 40
				if offset%8 == 3 { // beyond the crossover to vectors, with every remainder
					a += 272 + n%500
				}
				ad := adText[:a]
				want := xcrypto.Seal(nil, nonce, text[:n], ad)
				for _, place := range []func(g *testkit.Guarded, n, offset int) []byte{(*testkit.Guarded).Front, (*testkit.Guarded).Back} {
					put := func(i int, b []byte) []byte {
						p := place(g[i], len(b), offset)
						copy(p, b)
						return p
					}
					src, dst, tag := put(0, text[:n]), put(1, make([]byte, n)), put(2, make([]byte, 16))
					k, v, a := put(3, key), put(4, nonce), put(5, ad)
					seal(tier, dst, src, (*[16]byte)(tag), (*[32]byte)(k), (*[12]byte)(v), a)
					if !bytes.Equal(dst, want[:n]) || !bytes.Equal(tag, want[n:]) {
						t.Fatalf("sealing %d bytes at offset %d: wrong result", n, offset)
					}
					clear(tag)
					open(tier, src, dst, (*[16]byte)(tag), (*[32]byte)(k), (*[12]byte)(v), a)
					if !bytes.Equal(src, text[:n]) || !bytes.Equal(tag, want[n:]) {
						t.Fatalf("opening %d bytes at offset %d: wrong result", n, offset)
					}
					clear(tag)
					open(tier, dst, dst, (*[16]byte)(tag), (*[32]byte)(k), (*[12]byte)(v), a)
					if !bytes.Equal(dst, text[:n]) || !bytes.Equal(tag, want[n:]) {
						t.Fatalf("opening %d bytes in place at offset %d: wrong result", n, offset)
					}
				}
			}
		}
	})
}

// TestCanaries has readable memory around the output: nothing there may change.
func TestCanaries(t *testing.T) {
	testkit.Tiers(t, impl.ChaCha, func(t *testing.T, tier impl.Tier) {
		bothVariants(t, func(t *testing.T, name string, ours, _ cipher.AEAD) {
			r := testkit.Rand(t)
			nonce, text := testkit.Bytes(r, ours.NonceSize()), testkit.Bytes(r, 1200)
			for n := 0; n <= len(text); n += 1 + n/23 {
				for _, offset := range []int{0, 1, 13, 63} {
					sealed := testkit.NewCanary(n+Overhead, offset)
					ours.Seal(sealed.Bytes()[:0:n+Overhead], nonce, text[:n], nil)
					sealed.Check(t)
					opened := testkit.NewCanary(n, offset)
					if _, err := ours.Open(opened.Bytes()[:0:n], nonce, sealed.Bytes(), nil); err != nil {
						t.Fatal(err)
					}
					opened.Check(t)
				}
			}
		})
	})
}

// TestConcurrent has 64 goroutines use one object.
func TestConcurrent(t *testing.T) {
	testkit.Tiers(t, impl.ChaCha, func(t *testing.T, tier impl.Tier) {
		bothVariants(t, func(t *testing.T, name string, ours, xcrypto cipher.AEAD) {
			text := testkit.Bytes(testkit.Rand(t), 3000)
			var wg sync.WaitGroup
			for g := range 64 {
				wg.Go(func() {
					nonce := make([]byte, ours.NonceSize())
					nonce[3] = byte(g)
					for n := g; n < len(text); n += 311 {
						want := xcrypto.Seal(nil, nonce, text[:n], nonce)
						if !bytes.Equal(ours.Seal(nil, nonce, text[:n], nonce), want) {
							t.Errorf("sealing %d bytes: wrong result", n)
						}
						if got, err := ours.Open(want[:0], nonce, want, nonce); err != nil || !bytes.Equal(got, text[:n]) {
							t.Errorf("opening %d bytes: %v", n, err)
						}
					}
				})
			}
			wg.Wait()
		})
	})
}

// FuzzSeal compares every tier with x/crypto and with the reference.
func FuzzSeal(f *testing.F) {
	f.Add(make([]byte, 32), make([]byte, 24), []byte{}, []byte{}, uint16(0))
	f.Add(bytes.Repeat([]byte{0xff}, 32), bytes.Repeat([]byte{0xff}, 24), bytes.Repeat([]byte{0xff}, 1100), bytes.Repeat([]byte{1}, 20), uint16(900))
	f.Fuzz(func(t *testing.T, key, nonce, text, ad []byte, flip uint16) {
		if len(key) != KeySize || len(nonce) != NonceSizeX || len(text) > 1<<14 || len(ad) > 1<<12 {
			return
		}
		xa, err := xchacha.New(key)
		if err != nil {
			t.Fatal(err)
		}
		xx, err := xchacha.NewX(key)
		if err != nil {
			t.Fatal(err)
		}
		want := xa.Seal(nil, nonce[:NonceSize], text, ad)
		if got := referenceSeal(0, 1, key, nonce[:NonceSize], text, ad); !bytes.Equal(got, want) {
			t.Fatal("the oracles differ")
		}
		for _, tier := range impl.ChaCha.Supported() {
			a, _ := newAEAD(tier, key)
			x, _ := newX(tier, key)
			compare(t, a, xa, nonce[:NonceSize], text, ad)
			compare(t, x, xx, nonce, text, ad)
			forged := bytes.Clone(want)
			forged[int(flip)%len(forged)] ^= byte(flip>>8) | 1
			if _, err := a.Open(nil, nonce[:NonceSize], forged, ad); err == nil {
				t.Errorf("tier %s: accepts a forgery", tier)
			}
		}
	})
}

// FuzzOpen gives a peer's bytes: no tier may panic, and all agree.
func FuzzOpen(f *testing.F) {
	f.Add([]byte{}, []byte{})
	f.Add(make([]byte, 100), make([]byte, 3))
	f.Fuzz(func(t *testing.T, ciphertext, ad []byte) {
		xa, _ := xchacha.New(make([]byte, KeySize))
		nonce := make([]byte, NonceSize)
		want, wantErr := xa.Open(nil, nonce, ciphertext, ad)
		for _, tier := range impl.ChaCha.Supported() {
			a, _ := newAEAD(tier, make([]byte, KeySize))
			got, err := a.Open(nil, nonce, ciphertext, ad)
			if (err == nil) != (wantErr == nil) || !bytes.Equal(got, want) {
				t.Errorf("tier %s: %v; x/crypto: %v", tier, err, wantErr)
			}
		}
	})
}

func BenchmarkChaCha20Poly1305(b *testing.B)  { benchmark(b, New, xchacha.New) }
func BenchmarkXChaCha20Poly1305(b *testing.B) { benchmark(b, NewX, xchacha.NewX) }

func benchmark(b *testing.B, ours, xcrypto func([]byte) (cipher.AEAD, error)) {
	run := func(b *testing.B, construct func([]byte) (cipher.AEAD, error)) {
		a, err := construct(make([]byte, KeySize))
		if err != nil {
			b.Fatal(err)
		}
		nonce, ad := make([]byte, a.NonceSize()), make([]byte, 13)
		for _, size := range []int{16, 64, 256, 1350, 8192, 16384, 1048576} {
			b.Run(fmt.Sprintf("op=Seal/size=%d", size), func(b *testing.B) {
				buf := make([]byte, size, size+Overhead)
				b.SetBytes(int64(size))
				b.ReportAllocs()
				for b.Loop() {
					a.Seal(buf[:0], nonce, buf, ad)
				}
			})
			b.Run(fmt.Sprintf("op=Open/size=%d", size), func(b *testing.B) {
				ct := a.Seal(nil, nonce, make([]byte, size), ad)
				dst := make([]byte, 0, size)
				b.SetBytes(int64(size))
				b.ReportAllocs()
				for b.Loop() {
					if _, err := a.Open(dst, nonce, ct, ad); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
	b.Run("impl=std", func(b *testing.B) { run(b, xcrypto) })
	testkit.BenchTiers(b, impl.ChaCha, func(b *testing.B) { run(b, ours) })
}
