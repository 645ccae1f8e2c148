package ecdsa_test

import (
	"bytes"
	stdecdsa "crypto/ecdsa"
	"crypto/rand"
	"testing"

	"github.com/fastcrypto-go/fastcrypto/ecdsa"
)

// TestEveryByte sets the bytes of a signature to other values, those of the headers
// and the last ones of r and s to every one. None may be accepted: random changes
// leave most values out, and so do public vectors.
func TestEveryByte(t *testing.T) {
	eachTier(t, func(t *testing.T) {
		key, digest := newKey(), digestOf("every byte")
		verifier := must(ecdsa.NewVerifier(&key.PublicKey))
		sig := must(stdecdsa.SignASN1(rand.Reader, key, digest))
		s := 4 + int(sig[3]) // the header of s
		var changed [][]byte
		for i := range sig {
			step := count(101, 29, 1)
			if i < 4 || i >= s-1 && i < s+2 || i == len(sig)-1 {
				step = 1
			}
			for v := i % step; v < 256; v += step {
				if b := bytes.Clone(sig); b[i] != byte(v) {
					b[i] = byte(v)
					changed = append(changed, b)
				}
			}
		}
		pubs, digests := make([]*ecdsa.PublicKey, len(changed)), make([][]byte, len(changed))
		for i := range changed {
			pubs[i], digests[i] = &key.PublicKey, digest
		}
		for i, ok := range ecdsa.VerifyBatch(pubs, digests, changed) {
			if ok {
				t.Errorf("VerifyBatch accepted %x, changed from %x", changed[i], sig)
			}
		}
		for _, c := range changed {
			if ecdsa.VerifyASN1(&key.PublicKey, digest, c) || verifier.VerifyASN1(digest, c) {
				t.Errorf("accepted %x, changed from %x", c, sig)
			}
		}
		if !ecdsa.VerifyASN1(&key.PublicKey, digest, sig) || !verifier.VerifyASN1(digest, sig) {
			t.Errorf("rejected %x", sig)
		}
	})
}
