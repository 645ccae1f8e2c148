package chacha20poly1305

import (
	"crypto/cipher"
	"encoding/binary"
	"errors"

	"golang.org/x/crypto/chacha20poly1305"

	"github.com/fastcrypto-go/fastcrypto/internal/alias"
	"github.com/fastcrypto-go/fastcrypto/internal/impl"
)

const (
	// KeySize is the size of a key in bytes.
	KeySize = 32
	// NonceSize is the size of a nonce of ChaCha20-Poly1305 in bytes.
	NonceSize = 12
	// NonceSizeX is the size of a nonce of XChaCha20-Poly1305 in bytes.
	NonceSizeX = 24
	// Overhead is the size of the tag in bytes: by so much a ciphertext is longer
	// than its plaintext.
	Overhead = 16
)

// maxPlaintext is the longest plaintext in bytes: the block counter has 32 bits
// and starts at 1 (RFC 8439, section 2.8).
const maxPlaintext = 1<<38 - 64

// Each architecture's dispatch file (seal_GOARCH.go) defines what follows, for
// every tier of its table. None of it sees the tier Generic.
//
//	func seal(tier impl.Tier, dst, src []byte, tag *[16]byte, key *[32]byte, nonce *[12]byte, ad []byte)
//		// encrypts src to dst and writes the tag
//	func open(tier impl.Tier, dst, src []byte, tag *[16]byte, key *[32]byte, nonce *[12]byte, ad []byte)
//		// decrypts src to dst and writes to *tag the tag that src ought to have;
//		// the caller compares, and clears dst
//	func hChaCha20(tier impl.Tier, out *[32]byte, key *[32]byte, nonce *[16]byte)
//		// the subkey of draft-irtf-cfrg-xchacha-03, section 2.2; out may alias key
//
// Lengths are equal and at most maxPlaintext; dst is src exactly or does not
// overlap it; *tag overlaps nothing, and dst neither *key nor *nonce.

// New returns ChaCha20-Poly1305 with the given 32-byte key, which is copied. Its
// nonces have 12 bytes. It fails if the key has another length.
func New(key []byte) (cipher.AEAD, error) { return newAEAD(impl.ChaCha.Tier(), key) }

func newAEAD(tier impl.Tier, key []byte) (cipher.AEAD, error) {
	if tier == impl.Generic {
		a, err := chacha20poly1305.New(key)
		if err != nil {
			return nil, err
		}
		return &generic{a}, nil
	}
	if len(key) != KeySize {
		return nil, errKey
	}
	return &aead{key: [KeySize]byte(key), tier: tier}, nil
}

var (
	errKey  = errors.New("chacha20poly1305: bad key length")
	errOpen = errors.New("chacha20poly1305: message authentication failed")
)

type aead struct {
	key  [KeySize]byte
	tier impl.Tier
}

func (a *aead) NonceSize() int { return NonceSize }

func (a *aead) Overhead() int { return Overhead }

func (a *aead) Seal(dst, nonce, plaintext, additionalData []byte) []byte {
	if len(nonce) != NonceSize {
		panic("chacha20poly1305: bad nonce length passed to Seal")
	}
	ret, out := prepareSeal(dst, plaintext, additionalData)
	n := len(plaintext)
	v := [NonceSize]byte(nonce) // out may overlap nonce, which kernels read again
	seal(a.tier, out[:n], plaintext, (*[Overhead]byte)(out[n:]), &a.key, &v, additionalData)
	return ret
}

func (a *aead) Open(dst, nonce, ciphertext, additionalData []byte) ([]byte, error) {
	if len(nonce) != NonceSize {
		panic("chacha20poly1305: bad nonce length passed to Open")
	}
	n := len(ciphertext) - Overhead
	if n < 0 || uint64(n) > maxPlaintext {
		return nil, errOpen
	}
	ret, out := prepareOpen(dst, ciphertext[:n], additionalData)
	// The tag and the nonce are copied first: out may overlap them.
	given, want, v := [Overhead]byte(ciphertext[n:]), [Overhead]byte{}, [NonceSize]byte(nonce)
	open(a.tier, out, ciphertext[:n], &want, &a.key, &v, additionalData)
	if !equal(&given, &want) {
		clear(out)
		clear(want[:]) // it would make a forgery
		return nil, errOpen
	}
	return ret, nil
}

// equal reports whether two tags are the same; its time does not depend on them.
func equal(a, b *[Overhead]byte) bool {
	low := binary.LittleEndian.Uint64(a[:8]) ^ binary.LittleEndian.Uint64(b[:8])
	high := binary.LittleEndian.Uint64(a[8:]) ^ binary.LittleEndian.Uint64(b[8:])
	return low|high == 0
}

// prepareSeal checks the length of the plaintext, extends dst for the ciphertext
// and the tag, and checks for overlap.
func prepareSeal(dst, plaintext, additionalData []byte) (ret, out []byte) {
	if uint64(len(plaintext)) > maxPlaintext {
		panic("chacha20poly1305: plaintext too large")
	}
	ret, out = alias.SliceForAppend(dst, len(plaintext)+Overhead)
	if alias.InexactOverlap(out, plaintext) {
		panic("chacha20poly1305: invalid buffer overlap of output and input")
	}
	if alias.AnyOverlap(out, additionalData) {
		panic("chacha20poly1305: invalid buffer overlap of output and additional data")
	}
	return ret, out
}

// prepareOpen extends dst for the plaintext and checks for overlap. ciphertext
// is without the tag.
func prepareOpen(dst, ciphertext, additionalData []byte) (ret, out []byte) {
	ret, out = alias.SliceForAppend(dst, len(ciphertext))
	if alias.InexactOverlap(out, ciphertext) {
		panic("chacha20poly1305: invalid buffer overlap of output and input")
	}
	if alias.AnyOverlap(out, additionalData) {
		panic("chacha20poly1305: invalid buffer overlap of output and additional data")
	}
	return ret, out
}

// generic is x/crypto's AEAD without its panic on what a peer sends.
type generic struct{ cipher.AEAD }

func (g *generic) Open(dst, nonce, ciphertext, additionalData []byte) ([]byte, error) {
	if uint64(len(ciphertext)) > maxPlaintext+Overhead && len(nonce) == g.NonceSize() {
		return nil, errOpen
	}
	return g.AEAD.Open(dst, nonce, ciphertext, additionalData)
}
