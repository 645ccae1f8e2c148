package ecdh_test

import (
	stdecdh "crypto/ecdh"
	"crypto/rand"
	"testing"

	"github.com/fastcrypto-go/fastcrypto/ecdh"
	"github.com/fastcrypto-go/fastcrypto/internal/impl"
	"github.com/fastcrypto-go/fastcrypto/internal/testkit"
)

// BenchmarkECDH measures P-256.
func BenchmarkECDH(b *testing.B) {
	std := must(stdecdh.P256().GenerateKey(rand.Reader))
	private, public := std.Bytes(), std.PublicKey().Bytes()
	op := func(b *testing.B, name string, f func()) {
		b.Run("op="+name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				f()
			}
		})
	}
	b.Run("impl=std", func(b *testing.B) {
		op(b, "ECDH", func() { std.ECDH(std.PublicKey()) })
		op(b, "GenerateKey", func() { stdecdh.P256().GenerateKey(rand.Reader) })
		op(b, "NewPrivateKey", func() { stdecdh.P256().NewPrivateKey(private) })
		op(b, "NewPublicKey", func() { stdecdh.P256().NewPublicKey(public) })
	})
	testkit.BenchTiers(b, impl.P256, func(b *testing.B) {
		k := must(ecdh.FromStdPrivateKey(std))
		op(b, "ECDH", func() { k.ECDH(k.PublicKey()) })
		op(b, "GenerateKey", func() { ecdh.P256().GenerateKey(rand.Reader) })
		op(b, "NewPrivateKey", func() { ecdh.P256().NewPrivateKey(private) })
		op(b, "NewPublicKey", func() { ecdh.P256().NewPublicKey(public) })
	})
}
