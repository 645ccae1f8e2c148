package conformance

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/fastcrypto-go/fastcrypto"
	"github.com/fastcrypto-go/fastcrypto/aead"
	"github.com/fastcrypto-go/fastcrypto/chacha20poly1305"
	"github.com/fastcrypto-go/fastcrypto/internal/impl"
	"github.com/fastcrypto-go/fastcrypto/internal/testkit"
	stdchacha "golang.org/x/crypto/chacha20poly1305"
)

type aeadVector struct {
	vector
	Key hexBytes `json:"key"`
	IV  hexBytes `json:"iv"`
	AAD hexBytes `json:"aad"`
	Msg hexBytes `json:"msg"`
	CT  hexBytes `json:"ct"`
	Tag hexBytes `json:"tag"`
}

type aeadGroup struct {
	group[aeadVector]
	IVSize  int `json:"ivSize"`
	KeySize int `json:"keySize"`
	TagSize int `json:"tagSize"`
}

// A gmacVector is an AEAD vector without plaintext: the message is what GCM
// calls additional data.
type gmacVector struct {
	vector
	Key hexBytes `json:"key"`
	IV  hexBytes `json:"iv"`
	Msg hexBytes `json:"msg"`
	Tag hexBytes `json:"tag"`
}

type gmacGroup struct {
	group[gmacVector]
	IVSize  int `json:"ivSize"`
	KeySize int `json:"keySize"`
	TagSize int `json:"tagSize"`
}

func (v *gmacVector) aead() *aeadVector {
	return &aeadVector{vector: v.vector, Key: v.Key, IV: v.IV, AAD: v.Msg, Tag: v.Tag}
}

func TestAESGCM(t *testing.T) {
	f, groups := load[aeadGroup, aeadVector](t, "aes_gcm_test.json")
	testkit.Tiers(t, impl.GCM, func(t *testing.T, _ impl.Tier) {
		y := tally{f: f}
		for i := range groups {
			g := &groups[i]
			for j := range g.Tests {
				v := &g.Tests[j]
				sizes(t, v, g.KeySize, g.IVSize, g.TagSize)
				y.judge(t, &v.vector, runGCM(t, v), openGCM(stdGCM, v))
			}
		}
		y.done(t)
	})
}

func TestAESGMAC(t *testing.T) {
	f, groups := load[gmacGroup, gmacVector](t, "aes_gmac_test.json")
	testkit.Tiers(t, impl.GCM, func(t *testing.T, _ impl.Tier) {
		y := tally{f: f}
		for i := range groups {
			g := &groups[i]
			for j := range g.Tests {
				v := g.Tests[j].aead()
				sizes(t, v, g.KeySize, g.IVSize, g.TagSize)
				y.judge(t, &v.vector, runGCM(t, v), openGCM(stdGCM, v))
			}
		}
		y.done(t)
	})
}

func TestChaCha20Poly1305(t *testing.T) {
	testChaCha(t, "chacha20_poly1305_test.json", stdchacha.New,
		chacha20poly1305.New, fastcrypto.NewChaCha20Poly1305)
}

func TestXChaCha20Poly1305(t *testing.T) {
	testChaCha(t, "xchacha20_poly1305_test.json", stdchacha.NewX,
		chacha20poly1305.NewX, fastcrypto.NewXChaCha20Poly1305)
}

func testChaCha(t *testing.T, name string, std newAEAD, ways ...newAEAD) {
	f, groups := load[aeadGroup, aeadVector](t, name)
	testkit.Tiers(t, impl.ChaCha, func(t *testing.T, _ impl.Tier) {
		y := tally{f: f}
		for i := range groups {
			g := &groups[i]
			for j := range g.Tests {
				v := &g.Tests[j]
				sizes(t, v, g.KeySize, g.IVSize, g.TagSize)
				y.judge(t, &v.vector, runAEAD(t, v, ways...), openAEAD(std, v))
			}
		}
		y.done(t)
	})
}

// sizes checks the vector against the sizes in bits that its group states.
func sizes(t *testing.T, v *aeadVector, key, iv, tag int) {
	t.Helper()
	if 8*len(v.Key) != key || 8*len(v.IV) != iv || 8*len(v.Tag) != tag {
		// With a nonce that cannot be, there is no tag.
		if len(v.Tag) == 0 && slices.Contains(v.Flags, "InvalidNonceSize") {
			return
		}
		t.Fatalf("%v: key, nonce or tag are not of %d, %d and %d bits", v, key, iv, tag)
	}
}

// newAEAD constructs an AEAD from its key alone.
type newAEAD func(key []byte) (cipher.AEAD, error)

