package main

import (
	"crypto"
	"crypto/aes"
	"crypto/cipher"
	stdecdh "crypto/ecdh"
	stdecdsa "crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"encoding/binary"
	"fmt"
	mrand "math/rand/v2"
	"sync/atomic"

	"github.com/fastcrypto-go/fastcrypto/aead"
	"github.com/fastcrypto-go/fastcrypto/chacha20poly1305"
	"github.com/fastcrypto-go/fastcrypto/ecdh"
	"github.com/fastcrypto-go/fastcrypto/ecdsa"
	"github.com/fastcrypto-go/fastcrypto/internal/impl"
	"github.com/fastcrypto-go/fastcrypto/internal/p256"
)

// A timingOperation is timed with two classes of inputs.
type timingOperation struct {
	operation
	classes    string // what they are
	mustDiffer bool   // a control
	mustAgree  bool   // a control
	setup      func() (*timingSubject, error)
}

// A timingSubject is an operation that is ready to run. prepare sets up the inputs of a
// class, at the same places for both; it is not timed.
type timingSubject struct {
	prepare func(class int)
	run     func()
}

// A pool has inputs of two classes in memory of the same size, so that both take the
// same way through the caches.
type pool struct {
	inputs [2][64][]byte
}

// newPool makes inputs of n bytes: class 0 by fixed, class 1 random; then both by more.
func newPool(n int, fixed, more func(b []byte)) *pool {
	p := new(pool)
	// In turn, so that neither class has the better places.
	for i := range p.inputs[0] {
		for class := range p.inputs {
			b := make([]byte, n)
			if rand.Read(b); class == 0 {
				fixed(b)
			}
			if more != nil {
				more(b)
			}
			p.inputs[class][i] = b
		}
	}
	return p
}

// copy sets dst to an input of the class. It reads one of each class, so that nothing
// but the contents of dst tells which it was: not even what is in the caches.
func (p *pool) copy(dst []byte, class int) {
	i := mrand.Uint32() % 64
	a, b := p.inputs[0][i], p.inputs[1][i]
	mask := -uint64(class)
	for len(a) >= 8 {
		x, y := binary.NativeEndian.Uint64(a), binary.NativeEndian.Uint64(b)
		binary.NativeEndian.PutUint64(dst, x^(x^y)&mask)
		a, b, dst = a[8:], b[8:], dst[8:]
	}
	for i := range a {
		dst[i] = a[i] ^ (a[i]^b[i])&byte(mask)
	}
}

// equalClasses makes random inputs of n bytes, the same ones for both classes. Others
// of the same distribution would not do where the time depends on the input: among few
// inputs one class has one more that is slow.
func equalClasses(n int) *pool {
	p := newPool(n, func([]byte) {}, nil)
	for i, b := range p.inputs[0] {
		copy(p.inputs[1][i], b)
	}
	return p
}

func zeros(b []byte) { clear(b) }

// scalars are 2^128 + 1 or random.
func scalars() *pool { return newPool(32, func(b []byte) { clear(b); b[15], b[31] = 1, 1 }, nil) }

// timingControls are the two controls.
func timingControls() []*timingOperation {
	compare := func(inputs func(n int) *pool) func() (*timingSubject, error) {
		return func() (*timingSubject, error) {
			const n = 1024
			secret, guess := make([]byte, n), make([]byte, n)
			p := inputs(n)
			return &timingSubject{
				prepare: func(class int) { p.copy(guess, class) },
				run:     func() { timingSink.Store(leakyEqual(secret, guess)) },
			}, nil
		}
	}
	leaky := &timingOperation{classes: "equal, random", mustDiffer: true,
		setup: compare(func(n int) *pool { return newPool(n, zeros, nil) })}
	leaky.name = "control/leaky"
	null := &timingOperation{classes: "random, the same", mustAgree: true, setup: compare(equalClasses)}
	null.name = "control/null"
	return []*timingOperation{leaky, null}
}

