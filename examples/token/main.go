// The command token signs and verifies tokens (JWT, RFC 7519) with ES256: ECDSA on
// P-256 with SHA-256. golang-jwt makes and reads them; its signing method ES256
// here signs through any crypto.Signer and verifies through an ecdsa.Verifier of
// fastcrypto, which holds tables for the one public key.
package main

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"flag"
	"fmt"
	"math/big"
	"os"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"github.com/fastcrypto-go/fastcrypto"
	fastecdsa "github.com/fastcrypto-go/fastcrypto/ecdsa"
)

func main() {
	newKey := flag.String("new", "", "write a new key to this `file`, and end")
	keyFile := flag.String("key", "", "`file` with the key")
	sign := flag.String("sign", "", "sign a token for this `subject`")
	valid := flag.Duration("for", time.Hour, "how long a new token is valid")
	verify := flag.String("verify", "", "verify this `token` and print its subject")
	flag.Parse()
	var modes int
	for _, s := range []string{*newKey, *sign, *verify} {
		if s != "" {
			modes++
		}
	}
	if modes != 1 || flag.NArg() > 0 || (*newKey == "") == (*keyFile == "") {
		fmt.Fprintln(os.Stderr, "usage: token -new FILE | -key FILE -sign SUBJECT [-for DURATION] | -key FILE -verify TOKEN")
		os.Exit(2)
	}
	if err := run(*newKey, *keyFile, *sign, *verify, *valid); err != nil {
		fmt.Fprintln(os.Stderr, "token:", err)
		os.Exit(1)
	}
}

func run(newKey, keyFile, subject, token string, valid time.Duration) error {
	if newKey != "" {
		return writeKey(newKey)
	}
	key, err := readKey(keyFile)
	if err != nil {
		return err
	}
	if subject != "" {
		signer, err := fastcrypto.NewSigner(key)
		if err != nil {
			return err
		}
		token, err := Sign(signer, subject, time.Now().Add(valid))
		if err != nil {
			return err
		}
		fmt.Println(token)
		return nil
	}
	verifier, err := fastecdsa.NewVerifier(&key.PublicKey)
	if err != nil {
		return err
	}
	if subject, err = Verify(verifier, token); err != nil {
		return err
	}
	fmt.Println(subject)
	return nil
}

// Sign returns a token for the subject that is valid until the given time.
func Sign(key crypto.Signer, subject string, until time.Time) (string, error) {
	return jwt.NewWithClaims(es256{}, jwt.RegisteredClaims{
		Subject:   subject,
		IssuedAt:  jwt.NewNumericDate(time.Now()),
		ExpiresAt: jwt.NewNumericDate(until),
	}).SignedString(key)
}

// Verify returns the subject of a token if its signature is right, it was made
// with ES256, and it has not expired.
func Verify(key *fastecdsa.Verifier, token string) (subject string, err error) {
	var claims jwt.RegisteredClaims
	_, err = parser.ParseWithClaims(token, &claims, func(t *jwt.Token) (any, error) { return key, nil })
	return claims.Subject, err
}

var parser = jwt.NewParser(jwt.WithValidMethods([]string{"ES256"}), jwt.WithExpirationRequired())

// golang-jwt looks up the method that a token's header names in its registry, so
// tokens are verified by this one. golang-jwt's own takes only *ecdsa.PrivateKey and
// *ecdsa.PublicKey.
func init() { jwt.RegisterSigningMethod("ES256", func() jwt.SigningMethod { return es256{} }) }

// An es256 is the signing method ES256 (RFC 7518, section 3.4).
type es256 struct{}

var errKey = errors.New("ES256 takes a crypto.Signer on P-256 to sign and an ecdsa.Verifier to verify")

func (es256) Alg() string { return "ES256" }

// Sign returns r and s, 32 bytes each, for key, a crypto.Signer.
func (es256) Sign(signingString string, key any) ([]byte, error) {
	signer, ok := key.(crypto.Signer)
	if !ok {
		return nil, errKey
	}
	if public, ok := signer.Public().(*ecdsa.PublicKey); !ok || public.Curve != elliptic.P256() {
		return nil, errKey
	}
	digest := sha256.Sum256([]byte(signingString))
	der, err := signer.Sign(rand.Reader, digest[:], crypto.SHA256)
	if err != nil {
		return nil, err
	}
	return fromDER(der)
}

// Verify checks a signature of 64 bytes with key, an *ecdsa.Verifier.
func (es256) Verify(signingString string, sig []byte, key any) error {
	verifier, ok := key.(*fastecdsa.Verifier)
	if !ok || verifier == nil {
		return errKey
	}
	if len(sig) != 64 {
		return jwt.ErrECDSAVerification
	}
	digest := sha256.Sum256([]byte(signingString))
	if !verifier.Verify(digest[:], new(big.Int).SetBytes(sig[:32]), new(big.Int).SetBytes(sig[32:])) {
		return jwt.ErrECDSAVerification
	}
	return nil
}

func writeKey(file string) error {
	key, err := fastecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return err
	}
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	return errors.Join(pem.Encode(f, &pem.Block{Type: "PRIVATE KEY", Bytes: der}), f.Close())
}

func readKey(file string) (*ecdsa.PrivateKey, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	block, _ := pem.Decode(data)
	if block == nil {
		return nil, fmt.Errorf("%s holds no PEM block", file)
	}
	key, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	private, ok := key.(*ecdsa.PrivateKey)
	if !ok || private.Curve != elliptic.P256() {
		return nil, fmt.Errorf("%s holds no key on P-256", file)
	}
	return private, nil
}
