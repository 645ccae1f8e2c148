package main

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"github.com/fastcrypto-go/fastcrypto"
	fastecdsa "github.com/fastcrypto-go/fastcrypto/ecdsa"
)

func pair(t *testing.T) (*ecdsa.PrivateKey, crypto.Signer, *fastecdsa.Verifier) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	signer, err := fastcrypto.NewSigner(key)
	if err != nil {
		t.Fatal(err)
	}
	verifier, err := fastecdsa.NewVerifier(&key.PublicKey)
	if err != nil {
		t.Fatal(err)
	}
	return key, signer, verifier
}

func TestTokens(t *testing.T) {
	key, signer, verifier := pair(t)
	_, _, other := pair(t)
	soon := time.Now().Add(time.Minute)
	for range 100 { // r and s are short now and then
		token, err := Sign(signer, "alice", soon)
		if err != nil {
			t.Fatal(err)
		}
		if subject, err := Verify(verifier, token); err != nil || subject != "alice" {
			t.Fatalf("%s: %q, %v", token, subject, err)
		}
		// golang-jwt's own verification agrees.
		i := strings.LastIndexByte(token, '.')
		sig, err := base64.RawURLEncoding.DecodeString(token[i+1:])
		if err != nil {
			t.Fatal(err)
		}
		if err := jwt.SigningMethodES256.Verify(token[:i], sig, &key.PublicKey); err != nil {
			t.Errorf("%s: %v", token, err)
		}
		if _, err := Verify(other, token); !errors.Is(err, jwt.ErrTokenSignatureInvalid) {
			t.Errorf("another key: %v", err)
		}
	}

	// And a token that golang-jwt signed.
	claims := jwt.RegisteredClaims{Subject: "bob", ExpiresAt: jwt.NewNumericDate(soon)}
	token, err := jwt.NewWithClaims(jwt.SigningMethodES256, claims).SignedString(key)
	if err != nil {
		t.Fatal(err)
	}
	if subject, err := Verify(verifier, token); err != nil || subject != "bob" {
		t.Errorf("%q, %v", subject, err)
	}
}

func TestBadTokens(t *testing.T) {
	key, signer, verifier := pair(t)
	token, err := Sign(signer, "alice", time.Now().Add(time.Minute))
	if err != nil {
		t.Fatal(err)
	}
	expired, err := Sign(signer, "alice", time.Now().Add(-time.Minute))
	if err != nil {
		t.Fatal(err)
	}
	forever, err := jwt.NewWithClaims(es256{}, jwt.RegisteredClaims{Subject: "alice"}).SignedString(signer)
	if err != nil {
		t.Fatal(err)
	}
	unsigned, err := jwt.NewWithClaims(jwt.SigningMethodNone, jwt.RegisteredClaims{Subject: "alice"}).SignedString(jwt.UnsafeAllowNoneSignatureType)
	if err != nil {
		t.Fatal(err)
	}
	i := strings.LastIndexByte(token, '.') + 1
	for name, bad := range map[string]string{
		"empty": "", "no token": "hello", "expired": expired, "without end": forever, "unsigned": unsigned,
		"no signature": token[:i], "short signature": token[:len(token)-8],
		"zero signature": token[:i] + strings.Repeat("A", 86), "changed": "x" + token,
	} {
		if subject, err := Verify(verifier, bad); err == nil {
			t.Errorf("%s: accepted for %q", name, subject)
		}
	}

	_, edKey, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	p384, err := ecdsa.GenerateKey(elliptic.P384(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range []any{nil, "key", edKey, p384, &key.PublicKey} {
		if _, err := (es256{}).Sign("text", k); err == nil {
			t.Errorf("signed with %T", k)
		}
		if err := (es256{}).Verify("text", make([]byte, 64), k); err == nil {
			t.Errorf("verified with %T", k)
		}
	}
}

func TestRun(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "key.pem")
	if err := run(file, "", "", "", 0); err != nil {
		t.Fatal(err)
	}
	if err := run(file, "", "", "", 0); err == nil {
		t.Error("a key was overwritten")
	}
	if err := run("", file, "alice", "", time.Hour); err != nil {
		t.Error(err)
	}
	if err := run("", file, "", "no token", 0); err == nil {
		t.Error("no token was accepted")
	}
	other := filepath.Join(dir, "other.pem")
	if err := os.WriteFile(other, []byte("no PEM"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, bad := range []string{other, filepath.Join(dir, "none.pem")} {
		if err := run("", bad, "alice", "", time.Hour); err == nil {
			t.Errorf("%s was taken for a key", bad)
		}
	}
}
