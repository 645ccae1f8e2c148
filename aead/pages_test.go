package aead

import (
	"crypto/cipher"
	"testing"
	"time"

	"github.com/fastcrypto-go/fastcrypto/internal/impl"
	"github.com/fastcrypto-go/fastcrypto/internal/testkit"
)

// TestPageEdges compares the time for text and additional data that touch an
// inaccessible page with the time for others: an access whose opmask hides bytes of such
// a page does not fault, but takes more than a thousand cycles.
func TestPageEdges(t *testing.T) {
	if testing.Short() || testkit.Race {
		t.Skip("measures time")
	}
	testkit.Tiers(t, impl.GCM, func(t *testing.T, tier impl.Tier) {
		g, gAD := testkit.NewGuarded(t, 4096*3), testkit.NewGuarded(t, 4096)
		key, nonce := make([]byte, 16), make([]byte, 12)
		a, _ := pair(t, key, 12)
		type operation = func(text, ad []byte)
		operations := map[string]operation{
			"AEAD": func(text, ad []byte) {
				n := max(len(text)-maxTagSize, 0)
				if n > 0 { // the text and the tag
					a.Seal(text[:0], nonce, text[:n], ad)
				}
				a.Open(text[:0], nonce, text, ad)
			},
		}
		if tier == impl.Generic {
			b, err := NewCipher(key)
			if err != nil {
				t.Fatal(err)
			}
			s := cipher.NewCTR(b, make([]byte, BlockSize))
			operations["CTR"] = func(text, _ []byte) { s.XORKeyStream(text, text) }
		} else {
			k := kernelKey(tier, key)
			var tag, y [16]byte
			operations["seal"] = func(text, ad []byte) { k.seal(text, text, &tag, nonce, ad) }
			operations["open"] = func(text, ad []byte) { k.open(text, text, &tag, nonce, ad) }
			operations["pieces"] = func(text, ad []byte) {
				var m message
				m.start(k, nonce, ad)
				m.seal(text, text)
				m.final(&tag)
				m = message{}
				m.start(k, nonce, ad)
				m.open(text, text)
				m.final(&tag)
			}
			operations["hash"] = func(text, _ []byte) { k.hash(&y, text) }
			operations["CTR"] = func(text, _ []byte) { k.keyStream(tier, text, text, 0, 0) }
		}
		const calls = 20
		took := func(f operation, text, ad []byte) time.Duration {
			start := time.Now()
			for range calls {
				f(text, ad)
			}
			return time.Since(start)
		}
		// A short call may take longer by some nanoseconds, which the other way costs.
		limit := func(inside time.Duration) time.Duration { return max(inside*7/5, inside+15*calls*time.Nanosecond) }
		for name, f := range operations {
			for _, n := range []int{0, 5, 16, 33, 64, 65, 100, 130, 192, 200, 256, 300, 384, 400, 500, 512, 513, 600, 1040, 1350, 5000} {
				for _, a := range []int{0, 1, 13, 60, 100, 300, 1000} {
					if a > 0 && (name == "hash" || name == "CTR") {
						continue
					}
					text, ad := g.Front(n, 1024), gAD.Front(a, 1024)
					for place, edge := range map[string][2][]byte{
						"front":         {g.Front(n, 0), gAD.Front(a, 0)},
						"back":          {g.Back(n, 0), gAD.Back(a, 0)},
						"near the back": {g.Back(n, 1), gAD.Back(a, 1)},
						"text back":     {g.Back(n, 0), ad},
						"data back":     {text, gAD.Back(a, 0)},
					} {
						var there, inside time.Duration
						for range 5 { // another process may have disturbed
							there, inside = time.Hour, time.Hour
							for range 20 {
								there, inside = min(there, took(f, edge[0], edge[1])), min(inside, took(f, text, ad))
							}
							if there <= limit(inside) {
								break
							}
						}
						if there > limit(inside) {
							t.Errorf("%s of %d bytes, %d of additional data, %s of a page: %.2f times the time in the middle, which is %v", name, n, a, place,
								float64(there)/float64(inside), inside/calls)
						}
					}
				}
			}
		}
	})
}
