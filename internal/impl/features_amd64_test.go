//go:build !purego

package impl

import (
	"testing"

	"golang.org/x/sys/cpu"
)

// cpuidOf answers CPUID with a processor that has all features.
func cpuidOf(vendor string, signature uint32) func(leaf, subleaf uint32) (eax, ebx, ecx, edx uint32) {
	word := func(i int) uint32 {
		return uint32(vendor[i]) | uint32(vendor[i+1])<<8 | uint32(vendor[i+2])<<16 | uint32(vendor[i+3])<<24
	}
	return func(leaf, subleaf uint32) (eax, ebx, ecx, edx uint32) {
		switch leaf {
		case 0:
			return 7, word(0), word(8), word(4)
		case 1:
			return signature, ^uint32(0), ^uint32(0), ^uint32(0)
		case 7:
			return 0, ^uint32(0), ^uint32(0), ^uint32(0)
		}
		return 0, 0, 0, 0
	}
}

func TestOperatingSystemState(t *testing.T) {
	id := cpuidOf("AuthenticAMD", 0)
	for _, c := range []struct {
		xcr0        uint32
		avx, avx512 bool
	}{
		{0x00, false, false},
		{0x02, false, false},
		{0xe2, false, false}, // AVX-512 state without AVX state
		{0x07, true, false},
		{0x27, true, false}, // opmasks only
		{0x67, true, false},
		{0xe7, true, true},
	} {
		got := readCPUID(id, func() (uint32, uint32) { return c.xcr0, 0 }).Present
		if got.Has(AVX2Feature|VAES|VPCLMULQDQ) != c.avx || got&(AVX|AVX2Feature|VAES|VPCLMULQDQ) != 0 != c.avx {
			t.Errorf("XCR0 %#x: AVX features %v", c.xcr0, got.Names())
		}
		if got.Has(allAVX512) != c.avx512 || got&allAVX512 != 0 != c.avx512 {
			t.Errorf("XCR0 %#x: AVX-512 features %v", c.xcr0, got.Names())
		}
		if !got.Has(needAESNI &^ AVX) {
			t.Errorf("XCR0 %#x: SSE features %v", c.xcr0, got.Names())
		}
	}
	// Without OSXSAVE, XGETBV must not be executed.
	readCPUID(func(leaf, subleaf uint32) (eax, ebx, ecx, edx uint32) {
		eax, ebx, ecx, edx = id(leaf, subleaf)
		if leaf == 1 {
			ecx &^= 1 << 27
		}
		return eax, ebx, ecx, edx
	}, func() (uint32, uint32) {
		t.Error("read XCR0 without OSXSAVE")
		return 0, 0
	})
}

func TestSlow512(t *testing.T) {
	all := func() (uint32, uint32) { return 0xe7, 0 }
	for _, c := range []struct {
		vendor    string
		signature uint32
		slow      bool
	}{
		{"GenuineIntel", 0x50654, true},  // Skylake server
		{"GenuineIntel", 0x606a6, true},  // Ice Lake server
		{"GenuineIntel", 0x806c1, true},  // Tiger Lake
		{"GenuineIntel", 0xa0671, false}, // Rocket Lake
		{"GenuineIntel", 0x806f8, false}, // Sapphire Rapids
		{"AuthenticAMD", 0x50654, false},
		{"AuthenticAMD", 0xa10f11, false}, // Zen 4
	} {
		if got := readCPUID(cpuidOf(c.vendor, c.signature), all).slow512; got != c.slow {
			t.Errorf("%s %#x: slow512 = %v", c.vendor, c.signature, got)
		}
	}
}

// TestAgainstSysCPU compares our CPUID with x/sys/cpu's where both know a bit.
func TestAgainstSysCPU(t *testing.T) {
	c := Processor()
	if c.Enabled&^c.Present != 0 {
		t.Error("features enabled that are not present")
	}
	for f, has := range map[Features]bool{
		AES: cpu.X86.HasAES, PCLMULQDQ: cpu.X86.HasPCLMULQDQ, AVX2Feature: cpu.X86.HasAVX2,
		BMI2: cpu.X86.HasBMI2, ADXFeature: cpu.X86.HasADX, SSSE3Feature: cpu.X86.HasSSSE3,
		AVX512F: cpu.X86.HasAVX512 && cpu.X86.HasAVX512F, AVX512IFMA: cpu.X86.HasAVX512 && cpu.X86.HasAVX512IFMA,
	} {
		if got := c.Enabled.Has(f); got != has {
			t.Errorf("%v: enabled %v, x/sys/cpu says %v", f.Names(), got, has)
		}
	}
}

// TestCumulative checks the rule that a tier needs all that the tiers below it need.
func TestCumulative(t *testing.T) {
	for _, chain := range [][]Features{
		{needSSSE3, needAESNI, needVAES256, needVAES512},
		{needSSSE3, needAVX2, needAVX512, needIFMA512},
		{needAVX2, needVAES256},
		{needADX, needIFMA512},
	} {
		for i := 1; i < len(chain); i++ {
			if !chain[i].Has(chain[i-1]) {
				t.Errorf("%v does not include %v", chain[i].Names(), chain[i-1].Names())
			}
		}
	}
}
