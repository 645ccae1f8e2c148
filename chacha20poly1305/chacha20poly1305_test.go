package chacha20poly1305

import (
	"bytes"
	"crypto/cipher"
	"encoding/hex"
	"fmt"
	"math/bits"
	"strings"
	"testing"
	"unsafe"

	xchacha "golang.org/x/crypto/chacha20poly1305"

	"github.com/fastcrypto-go/fastcrypto/internal/impl"
	"github.com/fastcrypto-go/fastcrypto/internal/testkit"
)

func unhex(t testing.TB, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.Map(func(r rune) rune {
		if r == ' ' || r == '\n' || r == '\t' {
			return -1
		}
		return r
	}, s))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

const sunscreen = "Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, sunscreen would be it."

// TestVectors has the examples of RFC 8439, section 2.8.2, and of
// draft-irtf-cfrg-xchacha-03, appendix A.3.1.
func TestVectors(t *testing.T) {
	const key = "808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9f"
	const ad = "50515253c0c1c2c3c4c5c6c7"
	vectors := []struct {
		new        func([]byte) (cipher.AEAD, error)
		nonce, out string
	}{
		{New, "070000004041424344454647", `
			d31a8d34648e60db7b86afbc53ef7ec2a4aded51296e08fea9e2b5a736ee62d63dbea45e8ca9671282fafb69da92728b1a71de0a9e060b2905d6a5b67ecd3b36
			92ddbd7f2d778b8c9803aee328091b58fab324e4fad675945585808b4831d7bc3ff4def08e4b7a9de576d26586cec64b61161ae10b594f09e26a7e902ecbd0600691`},
		{NewX, "404142434445464748494a4b4c4d4e4f5051525354555657", `
			bd6d179d3e83d43b9576579493c0e939572a1700252bfaccbed2902c21396cbb731c7f1b0b4aa6440bf3a82f4eda7e39ae64c6708c54c216cb96b72e1213b4522f8c9ba40db5d945b11b69b982c1bb9e3f3fac2bc369488f76b2383565d3fff921f9664c97637da9768812f615c68b13b52e
			c0875924c1c7987947deafd8780acf49`},
	}
	testkit.Tiers(t, impl.ChaCha, func(t *testing.T, tier impl.Tier) {
		for i, v := range vectors {
			a, err := v.new(unhex(t, key))
			if err != nil {
				t.Fatal(err)
			}
			nonce, want := unhex(t, v.nonce), unhex(t, v.out)
			got := a.Seal(nil, nonce, []byte(sunscreen), unhex(t, ad))
			if !bytes.Equal(got, want) {
				t.Errorf("#%d: sealed %x, want %x", i, got, want)
			}
			plaintext, err := a.Open(nil, nonce, want, unhex(t, ad))
			if err != nil || string(plaintext) != sunscreen {
				t.Errorf("#%d: opened %q, %v", i, plaintext, err)
			}
		}
	})
}

