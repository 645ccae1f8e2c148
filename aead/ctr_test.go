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

// eachCTR runs f for every tier of CTR and key size.
func eachCTR(t *testing.T, f func(t *testing.T, r *rand.ChaCha8, ours, std cipher.Block)) {
	testkit.Tiers(t, impl.CTR, func(t *testing.T, tier impl.Tier) {
		for _, size := range []int{16, 24, 32} {
			r := testkit.Rand(t)
			key := testkit.Bytes(r, size)
			f(t, r, must(NewCipher(key)), must(aes.NewCipher(key)))
		}
	})
}

func TestCTRLengths(t *testing.T) {
	eachCTR(t, func(t *testing.T, r *rand.ChaCha8, ours, std cipher.Block) {
		src := testkit.Bytes(r, 2200)
		got, want := make([]byte, len(src)), make([]byte, len(src))
		for n := 0; n <= len(src); n += step(7) {
			iv := testkit.Bytes(r, 16)
			cipher.NewCTR(ours, iv).XORKeyStream(got[:n], src[:n])
			cipher.NewCTR(std, iv).XORKeyStream(want[:n], src[:n])
			if !bytes.Equal(got[:n], want[:n]) {
				t.Fatalf("%d bytes: wrong", n)
			}
		}
	})
}

// TestCTRWrap lets the counter wrap at 32, 64 and 128 bits, at every place of the loops.
func TestCTRWrap(t *testing.T) {
	eachCTR(t, func(t *testing.T, r *rand.ChaCha8, ours, std cipher.Block) {
		src := testkit.Bytes(r, 2100)
		got, want := make([]byte, len(src)), make([]byte, len(src))
		for _, ones := range []int{4, 8, 16} {
			for before := uint64(0); before < 135; before += uint64(step(5)) {
				iv := testkit.Bytes(r, 16)
				for i := range ones {
					iv[15-i] = 0xff
				}
				binary.BigEndian.PutUint64(iv[8:], binary.BigEndian.Uint64(iv[8:])-before)
				n := len(src) - int(before%17)
				a, b := cipher.NewCTR(ours, iv), cipher.NewCTR(std, iv)
				a.XORKeyStream(got[:n], src[:n])
				b.XORKeyStream(want[:n], src[:n])
				a.XORKeyStream(got[n:], src[n:])
				b.XORKeyStream(want[n:], src[n:])
				if !bytes.Equal(got, want) {
					t.Fatalf("wrong where %d bytes wrap after %d blocks", ones, before)
				}
			}
		}
	})
}

func TestCTRPieces(t *testing.T) {
	eachCTR(t, func(t *testing.T, source *rand.ChaCha8, ours, std cipher.Block) {
		r := rand.New(source)
		src := testkit.Bytes(source, 20000)
		want := make([]byte, len(src))
		for range 20 {
			iv := testkit.Bytes(source, 16)
			cipher.NewCTR(std, iv).XORKeyStream(want, src)
			got := bytes.Clone(src)
			s := cipher.NewCTR(ours, iv)
			for _, p := range piecesOf(r, got) {
				s.XORKeyStream(p, p)
			}
			if !bytes.Equal(got, want) {
				t.Fatal("pieces give another stream than the whole")
			}
		}
	})
}

func TestCTRGuardPages(t *testing.T) {
	eachCTR(t, func(t *testing.T, r *rand.ChaCha8, ours, std cipher.Block) {
		const most = 700
		a, b := testkit.NewGuarded(t, most), testkit.NewGuarded(t, most)
		iv, want := testkit.Bytes(r, 16), make([]byte, most)
		for n := 0; n <= most; n += step(7) {
			for _, put := range places(n % 64 * (n & 1)) {
				src, dst := put(a, n), put(b, n)
				r.Read(src)
				cipher.NewCTR(ours, iv).XORKeyStream(dst, src)
				cipher.NewCTR(std, iv).XORKeyStream(want, src)
				if !bytes.Equal(dst, want[:n]) {
					t.Fatalf("%d bytes: wrong", n)
				}
			}
		}
	})
}

func TestCTRMisuse(t *testing.T) {
	eachCTR(t, func(t *testing.T, r *rand.ChaCha8, ours, std cipher.Block) {
		buf := make([]byte, 64)
		for name, f := range map[string]func(b cipher.Block){
			"short iv":   func(b cipher.Block) { cipher.NewCTR(b, buf[:15]) },
			"long iv":    func(b cipher.Block) { cipher.NewCTR(b, buf[:17]) },
			"short dst":  func(b cipher.Block) { cipher.NewCTR(b, buf[:16]).XORKeyStream(buf[:3], make([]byte, 4)) },
			"overlap":    func(b cipher.Block) { cipher.NewCTR(b, buf[:16]).XORKeyStream(buf[1:], buf[:40]) },
			"in place":   func(b cipher.Block) { cipher.NewCTR(b, buf[:16]).XORKeyStream(buf, buf) },
			"no overlap": func(b cipher.Block) { cipher.NewCTR(b, buf[:16]).XORKeyStream(buf[16:], buf[:16]) },
		} {
			run := func(b cipher.Block) string {
				return outcome(func() ([]byte, error) { f(b); return nil, nil })
			}
			if got, want := run(ours), run(std); got != want {
				t.Errorf("%s: %s, want %s", name, got, want)
			}
		}
	})
}
