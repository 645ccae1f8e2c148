//lint:file-ignore SA1019 deprecated fields have to be kept, and keys be made wrong

package provider

import (
	"bytes"
	"crypto"
	stdecdsa "crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/fips140"
	"crypto/rand"
	"crypto/rsa"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/fastcrypto-go/fastcrypto/ecdsa"
)

func newKey(t testing.TB, curve elliptic.Curve) *stdecdsa.PrivateKey {
	t.Helper()
	key, err := stdecdsa.GenerateKey(curve, rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

var signatureAlgorithms = []tls.SignatureScheme{
	tls.ECDSAWithP256AndSHA256, tls.ECDSAWithP384AndSHA384, tls.Ed25519, tls.PSSWithSHA256,
}

// newCert returns a self-signed certificate for name with everything set that a
// tls.Certificate can have.
func newCert(t testing.TB, key crypto.Signer, name string) tls.Certificate {
	t.Helper()
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1),
		DNSNames:     []string{name},
		NotBefore:    time.Now().Add(-time.Hour),
		NotAfter:     time.Now().Add(time.Hour),
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	leaf, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	return tls.Certificate{
		Certificate:                  [][]byte{der},
		PrivateKey:                   key,
		SupportedSignatureAlgorithms: signatureAlgorithms,
		OCSPStaple:                   []byte("staple of " + name),
		SignedCertificateTimestamps:  [][]byte{[]byte("timestamp of " + name)},
		Leaf:                         leaf,
	}
}

// A hardware stands for a key that lives elsewhere.
type hardware struct {
	crypto.Signer
	used atomic.Int32
}

func (h *hardware) Sign(rand io.Reader, digest []byte, opts crypto.SignerOpts) ([]byte, error) {
	h.used.Add(1)
	return h.Signer.Sign(rand, digest, opts)
}

func keys(t testing.TB) map[string]crypto.Signer {
	t.Helper()
	rsaKey, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	_, edKey, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return map[string]crypto.Signer{
		"p256": newKey(t, elliptic.P256()), "p384": newKey(t, elliptic.P384()), "rsa": rsaKey, "ed25519": edKey,
		"hardware": &hardware{Signer: newKey(t, elliptic.P256())},
	}
}

func skipFIPS(t *testing.T) {
	t.Helper()
	if fips140.Enabled() {
		t.Skip("FIPS 140-3 mode: TLSConfig leaves all keys")
	}
}

// isPrepared checks that got is want with a prepared key and nothing else changed.
func isPrepared(t testing.TB, got, want *tls.Certificate) {
	t.Helper()
	signer, ok := got.PrivateKey.(*ecdsa.Signer)
	if !ok {
		t.Errorf("the key is %T, want *ecdsa.Signer", got.PrivateKey)
	} else if !want.PrivateKey.(*stdecdsa.PrivateKey).PublicKey.Equal(signer.Public()) {
		t.Error("the public key changed")
	}
	clone := *got
	clone.PrivateKey = want.PrivateKey
	if !reflect.DeepEqual(clone, *want) {
		t.Error("more than the key changed")
	}
}

func TestTLSConfigEmpty(t *testing.T) {
	for _, c := range []*tls.Config{
		nil, {}, {Certificates: []tls.Certificate{}}, {Certificates: []tls.Certificate{{}}},
		{Certificates: []tls.Certificate{{PrivateKey: (*stdecdsa.PrivateKey)(nil)}, {PrivateKey: "a string"}, {PrivateKey: &stdecdsa.PrivateKey{}}}},
	} {
		got, err := TLSConfig(c)
		if err != nil || got == nil || got == c {
			t.Fatalf("got %p, %v for %p", got, err, c)
		}
		if c != nil && !reflect.DeepEqual(got.Certificates, c.Certificates) {
			t.Errorf("the certificates are %v, want %v", got.Certificates, c.Certificates)
		}
		if got.GetCertificate != nil || got.GetClientCertificate != nil || got.GetConfigForClient != nil {
			t.Error("callbacks came up")
		}
	}
}

// TestTLSConfigFields sets every exported field of tls.Config and sees all kept.
func TestTLSConfigFields(t *testing.T) {
	c := new(tls.Config)
	v := reflect.ValueOf(c).Elem()
	called := make(map[string]int)
	for i := range v.NumField() {
		f, name := v.Field(i), v.Type().Field(i).Name
		if !v.Type().Field(i).IsExported() {
			continue
		}
		switch f.Kind() {
		case reflect.Func:
			f.Set(reflect.MakeFunc(f.Type(), func([]reflect.Value) (results []reflect.Value) {
				called[name]++
				for i := range f.Type().NumOut() {
					results = append(results, reflect.Zero(f.Type().Out(i)))
				}
				return results
			}))
		case reflect.Bool:
			f.SetBool(true)
		case reflect.String:
			f.SetString("value")
		case reflect.Int, reflect.Int64:
			f.SetInt(2)
		case reflect.Uint16:
			f.SetUint(0x0303)
		case reflect.Slice:
			f.Set(reflect.MakeSlice(f.Type(), 1, 1))
		case reflect.Array:
			f.Index(0).SetUint(7)
		case reflect.Map:
			f.Set(reflect.MakeMap(f.Type()))
		case reflect.Pointer:
			f.Set(reflect.New(f.Type().Elem()))
		case reflect.Interface:
			switch name {
			case "Rand":
				c.Rand = bytes.NewReader(nil)
			case "KeyLogWriter":
				c.KeyLogWriter = io.Discard
			case "ClientSessionCache":
				c.ClientSessionCache = tls.NewLRUClientSessionCache(1)
			default:
				t.Fatalf("tls.Config has a new field %s", name)
			}
		default:
			t.Fatalf("tls.Config has a new field %s of kind %v", name, f.Kind())
		}
	}
	got, err := TLSConfig(c)
	if err != nil {
		t.Fatal(err)
	}
	g := reflect.ValueOf(got).Elem()
	for i := range v.NumField() {
		name := v.Type().Field(i).Name
		if !v.Type().Field(i).IsExported() {
			continue
		}
		if v.Field(i).Kind() == reflect.Func {
			var args []reflect.Value
			for j := range v.Field(i).Type().NumIn() {
				args = append(args, reflect.Zero(v.Field(i).Type().In(j)))
			}
			if g.Field(i).IsNil() {
				t.Errorf("%s was lost", name)
			} else if g.Field(i).Call(args); called[name] != 1 {
				t.Errorf("%s is not called", name)
			}
		} else if !reflect.DeepEqual(g.Field(i).Interface(), v.Field(i).Interface()) {
			t.Errorf("%s is %v, want %v", name, g.Field(i), v.Field(i))
		}
	}
}

func TestTLSConfigMixed(t *testing.T) {
	skipFIPS(t)
	c := &tls.Config{NameToCertificate: make(map[string]*tls.Certificate)}
	for name, key := range keys(t) {
		cert := newCert(t, key, name)
		c.Certificates = append(c.Certificates, cert)
		c.NameToCertificate[name] = &cert
	}
	c.NameToCertificate["none"] = nil
	before := slices.Clone(c.Certificates)
	got, err := TLSConfig(c)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(c.Certificates, before) {
		t.Error("the original was changed")
	}
	check := func(got, want *tls.Certificate) {
		t.Helper()
		if want.Leaf.DNSNames[0] == "p256" {
			isPrepared(t, got, want)
		} else if !reflect.DeepEqual(got, want) {
			t.Errorf("the certificate of the %s key changed", want.Leaf.DNSNames[0])
		}
	}
	for i := range c.Certificates {
		check(&got.Certificates[i], &c.Certificates[i])
	}
	if len(got.NameToCertificate) != len(c.NameToCertificate) || got.NameToCertificate["none"] != nil {
		t.Errorf("the names are %v", got.NameToCertificate)
	}
	for name, want := range c.NameToCertificate {
		if want != nil {
			check(got.NameToCertificate[name], want)
		}
	}

	// What is prepared already stays.
	again, err := TLSConfig(got)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(again.Certificates, got.Certificates) {
		t.Error("a second TLSConfig changed certificates")
	}
}

func TestTLSConfigBadKey(t *testing.T) {
	skipFIPS(t)
	key := newKey(t, elliptic.P256())
	cert := newCert(t, key, "bad")
	for name, bad := range map[string]*stdecdsa.PrivateKey{
		"only a curve": {PublicKey: stdecdsa.PublicKey{Curve: elliptic.P256()}},
		"no scalar":    {PublicKey: key.PublicKey},
		"zero scalar":  {PublicKey: key.PublicKey, D: new(big.Int)},
		"huge scalar":  {PublicKey: key.PublicKey, D: new(big.Int).Lsh(big.NewInt(1), 256)},
		"off curve":    {PublicKey: stdecdsa.PublicKey{Curve: elliptic.P256(), X: big.NewInt(1), Y: big.NewInt(1)}, D: key.D},
	} {
		cert.PrivateKey = bad
		for range 2 {
			if _, err := TLSConfig(&tls.Config{Certificates: []tls.Certificate{{}, cert}}); err == nil || !strings.Contains(err.Error(), "certificate 1") {
				t.Errorf("%s: %v", name, err)
			}
			if _, err := TLSConfig(&tls.Config{NameToCertificate: map[string]*tls.Certificate{"bad.example": &cert}}); err == nil || !strings.Contains(err.Error(), "bad.example") {
				t.Errorf("%s: %v", name, err)
			}
		}
		c, err := TLSConfig(&tls.Config{GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) { return &cert, nil }})
		if err != nil {
			t.Fatal(err)
		}
		if got, err := c.GetCertificate(nil); err != nil || got.PrivateKey != crypto.PrivateKey(bad) {
			t.Errorf("%s: a callback's key became %T, error %v", name, got.PrivateKey, err)
		}
	}
}

