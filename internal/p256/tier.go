package p256

import (
	stdecdh "crypto/ecdh"
	stdecdsa "crypto/ecdsa"
	"crypto/elliptic"
	"encoding/hex"
	"errors"
	"math/big"
	"runtime"

	"github.com/fastcrypto-go/fastcrypto/internal/impl"
)

// Tier returns the tier that serves; impl.Generic means that the standard
// library does, and that nothing else of this package may be called.
func Tier() impl.Tier { return impl.P256.Tier() }

func init() { impl.P256.Register(knownAnswer) }

// The known answers: RFC 6979, A.2.5, SHA-256, message "sample", and what the
// private key agrees with its own public key.
var (
	knownD      = known("c9afa9d845ba75166b5c215767b1d6934e50c3db36e89b127b8a622b120f6721")
	knownX      = known("60fed4ba255a9d31c961eb74c6356d68c049b8923b61fa6ce669622e60f29fb6")
	knownY      = known("7903fe1008b8bc99a41ae9e95628bc64f2f1b20c2d7e9f5177a3c294d4462299")
	knownK      = known("a6e3c57dd01abe90086538398355dd4c3b17aa873382b0f24d6129493d8aad60")
	knownE      = known("af2bdbe1aa9b6ec1e2ade1d694f41fc71a831d0268e9891562113d8a62add1bf")
	knownR      = known("efd48b2aacb6a8fd1140dd9cd45e81d69d2c877b56aaf991c34d0ea84eaf3716")
	knownS      = known("f7cb1c942d657c41d436c7a1b6e29f65f3e900dbb9aff4064dc4ab2f843acda8")
	knownShared = known("2388ee990c93c4bb757203225b7786d69950d2f0de43cdf23dc71f5efaa169c8")
)

func known(s string) (b [32]byte) {
	if n, err := hex.Decode(b[:], []byte(s)); n != len(b) || err != nil {
		panic("p256: malformed known answer")
	}
	return b
}

func knownAnswer(tier impl.Tier) error {
	if tier == impl.Generic {
		return knownAnswerGeneric()
	}
	var q PublicKey
	if !q.SetAffine(&knownX, &knownY) {
		return errors.New("a right public key was rejected")
	}
	bad := knownY
	bad[31] ^= 1
	if new(PublicKey).SetAffine(&knownX, &bad) {
		return errors.New("a wrong public key was accepted")
	}
	var x, y [32]byte
	if scalarBaseMult(tier, &x, &y, &knownD); x != knownX || y != knownY {
		return errors.New("wrong multiple of the generator")
	}
	if q.ECDH(&x, &knownD); x != knownShared {
		return errors.New("wrong shared secret")
	}
	if !sign(tier, &x, &y, &knownD, &knownK, &knownE) || x != knownR || y != knownS {
		return errors.New("wrong signature")
	}
	t := newTable(tier, &q)
	if !q.VerifyVarTime(&knownE, &knownR, &knownS) || !t.VerifyVarTime(&knownE, &knownR, &knownS) {
		return errors.New("a right signature was rejected")
	}
	bad = knownE
	bad[0] ^= 1
	if q.VerifyVarTime(&bad, &knownR, &knownS) || t.VerifyVarTime(&bad, &knownR, &knownS) {
		return errors.New("a wrong signature was accepted")
	}
	return nil
}

func knownAnswerGeneric() error {
	priv, err := stdecdh.P256().NewPrivateKey(knownD[:])
	if err != nil {
		return err
	}
	if shared, err := priv.ECDH(priv.PublicKey()); err != nil || [32]byte(shared) != knownShared {
		return errors.New("wrong shared secret")
	}
	pub := stdecdsa.PublicKey{Curve: elliptic.P256(), X: new(big.Int).SetBytes(knownX[:]), Y: new(big.Int).SetBytes(knownY[:])}
	if !stdecdsa.Verify(&pub, knownE[:], new(big.Int).SetBytes(knownR[:]), new(big.Int).SetBytes(knownS[:])) {
		return errors.New("a right signature was rejected")
	}
	return nil
}

// FieldMulChain does n field multiplications, each of the previous one's result,
// on the tier that serves, which is not impl.Generic. It is for measuring.
func FieldMulChain(n int) {
	x := feOne
	for range n {
		feMul(&x, &x, &feB)
	}
	runtime.KeepAlive(&x)
}
