// Package conformance checks fastcrypto against the Wycheproof test vectors,
// through the public API alone. It holds tests only, and is a module of its own
// so that the vectors are no dependency of fastcrypto.
//
// files_test.go lists every file of vectors with its exact counts, and every
// file that names a primitive of fastcrypto and is left out, with the reason.
// A file, a field, a flag or a count that is not listed fails. README.md shows
// the same as tables; a test keeps it up to date.
//
// Every vector runs once for each kernel tier that this processor supports and
// once on the generic tier, and each outcome is compared with that of the
// standard library (or x/crypto) as well as with the vector.
package conformance
