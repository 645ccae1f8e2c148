package ecdsa_test

import (
	"bytes"
	"crypto"
	stdecdsa "crypto/ecdsa"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"io"
	"math/big"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/fastcrypto-go/fastcrypto/ecdsa"
	"github.com/fastcrypto-go/fastcrypto/internal/impl"
	"github.com/fastcrypto-go/fastcrypto/internal/testkit"
)

// certificate returns a self-signed certificate for signer's key, made by signer.
func certificate(t *testing.T, signer crypto.Signer) []byte {
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1),
		Subject:      pkix.Name{CommonName: "fastcrypto test"},
		DNSNames:     []string{"fastcrypto.test"},
		NotBefore:    time.Now().Add(-time.Hour),
		NotAfter:     time.Now().Add(time.Hour),
		KeyUsage:     x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
		IsCA:         true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, signer.Public(), signer)
	if err != nil {
		t.Fatal(err)
	}
	cert := must(x509.ParseCertificate(der))
	if err := cert.CheckSignatureFrom(cert); err != nil {
		t.Fatal(err)
	}
	return der
}

// TestTLS serves concurrent handshakes of both protocol versions with our signers as
// the certificate's key, on the server and on the client.
func TestTLS(t *testing.T) {
	testkit.Tiers(t, impl.P256, func(t *testing.T, tier impl.Tier) {
		key := newKey()
		for name, signer := range map[string]crypto.Signer{
			"Signer": must(ecdsa.NewSigner(key)), "BatchSigner": must(ecdsa.NewBatchSigner(key)),
		} {
			der := certificate(t, signer)
			roots := x509.NewCertPool()
			roots.AddCert(must(x509.ParseCertificate(der)))
			certificates := []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: signer}}
			for _, version := range []uint16{tls.VersionTLS12, tls.VersionTLS13} {
				server := &tls.Config{Certificates: certificates, MaxVersion: version, ClientAuth: tls.RequireAndVerifyClientCert, ClientCAs: roots}
				client := &tls.Config{Certificates: certificates, RootCAs: roots, ServerName: "fastcrypto.test"}
				var wg sync.WaitGroup
				for range count(4, 16, 64) {
					wg.Go(func() {
						if err := handshake(server, client, version); err != nil {
							t.Errorf("%s, %s: %v", name, tls.VersionName(version), err)
						}
					})
				}
				wg.Wait()
			}
		}
	})
}

func handshake(server, client *tls.Config, version uint16) error {
	a, b := net.Pipe()
	defer a.Close()
	defer b.Close()
	failed := make(chan error, 1)
	go func() {
		c := tls.Server(a, server)
		_, err := io.WriteString(c, "hello")
		if err != nil {
			a.Close()
		}
		failed <- err
	}()
	c := tls.Client(b, client)
	hello := make([]byte, 5)
	if _, err := io.ReadFull(c, hello); err != nil {
		return err
	}
	if got := c.ConnectionState().Version; got != version || string(hello) != "hello" {
		return fmt.Errorf("version %s, message %q", tls.VersionName(got), hello)
	}
	return <-failed
}

// TestOpenSSL has the openssl command verify our signatures, and verifies its.
func TestOpenSSL(t *testing.T) {
	openssl, err := exec.LookPath("openssl")
	if err != nil {
		t.Skip("no openssl command")
	}
	testkit.Tiers(t, impl.P256, func(t *testing.T, tier impl.Tier) {
		dir := t.TempDir()
		file := func(name string, data []byte) string {
			path := filepath.Join(dir, name)
			if err := os.WriteFile(path, data, 0o600); err != nil {
				t.Fatal(err)
			}
			return path
		}
		for i := range count(2, 5, 50) {
			key := newKey()
			signer := must(ecdsa.NewSigner(key))
			private := file("private.pem", pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: must(x509.MarshalPKCS8PrivateKey(key))}))
			public := file("public.pem", pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: must(x509.MarshalPKIXPublicKey(&key.PublicKey))}))
			message := bytes.Repeat([]byte{byte(i)}, 100*i)
			messageFile := file("message", message)
			for hash, name := range map[crypto.Hash]string{crypto.SHA256: "-sha256", crypto.SHA512: "-sha512"} {
				for _, r := range []io.Reader{rand.Reader, nil} {
					sig := file("signature", must(signer.SignMessage(r, message, hash)))
					if out, err := exec.Command(openssl, "dgst", name, "-verify", public, "-signature", sig, messageFile).CombinedOutput(); err != nil {
						t.Fatalf("openssl rejects a signature: %v\n%s", err, out)
					}
				}
				sig, err := exec.Command(openssl, "dgst", name, "-sign", private, messageFile).Output()
				if err != nil {
					t.Fatal(err)
				}
				h := hash.New()
				h.Write(message)
				if digest := h.Sum(nil); !ecdsa.VerifyASN1(&key.PublicKey, digest, sig) || !stdecdsa.VerifyASN1(&key.PublicKey, digest, sig) {
					t.Errorf("openssl's signature %x rejected", sig)
				}
			}
		}
	})
}
