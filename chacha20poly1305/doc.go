// Package chacha20poly1305 implements the AEADs ChaCha20-Poly1305 of RFC 8439
// and XChaCha20-Poly1305 of draft-irtf-cfrg-xchacha-03, behind the interface of
// crypto/cipher and with the constructors, constants, errors and panics of
// golang.org/x/crypto/chacha20poly1305.
//
// Sizes in bytes: key 32, nonce 12 (24 for XChaCha20-Poly1305), tag 16, which
// follows the ciphertext. A plaintext has at most 2^38−64 bytes, additional data
// any length. No nonce may be used twice with one key: 12 bytes are too few to
// be drawn at random for more than 2^32 messages, 24 bytes are enough.
//
// Seal and Open of the AEADs
//
//   - append to dst, without allocation if its capacity suffices; dst may be
//     plaintext[:0] or ciphertext[:0] to work in place; any other overlap of the
//     output with the input, or one with the additional data, panics,
//   - panic if the nonce has the wrong size. Seal panics if the plaintext is too
//     long. Open returns an error for whatever a peer may have sent, a ciphertext
//     that is too long included (golang.org/x/crypto panics there),
//   - are safe for concurrent use,
//   - take time that depends on lengths only. Open releases no plaintext unless
//     the tag is right, and clears what it wrote.
//
// Where no kernel serves (other processors, the build tag purego),
// golang.org/x/crypto/chacha20poly1305 does. So it does in FIPS 140-3 mode, for
// which no standard library has an approved ChaCha20-Poly1305 to offer; with
// GODEBUG=fips140=only the constructors return its error.
package chacha20poly1305
