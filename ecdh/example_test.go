package ecdh_test

import (
	"bytes"
	stdecdh "crypto/ecdh"
	"crypto/rand"
	"fmt"
	"log"

	"github.com/fastcrypto-go/fastcrypto/ecdh"
)

func Example() {
	alice, err := ecdh.P256().GenerateKey(rand.Reader)
	if err != nil {
		log.Fatal(err)
	}
	bob, err := ecdh.P256().GenerateKey(rand.Reader)
	if err != nil {
		log.Fatal(err)
	}

	// Each sends PublicKey().Bytes() to the other, who checks it by parsing it.
	bobsShare, err := ecdh.P256().NewPublicKey(bob.PublicKey().Bytes())
	if err != nil {
		log.Fatal(err)
	}
	one, err := alice.ECDH(bobsShare)
	if err != nil {
		log.Fatal(err)
	}
	two, err := bob.ECDH(alice.PublicKey())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(one), bytes.Equal(one, two))
	// Output: 32 true
}

// Keys convert from and to those of crypto/ecdh.
func ExampleFromStdPrivateKey() {
	std, err := stdecdh.P256().GenerateKey(rand.Reader)
	if err != nil {
		log.Fatal(err)
	}
	key, err := ecdh.FromStdPrivateKey(std)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(key.Curve(), key.Std() == std)
	// Output: P-256 true
}

func ExampleBatch() {
	var keys []*ecdh.PrivateKey
	var remotes []*ecdh.PublicKey
	for range 3 {
		key, err := ecdh.P256().GenerateKey(rand.Reader)
		if err != nil {
			log.Fatal(err)
		}
		peer, err := ecdh.P256().GenerateKey(rand.Reader)
		if err != nil {
			log.Fatal(err)
		}
		keys, remotes = append(keys, key), append(remotes, peer.PublicKey())
	}
	secrets, err := ecdh.Batch(keys, remotes)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(secrets), len(secrets[0]))
	// Output: 3 32
}
