//go:build !purego

package residue

import (
	"fmt"
	"unsafe"

	"github.com/fastcrypto-go/fastcrypto/internal/impl"
	kernels "github.com/fastcrypto-go/fastcrypto/kernels_amd64"
)

const kernelDirectory = "../../kernels_amd64"

// unneeded are functions without pointers.
var unneeded = []string{"CPUID", "XCR0"}

func kernelCases() (all []kernelCase) {
	all = append(all, expandKeyCases(impl.AESNI, kernels.AESExpandKey)...)
	all = append(all, gcmInitCases("AESNI", impl.AESNI, 512, kernels.GCMInitAESNI)...)
	all = append(all, gcmInitCases("VAES256", impl.VAES256, 576, kernels.GCMInitVAES256)...)
	all = append(all, gcmInitCases("VAES512", impl.VAES512, 576, kernels.GCMInitVAES512)...)
	all = append(all, gcmHashCases("AESNI", impl.AESNI, kernels.GCMHashAESNI)...)
	all = append(all, gcmHashCases("VAES256", impl.VAES256, kernels.GCMHashVAES256)...)
	all = append(all, gcmHashCases("VAES512", impl.VAES512, kernels.GCMHashVAES512)...)
	all = append(all, gcmNonceCases("AESNI", impl.AESNI, kernels.GCMNonceAESNI)...)
	all = append(all, gcmNonceCases("VAES256", impl.VAES256, kernels.GCMNonceVAES256)...)
	all = append(all, gcmNonceCases("VAES512", impl.VAES512, kernels.GCMNonceVAES512)...)
	all = append(all, (&gcmKernels[[512]byte]{"AESNI", impl.AESNI, kernels.GCMSealAESNI, kernels.GCMOpenAESNI,
		kernels.GCMSealBlocksAESNI, kernels.GCMOpenBlocksAESNI, kernels.CTRAESNI}).cases()...)
	all = append(all, (&gcmKernels[[576]byte]{"VAES256", impl.VAES256, kernels.GCMSealVAES256, kernels.GCMOpenVAES256,
		kernels.GCMSealBlocksVAES256, kernels.GCMOpenBlocksVAES256, kernels.CTRVAES256}).cases()...)
	all = append(all, (&gcmKernels[[624]byte]{"VAES512", impl.VAES512, kernels.GCMSealVAES512, kernels.GCMOpenVAES512,
		kernels.GCMSealBlocksVAES512, kernels.GCMOpenBlocksVAES512, kernels.CTRVAES512}).cases()...)
	for _, holds := range []int{0, 1} {
		for _, n := range []int{512, 1536} {
			all = append(all, kernelCase{name: "GCMSealChunksVAES512", variant: fmt.Sprintf("n=%d,holds=%d", n, holds), of: impl.GCM, tier: impl.VAES512,
				arrays: []array{out(n), in(n), inout(768), in(16), inout(16), in(176), in(624)},
				call: func(p []unsafe.Pointer) {
					kernels.GCMSealChunksVAES512((*byte)(p[0]), (*byte)(p[1]), n, (*[768]byte)(p[2]), 512*holds, (*[16]byte)(p[3]), 7,
						(*[16]byte)(p[4]), (*[240]byte)(p[5]), 10, (*[624]byte)(p[6]))
				}})
		}
		for _, n := range []int{256, 512, 1536} {
			held := array{n: 256, in: holds == 1, out: true}.pub()
			all = append(all, kernelCase{name: "GCMSealChunksAESNI", variant: fmt.Sprintf("n=%d,holds=%d", n, holds), of: impl.GCM, tier: impl.AESNI,
				arrays: []array{out(n), in(n), held, in(16), inout(16), in(176), in(512)},
				call: func(p []unsafe.Pointer) {
					kernels.GCMSealChunksAESNI((*byte)(p[0]), (*byte)(p[1]), n, (*[256]byte)(p[2]), 256*holds, (*[16]byte)(p[3]), 7,
						(*[16]byte)(p[4]), (*[240]byte)(p[5]), 10, (*[512]byte)(p[6]))
				}})
			for _, low := range []int{7, 250, 256} {
				all = append(all, kernelCase{name: "GCMSealChunksVAES256", variant: fmt.Sprintf("n=%d,holds=%d,low=%d", n, holds, low), of: impl.GCM, tier: impl.VAES256,
					arrays: []array{out(n), in(n), held, in(16), inout(16), in(176), in(576)},
					call: func(p []unsafe.Pointer) {
						kernels.GCMSealChunksVAES256((*byte)(p[0]), (*byte)(p[1]), n, (*[256]byte)(p[2]), 256*holds, (*[16]byte)(p[3]), 1<<8|uint32(low&255), low,
							(*[16]byte)(p[4]), (*[240]byte)(p[5]), 10, (*[576]byte)(p[6]))
					}})
			}
		}
	}

	type chacha = func(dst, src *byte, n int, tag *[16]byte, key *[32]byte, nonce *[12]byte, counter uint32, ad *byte, adLen int)
	short := [][2]int{{1, 0}, {15, 13}, {16, 1}, {33, 16}, {63, 33}, {64, 100}}
	long := [][2]int{{65, 0}, {128, 13}, {200, 1}, {257, 16}, {400, 200}, {600, 31}, {1100, 5}, {2100, 64}}
	for _, k := range []struct {
		name    string
		tier    impl.Tier
		f       chacha
		lengths [][2]int
	}{
		{"ChaCha20Poly1305SealShortSSSE3", impl.SSSE3, kernels.ChaCha20Poly1305SealShortSSSE3, short},
		{"ChaCha20Poly1305OpenShortSSSE3", impl.SSSE3, kernels.ChaCha20Poly1305OpenShortSSSE3, short},
		{"ChaCha20Poly1305SealSSSE3", impl.SSSE3, kernels.ChaCha20Poly1305SealSSSE3, long},
		{"ChaCha20Poly1305OpenSSSE3", impl.SSSE3, kernels.ChaCha20Poly1305OpenSSSE3, long},
		{"ChaCha20Poly1305SealShortAVX2", impl.AVX2, kernels.ChaCha20Poly1305SealShortAVX2, short},
		{"ChaCha20Poly1305OpenShortAVX2", impl.AVX2, kernels.ChaCha20Poly1305OpenShortAVX2, short},
		{"ChaCha20Poly1305SealAVX2", impl.AVX2, kernels.ChaCha20Poly1305SealAVX2, long},
		{"ChaCha20Poly1305OpenAVX2", impl.AVX2, kernels.ChaCha20Poly1305OpenAVX2, long},
		{"ChaCha20Poly1305SealShortAVX512", impl.AVX512, kernels.ChaCha20Poly1305SealShortAVX512, short},
		{"ChaCha20Poly1305OpenShortAVX512", impl.AVX512, kernels.ChaCha20Poly1305OpenShortAVX512, short},
		{"ChaCha20Poly1305SealAVX512", impl.AVX512, kernels.ChaCha20Poly1305SealAVX512, long},
		{"ChaCha20Poly1305OpenAVX512", impl.AVX512, kernels.ChaCha20Poly1305OpenAVX512, long},
	} {
		for _, l := range k.lengths {
			all = append(all, kernelCase{name: k.name, variant: fmt.Sprintf("n=%d,ad=%d", l[0], l[1]), of: impl.ChaCha, tier: k.tier,
				arrays: []array{out(l[0]), in(l[0]), out(16), in(32), in(12).pub(), in(l[1]).pub()},
				call: func(p []unsafe.Pointer) {
					k.f((*byte)(p[0]), (*byte)(p[1]), l[0], (*[16]byte)(p[2]), (*[32]byte)(p[3]), (*[12]byte)(p[4]), 1, (*byte)(p[5]), l[1])
				}})
		}
	}
	all = append(all, hChaChaCase("HChaCha20", nil, impl.Generic, kernels.HChaCha20))

	for _, k := range []struct {
		name   string
		tier   impl.Tier
		f      func(st *[7]uint64, p *byte, blocks int)
		blocks []int
	}{
		{"Poly1305BlocksADX", impl.ADX, kernels.Poly1305BlocksADX, []int{1, 2, 3, 16}},
		{"Poly1305BlocksAVX2", impl.AVX2, kernels.Poly1305BlocksAVX2, []int{4, 12, 20, 68}},
	} {
		for _, n := range k.blocks {
			all = append(all, kernelCase{name: k.name, variant: fmt.Sprint("blocks=", n), of: impl.Poly1305, tier: k.tier,
				arrays: []array{polyState(), in(16 * n)},
				call:   func(p []unsafe.Pointer) { k.f((*[7]uint64)(p[0]), (*byte)(p[1]), n) }})
		}
	}
	for _, use := range []int{0, 1, 2} {
		for _, n := range []int{4, 7, 8, 17, 24, 31, 33, 63, 100} {
			// Limbs of 44 bits.
			powers := array{n: 24, in: use == 2, out: use == 1}.wide(1<<44 - 1)
			all = append(all, kernelCase{name: "Poly1305BlocksIFMA512", variant: fmt.Sprintf("blocks=%d,use=%d", n, use), of: impl.Poly1305, tier: impl.IFMA512,
				arrays: []array{polyState(), in(16 * n), powers},
				call: func(p []unsafe.Pointer) {
					kernels.Poly1305BlocksIFMA512((*[7]uint64)(p[0]), (*byte)(p[1]), n, (*[24]uint64)(p[2]), use)
				}})
		}
	}
	for _, n := range []int{1, 2, 4, 7, 8, 13, 15, 16, 17, 64} {
		st := polyState()
		st.out = false
		all = append(all, kernelCase{name: "Poly1305TagADX", variant: fmt.Sprint("n=", n), of: impl.Poly1305, tier: impl.ADX,
			arrays: []array{out(16), st, in(n)},
			call: func(p []unsafe.Pointer) {
				kernels.Poly1305TagADX((*[16]byte)(p[0]), (*[7]uint64)(p[1]), (*byte)(p[2]), n)
			}})
	}

	all = append(all, (&p256Kernels{"ADX", impl.ADX, kernels.P256MulADX, kernels.P256OrderMulADX, kernels.P256SqrADX, kernels.P256OrderSqrADX,
		kernels.P256InverseADX, kernels.P256PointDoubleADX, kernels.P256PointAddMixedADX, kernels.P256PointAddADX, kernels.P256SelectAffineADX}).cases()...)
	all = append(all, kernelCase{name: "P256PointAddCoZADX", of: impl.P256, tier: impl.ADX,
		arrays: []array{out(8).wide(0), in(8).wide(below64), inout(12).wide(below64), out(4).wide(0)},
		call: func(p []unsafe.Pointer) {
			kernels.P256PointAddCoZADX((*[8]uint64)(p[0]), (*[8]uint64)(p[1]), (*[12]uint64)(p[2]), (*[4]uint64)(p[3]))
		}})
	return append(all, laneCases()...)
}

