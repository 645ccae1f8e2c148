package poly1305

import (
	"testing"
	"time"

	"github.com/fastcrypto-go/fastcrypto/internal/impl"
	"github.com/fastcrypto-go/fastcrypto/internal/testkit"
)

// TestPageEdges compares the time for messages that touch an inaccessible page with
// the time for others: a load whose opmask hides bytes of such a page does not fault, but
// takes more than a thousand cycles.
func TestPageEdges(t *testing.T) {
	if testing.Short() || testkit.Race {
		t.Skip("measures time")
	}
	testkit.Tiers(t, impl.Poly1305, func(t *testing.T, tier impl.Tier) {
		if tier == impl.Generic {
			t.Skip("the library's own business")
		}
		g := testkit.NewGuarded(t, 3*4096)
		var key [32]byte
		var tag [16]byte
		took := func(m []byte) time.Duration {
			const calls = 30
			start := time.Now()
			for range calls {
				Sum(&tag, m, &key)
			}
			return time.Since(start) / calls
		}
		for _, n := range []int{0, 5, 16, 33, 64, 100, 256, 272, 300, 320, 400, 511, 512, 700, 1024, 1100, 2000, 5000} {
			for name, m := range map[string][]byte{"front": g.Front(n, 0), "back": g.Back(n, 0), "near the back": g.Back(n, 1)} {
				ratio := 0.0
				for range 5 { // another process may have disturbed
					edge, inside := time.Hour, time.Hour
					for range 20 {
						edge, inside = min(edge, took(m)), min(inside, took(g.Front(n, 1024)))
					}
					if ratio = float64(edge) / float64(inside); ratio < 1.4 {
						break
					}
				}
				if ratio >= 1.4 {
					t.Errorf("%d bytes, %s of a page: %.2f times the time in the middle", n, name, ratio)
				}
			}
		}
	})
}
