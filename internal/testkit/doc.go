// Package testkit holds what the tests of every kernel share: memory between
// guard pages, canaries, seeded random bytes, and the enumeration of a
// primitive's tiers.
package testkit
