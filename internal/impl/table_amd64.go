package impl

// The features that a row may need.
const (
	SSSE3Feature Features = 1 << iota
	SSE41
	AES
	PCLMULQDQ
	AVX
	AVX2Feature
	BMI2
	ADXFeature
	VAES
	VPCLMULQDQ
	AVX512F
	AVX512DQ
	AVX512BW
	AVX512VL
	AVX512IFMA
	AVX512VBMI
)

var featureNames = []string{
	"ssse3", "sse41", "aes", "pclmulqdq", "avx", "avx2", "bmi2", "adx", "vaes", "vpclmulqdq",
	"avx512f", "avx512dq", "avx512bw", "avx512vl", "avx512ifma", "avx512vbmi",
}

const allAVX512 = AVX512F | AVX512DQ | AVX512BW | AVX512VL | AVX512IFMA | AVX512VBMI

// What each tier needs. A tier needs all that the tiers below it need, so that
// switching AVX2 off switches AVX-512 off too.
const (
	needSSSE3   = SSSE3Feature
	needAESNI   = needSSSE3 | SSE41 | AVX | AES | PCLMULQDQ
	needAVX2    = needSSSE3 | SSE41 | AVX | AVX2Feature | BMI2
	needVAES256 = needAESNI | needAVX2 | VAES | VPCLMULQDQ
	needAVX512  = needAVX2 | AVX512F | AVX512DQ | AVX512BW | AVX512VL
	needVAES512 = needVAES256 | needAVX512
	needADX     = needAVX2 | ADXFeature
	needIFMA512 = needAVX512 | needADX | AVX512IFMA
)

// The tables: for each primitive its rows, the best first.
var (
	gcmRows = []Row{
		{Tier: VAES512, Needs: needVAES512, Avoid: avoidSlow512},
		{Tier: VAES256, Needs: needVAES256},
		{Tier: AESNI, Needs: needAESNI},
	}
	ctrRows = []Row{
		{Tier: VAES512, Needs: needVAES512, Avoid: avoidSlow512},
		{Tier: VAES256, Needs: needVAES256},
		{Tier: AESNI, Needs: needAESNI},
	}
	chachaRows = []Row{
		// The tier avx512 of this primitive has its Poly1305 on IFMA.
		{Tier: AVX512, Needs: needIFMA512, Avoid: avoidSlow512},
		{Tier: AVX2, Needs: needAVX2},
		{Tier: SSSE3, Needs: needSSSE3},
	}
	poly1305Rows = []Row{
		{Tier: IFMA512, Needs: needIFMA512, Avoid: avoidSlow512},
		{Tier: AVX2, Needs: needAVX2},
		{Tier: ADX, Needs: needADX},
	}
	p256Rows      = []Row{{Tier: IFMA512, Needs: needIFMA512}, {Tier: ADX, Needs: needADX}}
	p256BatchRows = []Row{{Tier: IFMA512, Needs: needIFMA512}}
)

// avoidSlow512 keeps a row from being chosen where 512-bit vectors lower the
// clock frequency.
func avoidSlow512(c *CPU) string {
	if c.slow512 {
		return "512-bit vectors lower this processor's frequency"
	}
	return ""
}
