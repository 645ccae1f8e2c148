package ecdh

import (
	stdecdh "crypto/ecdh"
	"io"
	"sync/atomic"

	"github.com/fastcrypto-go/fastcrypto/internal/deadstack"
	"github.com/fastcrypto-go/fastcrypto/internal/impl"
	"github.com/fastcrypto-go/fastcrypto/internal/p256"
	"github.com/fastcrypto-go/fastcrypto/internal/random"
)

// p256Curve is P-256: on the kernels where one serves, and otherwise, and for the
// error of a bad key, crypto/ecdh's.
type p256Curve struct{}

// A p256Public is a public key on the kernels.
type p256Public struct {
	point p256.PublicKey
	enc   [65]byte // 4 ‖ x ‖ y
	std   atomic.Pointer[stdecdh.PublicKey]
}

// A p256Private is a private key on the kernels.
type p256Private struct {
	d   [32]byte // big-endian, in [1, n−1]
	std atomic.Pointer[stdecdh.PrivateKey]
}

func onKernels() bool { return impl.P256.Tier() != impl.Generic }

func (p256Curve) String() string { return "P-256" }

func (c p256Curve) GenerateKey(rand io.Reader) (*PrivateKey, error) {
	if !onKernels() || !random.IsSystem(rand) {
		key, err := stdecdh.P256().GenerateKey(rand)
		return wrapPrivate(c, key, err)
	}
	var d [32]byte
	for !p256.ValidScalar(&d) { // a second round has probability 2^−32
		random.Fill(d[:])
		d[1] ^= 0x42 // crypto/ecdh does so, and a test's random source gives the same key
	}
	key := newP256Private(&d)
	clear(d[:])
	deadstack.Clear()
	return key, nil
}

func (c p256Curve) NewPrivateKey(key []byte) (*PrivateKey, error) {
	if onKernels() && len(key) == 32 {
		// What is checked is what is used, even if another goroutine changes key.
		d := [32]byte(key)
		if p256.ValidScalar(&d) {
			k := newP256Private(&d)
			clear(d[:])
			deadstack.Clear()
			return k, nil
		}
	}
	k, err := stdecdh.P256().NewPrivateKey(key)
	return wrapPrivate(c, k, err)
}

func (c p256Curve) NewPublicKey(key []byte) (*PublicKey, error) {
	if onKernels() && len(key) == 65 && key[0] == 4 {
		if k := newP256Public((*[65]byte)(key)); k != nil {
			return k, nil
		}
	}
	k, err := stdecdh.P256().NewPublicKey(key)
	return wrapPublic(c, k, err)
}

func (p256Curve) ecdh(local *PrivateKey, remote *PublicKey) ([]byte, error) {
	if local.p256 == nil || remote.p256 == nil {
		return local.Std().ECDH(remote.Std())
	}
	secret := new([32]byte)
	remote.p256.point.ECDH(secret, &local.p256.d)
	deadstack.Clear()
	return secret[:], nil
}

func (c p256Curve) fromStdPrivate(key *stdecdh.PrivateKey) *PrivateKey {
	public := c.fromStdPublic(key.PublicKey())
	if public.p256 == nil {
		return &PrivateKey{curve: c, public: public, std: key}
	}
	k := &p256Private{d: [32]byte(key.Bytes())}
	k.std.Store(key)
	return &PrivateKey{curve: c, public: public, p256: k}
}

func (c p256Curve) fromStdPublic(key *stdecdh.PublicKey) *PublicKey {
	if onKernels() {
		if k := newP256Public((*[65]byte)(key.Bytes())); k != nil {
			k.p256.std.Store(key)
			return k
		}
	}
	return &PublicKey{curve: c, std: key}
}

// newP256Private returns the key with the scalar d in [1, n−1]. It computes the
// public key and allocates once.
func newP256Private(d *[32]byte) *PrivateKey {
	k := new(struct {
		private PrivateKey
		public  PublicKey
		d       p256Private
		q       p256Public
	})
	var x, y [32]byte
	p256.ScalarBaseMult(&x, &y, d)
	if !k.q.point.SetAffine(&x, &y) {
		panic("ecdh: internal error: the public key is not on the curve")
	}
	k.q.enc[0] = 4
	copy(k.q.enc[1:], x[:])
	copy(k.q.enc[33:], y[:])
	k.d.d = *d
	k.public = PublicKey{curve: nistP256, p256: &k.q}
	k.private = PrivateKey{curve: nistP256, public: &k.public, p256: &k.d}
	return &k.private
}

// newP256Public returns the key that enc encodes, or nil if its coordinates are not
// reduced or its point is not on the curve. It allocates once.
func newP256Public(enc *[65]byte) *PublicKey {
	k := new(struct {
		public PublicKey
		q      p256Public
	})
	x, y := [32]byte(enc[1:]), [32]byte(enc[33:])
	if !k.q.point.SetAffine(&x, &y) {
		return nil
	}
	k.q.enc = *enc
	k.public = PublicKey{curve: nistP256, p256: &k.q}
	return &k.public
}

// toStd returns the key as crypto/ecdh's, made the first time it is asked for.
func (q *p256Public) toStd() *stdecdh.PublicKey {
	if std := q.std.Load(); std != nil {
		return std
	}
	std, err := stdecdh.P256().NewPublicKey(q.enc[:])
	if err != nil {
		panic("ecdh: internal error: crypto/ecdh rejects a checked public key: " + err.Error())
	}
	q.std.CompareAndSwap(nil, std)
	return q.std.Load()
}

// toStd returns the key as crypto/ecdh's, made the first time it is asked for.
func (k *p256Private) toStd() *stdecdh.PrivateKey {
	if std := k.std.Load(); std != nil {
		return std
	}
	std, err := stdecdh.P256().NewPrivateKey(k.d[:])
	if err != nil {
		panic("ecdh: internal error: crypto/ecdh rejects a checked private key: " + err.Error())
	}
	k.std.CompareAndSwap(nil, std)
	return k.std.Load()
}
