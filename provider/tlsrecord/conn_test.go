//go:build gc && go1.26 && !go1.27 && !boringcrypto && !purego

package tlsrecord

import (
	"bytes"
	"context"
	"crypto/cipher"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/fips140"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"math/big"
	mathrand "math/rand/v2"
	"net"
	"os"
	"os/exec"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
	"unsafe"

	"github.com/fastcrypto-go/fastcrypto/internal/impl"
)

// installAll is Install, but also replaces suites that the generic tier serves, so
// that the hooks are tested on every machine.
func installAll(t *testing.T) {
	t.Helper()
	if fips140.Enabled() {
		t.Skip("FIPS 140-3 mode: crypto/tls stays as it is")
	}
	suites, err := table()
	if err != nil {
		t.Skip(err)
	}
	installing.Lock()
	defer installing.Unlock()
	if installed.Load() {
		for _, c := range pristine() {
			c.apply()
		}
	}
	changes, err := prepare(suites, expected, everything)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range changes {
		c.apply()
	}
	installed.Store(true)
}

// The cipher suites that crypto/tls offers and accepts for TLS 1.3, which its
// configuration cannot change.

//go:linkname defaultCipherSuitesTLS13 crypto/tls.defaultCipherSuitesTLS13
var defaultCipherSuitesTLS13 []uint16

//go:linkname defaultCipherSuitesTLS13NoAES crypto/tls.defaultCipherSuitesTLS13NoAES
var defaultCipherSuitesTLS13NoAES []uint16

// only has crypto/tls negotiate one suite until the end of the test.
func only(t testing.TB, suite uint16) {
	if fips140.Enabled() {
		t.Skip("FIPS 140-3 mode: crypto/tls has another list")
	}
	a, b := defaultCipherSuitesTLS13, defaultCipherSuitesTLS13NoAES
	t.Cleanup(func() { defaultCipherSuitesTLS13, defaultCipherSuitesTLS13NoAES = a, b })
	defaultCipherSuitesTLS13, defaultCipherSuitesTLS13NoAES = []uint16{suite}, []uint16{suite}
}

var suiteIDs = []uint16{aes128GCM, aes256GCM, chacha20Poly1305}

var serverConfig = sync.OnceValue(func() *tls.Config {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		panic(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), DNSNames: []string{"localhost"}, NotAfter: time.Now().Add(time.Hour)}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		panic(err)
	}
	return &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}}}
})

func clientConfig() *tls.Config {
	leaf, err := x509.ParseCertificate(serverConfig().Certificates[0].Certificate[0])
	if err != nil {
		panic(err)
	}
	roots := x509.NewCertPool()
	roots.AddCert(leaf)
	return &tls.Config{RootCAs: roots, ServerName: "localhost"}
}

// connect returns both ends of a connection after the handshake.
func connect(t testing.TB, clientConfig, serverConfig *tls.Config) (client, server *tls.Conn) {
	t.Helper()
	c, s := tcpPair(t)
	client, server = tls.Client(c, clientConfig), tls.Server(s, serverConfig)
	done := make(chan error, 1)
	go func() { done <- server.Handshake() }()
	if err := errors.Join(client.Handshake(), <-done); err != nil {
		t.Fatal(err)
	}
	return client, server
}

func tcpPair(t testing.TB) (client, server net.Conn) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	client, err = net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	server, err = l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		client.Close()
		server.Close()
	})
	return client, server
}

// serving returns the types of the AEADs that c uses for input and output.
func serving(t testing.TB, c *tls.Conn) (in, out string) {
	t.Helper()
	var names []string
	for _, half := range []string{"in", "out"} {
		f := reflect.ValueOf(c).Elem().FieldByName(half).FieldByName("cipher")
		w := *(*any)(unsafe.Pointer(f.UnsafeAddr()))
		inner := reflect.ValueOf(w).Elem().FieldByName("aead")
		a := *(*cipher.AEAD)(unsafe.Pointer(inner.UnsafeAddr()))
		names = append(names, reflect.TypeOf(a).Elem().PkgPath()+"."+reflect.TypeOf(a).Elem().Name())
	}
	return names[0], names[1]
}

