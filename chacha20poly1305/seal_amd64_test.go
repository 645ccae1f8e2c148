//go:build !purego

package chacha20poly1305

import (
	"bytes"
	"testing"

	"github.com/fastcrypto-go/fastcrypto/internal/impl"
	"github.com/fastcrypto-go/fastcrypto/internal/testkit"
)

// TestCounter starts the kernels at block numbers whose 32 bits run over within
// the message: no carry may reach the nonce.
func TestCounter(t *testing.T) {
	step := 1
	if testing.Short() {
		step = 7
	}
	testkit.Tiers(t, impl.ChaCha, func(t *testing.T, tier impl.Tier) {
		if tier == impl.Generic {
			t.Skip("has no such parameter")
		}
		r := testkit.Rand(t)
		key, nonce := [32]byte(testkit.Bytes(r, 32)), [12]byte(testkit.Bytes(r, 12))
		for _, fill := range []byte{0, 0xff} {
			nonce[0], nonce[1], nonce[2], nonce[3] = fill, fill, fill, fill
			for _, n := range []int{1, 64, 65, 128, 250, 256, 300, 320, 512, 520, 576, 577, 600, 1024, 1100, 1536, 2500, 4096} {
				text := testkit.Bytes(r, n)
				for back := uint32(0); back <= uint32(n/64)+1; back += uint32(step) {
					want := referenceSeal(0, -back, key[:], nonce[:], text, nil)
					got := make([]byte, n+16)
					sealFrom(tier, -back, got[:n], text, (*[16]byte)(got[n:]), &key, &nonce, nil)
					if !bytes.Equal(got, want) {
						t.Fatalf("sealing %d bytes from block %#x on: wrong result", n, -back)
					}
					var tag [16]byte
					openFrom(tier, -back, got[:n], got[:n], &tag, &key, &nonce, nil)
					if !bytes.Equal(got[:n], text) || !bytes.Equal(tag[:], want[n:]) {
						t.Fatalf("opening %d bytes from block %#x on: wrong result", n, -back)
					}
				}
			}
		}
	})
}
