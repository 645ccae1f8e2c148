package impl

// The features that a row may need.
const (
	ASIMD Features = 1 << iota
	AES
	PMULLFeature
	SHA3
	SVE2Feature
)

var featureNames = []string{"asimd", "aes", "pmull", "sha3", "sve2"}

// What each tier needs, all that the tiers below it need included.
const (
	needNEON  = ASIMD
	needPMULL = needNEON | AES | PMULLFeature
	needEOR3  = needPMULL | SHA3
	needSVE2  = needNEON | SVE2Feature
)

// The tables: for each primitive its rows, the best first.
var (
	gcmRows       = []Row{{Tier: EOR3, Needs: needEOR3}, {Tier: PMULL, Needs: needPMULL}}
	ctrRows       = []Row{{Tier: EOR3, Needs: needEOR3}, {Tier: PMULL, Needs: needPMULL}}
	chachaRows    = []Row{{Tier: SVE2, Needs: needSVE2}, {Tier: NEON, Needs: needNEON}}
	poly1305Rows  = []Row{{Tier: NEON, Needs: needNEON}}
	p256Rows      = []Row{{Tier: NEON, Needs: needNEON}}
	p256BatchRows = []Row{}
)
