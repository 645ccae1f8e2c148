package fastcrypto_test

import (
	"crypto/aes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/hex"
	"fmt"
	"log"
	"math/big"
	"time"

	"github.com/fastcrypto-go/fastcrypto"
)

// The change of one line: cipher.NewGCM(block) becomes fastcrypto.NewGCM(block).
func ExampleNewGCM() {
	key := make([]byte, 16) // from a key store, or rand.Read
	rand.Read(key)
	block, err := aes.NewCipher(key)
	if err != nil {
		log.Fatal(err)
	}
	aead, err := fastcrypto.NewGCM(block)
	if err != nil {
		log.Fatal(err)
	}

	nonce := make([]byte, aead.NonceSize()) // a counter, say: never twice with one key
	sealed := aead.Seal(nil, nonce, []byte("attack at dawn"), []byte("header"))
	opened, err := aead.Open(nil, nonce, sealed, []byte("header"))
	if err != nil {
		log.Fatal(err) // forged, or damaged
	}
	fmt.Printf("%d bytes sealed, opened: %s\n", len(sealed), opened)
	// Output: 30 bytes sealed, opened: attack at dawn
}

// Test case 4 of the GCM specification.
func ExampleNewCipher() {
	key, _ := hex.DecodeString("feffe9928665731c6d6a8f9467308308")
	nonce, _ := hex.DecodeString("cafebabefacedbaddecaf888")
	plaintext, _ := hex.DecodeString("d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72" +
		"1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39")
	additional, _ := hex.DecodeString("feedfacedeadbeeffeedfacedeadbeefabaddad2")

	block, err := fastcrypto.NewCipher(key)
	if err != nil {
		log.Fatal(err)
	}
	aead, err := fastcrypto.NewGCM(block)
	if err != nil {
		log.Fatal(err)
	}
	sealed := aead.Seal(nil, nonce, plaintext, additional)
	fmt.Printf("%x\n", sealed[len(plaintext):])
	// Output: 5bc94fbc3221a5db94fae95ae7121a47
}

// A nonce for each message is drawn at random and carried with the ciphertext.
func ExampleNewGCMWithRandomNonce() {
	key := make([]byte, 32)
	rand.Read(key)
	block, err := fastcrypto.NewCipher(key)
	if err != nil {
		log.Fatal(err)
	}
	aead, err := fastcrypto.NewGCMWithRandomNonce(block)
	if err != nil {
		log.Fatal(err)
	}
	sealed := aead.Seal(nil, nil, []byte("hello"), nil)
	opened, err := aead.Open(nil, nil, sealed, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s in %d bytes\n", opened, len(sealed))
	// Output: hello in 33 bytes
}

func ExampleNewGCMWithNonceSize() {
	block, err := fastcrypto.NewCipher(make([]byte, 32))
	if err != nil {
		log.Fatal(err)
	}
	aead, err := fastcrypto.NewGCMWithNonceSize(block, 16)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(aead.NonceSize(), aead.Overhead())
	// Output: 16 16
}

func ExampleNewGCMWithTagSize() {
	block, err := fastcrypto.NewCipher(make([]byte, 32))
	if err != nil {
		log.Fatal(err)
	}
	aead, err := fastcrypto.NewGCMWithTagSize(block, 12)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(aead.NonceSize(), aead.Overhead())
	// Output: 12 12
}

func ExampleNewChaCha20Poly1305() {
	key := make([]byte, 32)
	rand.Read(key)
	aead, err := fastcrypto.NewChaCha20Poly1305(key)
	if err != nil {
		log.Fatal(err)
	}
	nonce := make([]byte, aead.NonceSize())
	message := []byte("in place")
	message = aead.Seal(message[:0], nonce, message, nil)
	message, err = aead.Open(message[:0], nonce, message, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s\n", message)
	// Output: in place
}

// A nonce of 24 bytes may be drawn at random for any number of messages.
func ExampleNewXChaCha20Poly1305() {
	key := make([]byte, 32)
	rand.Read(key)
	aead, err := fastcrypto.NewXChaCha20Poly1305(key)
	if err != nil {
		log.Fatal(err)
	}
	nonce := make([]byte, aead.NonceSize(), 64)
	rand.Read(nonce)
	sealed := aead.Seal(nonce, nonce, []byte("hello"), nil) // behind its nonce

	nonce, ciphertext := sealed[:aead.NonceSize()], sealed[aead.NonceSize():]
	opened, err := aead.Open(nil, nonce, ciphertext, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s\n", opened)
	// Output: hello
}

func ExampleNewSigner() {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		log.Fatal(err)
	}
	signer, err := fastcrypto.NewSigner(key)
	if err != nil {
		log.Fatal(err)
	}
	digest := sha256.Sum256([]byte("a message"))
	signature, err := signer.Sign(rand.Reader, digest[:], nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(ecdsa.VerifyASN1(&key.PublicKey, digest[:], signature))
	// Output: true
}

// A certificate authority signs with the Signer wherever crypto/x509 takes a key.
func ExampleNewSigner_certificate() {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		log.Fatal(err)
	}
	signer, err := fastcrypto.NewSigner(key)
	if err != nil {
		log.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber:          big.NewInt(1),
		Subject:               pkix.Name{CommonName: "Example Root"},
		NotBefore:             time.Now().Add(-time.Minute),
		NotAfter:              time.Now().Add(time.Hour),
		IsCA:                  true,
		BasicConstraintsValid: true,
		KeyUsage:              x509.KeyUsageCertSign,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, signer.Public(), signer)
	if err != nil {
		log.Fatal(err)
	}
	cert, err := x509.ParseCertificate(der)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(cert.SignatureAlgorithm, cert.CheckSignatureFrom(cert))
	// Output: ECDSA-SHA256 <nil>
}
