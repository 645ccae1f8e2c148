package impl

import (
	"math/bits"
	"strconv"
	"sync"
)

// Features is a set of processor features. The bits are declared for each
// architecture in features_GOARCH.go.
type Features uint64

// Has reports whether f holds all features of g.
func (f Features) Has(g Features) bool { return f&g == g }

// Names returns the names of the features in f, in the order of their bits.
func (f Features) Names() []string {
	names := make([]string, 0, bits.OnesCount64(uint64(f)))
	for f != 0 {
		if i := bits.TrailingZeros64(uint64(f)); i < len(featureNames) {
			names = append(names, featureNames[i])
		} else {
			names = append(names, "bit"+strconv.Itoa(i))
		}
		f &= f - 1
	}
	return names
}

// A CPU is what was found out about the processor, once.
type CPU struct {
	// Present are the features that the processor has and whose register state
	// the operating system saves.
	Present Features
	// Enabled are those of Present that GODEBUG=cpu.NAME=off leaves on.
	Enabled Features
	// Model names the processor where the architecture tells it, or is empty.
	Model string
	// slow512 is set where 512-bit vectors lower the clock frequency.
	slow512 bool
}

// Processor returns what was found out about this processor.
var Processor = sync.OnceValue(detect)
