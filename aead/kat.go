package aead

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"encoding/hex"
	"errors"

	"github.com/fastcrypto-go/fastcrypto/internal/impl"
)

func init() { impl.GCM.Register(katGCM) }

// gcmVectors are messages of 1 KiB + 13 bytes, which reach every loop and tail
// of a kernel: byte i of the key is i, of the nonce 0x40+i, of the additional
// data (20 bytes) 0x80+i, of the plaintext 7i. The tag covers the ciphertext.
var gcmVectors = []struct {
	keySize int
	tag     string
}{
	{16, "07a41f552aa035939e9d587004e59913"},
	{24, "2adcd535d7aae9adf29365ae492e9ba4"},
	{32, "0120511184ad72382e9263cb7ba6a6c8"},
}

// katGCM seals and opens gcmVectors on the given tier.
func katGCM(tier impl.Tier) error {
	const size = 1<<10 + 13
	nonce, ad, plaintext := pattern(standardNonceSize, 0x40, 1), pattern(20, 0x80, 1), pattern(size, 0, 7)
	for _, v := range gcmVectors {
		a, err := gcmOnTier(tier, pattern(v.keySize, 0, 1))
		if err != nil {
			return err
		}
		sealed := a.Seal(nil, nonce, plaintext, ad)
		if hex.EncodeToString(sealed[size:]) != v.tag {
			return errors.New("AES-GCM gives a wrong tag")
		}
		opened, err := a.Open(nil, nonce, sealed, ad)
		if err != nil || !bytes.Equal(opened, plaintext) {
			return errors.New("AES-GCM does not open what it sealed")
		}
		sealed[0] ^= 1
		if _, err := a.Open(nil, nonce, sealed, ad); err == nil {
			return errors.New("AES-GCM opens a forgery")
		}
	}
	return nil
}

// pattern returns n bytes, byte i being first + step·i.
func pattern(n, first, step int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(first + step*i)
	}
	return b
}

func gcmOnTier(tier impl.Tier, key []byte) (cipher.AEAD, error) {
	if tier == impl.Generic {
		b, err := aes.NewCipher(key)
		if err != nil {
			return nil, err
		}
		return cipher.NewGCM(b)
	}
	g := &gcm{nonceSize: standardNonceSize, tagSize: maxTagSize}
	g.rounds = len(key)/4 + 6
	expandKey(&g.roundKeys, key)
	g.makeTable(tier)
	return g, nil
}
