package chacha20poly1305_test

import (
	"crypto/rand"
	"fmt"

	"github.com/fastcrypto-go/fastcrypto/chacha20poly1305"
)

func ExampleNew() {
	key := make([]byte, chacha20poly1305.KeySize)
	rand.Read(key)
	aead, err := chacha20poly1305.New(key)
	if err != nil {
		panic(err)
	}

	// A counter makes sure that no nonce serves twice.
	nonce := make([]byte, aead.NonceSize())
	nonce[len(nonce)-1] = 1
	header := []byte("packet 1")
	packet := aead.Seal(nil, nonce, []byte("attack at dawn"), header)

	plaintext, err := aead.Open(nil, nonce, packet, header)
	fmt.Println(string(plaintext), err)
	packet[0] ^= 1
	_, err = aead.Open(nil, nonce, packet, header)
	fmt.Println(err)
	// Output:
	// attack at dawn <nil>
	// chacha20poly1305: message authentication failed
}

func ExampleNewX() {
	key := make([]byte, chacha20poly1305.KeySize)
	rand.Read(key)
	aead, err := chacha20poly1305.NewX(key)
	if err != nil {
		panic(err)
	}

	// 24 bytes are enough to be drawn at random. The message carries its nonce.
	message := []byte("attack at dawn")
	nonce := make([]byte, aead.NonceSize(), aead.NonceSize()+len(message)+aead.Overhead())
	rand.Read(nonce)
	sealed := aead.Seal(nonce, nonce, message, nil)

	nonce, ciphertext := sealed[:aead.NonceSize()], sealed[aead.NonceSize():]
	plaintext, err := aead.Open(nil, nonce, ciphertext, nil)
	fmt.Println(string(plaintext), err)
	// Output: attack at dawn <nil>
}
