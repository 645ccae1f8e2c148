package chacha20poly1305

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"math/big"
	"testing"

	xchacha "golang.org/x/crypto/chacha20poly1305"

	gcm "github.com/fastcrypto-go/fastcrypto/aead"
	"github.com/fastcrypto-go/fastcrypto/internal/impl"
	"github.com/fastcrypto-go/fastcrypto/internal/testkit"
)

// TestGuardPagesEveryLength has text that ends at an inaccessible page, and text that
// begins behind one, for every length of every path: the partial blocks of each place
// where a kernel adds the key stream. Between calls another algorithm uses the vector
// registers, so that a constant that a kernel forgets to load is not there by chance.
func TestGuardPagesEveryLength(t *testing.T) {
	const most = 8192
	step := 1
	if testing.Short() {
		step = 11
	}
	block, err := aes.NewCipher(make([]byte, 16))
	if err != nil {
		t.Fatal(err)
	}
	var other cipher.AEAD
	if other, err = gcm.NewGCM(block); err != nil {
		t.Fatal(err)
	}
	testkit.Tiers(t, impl.ChaCha, func(t *testing.T, tier impl.Tier) {
		if tier == impl.Generic {
			t.Skip("the library's own business")
		}
		r := testkit.Rand(t)
		gs, gd := testkit.NewGuarded(t, most), testkit.NewGuarded(t, most)
		key, nonce, text := [32]byte(testkit.Bytes(r, 32)), [12]byte(testkit.Bytes(r, 12)), testkit.Bytes(r, most)
		scratch := make([]byte, 1400)
		dirty := func() { other.Seal(scratch[:0], nonce[:], scratch[:1300], nil) }
		xcrypto, err := xchacha.New(key[:])
		if err != nil {
			t.Fatal(err)
		}
		var want []byte
		for n := 0; n <= 6300; n += step {
			ad := text[n/2 : n/2+n%37]
			want = xcrypto.Seal(want[:0], nonce[:], text[:n], ad)
			for _, place := range []func(g *testkit.Guarded, n, offset int) []byte{(*testkit.Guarded).Front, (*testkit.Guarded).Back} {
				src, dst := place(gs, n, 0), place(gd, n, 0)
				copy(src, text)
				var tag [16]byte
				dirty()
				seal(tier, dst, src, &tag, &key, &nonce, ad)
				if !bytes.Equal(dst, want[:n]) || !bytes.Equal(tag[:], want[n:]) {
					t.Fatalf("sealing %d bytes: wrong result", n)
				}
				clear(src)
				dirty()
				open(tier, src, dst, &tag, &key, &nonce, ad)
				if !bytes.Equal(src, text[:n]) || !bytes.Equal(tag[:], want[n:]) {
					t.Fatalf("opening %d bytes: wrong result", n)
				}
				open(tier, dst, dst, &tag, &key, &nonce, ad)
				if !bytes.Equal(dst, text[:n]) || !bytes.Equal(tag[:], want[n:]) {
					t.Fatalf("opening %d bytes in place: wrong result", n)
				}
			}
		}
	})
}

// TestFinalReduction chooses a block of ciphertext such that the accumulator is congruent
// to a number just beside 0 or a multiple of 2^128 when the lengths are absorbed: there
// the last carries and the conditional subtraction are at work, which random messages do
// not reach.
func TestFinalReduction(t *testing.T) {
	little := func(b []byte) *big.Int {
		c := make([]byte, len(b))
		for i := range b {
			c[len(b)-1-i] = b[i]
		}
		return new(big.Int).SetBytes(c)
	}
	one := big.NewInt(1)
	top := new(big.Int).Lsh(one, 128)
	prime := new(big.Int).Sub(new(big.Int).Lsh(one, 130), big.NewInt(5))
	clamp, _ := new(big.Int).SetString("0ffffffc0ffffffc0ffffffc0fffffff", 16)
	testkit.Tiers(t, impl.ChaCha, func(t *testing.T, tier impl.Tier) {
		if tier == impl.Generic {
			t.Skip("the library's own business")
		}
		rnd := testkit.Rand(t)
		for _, n := range []int{16, 48, 64, 80, 256, 272, 512, 1040, 2064, 5136} {
			for multiple := int64(0); multiple <= 4; multiple++ {
				for d := int64(-6); d <= 6; d++ {
					target := new(big.Int).Mul(top, big.NewInt(multiple))
					target.Add(target, big.NewInt(d)).Mod(target, prime)
					key, nonce := [32]byte(testkit.Bytes(rnd, 32)), [12]byte(testkit.Bytes(rnd, 12))
					oneTime := referenceBlock(key[:], 0, nonce[:], true)
					r, s := little(oneTime[:16]), little(oneTime[16:32])
					r.And(r, clamp)
					inverse := new(big.Int).ModInverse(r, prime)
					lengths := new(big.Int).Lsh(big.NewInt(int64(n)), 64)
					lengths.Add(lengths, top)
					ciphertext := make([]byte, n)
					found := false
					for tries := 0; tries < 60 && !found; tries++ {
						rnd.Read(ciphertext)
						acc := new(big.Int)
						for i := 0; i < n-16; i += 16 {
							acc.Add(acc, little(ciphertext[i:i+16])).Add(acc, top)
							acc.Mul(acc, r).Mod(acc, prime)
						}
						// ((acc + last + 2^128) r + lengths) r = target
						last := new(big.Int).Mul(target, inverse)
						last.Sub(last, lengths).Mul(last, inverse)
						last.Sub(last, top).Sub(last, acc).Mod(last, prime)
						if last.BitLen() > 128 {
							continue // one try in four succeeds, with one block the only one may not
						}
						be := last.FillBytes(make([]byte, 16))
						for i := range 16 {
							ciphertext[n-1-i] = be[i]
						}
						found = true
					}
					if !found {
						if n > 16 {
							t.Fatalf("no last block found for %d bytes", n)
						}
						continue
					}
					sum := new(big.Int).Add(target, s)
					want := sum.Mod(sum, top).FillBytes(make([]byte, 16))
					for i := range 8 {
						want[i], want[15-i] = want[15-i], want[i]
					}
					var tag [16]byte
					out := make([]byte, n)
					open(tier, out, ciphertext, &tag, &key, &nonce, nil)
					if !bytes.Equal(tag[:], want) {
						t.Fatalf("opening %d bytes, accumulator %d 2^128 + %d: tag %x, want %x", n, multiple, d, tag, want)
					}
					seal(tier, out, out, &tag, &key, &nonce, nil)
					if !bytes.Equal(tag[:], want) || !bytes.Equal(out, ciphertext) {
						t.Fatalf("sealing %d bytes, accumulator %d 2^128 + %d: tag %x, want %x", n, multiple, d, tag, want)
					}
				}
			}
		}
	})
}
