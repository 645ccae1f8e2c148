package p256

import (
	"testing"

	"github.com/fastcrypto-go/fastcrypto/internal/testkit"
)

// TestLaneCombSteps compares the tables with a window for each lane to those with
// one window for all, and the two kernels that read them.
func TestLaneCombSteps(t *testing.T) {
	onLanes(t, func(t *testing.T) {
		d, one := theLaneComb(), theLaneData()
		for i := range d.steps {
			for digit := range uint64(combEntries + 1) {
				var p, q lanePoint
				var digits, signs [Lanes]uint64
				for l := range digits {
					digits[l], signs[l] = (digit+uint64(l))%(combEntries+1), uint64(l)&1
				}
				laneAddLaneComb(&p, &d.steps[i], &digits, &signs)
				for l := range digits {
					w := i*Lanes + l
					if w >= combWindows {
						continue
					}
					q = lanePoint{}
					laneAddComb(&q, &one.comb[w], &digits, &signs)
					for m := range p.x {
						if p.x[m][l] != q.x[m][l] || p.y[m][l] != q.y[m][l] || p.z[m][l] != q.z[m][l] {
							t.Fatalf("step %d, digit %d: lane %d differs", i, digits[l], l)
						}
					}
				}
			}
		}
	})
}

// TestBaseMultLanes compares both ways to multiply G.
func TestBaseMultLanes(t *testing.T) {
	onLanes(t, func(t *testing.T) {
		for _, v := range scalarCases(t) {
			k := scalar(toLimbs(v))
			var p, q jacobian
			var a, b affine
			baseMultLanes(&p, &k)
			baseMultScalar(&q, &k)
			p.toAffine(&a)
			q.toAffine(&b)
			if a != b {
				t.Fatalf("%x·G differs", v)
			}
		}
	})
}

func TestBaseMultLanesAllocates(t *testing.T) {
	if testkit.Race {
		t.Skip("the race detector allocates")
	}
	onLanes(t, func(t *testing.T) {
		k := scalar{5, 6, 7, 8}
		var p jacobian
		if n := testing.AllocsPerRun(100, func() { baseMultLanes(&p, &k) }); n != 0 {
			t.Errorf("%v allocations", n)
		}
	})
}
