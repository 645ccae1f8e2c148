// Package ecdsa implements the Elliptic Curve Digital Signature Algorithm of
// [FIPS 186-5] and [SEC 1], version 2.0, behind the functions of crypto/ecdsa.
//
// Its key types are those of crypto/ecdsa, so that keys from crypto/x509 and for
// crypto/tls fit without conversion. The key types' own methods remain the
// standard library's: key.Sign is its Sign, while [NewSigner] gives a fast
// [crypto.Signer] for the same key.
//
//   - [SignASN1] and [VerifyASN1] replace the functions of the same names.
//   - A [Signer] holds what signing with one key needs, a [Verifier] tables for
//     verifying under one public key.
//   - A Signer of [NewCheckedSigner] verifies each signature before it returns it.
//   - [SignBatch] and [VerifyBatch] take many operations at once, over several
//     processors. A [BatchSigner] serves many concurrent callers.
//
// P-256 is the curve that is made fast. The other curves, custom ones included,
// are handed to crypto/ecdsa, and so is everything where this processor has no
// kernel, under the build tag purego, and in FIPS 140-3 mode.
//
// # Errors
//
// For keys, digests, signatures and options, valid or not, the functions give the
// verdict, error or panic that crypto/ecdsa gives. No signature and no public key
// that a peer could send makes a function panic. As in crypto/ecdsa, a nil key, or
// a key whose curve, X, Y or D is nil, makes the functions that crypto/ecdsa has
// panic; the constructors and the batch functions report it as an error instead.
//
// # Randomness
//
// Like crypto/ecdsa from Go 1.26 on, the functions take their random bytes from the
// operating system and ignore the reader that they are passed, unless
// GODEBUG=cryptocustomrand=1 is set; then calls with a reader other than
// [crypto/rand.Reader] are handed to crypto/ecdsa. Only for the Sign methods does
// it matter whether the reader is nil: nil asks for the deterministic signature
// of [RFC 6979].
//
// # Constant time
//
// No branch, address or variable-latency instruction depends on a private key or on
// a nonce. Verifying is a computation on public data and may take variable time.
// Key values that are held in a [math/big.Int], as crypto/ecdsa's are, leak the
// bit length of the key when they are read, as in crypto/ecdsa; a Signer reads
// them once.
//
// All functions and methods are safe for concurrent use, as long as nobody
// modifies the keys.
//
// [FIPS 186-5]: https://nvlpubs.nist.gov/nistpubs/FIPS/NIST.FIPS.186-5.pdf
// [SEC 1]: https://www.secg.org/sec1-v2.pdf
// [RFC 6979]: https://www.rfc-editor.org/rfc/rfc6979.html
package ecdsa
