package aead

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/des"
	"fmt"
	"testing"

	"github.com/fastcrypto-go/fastcrypto/internal/impl"
	"github.com/fastcrypto-go/fastcrypto/internal/testkit"
)

// blockKinds are the blocks that a caller may hand in: one of ours, the standard
// library's, one of a foreign type, one of 8 bytes, none.
var blockKinds = []func(key []byte) (ours, std cipher.Block, err error){
	func(key []byte) (cipher.Block, cipher.Block, error) {
		std, err := aes.NewCipher(key)
		if err != nil {
			return nil, nil, err
		}
		ours, err := NewCipher(key)
		return ours, std, err
	},
	func(key []byte) (cipher.Block, cipher.Block, error) {
		b, err := aes.NewCipher(key)
		return b, b, err
	},
	func(key []byte) (cipher.Block, cipher.Block, error) {
		b, err := aes.NewCipher(key)
		return wrapped{b}, wrapped{b}, err
	},
	func(key []byte) (cipher.Block, cipher.Block, error) {
		b, err := des.NewCipher(append(key, make([]byte, 8)...)[:8])
		return b, b, err
	},
	func([]byte) (cipher.Block, cipher.Block, error) { return nil, nil, nil },
}

// same compares two outcomes.
func same(t *testing.T, what string, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("%s: %s, want %s", what, got, want)
	}
}

// FuzzBlock compares AES blocks with the standard library's: keys of any length,
// single blocks at any place and of any length, and the hooks for CBC.
func FuzzBlock(f *testing.F) {
	f.Add([]byte("0123456789abcdef"), make([]byte, 64), []byte{0, 0, 16, 0, 0, 0, 0, 0, 16, 0, 0, 0})
	f.Add(make([]byte, 32), make([]byte, 64), []byte{1, 0, 16, 0, 0, 0, 2, 0, 16, 0, 0, 0})
	f.Add(make([]byte, 24), make([]byte, 64), []byte{0, 0, 15, 0, 0, 0, 0, 0, 64, 0, 0, 0})
	f.Add(make([]byte, 17), []byte{}, []byte{})
	f.Fuzz(func(t *testing.T, key, memory, layout []byte) {
		std, stdErr := aes.NewCipher(key)
		testkit.EachTier(t, impl.GCM, func(tier impl.Tier) {
			ours, err := NewCipher(key)
			if err != stdErr {
				t.Fatalf("%s: error %v, want %v", tier, err, stdErr)
			}
			if err != nil {
				return
			}
			if ours.BlockSize() != std.BlockSize() {
				t.Errorf("%s: block size %d", tier, ours.BlockSize())
			}
			iv := memory[:min(len(memory), len(layout))]
			for name, f := range map[string]func(b cipher.Block, dst, src []byte){
				"Encrypt":        func(b cipher.Block, dst, src []byte) { b.Encrypt(dst, src) },
				"Decrypt":        func(b cipher.Block, dst, src []byte) { b.Decrypt(dst, src) },
				"CBC encryption": func(b cipher.Block, dst, src []byte) { cipher.NewCBCEncrypter(b, iv).CryptBlocks(dst, src) },
				"CBC decryption": func(b cipher.Block, dst, src []byte) { cipher.NewCBCDecrypter(b, iv).CryptBlocks(dst, src) },
			} {
				run := func(b cipher.Block) string {
					m, s := bytes.Clone(memory), testkit.Script(layout)
					src, dst := s.Piece(m), s.Piece(m)
					end := testkit.Outcome(func() (string, error) { f(b, dst, src); return "", nil })
					return fmt.Sprintf("%s, memory %x", end, m)
				}
				same(t, tier.String()+": "+name, run(ours), run(std))
			}
		})
	})
}

