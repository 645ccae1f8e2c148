//go:build !faultinjection

package p256

// The places where the build tag faultinjection lets a test change what a signature is
// computed from. Without the tag these functions are nothing.

func injectScalar(FaultPlace, *scalar)            {}
func injectField(FaultPlace, *fe)                 {}
func injectPoint(*jacobian)                       {}
func injectLanes(FaultPlace, *lanes)              {}
func injectLanePoint(*lanePoint)                  {}
func injectNumbers(FaultPlace, *[Lanes][4]uint64) {}
