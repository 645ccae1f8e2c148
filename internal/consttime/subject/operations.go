//go:build (amd64 || arm64) && !purego

package main

import (
	"crypto"
	"crypto/cipher"
	stdecdh "crypto/ecdh"
	"crypto/elliptic"
	"crypto/rand"
	"math/big"

	"github.com/fastcrypto-go/fastcrypto/aead"
	"github.com/fastcrypto-go/fastcrypto/chacha20poly1305"
	"github.com/fastcrypto-go/fastcrypto/chacha20poly1305/poly1305"
	"github.com/fastcrypto-go/fastcrypto/ecdh"
	"github.com/fastcrypto-go/fastcrypto/ecdsa"
	"github.com/fastcrypto-go/fastcrypto/internal/impl"
	"github.com/fastcrypto-go/fastcrypto/internal/p256"
)

// What operations take and give is static too. A key is made anew in each run: all
// that is allocated in a run is known by the order in which it is touched first.
type buffers struct {
	key                      [32]byte
	nonce                    [24]byte
	text, sealed, opened, ad [4096]byte
	tag                      [16]byte
	d, k, e, r, s            [32]byte
	public                   [65]byte
	digest                   [32]byte
	wide                     [64]byte
	sign                     [11]p256.SignJob
	agree                    [11]p256.ECDHJob
}

var buf buffers

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// operation returns the subject for an operation, for each tier of a primitive.
func operation(name string, of *impl.Primitive, fill func(*secret), run func()) []subject {
	var all []subject
	for _, tier := range of.Tiers() {
		all = append(all, subject{name: "operation/" + name + "/" + tier.String(), of: of, tier: tier, fill: fill, run: run})
	}
	return all
}

func operations() []subject {
	var all []subject
	all = append(all, gcmOperations()...)
	all = append(all, chachaOperations()...)
	return append(all, p256Operations()...)
}

const (
	opSize = 1350
	opAD   = 21
)

// aeadOperations are what every AEAD does. The nonce is public, but it is varied.
func aeadOperations(name string, of *impl.Primitive, keySize, nonceSize int, construct func() cipher.AEAD) []subject {
	fill := func(s *secret) {
		s.bytes(buf.key[:])
		s.bytes(buf.nonce[:])
		s.bytes(buf.text[:opSize])
		s.bytes(buf.ad[:opAD])
	}
	fillSealed := func(s *secret) {
		fill(s)
		construct().Seal(buf.sealed[:0], buf.nonce[:nonceSize], buf.text[:opSize], buf.ad[:opAD])
	}
	open := func() error {
		a := construct()
		_, err := a.Open(buf.opened[:0], buf.nonce[:nonceSize], buf.sealed[:opSize+a.Overhead()], buf.ad[:opAD])
		return err
	}
	all := operation(name+"/Seal", of, fill, func() {
		construct().Seal(buf.sealed[:0], buf.nonce[:nonceSize], buf.text[:opSize], buf.ad[:opAD])
	})
	all = append(all, operation(name+"/Open", of, fillSealed, func() {
		if open() != nil {
			panic("a right tag was rejected")
		}
	})...)
	// That a message is rejected is public; where its tag is wrong is not.
	return append(all, operation(name+"/Open/rejected", of, func(s *secret) {
		fillSealed(s)
		buf.sealed[opSize+s.below(16)] ^= 1 << s.below(8)
	}, func() {
		if open() == nil {
			panic("a wrong tag was accepted")
		}
	})...)
}

func gcmOperations() []subject {
	newGCM := func() cipher.AEAD { return must(aead.NewGCM(must(aead.NewCipher(buf.key[:16])))) }
	all := aeadOperations("aead.NewGCM", impl.GCM, 16, 12, newGCM)
	all = append(all, aeadOperations("aead.NewGCMWithNonceSize", impl.GCM, 32, 20, func() cipher.AEAD {
		return must(aead.NewGCMWithNonceSize(must(aead.NewCipher(buf.key[:])), 20))
	})...)
	fill := func(s *secret) {
		s.bytes(buf.key[:])
		s.bytes(buf.nonce[:])
		s.bytes(buf.text[:])
		s.bytes(buf.ad[:opAD])
	}
	pieces := [...]int{5, 100, 11, 16, 1500, 1, 700, 3}
	for _, nonceSize := range []int{12, 20} {
		name := map[int]string{12: "", 20: "/hashed nonce"}[nonceSize]
		seal := func() {
			s := must(aead.NewSealer(must(aead.NewCipher(buf.key[:])), buf.nonce[:nonceSize], buf.ad[:opAD]))
			out, text := buf.sealed[:0], buf.text[:]
			for _, n := range pieces {
				out, text = s.Update(out, text[:n]), text[n:]
			}
			s.Final(out)
		}
		all = append(all, operation("aead.Sealer"+name, impl.GCM, fill, seal)...)
		all = append(all, operation("aead.Opener"+name, impl.GCM, func(s *secret) { fill(s); seal() }, func() {
			o := must(aead.NewOpener(must(aead.NewCipher(buf.key[:])), buf.nonce[:nonceSize], buf.ad[:opAD]))
			in := buf.sealed[:]
			for _, n := range pieces {
				o.Update(in[:n])
				in = in[n:]
			}
			must(o.Final(buf.opened[:0], in[:16]))
		})...)
	}
	return append(all, operation("cipher.NewCTR", impl.CTR, fill, func() {
		iv := [16]byte{7: 1, 14: 1, 15: 0xfa} // the counter is public
		c := cipher.NewCTR(must(aead.NewCipher(buf.key[:24])), iv[:])
		out, text := buf.sealed[:], buf.text[:]
		for _, n := range pieces {
			c.XORKeyStream(out[:n], text[:n])
			out, text = out[n:], text[n:]
		}
	})...)
}