var timingSink atomic.Bool

// leakyEqual compares as one must not compare secrets: it ends where they differ.
//
//go:noinline
func leakyEqual(a, b []byte) bool {
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

func timingOperations() []*timingOperation {
	var ops []*timingOperation
	add := func(name, classes string, p []*impl.Primitive, setup func() (*timingSubject, error)) {
		o := &timingOperation{classes: classes, setup: setup}
		o.name, o.primitives = name, p
		ops = append(ops, o)
	}
	for _, c := range []struct {
		name string
		key  int
		p    *impl.Primitive
		new  func(key []byte) (cipher.AEAD, error)
	}{
		{"aesgcm128", 16, impl.GCM, func(key []byte) (cipher.AEAD, error) { return gcm(key, aead.NewCipher, aead.NewGCM) }},
		{"aesgcm256", 32, impl.GCM, func(key []byte) (cipher.AEAD, error) { return gcm(key, aead.NewCipher, aead.NewGCM) }},
		{"chacha20poly1305", 32, impl.ChaCha, chacha20poly1305.New},
	} {
		p := []*impl.Primitive{c.p}
		add(c.name+"/newAEAD", "key 0, random", p, func() (*timingSubject, error) {
			key, keys := make([]byte, c.key), newPool(c.key, zeros, nil)
			return &timingSubject{
				prepare: func(class int) { keys.copy(key, class) },
				run: func() {
					if _, err := c.new(key); err != nil {
						panic(err)
					}
				},
			}, nil
		})
		for _, size := range []int{64, 1350} {
			add(fmt.Sprintf("%s/encrypt/%d/key", c.name, size), "key 0, random", p, func() (*timingSubject, error) {
				key, keys := make([]byte, c.key), newPool(c.key, zeros, nil)
				dst, nonce, text := make([]byte, 0, size+16), make([]byte, 12), message(size)
				var a cipher.AEAD
				return &timingSubject{
					prepare: func(class int) {
						keys.copy(key, class)
						var err error
						if a, err = c.new(key); err != nil {
							panic(err)
						}
					},
					run: func() { a.Seal(dst, nonce, text, ad) },
				}, nil
			})
			add(fmt.Sprintf("%s/encrypt/%d/text", c.name, size), "text 0, random", p, func() (*timingSubject, error) {
				a, err := c.new(message(c.key))
				if err != nil {
					return nil, err
				}
				texts := newPool(size, zeros, nil)
				dst, nonce, text := make([]byte, 0, size+16), make([]byte, 12), make([]byte, size)
				return &timingSubject{
					prepare: func(class int) { texts.copy(text, class) },
					run:     func() { a.Seal(dst, nonce, text, ad) },
				}, nil
			})
			open := func(name, classes string, forged bool, first, second func(sealed []byte)) {
				add(fmt.Sprintf("%s/decrypt/%d/%s", c.name, size, name), classes, p, func() (*timingSubject, error) {
					a, err := c.new(message(c.key))
					if err != nil {
						return nil, err
					}
					nonce := make([]byte, 12)
					change := second
					sealed := newPool(size+16, func(b []byte) {
						if change = first; !forged {
							clear(b)
						}
					}, func(b []byte) {
						copy(b, a.Seal(nil, nonce, b[:size], ad))
						change(b)
						change = second
					})
					dst, in := make([]byte, 0, size), make([]byte, size+16)
					return &timingSubject{
						prepare: func(class int) { sealed.copy(in, class) },
						run: func() {
							if _, err := a.Open(dst, nonce, in, ad); (err != nil) != forged {
								panic(fmt.Sprint("opening: ", err))
							}
						},
					}, nil
				})
			}
			same := func([]byte) {}
			open("text", "text 0, random", false, same, same)
			open("tag", "tag wrong in first byte, last", true, func(b []byte) { b[size] ^= 1 }, func(b []byte) { b[size+15] ^= 1 })
		}
	}
	for _, size := range []int{64, 1350} {
		add(fmt.Sprintf("aesctr128/encrypt/%d/key", size), "key 0, random", []*impl.Primitive{impl.CTR}, func() (*timingSubject, error) {
			key, keys := make([]byte, 16), newPool(16, zeros, nil)
			text, iv := message(size), make([]byte, aes.BlockSize)
			var s cipher.Stream
			return &timingSubject{
				prepare: func(class int) {
					keys.copy(key, class)
					block, err := aead.NewCipher(key)
					if err != nil {
						panic(err)
					}
					s = cipher.NewCTR(block, iv)
				},
				run: func() { s.XORKeyStream(text, text) },
			}, nil
		})
	}

	add("ecdsa-p256/sign/key", "key of few bits, random", single, func() (*timingSubject, error) {
		keys, digest := scalars(), message(32)
		var signers [64][2]ecdsa.Signer
		for i := range signers {
			for class := range signers[i] {
				key, err := stdecdsa.ParseRawPrivateKey(elliptic.P256(), keys.inputs[class][i])
				if err != nil {
					return nil, err
				}
				signer, err := ecdsa.NewSigner(key)
				if err != nil {
					return nil, err
				}
				signers[i][class] = *signer
			}
		}
		var both [2]ecdsa.Signer
		var s ecdsa.Signer
		return &timingSubject{
			prepare: func(class int) {
				both = signers[mrand.Uint32()%64]
				s = both[class]
			},
			run: func() {
				if _, err := s.Sign(rand.Reader, digest, crypto.SHA256); err != nil {
					panic(err)
				}
			},
		}, nil
	})
	kernelOnly := func() { ops[len(ops)-1].kernelOnly = true }
	add("ecdsa-p256/sign/nonce", "nonce of few bits, random", single, func() (*timingSubject, error) {
		nonces, d, e := scalars(), [32]byte(message(32)), [32]byte(message(32))
		var k, r, s [32]byte
		return &timingSubject{
			prepare: func(class int) { nonces.copy(k[:], class) },
			run: func() {
				if !p256.Sign(&r, &s, &d, &k, &e) {
					panic("no signature")
				}
			},
		}, nil
	})
	kernelOnly()
	add("ecdsa-p256/sign-batch/nonce", "nonces of few bits, random", batch, func() (*timingSubject, error) {
		nonces, d, e := scalars(), [32]byte(message(32)), [32]byte(message(32))
		var jobs [p256.Lanes]p256.SignJob
		return &timingSubject{
			prepare: func(class int) {
				for i := range jobs {
					jobs[i].D, jobs[i].E = d, e
					nonces.copy(jobs[i].K[:], class)
				}
			},
			run: func() { p256.SignBatch(jobs[:]) },
		}, nil
	})
	kernelOnly()
	add("ecdh-p256/generateSecret/key", "key of few bits, random", single, func() (*timingSubject, error) {
		keys, key := scalars(), make([]byte, 32)
		other, err := stdecdh.P256().GenerateKey(rand.Reader)
		if err != nil {
			return nil, err
		}
		remote, err := ecdh.FromStdPublicKey(other.PublicKey())
		if err != nil {
			return nil, err
		}
		var k *ecdh.PrivateKey
		return &timingSubject{
			prepare: func(class int) {
				keys.copy(key, class)
				var err error
				if k, err = ecdh.P256().NewPrivateKey(key); err != nil {
					panic(err)
				}
			},
			run: func() {
				if _, err := k.ECDH(remote); err != nil {
					panic(err)
				}
			},
		}, nil
	})
	add("ecdh-p256/generateKey/key", "key of few bits, random", single, func() (*timingSubject, error) {
		keys, key := scalars(), make([]byte, 32)
		return &timingSubject{
			prepare: func(class int) { keys.copy(key, class) },
			run: func() {
				k, err := ecdh.P256().NewPrivateKey(key)
				if err != nil {
					panic(err)
				}
				k.PublicKey()
			},
		}, nil
	})
	return ops
}
