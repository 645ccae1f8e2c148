// Package fastcrypto makes AES-GCM, ChaCha20-Poly1305 and ECDSA on the curve
// P-256 run as fast as the processor allows, behind the interfaces that Go
// programs already use. A program gains by changing one constructor call:
//
//	block, err := aes.NewCipher(key)       →  fastcrypto.NewCipher(key)
//	aead, err := cipher.NewGCM(block)      →  fastcrypto.NewGCM(block)
//	aead, err := chacha20poly1305.New(key) →  fastcrypto.NewChaCha20Poly1305(key)
//	signer := priv (an *ecdsa.PrivateKey)  →  fastcrypto.NewSigner(priv)
//
// Each of these changes stands by itself: NewGCM also takes a block that
// crypto/aes made, and cipher.NewGCM of the standard library gains from a block
// that NewCipher made. Results are the same bytes, and errors and panics are
// those of the standard library for the same misuse. For a whole TLS server see
// the package provider and its function TLSConfig.
//
// # More than the swaps
//
//   - aead: AES and AES-GCM, also for one message in pieces.
//   - chacha20poly1305: as golang.org/x/crypto/chacha20poly1305, with poly1305
//     beside it.
//   - ecdsa: as crypto/ecdsa, with the same key types, and besides a Signer, a
//     Verifier with tables for one public key, and both for many at once.
//   - ecdh: as crypto/ecdh, with key types of its own.
//   - provider: what runs on this machine and why, the self-test, and TLS.
//
// # What runs where
//
// On amd64 and arm64 the best kernel that the processor supports is chosen when
// the program first needs it, after it passed a known-answer test. Everywhere
// else, with the build tag purego, and in FIPS 140-3 mode (GODEBUG=fips140=on or
// only) every constructor hands over to the standard library or
// golang.org/x/crypto. provider.Kernels tells what was chosen, and the setting
// GODEBUG=cpu.NAME=off of the Go runtime (for example cpu.avx512f=off) switches
// a feature of the processor off here too.
//
// # What holds for all of it
//
// Everything that a constructor returns is safe for use by several goroutines at
// the same time. No branch, address or instruction of variable latency depends
// on a key, a plaintext or another secret where a kernel serves; elsewhere the
// promise is that of the library that serves. An AEAD's Seal and Open follow the
// rules of [crypto/cipher.AEAD]: input and output may be the same memory or
// apart, and they panic where the two overlap otherwise. They do not allocate
// when dst has the capacity.
package fastcrypto

import (
	"crypto"
	"crypto/cipher"
	stdecdsa "crypto/ecdsa"

	"github.com/fastcrypto-go/fastcrypto/aead"
	"github.com/fastcrypto-go/fastcrypto/chacha20poly1305"
	"github.com/fastcrypto-go/fastcrypto/ecdsa"
)

// NewCipher returns AES (FIPS 197) with the given key of 16, 24 or 32 bytes, for
// AES-128, AES-192 or AES-256, in place of [crypto/aes.NewCipher]. Another length
// gives an error of type [crypto/aes.KeySizeError].
//
// The block serves [NewGCM] and all modes of crypto/cipher. It is [aead.NewCipher].
func NewCipher(key []byte) (b cipher.Block, err error) {
	b, err = aead.NewCipher(key)
	return
}

// NewGCM returns AES-GCM (NIST SP 800-38D) with a nonce of 12 bytes and a tag of
// 16 bytes, in place of [crypto/cipher.NewGCM]. It takes a block of [NewCipher],
// one of [crypto/aes.NewCipher], or any other with blocks of 16 bytes; what it
// does not recognise, it gives to crypto/cipher. A block of another size gives an
// error.
//
// A nonce must not repeat under one key. Seal panics if the nonce is not 12 bytes
// long, or the plaintext longer than 2^36−32 bytes. It is [aead.NewGCM].
func NewGCM(block cipher.Block) (g cipher.AEAD, err error) {
	g, err = aead.NewGCM(block)
	return
}

// NewGCMWithNonceSize is [NewGCM] with nonces of nonceSize bytes, at least one,
// in place of [crypto/cipher.NewGCMWithNonceSize]. Only use it for the sake of a
// system that already has such nonces: 12 bytes are faster, and safer.
func NewGCMWithNonceSize(block cipher.Block, nonceSize int) (g cipher.AEAD, err error) {
	g, err = aead.NewGCMWithNonceSize(block, nonceSize)
	return
}

// NewGCMWithTagSize is [NewGCM] with tags of tagSize bytes, from 12 to 16, in
// place of [crypto/cipher.NewGCMWithTagSize]. Only use it for the sake of a system
// that already has such tags: a shorter tag is easier to forge.
func NewGCMWithTagSize(block cipher.Block, tagSize int) (g cipher.AEAD, err error) {
	g, err = aead.NewGCMWithTagSize(block, tagSize)
	return
}

// NewGCMWithRandomNonce is AES-GCM that draws its nonces itself, in place of
// [crypto/cipher.NewGCMWithRandomNonce]: NonceSize is 0, Seal prepends 12 random
// bytes to the ciphertext, and Overhead is 28. Seal at most 2^32 messages with
// one key.
func NewGCMWithRandomNonce(block cipher.Block) (cipher.AEAD, error) {
	return aead.NewGCMWithRandomNonce(block)
}

// NewChaCha20Poly1305 returns ChaCha20-Poly1305 (RFC 8439) with the given key of
// 32 bytes, in place of the function New of golang.org/x/crypto/chacha20poly1305:
// nonces of 12 bytes, tags of 16. A nonce must not repeat under one key.
func NewChaCha20Poly1305(key []byte) (cipher.AEAD, error) {
	return chacha20poly1305.New(key)
}

// NewXChaCha20Poly1305 returns XChaCha20-Poly1305 (draft-irtf-cfrg-xchacha) with
// the given key of 32 bytes, in place of the function NewX of
// golang.org/x/crypto/chacha20poly1305: nonces of 24 bytes, long enough to be
// drawn at random, and tags of 16.
func NewXChaCha20Poly1305(key []byte) (cipher.AEAD, error) {
	return chacha20poly1305.NewX(key)
}

// NewSigner prepares key, once, for signing with ECDSA (FIPS 186-5), and returns
// a [crypto.Signer] for whatever takes one: certificates of crypto/x509, crypto/tls,
// SSH, tokens. Sign takes a digest and returns a signature in ASN.1 DER. A key on
// another curve than P-256 signs through the standard library. A key that is
// incomplete or out of range gives an error; ecdsa.NewCheckedSigner, which verifies
// each signature, also refuses one whose private and public part do not fit.
//
// The result is an [*ecdsa.Signer] of this library, which tells how it chooses
// its nonces.
func NewSigner(key *stdecdsa.PrivateKey) (crypto.Signer, error) {
	s, err := ecdsa.NewSigner(key)
	if err != nil {
		return nil, err
	}
	return s, nil
}
