//go:build gc && go1.26 && !go1.27 && !boringcrypto && !purego

package tlsrecord

import (
	"bufio"
	"bytes"
	"context"
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"io"
	"log"
	"math/big"
	mathrand "math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/fastcrypto-go/fastcrypto"
	fastecdsa "github.com/fastcrypto-go/fastcrypto/ecdsa"
	"github.com/fastcrypto-go/fastcrypto/internal/testkit"
	"github.com/fastcrypto-go/fastcrypto/provider"
)

// Interoperability over the loopback interface with OpenSSL's s_client and
// s_server and with curl, which are other implementations of all that is replaced.

// needs skips the test if a program is missing, or fails it if the environment
// variable of required tiers names openssl.
func needs(t *testing.T, programs ...string) {
	t.Helper()
	for _, p := range programs {
		if _, err := exec.LookPath(p); err != nil {
			if slices.Contains(strings.Split(os.Getenv(testkit.RequireVariable), ","), "openssl") {
				t.Fatal(err)
			}
			t.Skip(err)
		}
	}
}

// bulkSize is how many bytes go each way.
func bulkSize() int64 {
	if testing.Short() {
		return 1 << 20
	}
	return 64 << 20
}

// pattern returns n bytes that are the same for the same seed.
func pattern(seed byte, n int64) io.Reader {
	return io.LimitReader(mathrand.NewChaCha8([32]byte{seed}), n)
}

func checksum(t *testing.T, r io.Reader) [32]byte {
	t.Helper()
	h := sha256.New()
	if _, err := io.Copy(h, r); err != nil {
		t.Fatal(err)
	}
	return [32]byte(h.Sum(nil))
}

// An authority is a root certificate with a server's and a client's, all on P-256
// and signed by our Signer, in memory and in files.
type authority struct {
	root, server, client tls.Certificate
	pool                 *x509.CertPool
	dir                  string
}

