package p256

const (
	tableWidth   = 6
	tableSpacing = 8
	tableWindows = 256 / tableSpacing
	tableEntries = 1 << (tableWidth - 2)
)

// A Table holds multiples of one public key, which make verification several
// times faster: odd ones up to 31 at every eighth power of two, 32 KiB. Its
// construction takes about as long as five verifications without it. All methods
// may be called concurrently.
type Table struct {
	multiples [tableWindows][tableEntries]affine
}

// NewTable returns the table of q.
func NewTable(q *PublicKey) *Table {
	t := new(Table)
	var p [tableWindows]jacobian
	var bases [tableWindows]affine
	p[0].setAffine(&q.q)
	for i := 1; i < len(p); i++ {
		pointDouble(&p[i], &p[i-1], tableSpacing)
	}
	normalizeVarTime(bases[:], p[:])
	for i := range t.multiples {
		oddMultiplesVarTime(t.multiples[i][:], &bases[i])
	}
	return t
}

// VerifyVarTime reports what the key's own VerifyVarTime reports.
func (t *Table) VerifyVarTime(e, r, s *[32]byte) bool {
	var f factorsVarTime
	if !f.set(e, r, s) {
		return false
	}
	var d1, d2 [256]int8
	wnafVarTime(&d1, &f.u1, baseWidth)
	wnafVarTime(&d2, &f.u2, tableWidth)

	// The digit at position i is due when i modulo the table's spacing doublings
	// are left to do: Σ 2^j·Σ d[i·spacing+j]·2^(i·spacing).
	var p jacobian
	for j := tableSpacing - 1; j >= 0; j-- {
		if p.z != (fe{}) {
			pointDouble(&p, &p, 1)
		}
		for i := range tableWindows {
			p.addDigitVarTime(t.multiples[i][:], d2[i*tableSpacing+j], f.neg2)
		}
		if j < combWidth {
			for i := j; i < len(d1); i += combWidth {
				p.addDigitVarTime(comb[i/combWidth][:], d1[i], f.neg1)
			}
		}
	}
	return f.matchesVarTime(&p)
}
