//go:build !purego

package p256

import (
	"unsafe"

	kernels "github.com/fastcrypto-go/fastcrypto/kernels_amd64"
)

// The seam to the eight-lane kernels of tier ifma512. Arguments are as on the
// kernels' stubs.

// laneMul sets z = x·y·2^-260 mod p in each lane.
func laneMul(z, x, y *lanes) { kernels.P256MulIFMA512(z.words(), x.words(), y.words()) }

// laneSqr squares x n times, n >= 1, in the Montgomery domain.
func laneSqr(z, x *lanes, n int) { kernels.P256SqrIFMA512(z.words(), x.words(), n) }

// laneOrderMul sets z = x·y·2^-260 mod n in each lane.
func laneOrderMul(z, x, y *lanes) { kernels.P256OrderMulIFMA512(z.words(), x.words(), y.words()) }

// laneOrderAdd sets z = x + y in each lane, not reduced.
func laneOrderAdd(z, x, y *lanes) { kernels.P256OrderAddIFMA512(z.words(), x.words(), y.words()) }

// laneDouble sets p = 2^n·p in each lane, n >= 1.
func laneDouble(p *lanePoint, n int) { kernels.P256DoubleIFMA512(p.words(), n) }

// laneAdd sets p = p + q in each lane, for any points.
func laneAdd(p, q *lanePoint) { kernels.P256AddIFMA512(p.words(), q.words()) }

// laneAddDistinct sets z = p + q in each lane, p ≠ q and neither infinite.
func laneAddDistinct(z, p, q *lanePoint) {
	kernels.P256AddDistinctIFMA512(z.words(), p.words(), q.words())
}

// laneAddComb adds to p, in each lane, the entry of table that the digit names,
// counted from 1, or infinity for 0; where sign is not 0 it subtracts. It reads
// the whole table. p must not be what is added.
func laneAddComb(p *lanePoint, table *combWindow52, digits, signs *[8]uint64) {
	kernels.P256CombAddIFMA512(p.words(), (*[combEntries * 10]uint64)(table), digits, signs)
}

// laneAddLaneComb is laneAddComb with a table for each lane.
func laneAddLaneComb(p *lanePoint, table *laneCombStep, digits, signs *[8]uint64) {
	kernels.P256CombLanesAddIFMA512(p.words(), table.words(), digits, signs)
}

// laneAddTable is laneAddComb with a table of points for each lane.
func laneAddTable(p *lanePoint, table *laneTable, digits, signs *[8]uint64) {
	kernels.P256TableAddIFMA512(p.words(), table.words(), digits, signs)
}

// laneSumVarTime sets each lane of z to the sum of its points, on the curve of
// points (x/4, y/8); the lanes in keep leave out the last. Equal and opposite points
// are not allowed for: z is 0 modulo p in such a lane.
func laneSumVarTime(z *lanePoint, s *laneSum, keep uint64) {
	entries := (**[8]uint64)(unsafe.Pointer(&s.entries))
	kernels.P256SumVarTimeIFMA512(z.words(), entries, &s.negate[0], len(s.entries), keep)
}

// toLanes and fromLanes turn eight numbers of four limbs into lanes and back.
func toLanes(z *lanes, x *[8][4]uint64) { kernels.P256ToLanesIFMA512(z.words(), rows(x)) }

func fromLanes(z *[8][4]uint64, x *lanes) { kernels.P256FromLanesIFMA512(rows(z), x.words()) }