// bothVariants runs f with each variant, on the tier that serves.
func bothVariants(t *testing.T, f func(t *testing.T, name string, ours, xcrypto cipher.AEAD)) {
	key := testkit.Bytes(testkit.Rand(t), KeySize)
	must := func(a cipher.AEAD, err error) cipher.AEAD {
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	f(t, "ChaCha20", must(New(key)), must(xchacha.New(key)))
	f(t, "XChaCha20", must(NewX(key)), must(xchacha.NewX(key)))
}

// TestForgery changes every bit of a short message, its tag, nonce and
// additional data.
func TestForgery(t *testing.T) {
	testkit.Tiers(t, impl.ChaCha, func(t *testing.T, tier impl.Tier) {
		bothVariants(t, func(t *testing.T, name string, ours, _ cipher.AEAD) {
			r := testkit.Rand(t)
			nonce, plaintext, ad := testkit.Bytes(r, ours.NonceSize()), testkit.Bytes(r, 21), testkit.Bytes(r, 5)
			ct := ours.Seal(nil, nonce, plaintext, ad)
			for _, part := range [][]byte{nonce, ct, ad} {
				for i := range 8 * len(part) {
					part[i/8] ^= 1 << (i % 8)
					buf := bytes.Repeat([]byte{0x55}, 64)
					got, err := ours.Open(buf[:3], nonce, ct, ad)
					if err == nil || got != nil {
						t.Fatalf("%s: bit %d of %d bytes changed: %x, %v", name, i, len(part), got, err)
					}
					if !bytes.Equal(buf[3:24], make([]byte, 21)) || buf[2] != 0x55 || buf[24] != 0x55 {
						t.Fatalf("%s: after a failure the output holds %x", name, buf)
					}
					part[i/8] ^= 1 << (i % 8)
				}
			}
			for n := range len(ct) {
				if _, err := ours.Open(nil, nonce, ct[:n], ad); err == nil {
					t.Fatalf("%s: opened %d of %d bytes", name, n, len(ct))
				}
			}
		})
	})
}

// outcome calls f and returns what it did, as a string: a panic's value or an
// error, and the result.
func outcome(f func() ([]byte, error)) (s string) {
	defer func() {
		if r := recover(); r != nil {
			s = fmt.Sprint("panic: ", r)
		}
	}()
	b, err := f()
	return fmt.Sprintf("%x %v", b, err)
}

// TestMisuse compares errors and panics with x/crypto's.
func TestMisuse(t *testing.T) {
	for _, n := range []int{0, 16, 31, 33} {
		key := make([]byte, n)
		_, want := xchacha.New(key)
		for _, f := range []func([]byte) (cipher.AEAD, error){New, NewX} {
			if a, err := f(key); a != nil || err == nil || err.Error() != want.Error() {
				t.Errorf("key of %d bytes: %v, %v; want %v", n, a, err, want)
			}
		}
	}
	testkit.Tiers(t, impl.ChaCha, func(t *testing.T, tier impl.Tier) {
		bothVariants(t, func(t *testing.T, name string, ours, xcrypto cipher.AEAD) {
			if ours.NonceSize() != xcrypto.NonceSize() || ours.Overhead() != xcrypto.Overhead() {
				t.Errorf("%s: sizes %d, %d", name, ours.NonceSize(), ours.Overhead())
			}
			for n := range 30 {
				for _, op := range []func(a cipher.AEAD) ([]byte, error){
					func(a cipher.AEAD) ([]byte, error) { return a.Seal(nil, make([]byte, n), make([]byte, 20), nil), nil },
					func(a cipher.AEAD) ([]byte, error) { return a.Open(nil, make([]byte, n), make([]byte, 20), nil) },
					func(a cipher.AEAD) ([]byte, error) {
						return a.Open(nil, make([]byte, a.NonceSize()), make([]byte, n), nil)
					},
				} {
					got := outcome(func() ([]byte, error) { return op(ours) })
					want := outcome(func() ([]byte, error) { return op(xcrypto) })
					if got != want {
						t.Errorf("%s, length %d: %s; x/crypto: %s", name, n, got, want)
					}
				}
			}
		})
	})
}

// TestTooLong has slices that claim more bytes than the specification allows.
// Nothing of them may be touched: most of it is not mapped.
func TestTooLong(t *testing.T) {
	if bits.UintSize < 64 {
		t.Skip("no slice is long enough")
	}
	one := make([]byte, 64)
	claim := func(n uint64) []byte {
		header := struct {
			p        *byte
			len, cap int
		}{&one[0], int(n), int(n)}
		return *(*[]byte)(unsafe.Pointer(&header))
	}
	testkit.Tiers(t, impl.ChaCha, func(t *testing.T, tier impl.Tier) {
		bothVariants(t, func(t *testing.T, name string, ours, _ cipher.AEAD) {
			nonce := make([]byte, ours.NonceSize())
			for _, n := range []uint64{maxPlaintext + 1, 1 << 38, 1<<38 + 64, 1 << 40, 1<<63 - 1} {
				got := outcome(func() ([]byte, error) { return ours.Seal(nil, nonce, claim(n), nil), nil })
				if got != "panic: chacha20poly1305: plaintext too large" {
					t.Errorf("%s: Seal of %d bytes: %s", name, n, got)
				}
				if n += Overhead; n > 1<<63-1 {
					n = 1<<63 - 1
				}
				got = outcome(func() ([]byte, error) { return ours.Open(nil, nonce, claim(n), nil) })
				if got != " chacha20poly1305: message authentication failed" {
					t.Errorf("%s: Open of %d bytes: %s", name, n, got)
				}
			}
		})
	})
}

// TestAliasing lays the output at every offset from the input and from the
// additional data, and compares results and panics with x/crypto's.
func TestAliasing(t *testing.T) {
	testkit.Tiers(t, impl.ChaCha, func(t *testing.T, tier impl.Tier) {
		bothVariants(t, func(t *testing.T, name string, ours, xcrypto cipher.AEAD) {
			r := testkit.Rand(t)
			nonce := testkit.Bytes(r, ours.NonceSize())
			for _, n := range []int{0, 1, 16, 70, 300} {
				memory := testkit.Bytes(r, 3*n+96)
				in := n + 32
				try := func(a cipher.AEAD, at int, f func(m []byte) ([]byte, error)) string {
					m := bytes.Clone(memory)
					s := outcome(func() ([]byte, error) { return f(m) })
					return s + fmt.Sprintf(" %x", m)
				}
				step := max(1, n/20)
				for at := 0; at+n+16 <= len(memory); at += step {
					sealAt := func(a cipher.AEAD) string {
						return try(a, at, func(m []byte) ([]byte, error) {
							return a.Seal(m[at:at], nonce, m[in:in+n], nil), nil
						})
					}
					adAt := func(a cipher.AEAD) string {
						return try(a, at, func(m []byte) ([]byte, error) {
							return a.Seal(m[at:at], nonce, nil, m[in:in+n]), nil
						})
					}
					for i, f := range []func(cipher.AEAD) string{sealAt, adAt} {
						if got, want := f(ours), f(xcrypto); got != want {
							t.Fatalf("%s, case %d, %d bytes at %d, input at %d:\n%s\nx/crypto:\n%s", name, i, n, at, in, got, want)
						}
					}
				}
				// Opening: where the output overlaps only the tag, x/crypto reads the tag
				// after it was overwritten. The kernels' callers do not.
				plaintext := testkit.Bytes(r, n)
				ct := ours.Seal(nil, nonce, plaintext, nil)
				for at := 0; at+n <= len(memory); at += step {
					if tier == impl.Generic && at+n > in+n && at < in+n+16 {
						continue
					}
					m := bytes.Clone(memory)
					copy(m[in:], ct)
					got := outcome(func() ([]byte, error) { return ours.Open(m[at:at], nonce, m[in:in+n+16], nil) })
					want := fmt.Sprintf("%x <nil>", plaintext)
					if d := at - in; n > 0 && d != 0 && d < n && d > -n {
						want = "panic: chacha20poly1305: invalid buffer overlap of output and input"
					}
					if got != want {
						t.Fatalf("%s: opening %d bytes at %d, input at %d: %s, want %s", name, n, at, in, got, want)
					}
				}
			}
		})
	})
}

// TestNonceOverlap lays the nonce inside the output, which x/crypto allows: a kernel must
// not read it again when it was overwritten.
func TestNonceOverlap(t *testing.T) {
	testkit.Tiers(t, impl.ChaCha, func(t *testing.T, _ impl.Tier) {
		bothVariants(t, func(t *testing.T, name string, ours, xcrypto cipher.AEAD) {
			r := testkit.Rand(t)
			size := ours.NonceSize()
			for _, n := range []int{5, 64, 300, 3000} {
				plaintext, memory := testkit.Bytes(r, n), testkit.Bytes(r, n+32)
				for at := 0; at+size <= len(memory); at += 1 + n/16 {
					seal := func(a cipher.AEAD) []byte {
						m := bytes.Clone(memory)
						return a.Seal(m[:0], m[at:at+size], plaintext, nil)
					}
					sealed := seal(xcrypto)
					if got := seal(ours); !bytes.Equal(got, sealed) {
						t.Fatalf("%s, nonce at byte %d of the output: %d bytes sealed wrong", name, at, n)
					}
					m := bytes.Clone(memory)
					sealed = xcrypto.Seal(nil, m[at:at+size], plaintext, nil)
					if got, err := ours.Open(m[:0], m[at:at+size], sealed, nil); err != nil || !bytes.Equal(got, plaintext) {
						t.Fatalf("%s, nonce at byte %d of the output: %d bytes opened wrong: %v", name, at, n, err)
					}
				}
			}
		})
	})
}

func TestAllocations(t *testing.T) {
	testkit.Tiers(t, impl.ChaCha, func(t *testing.T, tier impl.Tier) {
		if tier == impl.Generic {
			t.Skip("the library's own business")
		}
		bothVariants(t, func(t *testing.T, name string, ours, _ cipher.AEAD) {
			nonce, ad := make([]byte, ours.NonceSize()), make([]byte, 13)
			for _, n := range []int{0, 16, 1350, 20000} {
				buf := make([]byte, n, n+16)
				if a := testing.AllocsPerRun(20, func() {
					ct := ours.Seal(buf[:0], nonce, buf, ad)
					if _, err := ours.Open(buf[:0], nonce, ct, ad); err != nil {
						t.Fatal(err)
					}
				}); a != 0 {
					t.Errorf("%s, %d bytes: %v allocations", name, n, a)
				}
			}
		})
	})
}
