package poly1305_test

import (
	"encoding/hex"
	"fmt"

	"github.com/fastcrypto-go/fastcrypto/chacha20poly1305/poly1305"
)

// The key of these examples stands in RFC 8439. A real one serves once.
func exampleKey() *[32]byte {
	key, err := hex.DecodeString("85d6be7857556d337f4452fe42d506a80103808afb0db2fd4abff6af4149f51b")
	if err != nil {
		panic(err)
	}
	return (*[32]byte)(key)
}

func ExampleSum() {
	var tag [poly1305.TagSize]byte
	poly1305.Sum(&tag, []byte("Cryptographic Forum Research Group"), exampleKey())
	fmt.Printf("%x\n", tag)
	// Output: a8061dc1305136c6c22b8baf0c0127a9
}

func ExampleMAC() {
	mac := poly1305.New(exampleKey())
	fmt.Fprintf(mac, "Cryptographic %s", "Forum ")
	fmt.Fprint(mac, "Research Group")
	fmt.Printf("%x\n", mac.Sum(nil))
	// Output: a8061dc1305136c6c22b8baf0c0127a9
}
