package p256

import (
	"testing"

	"github.com/fastcrypto-go/fastcrypto/internal/testkit"
)

// TestInconsistent changes every bit of what the check of a signature looks at.
func TestInconsistent(t *testing.T) {
	onKernels(t, func(t *testing.T) {
		var p jacobian
		var k scalar
		var x fe
		fromBytes((*[4]uint64)(&k), &knownK)
		baseMult(Tier(), &p, &k)
		p.affineX(&x)
		r, s, d, kk, e := knownR, knownS, knownD, knownK, knownE
		check := func() uint64 { return inconsistent(&p, &x, &r, &s, &d, &kk, &e) }
		if check() != 0 {
			t.Fatal("a right signature is inconsistent")
		}
		for i, v := range []*[4]uint64{(*[4]uint64)(&p.x), (*[4]uint64)(&p.y), (*[4]uint64)(&p.z), (*[4]uint64)(&x)} {
			for bit := range 256 {
				v[bit/64] ^= 1 << (bit % 64)
				if check() == 0 {
					t.Errorf("bit %d of number %d does not count", bit, i)
				}
				v[bit/64] ^= 1 << (bit % 64)
			}
		}
		for i, b := range []*[32]byte{&r, &s, &d, &kk, &e} {
			for bit := range 256 {
				b[bit/8] ^= 1 << (bit % 8)
				if check() == 0 {
					t.Errorf("bit %d of argument %d does not count", bit, i)
				}
				b[bit/8] ^= 1 << (bit % 8)
			}
		}
		// The y of the other solution is consistent with everything that is signed.
		feNegate(&p.y, &p.y)
		if check() != 0 {
			t.Error("−k·G is inconsistent")
		}
		p = jacobian{}
		if check() == 0 {
			t.Error("infinity is consistent")
		}
	})
}

// TestInconsistentLanes does so in one lane of eight, the others staying consistent.
func TestInconsistentLanes(t *testing.T) {
	onLanes(t, func(t *testing.T) {
		rnd := testkit.Rand(t)
		d, w := begin()
		defer w.release()
		jobs := make([]SignJob, Lanes)
		var k [Lanes]scalar
		var win [Lanes]window
		for l := range jobs {
			j := &jobs[l]
			j.D, j.K, j.E = [32]byte(testkit.Bytes(rnd, 32)), [32]byte(testkit.Bytes(rnd, 32)), [32]byte(testkit.Bytes(rnd, 32))
			j.D[0], j.K[0] = 0, 0
			fromBytes((*[4]uint64)(&k[l]), &j.K)
			win[l].negated = win[l].c.oddOrNegated(&k[l])
			if j.OK = Sign(&j.R, &j.S, &j.D, &j.K, &j.E); !j.OK {
				t.Fatal("no signature")
			}
			var p jacobian
			baseMult(Tier(), &p, &k[l])
			p.affineX((*fe)(&w.x[l]))
		}
		w.baseMult(d, &w.points[0], &win)
		check := func(lane int) {
			t.Helper()
			for l, bad := range w.inconsistent(d, 0, jobs) {
				if (bad != 0) != (l == lane) {
					t.Fatalf("lane %d changed, verdict on lane %d: %d", lane, l, bad)
				}
			}
		}
		check(-1)
		for i, c := range []*lanes{&w.points[0].x, &w.points[0].y, &w.points[0].z} {
			for limb := range 5 {
				for bit := range 48 {
					l := (i + limb + bit) % Lanes
					c[limb][l] ^= 1 << bit
					check(l)
					c[limb][l] ^= 1 << bit
				}
			}
		}
		for bit := range 256 {
			l := bit % Lanes
			w.x[l][bit/64] ^= 1 << (bit % 64)
			check(l)
			w.x[l][bit/64] ^= 1 << (bit % 64)
			j := &jobs[l]
			for _, b := range []*[32]byte{&j.R, &j.S, &j.D, &j.K, &j.E} {
				b[bit/8] ^= 1 << (bit % 8)
				check(l)
				b[bit/8] ^= 1 << (bit % 8)
			}
		}
	})
}
