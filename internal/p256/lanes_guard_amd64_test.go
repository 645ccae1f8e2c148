//go:build !purego

package p256

import (
	"fmt"
	"math/big"
	"testing"
	"unsafe"

	"github.com/fastcrypto-go/fastcrypto/internal/testkit"
	kernels "github.com/fastcrypto-go/fastcrypto/kernels_amd64"
)

// An argument is an array that a kernel takes, beside a guard page.
type argument struct {
	g      *testkit.Guarded
	offset int
	back   bool
	n      int // bytes
}

// place puts src into the array and returns the array's address.
func place[T any](a *argument, src *T) *T {
	a.n = int(unsafe.Sizeof(*src))
	p := (*T)(unsafe.Pointer(unsafe.SliceData(a.bytes())))
	*p = *src
	return p
}

func (a *argument) bytes() []byte {
	if a.back {
		return a.g.Back(a.n, a.offset)
	}
	return a.g.Front(a.n, a.offset)
}

// TestLaneGuards runs every kernel with each of its arrays at each multiple of
// eight bytes from the guard pages before and behind, checks that it gives there
// what it gives elsewhere, and that inputs and the bytes around outputs stay.
func TestLaneGuards(t *testing.T) {
	onLanes(t, func(t *testing.T) {
		var args [4]argument
		for i := range args {
			args[i].g = testkit.NewGuarded(t, 1<<15)
		}
		r := testkit.Rand(t)
		value := laneValues(r, curve.N, 14)
		var x, y, z lanes
		var words, wordsOut [Lanes][4]uint64
		var p, q, three lanePoint
		var table laneTable
		digits, signs := [Lanes]uint64{1, 2, 3, 4, 5, 6, 7, 8}, [Lanes]uint64{0, 1, 0, 1 << 63, 0, 0, 1, 1}
		for l := range Lanes {
			x.set(l, value())
			y.set(l, value())
			words[l] = toLimbs(randomBelow(r, bigR))
		}
		d := theLaneData()
		comb := d.comb[5]
		laneAddComb(&p, &d.comb[1], &digits, &signs)
		q = p
		laneDouble(&q, 1)
		laneAddDistinct(&three, &p, &q)
		for i := range table {
			table[i] = three
		}
		var lanesTable [10 * Lanes * combEntries]uint64
		for i := range lanesTable {
			lanesTable[i] = comb[combEntries*(i/Lanes%10)+i/(10*Lanes)]
		}
		const arrays = 4
		for _, k := range []struct {
			name string
			// run calls the kernel on copies of its arguments made by place; it
			// returns the output array.
			run func(a *[arrays]argument) []uint64
		}{
			{"Mul", func(a *[arrays]argument) []uint64 {
				out := place(&a[0], &z)
				laneMul(out, place(&a[1], &x), place(&a[2], &y))
				return out.words()[:]
			}},
			{"Sqr", func(a *[arrays]argument) []uint64 {
				out := place(&a[0], &z)
				laneSqr(out, place(&a[1], &x), 3)
				return out.words()[:]
			}},
			{"OrderMul", func(a *[arrays]argument) []uint64 {
				out := place(&a[0], &z)
				laneOrderMul(out, place(&a[1], &x), place(&a[2], &y))
				return out.words()[:]
			}},
			{"OrderSqr", func(a *[arrays]argument) []uint64 {
				out := place(&a[0], &z)
				kernels.P256OrderSqrIFMA512(out.words(), place(&a[1], &x).words(), 3)
				return out.words()[:]
			}},
			{"OrderAdd", func(a *[arrays]argument) []uint64 {
				out, half := place(&a[0], &z), y
				half[4] = [Lanes]uint64{}
				laneOrderAdd(out, place(&a[1], &half), place(&a[2], &half))
				return out.words()[:]
			}},
			{"Double", func(a *[arrays]argument) []uint64 {
				out := place(&a[0], &p)
				laneDouble(out, 2)
				return out.words()[:]
			}},
			{"Add", func(a *[arrays]argument) []uint64 {
				out := place(&a[0], &p)
				laneAdd(out, place(&a[1], &q))
				return out.words()[:]
			}},
			{"AddDistinct", func(a *[arrays]argument) []uint64 {
				out := place(&a[0], new(lanePoint))
				laneAddDistinct(out, place(&a[1], &p), place(&a[2], &q))
				return out.words()[:]
			}},
			{"CombAdd", func(a *[arrays]argument) []uint64 {
				out := place(&a[0], &q)
				laneAddComb(out, place(&a[1], &comb), place(&a[2], &digits), place(&a[3], &signs))
				return out.words()[:]
			}},
			{"CombLanesAdd", func(a *[arrays]argument) []uint64 {
				out := place(&a[0], &q)
				kernels.P256CombLanesAddIFMA512(out.words(), place(&a[1], &lanesTable), place(&a[2], &digits), place(&a[3], &signs))
				return out.words()[:]
			}},
			{"TableAdd", func(a *[arrays]argument) []uint64 {
				out := place(&a[0], &q)
				laneAddTable(out, place(&a[1], &table), place(&a[2], &digits), place(&a[3], &signs))
				return out.words()[:]
			}},
			{"ToLanes", func(a *[arrays]argument) []uint64 {
				out := place(&a[0], &z)
				toLanes(out, place(&a[1], &words))
				return out.words()[:]
			}},
			{"FromLanes", func(a *[arrays]argument) []uint64 {
				out, low := place(&a[0], &wordsOut), z
				toLanes(&low, &words)
				fromLanes(out, place(&a[1], &low))
				return rows(out)[:]
			}},
		} {
			t.Run(k.name, func(t *testing.T) {
				var want []uint64
				for moved := range args {
					for offset := 0; offset < 64; offset += 8 {
						for _, back := range []bool{false, true} {
							for i := range args {
								clear(args[i].g.Front(args[i].g.Len(), 0))
								args[i].offset, args[i].back, args[i].n = 0, i%2 == 0, 0
							}
							args[moved].offset, args[moved].back = offset, back
							got := k.run(&args)
							if want == nil {
								want = append([]uint64(nil), got...)
							}
							where := fmt.Sprintf("array %d at %d, back %v", moved, offset, back)
							for i := range want {
								if got[i] != want[i] {
									t.Fatalf("%s: word %d differs", where, i)
								}
							}
							clear(args[0].bytes())
							for _, b := range args[0].g.Front(args[0].g.Len(), 0) {
								if b != 0 {
									t.Fatalf("%s: written outside the output", where)
								}
							}
						}
					}
				}
			})
		}
		// A table for each lane, all the same, gives what a shared one does.
		one, each := q, q
		laneAddComb(&one, &comb, &digits, &signs)
		kernels.P256CombLanesAddIFMA512(each.words(), &lanesTable, &digits, &signs)
		if one != each {
			t.Error("CombAdd and CombLanesAdd differ")
		}
		// The repeated square modulo n, which nothing but these tests needs yet.
		for n := 1; n < 20; n++ {
			a, b := x, x
			kernels.P256OrderSqrIFMA512(a.words(), a.words(), n)
			for range n {
				laneOrderMul(&b, &b, &b)
			}
			for l := range Lanes {
				if v := new(big.Int).Sub(a.get(t, l), b.get(t, l)); v.Mod(v, curve.N).Sign() != 0 {
					t.Fatalf("%d squarings modulo n differ from products", n)
				}
			}
		}
	})
}
