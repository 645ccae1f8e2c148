//go:build goexperiment.runtimesecret && linux && (amd64 || arm64) && !purego

package residue

import (
	"bytes"
	"crypto"
	"crypto/cipher"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"fmt"
	"runtime/secret"
	"testing"

	"github.com/fastcrypto-go/fastcrypto/aead"
	"github.com/fastcrypto-go/fastcrypto/chacha20poly1305"
	"github.com/fastcrypto-go/fastcrypto/ecdh"
	"github.com/fastcrypto-go/fastcrypto/ecdsa"
	"github.com/fastcrypto-go/fastcrypto/internal/impl"
	"github.com/fastcrypto-go/fastcrypto/internal/testkit"
)

// TestSecretDo puts runtime/secret.Do around operations on every tier: they give what
// they give without, and neither the stack nor vector registers hold anything of them
// after.
func TestSecretDo(t *testing.T) {
	stable(t)
	level := level()
	for _, o := range operations(t) {
		t.Run(o.name, func(t *testing.T) {
			testkit.Tiers(t, o.of, func(t *testing.T, tier impl.Tier) {
				deepen(2 * stackSize)
				filled, snapshot := new(registers), new(registers)
				stack := new([stackSize]byte)
				var want [][]byte
				o.prepare(t, newSecret(1))()
				if o.results != nil {
					for _, r := range o.results() {
						want = append(want, bytes.Clone(r))
					}
				}
				f := o.prepare(t, newSecret(1))
				// Whatever the secret is: all the stack is cleared but for what Do itself
				// uses after, and all registers are.
				stackAfter(stack, func() { secret.Do(f) })
				if o.results != nil {
					for i, r := range o.results() {
						if !bytes.Equal(r, want[i]) {
							t.Fatalf("result %d is %x within Do, and %x without", i, r, want[i])
						}
					}
				}
				const own = 512 // stackAfter's closure, Do and eraseSecrets
				for i, b := range stack[:stackSize-own] {
					if b != 0 {
						t.Fatalf("byte %#x is left on the stack, %d below it", b, stackSize-i)
					}
				}
				registersAfter(filled, level, func() {})
				if bytes.Equal(filled[16:32], make([]byte, 16)) && level > 0 {
					t.Fatal("registers are not filled")
				}
				registersAfter(snapshot, level, func() { secret.Do(f) })
				if *snapshot != (registers{}) {
					t.Errorf("registers are not clear: %x", *snapshot)
				}
			})
		})
	}
}

// TestSecretDoControl shows what the same operations leave in registers without Do.
func TestSecretDoControl(t *testing.T) {
	stable(t)
	seen := 0
	for _, o := range operations(t) {
		f := o.prepare(t, newSecret(1))
		snapshot := new(registers)
		registersAfter(snapshot, level(), f)
		if *snapshot != (registers{}) {
			seen++
		}
	}
	if seen < len(operations(t))/2 {
		t.Errorf("registers were clear after all but %d operations: the comparison is blind", seen)
	}
}

// BenchmarkSecretDo measures what Do costs around operations.
func BenchmarkSecretDo(b *testing.B) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), nil)
	if err != nil {
		b.Fatal(err)
	}
	signer, err := ecdsa.NewSigner(key)
	if err != nil {
		b.Fatal(err)
	}
	digest := sha256.Sum256(nil)
	block, err := aead.NewCipher(make([]byte, 16))
	if err != nil {
		b.Fatal(err)
	}
	gcm, err := aead.NewGCM(block)
	if err != nil {
		b.Fatal(err)
	}
	chacha, err := chacha20poly1305.New(make([]byte, 32))
	if err != nil {
		b.Fatal(err)
	}
	type op struct {
		name string
		f    func()
	}
	ops := []op{
		{"nothing", func() {}},
		{"Sign", func() { sink.bytes, sink.err = signer.Sign(rand.Reader, digest[:], crypto.SHA256) }},
		{"GenerateKey", func() { sink.private, sink.err = ecdh.P256().GenerateKey(nil) }},
	}
	for _, n := range []int{64, 16384} {
		for _, a := range []struct {
			name string
			a    cipher.AEAD
		}{{"GCM", gcm}, {"ChaCha20Poly1305", chacha}} {
			plaintext, out := make([]byte, n), make([]byte, n+16)
			ops = append(ops, op{fmt.Sprintf("%s/Seal/size=%d", a.name, n), func() { a.a.Seal(out[:0], nonce24[:12], plaintext, nil) }})
		}
	}
	for _, o := range ops {
		b.Run(o.name+"/do=no", func(b *testing.B) {
			for b.Loop() {
				o.f()
			}
		})
		b.Run(o.name+"/do=yes", func(b *testing.B) {
			for b.Loop() {
				secret.Do(o.f)
			}
		})
	}
}
