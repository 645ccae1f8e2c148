package p256

import (
	"errors"
	"sync"

	"github.com/fastcrypto-go/fastcrypto/internal/impl"
)

// BatchTier returns the tier of the eight-lane kernels; if it is impl.Generic,
// there are none here, and the functions for batches may not be called.
func BatchTier() impl.Tier { return impl.P256Batch.Tier() }

// BatchSize is how many operations share an inversion: a good length for the
// batches given to the functions below, which take any length.
const BatchSize = batchGroups * Lanes

const batchGroups = 8

// The fewest operations for which a group, padded, is faster than one operation
// at a time: a group takes the time of 2 signatures, 2.5 verifications or 1.7
// agreements (AMD Zen 5).
const (
	fewestSign   = 3
	fewestVerify = 3
	fewestECDH   = 2
)

// inLanes returns how many of n operations go in lanes: all, or all but a rest
// that is too short for a group.
func inLanes(n, fewest int) int {
	if rest := n % Lanes; rest < fewest {
		return n - rest
	}
	return n
}

// A workspace holds what a batch of up to BatchSize operations works on.
type workspace struct {
	points   [batchGroups]lanePoint
	tables   laneTable
	z, k     [batchGroups]lanes
	products [batchGroups]lanes
	t, u, v  lanes
	last     lanePoint
	numbers  [Lanes][4]uint64
	x        [Lanes][4]uint64
	digits   [multWindows][Lanes]uint64
	signs    [multWindows][Lanes]uint64
}

var workspaces = sync.Pool{New: func() any { return aligned[workspace]() }}

// begin returns what a batch needs; release wipes the workspace and gives it back.
func begin() (*laneData, *workspace) { return theLaneData(), workspaces.Get().(*workspace) }

func (w *workspace) release() {
	*w = workspace{}
	workspaces.Put(w)
}

// load sets z to the numbers f(0) … f(7), as they are.
func (w *workspace) load(z *lanes, f func(lane int) *[4]uint64) {
	for l := range w.numbers {
		w.numbers[l] = *f(l)
	}
	toLanes(z, &w.numbers)
}

// A window is one lane's scalar, recoded: see oddOrNegated.
type window struct {
	c       scalar
	negated uint64
	skip    bool // the scalar is 0; public where it can be
}

// recode sets the digits and signs of all lanes in each of the m windows, w bits
// wide: what scalar.digit returns, the index counted from 1. m·w > 256.
//
// It is done before the additions, not window by window between them: a vector that
// is loaded just after its words were stored one by one waits for them, and on AMD
// Zen 5 k·G then took 0.03 % less time for scalars with a half of zeros than for
// others, though neither the recoding nor the additions alone did.
func (ws *workspace) recode(k *[Lanes]window, m, w uint) {
	w &= 63 // which the compiler need not check at every shift
	top := uint64(1) << (w - 1)
	for l := range k {
		c, negated := k[l].c, k[l].negated
		used := ^uint64(0)
		if k[l].skip {
			used = 0
		}
		for i := range m {
			v := c[0] & (top<<1 - 1)
			c[0] = c[0]>>w | c[1]<<(-w&63)
			c[1] = c[1]>>w | c[2]<<(-w&63)
			c[2] = c[2]>>w | c[3]<<(-w&63)
			c[3] >>= w
			if i == m-1 {
				v |= top
			}
			negative := (v&top ^ top) >> (w - 1)
			ws.digits[i][l] = ((v^-negative)&(top-1) + 1) & used
			ws.signs[i][l] = negative ^ negated
		}
	}
}

// baseMult sets p = k·G in each lane. k is secret, but for skip.
//
// The comb's bounds are those of the function of the same name for one scalar:
// only the last sum may need the complete addition.
func (w *workspace) baseMult(d *laneData, p *lanePoint, k *[Lanes]window) {
	const last = combWindows - 1
	w.recode(k, combWindows, combWidth)
	*p = lanePoint{}
	for i := range last {
		laneAddComb(p, &d.comb[i], &w.digits[i], &w.signs[i])
	}
	w.last = lanePoint{}
	laneAddComb(&w.last, &d.comb[last], &w.digits[last], &w.signs[last])
	laneAdd(p, &w.last)
}

