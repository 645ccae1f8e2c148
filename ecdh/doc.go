// Package ecdh implements Elliptic Curve Diffie–Hellman over the NIST curves P-256,
// P-384 and P-521 ([SEC 1], version 2.0, section 3.3.1) and over Curve25519
// ([RFC 7748]), with the functions and methods of crypto/ecdh.
//
// Its key types are its own, since crypto/ecdh's cannot be given another
// implementation; [FromStdPrivateKey], [FromStdPublicKey] and the Std methods
// convert. [Batch] agrees many keys at once, over several processors.
//
// P-256 is the curve that is made fast. The others are handed to crypto/ecdh, and so
// is everything where this processor has no kernel, under the build tag purego, and
// in FIPS 140-3 mode.
//
// For keys that are malformed or do not fit, the functions return the errors of
// crypto/ecdh. Nothing that a peer could send makes a function panic. As in
// crypto/ecdh, nil keys make methods panic; FromStdPrivateKey, FromStdPublicKey and
// Batch report them as an error.
//
// No branch, address or variable-latency instruction depends on a private key or on
// the shared secret. Public keys are public: checking them may take variable time.
//
// All keys are immutable and all functions safe for concurrent use.
//
// [SEC 1]: https://www.secg.org/sec1-v2.pdf
// [RFC 7748]: https://www.rfc-editor.org/rfc/rfc7748.html
package ecdh
