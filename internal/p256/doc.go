// Package p256 is the curve P-256 (SP 800-186, 3.2.1.3), shared by ecdsa and
// ecdh: y² = x³ − 3x + b over the field of p = 2^256 − 2^224 + 2^192 + 2^96 − 1,
// a group of prime order n with generator G.
//
// At the boundary, field elements and scalars are 32 bytes, big-endian. Inside,
// both are four 64-bit limbs, the least significant first; field elements are
// below p and, as scalars of some functions, in the Montgomery domain with
// R = 2^256.
//
// The arithmetic runs on kernels, reached through the few functions of
// p256_GOARCH.go; everything above them is the same on every architecture. Where
// [Tier] is [impl.Generic] there is no kernel, and no other function of this
// package may be called: the standard library serves.
//
// Functions are constant time in all that they do not declare public. Those
// whose names end in VarTime take public arguments only.
package p256

//go:generate go run ./_gen/comb.go