// TestTLSConfigCallbacks checks what goes through each of the three callbacks.
func TestTLSConfigCallbacks(t *testing.T) {
	skipFIPS(t)
	cert := newCert(t, newKey(t, elliptic.P256()), "localhost")
	other := newCert(t, newKey(t, elliptic.P384()), "localhost")
	failure := errors.New("no certificate today")
	var next *tls.Certificate
	var nextConfig *tls.Config
	var nextErr error
	hello, request := new(tls.ClientHelloInfo), new(tls.CertificateRequestInfo)
	c, err := TLSConfig(&tls.Config{
		GetCertificate: func(h *tls.ClientHelloInfo) (*tls.Certificate, error) {
			if h != hello {
				t.Error("another argument")
			}
			return next, nextErr
		},
		GetClientCertificate: func(r *tls.CertificateRequestInfo) (*tls.Certificate, error) {
			if r != request {
				t.Error("another argument")
			}
			return next, nextErr
		},
		GetConfigForClient: func(h *tls.ClientHelloInfo) (*tls.Config, error) {
			if h != hello {
				t.Error("another argument")
			}
			return nextConfig, nextErr
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, get := range []func() (*tls.Certificate, error){
		func() (*tls.Certificate, error) { return c.GetCertificate(hello) },
		func() (*tls.Certificate, error) { return c.GetClientCertificate(request) },
	} {
		next, nextErr = &cert, nil
		got, err := get()
		if err != nil {
			t.Fatal(err)
		}
		isPrepared(t, got, &cert)
		if second, _ := get(); second.PrivateKey != got.PrivateKey {
			t.Error("the key was prepared twice")
		}
		for _, next = range []*tls.Certificate{nil, &other, {}} {
			for _, nextErr = range []error{nil, failure} {
				if got, err := get(); got != next || err != nextErr {
					t.Errorf("got %v, %v, want %v, %v", got, err, next, nextErr)
				}
			}
		}
	}
	for _, nextConfig = range []*tls.Config{nil, {}, {ServerName: "bare"}} {
		for _, nextErr = range []error{nil, failure} {
			if got, err := c.GetConfigForClient(hello); got != nextConfig || err != nextErr {
				t.Errorf("got %p, %v, want %p, %v", got, err, nextConfig, nextErr)
			}
		}
	}
	nextErr = nil
	nextConfig = &tls.Config{
		ServerName:     "full",
		Certificates:   []tls.Certificate{cert, other},
		GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) { return &cert, nil },
	}
	got, err := c.GetConfigForClient(hello)
	if err != nil || got.ServerName != "full" || len(got.Certificates) != 2 {
		t.Fatalf("got %p, %v", got, err)
	}
	isPrepared(t, &got.Certificates[0], &cert)
	if !reflect.DeepEqual(got.Certificates[1], other) {
		t.Error("the other certificate changed")
	}
	inner, err := got.GetCertificate(nil)
	if err != nil {
		t.Fatal(err)
	}
	isPrepared(t, inner, &cert)
}

// TestTLSConfigRotation changes the certificate that GetCertificate returns in
// place, again and again, and sees the old keys go.
func TestTLSConfigRotation(t *testing.T) {
	skipFIPS(t)
	const rotations = 50
	var current tls.Certificate
	c, err := TLSConfig(&tls.Config{GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) { return &current, nil }})
	if err != nil {
		t.Fatal(err)
	}
	var freed atomic.Int32
	template := newCert(t, newKey(t, elliptic.P256()), "localhost")
	for i := range rotations {
		key := newKey(t, elliptic.P256())
		runtime.AddCleanup(key, func(struct{}) { freed.Add(1) }, struct{}{})
		current = template
		current.PrivateKey = key
		current.OCSPStaple = []byte(fmt.Sprint("staple ", i))
		got, err := c.GetCertificate(nil)
		if err != nil {
			t.Fatal(err)
		}
		isPrepared(t, got, &current)
	}
	current = tls.Certificate{}
	for range 100 {
		runtime.GC()
		if freed.Load() == rotations && cached(&signers) < rotations {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("%d of %d old keys were freed, the cache holds %d", freed.Load(), rotations, cached(&signers))
}

func cached(c *signerCache) (n int) {
	c.m.Range(func(any, any) bool { n++; return true })
	return n
}

// globalKey is not on the heap, where weak pointers and cleanups are special.
var globalKey stdecdsa.PrivateKey

func TestSignerCache(t *testing.T) {
	var c signerCache
	key := newKey(t, elliptic.P256())
	first, err := c.get(key)
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for range 32 {
		wg.Go(func() {
			if s, err := c.get(key); s != first || err != nil {
				t.Errorf("got %p, %v, want %p", s, err, first)
			}
		})
	}
	wg.Wait()

	// A copy of a key is another key, wherever it lies.
	globalKey = *key
	list := make([]stdecdsa.PrivateKey, 2)
	list[0], list[1] = *key, *newKey(t, elliptic.P256())
	for _, k := range []*stdecdsa.PrivateKey{&globalKey, &list[0], &list[1]} {
		s, err := c.get(k)
		if err != nil {
			t.Fatal(err)
		}
		again, err := c.get(k)
		if s != again || err != nil || !k.PublicKey.Equal(s.Public()) {
			t.Errorf("got %p, then %p, %v", s, again, err)
		}
	}
	if n := cached(&c); n != 4 {
		t.Errorf("%d keys in the cache, want 4", n)
	}

	// A key that is changed in place is prepared anew.
	other := newKey(t, elliptic.P256())
	list[0] = *other
	s, err := c.get(&list[0])
	if err != nil || !other.PublicKey.Equal(s.Public()) {
		t.Errorf("a changed key: %v", err)
	}
	list[0].D = new(big.Int)
	if _, err := c.get(&list[0]); err == nil {
		t.Error("a wiped key can sign")
	}
	list[0] = *other
	if _, err := c.get(&list[0]); err != nil {
		t.Error(err)
	}

	runtime.KeepAlive(key)
	runtime.KeepAlive(list)
	for range 100 {
		runtime.GC()
		if cached(&c) == 1 {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("%d keys in the cache after all but the global one are gone", cached(&c))
}

func clientFor(certs ...tls.Certificate) *tls.Config {
	pool := x509.NewCertPool()
	for _, c := range certs {
		pool.AddCert(c.Leaf)
	}
	return &tls.Config{RootCAs: pool}
}

// handshake connects client and server, and echoes a line.
func handshake(client, server *tls.Config) (cs, ss tls.ConnectionState, err error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return cs, ss, err
	}
	defer l.Close()
	done := make(chan error, 1)
	go func() {
		conn, err := l.Accept()
		if err != nil {
			done <- err
			return
		}
		defer conn.Close()
		s := tls.Server(conn, server)
		_, err = io.CopyN(s, s, 5)
		ss = s.ConnectionState()
		done <- err
	}()
	conn, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		return cs, ss, err
	}
	defer conn.Close()
	c := tls.Client(conn, client)
	if _, err = c.Write([]byte("hello")); err == nil {
		_, err = io.ReadFull(c, make([]byte, 5))
	}
	conn.Close()
	return c.ConnectionState(), ss, errors.Join(err, <-done)
}

// TestTLSConfigHandshakes connects with every kind of key as server and as client,
// in TLS 1.2 and 1.3.
func TestTLSConfigHandshakes(t *testing.T) {
	skipFIPS(t)
	for name, key := range keys(t) {
		cert := newCert(t, key, "localhost")
		for _, version := range []uint16{tls.VersionTLS12, tls.VersionTLS13} {
			for _, way := range []string{"static", "callback", "config"} {
				t.Run(name+"/"+tls.VersionName(version)+"/"+way, func(t *testing.T) {
					server := &tls.Config{ClientAuth: tls.RequireAnyClientCert}
					client := clientFor(cert)
					client.ServerName = "localhost"
					client.MinVersion, client.MaxVersion = version, version
					switch way {
					case "static":
						server.Certificates = []tls.Certificate{cert}
						client.Certificates = []tls.Certificate{cert}
					case "callback":
						server.GetCertificate = func(*tls.ClientHelloInfo) (*tls.Certificate, error) { return &cert, nil }
						client.GetClientCertificate = func(*tls.CertificateRequestInfo) (*tls.Certificate, error) { return &cert, nil }
					case "config":
						inner := server.Clone()
						inner.Certificates = []tls.Certificate{cert}
						server = &tls.Config{GetConfigForClient: func(*tls.ClientHelloInfo) (*tls.Config, error) { return inner, nil }}
						client.Certificates = []tls.Certificate{cert}
					}
					fastServer, err := TLSConfig(server)
					if err != nil {
						t.Fatal(err)
					}
					fastClient, err := TLSConfig(client)
					if err != nil {
						t.Fatal(err)
					}
					c, s, err := handshake(fastClient, fastServer)
					if err != nil {
						t.Fatal(err)
					}
					if string(c.OCSPResponse) != "staple of localhost" || len(c.SignedCertificateTimestamps) != 1 {
						t.Errorf("the client got staple %q and %d timestamps", c.OCSPResponse, len(c.SignedCertificateTimestamps))
					}
					if len(s.PeerCertificates) != 1 || !s.PeerCertificates[0].Equal(cert.Leaf) {
						t.Error("the server did not see the client's certificate")
					}
					if h, ok := key.(*hardware); ok && h.used.Swap(0) < 2 {
						t.Error("the hardware key was not used")
					}
				})
			}
		}
	}
}

// TestTLSConfigSelection lets crypto/tls choose among certificates by name and by
// what the client can verify.
func TestTLSConfigSelection(t *testing.T) {
	skipFIPS(t)
	k := keys(t)
	p256, p384 := newCert(t, k["p256"], "a.example"), newCert(t, k["p384"], "b.example")
	rsa := newCert(t, k["rsa"], "a.example")
	server, err := TLSConfig(&tls.Config{Certificates: []tls.Certificate{p256, p384, rsa}})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name   string
		suites []uint16
		want   tls.Certificate
	}{
		{"a.example", nil, p256},
		{"b.example", nil, p384},
		{"a.example", []uint16{tls.TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256}, rsa},
	} {
		client := clientFor(p256, p384, rsa)
		client.ServerName, client.CipherSuites, client.MaxVersion = c.name, c.suites, tls.VersionTLS12
		state, _, err := handshake(client, server)
		if err != nil {
			t.Fatal(err)
		}
		if !state.PeerCertificates[0].Equal(c.want.Leaf) {
			t.Errorf("%s: got the certificate of %v", c.name, state.PeerCertificates[0].DNSNames)
		}
	}

	// SupportedSignatureAlgorithms still keeps a key from being used.
	barred := p256
	barred.SupportedSignatureAlgorithms = []tls.SignatureScheme{tls.ECDSAWithP384AndSHA384}
	server, err = TLSConfig(&tls.Config{Certificates: []tls.Certificate{barred}})
	if err != nil {
		t.Fatal(err)
	}
	client := clientFor(p256)
	client.ServerName = "a.example"
	if _, _, err := handshake(client, server); err == nil {
		t.Error("a signature algorithm that the certificate does not allow was used")
	}
}

// TestTLSConfigTickets resumes sessions across TLSConfig, clones, explicit keys and
// configurations for single clients.
func TestTLSConfigTickets(t *testing.T) {
	skipFIPS(t)
	cert := newCert(t, newKey(t, elliptic.P256()), "localhost")
	resumed := func(client, server *tls.Config) bool {
		t.Helper()
		c, _, err := handshake(client, server)
		if err != nil {
			t.Fatal(err)
		}
		return c.DidResume
	}
	fast := func(c *tls.Config) *tls.Config {
		t.Helper()
		c, err := TLSConfig(c)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	newClient := func() *tls.Config {
		c := clientFor(cert)
		c.ServerName, c.ClientSessionCache = "localhost", tls.NewLRUClientSessionCache(4)
		return c
	}
	plain := &tls.Config{Certificates: []tls.Certificate{cert}}
	client := newClient()
	if resumed(client, plain) {
		t.Error("resumed what was never there")
	}
	server := fast(plain)
	for i := range 3 {
		if !resumed(client, server) {
			t.Errorf("connection %d was not resumed", i)
		}
	}
	if !resumed(client, server.Clone()) {
		t.Error("a clone does not know the tickets")
	}

	// Explicit keys, set before and after.
	explicit := &tls.Config{Certificates: []tls.Certificate{cert}}
	explicit.SetSessionTicketKeys([][32]byte{{1}})
	client = newClient()
	resumed(client, explicit)
	server = fast(explicit)
	if !resumed(client, server) {
		t.Error("ticket keys were lost")
	}
	server.SetSessionTicketKeys([][32]byte{{2}})
	if resumed(client, server) {
		t.Error("new ticket keys are not in force")
	}
	if !resumed(client, server) {
		t.Error("new ticket keys are not in use")
	}
	legacy := fast(&tls.Config{Certificates: []tls.Certificate{cert}, SessionTicketKey: [32]byte{2}})
	if !resumed(client, legacy) {
		t.Error("the field SessionTicketKey was lost")
	}

	// A configuration for each client: the outer keys serve unless it has its own,
	// which may be rotated at any time.
	inner := &tls.Config{Certificates: []tls.Certificate{cert}}
	outer := fast(&tls.Config{GetConfigForClient: func(*tls.ClientHelloInfo) (*tls.Config, error) { return inner, nil }})
	client = newClient()
	resumed(client, outer)
	if !resumed(client, outer) {
		t.Error("tickets of a configuration for one client do not work")
	}
	inner.SetSessionTicketKeys([][32]byte{{3}})
	if resumed(client, outer) || !resumed(client, outer) {
		t.Error("ticket keys that were set later are not in use")
	}
	inner.SetSessionTicketKeys([][32]byte{{4}, {3}})
	if !resumed(client, outer) {
		t.Error("rotated ticket keys lost the old tickets")
	}
	inner.SetSessionTicketKeys([][32]byte{{5}})
	if resumed(client, outer) {
		t.Error("retired ticket keys still serve")
	}
	inner = inner.Clone()
	inner.SessionTicketsDisabled = true
	if resumed(client, outer) {
		t.Error("SessionTicketsDisabled was lost")
	}
}

// TestTLSConfigConcurrent uses one result, its clones, and callbacks that rotate,
// from many goroutines.
func TestTLSConfigConcurrent(t *testing.T) {
	skipFIPS(t)
	var certs []tls.Certificate
	for range 4 {
		certs = append(certs, newCert(t, newKey(t, elliptic.P256()), "localhost"))
	}
	var n atomic.Uint32
	next := func() *tls.Certificate { return &certs[n.Add(1)%uint32(len(certs))] }
	server := &tls.Config{
		Certificates:   certs[:1],
		ClientAuth:     tls.RequireAnyClientCert,
		GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) { return next(), nil },
		GetConfigForClient: func(*tls.ClientHelloInfo) (*tls.Config, error) {
			switch n.Add(1) % 3 {
			case 0:
				return &tls.Config{Certificates: certs, ClientAuth: tls.RequireAnyClientCert}, nil
			case 1:
				return &tls.Config{
					ClientAuth:     tls.RequireAnyClientCert,
					GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) { return next(), nil },
				}, nil
			}
			return nil, nil
		},
	}
	fast, err := TLSConfig(server)
	if err != nil {
		t.Fatal(err)
	}
	client := clientFor(certs...)
	client.ServerName = "localhost"
	client.GetClientCertificate = func(*tls.CertificateRequestInfo) (*tls.Certificate, error) { return next(), nil }
	fastClient, err := TLSConfig(client)
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for i := range 64 {
		wg.Go(func() {
			c, s := fastClient, fast
			switch i % 4 {
			case 1:
				c, s = c.Clone(), s.Clone()
			case 2:
				again, err := TLSConfig(server) // while others use it
				if err != nil {
					t.Error(err)
					return
				}
				s = again
			case 3:
				s.SetSessionTicketKeys([][32]byte{{byte(i)}})
			}
			if _, _, err := handshake(c, s); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
}

// TestBatchSignerStays checks that a BatchSigner keeps its place, wherever it is.
func TestBatchSignerStays(t *testing.T) {
	signer, err := ecdsa.NewBatchSigner(newKey(t, elliptic.P256()))
	if err != nil {
		t.Fatal(err)
	}
	cert := tls.Certificate{PrivateKey: signer}
	c, err := TLSConfig(&tls.Config{
		Certificates:      []tls.Certificate{cert},
		NameToCertificate: map[string]*tls.Certificate{"name": &cert},
		GetCertificate:    func(*tls.ClientHelloInfo) (*tls.Certificate, error) { return &cert, nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	got, err := c.GetCertificate(nil)
	if err != nil || got.PrivateKey != crypto.PrivateKey(signer) || c.Certificates[0].PrivateKey != crypto.PrivateKey(signer) ||
		c.NameToCertificate["name"].PrivateKey != crypto.PrivateKey(signer) {
		t.Error("another key than the BatchSigner")
	}
}
