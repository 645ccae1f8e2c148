package chacha20poly1305

import (
	"crypto/cipher"

	"golang.org/x/crypto/chacha20poly1305"

	"github.com/fastcrypto-go/fastcrypto/internal/impl"
)

// NewX returns XChaCha20-Poly1305 with the given 32-byte key, which is copied.
// Its nonces have 24 bytes and may be drawn at random. It fails if the key has
// another length.
func NewX(key []byte) (cipher.AEAD, error) { return newX(impl.ChaCha.Tier(), key) }

func newX(tier impl.Tier, key []byte) (cipher.AEAD, error) {
	if tier == impl.Generic {
		a, err := chacha20poly1305.NewX(key)
		if err != nil {
			return nil, err
		}
		return &generic{a}, nil
	}
	if len(key) != KeySize {
		return nil, errKey
	}
	return &xaead{key: [KeySize]byte(key), tier: tier}, nil
}

// xaead hands HChaCha20 of the key and the first 16 bytes of the nonce to
// ChaCha20-Poly1305 as key, and four zero bytes and the rest as nonce
// (draft-irtf-cfrg-xchacha-03, section 2.3).
type xaead struct {
	key  [KeySize]byte
	tier impl.Tier
}

func (a *xaead) NonceSize() int { return NonceSizeX }

func (a *xaead) Overhead() int { return Overhead }

func (a *xaead) Seal(dst, nonce, plaintext, additionalData []byte) []byte {
	if len(nonce) != NonceSizeX {
		panic("chacha20poly1305: bad nonce length passed to Seal")
	}
	ret, out := prepareSeal(dst, plaintext, additionalData)
	var subkey [KeySize]byte
	var subnonce [NonceSize]byte
	a.derive(&subkey, &subnonce, nonce)
	n := len(plaintext)
	seal(a.tier, out[:n], plaintext, (*[Overhead]byte)(out[n:]), &subkey, &subnonce, additionalData)
	clear(subkey[:])
	return ret
}

func (a *xaead) Open(dst, nonce, ciphertext, additionalData []byte) ([]byte, error) {
	if len(nonce) != NonceSizeX {
		panic("chacha20poly1305: bad nonce length passed to Open")
	}
	n := len(ciphertext) - Overhead
	if n < 0 || uint64(n) > maxPlaintext {
		return nil, errOpen
	}
	ret, out := prepareOpen(dst, ciphertext[:n], additionalData)
	var subkey [KeySize]byte
	var subnonce [NonceSize]byte
	a.derive(&subkey, &subnonce, nonce)
	// The tag is copied first: out may overlap it.
	given, want := [Overhead]byte(ciphertext[n:]), [Overhead]byte{}
	open(a.tier, out, ciphertext[:n], &want, &subkey, &subnonce, additionalData)
	clear(subkey[:])
	if !equal(&given, &want) {
		clear(out)
		clear(want[:]) // it would make a forgery
		return nil, errOpen
	}
	return ret, nil
}

func (a *xaead) derive(subkey *[KeySize]byte, subnonce *[NonceSize]byte, nonce []byte) {
	hChaCha20(a.tier, subkey, &a.key, (*[16]byte)(nonce))
	copy(subnonce[4:], nonce[16:])
}
