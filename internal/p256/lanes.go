package p256

import (
	"math/big"
	"runtime"
	"sync"
	"unsafe"
)

// Lanes is how many operations one eight-lane kernel does at once.
const Lanes = 8

// A lanes is a field element or a scalar in each of eight lanes: five limbs of 52
// bits, limb by limb, in the Montgomery domain with R = 2^260 unless said
// otherwise. It stands for its residue: it is below 16 times the modulus.
type lanes [5][Lanes]uint64

// A lanePoint is a point in each of eight lanes, (x/z², y/z³), infinite where z
// is 0 modulo p. Its zero value is infinity.
type lanePoint struct{ x, y, z lanes }

// A laneTable holds the odd multiples 1, 3 … 31 of one point in each lane.
type laneTable [multEntries]lanePoint

// A combWindow52 is a window of the comb in limbs of 52 bits, limb by limb: those of
// x, then those of y, each of all entries.
type combWindow52 [combEntries * 10]uint64

func (z *lanes) words() *[40]uint64        { return (*[40]uint64)(unsafe.Pointer(z)) }
func (p *lanePoint) words() *[120]uint64   { return (*[120]uint64)(unsafe.Pointer(p)) }
func (t *laneTable) words() *[1920]uint64  { return (*[1920]uint64)(unsafe.Pointer(t)) }
func rows(x *[Lanes][4]uint64) *[32]uint64 { return (*[32]uint64)(unsafe.Pointer(x)) }

// laneData holds what the eight-lane operations share.
type laneData struct {
	comb [combWindows]combWindow52
	// feEnter and orderEnter are 2^520: the product by them enters the Montgomery
	// domain. feFrom256 is 2^264, which turns a number in the domain of R = 2^256
	// into one in that of 2^260. fromInverse is 2^8: see invert.
	feEnter, orderEnter, feFrom256, fromInverse lanes
	feB                                         lanes // the curve's b, in the Montgomery domain
}

// theLaneData makes the table when it is first needed, 107 KiB from the comb of
// the scalar kernels.
var theLaneData = sync.OnceValue(func() *laneData {
	d := aligned[laneData]()
	for i := range d.comb {
		for j := range comb[i] {
			// From R = 2^256 to R = 2^260.
			for k, c := range []fe{comb[i][j].x, comb[i][j].y} {
				for range 4 {
					feDouble(&c, &c)
				}
				limbs := split52((*[4]uint64)(&c))
				for m, limb := range limbs {
					d.comb[i][combEntries*(5*k+m)+j] = limb
				}
			}
		}
	}
	d.feEnter.setPower(520, fieldDomain)
	d.feFrom256.setPower(264, fieldDomain)
	d.orderEnter.setPower(520, orderDomain)
	d.fromInverse.setPower(8, fieldDomain)
	b := [Lanes][4]uint64{feB, feB, feB, feB, feB, feB, feB, feB}
	toLanes(&d.feB, &b)
	laneMul(&d.feB, &d.feB, &d.feFrom256)
	return d
})

// setPower sets all lanes to 2^e modulo the domain's prime.
func (z *lanes) setPower(e uint, dom domain) {
	modulus := new(big.Int)
	for i, w := range dom.modulus() {
		modulus.Or(modulus, new(big.Int).Lsh(new(big.Int).SetUint64(w), uint(64*i)))
	}
	x := new(big.Int).Lsh(big.NewInt(1), e)
	var b [32]byte
	var w [4]uint64
	x.Mod(x, modulus).FillBytes(b[:])
	fromBytes(&w, &b)
	for i, limb := range split52(&w) {
		for l := range Lanes {
			z[i][l] = limb
		}
	}
}

func split52(x *[4]uint64) [5]uint64 {
	const mask = 1<<52 - 1
	return [5]uint64{
		x[0] & mask,
		(x[0]>>52 | x[1]<<12) & mask,
		(x[1]>>40 | x[2]<<24) & mask,
		(x[2]>>28 | x[3]<<36) & mask,
		x[3] >> 16,
	}
}

