package p256

import (
	stdecdh "crypto/ecdh"
	stdecdsa "crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"math/big"
	"testing"

	"github.com/fastcrypto-go/fastcrypto/internal/impl"
	"github.com/fastcrypto-go/fastcrypto/internal/testkit"
)

func BenchmarkP256(b *testing.B) {
	b.Run("impl=std", func(b *testing.B) {
		priv := stdecdsa.PrivateKey{D: new(big.Int).SetBytes(knownD[:])}
		priv.Curve, priv.X, priv.Y = elliptic.P256(), new(big.Int).SetBytes(knownX[:]), new(big.Int).SetBytes(knownY[:])
		sig, err := stdecdsa.SignASN1(rand.Reader, &priv, knownE[:])
		if err != nil {
			b.Fatal(err)
		}
		key, err := stdecdh.P256().NewPrivateKey(knownD[:])
		if err != nil {
			b.Fatal(err)
		}
		b.Run("op=ScalarBaseMult", func(b *testing.B) {
			for b.Loop() {
				stdecdh.P256().NewPrivateKey(knownD[:])
			}
		})
		b.Run("op=ECDH", func(b *testing.B) {
			for b.Loop() {
				key.ECDH(key.PublicKey())
			}
		})
		b.Run("op=Sign", func(b *testing.B) {
			for b.Loop() {
				stdecdsa.SignASN1(rand.Reader, &priv, knownE[:])
			}
		})
		b.Run("op=Verify", func(b *testing.B) {
			for b.Loop() {
				stdecdsa.VerifyASN1(&priv.PublicKey, knownE[:], sig)
			}
		})
	})
	testkit.BenchTiers(b, impl.P256, func(b *testing.B) {
		var q PublicKey
		q.SetAffine(&knownX, &knownY)
		t := NewTable(&q)
		var x, y [32]byte
		ops := []struct {
			name string
			f    func()
		}{
			{"ScalarBaseMult", func() { ScalarBaseMult(&x, &y, &knownD) }},
			{"ECDH", func() { q.ECDH(&x, &knownD) }},
			{"Sign", func() { Sign(&x, &y, &knownD, &knownK, &knownE) }},
			{"Verify", func() { q.VerifyVarTime(&knownE, &knownR, &knownS) }},
			{"VerifyPrepared", func() { t.VerifyVarTime(&knownE, &knownR, &knownS) }},
			{"NewTable", func() { NewTable(&q) }},
		}
		for _, op := range ops {
			b.Run("op="+op.name, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					op.f()
				}
			})
		}
	})
}

// BenchmarkKernels times each kernel a hundred times in a row, every call using
// the one before's result.
func BenchmarkKernels(b *testing.B) {
	testkit.BenchTiers(b, impl.P256, func(b *testing.B) {
		x, s := feB, scalar(feB)
		var q PublicKey
		q.SetAffine(&knownX, &knownY)
		var p, p2 jacobian
		p.setAffine(&q.q)
		pointDouble(&p2, &p, 1)
		var r affine
		for _, op := range []struct {
			name string
			f    func()
		}{
			{"multiply", func() { feMul(&x, &x, &feB) }},
			{"square", func() { feSqr(&x, &x, 1) }},
			{"orderMultiply", func() { scMul(&s, &s, &orderRR) }},
			{"double", func() { pointDouble(&p, &p, 1) }},
			{"add", func() { pointAdd(&p, &p, &p2) }},
			{"addMixed", func() { pointAddMixed(&p, &p, &q.q) }},
			{"selectComb", func() { selectAffine(&r, comb[7][:], 5, 1) }},
			{"inverse", func() { feInverse(&x, &x) }},
			{"power", func() { feFermat(&x, &x) }},
			{"orderInverse", func() { scInverse(&s, &s) }},
			{"orderPower", func() { scFermat(&s, &s) }},
		} {
			b.Run("op="+op.name, func(b *testing.B) {
				for b.Loop() {
					for range 100 {
						op.f()
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/100, "ns/one")
			})
		}
		b.Run("op=squareRepeated", func(b *testing.B) {
			for b.Loop() {
				feSqr(&x, &x, 100)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/100, "ns/one")
		})
		b.Run("op=doubleRepeated", func(b *testing.B) {
			for b.Loop() {
				pointDouble(&p, &p, 100)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/100, "ns/one")
		})
	})
}
