package provider_test

import (
	"crypto/tls"
	"fmt"
	"log"
	"net/http"

	"github.com/fastcrypto-go/fastcrypto/provider"
)

func ExampleKernels() {
	for _, k := range provider.Kernels() {
		if k.Primitive == "AES-GCM" && k.Selected {
			log.Printf("%s runs on %s: %s", k.Primitive, k.Tier, k.Reason)
		}
	}
}

func ExampleSelfTest() {
	fmt.Println(provider.SelfTest())
	// Output: <nil>
}

// One call, and the server signs its handshakes through fastcrypto.
func ExampleTLSConfig() {
	cert, err := tls.LoadX509KeyPair("cert.pem", "key.pem")
	if err != nil {
		log.Fatal(err)
	}
	config, err := provider.TLSConfig(&tls.Config{Certificates: []tls.Certificate{cert}})
	if err != nil {
		log.Fatal(err)
	}
	server := &http.Server{Addr: ":https", TLSConfig: config}
	log.Fatal(server.ListenAndServeTLS("", ""))
}