// mult sets p = k·q in each lane, q being the keys' points. k is secret and in
// [1, n−1], the keys are not.
func (w *workspace) mult(d *laneData, p *lanePoint, k *[Lanes]window, keys *[Lanes]*PublicKey) {
	first := &w.tables[0]
	w.load(&first.x, func(l int) *[4]uint64 { return (*[4]uint64)(&keys[l].q.x) })
	w.load(&first.y, func(l int) *[4]uint64 { return (*[4]uint64)(&keys[l].q.y) })
	laneMul(&first.x, &first.x, &d.feFrom256)
	laneMul(&first.y, &first.y, &d.feFrom256)
	laneMul(&first.z, &d.feEnter, &laneOne)
	w.last = *first
	laneDouble(&w.last, 1)
	for i := 1; i < multEntries; i++ {
		laneAddDistinct(&w.tables[i], &w.tables[i-1], &w.last)
	}

	w.recode(k, multWindows, multWidth)
	*p = lanePoint{}
	laneAddTable(p, &w.tables, &w.digits[multWindows-1], &w.signs[multWindows-1])
	for i := multWindows - 2; i > 0; i-- {
		laneDouble(p, multWidth)
		laneAddTable(p, &w.tables, &w.digits[i], &w.signs[i])
	}
	laneDouble(p, multWidth)
	w.last = lanePoint{}
	laneAddTable(&w.last, &w.tables, &w.digits[0], &w.signs[0])
	laneAdd(p, &w.last)
}

var (
	scalarOne = scalar{1}
	generator = PublicKey{q: affine{
		fe{0x79e730d418a9143c, 0x75ba95fc5fedb601, 0x79fb732b77622510, 0x18905f76a53755c6},
		fe{0xddf25357ce95560a, 0x8b4ab8e4ba19e45c, 0xd2e88688dd21f325, 0x8571ff1825885d85},
	}}
)

// A SignJob is one signature of a batch: see Sign. D, K and E are given, R and S
// wanted; OK tells what Sign returns.
type SignJob struct {
	D, K, E [32]byte
	R, S    [32]byte
	OK      bool
}

// SignBatch does Sign for every job. The private keys and nonces are in
// [1, n−1], which the caller has checked, and secret.
func SignBatch(jobs []SignJob) {
	n := inLanes(len(jobs), fewestSign)
	if n > 0 {
		d, w := begin()
		defer w.release()
		for i := 0; i < n; i += BatchSize {
			w.sign(d, jobs[i:min(n, i+BatchSize)])
		}
	}
	for i := range jobs[n:] {
		j := &jobs[n+i]
		j.OK = Sign(&j.R, &j.S, &j.D, &j.K, &j.E)
	}
}

func (w *workspace) sign(d *laneData, jobs []SignJob) {
	groups := (len(jobs) + Lanes - 1) / Lanes
	for g := range groups {
		var k [Lanes]scalar
		var win [Lanes]window
		for l := range k {
			k[l] = scalarOne
			if i := Lanes*g + l; i < len(jobs) {
				fromBytes((*[4]uint64)(&k[l]), &jobs[i].K)
			}
			win[l].negated = win[l].c.oddOrNegated(&k[l])
		}
		w.load(&w.k[g], func(l int) *[4]uint64 { return (*[4]uint64)(&k[l]) })
		laneOrderMul(&w.k[g], &w.k[g], &d.orderEnter)
		w.baseMult(d, &w.points[g], &win)
		injectLanePoint(&w.points[g])
		w.z[g] = w.points[g].z
		k, win = [Lanes]scalar{}, [Lanes]window{}
	}
	d.invert(fieldDomain, w.z[:groups], w.products[:groups])
	d.invert(orderDomain, w.k[:groups], w.products[:groups])
	for g := range groups {
		jobs := jobs[Lanes*g : min(len(jobs), Lanes*g+Lanes)]
		injectLanes(FaultInverse, &w.k[g])
		// r = x/z² mod n
		laneSqr(&w.t, &w.z[g], 1)
		laneMul(&w.t, &w.t, &w.points[g].x)
		leave(fieldDomain, &w.x, &w.t)
		injectNumbers(FaultX, &w.x)
		for l := range w.numbers {
			scReduce((*scalar)(&w.numbers[l]), (*scalar)(&w.x[l]))
		}
		injectNumbers(FaultR, &w.numbers)
		for l := range jobs {
			toBytes(&jobs[l].R, &w.numbers[l])
		}
		// s = (e + r·d)/k mod n
		toLanes(&w.t, &w.numbers)
		for l := range jobs {
			fromBytes(&w.numbers[l], &jobs[l].D)
		}
		injectNumbers(FaultKey, &w.numbers)
		toLanes(&w.u, &w.numbers)
		laneOrderMul(&w.u, &w.u, &d.orderEnter)
		laneOrderMul(&w.t, &w.t, &w.u)
		for l := range jobs {
			fromBytes(&w.numbers[l], &jobs[l].E)
		}
		injectNumbers(FaultDigest, &w.numbers)
		toLanes(&w.u, &w.numbers)
		laneOrderAdd(&w.t, &w.t, &w.u)
		laneOrderMul(&w.t, &w.t, &d.orderEnter)
		laneOrderMul(&w.t, &w.t, &w.k[g])
		leave(orderDomain, &w.numbers, &w.t)
		injectNumbers(FaultS, &w.numbers)
		for l := range jobs {
			toBytes(&jobs[l].S, &w.numbers[l])
		}
		// r = 0 and s = 0 are not in [1, n−1], and so inconsistent.
		for l, bad := range w.inconsistent(d, g, jobs) {
			if l < len(jobs) {
				if jobs[l].OK = bad == 0; !jobs[l].OK {
					jobs[l].R, jobs[l].S = [32]byte{}, [32]byte{}
				}
			}
		}
	}
}

