//go:build !purego

package impl

import (
	"strings"

	"golang.org/x/sys/cpu"

	kernels "github.com/fastcrypto-go/fastcrypto/kernels_amd64"
)

// detect reads CPUID and XCR0, since x/sys/cpu reports VAES and VPCLMULQDQ only
// where AVX-512 exists, and intersects the result with x/sys/cpu's flags, since
// these are what GODEBUG=cpu.NAME=off clears.
func detect() CPU {
	r := readCPUID(kernels.CPUID, kernels.XCR0)
	r.Enabled = r.Present & godebugMask(r.Present)
	return r
}

// readCPUID decodes the leaves that the tables depend on. The bit numbers are
// those of the Intel SDM, volume 2A, CPUID.
func readCPUID(cpuid func(leaf, subleaf uint32) (eax, ebx, ecx, edx uint32), xcr0 func() (eax, edx uint32)) CPU {
	var c CPU
	maxLeaf, vb, vc, vd := cpuid(0, 0)
	vendor := le4(vb) + le4(vd) + le4(vc)
	c.Model = brand(cpuid)
	if maxLeaf < 1 {
		return c
	}
	set := func(f Features, reg uint32, bit uint) {
		if reg>>bit&1 == 1 {
			c.Present |= f
		}
	}
	eax1, _, ecx1, _ := cpuid(1, 0)
	set(PCLMULQDQ, ecx1, 1)
	set(SSSE3Feature, ecx1, 9)
	set(SSE41, ecx1, 19)
	set(AES, ecx1, 25)

	// XCR0 bits: 1 SSE, 2 AVX, 5 opmask, 6 upper halves of ZMM0–15, 7 ZMM16–31.
	var osAVX, osAVX512 bool
	if ecx1>>27&1 == 1 { // OSXSAVE
		x, _ := xcr0()
		osAVX = x&0x6 == 0x6
		osAVX512 = osAVX && x&0xe0 == 0xe0
	}
	if osAVX {
		set(AVX, ecx1, 28)
	}
	if maxLeaf < 7 {
		return c
	}
	_, ebx7, ecx7, _ := cpuid(7, 0)
	set(BMI2, ebx7, 8)
	set(ADXFeature, ebx7, 19)
	if osAVX {
		set(AVX2Feature, ebx7, 5)
		set(VAES, ecx7, 9)
		set(VPCLMULQDQ, ecx7, 10)
	}
	if osAVX512 {
		set(AVX512F, ebx7, 16)
		set(AVX512DQ, ebx7, 17)
		set(AVX512IFMA, ebx7, 21)
		set(AVX512BW, ebx7, 30)
		set(AVX512VL, ebx7, 31)
		set(AVX512VBMI, ecx7, 1)
	}
	c.slow512 = vendor == "GenuineIntel" && intelSlow512(eax1)
	return c
}

// intelSlow512 reports whether the Intel processor with this signature (CPUID
// leaf 1, EAX) lowers its frequency for 512-bit vectors by more than they gain:
// Skylake and Cascade Lake servers, Cannon, Ice and Tiger Lake. Rocket Lake, Sapphire
// Rapids and later do not.
func intelSlow512(signature uint32) bool {
	family := signature >> 8 & 15
	model := signature>>4&15 | signature>>12&0xf0
	if family != 6 {
		return false
	}
	switch model {
	case 0x55, 0x66, 0x6a, 0x6c, 0x7d, 0x7e, 0x8c, 0x8d, 0x9d:
		return true
	}
	return false
}

// godebugMask returns the features that x/sys/cpu reports, which leaves out
// what GODEBUG switched off. It knows VAES and VPCLMULQDQ only together with
// AVX-512; without AVX-512 no switch exists for them.
func godebugMask(present Features) Features {
	mask := ^Features(0)
	drop := func(f Features, on bool) {
		if !on {
			mask &^= f
		}
	}
	x := &cpu.X86
	drop(SSSE3Feature, x.HasSSSE3)
	drop(SSE41, x.HasSSE41)
	drop(AES, x.HasAES)
	drop(PCLMULQDQ, x.HasPCLMULQDQ)
	drop(AVX, x.HasAVX)
	drop(AVX2Feature, x.HasAVX2)
	drop(BMI2, x.HasBMI2)
	drop(ADXFeature, x.HasADX)
	drop(allAVX512, x.HasAVX512)
	drop(AVX512F, x.HasAVX512F)
	drop(AVX512DQ, x.HasAVX512DQ)
	drop(AVX512BW, x.HasAVX512BW)
	drop(AVX512VL, x.HasAVX512VL)
	drop(AVX512IFMA, x.HasAVX512IFMA)
	drop(AVX512VBMI, x.HasAVX512VBMI)
	if present.Has(AVX512F) {
		drop(VAES, x.HasAVX512VAES)
		drop(VPCLMULQDQ, x.HasAVX512VPCLMULQDQ)
	}
	return mask
}

// brand returns the processor's name, from CPUID leaves 0x80000002–0x80000004.
func brand(cpuid func(leaf, subleaf uint32) (eax, ebx, ecx, edx uint32)) string {
	if most, _, _, _ := cpuid(0x80000000, 0); most < 0x80000004 {
		return ""
	}
	var s strings.Builder
	for leaf := uint32(0x80000002); leaf <= 0x80000004; leaf++ {
		a, b, c, d := cpuid(leaf, 0)
		s.WriteString(le4(a) + le4(b) + le4(c) + le4(d))
	}
	return strings.TrimSpace(strings.TrimRight(s.String(), "\x00"))
}

// le4 returns the four bytes of x, the lowest first.
func le4(x uint32) string {
	return string([]byte{byte(x), byte(x >> 8), byte(x >> 16), byte(x >> 24)})
}
