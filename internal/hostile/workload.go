package hostile

import (
	"bytes"
	"crypto"
	"crypto/aes"
	"crypto/cipher"
	stdecdh "crypto/ecdh"
	stdecdsa "crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"
	"sync"

	xchacha "golang.org/x/crypto/chacha20poly1305"
	//lint:ignore SA1019 it gives the tags to compare with
	xpoly1305 "golang.org/x/crypto/poly1305"

	"github.com/fastcrypto-go/fastcrypto/aead"
	"github.com/fastcrypto-go/fastcrypto/chacha20poly1305"
	"github.com/fastcrypto-go/fastcrypto/chacha20poly1305/poly1305"
	"github.com/fastcrypto-go/fastcrypto/ecdh"
	"github.com/fastcrypto-go/fastcrypto/ecdsa"
	"github.com/fastcrypto-go/fastcrypto/internal/impl"
)

// An Operation is a call of the public API with a known result.
type Operation struct {
	Name string
	Run  func() error // safe for concurrent use; an error says what is wrong
}

// A Workload is what runs on one tier of one primitive.
type Workload struct {
	Primitive *impl.Primitive
	Tier      impl.Tier
}

// Workloads returns one workload for each tier that has kernels and can run here.
func Workloads() []Workload {
	var all []Workload
	for _, p := range impl.Primitives() {
		for _, tier := range p.Supported() {
			if tier != impl.Generic {
				all = append(all, Workload{p, tier})
			}
		}
	}
	return all
}

// String returns the name of the primitive and the tier.
func (w Workload) String() string { return w.Primitive.Name() + "/" + w.Tier.String() }

// Start forces the tier and returns the operations, which are valid until stop is
// called.
func (w Workload) Start() (ops []Operation, stop func(), err error) {
	stop, err = w.Primitive.Force(w.Tier)
	if err != nil {
		return nil, nil, err
	}
	switch w.Primitive {
	case impl.GCM:
		ops = gcmOperations()
	case impl.CTR:
		ops = ctrOperations()
	case impl.ChaCha:
		ops = chachaOperations()
	case impl.Poly1305:
		ops = polyOperations()
	case impl.P256:
		ops = p256Operations()
	case impl.P256Batch:
		ops = batchOperations()
	default:
		stop()
		return nil, nil, fmt.Errorf("hostile: no operations for %s: add them", w.Primitive.Name())
	}
	return ops, stop, nil
}

// RunAll runs every operation of every workload a number of times, from several
// goroutines, and returns the first error of each. It is what the programs under
// testdata do.
func RunAll(rounds, goroutines int) error {
	var errs []error
	for _, w := range Workloads() {
		ops, stop, err := w.Start()
		if err != nil {
			return err
		}
		var mu sync.Mutex
		var wg sync.WaitGroup
		for range goroutines {
			wg.Go(func() {
				for range rounds {
					for _, op := range ops {
						if err := op.Run(); err != nil {
							mu.Lock()
							errs = append(errs, fmt.Errorf("%v: %s: %w", w, op.Name, err))
							mu.Unlock()
							return
						}
					}
				}
			})
		}
		wg.Wait()
		stop()
	}
	return errors.Join(errs...)
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// pattern returns n bytes that repeat only after 65536.
func pattern(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(i*7 ^ i>>8)
	}
	return b
}

func equal(what string, got, want []byte) error {
	if bytes.Equal(got, want) {
		return nil
	}
	return fmt.Errorf("%s: %x, want %x", what, got, want)
}

func verdict(what string, got, want bool) error {
	if got == want {
		return nil
	}
	return fmt.Errorf("%s: %v, want %v", what, got, want)
}

// sizes reach every loop of every kernel.
var sizes = []int{0, 5, 16, 100, 257, 1350, 5000}

// sealAndOpen returns operations for an AEAD that trusted agrees with.
func sealAndOpen(a, trusted cipher.AEAD) (ops []Operation) {
	nonce, ad := pattern(a.NonceSize()), pattern(29)
	for _, n := range sizes {
		text := pattern(n)
		sealed := trusted.Seal(nil, nonce, text, ad)
		forged := bytes.Clone(sealed)
		forged[n] ^= 1
		ops = append(ops,
			Operation{fmt.Sprintf("Seal %d bytes", n), func() error {
				return equal("ciphertext", a.Seal(nil, nonce, text, ad), sealed)
			}},
			Operation{fmt.Sprintf("Open %d bytes", n), func() error {
				b := bytes.Clone(sealed)
				got, err := a.Open(b[:0], nonce, b, ad)
				return errors.Join(err, equal("plaintext", got, text))
			}},
			Operation{fmt.Sprintf("Open a forgery of %d bytes", n), func() error {
				if _, err := a.Open(nil, nonce, forged, ad); err == nil {
					return errors.New("opened")
				}
				return nil
			}},
		)
	}
	return ops
}

