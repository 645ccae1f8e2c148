//go:build (amd64 || arm64) && !purego

package main

import "bytes"

// The controls: the names of functions that leak what they are given begin with
// leaky, and the tests fail if one of them is not found out. The function tight does
// what may look like leaking and is not: allocate, and read all of a table.

func leakyBranch(secret uint64, table *[256]byte) uint64
func leakyLookup(secret uint64, table *[256]byte) uint64
func leakyLoop(secret uint64, table *[256]byte) uint64

// leakyAllocated looks up an entry of a table made for it.
//
//go:noinline
func leakyAllocated(secret uint64, table *[256]byte) uint64 {
	t := new([64]uint64)
	for i := range t {
		t[i] = uint64(table[i])
	}
	kept = t
	return t[secret%64]
}

// leakyEqual compares from the beginning until there is a difference.
//
//go:noinline
func leakyEqual(secret uint64, table *[256]byte) uint64 {
	var t [256]byte
	for i := range t {
		t[i] = table[i] + byte((uint64(i)^secret%256-1)>>63)
	}
	if bytes.Equal(t[:], table[:]) {
		return 1
	}
	return 0
}

// leakyCopy copies as much as the secret says.
//
//go:noinline
func leakyCopy(secret uint64, table *[256]byte) uint64 {
	var t [64]byte
	copy(t[:secret%64], table[:])
	return uint64(t[0])
}

// tight reads all of a table made for it.
//
//go:noinline
func tight(secret uint64, table *[256]byte) (r uint64) {
	t := new([64]uint64)
	for i := range t {
		t[i] = uint64(table[i])
	}
	kept = t
	for i := range t {
		d := uint64(i) ^ secret%64
		r |= t[i] & ((d - 1) >> 63 * ^uint64(0))
	}
	return r
}

var (
	//lint:ignore U1000 what is assigned to it is allocated
	kept *[64]uint64

	table  [256]byte
	number uint64
)

func leaky() []subject {
	var all []subject
	add := func(name string, f func(uint64, *[256]byte) uint64) {
		all = append(all, subject{
			name:   "control/" + name,
			kernel: name,
			fill:   func(s *secret) { number = s.below(1 << 32) },
			run:    func() { f(number, &table) },
		})
	}
	add("leakyBranch", leakyBranch)
	add("leakyLookup", leakyLookup)
	add("leakyLoop", leakyLoop)
	add("leakyAllocated", leakyAllocated)
	add("leakyEqual", leakyEqual)
	add("leakyCopy", leakyCopy)
	add("tight", tight)
	return all
}
