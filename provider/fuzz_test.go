//lint:file-ignore SA1019 keys are made by hand, and what is deprecated in tls.Config is kept

package provider

import (
	"crypto"
	stdecdsa "crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"fmt"
	"math/big"
	"testing"

	"github.com/fastcrypto-go/fastcrypto/ecdsa"
	"github.com/fastcrypto-go/fastcrypto/internal/impl"
	"github.com/fastcrypto-go/fastcrypto/internal/testkit"
)

// FuzzTLSConfig puts keys made by hand into a configuration: only a P-256 key that
// cannot sign is refused, with NewSigner's error, and what comes out signs as before.
func FuzzTLSConfig(f *testing.F) {
	key := newKey(f, elliptic.P256())
	for flags := range uint8(64) {
		f.Add(uint8(0), flags, key.D.Bytes(), key.X.Bytes(), key.Y.Bytes())
	}
	for curve := range uint8(6) {
		f.Add(curve, uint8(64), []byte{9}, []byte{}, []byte{})
	}
	f.Fuzz(func(t *testing.T, curve, flags uint8, d, x, y []byte) {
		if len(d)+len(x)+len(y) > 300 {
			return
		}
		skipFIPS(t)
		curves := []elliptic.Curve{elliptic.P256(), elliptic.P384(), elliptic.P224(), elliptic.P521(), elliptic.P256().Params(), nil}
		c := curves[int(curve)%len(curves)]
		key := &stdecdsa.PrivateKey{D: new(big.Int).SetBytes(d)}
		key.Curve, key.X, key.Y = c, new(big.Int).SetBytes(x), new(big.Int).SetBytes(y)
		if flags&64 != 0 && c != nil {
			key.D.Mod(key.D, new(big.Int).Sub(c.Params().N, big.NewInt(1))).Add(key.D, big.NewInt(1))
			key.X, key.Y = c.ScalarBaseMult(key.D.Bytes())
		}
		for i, v := range []**big.Int{&key.D, &key.X, &key.Y} {
			if flags&(8<<i) != 0 {
				(*v).Neg(*v)
			}
			if flags&(1<<i) != 0 {
				*v = nil
			}
		}
		var private crypto.PrivateKey = key
		if flags&128 != 0 {
			private = (*stdecdsa.PrivateKey)(nil)
		}
		testkit.EachTier(t, impl.P256, func(tier impl.Tier) {
			config := &tls.Config{
				Certificates:      []tls.Certificate{{PrivateKey: private}},
				NameToCertificate: map[string]*tls.Certificate{"x": {PrivateKey: private}, "nil": nil},
				GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) {
					return &tls.Certificate{PrivateKey: private}, nil
				},
			}
			var prepared *tls.Config
			got := testkit.Outcome(func() (string, error) {
				var err error
				prepared, err = TLSConfig(config)
				return "", err
			})
			want := "result: "
			if p256Key(private) != nil {
				if _, err := ecdsa.NewSigner(key); err != nil {
					want = "error: provider: certificate 0: " + err.Error()
				}
			}
			if got != want {
				t.Fatalf("%v: %s, want %s", tier, got, want)
			}
			if prepared == nil {
				return
			}
			called, err := prepared.GetCertificate(nil)
			if err != nil {
				t.Fatal(err)
			}
			for _, k := range []crypto.PrivateKey{prepared.Certificates[0].PrivateKey, prepared.NameToCertificate["x"].PrivateKey, called.PrivateKey} {
				if p256Key(private) == nil {
					if k != private {
						t.Errorf("%v: a %T was exchanged for a %T", tier, private, k)
					}
				} else if flags == 64 {
					sig, err := k.(crypto.Signer).Sign(rand.Reader, d, nil)
					if err != nil || !stdecdsa.VerifyASN1(&key.PublicKey, d, sig) {
						t.Errorf("%v: signature %x, %v", tier, sig, err)
					}
				}
			}
			if fmt.Sprintf("%T", config.Certificates[0].PrivateKey) != "*ecdsa.PrivateKey" {
				t.Errorf("%v: the given configuration was changed", tier)
			}
		})
	})
}