// replacementType returns the type of the AEAD that stands in for crypto/tls's.
func replacementType(t testing.TB, suite uint16) string {
	t.Helper()
	key := make([]byte, 32)
	if suite == aes128GCM {
		key = key[:16]
	}
	a, err := everything[suite](key)
	if err != nil {
		t.Fatal(err)
	}
	return reflect.TypeOf(a).Elem().PkgPath() + "." + reflect.TypeOf(a).Elem().Name()
}

// exchange sends n random bytes each way at once, in writes of random sizes, and
// compares checksums.
func exchange(t testing.TB, a, b net.Conn, n int) {
	t.Helper()
	var wg sync.WaitGroup
	send := func(w io.Writer, seed uint64) {
		defer wg.Done()
		random := mathrand.New(mathrand.NewPCG(seed, 1))
		for sent := 0; sent < n; {
			chunk := make([]byte, min(n-sent, 1+random.IntN(40000)))
			for i := range chunk {
				chunk[i] = byte(random.Uint32())
			}
			if _, err := w.Write(chunk); err != nil {
				t.Error(err)
				return
			}
			sent += len(chunk)
		}
	}
	receive := func(r io.Reader, seed uint64) {
		defer wg.Done()
		want := sha256.New()
		random := mathrand.New(mathrand.NewPCG(seed, 1))
		for sent := 0; sent < n; {
			chunk := make([]byte, min(n-sent, 1+random.IntN(40000)))
			for i := range chunk {
				chunk[i] = byte(random.Uint32())
			}
			want.Write(chunk)
			sent += len(chunk)
		}
		got := sha256.New()
		if _, err := io.CopyN(got, r, int64(n)); err != nil {
			t.Error(err)
		} else if !bytes.Equal(got.Sum(nil), want.Sum(nil)) {
			t.Error("the bytes that arrived are not those that were sent")
		}
	}
	wg.Add(4)
	go send(a, 1)
	go send(b, 2)
	go receive(a, 2)
	go receive(b, 1)
	wg.Wait()
}

func TestConnections(t *testing.T) {
	defer uninstall()
	for _, suite := range suiteIDs {
		t.Run(tls.CipherSuiteName(suite), func(t *testing.T) {
			only(t, suite)
			uninstall()
			oldClient, oldServer := connect(t, clientConfig(), serverConfig())
			installAll(t)
			client, server := connect(t, clientConfig(), serverConfig())
			for _, c := range []*tls.Conn{client, server} {
				if got := c.ConnectionState().CipherSuite; got != suite {
					t.Fatalf("negotiated %s", tls.CipherSuiteName(got))
				}
				if in, out := serving(t, c); in != replacementType(t, suite) || out != in {
					t.Errorf("served by %s and %s, want %s", in, out, replacementType(t, suite))
				}
			}
			exchange(t, client, server, 1<<20)

			// What was there before goes on as it was.
			for _, c := range []*tls.Conn{oldClient, oldServer} {
				if in, out := serving(t, c); in == replacementType(t, suite) || out == replacementType(t, suite) {
					t.Errorf("an established connection is now served by %s and %s", in, out)
				}
			}
			exchange(t, oldClient, oldServer, 1<<17)
		})
	}
}

// TestInstall runs the real thing: many callers at once, then again.
func TestInstall(t *testing.T) {
	uninstall()
	defer uninstall()
	suites, err := table()
	if err != nil {
		t.Fatal(err)
	}
	before := snapshot(suites)
	var wg sync.WaitGroup
	results := make([]error, 32)
	for i := range results {
		wg.Go(func() { results[i] = Install() })
	}
	wg.Wait()
	with := replacements()
	for _, err := range results {
		if (err == nil) != (len(with) > 0) || Installed() != (err == nil) {
			t.Fatalf("Install: %v, Installed: %v, with kernels for %d suites", err, Installed(), len(with))
		}
		if err != nil && !errors.Is(err, errors.ErrUnsupported) {
			t.Errorf("%v does not match errors.ErrUnsupported", err)
		}
	}
	var first []unsafe.Pointer
	for i, s := range suites {
		if changed := functionName(s.aead) != before[i]; changed != (with[s.id] != nil) {
			t.Errorf("suite %#04x: changed: %v", s.id, changed)
		}
		first = append(first, *(*unsafe.Pointer)(unsafe.Pointer(&s.aead)))
	}
	if err := Install(); (err == nil) != Installed() {
		t.Error(err)
	}
	for i, s := range suites {
		if *(*unsafe.Pointer)(unsafe.Pointer(&s.aead)) != first[i] {
			t.Errorf("a second call changed suite %#04x again", s.id)
		}
	}
	client, server := connect(t, clientConfig(), serverConfig())
	exchange(t, client, server, 1<<18)
}