func chachaOperations() []subject {
	all := aeadOperations("chacha20poly1305.New", impl.ChaCha, 32, 12, func() cipher.AEAD { return must(chacha20poly1305.New(buf.key[:])) })
	all = append(all, aeadOperations("chacha20poly1305.NewX", impl.ChaCha, 32, 24, func() cipher.AEAD { return must(chacha20poly1305.NewX(buf.key[:])) })...)
	fill := func(s *secret) { s.bytes(buf.key[:]); s.bytes(buf.text[:opSize]) }
	all = append(all, operation("poly1305.Sum", impl.Poly1305, fill, func() { poly1305.Sum(&buf.tag, buf.text[:opSize], &buf.key) })...)
	return append(all, operation("poly1305.MAC", impl.Poly1305, func(s *secret) {
		fill(s)
		poly1305.Sum(&buf.tag, buf.text[:opSize], &buf.key)
		buf.tag[s.below(16)] ^= 1 << s.below(8)
	}, func() {
		m := poly1305.New(&buf.key)
		m.Write(buf.text[:5])
		m.Write(buf.text[5:600])
		m.Write(buf.text[600:opSize])
		if m.Verify(buf.tag[:]) {
			panic("a wrong tag was accepted")
		}
	})...)
}

// signingKey returns the private key with the scalar in buf, whose public point is
// there too.
func signingKey() *ecdsa.PrivateKey {
	return &ecdsa.PrivateKey{
		PublicKey: ecdsa.PublicKey{Curve: elliptic.P256(), X: new(big.Int).SetBytes(buf.public[1:33]), Y: new(big.Int).SetBytes(buf.public[33:])},
		D:         new(big.Int).SetBytes(buf.d[:]),
	}
}

// peer is some public key.
var peer = func() *ecdh.PublicKey {
	k := must(stdecdh.P256().NewPrivateKey(append(make([]byte, 31), 77)))
	return must(ecdh.P256().NewPublicKey(k.PublicKey().Bytes()))
}()

func p256Operations() []subject {
	fill := func(s *secret) {
		s.scalar(&buf.d)
		if [8]byte(buf.d[:8]) == [8]byte{} {
			// The number of words of an ecdsa.PrivateKey's scalar is known to math/big: n − d.
			d := new(big.Int).SetBytes(buf.d[:])
			d.Sub(groupOrder.m, d).FillBytes(buf.d[:])
		}
		s.scalar(&buf.k)
		s.bytes(buf.e[:])
		s.bytes(buf.digest[:])
		s.bytes(buf.wide[:])
		copy(buf.public[:], must(stdecdh.P256().NewPrivateKey(buf.d[:])).PublicKey().Bytes())
	}
	all := operation("ecdsa.Signer.Sign/hedged", impl.P256, fill, func() {
		must(must(ecdsa.NewSigner(signingKey())).Sign(rand.Reader, buf.digest[:], crypto.SHA256))
	})
	all = append(all, operation("ecdsa.Signer.Sign/RFC 6979", impl.P256, fill, func() {
		must(must(ecdsa.NewSigner(signingKey())).Sign(nil, buf.digest[:], crypto.SHA256))
	})...)
	all = append(all, operation("ecdsa.SignBatch", impl.P256, fill, func() {
		k := signingKey()
		d := buf.digest[:]
		must(ecdsa.SignBatch(rand.Reader, []*ecdsa.PrivateKey{k, k, k, k}, [][]byte{d, d, d, d}))
	})...)
	all = append(all, operation("ecdsa.GenerateKey", impl.P256, func(*secret) {}, func() {
		must(ecdsa.GenerateKey(elliptic.P256(), rand.Reader))
	})...)
	all = append(all, operation("ecdh.P256.GenerateKey", impl.P256, func(*secret) {}, func() {
		must(ecdh.P256().GenerateKey(rand.Reader))
	})...)
	all = append(all, operation("ecdh.PrivateKey.ECDH", impl.P256, fill, func() {
		must(must(ecdh.P256().NewPrivateKey(buf.d[:])).ECDH(peer))
	})...)
	all = append(all, operation("p256.Sign", impl.P256, fill, func() { p256.Sign(&buf.r, &buf.s, &buf.d, &buf.k, &buf.e) })...)
	all = append(all, operation("p256.ReduceWide", impl.P256, fill, func() { p256.ReduceWide(&buf.r, &buf.wide) })...)

	var point p256.PublicKey
	if enc := peer.Bytes(); !point.SetAffine((*[32]byte)(enc[1:33]), (*[32]byte)(enc[33:])) {
		panic("the peer's key is not on the curve")
	}
	all = append(all, operation("p256.SignBatch", impl.P256Batch, func(s *secret) {
		for i := range buf.sign {
			s.scalar(&buf.sign[i].D)
			s.scalar(&buf.sign[i].K)
			s.bytes(buf.sign[i].E[:])
		}
	}, func() { p256.SignBatch(buf.sign[:]) })...)
	return append(all, operation("p256.ECDHBatch", impl.P256Batch, func(s *secret) {
		for i := range buf.agree {
			buf.agree[i].Q = &point
			s.scalar(&buf.agree[i].K)
		}
	}, func() { p256.ECDHBatch(buf.agree[:]) })...)
}