// FuzzConstructors compares what becomes of any block with any sizes, here and where
// crypto/cipher is handed a block of ours.
func FuzzConstructors(f *testing.F) {
	for kind := range blockKinds {
		f.Add(make([]byte, 16), uint8(kind), 12, 16)
		f.Add(make([]byte, 16), uint8(kind), 0, 11)
		f.Add(make([]byte, 16), uint8(kind), -1, 17)
		f.Add(make([]byte, 16), uint8(kind), 65, 12)
	}
	f.Fuzz(func(t *testing.T, key []byte, kind uint8, nonceSize, tagSize int) {
		if nonceSize > 1<<20 {
			nonceSize = 1 << 20 // a nonce is made below
		}
		describe := func(f func() (cipher.AEAD, error)) string {
			return testkit.Outcome(func() ([]byte, error) {
				a, err := f()
				if err != nil {
					return nil, err
				}
				out := fmt.Appendf(nil, "%d %d ", a.NonceSize(), a.Overhead())
				if a.NonceSize() == 0 {
					return out, nil // random
				}
				return a.Seal(out, make([]byte, a.NonceSize()), []byte("text"), []byte("ad")), nil
			})
		}
		testkit.EachTier(t, impl.GCM, func(tier impl.Tier) {
			ours, std, err := blockKinds[int(kind)%len(blockKinds)](key)
			if err != nil {
				return
			}
			check := func(what string, got, want func() (cipher.AEAD, error)) {
				t.Helper()
				same(t, fmt.Sprintf("%s, block %T, %s", tier, ours, what), describe(got), describe(want))
			}
			check("NewGCM", func() (cipher.AEAD, error) { return NewGCM(ours) }, func() (cipher.AEAD, error) { return cipher.NewGCM(std) })
			check("NewGCMWithNonceSize", func() (cipher.AEAD, error) { return NewGCMWithNonceSize(ours, nonceSize) },
				func() (cipher.AEAD, error) { return cipher.NewGCMWithNonceSize(std, nonceSize) })
			check("NewGCMWithTagSize", func() (cipher.AEAD, error) { return NewGCMWithTagSize(ours, tagSize) },
				func() (cipher.AEAD, error) { return cipher.NewGCMWithTagSize(std, tagSize) })
			check("NewGCMWithRandomNonce", func() (cipher.AEAD, error) { return NewGCMWithRandomNonce(ours) },
				func() (cipher.AEAD, error) { return cipher.NewGCMWithRandomNonce(std) })
			check("cipher.NewGCM", func() (cipher.AEAD, error) { return cipher.NewGCM(ours) }, func() (cipher.AEAD, error) { return cipher.NewGCM(std) })
			check("cipher.NewGCMWithNonceSize", func() (cipher.AEAD, error) { return cipher.NewGCMWithNonceSize(ours, nonceSize) },
				func() (cipher.AEAD, error) { return cipher.NewGCMWithNonceSize(std, nonceSize) })
			check("cipher.NewGCMWithTagSize", func() (cipher.AEAD, error) { return cipher.NewGCMWithTagSize(ours, tagSize) },
				func() (cipher.AEAD, error) { return cipher.NewGCMWithTagSize(std, tagSize) })
		})
	})
}

// FuzzMemory compares Seal and Open with the standard library's where all arguments
// lie anywhere in one piece of memory, for every size of nonce and tag.
func FuzzMemory(f *testing.F) {
	memory := bytes.Repeat([]byte("0123456789abcdef"), 40)
	whole := []byte{20, 0, 100, 0, 16, 0, 0, 0, 13, 0, 0, 0}
	for flags := range uint8(32) {
		f.Add(make([]byte, 16), memory, whole, flags, uint8(12), uint8(16))
	}
	f.Add(make([]byte, 32), memory, []byte{20, 0, 100, 0, 16, 0, 50, 0, 20, 0, 0, 0, 21, 0, 0, 0, 200, 0, 30, 0}, uint8(0), uint8(12), uint8(16))
	f.Add(make([]byte, 32), memory, []byte{20, 0, 100, 0, 16, 0, 10, 0, 20, 0, 0, 0, 5, 0, 0, 0, 200, 0, 30, 0}, uint8(testkit.CallOpen|testkit.CallGenuine), uint8(12), uint8(12))
	f.Add(make([]byte, 24), memory[:17], []byte{}, uint8(testkit.CallOpen), uint8(1), uint8(13))
	f.Fuzz(func(t *testing.T, key, memory, layout []byte, flags, nonceSize, tagSize uint8) {
		std, err := aes.NewCipher(key)
		if err != nil || len(memory) > 1<<13 {
			return
		}
		want, err := cipher.NewGCMWithNonceSize(std, int(nonceSize))
		if tagSize != 16 {
			want, err = cipher.NewGCMWithTagSize(std, int(tagSize))
		}
		if err != nil {
			return
		}
		testkit.EachTier(t, impl.GCM, func(tier impl.Tier) {
			block := must(NewCipher(key))
			a, err := NewGCMWithNonceSize(block, int(nonceSize))
			if tagSize != 16 {
				a, err = NewGCMWithTagSize(block, int(tagSize))
			}
			if err != nil {
				t.Fatal(err)
			}
			testkit.AEADCall(t, a, want, memory, layout, flags)
		})
	})
}

