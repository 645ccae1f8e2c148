//go:build amd64 && !purego

package p256

import (
	"math/big"
	"testing"
	"unsafe"

	"github.com/fastcrypto-go/fastcrypto/internal/impl"
	"github.com/fastcrypto-go/fastcrypto/internal/testkit"
)

// TestMultLanes compares the sum in lanes with the reference; it must only give
// way where something is exceptional.
func TestMultLanes(t *testing.T) { onLanes(t, testMultLanes) }

func testMultLanes(t *testing.T) {
	rnd := testkit.Rand(t)
	n := curve.N
	half := new(big.Int).Rsh(n, 1)
	edges := []*big.Int{big.NewInt(1), big.NewInt(2), big.NewInt(31), big.NewInt(32), half, new(big.Int).Lsh(big.NewInt(1), 254)}
	for range rounds(1, 4, 100) {
		d := randomBelow(rnd, n)
		ref := refMult(d, refG)
		table := newTable(impl.IFMA512, &PublicKey{q: *affineOf(ref)})
		for i := range rounds(20, 60, 1000) {
			u := [2]*big.Int{randomBelow(rnd, half), randomBelow(rnd, half)}
			if i < len(edges)*len(edges) {
				u = [2]*big.Int{edges[i%len(edges)], edges[i/len(edges)]}
			}
			f := factorsVarTime{u1: toLimbs(u[0]), u2: toLimbs(u[1]), neg1: i&1 == 1, neg2: i&2 == 2}
			for j, negative := range []bool{f.neg1, f.neg2} {
				if negative {
					u[j] = new(big.Int).Sub(n, u[j])
				}
			}
			want := refAdd(refMult(u[0], refG), refMult(u[1], ref))
			var p jacobian
			if !table.multLanesVarTime(&p, &f) {
				t.Fatalf("d = %x, u1 = %x, u2 = %x: gave way", d, u[0], u[1])
			}
			if !p.equals(want) {
				t.Fatalf("d = %x, u1 = %x, u2 = %x: wrong sum", d, u[0], u[1])
			}
			if table.multVarTime(&p, &f); !p.equals(want) {
				t.Fatalf("d = %x, u1 = %x, u2 = %x: wrong sum without lanes", d, u[0], u[1])
			}
		}
	}
	table := newTable(impl.IFMA512, &generator)
	var f factorsVarTime
	var p jacobian
	f.u2 = scalarOne
	if table.multLanesVarTime(&p, &f) {
		t.Fatal("did not give way for u1 = 0")
	}
}

// TestLaneSum puts equal and opposite points at every step of every lane, and the
// points at the very ends of their memory.
func TestLaneSum(t *testing.T) { onLanes(t, testLaneSum) }

func testLaneSum(t *testing.T) {
	guarded := testkit.NewGuarded(t, int(unsafe.Sizeof(affine{}))*2)
	at := func(b []byte, r affine) *affine {
		p := (*affine)(unsafe.Pointer(&b[0]))
		*p = r
		return p
	}
	size := int(unsafe.Sizeof(affine{}))
	front, back := at(guarded.Front(size, 0), comb[3][1]), at(guarded.Back(size, 0), comb[3][1])
	sum := func() *laneSum {
		s := new(laneSum)
		for i := range uint(tableSteps * Lanes) {
			s.set(i, &comb[i%combWindows][i%31], uint64(i)&1)
		}
		return s
	}
	var p jacobian
	if sum().sumVarTime(&p); p.z == (fe{}) {
		t.Fatal("gave way for distinct points")
	}
	for i := uint(Lanes); i < tableTerms; i++ {
		for negate := range uint64(2) {
			s := new(laneSum)
			// Lane by lane P, 2P … in order, of which step i/8 doubles the sum or
			// makes it vanish.
			for j := range uint(tableSteps * Lanes) {
				s.set(j, &comb[j/Lanes][j%Lanes], 0)
			}
			var partial jacobian
			for j := i % Lanes; j < i; j += Lanes {
				partial.addAffineVarTime(s.entries[j/Lanes][j%Lanes], false)
			}
			var r affine
			partial.toAffine(&r)
			s.entries[i/Lanes][i%Lanes] = &r
			s.negate[i/Lanes] |= uint8(negate << (i % Lanes))
			if s.sumVarTime(&p); p.z != (fe{}) {
				t.Fatalf("point %d, negate %d: not noticed", i, negate)
			}
		}
	}
	for _, r := range []*affine{front, back} {
		s, plain := sum(), sum()
		for _, i := range []uint{0, 7, 50, tableSteps*Lanes - 1} {
			s.entries[i/Lanes][i%Lanes] = r
			plain.entries[i/Lanes][i%Lanes] = &comb[3][1]
		}
		var want jacobian
		s.sumVarTime(&p)
		plain.sumVarTime(&want)
		if p != want {
			t.Fatal("the place of a point in memory matters")
		}
	}
}
