//go:build !purego

package main

import (
	"fmt"

	"github.com/fastcrypto-go/fastcrypto/internal/impl"
	kernels "github.com/fastcrypto-go/fastcrypto/kernels_amd64"
)

var (
	gcmMessages = messages(0, 280, 0, 300, 384, 515, 640, 782, 1024, 1331, 2050, 2500)
	gcmBlocks   = numbers(16, 900, 1024, 1296, 2064, 2576)
	gcmTexts    = numbers(1, 290, 160, 199, 256, 257, 300, 383, 384, 431, 512, 517, 640, 783, 1024, 1040, 1100, 2060, 2577)
)

// wide adds lengths for tiers whose loops take more at once.
func wide(all []lengths) []lengths {
	for n := 290; n < 2200; n += 29 {
		all = append(all, messages(n, n+1)...)
		all = append(all, lengths{n + 7, n % 130})
	}
	return all
}

func kernelSubjects() []subject {
	var all []subject
	long512 := wide(gcmMessages)
	all = append(all, expandKey(impl.GCM, impl.AESNI, kernels.AESExpandKey)...)

	all = append(all, gcmInit("AESNI", impl.AESNI, kernels.GCMInitAESNI)...)
	all = append(all, gcmInit("VAES256", impl.VAES256, kernels.GCMInitVAES256)...)
	all = append(all, gcmInit("VAES512", impl.VAES512, kernels.GCMInitVAES512)...)
	all = append(all, gcmHash("AESNI", impl.AESNI, gcmTexts, kernels.GCMHashAESNI)...)
	all = append(all, gcmHash("VAES256", impl.VAES256, gcmTexts, kernels.GCMHashVAES256)...)
	all = append(all, gcmHash("VAES512", impl.VAES512, gcmTexts, kernels.GCMHashVAES512)...)
	all = append(all, gcmNonce("AESNI", impl.AESNI, kernels.GCMNonceAESNI)...)
	all = append(all, gcmNonce("VAES256", impl.VAES256, kernels.GCMNonceVAES256)...)
	all = append(all, gcmNonce("VAES512", impl.VAES512, kernels.GCMNonceVAES512)...)
	all = append(all, (&gcmKernels[[512]byte]{
		"AESNI", impl.AESNI, kernels.GCMSealAESNI, kernels.GCMOpenAESNI,
		kernels.GCMSealBlocksAESNI, kernels.GCMOpenBlocksAESNI, kernels.CTRAESNI, gcmMessages, gcmBlocks, gcmTexts,
	}).subjects()...)
	all = append(all, (&gcmKernels[[576]byte]{
		"VAES256", impl.VAES256, kernels.GCMSealVAES256, kernels.GCMOpenVAES256,
		kernels.GCMSealBlocksVAES256, kernels.GCMOpenBlocksVAES256, kernels.CTRVAES256, gcmMessages, gcmBlocks, gcmTexts,
	}).subjects()...)
	all = append(all, (&gcmKernels[[624]byte]{
		"VAES512", impl.VAES512, kernels.GCMSealVAES512, kernels.GCMOpenVAES512,
		kernels.GCMSealBlocksVAES512, kernels.GCMOpenBlocksVAES512, kernels.CTRVAES512, long512, gcmBlocks, append(gcmTexts, numbers(37, 2200)...),
	}).subjects()...)
	all = append(all, gcmEdges()...)

	// chunks adds the cases of a kernel for chunks of size bytes. Where it is told the last
	// byte of the counter, low, that is not secret, unless it is 256.
	chunks := func(name string, tier impl.Tier, size, held, table int, lows []int, f func(n, rounds, holds, low int)) {
		for i, n := range numbers(size, 2100, 4096) {
			for j, low := range lows {
				rounds, holds := 10+2*(i%3), size*((i+j+1)%2)
				all = append(all, kernel(name, fmt.Sprintf("n=%d,rounds=%d,holds=%d,low=%d", n, rounds, holds, low), impl.GCM, tier, func(s *secret) {
					s.bytes(mem.src[:n])
					s.bytes(mem.held[:held])
					s.bytes(mem.nonce[:])
					s.bytes(mem.state[:])
					s.bytes(mem.roundKeys[:])
					s.bytes(mem.gcmTable[:table])
					mem.counter = uint32(s.below(1 << 32))
					if low < 256 {
						mem.counter = mem.counter&^255 | uint32(low)
					}
				}, func() { f(n, rounds, holds, low) }))
			}
		}
	}
	chunks("GCMSealChunksVAES512", impl.VAES512, 512, 768, 624, []int{256}, func(n, rounds, holds, _ int) {
		kernels.GCMSealChunksVAES512(&mem.dst[0], &mem.src[0], n, &mem.held, holds, &mem.nonce, mem.counter, &mem.state,
			&mem.roundKeys, rounds, (*[624]byte)(mem.gcmTable[:]))
	})
	chunks("GCMSealChunksVAES256", impl.VAES256, 256, 256, 576, []int{2, 239, 256}, func(n, rounds, holds, low int) {
		kernels.GCMSealChunksVAES256(&mem.dst[0], &mem.src[0], n, (*[256]byte)(mem.held[:]), holds, &mem.nonce, mem.counter, low, &mem.state,
			&mem.roundKeys, rounds, (*[576]byte)(mem.gcmTable[:]))
	})
	chunks("GCMSealChunksAESNI", impl.AESNI, 256, 256, 512, []int{256}, func(n, rounds, holds, _ int) {
		kernels.GCMSealChunksAESNI(&mem.dst[0], &mem.src[0], n, (*[256]byte)(mem.held[:]), holds, &mem.nonce, mem.counter, &mem.state,
			&mem.roundKeys, rounds, (*[512]byte)(mem.gcmTable[:]))
	})

	type chacha = func(dst, src *byte, n int, tag *[16]byte, key *[32]byte, nonce *[12]byte, counter uint32, ad *byte, adLen int)
	short := messages(0, 65, 16, 64)
	long := messages(65, 330, 384, 400, 448, 500, 511, 512, 513, 577, 640, 700, 768, 900, 1023, 1024, 1100, 1536, 2049, 3000, 4200)
	for _, k := range []struct {
		name  string
		tier  impl.Tier
		f     chacha
		cases []lengths
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
		{"ChaCha20Poly1305SealAVX512", impl.AVX512, kernels.ChaCha20Poly1305SealAVX512, wide(append(long, lengths{40, 400}, lengths{0, 333}))},
		{"ChaCha20Poly1305OpenAVX512", impl.AVX512, kernels.ChaCha20Poly1305OpenAVX512, wide(append(long, lengths{40, 400}, lengths{0, 333}))},
	} {
		for _, l := range k.cases {
			all = append(all, kernel(k.name, l.String(), impl.ChaCha, k.tier, fillChaCha(l), func() {
				k.f(&mem.dst[0], &mem.src[0], l.n, &mem.tag, (*[32]byte)(mem.key[:]), (*[12]byte)(mem.nonce[:]), mem.counter, &mem.ad[0], l.ad)
			}))
		}
	}
	all = append(all, hChaCha("HChaCha20", nil, impl.Generic, kernels.HChaCha20))

	for _, k := range []struct {
		name   string
		tier   impl.Tier
		f      func(st *[7]uint64, p *byte, blocks int)
		blocks []int
	}{
		{"Poly1305BlocksADX", impl.ADX, kernels.Poly1305BlocksADX, []int{1, 2, 3, 16}},
		{"Poly1305BlocksAVX2", impl.AVX2, kernels.Poly1305BlocksAVX2, []int{4, 12, 20, 68}},
		{"Poly1305BlocksIFMA512", impl.IFMA512, poly1305BlocksIFMA512, []int{4, 7, 8, 16, 17, 24, 31, 33, 63, 100}},
	} {
		for _, n := range k.blocks {
			all = append(all, kernel(k.name, fmt.Sprintf("blocks=%d", n), impl.Poly1305, k.tier, fillPoly(16*n), func() {
				k.f(&mem.poly, &mem.src[0], n)
			}))
		}
	}
	for _, n := range []int{0, 1, 2, 3, 4, 7, 8, 13, 16, 21, 64} {
		all = append(all, kernel("Poly1305TagADX", fmt.Sprintf("n=%d", n), impl.Poly1305, impl.ADX, fillPoly(n), func() {
			kernels.Poly1305TagADX(&mem.tag, &mem.poly, &mem.src[0], n)
		}))
	}

	adx := &p256Kernels{
		"ADX", impl.ADX, kernels.P256MulADX, kernels.P256OrderMulADX, kernels.P256SqrADX, kernels.P256OrderSqrADX,
		kernels.P256InverseADX, kernels.P256PointDoubleADX, kernels.P256PointAddMixedADX, kernels.P256PointAddADX,
		kernels.P256SelectAffineADX, inverseP, inverseN,
	}
	all = append(all, adx.subjects()...)
	all = append(all, kernel("P256PointAddCoZADX", "", impl.P256, impl.ADX, func(s *secret) {
		s.elements(mem.x[:8], fieldPrime)
		s.elements(mem.y[:12], fieldPrime)
	}, func() {
		kernels.P256PointAddCoZADX((*[8]uint64)(mem.z[:]), (*[8]uint64)(mem.x[:]), (*[12]uint64)(mem.y[:]), (*[4]uint64)(mem.t[:]))
	}))
	return append(all, laneSubjects()...)
}

