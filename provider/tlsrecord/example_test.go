package tlsrecord_test

import (
	"log"

	"github.com/fastcrypto-go/fastcrypto/provider/tlsrecord"
)

// At the start of main, before the first connection.
func ExampleInstall() {
	if err := tlsrecord.Install(); err != nil {
		log.Print(err) // crypto/tls is as it was, and serves
	}
}
