package p256

import "unsafe"

// Verification with a table in eight lanes: both factors in windows of odd digits
// make a sum of 95 points from the comb and the table, without doublings, of which
// each lane adds up every eighth.

const (
	tableTerms = combWindows + tableWindows
	tableSteps = (tableTerms + Lanes - 1) / Lanes
)

// tableKeep is the lanes that the last step has no point for.
const tableKeep = 1<<Lanes - 1<<(tableTerms%Lanes)

// A laneSum is points to be added up: every eighth one in the same lane.
type laneSum struct {
	entries [tableSteps][Lanes]*affine
	negate  [tableSteps]uint8
}

// set makes point i, of those to be added up, r or −r if negate is 1.
func (s *laneSum) set(i uint, r *affine, negate uint64) {
	s.entries[i/Lanes][i%Lanes] = r
	s.negate[i/Lanes] |= uint8(negate << (i % Lanes))
}

// sumVarTime sets p to the sum, or to infinity where two points to be added were
// equal or opposite.
func (s *laneSum) sumVarTime(p *jacobian) {
	var f folded
	var sum lanePoint
	laneSumVarTime(f.point(0), s, tableKeep)
	laneAddDistinct(&sum, f.point(0), f.point(Lanes/2))
	laneMul(&sum.x, &sum.x, &laneLeaveX)
	laneMul(&sum.y, &sum.y, &laneLeaveY)
	laneMul(&sum.z, &sum.z, &laneLeaveZ)
	var x, y, z [Lanes][4]uint64
	fromLanes(&x, &sum.x)
	fromLanes(&y, &sum.y)
	fromLanes(&z, &sum.z)
	var parts [Lanes / 2]jacobian
	for l := range parts {
		for _, c := range []struct {
			out *fe
			in  *[4]uint64
		}{{&parts[l].x, &x[l]}, {&parts[l].y, &y[l]}, {&parts[l].z, &z[l]}} {
			reduceOnce((*[4]uint64)(c.out), c.in, 0, (*[4]uint64)(&feP))
		}
	}
	// A z of 0 stays through every addition.
	pointAdd(&parts[0], &parts[0], &parts[1])
	pointAdd(&parts[2], &parts[2], &parts[3])
	pointAdd(p, &parts[0], &parts[2])
}

// folded is the sum in lanes with room for a second view of it, four lanes on.
type folded [120 + Lanes/2]uint64

// point returns what begins in lane l, the lanes counted from it: those that pass
// the end are of no meaning.
func (f *folded) point(l int) *lanePoint { return (*lanePoint)(unsafe.Pointer(&f[l])) }

// The kernel's sum is (x/4, y/8) in the domain of R = 2^260. The products by
// these, x·2^86, y·2, z·2^170, are the point itself in the domain of 2^256:
// 86 − 2·170 + 256 = 2 and 1 − 3·170 + 512 = 3. They are so small that the
// products are below 2^256.
var (
	laneLeaveX = lanes{1: {1 << 34, 1 << 34, 1 << 34, 1 << 34, 1 << 34, 1 << 34, 1 << 34, 1 << 34}}
	laneLeaveY = lanes{0: {2, 2, 2, 2, 2, 2, 2, 2}}
	laneLeaveZ = lanes{3: {1 << 14, 1 << 14, 1 << 14, 1 << 14, 1 << 14, 1 << 14, 1 << 14, 1 << 14}}
)

// multLanesVarTime sets p = u1·G + u2·q. It returns false, with p of no use, where
// the sum is infinite, where a partial sum met its equal or its negative, and
// where a factor is 0: multVarTime has to do those.
func (t *Table) multLanesVarTime(p *jacobian, f *factorsVarTime) bool {
	if f.u1 == (scalar{}) {
		return false
	}
	var s laneSum
	var c scalar
	negated := c.oddOrNegated(&f.u1) ^ bit(f.neg1)
	for i := range uint(combWindows) {
		index, neg := c.digit(i, combWindows, combWidth)
		s.set(i, &comb[i][index], neg^negated)
	}
	negated = c.oddOrNegated(&f.u2) ^ bit(f.neg2)
	for i := range uint(tableWindows) {
		index, neg := c.digit(i, tableWindows, multWidth)
		s.set(combWindows+i, &t.multiples[i][index], neg^negated)
	}
	for i := uint(tableTerms); i < tableSteps*Lanes; i++ {
		s.set(i, &comb[0][0], 0)
	}
	s.sumVarTime(p)
	return p.z != fe{}
}

func bit(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}