// FuzzRandomNonce compares AEADs that choose their nonces: Open as a whole, and of
// Seal whether it panics, what it does outside of its result, and that the result
// opens.
func FuzzRandomNonce(f *testing.F) {
	memory := bytes.Repeat([]byte("0123456789abcdef"), 20)
	for flags := range uint8(32) {
		f.Add(make([]byte, 16), memory, []byte{20, 0, 100, 0, 40, 0, 0, 0, 13, 0, 0, 0}, flags)
	}
	f.Fuzz(func(t *testing.T, key, memory, layout []byte, flags uint8) {
		std, err := aes.NewCipher(key)
		if err != nil || len(memory) > 1<<12 {
			return
		}
		trusted := must(cipher.NewGCMWithRandomNonce(std))
		testkit.EachTier(t, impl.GCM, func(tier impl.Tier) {
			a := must(NewGCMWithRandomNonce(must(NewCipher(key))))
			if flags&testkit.CallOpen != 0 {
				// Sealed by a fixed nonce, the memory is the same for both.
				fixed := &fixedNonce{trusted, must(cipher.NewGCM(std))}
				if tier == impl.Generic {
					a = fixed // with the standard library's panic
				}
				testkit.AEADCall(t, a, fixed, memory, layout, flags)
				return
			}
			var texts []string
			for _, a := range []cipher.AEAD{a, trusted} {
				m, s := bytes.Clone(memory), testkit.Script(layout)
				text, ad, dst, nonce := s.Piece(m), s.Piece(m), s.Piece(m), s.Piece(m)
				if flags&testkit.CallNonce == 0 {
					nonce = nil
				}
				if flags&testkit.CallInPlace != 0 {
					dst = text[:0]
				}
				plaintext, prefix, adBefore := bytes.Clone(text), bytes.Clone(dst), bytes.Clone(ad)
				var sealed []byte
				end := testkit.Outcome(func() (int, error) { sealed = a.Seal(dst, nonce, text, ad); return len(sealed), nil })
				if sealed != nil {
					got, err := trusted.Open(nil, nil, sealed[len(prefix):], adBefore)
					end += fmt.Sprintf(", opened %x, %v, prefix %x", got, err, sealed[:len(prefix)])
					if err != nil || !bytes.Equal(got, plaintext) {
						t.Errorf("%s: sealed what does not open: %v", tier, err)
					}
					// What was written is random.
					clear(sealed[len(prefix):])
				}
				texts = append(texts, fmt.Sprintf("%s, memory %x", end, m))
			}
			same(t, tier.String(), texts[0], texts[1])
		})
	})
}

// A fixedNonce is an AEAD with random nonces that seals with a constant one.
type fixedNonce struct {
	cipher.AEAD
	gcm cipher.AEAD
}

func (a *fixedNonce) Seal(dst, nonce, plaintext, additionalData []byte) []byte {
	return a.gcm.Seal(append(dst, "123456789abc"...), []byte("123456789abc"), plaintext, additionalData)
}

// Open does without the standard library's panic where dst begins where the ciphertext
// does and has less capacity.
func (a *fixedNonce) Open(dst, nonce, ciphertext, additionalData []byte) ([]byte, error) {
	out := dst[len(dst):cap(dst)]
	if n := len(ciphertext) - a.Overhead(); n > 0 && len(out) >= n && len(out) < len(ciphertext) && &out[0] == &ciphertext[0] {
		ciphertext = bytes.Clone(ciphertext)
	}
	return a.AEAD.Open(dst, nonce, ciphertext, additionalData)
}

