//go:build (amd64 || arm64) && !purego

package residue

import (
	"fmt"
	"strings"
	"unsafe"

	"github.com/fastcrypto-go/fastcrypto/internal/impl"
)

// An array is what a pointer of a kernel leads to.
type array struct {
	n      int  // bytes
	words  bool // of 64-bit words: its address is a multiple of 8
	out    bool // the kernel writes to it
	in     bool // the kernel reads it
	public bool // what it holds is
	// most is what each word is at most, for numbers with a range: as a mask.
	most uint64
	// set, if it is not nil, makes the contents of random bytes.
	set func(b []byte)
}

func in(n int) array       { return array{n: n, in: true} }
func out(n int) array      { return array{n: n, out: true} }
func inout(n int) array    { return array{n: n, in: true, out: true} }
func (a array) pub() array { a.public = true; return a }

// numbers are n words each, as a mask of words says.
func (a array) wide(most uint64) array { a.n *= 8; a.words = true; a.most = most; return a }

// A kernelCase is a call of one kernel.
type kernelCase struct {
	name    string
	variant string
	of      *impl.Primitive // nil for what needs no feature
	tier    impl.Tier
	arrays  []array // as the kernel's pointers, in their order; then what these lead to
	call    func(p []unsafe.Pointer)
}

func (c *kernelCase) String() string {
	if c.variant == "" {
		return c.name
	}
	return c.name + "/" + c.variant
}

// byValue is how many bytes of secrets are arguments and results by value: those lie
// in the caller's frame.
func (c *kernelCase) byValue() int {
	for _, prefix := range []string{"P256SelectAffine", "P256PointAddMixed", "P256PointAdd"} {
		if suffix, ok := strings.CutPrefix(c.name, prefix); ok && (suffix == "ADX" || suffix == "NEON") {
			return 16
		}
	}
	return 0
}

// runs reports whether the kernel's tier can run here.
func (c *kernelCase) runs() error {
	if c.of == nil {
		return nil
	}
	restore, err := c.of.Force(c.tier)
	if err != nil {
		return err
	}
	restore()
	return nil
}

// twoSecrets allocates the case's arrays and gives each two contents, which differ in
// what is secret only. set writes the one or the other (0 or 1) into the arrays.
func (c *kernelCase) twoSecrets(random func([]byte)) (set func(which int), pointers []unsafe.Pointer) {
	contents := make([][2][]byte, len(c.arrays))
	places := make([][]byte, len(c.arrays))
	pointers = make([]unsafe.Pointer, len(c.arrays))
	for i, a := range c.arrays {
		places[i] = unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(make([]uint64, a.n/8+2)))), a.n+8)[:a.n]
		pointers[i] = unsafe.Pointer(unsafe.SliceData(places[i]))
		for which := range contents[i] {
			contents[i][which] = make([]byte, a.n+8)[:a.n]
			if which == 1 && a.public {
				contents[i][1] = contents[i][0]
			} else {
				a.fill(contents[i][which], random)
			}
		}
	}
	return func(which int) {
		for i := range places {
			copy(places[i], contents[i][which])
		}
	}, pointers
}

func (a array) fill(b []byte, random func([]byte)) {
	random(b)
	if a.words && a.most != 0 {
		for i := 0; i < len(b); i += 8 {
			*(*uint64)(unsafe.Pointer(&b[i])) &= a.most
		}
	}
	if a.set != nil {
		a.set(b)
	}
}

// gcmCases are those of one tier of AES-GCM and AES-CTR; T is its table.
type gcmKernels[T any] struct {
	suffix                 string
	tier                   impl.Tier
	seal, open             func(dst, src *byte, n int, tag *[16]byte, nonce *byte, nonceLen int, ad *byte, adLen int, rk *[240]byte, rounds int, table *T)
	sealBlocks, openBlocks func(dst, src *byte, n int, ctr, y *[16]byte, rk *[240]byte, rounds int, table *T)
	ctr                    func(dst, src *byte, n int, hi, lo uint64, rk *[240]byte, rounds int)
}

