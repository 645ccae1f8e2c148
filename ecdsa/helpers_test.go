package ecdsa_test

import (
	"crypto"
	stdecdsa "crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"fmt"
	"io"
	"math/big"
	"os"
	"strings"
	"testing"

	"github.com/fastcrypto-go/fastcrypto/ecdsa"
)

// long chooses the long form of the tests that have one.
var long = os.Getenv("FASTCRYPTO_TEST_LONG") != ""

// count returns how often a test repeats: few times with -short, many in the long
// form.
func count(short, normal, many int) int {
	switch {
	case long:
		return many
	case testing.Short():
		return short
	}
	return normal
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func newKey() *ecdsa.PrivateKey {
	return must(stdecdsa.GenerateKey(elliptic.P256(), rand.Reader))
}

func digestOf(message string) []byte {
	d := sha256.Sum256([]byte(message))
	return d[:]
}

// outcome describes what f did, so that two implementations can be compared: its
// result, its error or its panic.
func outcome[T any](f func() (T, error)) (text string) {
	defer func() {
		if r := recover(); r != nil {
			text = fmt.Sprintf("panic: %v", r)
		}
	}()
	v, err := f()
	if err != nil {
		return "error: " + err.Error()
	}
	return fmt.Sprintf("result: %v", v)
}

// verdict is outcome for functions without an error.
func verdict(f func() bool) string {
	return outcome(func() (bool, error) { return f(), nil })
}

// hashes that crypto links in here.
var hashes = []crypto.Hash{
	crypto.MD5, crypto.SHA1, crypto.SHA224, crypto.SHA256, crypto.SHA384, crypto.SHA512, crypto.SHA512_224,
	crypto.SHA512_256, crypto.SHA3_224, crypto.SHA3_256, crypto.SHA3_384, crypto.SHA3_512,
}

func fromHex(s string) *big.Int {
	v, ok := new(big.Int).SetString(strings.ReplaceAll(s, " ", ""), 16)
	if !ok {
		panic("bad hexadecimal number " + s)
	}
	return v
}

// failing is a random source that fails.
type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, io.ErrClosedPipe }

// badKeys are private keys that are not in order, by what is wrong with them. The
// curve is P-256 where nothing else is said.
func badKeys() map[string]*ecdsa.PrivateKey {
	good := newKey()
	p, n := elliptic.P256().Params().P, elliptic.P256().Params().N
	with := func(change func(k *ecdsa.PrivateKey)) *ecdsa.PrivateKey {
		k := &ecdsa.PrivateKey{D: new(big.Int).Set(good.D)}
		k.Curve, k.X, k.Y = good.Curve, new(big.Int).Set(good.X), new(big.Int).Set(good.Y)
		change(k)
		return k
	}
	huge := new(big.Int).Lsh(big.NewInt(1), 300)
	return map[string]*ecdsa.PrivateKey{
		"D zero":             with(func(k *ecdsa.PrivateKey) { k.D.SetInt64(0) }),
		"D negative":         with(func(k *ecdsa.PrivateKey) { k.D.Neg(k.D) }),
		"D is n":             with(func(k *ecdsa.PrivateKey) { k.D.Set(n) }),
		"D above n":          with(func(k *ecdsa.PrivateKey) { k.D.Add(n, big.NewInt(1)) }),
		"D is 2^256-1":       with(func(k *ecdsa.PrivateKey) { k.D.Sub(k.D.Lsh(big.NewInt(1), 256), big.NewInt(1)) }),
		"D is 2^256":         with(func(k *ecdsa.PrivateKey) { k.D.Lsh(big.NewInt(1), 256) }),
		"D huge":             with(func(k *ecdsa.PrivateKey) { k.D.Set(huge) }),
		"X negative":         with(func(k *ecdsa.PrivateKey) { k.X.Neg(k.X) }),
		"Y negative":         with(func(k *ecdsa.PrivateKey) { k.Y.Neg(k.Y) }),
		"X huge":             with(func(k *ecdsa.PrivateKey) { k.X.Set(huge) }),
		"Y huge":             with(func(k *ecdsa.PrivateKey) { k.Y.Set(huge) }),
		"X not reduced":      with(func(k *ecdsa.PrivateKey) { k.X.Set(p) }),
		"Y not reduced":      with(func(k *ecdsa.PrivateKey) { k.Y.Add(p, big.NewInt(1)) }),
		"off curve":          with(func(k *ecdsa.PrivateKey) { k.X.Add(k.X, big.NewInt(1)) }),
		"infinity":           with(func(k *ecdsa.PrivateKey) { k.X.SetInt64(0); k.Y.SetInt64(0) }),
		"D nil":              with(func(k *ecdsa.PrivateKey) { k.D = nil }),
		"X nil":              with(func(k *ecdsa.PrivateKey) { k.X = nil }),
		"Y nil":              with(func(k *ecdsa.PrivateKey) { k.Y = nil }),
		"curve nil":          with(func(k *ecdsa.PrivateKey) { k.Curve = nil }),
		"P-256 key on P-384": with(func(k *ecdsa.PrivateKey) { k.Curve = elliptic.P384() }),
		"empty":              {},
		"nil":                nil,
	}
}