// An ECDHJob is one agreement of a batch: X is set to the x-coordinate of K·Q.
type ECDHJob struct {
	Q *PublicKey
	K [32]byte
	X [32]byte
}

// ECDHBatch does ECDH for every job. The private keys K are in [1, n−1], which
// the caller has checked. K and X are secret, Q is not.
func ECDHBatch(jobs []ECDHJob) {
	n := inLanes(len(jobs), fewestECDH)
	if n > 0 {
		d, w := begin()
		defer w.release()
		for i := 0; i < n; i += BatchSize {
			w.ecdh(d, jobs[i:min(n, i+BatchSize)])
		}
	}
	for i := range jobs[n:] {
		j := &jobs[n+i]
		j.Q.ECDH(&j.X, &j.K)
	}
}

func (w *workspace) ecdh(d *laneData, jobs []ECDHJob) {
	groups := (len(jobs) + Lanes - 1) / Lanes
	for g := range groups {
		var win [Lanes]window
		var keys [Lanes]*PublicKey
		for l := range win {
			k := scalarOne
			keys[l] = &generator
			if i := Lanes*g + l; i < len(jobs) {
				fromBytes((*[4]uint64)(&k), &jobs[i].K)
				keys[l] = jobs[i].Q
			}
			win[l].negated = win[l].c.oddOrNegated(&k)
		}
		w.mult(d, &w.points[g], &win, &keys)
		w.z[g] = w.points[g].z
		win = [Lanes]window{}
	}
	d.invert(fieldDomain, w.z[:groups], w.products[:groups])
	for g := range groups {
		laneSqr(&w.t, &w.z[g], 1)
		laneMul(&w.t, &w.t, &w.points[g].x)
		leave(fieldDomain, &w.numbers, &w.t)
		for l := range w.numbers {
			if i := Lanes*g + l; i < len(jobs) {
				toBytes(&jobs[i].X, &w.numbers[l])
			}
		}
	}
}

// A VerifyJob is one verification of a batch: OK is set to what
// Q.VerifyVarTime(E, R, S) reports.
type VerifyJob struct {
	Q       *PublicKey
	E, R, S [32]byte
	OK      bool
}

// VerifyBatchVarTime does VerifyVarTime for every job, each on its own. All is
// public.
func VerifyBatchVarTime(jobs []VerifyJob) {
	n := inLanes(len(jobs), fewestVerify)
	if n > 0 {
		d, w := begin()
		defer w.release()
		for i := 0; i < n; i += BatchSize {
			w.verifyVarTime(d, jobs[i:min(n, i+BatchSize)])
		}
	}
	for i := range jobs[n:] {
		j := &jobs[n+i]
		j.OK = j.Q.VerifyVarTime(&j.E, &j.R, &j.S)
	}
}

func (w *workspace) verifyVarTime(d *laneData, jobs []VerifyJob) {
	groups := (len(jobs) + Lanes - 1) / Lanes
	var r [BatchSize]scalar // 0 where r or s is out of range, or there is no job
	for g := range groups {
		for l := range w.numbers {
			w.numbers[l] = scalarOne
			i := Lanes*g + l
			if i >= len(jobs) {
				continue
			}
			var s scalar
			fromBytes((*[4]uint64)(&r[i]), &jobs[i].R)
			fromBytes((*[4]uint64)(&s), &jobs[i].S)
			if scValid(&r[i])&scValid(&s) == 0 {
				r[i] = scalar{}
				continue
			}
			w.numbers[l] = s
		}
		toLanes(&w.k[g], &w.numbers)
		laneOrderMul(&w.k[g], &w.k[g], &d.orderEnter)
	}
	d.invert(orderDomain, w.k[:groups], w.products[:groups])
	for g := range groups {
		w.verifyGroupVarTime(d, jobs[Lanes*g:min(len(jobs), Lanes*g+Lanes)], (*[Lanes]scalar)(r[Lanes*g:]), &w.k[g])
	}
}

