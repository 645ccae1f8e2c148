//go:build !purego

// The standard library has no FIPS 140-3 mode in a purego build.

package provider

import (
	"bytes"
	"crypto"
	"crypto/aes"
	"crypto/cipher"
	stdecdh "crypto/ecdh"
	stdecdsa "crypto/ecdsa"
	"crypto/elliptic"
	"crypto/fips140"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"os"
	"os/exec"
	"reflect"
	"strings"
	"testing"

	xchacha "golang.org/x/crypto/chacha20poly1305"

	"github.com/fastcrypto-go/fastcrypto/aead"
	"github.com/fastcrypto-go/fastcrypto/chacha20poly1305"
	"github.com/fastcrypto-go/fastcrypto/ecdh"
	"github.com/fastcrypto-go/fastcrypto/ecdsa"
	"github.com/fastcrypto-go/fastcrypto/internal/impl"
)

const fipsChild = "FASTCRYPTO_TEST_FIPS_CHILD"

// TestFIPS runs the tests named TestInFIPS… in processes that are in FIPS 140-3
// mode, with each of its two settings.
func TestFIPS(t *testing.T) {
	if os.Getenv(fipsChild) != "" {
		t.Skip("this is the child")
	}
	for _, mode := range []string{"on", "only"} {
		cmd := exec.Command(os.Args[0], "-test.run=^TestInFIPS", "-test.v")
		cmd.Env = append(os.Environ(), fipsChild+"="+mode, "GODEBUG=fips140="+mode)
		out, err := cmd.CombinedOutput()
		if err != nil && strings.Contains(err.Error(), "exec format error") {
			t.Skip("an emulated process cannot start another")
		}
		if err != nil || bytes.Count(out, []byte("--- PASS: TestInFIPS")) != 5 {
			t.Errorf("fips140=%s: %v\n%s", mode, err, out)
		}
	}
}

// inFIPS returns whether enforcement is strict, and skips outside of FIPS mode.
func inFIPS(t *testing.T) (strict bool) {
	t.Helper()
	switch mode := os.Getenv(fipsChild); {
	case mode == "":
		t.Skip("run by TestFIPS")
	case !fips140.Enabled() || fips140.Enforced() != (mode == "only"):
		t.Fatal("the process is not in the mode that was asked for")
	}
	return fips140.Enforced()
}

// same checks that two constructors returned the same type, or the same error.
func same(t *testing.T, what string, got any, err error, want any, wantErr error) {
	t.Helper()
	if (err == nil) != (wantErr == nil) || err != nil && err.Error() != wantErr.Error() {
		t.Errorf("%s: error %v, the library's %v", what, err, wantErr)
	} else if err == nil && reflect.TypeOf(got) != reflect.TypeOf(want) {
		t.Errorf("%s is %T, the library's %T", what, got, want)
	}
}

func TestInFIPSAEAD(t *testing.T) {
	strict := inFIPS(t)
	for _, n := range []int{16, 24, 32, 33} {
		key := make([]byte, n)
		block, err := aead.NewCipher(key)
		want, wantErr := aes.NewCipher(key)
		same(t, "NewCipher", block, err, want, wantErr)
		if err != nil {
			continue
		}
		g, err := aead.NewGCM(block)
		w, wantErr := cipher.NewGCM(want)
		same(t, "NewGCM", g, err, w, wantErr)
		if strict != (err != nil) {
			t.Errorf("NewGCM: %v", err)
		}
		g, err = aead.NewGCMWithNonceSize(block, 16)
		w, wantErr = cipher.NewGCMWithNonceSize(want, 16)
		same(t, "NewGCMWithNonceSize", g, err, w, wantErr)
		g, err = aead.NewGCMWithTagSize(block, 13)
		w, wantErr = cipher.NewGCMWithTagSize(want, 13)
		same(t, "NewGCMWithTagSize", g, err, w, wantErr)
		g, err = aead.NewGCMWithRandomNonce(block)
		w, wantErr = cipher.NewGCMWithRandomNonce(want)
		same(t, "NewGCMWithRandomNonce", g, err, w, wantErr)
		if err != nil {
			t.Fatal(err)
		}
		if p, err := w.Open(nil, nil, g.Seal(nil, nil, []byte("text"), nil), nil); err != nil || string(p) != "text" {
			t.Errorf("NewGCMWithRandomNonce: %q, %v", p, err)
		}

		s, err := aead.NewSealer(block, make([]byte, 12), nil)
		if strict != (err != nil) {
			t.Errorf("NewSealer: %v", err)
		} else if err == nil {
			a, _ := cipher.NewGCM(want)
			sealed := s.Update(nil, []byte("te"))
			sealed = s.Update(sealed, []byte("xt"))
			if p, err := a.Open(nil, make([]byte, 12), s.Final(sealed), nil); err != nil || string(p) != "text" {
				t.Errorf("NewSealer: %q, %v", p, err)
			}
		}
		if _, err := aead.NewOpener(block, make([]byte, 12), nil); strict != (err != nil) {
			t.Errorf("NewOpener: %v", err)
		}
	}
	for _, c := range []struct {
		fast, library func([]byte) (cipher.AEAD, error)
	}{
		{chacha20poly1305.New, xchacha.New}, {chacha20poly1305.NewX, xchacha.NewX},
	} {
		got, err := c.fast(make([]byte, 32))
		want, wantErr := c.library(make([]byte, 32))
		// The one holds the other and is of a type of its own.
		same(t, "ChaCha20-Poly1305", nil, err, nil, wantErr)
		if strict != (err != nil) {
			t.Errorf("ChaCha20-Poly1305: %v", err)
		} else if err == nil {
			nonce := make([]byte, got.NonceSize())
			if !bytes.Equal(got.Seal(nil, nonce, []byte("text"), nil), want.Seal(nil, nonce, []byte("text"), nil)) {
				t.Error("ChaCha20-Poly1305: another result than the library's")
			}
		}
	}
}

