//go:build amd64 || arm64

package main

// cycles returns the processor's time: the time stamp counter on amd64, the virtual
// counter on arm64, which is slower. What comes before is done, and what follows has
// not begun.
//
//go:noescape
func cycles() uint64
