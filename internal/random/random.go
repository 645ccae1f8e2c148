// Package random reads fresh random bytes as the standard library's own
// cryptography does: from the operating system, whatever crypto/rand.Reader has
// been set to, and, under testing/cryptotest.SetGlobalRandom, from its source.
package random

import (
	"crypto/rand"
	"errors"
	"io"
)

// system is crypto/rand.Reader as it was when the program began: a program that
// sets the variable later does not change what keys and nonces are made of.
var system = rand.Reader

// Fill fills b with random bytes. b does not escape. It cannot fail: where the
// operating system offers no random bytes, the standard library ends the program.
func Fill(b []byte) {
	if rand.Reader == system {
		rand.Read(b) // special-cased there so that b stays on the stack
		return
	}
	heap := make([]byte, len(b))
	io.ReadFull(system, heap)
	copy(b, heap)
	clear(heap)
}

// IsSystem reports whether r is nil or the reader that crypto/rand began with.
// Both ask for what Fill gives.
func IsSystem(r io.Reader) bool { return r == nil || r == system }

// Ignores reports whether the standard library would leave r unread and take
// its own random bytes: from Go 1.26 on always, unless GODEBUG=cryptocustomrand=1
// is set in the environment or by the main module. That setting can change while
// the program runs, and only the standard library knows it, so for a reader that
// is not the system's it is asked each time, in less than a microsecond, by
// offering a reader that fails.
func Ignores(r io.Reader) bool {
	if IsSystem(r) {
		return true
	}
	_, err := rand.Prime(probe{}, 2)
	return err != errRead
}

type probe struct{}

var errRead = errors.New("random: the reader was read")

func (probe) Read([]byte) (int, error) { return 0, errRead }