func newAuthority(t *testing.T) *authority {
	t.Helper()
	a := &authority{pool: x509.NewCertPool(), dir: t.TempDir()}
	var serial int64
	issue := func(name string, parent *tls.Certificate, isCA bool) tls.Certificate {
		key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
		if err != nil {
			t.Fatal(err)
		}
		serial++
		template := &x509.Certificate{
			SerialNumber:          big.NewInt(serial),
			Subject:               pkix.Name{CommonName: name},
			NotBefore:             time.Now().Add(-time.Hour),
			NotAfter:              time.Now().Add(24 * time.Hour),
			IsCA:                  isCA,
			BasicConstraintsValid: true,
			KeyUsage:              x509.KeyUsageDigitalSignature,
			ExtKeyUsage:           []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
		}
		if isCA {
			template.KeyUsage, template.ExtKeyUsage = x509.KeyUsageCertSign, nil
		} else {
			template.DNSNames = []string{name}
		}
		issuer, signerKey := template, key
		if parent != nil {
			issuer, signerKey = parent.Leaf, parent.PrivateKey.(*ecdsa.PrivateKey)
		}
		signer, err := fastcrypto.NewSigner(signerKey)
		if err != nil {
			t.Fatal(err)
		}
		der, err := x509.CreateCertificate(rand.Reader, template, issuer, key.Public(), signer)
		if err != nil {
			t.Fatal(err)
		}
		leaf, err := x509.ParseCertificate(der)
		if err != nil {
			t.Fatal(err)
		}
		private, err := x509.MarshalPKCS8PrivateKey(key)
		if err != nil {
			t.Fatal(err)
		}
		public, err := x509.MarshalPKIXPublicKey(key.Public())
		if err != nil {
			t.Fatal(err)
		}
		for suffix, block := range map[string]*pem.Block{
			".pem": {Type: "CERTIFICATE", Bytes: der}, ".key": {Type: "PRIVATE KEY", Bytes: private}, ".pub": {Type: "PUBLIC KEY", Bytes: public},
		} {
			if err := os.WriteFile(filepath.Join(a.dir, name+suffix), pem.EncodeToMemory(block), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key, Leaf: leaf}
	}
	a.root = issue("root", nil, true)
	a.server = issue("localhost", &a.root, false)
	a.client = issue("client", &a.root, false)
	a.pool.AddCert(a.root.Leaf)
	return a
}

// serverConfig demands a certificate of the client.
func (a *authority) serverConfig(t *testing.T) *tls.Config {
	t.Helper()
	c, err := provider.TLSConfig(&tls.Config{
		MinVersion: tls.VersionTLS13, Certificates: []tls.Certificate{a.server},
		ClientAuth: tls.RequireAndVerifyClientCert, ClientCAs: a.pool,
	})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func (a *authority) clientConfig(t *testing.T) *tls.Config {
	t.Helper()
	c, err := provider.TLSConfig(&tls.Config{
		MinVersion: tls.VersionTLS13, Certificates: []tls.Certificate{a.client}, RootCAs: a.pool, ServerName: "localhost",
	})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// A process is a running program with its pipes. It is killed when the test ends.
type process struct {
	*exec.Cmd
	in  io.WriteCloser
	out io.Reader
	log *bytes.Buffer
}

func (a *authority) start(t *testing.T, program string, args ...string) *process {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	p := &process{Cmd: exec.CommandContext(ctx, program, args...), log: new(bytes.Buffer)}
	p.Dir, p.Stderr = a.dir, p.log
	var err error
	if p.in, err = p.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	if p.out, err = p.StdoutPipe(); err != nil {
		t.Fatal(err)
	}
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cancel()
		p.Wait()
		if t.Failed() {
			t.Logf("%s %s\n%s", program, strings.Join(args, " "), p.log.String())
		}
	})
	return p
}

// sClient starts OpenSSL's client against address.
func (a *authority) sClient(t *testing.T, suite uint16, address string, more ...string) *process {
	t.Helper()
	return a.start(t, "openssl", append([]string{"s_client", "-connect", address, "-tls1_3", "-ciphersuites", tls.CipherSuiteName(suite),
		"-CAfile", "root.pem", "-verify_return_error", "-verify_hostname", "localhost", "-servername", "localhost",
		"-cert", "client.pem", "-key", "client.key"}, more...)...)
}

// sServer starts OpenSSL's server, which demands a certificate, and connects to it.
func (a *authority) sServer(t *testing.T, suite uint16, more ...string) (*process, *tls.Conn) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := l.Addr().String()
	l.Close()
	p := a.start(t, "openssl", append([]string{"s_server", "-accept", address, "-naccept", "1", "-tls1_3", "-ciphersuites", tls.CipherSuiteName(suite),
		"-cert", "localhost.pem", "-key", "localhost.key", "-CAfile", "root.pem", "-Verify", "1", "-verify_return_error"}, more...)...)
	for range 200 {
		conn, err := net.Dial("tcp", address)
		if err != nil {
			time.Sleep(20 * time.Millisecond)
			continue
		}
		c := tls.Client(conn, a.clientConfig(t))
		t.Cleanup(func() { c.Close() })
		c.SetDeadline(time.Now().Add(time.Minute))
		if err := c.Handshake(); err != nil {
			t.Fatal(err)
		}
		return p, c
	}
	t.Fatal("s_server does not accept connections")
	return nil, nil
}

// accept starts a server of ours, has connect start a client against its address,
// and returns the connection after the handshake.
func (a *authority) accept(t *testing.T, connect func(address string) *process) (*process, *tls.Conn) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	p := connect(l.Addr().String())
	l.(*net.TCPListener).SetDeadline(time.Now().Add(20 * time.Second))
	conn, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	c := tls.Server(conn, a.serverConfig(t))
	t.Cleanup(func() { c.Close() })
	c.SetDeadline(time.Now().Add(time.Minute))
	if err := c.Handshake(); err != nil {
		t.Fatal(err)
	}
	return p, c
}

// checkState sees that the connection is what it should be, and served by us.
func checkState(t *testing.T, c *tls.Conn, suite uint16) {
	t.Helper()
	state := c.ConnectionState()
	if state.Version != tls.VersionTLS13 || state.CipherSuite != suite {
		t.Fatalf("negotiated %s with %s", tls.VersionName(state.Version), tls.CipherSuiteName(state.CipherSuite))
	}
	if len(state.VerifiedChains) == 0 {
		t.Error("the peer has no verified certificate")
	}
	if in, out := serving(t, c); in != replacementType(t, suite) || out != in {
		t.Errorf("served by %s and %s, want %s", in, out, replacementType(t, suite))
	}
}

