// Package deadstack overwrites what functions that returned left on the stack.
package deadstack

import "runtime"

// size is more than what the Go functions around P-256, and those of the standard
// library that they call, use: internal/residue compares what is left. Kernels go deeper,
// and clear their own frames.
const size = 3 << 10

// Clear overwrites the stack below its caller's frame, which functions that the caller
// called used before: copies of secrets that the compiler, the standard library or
// arguments by value left there, and that no variable refers to. What the caller itself
// holds stays, and what was left on another stack if this one grew meanwhile.
//
//go:noinline
func Clear() {
	var frame [size]byte
	runtime.KeepAlive(&frame)
}
