package p256

import (
	"sync"
	"unsafe"
)

// One multiplication of G in eight lanes: lane l takes the comb's windows l, l+8,
// l+16 …, and the lanes are added up at the end.

const laneCombSteps = (combWindows + Lanes - 1) / Lanes

// A laneCombStep holds, for each lane, x and y of the entries of one window.
type laneCombStep [combEntries][2]lanes

func (t *laneCombStep) words() *[combEntries * 80]uint64 {
	return (*[combEntries * 80]uint64)(unsafe.Pointer(t))
}

// laneCombData is made when it is first needed, 120 KiB from the scalar kernels' comb.
type laneCombData struct {
	steps [laneCombSteps]laneCombStep
	// to256 is 2^516: the product by it, and then by 1, turns a number in the domain
	// of R = 2^260 into one in that of 2^256.
	to256 lanes
}

var theLaneComb = sync.OnceValue(func() *laneCombData {
	d := aligned[laneCombData]()
	for w := range comb {
		for j, e := range comb[w] {
			for k, c := range []fe{e.x, e.y} {
				for range 4 { // from R = 2^256 to R = 2^260
					feDouble(&c, &c)
				}
				for m, limb := range split52((*[4]uint64)(&c)) {
					d.steps[w/Lanes][j][k][m][w%Lanes] = limb
				}
			}
		}
	}
	d.to256.setPower(516, fieldDomain)
	return d
})

type laneCombWork struct {
	sum           lanePoint
	parts         [Lanes]jacobian
	numbers       [3][Lanes][4]uint64
	digits, signs [laneCombSteps][Lanes]uint64
	c             scalar
}

var laneCombWorks = sync.Pool{New: func() any { return aligned[laneCombWork]() }}

// baseMultLanes is baseMult in eight lanes. It is constant time.
//
// In a lane, the sum before a digit is added is smaller in magnitude than the
// digit's multiple, as in baseMultScalar. So it is when the lanes are added up in the
// order of their greatest windows, 35 to 42: let m be the greatest window so far. The
// sum lacks the window m−7 of the next lane, so it is below 2^(6(m+1)) −
// 63·2^(6(m−7)), and the next lane has at least 2^(6(m+1)) − 63·2^(6(m−7)) − … with
// terms that the sum lacks as well. Equal modulo n two points can be at the last
// addition only, and there the complete one serves.
func baseMultLanes(p *jacobian, k *scalar) {
	d := theLaneComb()
	w := laneCombWorks.Get().(*laneCombWork)
	negated := w.c.oddOrNegated(k)
	for i := range uint(combWindows) { // before the additions: see workspace.recode
		index, neg := w.c.digit(i, combWindows, combWidth)
		w.digits[i/Lanes][i%Lanes], w.signs[i/Lanes][i%Lanes] = index+1, neg^negated
	}
	for i := range d.steps {
		laneAddLaneComb(&w.sum, &d.steps[i], &w.digits[i], &w.signs[i])
	}
	for i, c := range []*lanes{&w.sum.x, &w.sum.y, &w.sum.z} {
		laneMul(c, c, &d.to256)
		leave(fieldDomain, &w.numbers[i], c)
	}
	for l := range w.parts {
		w.parts[l] = jacobian{w.numbers[0][l], w.numbers[1][l], w.numbers[2][l]}
	}
	const first, last = combWindows % Lanes, (combWindows - 1) % Lanes
	sum := &w.parts[first]
	for l := first + 1; l%Lanes != last; l++ {
		pointAdd(sum, sum, &w.parts[l%Lanes])
	}
	p.add(sum, &w.parts[last])
	*w = laneCombWork{}
	laneCombWorks.Put(w)
}
