//go:build !unix

package hostile

import "testing"

// startSignals does nothing: there are no signals here.
func startSignals(*testing.T) (stop func()) { return func() {} }
