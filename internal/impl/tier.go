package impl

// A Tier names a set of instructions that a kernel is written for. The same
// names appear in file names, subtests, benchmarks and reports.
type Tier uint8

// The tiers. Generic is the standard library or x/crypto; it always works.
const (
	Generic Tier = iota
	SSSE3
	AESNI
	AVX2
	VAES256
	VAES512
	AVX512
	ADX
	IFMA512
	NEON
	PMULL
	EOR3
	SVE2
	numTiers
)

var tierNames = [numTiers]string{
	Generic: "generic",
	SSSE3:   "ssse3",
	AESNI:   "aesni",
	AVX2:    "avx2",
	VAES256: "vaes256",
	VAES512: "vaes512",
	AVX512:  "avx512",
	ADX:     "adx",
	IFMA512: "ifma512",
	NEON:    "neon",
	PMULL:   "pmull",
	EOR3:    "eor3",
	SVE2:    "sve2",
}

// String returns the tier's name, for example "vaes512".
func (t Tier) String() string {
	if t >= numTiers {
		return "unknown"
	}
	return tierNames[t]
}

// ParseTier returns the tier that has the given name.
func ParseTier(name string) (Tier, bool) {
	for t, n := range tierNames {
		if n == name {
			return Tier(t), true
		}
	}
	return Generic, false
}