// TestInstallOver checks that Install leaves alone a table that another package
// changed before.
func TestInstallOver(t *testing.T) {
	uninstall()
	defer uninstall()
	suites, err := table()
	if err != nil {
		t.Fatal(err)
	}
	change{suites[0], closure(suites[0].aead)}.apply()
	before := snapshot(suites)
	if err := Install(); err == nil || Installed() {
		t.Errorf("Install: %v, Installed: %v", err, Installed())
	}
	if !slices.Equal(snapshot(suites), before) {
		t.Error("the table was changed")
	}
}

// TestManyConnections has many connections begin, talk and end at the same time.
func TestManyConnections(t *testing.T) {
	installAll(t)
	defer uninstall()
	connections := 64
	if testing.Short() {
		connections = 16
	}
	var wg sync.WaitGroup
	for range connections {
		wg.Go(func() {
			client, server := connect(t, clientConfig(), serverConfig())
			exchange(t, client, server, 1<<16)
		})
	}
	wg.Wait()
}

// TestResumption checks that tickets work across Install, both ways.
func TestResumption(t *testing.T) {
	defer uninstall()
	client, server := clientConfig(), serverConfig().Clone()
	client.ClientSessionCache = tls.NewLRUClientSessionCache(8)
	for i, install := range []bool{false, true, true, false, true} {
		uninstall()
		if install {
			installAll(t)
		}
		c, s := connect(t, client, server)
		exchange(t, c, s, 1000) // which has the client read the ticket
		if c.ConnectionState().DidResume != (i > 0) {
			t.Errorf("connection %d: resumed: %v", i, i == 0)
		}
	}
}

// TestTLS12 checks that the records of TLS 1.2 are left alone.
func TestTLS12(t *testing.T) {
	installAll(t)
	defer uninstall()
	for _, suite := range []uint16{
		tls.TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, tls.TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384,
		tls.TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256,
	} {
		config := clientConfig()
		config.MaxVersion, config.CipherSuites = tls.VersionTLS12, []uint16{suite}
		client, server := connect(t, config, serverConfig())
		in, out := serving(t, client)
		for _, name := range []string{in, out} {
			if strings.HasPrefix(name, "github.com/fastcrypto-go/") || strings.HasPrefix(name, "golang.org/") {
				t.Errorf("%s is served by %s", tls.CipherSuiteName(suite), name)
			}
		}
		exchange(t, client, server, 1<<16)
	}
}

// A damager is a connection that changes one byte on its way.
type damager struct {
	net.Conn
	at int // counted from now; negative: never
}

func (d *damager) Write(p []byte) (int, error) {
	if d.at >= 0 && d.at < len(p) {
		p = bytes.Clone(p)
		p[d.at] ^= 1
	}
	d.at -= len(p)
	return d.Conn.Write(p)
}

// TestDamagedRecord checks that what a peer sends does no more than end the
// connection.
func TestDamagedRecord(t *testing.T) {
	installAll(t)
	defer uninstall()
	for _, suite := range suiteIDs {
		only(t, suite)
		for _, at := range []int{5, 50, 5 + 100 + 1, 5 + 100 + 1 + 15} { // ciphertext, content type, tag
			c, s := tcpPair(t)
			d := &damager{c, -1}
			client, server := tls.Client(d, clientConfig()), tls.Server(s, serverConfig())
			go client.Handshake()
			if err := server.Handshake(); err != nil {
				t.Fatal(err)
			}
			if err := client.Handshake(); err != nil {
				t.Fatal(err)
			}
			d.at = at
			if _, err := client.Write(make([]byte, 100)); err != nil {
				t.Fatal(err)
			}
			if _, err := server.Read(make([]byte, 100)); err == nil || !strings.Contains(err.Error(), "bad record MAC") {
				t.Errorf("suite %#04x, byte %d changed: %v", suite, at, err)
			}
		}
	}
}