// aligned returns a new zero T, which holds no pointers, on a 64-byte boundary:
// the kernels' vectors then never cross a cache line.
func aligned[T any]() *T {
	var t T
	b := make([]byte, unsafe.Sizeof(t)+63)
	p := unsafe.Pointer(unsafe.SliceData(b))
	return (*T)(unsafe.Add(p, -uintptr(p)&63))
}

// A domain is the arithmetic modulo one of the two primes, in lanes and for one
// number in the domain of R = 2^256. Its methods call directly, so that what they
// work on stays on the stack.
type domain bool

const (
	fieldDomain domain = false
	orderDomain domain = true
)

func (dom domain) laneMul(z, x, y *lanes) {
	if dom == orderDomain {
		laneOrderMul(z, x, y)
	} else {
		laneMul(z, x, y)
	}
}

func (dom domain) mul(z, x, y *[4]uint64) {
	if dom == orderDomain {
		scMul((*scalar)(z), (*scalar)(x), (*scalar)(y))
	} else {
		feMul((*fe)(z), (*fe)(x), (*fe)(y))
	}
}

func (dom domain) inverse(z, x *[4]uint64) {
	if dom == orderDomain {
		scInverse((*scalar)(z), (*scalar)(x))
	} else {
		feInverse((*fe)(z), (*fe)(x))
	}
}

func (dom domain) modulus() *[4]uint64 {
	if dom == orderDomain {
		return (*[4]uint64)(&orderN)
	}
	return (*[4]uint64)(&feP)
}

// laneOne is the number 1, out of the Montgomery domain.
var laneOne = lanes{0: {1, 1, 1, 1, 1, 1, 1, 1}}

// leave sets z to the numbers of x out of the Montgomery domain, fully reduced.
func leave(dom domain, z *[Lanes][4]uint64, x *lanes) {
	var t lanes
	dom.laneMul(&t, x, &laneOne)
	// The product by 1 is at most the modulus, and that only for 0.
	fromLanes(z, &t)
	for l := range z {
		reduceOnce(&z[l], &z[l], 0, dom.modulus())
	}
	t = lanes{}
}

// invert sets x[i] = 1/x[i] for all i and lanes, none of them 0, with one
// inversion (Montgomery's trick): products along the groups in lanes, then across
// the lanes, then back. products has room for as many groups. It is constant time.
func (d *laneData) invert(dom domain, x, products []lanes) {
	last := len(x) - 1
	products[0] = x[0]
	for i := 1; i <= last; i++ {
		dom.laneMul(&products[i], &products[i-1], &x[i])
	}
	var v, prefix [Lanes][4]uint64
	leave(dom, &v, &products[last])
	// In the domain of R = 2^256, v stands for w = v·2^-256, and what comes out
	// below, 1/w·2^256, is 2^512/v. Times 2^8·2^-260, that is 2^260/v.
	prefix[0] = v[0]
	for l := 1; l < Lanes; l++ {
		dom.mul(&prefix[l], &prefix[l-1], &v[l])
	}
	var inverse, t [4]uint64
	dom.inverse(&inverse, &prefix[Lanes-1])
	for l := Lanes - 1; l > 0; l-- {
		dom.mul(&t, &inverse, &prefix[l-1])
		dom.mul(&inverse, &inverse, &v[l])
		v[l] = t
	}
	v[0] = inverse
	var running lanes
	toLanes(&running, &v)
	dom.laneMul(&running, &running, &d.fromInverse)
	for i := last; i > 0; i-- {
		dom.laneMul(&products[i], &products[i-1], &running)
		dom.laneMul(&running, &running, &x[i])
		x[i] = products[i]
	}
	x[0] = running
	v, prefix, inverse, t, running = [Lanes][4]uint64{}, [Lanes][4]uint64{}, [4]uint64{}, [4]uint64{}, lanes{}
}

// LaneMulChain does n field multiplications in each lane, each of the previous
// one's result, where BatchTier is not impl.Generic. It is for measuring.
func LaneMulChain(n int) {
	x := aligned[lanes]()
	y := &theLaneData().feEnter
	*x = *y
	for range n {
		laneMul(x, x, y)
	}
	runtime.KeepAlive(x)
}
