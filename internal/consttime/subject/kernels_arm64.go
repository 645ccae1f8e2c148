//go:build !purego

package main

import (
	"fmt"

	"github.com/fastcrypto-go/fastcrypto/internal/impl"
	kernels "github.com/fastcrypto-go/fastcrypto/kernels_arm64"
)

var (
	gcmMessages = messages(0, 280, 300, 384, 515, 640, 782, 1024, 1331)
	gcmBlocks   = numbers(1, 280, 300, 384, 515, 640, 782, 1024)
	gcmTexts    = numbers(1, 150, 160, 199, 256, 257, 300, 383, 384, 431, 512, 517, 640, 783, 1024)
)

func kernelSubjects() []subject {
	var all []subject
	all = append(all, expandKey(impl.GCM, impl.PMULL, kernels.AESExpandKey)...)
	all = append(all, gcmInit("PMULL", impl.PMULL, kernels.GCMInitPMULL)...)
	all = append(all, gcmHash("PMULL", impl.PMULL, append(gcmTexts, 0), kernels.GCMHashPMULL)...)
	all = append(all, (&gcmKernels[[208]byte]{
		"PMULL", impl.PMULL, kernels.GCMSealPMULL, kernels.GCMOpenPMULL,
		kernels.GCMSealBlocksPMULL, kernels.GCMOpenBlocksPMULL, kernels.CTRPMULL, gcmMessages, gcmBlocks, gcmTexts,
	}).subjects()...)
	all = append(all, (&gcmKernels[[208]byte]{
		"EOR3", impl.EOR3, kernels.GCMSealEOR3, kernels.GCMOpenEOR3,
		kernels.GCMSealBlocksEOR3, kernels.GCMOpenBlocksEOR3, kernels.CTREOR3, gcmMessages, gcmBlocks, gcmTexts,
	}).subjects()...)

	chachaMessages := messages(0, 330, 384, 448, 511, 512, 513, 640, 700, 768, 1024, 1100, 1536, 2049)
	for _, k := range []struct {
		name string
		tier impl.Tier
		f    func(dst, src *byte, n int, ad *byte, adn int, key *[32]byte, nonce *[12]byte, tag *[16]byte, open bool, first uint32)
	}{
		{"ChaCha20Poly1305NEON", impl.NEON, kernels.ChaCha20Poly1305NEON},
		{"ChaCha20Poly1305SVE2", impl.SVE2, kernels.ChaCha20Poly1305SVE2},
	} {
		for _, l := range chachaMessages {
			for _, open := range []bool{false, true} {
				all = append(all, kernel(k.name, fmt.Sprintf("%v,open=%v", l, open), impl.ChaCha, k.tier, fillChaCha(l), func() {
					k.f(&mem.dst[0], &mem.src[0], l.n, &mem.ad[0], l.ad, (*[32]byte)(mem.key[:]), (*[12]byte)(mem.nonce[:]), &mem.tag, open, mem.counter)
				}))
			}
		}
	}
	all = append(all, hChaCha("HChaCha20NEON", impl.ChaCha, impl.NEON, kernels.HChaCha20NEON))

	poly := func(name string, n int, run func()) {
		all = append(all, kernel(name, fmt.Sprintf("n=%d", n), impl.Poly1305, impl.NEON, func(s *secret) {
			fillPoly(n)(s)
			s.bytes(mem.key[:])
		}, run))
	}
	for _, n := range []int{0, 1, 2, 3, 4, 8, 13, 16, 21, 64, 200, 511, 512, 700, 1100} {
		poly("Poly1305SumNEON", n, func() { kernels.Poly1305SumNEON(&mem.tag, &mem.src[0], n, (*[32]byte)(mem.key[:])) })
	}
	for _, n := range []int{0, 16, 48, 256, 512, 528, 640, 1104} {
		poly("Poly1305UpdateNEON", n, func() { kernels.Poly1305UpdateNEON(&mem.poly, &mem.src[0], n) })
	}
	for n := range 16 {
		poly("Poly1305FinishNEON", n, func() { kernels.Poly1305FinishNEON(&mem.tag, &mem.poly, &mem.src[0], n) })
	}

	neon := &p256Kernels{
		"NEON", impl.NEON, kernels.P256MulNEON, kernels.P256OrderMulNEON, kernels.P256SqrNEON, kernels.P256OrderSqrNEON,
		kernels.P256InverseNEON, kernels.P256PointDoubleNEON, kernels.P256PointAddMixedNEON, kernels.P256PointAddNEON,
		kernels.P256SelectAffineNEON, inverseP, inverseN,
	}
	return append(all, neon.subjects()...)
}