// newGCM constructs an AES-GCM for nonces of the given size in bytes.
type newGCM func(key []byte, nonceSize int) (cipher.AEAD, error)

func stdGCM(key []byte, nonceSize int) (cipher.AEAD, error) {
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	return cipher.NewGCMWithNonceSize(block, nonceSize)
}

// gcmWays are the ways of the public API to a GCM with nonces of any size.
var gcmWays = map[string]newGCM{
	"aead, own block": func(key []byte, nonceSize int) (cipher.AEAD, error) {
		block, err := aead.NewCipher(key)
		if err != nil {
			return nil, err
		}
		return aead.NewGCMWithNonceSize(block, nonceSize)
	},
	"fastcrypto, the standard library's block": func(key []byte, nonceSize int) (cipher.AEAD, error) {
		block, err := aes.NewCipher(key)
		if err != nil {
			return nil, err
		}
		return fastcrypto.NewGCMWithNonceSize(block, nonceSize)
	},
	"fastcrypto, a foreign block": func(key []byte, nonceSize int) (cipher.AEAD, error) {
		block, err := aes.NewCipher(key)
		if err != nil {
			return nil, err
		}
		return fastcrypto.NewGCMWithNonceSize(struct{ cipher.Block }{block}, nonceSize)
	},
	"crypto/cipher, own block": func(key []byte, nonceSize int) (cipher.AEAD, error) {
		block, err := fastcrypto.NewCipher(key)
		if err != nil {
			return nil, err
		}
		return cipher.NewGCMWithNonceSize(block, nonceSize)
	},
}

// defaultGCMWays are the ways to a GCM with nonces of 12 and tags of 16 bytes.
var defaultGCMWays = []newAEAD{
	gcmFrom(fastcrypto.NewCipher, fastcrypto.NewGCM),
	gcmFrom(aes.NewCipher, aead.NewGCM),
	gcmFrom(aead.NewCipher, func(b cipher.Block) (cipher.AEAD, error) { return aead.NewGCMWithTagSize(b, 16) }),
	gcmFrom(aes.NewCipher, func(b cipher.Block) (cipher.AEAD, error) { return fastcrypto.NewGCMWithTagSize(b, 16) }),
}

func gcmFrom(newBlock func([]byte) (cipher.Block, error), newGCM func(cipher.Block) (cipher.AEAD, error)) newAEAD {
	return func(key []byte) (cipher.AEAD, error) {
		block, err := newBlock(key)
		if err != nil {
			return nil, err
		}
		return newGCM(block)
	}
}

// runGCM opens the vector, and seals it if it is valid, in every way that the
// API has for its nonce, whole and in pieces. All ways must agree.
func runGCM(t *testing.T, v *aeadVector) error {
	t.Helper()
	var ways []newAEAD
	for _, way := range gcmWays {
		ways = append(ways, func(key []byte) (cipher.AEAD, error) { return way(key, len(v.IV)) })
	}
	if len(v.IV) == 12 {
		ways = append(ways, defaultGCMWays...)
	}
	outcome := runAEAD(t, v, ways...)

	if len(v.IV) == 12 {
		shortTags(t, v, outcome)
	}
	for _, newBlock := range []func([]byte) (cipher.Block, error){aead.NewCipher, aes.NewCipher} {
		for _, piece := range []int{1, 7, 16, 33, 1 << 20} {
			if err := runPieces(t, v, newBlock, piece); (err == nil) != (outcome == nil) {
				t.Errorf("%v: in pieces of %d bytes the outcome is %v, in one %v", v, piece, err, outcome)
			}
		}
	}
	return outcome
}

// shortTags opens and seals a valid vector with its tag cut to every size that
// GCM has: a shorter tag is the beginning of the longer one.
func shortTags(t *testing.T, v *aeadVector, outcome error) {
	t.Helper()
	if outcome != nil {
		return
	}
	for size := 12; size < 16; size++ {
		cut := *v
		cut.Tag = v.Tag[:size]
		if err := runAEAD(t, &cut, gcmFrom(aead.NewCipher, func(b cipher.Block) (cipher.AEAD, error) {
			return aead.NewGCMWithTagSize(b, size)
		}), gcmFrom(aes.NewCipher, func(b cipher.Block) (cipher.AEAD, error) {
			return fastcrypto.NewGCMWithTagSize(b, size)
		})); err != nil {
			t.Errorf("%v: with a tag of %d bytes: %v", v, size, err)
		}
	}
}

var errPlaintext = errors.New("another plaintext")