// laneSubjects are the kernels that compute in eight lanes.
func laneSubjects() []subject {
	var all []subject
	add := func(name, variant string, m *modulus, elements int, run func()) {
		all = append(all, kernel(name, variant, impl.P256Batch, impl.IFMA512, func(s *secret) {
			s.lanes(mem.x[:40*elements], m)
			s.lanes(mem.y[:40*elements], m)
		}, run))
	}
	x, y, z := (*[40]uint64)(mem.x[:]), (*[40]uint64)(mem.y[:]), (*[40]uint64)(mem.z[:])
	add("P256MulIFMA512", "", fieldPrime, 1, func() { kernels.P256MulIFMA512(z, x, y) })
	add("P256SqrIFMA512", "n=3", fieldPrime, 1, func() { kernels.P256SqrIFMA512(z, x, 3) })
	add("P256OrderMulIFMA512", "", groupOrder, 1, func() { kernels.P256OrderMulIFMA512(z, x, y) })
	add("P256OrderSqrIFMA512", "n=3", groupOrder, 1, func() { kernels.P256OrderSqrIFMA512(z, x, 3) })
	add("P256OrderAddIFMA512", "", groupOrder, 1, func() { kernels.P256OrderAddIFMA512(z, x, y) })
	add("P256FromLanesIFMA512", "", fieldPrime, 1, func() { kernels.P256FromLanesIFMA512((*[32]uint64)(mem.z[:]), x) })
	add("P256DoubleIFMA512", "n=3", fieldPrime, 3, func() { kernels.P256DoubleIFMA512(&mem.x, 3) })
	add("P256AddDistinctIFMA512", "", fieldPrime, 3, func() { kernels.P256AddDistinctIFMA512(&mem.z, &mem.x, &mem.y) })
	add("P256AddIFMA512", "", fieldPrime, 3, func() { kernels.P256AddIFMA512(&mem.x, &mem.y) })
	all = append(all, kernel("P256ToLanesIFMA512", "", impl.P256Batch, impl.IFMA512,
		func(s *secret) { s.elements(mem.x[:32], fieldPrime) },
		func() { kernels.P256ToLanesIFMA512(z, (*[32]uint64)(mem.x[:])) }))
	lookup := func(name string, entries, words, most uint64, run func()) {
		all = append(all, kernel(name, "", impl.P256Batch, impl.IFMA512, func(s *secret) {
			s.lanes(mem.x[:], fieldPrime)
			s.lanes(mem.points[:entries*words], fieldPrime)
			for i := range mem.digits {
				mem.digits[i] = s.below(most + 1)
				mem.signs[i] = -s.below(2)
			}
		}, run))
	}
	// The comb's layout, entry by entry in one lane, has limbs of the same size.
	lookup("P256CombAddIFMA512", 32, 10, 32, func() {
		kernels.P256CombAddIFMA512(&mem.x, (*[320]uint64)(mem.points[:]), &mem.digits, &mem.signs)
	})
	lookup("P256CombLanesAddIFMA512", 32, 80, 32, func() {
		kernels.P256CombLanesAddIFMA512(&mem.x, &mem.points, &mem.digits, &mem.signs)
	})
	lookup("P256TableAddIFMA512", 16, 120, 16, func() {
		kernels.P256TableAddIFMA512(&mem.x, (*[1920]uint64)(mem.points[:]), &mem.digits, &mem.signs)
	})
	return all
}

var polyPowers [24]uint64

// poly1305BlocksIFMA512 calls the kernel in each way: without powers at hand, keeping
// them, and with them.
func poly1305BlocksIFMA512(st *[7]uint64, p *byte, blocks int) {
	for use := range 3 {
		kernels.Poly1305BlocksIFMA512(st, p, blocks, &polyPowers, use)
	}
}
