//go:build faultinjection

package p256

import "unsafe"

// InjectFault, if it is not nil, may change the words of what is computed at a place:
// a field element or a scalar is four words, a point twelve. In lanes they are 40 and
// 120, as the kernels have them, and 32 for numbers out of lanes.
var InjectFault func(at FaultPlace, words []uint64)

func inject[T any](at FaultPlace, v *T) {
	if InjectFault != nil {
		InjectFault(at, unsafe.Slice((*uint64)(unsafe.Pointer(v)), unsafe.Sizeof(*v)/8))
	}
}

func injectScalar(at FaultPlace, v *scalar)            { inject(at, v) }
func injectField(at FaultPlace, v *fe)                 { inject(at, v) }
func injectPoint(p *jacobian)                          { inject(FaultPoint, p) }
func injectLanes(at FaultPlace, v *lanes)              { inject(at, v) }
func injectLanePoint(p *lanePoint)                     { inject(FaultPoint, p) }
func injectNumbers(at FaultPlace, v *[Lanes][4]uint64) { inject(at, v) }