// runPieces gives the vector to a Sealer (if it is valid) and to an Opener in
// pieces of at most the given size.
func runPieces(t *testing.T, v *aeadVector, newBlock func([]byte) (cipher.Block, error), piece int) error {
	t.Helper()
	block, err := newBlock(v.Key)
	if err != nil {
		return err
	}
	if v.Result == valid {
		s, err := aead.NewSealer(block, v.IV, v.AAD)
		if err != nil {
			return err
		}
		var out []byte
		for m := v.Msg; len(m) > 0; m = m[min(piece, len(m)):] {
			out = s.Update(out, m[:min(piece, len(m))])
		}
		if out = s.Final(out); !bytes.Equal(out, join(v.CT, v.Tag)) {
			t.Errorf("%v: sealed in pieces of %d bytes: %x", v, piece, out)
		}
	}
	o, err := aead.NewOpener(block, v.IV, v.AAD)
	if err != nil {
		return err
	}
	for c := v.CT; len(c) > 0; c = c[min(piece, len(c)):] {
		o.Update(c[:min(piece, len(c))])
	}
	out, err := o.Final([]byte("before"), v.Tag)
	if err != nil {
		if out != nil {
			t.Errorf("%v: Final returns an error and %x", v, out)
		}
		return err
	}
	if !bytes.Equal(out, join([]byte("before"), v.Msg)) {
		return errPlaintext
	}
	return nil
}

// runAEAD opens the vector, and seals it if it is valid, with an AEAD of each
// way. All ways must agree; the outcome is that of the first.
func runAEAD(t *testing.T, v *aeadVector, ways ...newAEAD) error {
	t.Helper()
	var first error
	for i, way := range ways {
		err := openAEAD(way, v)
		if i == 0 {
			first = err
		} else if (err == nil) != (first == nil) {
			t.Errorf("%v: way %d gives %v, the first %v", v, i, err, first)
		}
		if v.Result == valid {
			seal(t, v, way)
		}
	}
	return first
}

// seal seals the vector, appending to nothing, to a prefix and over the
// plaintext, and compares.
func seal(t *testing.T, v *aeadVector, way newAEAD) {
	t.Helper()
	a, err := way(v.Key)
	if err != nil {
		t.Errorf("%v: %v", v, err)
		return
	}
	if a.NonceSize() != len(v.IV) || a.Overhead() != len(v.Tag) {
		t.Errorf("%v: nonces of %d and tags of %d bytes", v, a.NonceSize(), a.Overhead())
	}
	want := join(v.CT, v.Tag)
	if got := a.Seal(nil, v.IV, v.Msg, v.AAD); !bytes.Equal(got, want) {
		t.Errorf("%v: sealed %x, want %x", v, got, want)
	}
	if got := a.Seal([]byte("before"), v.IV, v.Msg, v.AAD); !bytes.Equal(got, join([]byte("before"), want)) {
		t.Errorf("%v: sealed behind a prefix: %x, want %x", v, got, want)
	}
	inPlace := append(make([]byte, 0, len(want)), v.Msg...)
	if got := a.Seal(inPlace[:0], v.IV, inPlace, v.AAD); !bytes.Equal(got, want) {
		t.Errorf("%v: sealed in place: %x, want %x", v, got, want)
	}
}

func openGCM(newGCM newGCM, v *aeadVector) error {
	return openAEAD(func(key []byte) (cipher.AEAD, error) { return newGCM(key, len(v.IV)) }, v)
}

// openAEAD opens the vector. It returns an error where construction or opening
// does, where Open panics because of the nonce's size, or where the plaintext is
// another one.
func openAEAD(newAEAD newAEAD, v *aeadVector) (err error) {
	a, err := newAEAD(v.Key)
	if err != nil {
		return err
	}
	if a.NonceSize() != len(v.IV) {
		defer func() {
			if r := recover(); r != nil {
				err = fmt.Errorf("panic: %v", r)
			}
		}()
	}
	sealed := join(v.CT, v.Tag)
	plain, err := a.Open(nil, v.IV, sealed, v.AAD)
	if err != nil {
		return err
	}
	if !bytes.Equal(plain, v.Msg) {
		return errPlaintext
	}
	// In place, and behind a prefix.
	plain, err = a.Open(sealed[:0], v.IV, sealed, v.AAD)
	if err != nil || !bytes.Equal(plain, v.Msg) {
		return fmt.Errorf("in place: %x, %v", plain, err)
	}
	plain, err = a.Open([]byte("before"), v.IV, join(v.CT, v.Tag), v.AAD)
	if err != nil || !bytes.Equal(plain, join([]byte("before"), v.Msg)) {
		return fmt.Errorf("behind a prefix: %x, %v", plain, err)
	}
	return nil
}

func join(a, b []byte) []byte { return append(append([]byte{}, a...), b...) }
