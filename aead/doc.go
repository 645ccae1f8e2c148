// Package aead provides AES and AES-GCM behind the interfaces of crypto/cipher:
// [NewCipher] stands in for aes.NewCipher, and [NewGCM], [NewGCMWithNonceSize],
// [NewGCMWithTagSize] and [NewGCMWithRandomNonce] for their namesakes in
// crypto/cipher. Results, errors and panics are the same. [Sealer] and [Opener]
// take one message in pieces.
//
// # Choice of kernel
//
// The instructions used are chosen once, from what the processor offers; an AEAD
// keeps the choice that it was constructed with. Where no kernel runs, and in
// FIPS 140-3 mode, every constructor hands over to the standard library. Package
// provider reports the choice.
//
// # Constant time
//
// With a kernel, no branch, memory address or variable-latency instruction
// depends on a key, a plaintext or a tag under computation; lengths, nonces and
// whether a tag is right are public. Without one, the standard library's
// statements in crypto/aes hold.
//
// # Sources
//
// FIPS 197 (AES), NIST SP 800-38D (GCM), NIST SP 800-38A (CTR and CBC).
package aead
