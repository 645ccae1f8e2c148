package p256

// A FaultPlace is a step of signing whose result a test may change.
type FaultPlace int

const (
	FaultPoint   FaultPlace = iota // k·G
	FaultX                         // its affine x-coordinate
	FaultR                         // r
	FaultInverse                   // 1/k
	FaultKey                       // d, as it is used
	FaultDigest                    // e, as it is used
	FaultS                         // s
)
