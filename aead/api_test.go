package aead

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/des"
	"fmt"
	"reflect"
	"sync"
	"testing"

	"github.com/fastcrypto-go/fastcrypto/internal/impl"
	"github.com/fastcrypto-go/fastcrypto/internal/testkit"
)

// outcome describes what f did: its panic, or the error and bytes it returned.
func outcome(f func() ([]byte, error)) (s string) {
	defer func() {
		if r := recover(); r != nil {
			s = fmt.Sprintf("panic: %v", r)
		}
	}()
	b, err := f()
	return fmt.Sprintf("%x, error %v", b, err)
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func TestNewCipherErrors(t *testing.T) {
	testkit.Tiers(t, impl.GCM, func(t *testing.T, _ impl.Tier) {
		for n := range 40 {
			_, want := aes.NewCipher(make([]byte, n))
			if _, got := NewCipher(make([]byte, n)); got != want {
				t.Errorf("%d bytes: error %v, want %v", n, got, want)
			}
		}
	})
}

// wrapped is a foreign block: crypto/cipher sees only the three methods.
type wrapped struct{ b cipher.Block }

func (w wrapped) BlockSize() int          { return w.b.BlockSize() }
func (w wrapped) Encrypt(dst, src []byte) { w.b.Encrypt(dst, src) }
func (w wrapped) Decrypt(dst, src []byte) { w.b.Decrypt(dst, src) }

func TestConstructorErrors(t *testing.T) {
	key := make([]byte, 16)
	blocks := map[string]func() (ours, std cipher.Block){
		"own": func() (cipher.Block, cipher.Block) { return must(NewCipher(key)), must(aes.NewCipher(key)) },
		"std": func() (cipher.Block, cipher.Block) { b := must(aes.NewCipher(key)); return b, b },
		"foreign": func() (cipher.Block, cipher.Block) {
			b := wrapped{must(aes.NewCipher(key))}
			return b, b
		},
		"des": func() (cipher.Block, cipher.Block) { b := must(des.NewCipher(key[:8])); return b, b },
		"nil": func() (cipher.Block, cipher.Block) { return nil, nil },
	}
	result := func(a cipher.AEAD, err error) ([]byte, error) {
		if err != nil {
			return nil, err
		}
		return fmt.Appendf(nil, "%d %d", a.NonceSize(), a.Overhead()), nil
	}
	testkit.Tiers(t, impl.GCM, func(t *testing.T, _ impl.Tier) {
		for name, f := range blocks {
			ours, std := f()
			check := func(what string, got, want func() (cipher.AEAD, error)) {
				g := outcome(func() ([]byte, error) { return result(got()) })
				w := outcome(func() ([]byte, error) { return result(want()) })
				if g != w {
					t.Errorf("%s, %s block: %s, want %s", what, name, g, w)
				}
			}
			check("NewGCM", func() (cipher.AEAD, error) { return NewGCM(ours) }, func() (cipher.AEAD, error) { return cipher.NewGCM(std) })
			check("NewGCMWithRandomNonce", func() (cipher.AEAD, error) { return NewGCMWithRandomNonce(ours) }, func() (cipher.AEAD, error) { return cipher.NewGCMWithRandomNonce(std) })
			for _, n := range []int{-1, 0, 1, 11, 12, 13, 16, 17, 64} {
				check(fmt.Sprint("NewGCMWithNonceSize ", n), func() (cipher.AEAD, error) { return NewGCMWithNonceSize(ours, n) }, func() (cipher.AEAD, error) { return cipher.NewGCMWithNonceSize(std, n) })
				check(fmt.Sprint("NewGCMWithTagSize ", n), func() (cipher.AEAD, error) { return NewGCMWithTagSize(ours, n) }, func() (cipher.AEAD, error) { return cipher.NewGCMWithTagSize(std, n) })
				if name == "own" {
					check(fmt.Sprint("cipher.NewGCMWithTagSize ", n), func() (cipher.AEAD, error) { return cipher.NewGCMWithTagSize(ours, n) }, func() (cipher.AEAD, error) { return cipher.NewGCMWithTagSize(std, n) })
				}
			}
		}
	})
}

// TestMisuse compares results, errors and panics with the standard library's.
func TestMisuse(t *testing.T) {
	key := make([]byte, 16)
	std := must(cipher.NewGCM(must(aes.NewCipher(key))))
	nonce, ad := make([]byte, 12), []byte("ad")
	sealed := std.Seal(nil, nonce, make([]byte, 40), ad)
	cases := map[string]func(a cipher.AEAD) ([]byte, error){
		"seal":             func(a cipher.AEAD) ([]byte, error) { return a.Seal([]byte("x"), nonce, sealed, ad), nil },
		"seal short nonce": func(a cipher.AEAD) ([]byte, error) { return a.Seal(nil, nonce[:11], nil, nil), nil },
		"seal nil nonce":   func(a cipher.AEAD) ([]byte, error) { return a.Seal(nil, nil, nil, nil), nil },
		"open short nonce": func(a cipher.AEAD) ([]byte, error) { return a.Open(nil, nonce[:11], sealed, nil) },
		"open":             func(a cipher.AEAD) ([]byte, error) { return a.Open([]byte("x"), nonce, sealed, ad) },
		"open short":       func(a cipher.AEAD) ([]byte, error) { return a.Open(nil, nonce, sealed[:15], ad) },
		"open nil":         func(a cipher.AEAD) ([]byte, error) { return a.Open(nil, nonce, nil, ad) },
		"open wrong ad":    func(a cipher.AEAD) ([]byte, error) { return a.Open(nil, nonce, sealed, nil) },
		"seal overlap": func(a cipher.AEAD) ([]byte, error) {
			b := make([]byte, 100)
			return a.Seal(b[:0], nonce, b[1:41], ad), nil
		},
		"seal overlap with tag": func(a cipher.AEAD) ([]byte, error) {
			b := make([]byte, 100)
			return a.Seal(b[:0], nonce, b[50:60], ad), nil
		},
		"seal plaintext inside the tag": func(a cipher.AEAD) ([]byte, error) {
			b := make([]byte, 100)
			return a.Seal(b[:0:100], nonce, b[12:20], ad), nil
		},
		"seal in place": func(a cipher.AEAD) ([]byte, error) {
			b := make([]byte, 100)
			return a.Seal(b[:0], nonce, b[:41], ad), nil
		},
		"seal over ad": func(a cipher.AEAD) ([]byte, error) {
			b := make([]byte, 100)
			return a.Seal(b[:0], nonce, make([]byte, 40), b[55:60]), nil
		},
		"open overlap": func(a cipher.AEAD) ([]byte, error) {
			b := append(make([]byte, 1), sealed...)
			return a.Open(b[:0], nonce, b[1:], ad)
		},
		"open in place": func(a cipher.AEAD) ([]byte, error) {
			b := bytes.Clone(sealed)
			return a.Open(b[:0], nonce, b, ad)
		},
		"open over ad": func(a cipher.AEAD) ([]byte, error) {
			b := append(make([]byte, 0, 200), "ad"...)
			return a.Open(b[:0], nonce, sealed, b)
		},
	}
	testkit.Tiers(t, impl.GCM, func(t *testing.T, _ impl.Tier) {
		ours := must(NewGCM(must(aes.NewCipher(key))))
		for name, f := range cases {
			got := outcome(func() ([]byte, error) { return f(ours) })
			want := outcome(func() ([]byte, error) { return f(std) })
			if got != want {
				t.Errorf("%s: %s, want %s", name, got, want)
			}
		}
	})
}

// TestOpenClears checks that a failed Open leaves no plaintext in dst.
func TestOpenClears(t *testing.T) {
	testkit.Tiers(t, impl.GCM, func(t *testing.T, _ impl.Tier) {
		a := must(NewGCM(must(NewCipher(make([]byte, 16)))))
		nonce := make([]byte, 12)
		for _, n := range []int{1, 15, 16, 17, 255, 256, 257, 1000, 5000} {
			sealed := a.Seal(nil, nonce, bytes.Repeat([]byte{0xff}, n), nil)
			sealed[n] ^= 1
			dst := bytes.Repeat([]byte{0xaa}, n+32)
			if out, err := a.Open(dst[:0], nonce, sealed, nil); err == nil || out != nil {
				t.Fatal("opened a forgery")
			}
			if !bytes.Equal(dst[:n], make([]byte, n)) {
				t.Errorf("%d bytes: output not cleared", n)
			}
			if !bytes.Equal(dst[n:], bytes.Repeat([]byte{0xaa}, 32)) {
				t.Errorf("%d bytes: wrote behind the output", n)
			}
		}
	})
}

// TestNonceOverlap lays the nonce inside the output, which crypto/cipher allows: a kernel
// must not read it again when it was overwritten.
func TestNonceOverlap(t *testing.T) {
	testkit.Tiers(t, impl.GCM, func(t *testing.T, _ impl.Tier) {
		r := testkit.Rand(t)
		key := testkit.Bytes(r, 16)
		for _, nonceSize := range []int{12, 16} {
			ours, std := pair(t, key, nonceSize)
			for _, n := range []int{5, 64, 300, 1500} {
				plaintext, memory := testkit.Bytes(r, n), testkit.Bytes(r, n+32)
				for at := 0; at <= n+4; at += 1 + n/16 {
					seal := func(a cipher.AEAD) []byte {
						m := bytes.Clone(memory)
						return a.Seal(m[:0], m[at:at+nonceSize], plaintext, nil)
					}
					sealed := seal(std)
					if got := seal(ours); !bytes.Equal(got, sealed) {
						t.Fatalf("nonce at byte %d of the output: %d bytes sealed wrong", at, n)
					}
					m := bytes.Clone(memory)
					sealed = std.Seal(nil, m[at:at+nonceSize], plaintext, nil)
					if got, err := ours.Open(m[:0], m[at:at+nonceSize], sealed, nil); err != nil || !bytes.Equal(got, plaintext) {
						t.Fatalf("nonce at byte %d of the output: %d bytes opened wrong: %v", at, n, err)
					}
				}
			}
		}
	})
}

// TestBlockHooks runs our block through every function of crypto/cipher.
func TestBlockHooks(t *testing.T) {
	testkit.Tiers(t, impl.GCM, func(t *testing.T, tier impl.Tier) {
		r := testkit.Rand(t)
		for _, keySize := range []int{16, 24, 32} {
			key, iv, src := testkit.Bytes(r, keySize), testkit.Bytes(r, 16), testkit.Bytes(r, 160)
			ours, std := must(NewCipher(key)), must(aes.NewCipher(key))
			if _, own := ours.(*block); own != (tier != impl.Generic) {
				t.Errorf("NewCipher returned %T", ours)
			}
			run := func(b cipher.Block) [][]byte {
				var out [][]byte
				next := func() []byte { out = append(out, make([]byte, len(src))); return out[len(out)-1] }
				b.Encrypt(next(), src)
				b.Decrypt(next(), src)
				cipher.NewCTR(b, iv).XORKeyStream(next(), src)
				cipher.NewCBCEncrypter(b, iv).CryptBlocks(next(), src)
				cipher.NewCBCDecrypter(b, iv).CryptBlocks(next(), src)
				cipher.NewOFB(b, iv).XORKeyStream(next(), src) //nolint:staticcheck // it must work
				out = append(out, must(cipher.NewGCM(b)).Seal(nil, iv[:12], src, iv))
				out = append(out, must(cipher.NewGCMWithNonceSize(b, 16)).Seal(nil, iv, src, iv))
				out = append(out, must(cipher.NewGCMWithTagSize(b, 13)).Seal(nil, iv[:12], src, iv))
				return out
			}
			if got, want := run(ours), run(std); !reflect.DeepEqual(got, want) {
				t.Errorf("%d-byte key: modes differ from the standard library's", keySize)
			}
			for name, f := range map[string]func(b cipher.Block) ([]byte, error){
				"encrypt short": func(b cipher.Block) ([]byte, error) { b.Encrypt(iv, iv[:15]); return nil, nil },
				"encrypt into":  func(b cipher.Block) ([]byte, error) { b.Encrypt(iv[:15], iv); return nil, nil },
				"decrypt short": func(b cipher.Block) ([]byte, error) { b.Decrypt(iv, iv[:15]); return nil, nil },
				"overlap":       func(b cipher.Block) ([]byte, error) { b.Encrypt(src[1:], src); return nil, nil },
				"ctr iv":        func(b cipher.Block) ([]byte, error) { cipher.NewCTR(b, iv[:15]); return nil, nil },
				"cbc iv":        func(b cipher.Block) ([]byte, error) { cipher.NewCBCEncrypter(b, iv[:15]); return nil, nil },
			} {
				got := outcome(func() ([]byte, error) { return f(ours) })
				want := outcome(func() ([]byte, error) { return f(std) })
				if got != want {
					t.Errorf("%s: %s, want %s", name, got, want)
				}
			}
		}
	})
}

// TestStdBlock checks that the swap that users make first reaches a kernel, and
// that no surprise in the block's layout does harm.
func TestStdBlock(t *testing.T) {
	if layoutOfStd().block == nil && impl.GCM.Tier() != impl.Generic {
		t.Fatal("the layout of the standard library's block is not understood")
	}
	testkit.Tiers(t, impl.GCM, func(t *testing.T, tier impl.Tier) {
		for _, keySize := range []int{16, 24, 32} {
			std := must(aes.NewCipher(bytes.Repeat([]byte{7}, keySize)))
			if _, own := must(NewGCM(std)).(*gcm); own != (tier != impl.Generic) {
				t.Errorf("%d-byte key, tier %s: kernel used: %v", keySize, tier, own)
			}
		}
	})
	//lint:ignore U1000 the fields are looked up by their names
	type embedded struct {
		rounds int
		enc    [60]uint32
	}
	for _, b := range []any{
		must(des.NewCipher(make([]byte, 8))),
		wrapped{},
		&struct{ rounds int }{},
		&struct {
			rounds int32
			enc    [60]uint32
		}{},
		&struct {
			rounds int
			enc    [60]uint64
		}{},
		&struct{ *embedded }{},
	} {
		if l := findLayout(reflect.TypeOf(b)); l.block != nil {
			t.Errorf("%T: layout understood as %+v", b, l)
		}
	}
	if l := findLayout(reflect.TypeFor[*struct {
		_ byte
		embedded
	}]()); l.block == nil || l.round != l.rounds+8 && l.round != l.rounds+4 {
		t.Errorf("embedded struct: layout %+v", l)
	}
}

// TestProof corrupts the round keys inside a standard block: the kernel's block
// then differs from the block's own, and the standard library must serve.
func TestProof(t *testing.T) {
	testkit.Tiers(t, impl.GCM, func(t *testing.T, tier impl.Tier) {
		if tier == impl.Generic {
			return
		}
		real := layoutOfStd
		defer func() { layoutOfStd = real }()
		// Read the round keys from the wrong place.
		layoutOfStd = func() stdLayout {
			l := real()
			l.round += 4
			return l
		}
		std := must(aes.NewCipher(bytes.Repeat([]byte{7}, 16)))
		if a := must(NewGCM(std)); reflect.TypeOf(a) != reflect.TypeOf(must(cipher.NewGCM(std))) {
			t.Errorf("wrong round keys: got a %T", a)
		}
	})
}

func TestRandomNonce(t *testing.T) {
	testkit.Tiers(t, impl.GCM, func(t *testing.T, _ impl.Tier) {
		key := bytes.Repeat([]byte{3}, 16)
		std := must(cipher.NewGCMWithRandomNonce(must(aes.NewCipher(key))))
		for name, b := range map[string]cipher.Block{"own": must(NewCipher(key)), "std": must(aes.NewCipher(key))} {
			a := must(NewGCMWithRandomNonce(b))
			if a.NonceSize() != 0 || a.Overhead() != 28 {
				t.Fatalf("%s: sizes %d, %d", name, a.NonceSize(), a.Overhead())
			}
			seen := map[string]bool{}
			for n := range 300 {
				plaintext, ad := bytes.Repeat([]byte{byte(n)}, n), []byte("ad")
				buf := make([]byte, n, n+28)
				copy(buf, plaintext)
				for _, dst := range [][]byte{nil, buf[:0]} {
					in := plaintext
					if dst != nil {
						in = buf
					}
					sealed := a.Seal(dst, nil, in, ad)
					if seen[string(sealed[:12])] {
						t.Fatal("a nonce came twice")
					}
					seen[string(sealed[:12])] = true
					if got, err := std.Open(nil, nil, sealed, ad); err != nil || !bytes.Equal(got, plaintext) {
						t.Fatalf("%s: the standard library does not open: %v", name, err)
					}
					if got, err := a.Open(nil, nil, sealed, ad); err != nil || !bytes.Equal(got, plaintext) {
						t.Fatalf("%s: does not open: %v", name, err)
					}
					if got, err := a.Open(sealed[:0], nil, sealed, ad); err != nil || !bytes.Equal(got, plaintext) {
						t.Fatalf("%s: does not open in place: %v", name, err)
					}
				}
			}
			sealed := std.Seal(nil, nil, []byte("message"), nil)
			for name, f := range map[string]func(a cipher.AEAD) ([]byte, error){
				"open":       func(a cipher.AEAD) ([]byte, error) { return a.Open(nil, nil, sealed, nil) },
				"nonce":      func(a cipher.AEAD) ([]byte, error) { return a.Seal(nil, sealed[:12], nil, nil), nil },
				"open nonce": func(a cipher.AEAD) ([]byte, error) { return a.Open(nil, sealed[:12], sealed, nil) },
				"short":      func(a cipher.AEAD) ([]byte, error) { return a.Open(nil, nil, sealed[:27], nil) },
				"forged":     func(a cipher.AEAD) ([]byte, error) { return a.Open(nil, nil, sealed, []byte{1}) },
				"overlap": func(a cipher.AEAD) ([]byte, error) {
					b := make([]byte, 100)
					return a.Seal(b[:0], nil, b[12:30], nil), nil
				},
			} {
				got := outcome(func() ([]byte, error) { return f(a) })
				want := outcome(func() ([]byte, error) { return f(std) })
				if got != want {
					t.Errorf("%s: %s, want %s", name, got, want)
				}
			}
		}
	})
}

// TestConcurrent uses one AEAD and one block from 64 goroutines.
func TestConcurrent(t *testing.T) {
	testkit.Tiers(t, impl.GCM, func(t *testing.T, _ impl.Tier) {
		b := must(NewCipher(make([]byte, 32)))
		a := must(NewGCM(b))
		var wg sync.WaitGroup
		for i := range 64 {
			wg.Go(func() {
				nonce, plaintext := make([]byte, 12), bytes.Repeat([]byte{byte(i)}, 10*i)
				nonce[0] = byte(i)
				for range 50 {
					sealed := a.Seal(nil, nonce, plaintext, nonce)
					if got, err := a.Open(nil, nonce, sealed, nonce); err != nil || !bytes.Equal(got, plaintext) {
						t.Errorf("goroutine %d: %v", i, err)
					}
					b.Encrypt(sealed[:16], sealed[:16])
				}
			})
		}
		wg.Wait()
	})
}