// bulk sends much both ways at the same time and compares checksums.
func bulk(t *testing.T, p *process, c *tls.Conn) {
	t.Helper()
	n := bulkSize()
	var wg sync.WaitGroup
	copyAll := func(what string, w io.Writer, seed byte) {
		wg.Go(func() {
			if _, err := io.Copy(w, pattern(seed, n)); err != nil {
				t.Errorf("%s: %v", what, err)
			}
		})
	}
	sums := make([][32]byte, 2)
	receive := func(i int, r io.Reader) {
		wg.Go(func() {
			h := sha256.New()
			if _, err := io.CopyN(h, r, n); err != nil {
				t.Errorf("receiving: %v", err)
			}
			sums[i] = [32]byte(h.Sum(nil))
		})
	}
	copyAll("to the program", p.in, 1)
	copyAll("to the connection", c, 2)
	receive(0, c)
	receive(1, p.out)
	wg.Wait()
	if sums[0] != checksum(t, pattern(1, n)) || sums[1] != checksum(t, pattern(2, n)) {
		t.Error("the bytes that arrived are not those that were sent")
	}
}

// trafficSecret returns the secret that the keys of one direction come from.
func trafficSecret(c *tls.Conn, half string) string {
	return string(reflect.ValueOf(c).Elem().FieldByName(half).FieldByName("trafficSecret").Bytes())
}

// keyUpdates has OpenSSL change its keys and demand that we change ours, again and
// again, with lines sent both ways between.
func keyUpdates(t *testing.T, p *process, c *tls.Conn) {
	t.Helper()
	theirs, ours := bufio.NewReader(p.out), bufio.NewReader(c)
	secrets := make(map[string]bool)
	for i, command := range []string{"", "K", "k", "K", "K", "k"} {
		if command != "" {
			fmt.Fprintln(p.in, command)
			time.Sleep(100 * time.Millisecond) // a command must be read on its own
		}
		line := fmt.Sprintf("line %d from the program\n", i)
		io.WriteString(p.in, line)
		if got, err := ours.ReadString('\n'); err != nil || got != line {
			t.Fatalf("got %q, %v, want %q", got, err, line)
		}
		line = fmt.Sprintf("line %d from us\n", i)
		if _, err := io.WriteString(c, line); err != nil {
			t.Fatal(err)
		}
		for {
			got, err := theirs.ReadString('\n')
			if err != nil {
				t.Fatalf("the program did not show %q: %v", line, err)
			}
			if strings.HasSuffix(got, line) { // behind what the program says itself
				break
			}
		}
		secrets["in "+trafficSecret(c, "in")] = true
		secrets["out "+trafficSecret(c, "out")] = true
		checkState(t, c, c.ConnectionState().CipherSuite)
	}
	in := 0
	for s := range secrets {
		if strings.HasPrefix(s, "in ") {
			in++
		}
	}
	if out := len(secrets) - in; in != 6 || out != 4 {
		t.Errorf("%d keys for input, want 6; %d for output, want 4", in, out)
	}
}

func TestInteroperability(t *testing.T) {
	needs(t, "openssl")
	installAll(t)
	defer uninstall()
	a := newAuthority(t)
	for _, suite := range suiteIDs {
		t.Run(tls.CipherSuiteName(suite), func(t *testing.T) {
			t.Run("s_client/bulk", func(t *testing.T) {
				p, c := a.accept(t, func(address string) *process { return a.sClient(t, suite, address, "-quiet") })
				checkState(t, c, suite)
				bulk(t, p, c)
			})
			t.Run("s_client/KeyUpdate", func(t *testing.T) {
				p, c := a.accept(t, func(address string) *process { return a.sClient(t, suite, address) })
				checkState(t, c, suite)
				keyUpdates(t, p, c)
			})
			t.Run("s_server/bulk", func(t *testing.T) {
				p, c := a.sServer(t, suite, "-quiet")
				checkState(t, c, suite)
				bulk(t, p, c)
			})
			t.Run("s_server/KeyUpdate", func(t *testing.T) {
				p, c := a.sServer(t, suite)
				checkState(t, c, suite)
				keyUpdates(t, p, c)
			})
			t.Run("curl", func(t *testing.T) {
				needs(t, "curl")
				curl(t, a, suite)
			})
		})
	}
}

