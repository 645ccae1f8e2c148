package aead_test

import (
	"crypto/cipher"
	"encoding/hex"
	"fmt"

	"github.com/fastcrypto-go/fastcrypto/aead"
)

func ExampleNewGCM() {
	key, _ := hex.DecodeString("6368616e676520746869732070617373776f726420746f206120736563726574")
	block, err := aead.NewCipher(key)
	if err != nil {
		panic(err)
	}
	gcm, err := aead.NewGCM(block)
	if err != nil {
		panic(err)
	}
	nonce, _ := hex.DecodeString("64a9433eae7ccceee2fc0eda") // never use one twice with a key
	sealed := gcm.Seal(nil, nonce, []byte("exampleplaintext"), nil)
	fmt.Printf("%x\n", sealed)
	opened, err := gcm.Open(nil, nonce, sealed, nil)
	fmt.Printf("%s %v\n", opened, err)
	// Output:
	// c3aaa29f002ca75870806e44086700f62ce4d43e902b3888e23ceff797a7a471
	// exampleplaintext <nil>
}

// Code that keeps using crypto/cipher gains by swapping the block alone.
func ExampleNewCipher() {
	block, err := aead.NewCipher(make([]byte, 16))
	if err != nil {
		panic(err)
	}
	gcm, err := cipher.NewGCM(block)
	if err != nil {
		panic(err)
	}
	fmt.Println(gcm.NonceSize(), gcm.Overhead())
	// Output: 12 16
}

func ExampleNewGCMWithRandomNonce() {
	block, err := aead.NewCipher(make([]byte, 16))
	if err != nil {
		panic(err)
	}
	gcm, err := aead.NewGCMWithRandomNonce(block)
	if err != nil {
		panic(err)
	}
	sealed := gcm.Seal(nil, nil, []byte("a message"), nil)
	opened, err := gcm.Open(nil, nil, sealed, nil)
	fmt.Printf("%d bytes, %s, %v\n", len(sealed), opened, err)
	// Output: 37 bytes, a message, <nil>
}

func ExampleSealer() {
	block, err := aead.NewCipher(make([]byte, 16))
	if err != nil {
		panic(err)
	}
	nonce := make([]byte, 12)
	sealer, err := aead.NewSealer(block, nonce, nil)
	if err != nil {
		panic(err)
	}
	var ciphertext []byte
	for _, piece := range []string{"one message ", "in three ", "pieces"} {
		ciphertext = sealer.Update(ciphertext, []byte(piece))
	}
	tag := sealer.Final(nil)

	opener, err := aead.NewOpener(block, nonce, nil)
	if err != nil {
		panic(err)
	}
	opener.Update(ciphertext[:5])
	opener.Update(ciphertext[5:])
	plaintext, err := opener.Final(nil, tag)
	fmt.Printf("%s %v\n", plaintext, err)
	// Output: one message in three pieces <nil>
}
