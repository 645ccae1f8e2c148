//go:build !purego

package residue

import (
	"fmt"
	"unsafe"

	"github.com/fastcrypto-go/fastcrypto/internal/impl"
	kernels "github.com/fastcrypto-go/fastcrypto/kernels_arm64"
)

const kernelDirectory = "../../kernels_arm64"

// unneeded are functions without pointers.
var unneeded []string

func kernelCases() (all []kernelCase) {
	all = append(all, expandKeyCases(impl.PMULL, kernels.AESExpandKey)...)
	all = append(all, gcmInitCases("PMULL", impl.PMULL, 208, kernels.GCMInitPMULL)...)
	all = append(all, gcmHashCases("PMULL", impl.PMULL, kernels.GCMHashPMULL)...)
	all = append(all, (&gcmKernels[[208]byte]{"PMULL", impl.PMULL, kernels.GCMSealPMULL, kernels.GCMOpenPMULL,
		kernels.GCMSealBlocksPMULL, kernels.GCMOpenBlocksPMULL, kernels.CTRPMULL}).cases()...)
	all = append(all, (&gcmKernels[[208]byte]{"EOR3", impl.EOR3, kernels.GCMSealEOR3, kernels.GCMOpenEOR3,
		kernels.GCMSealBlocksEOR3, kernels.GCMOpenBlocksEOR3, kernels.CTREOR3}).cases()...)

	for _, k := range []struct {
		name string
		tier impl.Tier
		f    func(dst, src *byte, n int, ad *byte, adn int, key *[32]byte, nonce *[12]byte, tag *[16]byte, open bool, first uint32)
	}{
		{"ChaCha20Poly1305NEON", impl.NEON, kernels.ChaCha20Poly1305NEON},
		{"ChaCha20Poly1305SVE2", impl.SVE2, kernels.ChaCha20Poly1305SVE2},
	} {
		for _, l := range [][2]int{{1, 0}, {15, 13}, {16, 1}, {33, 16}, {63, 33}, {64, 100}, {65, 0}, {200, 1}, {257, 16}, {600, 200}, {1100, 5}} {
			for _, open := range []bool{false, true} {
				all = append(all, kernelCase{name: k.name, variant: fmt.Sprintf("n=%d,ad=%d,open=%v", l[0], l[1], open), of: impl.ChaCha, tier: k.tier,
					arrays: []array{out(l[0]), in(l[0]), in(l[1]).pub(), in(32), in(12).pub(), out(16)},
					call: func(p []unsafe.Pointer) {
						k.f((*byte)(p[0]), (*byte)(p[1]), l[0], (*byte)(p[2]), l[1], (*[32]byte)(p[3]), (*[12]byte)(p[4]), (*[16]byte)(p[5]), open, 0)
					}})
			}
		}
	}
	all = append(all, hChaChaCase("HChaCha20NEON", impl.ChaCha, impl.NEON, kernels.HChaCha20NEON))

	for _, n := range []int{1, 2, 4, 8, 13, 16, 21, 64, 200, 511, 700, 1100} {
		all = append(all, kernelCase{name: "Poly1305SumNEON", variant: fmt.Sprint("n=", n), of: impl.Poly1305, tier: impl.NEON,
			arrays: []array{out(16), in(n), in(32)},
			call: func(p []unsafe.Pointer) {
				kernels.Poly1305SumNEON((*[16]byte)(p[0]), (*byte)(p[1]), n, (*[32]byte)(p[2]))
			}})
	}
	for _, n := range []int{16, 48, 256, 528, 1104} {
		all = append(all, kernelCase{name: "Poly1305UpdateNEON", variant: fmt.Sprint("n=", n), of: impl.Poly1305, tier: impl.NEON,
			arrays: []array{polyState(), in(n)},
			call:   func(p []unsafe.Pointer) { kernels.Poly1305UpdateNEON((*[7]uint64)(p[0]), (*byte)(p[1]), n) }})
	}
	for n := 1; n < 16; n++ {
		st := polyState()
		st.out = false
		all = append(all, kernelCase{name: "Poly1305FinishNEON", variant: fmt.Sprint("n=", n), of: impl.Poly1305, tier: impl.NEON,
			arrays: []array{out(16), st, in(n)},
			call: func(p []unsafe.Pointer) {
				kernels.Poly1305FinishNEON((*[16]byte)(p[0]), (*[7]uint64)(p[1]), (*byte)(p[2]), n)
			}})
	}
	return append(all, (&p256Kernels{"NEON", impl.NEON, kernels.P256MulNEON, kernels.P256OrderMulNEON, kernels.P256SqrNEON, kernels.P256OrderSqrNEON,
		kernels.P256InverseNEON, kernels.P256PointDoubleNEON, kernels.P256PointAddMixedNEON, kernels.P256PointAddNEON, kernels.P256SelectAffineNEON}).cases()...)
}
