// Command gcm generates the kernels of AES-GCM and AES-CTR for one tier:
//
//	go run ./gcm -tier vaes512 -out … -stubs … -pkg kernels
//
// vaes512.go holds what works on 512-bit registers with opmasks, narrow.go what
// works on 256-bit and 128-bit registers. keys.go is the key schedule, which all
// tiers share.
package main

import (
	"flag"
	"log"

	. "github.com/mmcloughlin/avo/build"

	"github.com/fastcrypto-go/fastcrypto/kernels_amd64/_asm/internal/contract"
)

func main() {
	tier := flag.String("tier", "", "vaes512, vaes256, aesni, or keys for what all tiers share")
	flag.Parse()
	ConstraintExpr("!purego")
	switch *tier {
	case "keys":
		expandKey()
	case "vaes512":
		vaes512()
	case "vaes256":
		newNarrow("VAES256", 32, `key stream, round keys and powers of H in X0–X15, of which VZEROUPPER
			clears the upper halves; the stack is wiped.`).all()
	case "aesni":
		newNarrow("AESNI", 16, `key stream, round keys and powers of H in X0–X15; a word of a round key in R11;
			the stack is wiped.`).all()
	default:
		log.Fatalf("gcm: unknown tier %q", *tier)
	}
	contract.Generate()
}
