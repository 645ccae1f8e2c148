package p256

import (
	"math/big"
	"testing"

	"github.com/fastcrypto-go/fastcrypto/internal/testkit"
)

func TestPointAddCoZ(t *testing.T) {
	onKernels(t, func(t *testing.T) {
		rnd := testkit.Rand(t)
		p := curve.P
		edges := []*big.Int{big.NewInt(1), big.NewInt(2), new(big.Int).Sub(p, big.NewInt(1)), new(big.Int).Rsh(p, 1)}
		for i := range rounds(20, 80, 10_000) {
			z := randomBelow(rnd, p)
			if i < len(edges) {
				z = edges[i]
			}
			a, b := refMult(randomBelow(rnd, curve.N), refG), refMult(randomBelow(rnd, curve.N), refG)
			switch i % 10 {
			case 8:
				a = b
			case 9:
				a = b.negative()
			}
			y, x := *jacobianOf(b, z), *jacobianOf(a, z)
			in := affine{x.x, x.y}
			before := y.z
			var sum affine
			var h, want fe
			pointAddCoZ(&sum, &in, &y, &h)
			if feMul(&want, &before, &h); y.z != want {
				t.Fatal("z is not h times the z before")
			}
			if i%10 >= 8 {
				if h != (fe{}) {
					t.Fatal("h is not 0 for x = ±y")
				}
				continue
			}
			if !(&jacobian{sum.x, sum.y, y.z}).equals(refAdd(a, b)) {
				t.Fatalf("wrong sum for z = %x", z)
			}
			if !y.equals(b) {
				t.Fatalf("y is another point for z = %x", z)
			}
			again := *jacobianOf(b, z)
			if pointAddCoZ(&in, &in, &again, &h); in != sum || again != y {
				t.Fatal("wrong sum in place")
			}
		}
	})
}
