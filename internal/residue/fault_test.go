//go:build faultinjection && (amd64 || arm64) && !purego

package residue

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/fastcrypto-go/fastcrypto/ecdsa"
	"github.com/fastcrypto-go/fastcrypto/internal/impl"
	"github.com/fastcrypto-go/fastcrypto/internal/p256"
	"github.com/fastcrypto-go/fastcrypto/internal/testkit"
)

// TestFaultStack injects errors into signatures: when none is released, the nonce, the
// key and what was computed of them must not be on the stack either.
func TestFaultStack(t *testing.T) {
	stable(t)
	defer func() { p256.InjectFault = nil }()
	for _, o := range operations(t) {
		public := strings.Contains(o.name, "Sign") && o.results != nil && o.name != "ecdsa.SignBatch"
		if !public && !strings.HasPrefix(o.name, "p256.Sign") || o.name == "NewSigner" {
			continue
		}
		t.Run(o.name, func(t *testing.T) {
			testkit.Tiers(t, o.of, func(t *testing.T, tier impl.Tier) {
				if tier == impl.Generic {
					t.Skip("the standard library serves")
				}
				for _, at := range []p256.FaultPlace{p256.FaultPoint, p256.FaultX, p256.FaultR, p256.FaultInverse, p256.FaultKey, p256.FaultDigest, p256.FaultS} {
					faulty := o
					faulty.results = nil
					faulty.prepare = func(t *testing.T, random func(int) []byte) func() {
						p256.InjectFault = nil
						f := o.prepare(t, random)
						sink.bytes, sink.err, sink.ok = nil, nil, true
						p256.InjectFault = func(place p256.FaultPlace, words []uint64) {
							if place == at {
								words[1] ^= 4
							}
						}
						return f
					}
					l := left(t, &faulty)
					switch {
					case public && (!errors.Is(sink.err, ecdsa.ErrFault) || sink.bytes != nil), o.name == "p256.Sign" && sink.ok:
						t.Fatalf("place %v: a wrong signature was released", at)
					case l != nil:
						t.Errorf("%s: %d bytes that depend on secrets are left on the stack, at %v below it", fmt.Sprint("place ", at), bytesIn(l), l)
					}
				}
				p256.InjectFault = nil
			})
		})
	}
}
