package testkit

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/fastcrypto-go/fastcrypto/internal/impl"
)

// RequireVariable names the environment variable with the tiers, separated by
// commas, that must run: where one of them cannot, the test fails instead of
// being skipped.
const RequireVariable = "FASTCRYPTO_TEST_REQUIRE"

// Required reports whether the environment demands that tier t runs.
func Required(t impl.Tier) bool {
	return slices.Contains(strings.Split(os.Getenv(RequireVariable), ","), t.String())
}

// Tiers runs f as a subtest for each tier of p, the generic one included, with
// that tier forced. A tier that cannot run here is skipped, or fails if Required. One
// that can, and whose known-answer test fails, fails.
// The subtests must not be parallel: the override is global.
func Tiers(t *testing.T, p *impl.Primitive, f func(t *testing.T, tier impl.Tier)) {
	for _, tier := range append(p.Tiers(), impl.Generic) {
		t.Run(tier.String(), func(t *testing.T) {
			restore, err := p.Force(tier)
			if err != nil {
				if Required(tier) || slices.Contains(p.Supported(), tier) {
					t.Fatal(err)
				}
				t.Skip(err)
			}
			defer restore()
			f(t, tier)
		})
	}
}

// BenchTiers runs f as a sub-benchmark "impl=TIER" for each kernel tier of p
// that can run here, with that tier forced.
func BenchTiers(b *testing.B, p *impl.Primitive, f func(b *testing.B)) {
	for _, tier := range p.Supported() {
		if tier == impl.Generic {
			continue
		}
		b.Run("impl="+tier.String(), func(b *testing.B) {
			restore, err := p.Force(tier)
			if err != nil {
				b.Fatal(err)
			}
			defer restore()
			f(b)
		})
	}
}
