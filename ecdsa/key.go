package ecdsa

import (
	"crypto/elliptic"
	"errors"
	"math/big"

	"github.com/fastcrypto-go/fastcrypto/internal/p256"
)

// checkPrivateKey returns an error where a part of the key is nil, and otherwise
// crypto/ecdsa's error for an invalid key.
func checkPrivateKey(priv *PrivateKey) error {
	if err := checkPrivateKeyParts(priv); err != nil {
		return err
	}
	key := *priv
	if key.Curve = standardCurve(priv.Curve); key.Curve == nil {
		return nil // crypto/ecdsa takes keys of other curves as they are
	}
	_, err := key.Bytes()
	return err
}

// checkPublicKey does for public keys what checkPrivateKey does.
func checkPublicKey(pub *PublicKey) error {
	if err := checkPublicKeyParts(pub); err != nil {
		return err
	}
	key := *pub
	if key.Curve = standardCurve(pub.Curve); key.Curve == nil {
		return nil
	}
	_, err := key.Bytes()
	return err
}

// checkPrivateKeyParts returns an error where crypto/ecdsa would panic for lack of
// a part of the key.
func checkPrivateKeyParts(priv *PrivateKey) error {
	if priv == nil || priv.D == nil || checkPublicKeyParts(&priv.PublicKey) != nil {
		return errors.New("ecdsa: private key or a part of it is nil")
	}
	return nil
}

// checkPublicKeyParts does for public keys what checkPrivateKeyParts does.
func checkPublicKeyParts(pub *PublicKey) error {
	if pub == nil || pub.Curve == nil || pub.X == nil || pub.Y == nil {
		return errors.New("ecdsa: public key or a part of it is nil")
	}
	return nil
}

// standardCurve returns the curve of crypto/elliptic that crypto/ecdsa takes c for,
// or nil if it is none. As there, the parameters decide: elliptic.P256().Params()
// is P-256 too.
func standardCurve(c elliptic.Curve) elliptic.Curve {
	params := c.Params()
	for _, std := range []elliptic.Curve{elliptic.P224(), elliptic.P256(), elliptic.P384(), elliptic.P521()} {
		if params == std.Params() {
			return std
		}
	}
	return nil
}

// copyPrivateKey returns a copy of priv that shares nothing with it that the
// deprecated fields let a caller change.
func copyPrivateKey(priv *PrivateKey) *PrivateKey {
	return &PrivateKey{PublicKey: *copyPublicKey(&priv.PublicKey), D: new(big.Int).Set(priv.D)}
}

func copyPublicKey(pub *PublicKey) *PublicKey {
	return &PublicKey{Curve: pub.Curve, X: new(big.Int).Set(pub.X), Y: new(big.Int).Set(pub.Y)}
}

// newPrivateKey returns the P-256 key with the scalar d in [1, n−1].
func newPrivateKey(c elliptic.Curve, d *[32]byte) *PrivateKey {
	var x, y [32]byte
	p256.ScalarBaseMult(&x, &y, d)
	return &PrivateKey{
		PublicKey: PublicKey{Curve: c, X: new(big.Int).SetBytes(x[:]), Y: new(big.Int).SetBytes(y[:])},
		D:         new(big.Int).SetBytes(d[:]),
	}
}