// verifyGroupVarTime verifies up to eight, with 1/s in lanes.
func (w *workspace) verifyGroupVarTime(d *laneData, jobs []VerifyJob, r *[Lanes]scalar, sInverse *lanes) {
	var u1, u2 [Lanes]window
	var keys [Lanes]*PublicKey
	// u1 = e/s, u2 = r/s. A product by a number out of the Montgomery domain is out
	// of it.
	for l := range w.numbers {
		w.numbers[l] = scalarOne
		keys[l] = &generator
		if l < len(jobs) {
			fromBytes(&w.numbers[l], &jobs[l].E)
			keys[l] = jobs[l].Q
		}
	}
	factors := func(u *[Lanes]window) {
		toLanes(&w.t, &w.numbers)
		laneOrderMul(&w.t, &w.t, &d.orderEnter)
		laneOrderMul(&w.t, &w.t, sInverse)
		leave(orderDomain, &w.numbers, &w.t)
		for l := range u {
			k := scalar(w.numbers[l])
			if u[l].skip = k == (scalar{}); u[l].skip {
				k = scalarOne
			}
			u[l].negated = u[l].c.oddOrNegated(&k)
		}
	}
	factors(&u1)
	for l := range w.numbers {
		if w.numbers[l] = r[l]; r[l] == (scalar{}) {
			w.numbers[l] = scalarOne
		}
	}
	factors(&u2)

	p, q := &w.points[0], &w.points[1]
	w.baseMult(d, p, &u1)
	w.mult(d, q, &u2, &keys)
	laneAdd(p, q)

	// x mod n = r, as x·z² = X without an inversion.
	for l := range w.numbers {
		w.numbers[l] = r[l]
	}
	toLanes(&w.t, &w.numbers)
	laneMul(&w.t, &w.t, &d.feEnter)
	laneSqr(&w.u, &p.z, 1)
	laneMul(&w.t, &w.t, &w.u)
	var want, x [Lanes][4]uint64
	leave(fieldDomain, &want, &w.t)
	leave(fieldDomain, &x, &p.x)
	for l := range jobs {
		j := &jobs[l]
		switch {
		case r[l] == scalar{} || want[l] == [4]uint64{}: // out of range; infinity
			j.OK = false
		case want[l] == x[l]:
			j.OK = true
		case less((*[4]uint64)(&r[l]), &pMinusN) == 1: // x may be r + n, once in 2^32
			j.OK = j.Q.VerifyVarTime(&j.E, &j.R, &j.S)
		default:
			j.OK = false
		}
	}
}

func init() { impl.P256Batch.Register(knownAnswerBatch) }

// knownAnswerBatch runs the known answers of tier.go in all lanes of a full and a
// padded group.
func knownAnswerBatch(tier impl.Tier) error {
	if tier == impl.Generic {
		return knownAnswerGeneric()
	}
	var q PublicKey
	if !q.SetAffine(&knownX, &knownY) {
		return errors.New("a right public key was rejected")
	}
	const n = Lanes + 3
	var sign [n]SignJob
	var agree [n]ECDHJob
	var verify [n]VerifyJob
	for i := range n {
		sign[i] = SignJob{D: knownD, K: knownK, E: knownE}
		agree[i] = ECDHJob{Q: &q, K: knownD}
		verify[i] = VerifyJob{Q: &q, E: knownE, R: knownR, S: knownS}
		verify[i].E[0] ^= byte(i & 1)
	}
	SignBatch(sign[:])
	ECDHBatch(agree[:])
	VerifyBatchVarTime(verify[:])
	for i := range n {
		switch {
		case !sign[i].OK || sign[i].R != knownR || sign[i].S != knownS:
			return errors.New("wrong signature in a batch")
		case agree[i].X != knownShared:
			return errors.New("wrong shared secret in a batch")
		case verify[i].OK != (i&1 == 0):
			return errors.New("wrong verdict in a batch")
		}
	}
	return nil
}