const limb52 = 1<<52 - 1

// laneCases are the kernels that compute in eight lanes. Limbs of up to 48 bits in the
// uppermost place keep numbers below 16 times the modulus.
func laneCases() (all []kernelCase) {
	add := func(name string, arrays []array, call func(p []unsafe.Pointer)) {
		all = append(all, kernelCase{name: name + "IFMA512", of: impl.P256Batch, tier: impl.IFMA512, arrays: arrays, call: call})
	}
	// elements are numbers in lanes, below the primes.
	elements := func(a array) array {
		a = a.wide(limb52)
		a.set = func(b []byte) {
			for i := range len(b) / 320 {
				for j := 32; j < 40; j++ {
					*(*uint64)(unsafe.Pointer(&b[320*i+8*j])) &= 1<<47 - 1
				}
			}
		}
		return a
	}
	e, r := func(n int) array { return elements(in(40 * n)) }, func(n int) array { return out(40 * n).wide(0) }
	both := func(n int) array { return elements(inout(40 * n)) }
	type one = *[40]uint64
	type point = *[120]uint64
	add("P256Mul", []array{r(1), e(1), e(1)}, func(p []unsafe.Pointer) { kernels.P256MulIFMA512(one(p[0]), one(p[1]), one(p[2])) })
	add("P256OrderMul", []array{r(1), e(1), e(1)}, func(p []unsafe.Pointer) { kernels.P256OrderMulIFMA512(one(p[0]), one(p[1]), one(p[2])) })
	add("P256Sqr", []array{r(1), e(1)}, func(p []unsafe.Pointer) { kernels.P256SqrIFMA512(one(p[0]), one(p[1]), 3) })
	add("P256OrderSqr", []array{r(1), e(1)}, func(p []unsafe.Pointer) { kernels.P256OrderSqrIFMA512(one(p[0]), one(p[1]), 3) })
	add("P256OrderAdd", []array{r(1), e(1), e(1)}, func(p []unsafe.Pointer) { kernels.P256OrderAddIFMA512(one(p[0]), one(p[1]), one(p[2])) })
	add("P256Double", []array{both(3)}, func(p []unsafe.Pointer) { kernels.P256DoubleIFMA512(point(p[0]), 3) })
	add("P256AddDistinct", []array{r(3), e(3), e(3)}, func(p []unsafe.Pointer) {
		kernels.P256AddDistinctIFMA512(point(p[0]), point(p[1]), point(p[2]))
	})
	add("P256Add", []array{both(3), e(3)}, func(p []unsafe.Pointer) { kernels.P256AddIFMA512(point(p[0]), point(p[1])) })
	add("P256ToLanes", []array{r(1), in(32).wide(below64)}, func(p []unsafe.Pointer) { kernels.P256ToLanesIFMA512(one(p[0]), (*[32]uint64)(p[1])) })
	add("P256FromLanes", []array{out(32).wide(0), e(1)}, func(p []unsafe.Pointer) { kernels.P256FromLanesIFMA512((*[32]uint64)(p[0]), one(p[1])) })
	digits := func(most uint64) array {
		a := in(8).wide(0)
		a.set = func(b []byte) {
			for i := range 8 {
				w := (*uint64)(unsafe.Pointer(&b[8*i]))
				*w %= most + 1
			}
		}
		return a
	}
	signs := in(8).wide(1 << 63)
	add("P256CombAdd", []array{both(3), e(8).pub(), digits(32), signs}, func(p []unsafe.Pointer) {
		kernels.P256CombAddIFMA512(point(p[0]), (*[320]uint64)(p[1]), (*[8]uint64)(p[2]), (*[8]uint64)(p[3]))
	})
	add("P256CombLanesAdd", []array{both(3), e(64).pub(), digits(32), signs}, func(p []unsafe.Pointer) {
		kernels.P256CombLanesAddIFMA512(point(p[0]), (*[2560]uint64)(p[1]), (*[8]uint64)(p[2]), (*[8]uint64)(p[3]))
	})
	add("P256TableAdd", []array{both(3), e(48).pub(), digits(16), signs}, func(p []unsafe.Pointer) {
		kernels.P256TableAddIFMA512(point(p[0]), (*[1920]uint64)(p[1]), (*[8]uint64)(p[2]), (*[8]uint64)(p[3]))
	})
	// The entries lead to three points, in arrays behind those of the pointers.
	const steps = 3
	entry := in(8).wide(below64).pub()
	add("P256SumVarTime", []array{r(3), in(8 * steps).wide(0).pub(), in(steps).pub(), entry, entry, entry}, func(p []unsafe.Pointer) {
		entries := (*[steps][8]*[8]uint64)(p[1])
		for i := range entries {
			for l := range entries[i] {
				entries[i][l] = (*[8]uint64)(p[3+i])
			}
		}
		kernels.P256SumVarTimeIFMA512(point(p[0]), (**[8]uint64)(p[1]), (*uint8)(p[2]), steps, 0xf0)
	})
	return all
}

func gcmNonceCases[T any](suffix string, tier impl.Tier, f func(j0 *[16]byte, nonce *byte, n int, table *T)) (all []kernelCase) {
	var t T
	for _, n := range []int{1, 2, 3, 5, 8, 13, 16, 31, 32, 47, 64, 65, 100, 127, 128} {
		all = append(all, kernelCase{name: "GCMNonce" + suffix, variant: fmt.Sprint("n=", n), of: impl.GCM, tier: tier,
			arrays: []array{out(16), in(n).pub(), in(int(unsafe.Sizeof(t)))},
			call:   func(p []unsafe.Pointer) { f((*[16]byte)(p[0]), (*byte)(p[1]), n, (*T)(p[2])) }})
	}
	return all
}