func (g *gcmKernels[T]) cases() (all []kernelCase) {
	var t T
	table := array{n: int(unsafe.Sizeof(t)), in: true}
	type message = func(dst, src *byte, n int, tag *[16]byte, nonce *byte, nonceLen int, ad *byte, adLen int, rk *[240]byte, rounds int, table *T)
	for i, l := range [][2]int{{1, 0}, {15, 1}, {16, 16}, {33, 13}, {64, 31}, {129, 64}, {200, 100}, {255, 5}, {300, 260}, {777, 20}, {1100, 1}} {
		rounds, nonce := 10+2*(i%3), 12+4*(i%2)
		for _, k := range []struct {
			name string
			f    message
			open bool
		}{{"GCMSeal", g.seal, false}, {"GCMOpen", g.open, true}} {
			dst, src := out(l[0]), in(l[0])
			if k.open {
				src = src.pub()
			} else {
				dst = dst.pub()
			}
			all = append(all, kernelCase{name: k.name + g.suffix, variant: fmt.Sprintf("n=%d,ad=%d", l[0], l[1]), of: impl.GCM, tier: g.tier,
				arrays: []array{dst, src, out(16), in(nonce).pub(), in(l[1]).pub(), in(16 * (rounds + 1)), table},
				call: func(p []unsafe.Pointer) {
					k.f((*byte)(p[0]), (*byte)(p[1]), l[0], (*[16]byte)(p[2]), (*byte)(p[3]), nonce, (*byte)(p[4]), l[1], (*[240]byte)(p[5]), rounds, (*T)(p[6]))
				}})
		}
	}
	type blocks = func(dst, src *byte, n int, ctr, y *[16]byte, rk *[240]byte, rounds int, table *T)
	for i, n := range []int{16, 48, 128, 256, 272, 528, 1040} {
		rounds := 10 + 2*(i%3)
		for _, k := range []struct {
			name string
			f    blocks
		}{{"GCMSealBlocks", g.sealBlocks}, {"GCMOpenBlocks", g.openBlocks}} {
			all = append(all, kernelCase{name: k.name + g.suffix, variant: fmt.Sprint("n=", n), of: impl.GCM, tier: g.tier,
				arrays: []array{out(n), in(n), in(16), inout(16), in(16 * (rounds + 1)), table},
				call: func(p []unsafe.Pointer) {
					k.f((*byte)(p[0]), (*byte)(p[1]), n, (*[16]byte)(p[2]), (*[16]byte)(p[3]), (*[240]byte)(p[4]), rounds, (*T)(p[5]))
				}})
		}
	}
	for i, n := range []int{1, 16, 31, 64, 130, 255, 513, 1100} {
		rounds := 10 + 2*(i%3)
		all = append(all, kernelCase{name: "CTR" + g.suffix, variant: fmt.Sprint("n=", n), of: impl.CTR, tier: g.tier,
			arrays: []array{out(n), in(n), in(16 * (rounds + 1))},
			call: func(p []unsafe.Pointer) {
				g.ctr((*byte)(p[0]), (*byte)(p[1]), n, 1, 0xfffffffffffffff0-uint64(n), (*[240]byte)(p[2]), rounds)
			}})
	}
	return all
}

func expandKeyCases(tier impl.Tier, f func(rk *[240]byte, key *byte, rounds int)) (all []kernelCase) {
	for _, rounds := range []int{10, 12, 14} {
		all = append(all, kernelCase{name: "AESExpandKey", variant: fmt.Sprint("rounds=", rounds), of: impl.GCM, tier: tier,
			arrays: []array{out(16 * (rounds + 1)), in(4 * (rounds - 6))},
			call:   func(p []unsafe.Pointer) { f((*[240]byte)(p[0]), (*byte)(p[1]), rounds) }})
	}
	return all
}

// gcmInitCases has the bytes of the table that the kernel writes.
func gcmInitCases[T any](suffix string, tier impl.Tier, written int, f func(table *T, rk *[240]byte, rounds int, h *[16]byte)) (all []kernelCase) {
	for _, rounds := range []int{10, 12, 14} {
		all = append(all, kernelCase{name: "GCMInit" + suffix, variant: fmt.Sprint("rounds=", rounds), of: impl.GCM, tier: tier,
			arrays: []array{out(written), in(16 * (rounds + 1)), out(16)},
			call:   func(p []unsafe.Pointer) { f((*T)(p[0]), (*[240]byte)(p[1]), rounds, (*[16]byte)(p[2])) }})
	}
	return all
}

func gcmHashCases[T any](suffix string, tier impl.Tier, f func(y *[16]byte, data *byte, n int, table *T)) (all []kernelCase) {
	var t T
	for _, n := range []int{1, 16, 31, 64, 130, 255, 513, 1100} {
		all = append(all, kernelCase{name: "GCMHash" + suffix, variant: fmt.Sprint("n=", n), of: impl.GCM, tier: tier,
			arrays: []array{inout(16), in(n), in(int(unsafe.Sizeof(t)))},
			call:   func(p []unsafe.Pointer) { f((*[16]byte)(p[0]), (*byte)(p[1]), n, (*T)(p[2])) }})
	}
	return all
}

