//go:build !purego

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

// TestExpandKey compares the round keys with the standard library's, and looks for
// writes behind them.
func TestExpandKey(t *testing.T) {
	if !impl.Processor().Enabled.Has(impl.AES) {
		t.Skip("no AES instructions")
	}
	r := testkit.Rand(t)
	mem := testkit.NewGuarded(t, 1)
	for range 200 {
		for _, size := range []int{16, 24, 32} {
			for _, put := range places(0) {
				key := put(mem, size)
				r.Read(key)
				b, err := aes.NewCipher(key)
				if err != nil {
					t.Fatal(err)
				}
				want, rounds, ok := stdSchedule(b)
				if !ok {
					t.Skip("the standard library's round keys cannot be read")
				}
				var got [maxRoundKeys]byte
				expandKey(&got, key)
				if n := (rounds + 1) * BlockSize; !bytes.Equal(got[:n], want[:n]) {
					t.Fatalf("round keys of %x: %x, want %x", key, got[:n], want[:n])
				} else if !bytes.Equal(got[n:], make([]byte, maxRoundKeys-n)) {
					t.Fatalf("expansion of %d bytes wrote behind the round keys", size)
				}
			}
		}
	}
}

// sizes calls f with the lengths 1 to dense, and then to most in steps of 97.
func sizes(dense, most int, f func(n int)) {
	for n := 1; n < most; n++ {
		if n > dense {
			n += 96
		}
		f(min(n, most))
	}
}

// TestBlocks compares sealBlocks, openBlocks and hash, from any state and counter, with
// the textbook; every pointer lies beside an inaccessible page.
func TestBlocks(t *testing.T) {
	const most = 2100
	eachKernel(t, func(t *testing.T, r *rand.ChaCha8, key []byte, k *gcmKey) {
		book := newTextbookGCM(key)
		var mem [4]*testkit.Guarded
		for i := range mem {
			mem[i] = testkit.NewGuarded(t, most)
		}
		plaintext := testkit.Bytes(r, most)
		sizes(400, most, func(n int) {
			var ctr, state [16]byte
			r.Read(ctr[:])
			r.Read(state[:])
			if n%2 == 0 { // wrap within the message
				binary.BigEndian.PutUint32(ctr[12:], -uint32(r.Uint64()%uint64(n/16+2)))
			}
			j0 := ctr
			binary.BigEndian.PutUint32(j0[12:], binary.BigEndian.Uint32(ctr[12:])-1)
			want, _ := book.seal(j0, plaintext[:n], nil)
			wantState := state
			book.ghash(&wantState, want)
			for _, put := range places(n % 64 & (n >> 6 % 2 * 63)) {
				src, dst := put(mem[0], n), put(mem[1], n)
				c, y := (*[16]byte)(put(mem[2], 16)), (*[16]byte)(put(mem[3], 16))
				check := func(what string, got, want []byte) {
					if !bytes.Equal(got, want) || *y != wantState || *c != ctr {
						t.Fatalf("%s of %d bytes from counter block %x: text right: %v, state right: %v", what, n, ctr, bytes.Equal(got, want), *y == wantState)
					}
				}
				copy(src, plaintext)
				*c, *y = ctr, state
				k.sealBlocks(dst, src, c, y)
				check("seal", dst, want)
				*y = state
				k.sealBlocks(src, src, c, y)
				check("seal in place", src, want)
				*y = state
				k.openBlocks(dst, src, c, y)
				check("open", dst, plaintext[:n])
				*y = state
				k.hash(y, src)
				check("hash", src, want)
				*y = state
				k.openBlocks(src, src, c, y)
				check("open in place", src, plaintext[:n])
			}
		})
	})
}

// TestStream compares the key stream with the standard library's; the counter's last
// byte takes all values, and its low half reaches the end without wrapping.
func TestStream(t *testing.T) {
	const most = 2100
	eachKernel(t, func(t *testing.T, r *rand.ChaCha8, key []byte, k *gcmKey) {
		b, err := aes.NewCipher(key)
		if err != nil {
			t.Fatal(err)
		}
		in, out := testkit.NewGuarded(t, most), testkit.NewGuarded(t, most)
		plaintext := testkit.Bytes(r, most)
		sizes(520, most, func(n int) {
			hi, lo := r.Uint64(), r.Uint64()
			switch blocks := uint64(n+15) / 16; n % 4 {
			case 0:
				lo = -blocks
			case 1:
				lo = lo<<32 - r.Uint64()%(blocks+1) // carries through four bytes
			default:
				lo = lo&^255 | uint64(n%256)
			}
			var iv [16]byte
			binary.BigEndian.PutUint64(iv[:], hi)
			binary.BigEndian.PutUint64(iv[8:], lo)
			want := make([]byte, n)
			cipher.NewCTR(b, iv[:]).XORKeyStream(want, plaintext[:n])
			for _, put := range places(n % 64 & (n >> 6 % 2 * 63)) {
				src, dst := put(in, n), put(out, n)
				copy(src, plaintext)
				k.keyStream(k.tier, dst, src, hi, lo)
				if !bytes.Equal(dst, want) {
					t.Fatalf("%d bytes from counter block %x are wrong", n, iv)
				}
				k.keyStream(k.tier, dst, dst, hi, lo)
				if !bytes.Equal(dst, plaintext[:n]) {
					t.Fatalf("%d bytes in place from counter block %x are wrong", n, iv)
				}
			}
		})
	})
}