func gcmOperations() (ops []Operation) {
	for _, keySize := range []int{16, 32} {
		key := pattern(keySize)
		std := must(aes.NewCipher(key))
		block := must(aead.NewCipher(key))
		trusted := must(cipher.NewGCM(std))
		ops = append(ops, sealAndOpen(must(aead.NewGCM(block)), trusted)...)
		ops = append(ops, sealAndOpen(must(aead.NewGCMWithNonceSize(std, 16)), must(cipher.NewGCMWithNonceSize(std, 16)))...)

		nonce, ad, text := pattern(12), pattern(20), pattern(3000)
		sealed := trusted.Seal(nil, nonce, text, ad)
		ops = append(ops,
			Operation{"a key", func() error {
				a := must(aead.NewGCM(must(aead.NewCipher(key))))
				return equal("ciphertext", a.Seal(nil, nonce, text[:40], ad), trusted.Seal(nil, nonce, text[:40], ad))
			}},
			Operation{"Sealer", func() error {
				s, err := aead.NewSealer(block, nonce, ad)
				if err != nil {
					return err
				}
				var out []byte
				for rest := text; len(rest) > 0; {
					n := min(len(rest), 1+len(out)*3/2)
					out = s.Update(out, rest[:n])
					rest = rest[n:]
				}
				return equal("ciphertext", s.Final(out), sealed)
			}},
			Operation{"Opener", func() error {
				o, err := aead.NewOpener(block, nonce, ad)
				if err != nil {
					return err
				}
				o.Update(sealed[:777])
				o.Update(sealed[777:3000])
				got, err := o.Final(nil, sealed[3000:])
				return errors.Join(err, equal("plaintext", got, text))
			}},
		)
	}
	return ops
}

func ctrOperations() (ops []Operation) {
	for _, keySize := range []int{16, 32} {
		key, iv, text := pattern(keySize), pattern(16), pattern(5000)
		block := must(aead.NewCipher(key))
		want := make([]byte, len(text))
		cipher.NewCTR(must(aes.NewCipher(key)), iv).XORKeyStream(want, text)
		ops = append(ops, Operation{"XORKeyStream", func() error {
			got := make([]byte, len(text))
			s := cipher.NewCTR(block, iv)
			for i, n := 0, 1; i < len(text); n = 3*n + 1 {
				n = min(n, len(text)-i)
				s.XORKeyStream(got[i:i+n], text[i:i+n])
				i += n
			}
			return equal("key stream", got, want)
		}})
	}
	return ops
}

func chachaOperations() []Operation {
	key := pattern(32)
	ops := sealAndOpen(must(chacha20poly1305.New(key)), must(xchacha.New(key)))
	return append(ops, sealAndOpen(must(chacha20poly1305.NewX(key)), must(xchacha.NewX(key)))...)
}

func polyOperations() (ops []Operation) {
	key := [32]byte(pattern(32))
	const most = 3000
	message := [most]byte(pattern(most))
	for _, n := range append([]int{most}, sizes[:len(sizes)-1]...) {
		var want [16]byte
		xpoly1305.Sum(&want, message[:n], &key)
		ops = append(ops,
			Operation{fmt.Sprintf("Sum of %d bytes", n), func() error {
				// All on the stack, which moves when it grows.
				tag, k, m := [16]byte{}, key, message
				poly1305.Sum(&tag, m[:n], &k)
				return verdict("tag", tag == want, true)
			}},
			Operation{fmt.Sprintf("MAC of %d bytes", n), func() error {
				m := poly1305.New(&key)
				m.Write(message[:n/3])
				m.Write(message[n/3 : n])
				return verdict("tag", m.Verify(want[:]), true)
			}},
		)
	}
	return ops
}

// p256Keys returns n keys with what crypto/ecdsa signs with them.
func p256Keys(n int) (keys []*ecdsa.PrivateKey, digests, sigs [][]byte) {
	for i := range n {
		scalar := sha256.Sum256([]byte{byte(i)})
		key := must(stdecdsa.ParseRawPrivateKey(elliptic.P256(), scalar[:]))
		digest := sha256.Sum256(scalar[:])
		keys, digests = append(keys, key), append(digests, digest[:])
		sigs = append(sigs, must(key.Sign(nil, digest[:], crypto.SHA256)))
	}
	return keys, digests, sigs
}