func hChaChaCase(name string, of *impl.Primitive, tier impl.Tier, f func(out, key *[32]byte, nonce *[16]byte)) kernelCase {
	return kernelCase{name: name, of: of, tier: tier, arrays: []array{out(32), in(32), in(16).pub()},
		call: func(p []unsafe.Pointer) { f((*[32]byte)(p[0]), (*[32]byte)(p[1]), (*[16]byte)(p[2])) }}
}

// polyState is h, r and s: the highest limb of h is at most 4, and r is clamped.
func polyState() array {
	a := inout(7).wide(0)
	a.set = func(b []byte) {
		w := (*[7]uint64)(unsafe.Pointer(&b[0]))
		w[2] &= 3
		w[3] &= 0x0ffffffc0fffffff
		w[4] &= 0x0ffffffc0ffffffc
	}
	return a
}

// below64 is words that make numbers below both primes of the curve.
const below64 = 0x7fffffffffffffff

// p256Kernels have the same arguments on both architectures.
type p256Kernels struct {
	suffix        string
	tier          impl.Tier
	mul, orderMul func(z, x, y *[4]uint64)
	sqr, orderSqr func(z, x *[4]uint64, n uint64)
	inverse       func(z, x *[4]uint64, c *[9]uint64)
	double        func(z, x *[12]uint64, n uint64)
	addMixed      func(z, x *[12]uint64, y *[8]uint64) (h, r uint64)
	add           func(z, x, y *[12]uint64) (h, r uint64)
	selectAffine  func(z, table *[8]uint64, n, index, negate uint64)
}

// modulusP is what inversion needs to know of the field's prime.
var modulusP = [9]uint64{
	0xffffffffffffffff, 0x00000000ffffffff, 0, 0xffffffff00000001, 1,
	0x0000030000000500, 0xfffffa0000000000, 0xfffffefffffffbff, 0x000002fffffffaff,
}

func (k *p256Kernels) cases() (all []kernelCase) {
	add := func(name, variant string, arrays []array, call func(p []unsafe.Pointer)) {
		all = append(all, kernelCase{name: name + k.suffix, variant: variant, of: impl.P256, tier: k.tier, arrays: arrays, call: call})
	}
	num := func(n int) array { return in(n).wide(below64) }
	res := func(n int) array { return out(n).wide(0) }
	type four = *[4]uint64
	add("P256Mul", "", []array{res(4), num(4), num(4)}, func(p []unsafe.Pointer) { k.mul(four(p[0]), four(p[1]), four(p[2])) })
	add("P256OrderMul", "", []array{res(4), num(4), num(4)}, func(p []unsafe.Pointer) { k.orderMul(four(p[0]), four(p[1]), four(p[2])) })
	for _, n := range []uint64{1, 2, 5} {
		v := fmt.Sprint("n=", n)
		add("P256Sqr", v, []array{res(4), num(4)}, func(p []unsafe.Pointer) { k.sqr(four(p[0]), four(p[1]), n) })
		add("P256OrderSqr", v, []array{res(4), num(4)}, func(p []unsafe.Pointer) { k.orderSqr(four(p[0]), four(p[1]), n) })
		add("P256PointDouble", v, []array{res(12), num(12)}, func(p []unsafe.Pointer) { k.double((*[12]uint64)(p[0]), (*[12]uint64)(p[1]), n) })
	}
	constants := in(9).wide(0).pub()
	constants.set = func(b []byte) { *(*[9]uint64)(unsafe.Pointer(&b[0])) = modulusP }
	add("P256Inverse", "", []array{res(4), num(4), constants}, func(p []unsafe.Pointer) { k.inverse(four(p[0]), four(p[1]), (*[9]uint64)(p[2])) })
	add("P256PointAddMixed", "", []array{res(12), num(12), num(8)}, func(p []unsafe.Pointer) {
		k.addMixed((*[12]uint64)(p[0]), (*[12]uint64)(p[1]), (*[8]uint64)(p[2]))
	})
	add("P256PointAdd", "", []array{res(12), num(12), num(12)}, func(p []unsafe.Pointer) {
		k.add((*[12]uint64)(p[0]), (*[12]uint64)(p[1]), (*[12]uint64)(p[2]))
	})
	// The index and the sign come by value: they are secret, and in a third array here.
	choice := in(1).wide(0)
	for _, n := range []uint64{4, 16, 32} {
		add("P256SelectAffine", fmt.Sprint("n=", n), []array{res(8), num(int(8 * n)).pub(), choice}, func(p []unsafe.Pointer) {
			c := *(*uint64)(p[2])
			k.selectAffine((*[8]uint64)(p[0]), (*[8]uint64)(p[1]), n, c%n, c>>63)
		})
	}
	return all
}
