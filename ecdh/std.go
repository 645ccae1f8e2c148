package ecdh

import (
	stdecdh "crypto/ecdh"
	"errors"
	"io"
)

// A stdCurve is a curve that crypto/ecdh serves everywhere.
type stdCurve struct {
	std  stdecdh.Curve
	name string
}

var (
	nistP256 = p256Curve{}
	nistP384 = &stdCurve{stdecdh.P384(), "P-384"}
	nistP521 = &stdCurve{stdecdh.P521(), "P-521"}
	x25519   = &stdCurve{stdecdh.X25519(), "X25519"}
)

func (c *stdCurve) String() string { return c.name }

func (c *stdCurve) GenerateKey(rand io.Reader) (*PrivateKey, error) {
	key, err := c.std.GenerateKey(rand)
	return wrapPrivate(c, key, err)
}

func (c *stdCurve) NewPrivateKey(key []byte) (*PrivateKey, error) {
	k, err := c.std.NewPrivateKey(key)
	return wrapPrivate(c, k, err)
}

func (c *stdCurve) NewPublicKey(key []byte) (*PublicKey, error) {
	k, err := c.std.NewPublicKey(key)
	return wrapPublic(c, k, err)
}

func (c *stdCurve) ecdh(local *PrivateKey, remote *PublicKey) ([]byte, error) {
	return local.std.ECDH(remote.std)
}

func (c *stdCurve) fromStdPrivate(key *stdecdh.PrivateKey) *PrivateKey {
	return &PrivateKey{curve: c, public: c.fromStdPublic(key.PublicKey()), std: key}
}

func (c *stdCurve) fromStdPublic(key *stdecdh.PublicKey) *PublicKey {
	return &PublicKey{curve: c, std: key}
}

// wrapPrivate passes on what a constructor of crypto/ecdh returned.
func wrapPrivate(c Curve, key *stdecdh.PrivateKey, err error) (*PrivateKey, error) {
	if err != nil {
		return nil, err
	}
	return c.fromStdPrivate(key), nil
}

// wrapPublic does for public keys what wrapPrivate does.
func wrapPublic(c Curve, key *stdecdh.PublicKey, err error) (*PublicKey, error) {
	if err != nil {
		return nil, err
	}
	return c.fromStdPublic(key), nil
}

// FromStdPrivateKey returns k as a key of this package. Nothing is computed anew,
// and the result's Std method returns k. It returns an error if k is nil.
func FromStdPrivateKey(k *stdecdh.PrivateKey) (*PrivateKey, error) {
	if k == nil {
		return nil, errors.New("ecdh: private key is nil")
	}
	c, err := fromStdCurve(k.Curve())
	if err != nil {
		return nil, err
	}
	return c.fromStdPrivate(k), nil
}

// FromStdPublicKey returns k as a key of this package. The result's Std method
// returns k. It returns an error if k is nil.
func FromStdPublicKey(k *stdecdh.PublicKey) (*PublicKey, error) {
	if k == nil {
		return nil, errors.New("ecdh: public key is nil")
	}
	c, err := fromStdCurve(k.Curve())
	if err != nil {
		return nil, err
	}
	return c.fromStdPublic(k), nil
}

func fromStdCurve(c stdecdh.Curve) (Curve, error) {
	switch c {
	case stdecdh.P256():
		return nistP256, nil
	case stdecdh.P384():
		return nistP384, nil
	case stdecdh.P521():
		return nistP521, nil
	case stdecdh.X25519():
		return x25519, nil
	}
	return nil, errors.New("ecdh: key of an unknown curve")
}
