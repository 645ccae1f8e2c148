package p256

import "github.com/fastcrypto-go/fastcrypto/internal/impl"

// A table's windows are those of multWidth. Its odd multiples serve digits of one
// bit more in non-adjacent form.
const (
	tableSpacing = multWidth
	tableWidth   = multWidth + 1
	tableWindows = multWindows
	tableEntries = multEntries
)

// A Table holds multiples of one public key, which make verification several
// times faster: odd ones up to 31 at every fifth power of two, 52 KiB. All methods
// may be called concurrently.
type Table struct {
	tier      impl.Tier
	multiples [tableWindows][tableEntries]affine
}

// NewTable returns the table of q.
func NewTable(q *PublicKey) *Table { return newTable(Tier(), q) }

func newTable(tier impl.Tier, q *PublicKey) *Table {
	t := &Table{tier: tier}
	var p [tableWindows]jacobian
	var bases [tableWindows]affine
	p[0].setAffine(&q.q)
	for i := 1; i < len(p); i++ {
		pointDouble(&p[i], &p[i-1], tableSpacing)
	}
	normalizeVarTime(bases[:], p[:])
	// Windows in groups share an inversion.
	const group = tableWindows / 4
	var odd [group]oddMultiples
	var products [group]fe
	for g := 0; g < tableWindows; g += group {
		windows := t.multiples[g : g+group]
		for i := range odd {
			odd[i].begin(windows[i][:], &bases[g+i])
			products[i] = odd[i].z
			if i > 0 {
				feMul(&products[i], &products[i], &products[i-1])
			}
		}
		var inverse fe
		feInverse(&inverse, &products[group-1])
		for i := group - 1; i >= 0; i-- {
			z := odd[i].z
			odd[i].z = inverse
			if i > 0 {
				feMul(&odd[i].z, &inverse, &products[i-1])
				feMul(&inverse, &inverse, &z)
			}
			odd[i].end(windows[i][:])
		}
	}
	return t
}

// VerifyVarTime reports what the key's own VerifyVarTime reports.
func (t *Table) VerifyVarTime(e, r, s *[32]byte) bool {
	var f factorsVarTime
	if !f.set(e, r, s) {
		return false
	}
	var p jacobian
	if t.tier != impl.IFMA512 || !t.multLanesVarTime(&p, &f) {
		t.multVarTime(&p, &f)
	}
	return f.matchesVarTime(&p)
}

// multVarTime sets p = u1·G + u2·q.
func (t *Table) multVarTime(p *jacobian, f *factorsVarTime) {
	var d1, d2 [256]int8
	wnafVarTime(&d1, &f.u1, baseWidth)
	wnafVarTime(&d2, &f.u2, tableWidth)

	// The digit at position i is due when i modulo the table's spacing doublings
	// are left to do: Σ 2^j·Σ d[i·spacing+j]·2^(i·spacing).
	*p = jacobian{}
	for j := max(tableSpacing, combWidth) - 1; j >= 0; j-- {
		if p.z != (fe{}) {
			pointDouble(p, p, 1)
		}
		if j < tableSpacing {
			for i := j; i < len(d2); i += tableSpacing {
				p.addDigitVarTime(t.multiples[i/tableSpacing][:], d2[i], f.neg2)
			}
		}
		if j < combWidth {
			for i := j; i < len(d1); i += combWidth {
				p.addDigitVarTime(comb[i/combWidth][:], d1[i], f.neg1)
			}
		}
	}
}
