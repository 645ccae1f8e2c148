package chacha20poly1305

import (
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
	testkit.Tiers(t, impl.ChaCha, func(t *testing.T, tier impl.Tier) {
		if tier == impl.Generic {
			t.Skip("the library's own business")
		}
		guarded, guardedAD := testkit.NewGuarded(t, 4096*3), testkit.NewGuarded(t, 4096)
		var key [32]byte
		var nonce [12]byte
		var tag [16]byte
		took := func(text, ad []byte) time.Duration {
			const calls = 20
			start := time.Now()
			for range calls {
				seal(tier, text, text, &tag, &key, &nonce, ad)
				open(tier, text, text, &tag, &key, &nonce, ad)
			}
			return time.Since(start) / calls
		}
		for _, n := range []int{0, 5, 16, 33, 64, 65, 100, 128, 130, 192, 200, 256, 300, 384, 400, 512, 513, 600, 1040, 1100, 1350, 1500, 2100, 5000} {
			for _, a := range []int{0, 13, 300} {
				middle, middleAD := guarded.Front(n, 1024), guardedAD.Front(a, 1024)
				for name, text := range map[string][]byte{"front": guarded.Front(n, 0), "back": guarded.Back(n, 0), "both": nil} {
					ad := middleAD
					switch name {
					case "front":
						ad = guardedAD.Front(a, 0)
					case "back":
						ad = guardedAD.Back(a, 0)
					case "both":
						text, ad = guarded.Back(n, 1), guardedAD.Back(a, 1)
					}
					ratio := 0.0
					for range 5 { // another process may have disturbed
						edge, inside := time.Hour, time.Hour
						for range 20 {
							edge, inside = min(edge, took(text, ad)), min(inside, took(middle, middleAD))
						}
						if ratio = float64(edge) / float64(inside); ratio < 1.4 {
							break
						}
					}
					if ratio >= 1.4 {
						t.Errorf("%d bytes, %d of additional data, %s of a page: %.2f times the time in the middle", n, a, name, ratio)
					}
				}
			}
		}
	})
}