// curl downloads from and uploads to a server of ours.
func curl(t *testing.T, a *authority, suite uint16) {
	n := bulkSize()
	var uploaded [32]byte
	var suites []uint16
	server := &http.Server{
		TLSConfig: a.serverConfig(t),
		ErrorLog:  log.New(io.Discard, "", 0),
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			suites = append(suites, r.TLS.CipherSuite)
			if r.Method == http.MethodPut {
				h := sha256.New()
				io.Copy(h, r.Body)
				uploaded = [32]byte(h.Sum(nil))
				return
			}
			io.Copy(w, pattern(3, n))
		}),
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	go server.ServeTLS(l, "", "")
	defer server.Close()
	_, port, _ := net.SplitHostPort(l.Addr().String())
	args := []string{"--silent", "--show-error", "--fail", "--tlsv1.3", "--tls13-ciphers", tls.CipherSuiteName(suite),
		"--cacert", "root.pem", "--cert", "client.pem", "--key", "client.key",
		"--noproxy", "*", "--resolve", "localhost:" + port + ":127.0.0.1", "https://localhost:" + port + "/"}

	get := a.start(t, "curl", args...)
	if got := checksum(t, get.out); got != checksum(t, pattern(3, n)) {
		t.Error("what curl downloaded is not what was sent")
	}

	put := a.start(t, "curl", append([]string{"--upload-file", "-"}, args...)...)
	if _, err := io.Copy(put.in, pattern(4, n)); err != nil {
		t.Fatal(err)
	}
	put.in.Close()
	io.Copy(io.Discard, put.out)
	if err := put.Wait(); err != nil {
		t.Fatalf("curl: %v", err)
	}
	if uploaded != checksum(t, pattern(4, n)) {
		t.Error("what curl uploaded is not what arrived")
	}
	if !slices.Equal(suites, []uint16{suite, suite}) {
		t.Errorf("the suites were %x", suites)
	}
}

// openssl runs openssl to its end and returns what it printed.
func (a *authority) openssl(t *testing.T, args ...string) string {
	t.Helper()
	cmd := exec.Command("openssl", args...)
	cmd.Dir = a.dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("openssl %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

// TestOpenSSLSignatures has OpenSSL verify certificates and signatures of ours, and
// us verify its.
func TestOpenSSLSignatures(t *testing.T) {
	needs(t, "openssl")
	a := newAuthority(t)
	for _, name := range []string{"localhost.pem", "client.pem"} {
		a.openssl(t, "verify", "-x509_strict", "-CAfile", "root.pem", name)
	}

	key := a.client.PrivateKey.(*ecdsa.PrivateKey)
	signer, err := fastecdsa.NewSigner(key)
	if err != nil {
		t.Fatal(err)
	}
	batch, err := fastecdsa.NewBatchSigner(key)
	if err != nil {
		t.Fatal(err)
	}
	verifier, err := fastecdsa.NewVerifier(&key.PublicKey)
	if err != nil {
		t.Fatal(err)
	}
	file := func(name string) string { return filepath.Join(a.dir, name) }
	for i, hash := range []crypto.Hash{crypto.SHA256, crypto.SHA384, crypto.SHA512} {
		message := []byte(fmt.Sprintf("message %d", i))
		if err := os.WriteFile(file("message"), message, 0o600); err != nil {
			t.Fatal(err)
		}
		option := "-" + strings.ToLower(strings.ReplaceAll(hash.String(), "-", ""))
		h := hash.New()
		h.Write(message)
		digest := h.Sum(nil)
		for _, s := range []crypto.Signer{signer, batch} {
			for _, random := range []io.Reader{rand.Reader, nil} {
				sig, err := s.Sign(random, digest, hash)
				if err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(file("signature"), sig, 0o600); err != nil {
					t.Fatal(err)
				}
				a.openssl(t, "dgst", option, "-verify", "client.pub", "-signature", "signature", "message")
			}
		}
		for range 4 {
			a.openssl(t, "dgst", option, "-sign", "client.key", "-out", "signature", "message")
			sig, err := os.ReadFile(file("signature"))
			if err != nil {
				t.Fatal(err)
			}
			if !fastecdsa.VerifyASN1(&key.PublicKey, digest, sig) || !verifier.VerifyASN1(digest, sig) {
				t.Errorf("OpenSSL's signature %x of %x does not verify", sig, digest)
			}
			digest[0] ^= 1
			if fastecdsa.VerifyASN1(&key.PublicKey, digest, sig) || verifier.VerifyASN1(digest, sig) {
				t.Errorf("OpenSSL's signature %x verifies for another digest", sig)
			}
			digest[0] ^= 1
		}
	}

	// A certificate that OpenSSL made, checked with our verification.
	a.openssl(t, "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-sha256",
		"-keyout", "theirs.key", "-subj", "/CN=theirs", "-outform", "DER", "-out", "theirs.der")
	der, err := os.ReadFile(file("theirs.der"))
	if err != nil {
		t.Fatal(err)
	}
	cert, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	digest := sha256.Sum256(cert.RawTBSCertificate)
	if !fastecdsa.VerifyASN1(cert.PublicKey.(*ecdsa.PublicKey), digest[:], cert.Signature) {
		t.Error("the signature of OpenSSL's certificate does not verify")
	}
}
