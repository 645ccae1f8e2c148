//go:build !race

package testkit

// Race reports whether the race detector is on: it allocates by itself.
const Race = false