func p256Operations() []Operation {
	keys, digests, sigs := p256Keys(2)
	key, digest, sig := keys[0], digests[0], sigs[0]
	signer, verifier := must(ecdsa.NewSigner(key)), must(ecdsa.NewVerifier(&key.PublicKey))
	mine, other := must(key.ECDH()), must(keys[1].ECDH())
	secret := must(mine.ECDH(other.PublicKey()))
	private, remote := must(ecdh.FromStdPrivateKey(mine)), must(ecdh.FromStdPublicKey(other.PublicKey()))
	return []Operation{
		{"Signer.Sign, deterministic", func() error {
			got, err := signer.Sign(nil, digest, crypto.SHA256)
			return errors.Join(err, equal("signature", got, sig))
		}},
		{"SignASN1", func() error {
			got, err := ecdsa.SignASN1(rand.Reader, key, digest)
			return errors.Join(err, verdict("signature verified", stdecdsa.VerifyASN1(&key.PublicKey, digest, got), true))
		}},
		{"VerifyASN1", func() error {
			return errors.Join(verdict("genuine", ecdsa.VerifyASN1(&key.PublicKey, digest, sig), true),
				verdict("of another digest", ecdsa.VerifyASN1(&key.PublicKey, digests[1], sig), false))
		}},
		{"Verifier.VerifyASN1", func() error {
			return errors.Join(verdict("genuine", verifier.VerifyASN1(digest, sig), true),
				verdict("of another digest", verifier.VerifyASN1(digests[1], sig), false))
		}},
		{"NewVerifier", func() error {
			v, err := ecdsa.NewVerifier(&keys[1].PublicKey)
			if err != nil {
				return err
			}
			return verdict("genuine", v.VerifyASN1(digests[1], sigs[1]), true)
		}},
		{"ECDH", func() error {
			got, err := private.ECDH(remote)
			return errors.Join(err, equal("secret", got, secret))
		}},
		{"NewPrivateKey", func() error {
			k, err := ecdh.P256().NewPrivateKey(mine.Bytes())
			if err != nil {
				return err
			}
			return equal("public key", k.PublicKey().Bytes(), mine.PublicKey().Bytes())
		}},
		{"GenerateKey", func() error {
			k, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
			if err != nil {
				return err
			}
			got, err := stdecdh.P256().NewPrivateKey(must(k.Bytes()))
			if err != nil {
				return err
			}
			return equal("public key", must(k.PublicKey.Bytes()), got.PublicKey().Bytes())
		}},
	}
}

func batchOperations() []Operation {
	keys, digests, sigs := p256Keys(19)
	var pubs []*ecdsa.PublicKey
	var privates []*ecdh.PrivateKey
	var remotes []*ecdh.PublicKey
	var secrets [][]byte
	for i, k := range keys {
		pubs = append(pubs, &k.PublicKey)
		a, b := must(k.ECDH()), must(keys[len(keys)-1-i].ECDH()).PublicKey()
		privates, remotes = append(privates, must(ecdh.FromStdPrivateKey(a))), append(remotes, must(ecdh.FromStdPublicKey(b)))
		secrets = append(secrets, must(a.ECDH(b)))
	}
	const forged = 7
	sigs[forged] = sigs[0]
	batchSigner := must(ecdsa.NewBatchSigner(keys[0]))
	return []Operation{
		{"SignBatch", func() error {
			got, err := ecdsa.SignBatch(rand.Reader, keys, digests)
			if err != nil {
				return err
			}
			for i, sig := range got {
				err = errors.Join(err, verdict("signature verified", stdecdsa.VerifyASN1(pubs[i], digests[i], sig), true))
			}
			return err
		}},
		{"VerifyBatch", func() (err error) {
			for i, good := range ecdsa.VerifyBatch(pubs, digests, sigs) {
				err = errors.Join(err, verdict(fmt.Sprint("element ", i), good, i != forged))
			}
			return err
		}},
		{"ecdh.Batch", func() error {
			got, err := ecdh.Batch(privates, remotes)
			for i := range got {
				err = errors.Join(err, equal("secret", got[i], secrets[i]))
			}
			return err
		}},
		{"BatchSigner.Sign", func() error {
			got, err := batchSigner.Sign(rand.Reader, digests[0], nil)
			return errors.Join(err, verdict("signature verified", stdecdsa.VerifyASN1(pubs[0], digests[0], got), true))
		}},
		{"one multiplication in eight lanes", func() error {
			got, err := ecdsa.SignASN1(rand.Reader, keys[0], digests[0])
			return errors.Join(err, verdict("signature verified", stdecdsa.VerifyASN1(pubs[0], digests[0], got), true))
		}},
	}
}
