// Package impl knows what the processor can do and which kernel serves each
// primitive.
//
// It holds one ordered table of rows for each primitive: the tier's name, the
// features that it needs, and why a processor that has them may still do better
// without it. The package that owns a primitive registers one known-answer test
// that runs any of its tiers, asks [Primitive.Tier] once for each object that it
// constructs, and dispatches with a switch on the answer. The first row that is
// supported, not avoided and passes the known-answer test is chosen, once.
//
// The rows stand in table_amd64.go and table_arm64.go; elsewhere, and with the
// build tag purego, the tables are empty or unused and the library that each
// primitive names (the standard library or x/crypto) serves.
package impl