// FuzzOpen gives a peer's bytes to Open.
func FuzzOpen(f *testing.F) {
	f.Add([]byte{}, []byte{}, uint8(12))
	f.Add(make([]byte, 100), make([]byte, 3), uint8(12))
	f.Add(make([]byte, 16), []byte{}, uint8(16))
	f.Fuzz(func(t *testing.T, ciphertext, ad []byte, nonceSize uint8) {
		key, nonce := make([]byte, 16), make([]byte, max(1, int(nonceSize)))
		want := must(cipher.NewGCMWithNonceSize(must(aes.NewCipher(key)), len(nonce)))
		open := func(a cipher.AEAD) string {
			return testkit.Outcome(func() ([]byte, error) { return a.Open([]byte("x"), nonce, ciphertext, ad) })
		}
		testkit.EachTier(t, impl.GCM, func(tier impl.Tier) {
			same(t, tier.String(), open(must(NewGCMWithNonceSize(must(NewCipher(key)), len(nonce)))), open(want))
		})
	})
}

// FuzzCTR compares streams from any counter, in pieces that lie anywhere in one piece
// of memory and may be refused.
func FuzzCTR(f *testing.F) {
	memory := bytes.Repeat([]byte{1, 2, 3}, 300)
	f.Add(make([]byte, 16), bytes.Repeat([]byte{0xff}, 16), memory, []byte{0, 0, 255, 0, 0, 0, 0, 0, 255, 0, 0, 0, 3, 0, 17, 0, 0, 0, 3, 0, 20, 0})
	f.Add(make([]byte, 32), make([]byte, 16), memory, []byte{0, 0, 9, 0, 0, 0, 100, 0, 9, 0, 0, 0, 3, 0, 17, 0, 0, 0, 9, 0, 20, 0})
	f.Add(make([]byte, 24), make([]byte, 15), memory, []byte{})
	f.Add(make([]byte, 24), append(make([]byte, 8), 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xfc), memory, []byte{0, 0, 255, 1, 0, 0, 0, 0, 255, 1})
	f.Fuzz(func(t *testing.T, key, iv, memory, script []byte) {
		std, err := aes.NewCipher(key)
		if err != nil || len(memory) > 1<<12 || len(script) > 200 {
			return
		}
		run := func(b cipher.Block) string {
			var stream cipher.Stream
			end := testkit.Outcome(func() (string, error) { stream = cipher.NewCTR(b, iv); return "", nil })
			if stream == nil {
				return end
			}
			m, s := bytes.Clone(memory), testkit.Script(script)
			for !s.Done() {
				src, dst := s.Piece(m), s.Piece(m)
				if s.Byte()%2 == 0 {
					dst = src[:cap(src)]
				}
				end += testkit.Outcome(func() (string, error) { stream.XORKeyStream(dst, src); return "", nil })
			}
			return fmt.Sprintf("%s, memory %x", end, m)
		}
		want := run(std)
		testkit.EachTier(t, impl.GCM, func(gcm impl.Tier) {
			block := must(NewCipher(key))
			testkit.EachTier(t, impl.CTR, func(tier impl.Tier) {
				same(t, tier.String(), run(block), want)
			})
		})
	})
}

// FuzzSealer has a Sealer called in any order, over any kind of block.
func FuzzSealer(f *testing.F) {
	f.Add([]byte("0123456789abcdef"), []byte("nonce-nonce-"), make([]byte, 700), []byte("ad"), []byte{3, 0xf0, 200, 0xf1, 0, 16, 255, 1}, uint8(0))
	f.Add(make([]byte, 32), []byte{1}, make([]byte, 400), make([]byte, 20), []byte{15, 1, 16, 17, 240, 255, 255}, uint8(2))
	f.Add(make([]byte, 24), []byte{}, []byte{}, []byte{}, []byte{255}, uint8(1))
	f.Add(make([]byte, 16), []byte{}, []byte{}, []byte{}, []byte{255}, uint8(4))
	f.Fuzz(func(t *testing.T, key, nonce, text, ad, script []byte, kind uint8) {
		if len(text) > 1<<13 || len(script) > 100 {
			return
		}
		testkit.EachTier(t, impl.GCM, func(tier impl.Tier) {
			ours, std, err := blockKinds[int(kind)%len(blockKinds)](key)
			if err != nil {
				return
			}
			s, want, ok := pieces(t, tier, ours, std, nonce, func() (*Sealer, error) { return NewSealer(ours, nonce, ad) })
			if !ok {
				return
			}
			left, got, done := bytes.Clone(text), []byte(nil), false
			script := testkit.Script(script)
			for !script.Done() {
				b := script.Byte()
				end := testkit.Outcome(func() (string, error) {
					if b == 255 {
						got = s.Final(got)
						return "", nil
					}
					n := min(len(left), int(b)*int(b)/16)
					piece := left[:n]
					if b%2 == 0 { // in place
						got = append(got, s.Update(piece[:0], piece)...)
					} else {
						got = s.Update(got, piece)
					}
					left = left[n:]
					return "", nil
				})
				wantEnd := "result: "
				if done {
					wantEnd = "panic: aead: Sealer used after Final"
				}
				same(t, tier.String(), end, wantEnd)
				if done = done || b == 255; done && end == wantEnd && wantEnd == "result: " {
					sealed := want.Seal(nil, nonce, text[:len(text)-len(left)], ad)
					if !bytes.Equal(got, sealed) {
						t.Errorf("%s: sealed %x, want %x", tier, got, sealed)
					}
				}
			}
		})
	})
}

