package ecdsa_test

import (
	"crypto"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"fmt"
	"log"

	"github.com/fastcrypto-go/fastcrypto/ecdsa"
)

func Example() {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		log.Fatal(err)
	}
	digest := sha256.Sum256([]byte("hello, world"))
	sig, err := ecdsa.SignASN1(rand.Reader, key, digest[:])
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(ecdsa.VerifyASN1(&key.PublicKey, digest[:], sig))
	// Output: true
}

// A Signer is a crypto.Signer: it can be the PrivateKey of a tls.Certificate or sign
// certificates with crypto/x509.
func ExampleNewSigner() {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		log.Fatal(err)
	}
	signer, err := ecdsa.NewSigner(key)
	if err != nil {
		log.Fatal(err)
	}
	digest := sha256.Sum256([]byte("hello, world"))
	sig, err := signer.Sign(rand.Reader, digest[:], crypto.SHA256)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(ecdsa.VerifyASN1(signer.Public().(*ecdsa.PublicKey), digest[:], sig))
	// Output: true
}

// A nil reader asks for the deterministic signature of RFC 6979.
func ExampleSigner_Sign_deterministic() {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		log.Fatal(err)
	}
	signer, err := ecdsa.NewSigner(key)
	if err != nil {
		log.Fatal(err)
	}
	digest := sha256.Sum256([]byte("hello, world"))
	first, err := signer.Sign(nil, digest[:], crypto.SHA256)
	if err != nil {
		log.Fatal(err)
	}
	second, err := signer.Sign(nil, digest[:], crypto.SHA256)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(string(first) == string(second))
	// Output: true
}

// A Verifier pays off where many signatures come from one key.
func ExampleNewVerifier() {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		log.Fatal(err)
	}
	verifier, err := ecdsa.NewVerifier(&key.PublicKey)
	if err != nil {
		log.Fatal(err)
	}
	for _, token := range []string{"first", "second", "third"} {
		digest := sha256.Sum256([]byte(token))
		sig, err := ecdsa.SignASN1(rand.Reader, key, digest[:])
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(token, verifier.VerifyASN1(digest[:], sig))
	}
	// Output:
	// first true
	// second true
	// third true
}

func ExampleVerifyBatch() {
	var (
		keys    []*ecdsa.PrivateKey
		pubs    []*ecdsa.PublicKey
		digests [][]byte
	)
	for _, message := range []string{"first", "second", "third"} {
		key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
		if err != nil {
			log.Fatal(err)
		}
		digest := sha256.Sum256([]byte(message))
		keys, pubs, digests = append(keys, key), append(pubs, &key.PublicKey), append(digests, digest[:])
	}
	sigs, err := ecdsa.SignBatch(rand.Reader, keys, digests)
	if err != nil {
		log.Fatal(err)
	}
	sigs[1] = []byte("not a signature")
	fmt.Println(ecdsa.VerifyBatch(pubs, digests, sigs))
	// Output: [true false true]
}