// TestQUIC runs a handshake as a QUIC implementation does.
func TestQUIC(t *testing.T) {
	installAll(t)
	defer uninstall()
	ctx := context.Background()
	client13, server13 := clientConfig(), serverConfig().Clone()
	client13.MinVersion, server13.MinVersion = tls.VersionTLS13, tls.VersionTLS13
	client, server := tls.QUICClient(&tls.QUICConfig{TLSConfig: client13}), tls.QUICServer(&tls.QUICConfig{TLSConfig: server13})
	defer client.Close()
	defer server.Close()
	client.SetTransportParameters([]byte("client"))
	server.SetTransportParameters([]byte("server"))
	if err := errors.Join(client.Start(ctx), server.Start(ctx)); err != nil {
		t.Fatal(err)
	}
	secrets := make(map[string][]byte)
	done := 0
	for idle := 0; idle < 2; {
		for side, c := range []*tls.QUICConn{client, server} {
			peer := []*tls.QUICConn{server, client}[side]
			idle++
			for {
				e := c.NextEvent()
				if e.Kind == tls.QUICNoEvent {
					break
				}
				idle = 0
				switch e.Kind {
				case tls.QUICWriteData:
					if err := peer.HandleData(e.Level, e.Data); err != nil {
						t.Fatal(err)
					}
				case tls.QUICSetReadSecret:
					secrets[fmt.Sprint("read", side, e.Level)] = bytes.Clone(e.Data)
				case tls.QUICSetWriteSecret:
					secrets[fmt.Sprint("write", 1-side, e.Level)] = bytes.Clone(e.Data)
				case tls.QUICHandshakeDone:
					done++
				}
			}
		}
	}
	if done != 2 {
		t.Fatalf("%d sides completed the handshake", done)
	}
	for name, secret := range secrets {
		if name, ok := strings.CutPrefix(name, "read"); ok && !bytes.Equal(secret, secrets["write"+name]) {
			t.Errorf("the sides disagree on the secret %s", name)
		}
	}
}

// TestFIPS calls Install in processes that run in FIPS 140-3 mode.
func TestFIPS(t *testing.T) {
	const child = "FASTCRYPTO_TEST_FIPS_CHILD"
	if os.Getenv(child) != "" {
		suites, err := table()
		if err != nil {
			t.Fatal(err)
		}
		before := snapshot(suites)
		for range 2 {
			err := Install()
			if err == nil || !errors.Is(err, errors.ErrUnsupported) || !strings.Contains(err.Error(), "FIPS 140-3") || Installed() {
				t.Errorf("Install: %v, Installed: %v", err, Installed())
			}
		}
		if !slices.Equal(snapshot(suites), before) {
			t.Error("the table was changed")
		}
		client, server := connect(t, clientConfig(), serverConfig())
		exchange(t, client, server, 1<<16)
		return
	}
	for _, mode := range []string{"on", "only"} {
		cmd := exec.Command(os.Args[0], "-test.run=^TestFIPS$", "-test.v")
		cmd.Env = append(os.Environ(), child+"=1", "GODEBUG=fips140="+mode)
		out, err := cmd.CombinedOutput()
		if err != nil && strings.Contains(err.Error(), "exec format error") {
			t.Skip("an emulated process cannot start another")
		}
		if err != nil || !bytes.Contains(out, []byte("--- PASS: TestFIPS")) {
			t.Errorf("fips140=%s: %v\n%s", mode, err, out)
		}
	}
}

// TestReplacements has each suite replaced exactly where a kernel serves.
func TestReplacements(t *testing.T) {
	for _, gcm := range impl.GCM.Supported() {
		for _, chacha := range impl.ChaCha.Supported() {
			func() {
				for _, force := range []struct {
					p    *impl.Primitive
					tier impl.Tier
				}{{impl.GCM, gcm}, {impl.ChaCha, chacha}} {
					restore, err := force.p.Force(force.tier)
					if err != nil {
						t.Fatal(err)
					}
					defer restore()
				}
				with := replacements()
				for _, suite := range suiteIDs {
					tier := gcm
					if suite == chacha20Poly1305 {
						tier = chacha
					}
					if (with[suite] != nil) != (tier != impl.Generic) {
						t.Errorf("suite %#04x, tier %s: replaced: %v", suite, tier, with[suite] != nil)
					}
				}
				uninstall()
				defer uninstall()
				if err := Install(); (err == nil) != (len(with) > 0) {
					t.Error(err)
				}
				client, server := connect(t, clientConfig(), serverConfig())
				exchange(t, client, server, 1<<14)
			}()
		}
	}
}