// pieces compares how a Sealer or an Opener comes about with how the standard
// library's AEAD does. ok tells that there are both.
func pieces[T any](t *testing.T, tier impl.Tier, ours, std cipher.Block, nonce []byte, f func() (T, error)) (v T, trusted cipher.AEAD, ok bool) {
	got := testkit.Outcome(func() (string, error) {
		var err error
		v, err = f()
		return "", err
	})
	want := testkit.Outcome(func() (string, error) {
		var err error
		if len(nonce) == standardNonceSize {
			trusted, err = cipher.NewGCM(std)
		} else {
			trusted, err = cipher.NewGCMWithNonceSize(std, len(nonce))
		}
		return "", err
	})
	same(t, fmt.Sprintf("%s, %T", tier, ours), got, want)
	return v, trusted, got == "result: " && want == got
}

// FuzzOpener has an Opener called in any order, with genuine and other tags of any
// length.
func FuzzOpener(f *testing.F) {
	f.Add([]byte("0123456789abcdef"), []byte("nonce-nonce-"), make([]byte, 700), []byte("ad"), []byte{3, 200, 0, 16, 255, 1}, []byte{}, uint8(0))
	f.Add(make([]byte, 32), []byte{1}, make([]byte, 400), make([]byte, 20), []byte{15, 1, 16, 17, 240, 255, 255}, make([]byte, 16), uint8(2))
	f.Add(make([]byte, 16), make([]byte, 12), make([]byte, 40), []byte{}, []byte{255}, make([]byte, 15), uint8(1))
	f.Add(make([]byte, 16), []byte{}, []byte{}, []byte{}, []byte{255}, []byte{}, uint8(4))
	f.Fuzz(func(t *testing.T, key, nonce, text, ad, script, tag []byte, kind uint8) {
		if len(text) > 1<<13 || len(script) > 100 {
			return
		}
		testkit.EachTier(t, impl.GCM, func(tier impl.Tier) {
			ours, std, err := blockKinds[int(kind)%len(blockKinds)](key)
			if err != nil {
				return
			}
			o, trusted, ok := pieces(t, tier, ours, std, nonce, func() (*Opener, error) { return NewOpener(ours, nonce, ad) })
			if !ok {
				return
			}
			left, done := text, false
			script := testkit.Script(script)
			for !script.Done() {
				b := script.Byte()
				taken := text[:len(text)-len(left)]
				var sealed, given []byte
				if b == 255 {
					// What was taken as ciphertext is genuine under the tag that sealing its plaintext gives.
					plaintext := bytes.Clone(taken)
					var stream gctr
					stream.init(std, trusted, nonce)
					stream.xor(plaintext, plaintext)
					sealed = trusted.Seal(nil, nonce, plaintext, ad)
					given = tag
					if len(tag) == 0 {
						given = sealed[len(taken):]
					}
				}
				end := testkit.Outcome(func() ([]byte, error) {
					if b == 255 {
						return o.Final([]byte("x"), given)
					}
					n := min(len(left), int(b)*int(b)/16)
					o.Update(left[:n])
					left = left[n:]
					return nil, nil
				})
				want := "result: "
				switch {
				case done:
					want = "panic: aead: Opener used after Final"
				case b == 255:
					want = testkit.Outcome(func() ([]byte, error) {
						if len(given) != maxTagSize {
							return nil, errOpen
						}
						return trusted.Open([]byte("x"), nonce, append(bytes.Clone(taken), given...), ad)
					})
				}
				same(t, tier.String(), end, want)
				done = done || b == 255
			}
		})
	})
}
