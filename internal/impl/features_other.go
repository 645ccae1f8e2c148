//go:build purego || (!amd64 && !arm64)

package impl

// detect looks for nothing: no kernel is built in.
func detect() CPU { return CPU{} }
