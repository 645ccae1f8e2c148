package poly1305

import (
	"crypto/subtle"
	"encoding/hex"
	"errors"

	"github.com/fastcrypto-go/fastcrypto/internal/impl"
)

func init() { impl.Poly1305.Register(selfTest) }

// knownTags holds, for each length, the tag of the bytes 3, 14, 25, … (11i+3)
// under the key 85 d6 be 78 … of RFC 8439, section 2.5.2, as computed by
// golang.org/x/crypto. The lengths reach every path of every kernel: short,
// vectorised, and both with a remainder.
var knownTags = []struct {
	n   int
	tag string
}{
	{0, "0103808afb0db2fd4abff6af4149f51b"},
	{1, "9a0b936300624f75c208322d1009df3a"},
	{16, "3e0259efa9a4ef25341a7b2c3f6d7765"},
	{64, "e69731199aaa8320d2300e073ae04f84"},
	{127, "64fa424237542619143482a62d428591"},
	{255, "c1a1daeea8eb1d514f774140f0c9c649"},
	{511, "d47ef8ddb5007a4276a88cced2d4aedb"},
	{1024, "dda9cbc3c6ad05f2b6db51c4c29ce4cf"},
	{1350, "6982d6381e31bcadf30a134a4390a2e2"},
	{4111, "a7d261e68bff90d9158104dc4f0a98c8"},
}

const rfcKey = "85d6be7857556d337f4452fe42d506a80103808afb0db2fd4abff6af4149f51b"

// selfTest proves one tier: the example of RFC 8439, then knownTags at once and
// in pieces.
func selfTest(tier impl.Tier) error {
	var key [KeySize]byte
	hex.Decode(key[:], []byte(rfcKey))
	if !selfTestTag(tier, &key, []byte("Cryptographic Forum Research Group"), "a8061dc1305136c6c22b8baf0c0127a9") {
		return errors.New("wrong tag for the example of RFC 8439")
	}
	m := make([]byte, knownTags[len(knownTags)-1].n)
	for i := range m {
		m[i] = byte(11*i + 3)
	}
	for _, k := range knownTags {
		if !selfTestTag(tier, &key, m[:k.n], k.tag) {
			return errors.New("wrong tag")
		}
	}
	return nil
}

func selfTestTag(tier impl.Tier, key *[KeySize]byte, m []byte, want string) bool {
	var tag, got [TagSize]byte
	hex.Decode(tag[:], []byte(want))
	pieces := new(MAC)
	pieces.initialize(tier, key)
	pieces.Write(m[:len(m)/3])
	pieces.Write(m[len(m)/3:])
	if !pieces.Verify(tag[:]) {
		return false
	}
	if tier == impl.Generic {
		return true
	}
	sum(tier, &got, m, key)
	return subtle.ConstantTimeCompare(got[:], tag[:]) == 1
}