func TestInFIPSECDSA(t *testing.T) {
	inFIPS(t)
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	signer, err := ecdsa.NewSigner(key)
	if err != nil {
		t.Fatal(err)
	}
	batch, err := ecdsa.NewBatchSigner(key)
	if err != nil {
		t.Fatal(err)
	}
	verifier, err := ecdsa.NewVerifier(&key.PublicKey)
	if err != nil {
		t.Fatal(err)
	}
	digest := sha256.Sum256([]byte("message"))
	for _, s := range []crypto.Signer{signer, batch} {
		sig, err := s.Sign(rand.Reader, digest[:], crypto.SHA256)
		if err != nil {
			t.Fatal(err)
		}
		if !stdecdsa.VerifyASN1(&key.PublicKey, digest[:], sig) || !ecdsa.VerifyASN1(&key.PublicKey, digest[:], sig) || !verifier.VerifyASN1(digest[:], sig) {
			t.Errorf("%T: the signature does not verify", s)
		}
		// Deterministic signatures tell who made them.
		sig, err = s.Sign(nil, digest[:], crypto.SHA256)
		if err != nil {
			t.Fatal(err)
		}
		if want, err := key.Sign(nil, digest[:], crypto.SHA256); err != nil || !bytes.Equal(sig, want) {
			t.Errorf("%T: not the standard library's signature, error %v", s, err)
		}
	}
	sigs, err := ecdsa.SignBatch(rand.Reader, []*stdecdsa.PrivateKey{key, key}, [][]byte{digest[:], digest[:]})
	if err != nil {
		t.Fatal(err)
	}
	for _, ok := range ecdsa.VerifyBatch([]*stdecdsa.PublicKey{&key.PublicKey, &key.PublicKey}, [][]byte{digest[:], digest[:]}, sigs) {
		if !ok {
			t.Error("a signature of SignBatch does not verify")
		}
	}
}

func TestInFIPSECDH(t *testing.T) {
	inFIPS(t)
	for _, c := range []struct {
		fast ecdh.Curve
		std  stdecdh.Curve
	}{{ecdh.P256(), stdecdh.P256()}, {ecdh.P384(), stdecdh.P384()}, {ecdh.P521(), stdecdh.P521()}, {ecdh.X25519(), stdecdh.X25519()}} {
		key, err := c.fast.GenerateKey(rand.Reader)
		want, wantErr := c.std.GenerateKey(rand.Reader)
		if (err == nil) != (wantErr == nil) {
			t.Errorf("%v: error %v, the library's %v", c.std, err, wantErr)
		}
		if err != nil || wantErr != nil {
			continue
		}
		remote, err := ecdh.FromStdPublicKey(want.PublicKey())
		if err != nil {
			t.Fatal(err)
		}
		got, err := key.ECDH(remote)
		if err != nil {
			t.Fatal(err)
		}
		if shared, err := want.ECDH(key.PublicKey().Std()); err != nil || !bytes.Equal(got, shared) {
			t.Errorf("%v: the shared secrets differ, error %v", c.std, err)
		}
	}
}

func TestInFIPSKernels(t *testing.T) {
	inFIPS(t)
	if err := SelfTest(); err != nil {
		t.Error(err)
	}
	for _, p := range impl.Primitives() {
		if tier := p.Tier(); tier != impl.Generic {
			t.Errorf("%s: tier %s serves", p.Name(), tier)
		}
	}
	kernels := Kernels()
	for i, k := range kernels {
		if k.Selected != (k.Tier == "generic") {
			t.Errorf("%s, tier %s: selected: %v", k.Primitive, k.Tier, k.Selected)
		}
		first := i == 0 || kernels[i-1].Primitive != k.Primitive
		if alone := first && k.Tier == "generic"; !alone && !strings.Contains(k.Reason, "FIPS 140-3 mode") && !strings.Contains(k.Reason, "build tag purego") && !strings.Contains(k.Reason, "tag purego") {
			t.Errorf("%s, tier %s: the reason is %q", k.Primitive, k.Tier, k.Reason)
		}
	}
}

func TestInFIPSTLSConfig(t *testing.T) {
	inFIPS(t)
	cert := newCert(t, newKey(t, elliptic.P256()), "localhost")
	server, err := TLSConfig(&tls.Config{
		Certificates:   []tls.Certificate{cert},
		GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) { return &cert, nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	if server.Certificates[0].PrivateKey != cert.PrivateKey {
		t.Errorf("the key became %T", server.Certificates[0].PrivateKey)
	}
	if got, err := server.GetCertificate(nil); err != nil || got != &cert {
		t.Errorf("the callback's certificate changed, error %v", err)
	}
	client := clientFor(cert)
	client.ServerName = "localhost"
	if _, _, err := handshake(client, server); err != nil {
		t.Error(err)
	}
}
