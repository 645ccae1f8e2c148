// The command https is a certificate authority, an HTTPS server and a client.
//
// The authority signs certificates of crypto/x509 with fastcrypto.NewSigner. The
// server's handshakes, and the client's, go through provider.TLSConfig. With
// -records, tlsrecord.Install has the records of TLS 1.3 encrypted by fastcrypto
// too; read that package's documentation before you do so elsewhere.
package main

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"time"

	"github.com/fastcrypto-go/fastcrypto"
	"github.com/fastcrypto-go/fastcrypto/provider"
	"github.com/fastcrypto-go/fastcrypto/provider/tlsrecord"
)

func main() {
	newDir := flag.String("new", "", "write an authority's certificate, and a server's with its key, to this `folder`")
	serveDir := flag.String("serve", "", "serve the files of this `folder`")
	url := flag.String("get", "", "print what this `URL` gives")
	certs := flag.String("certs", "", "`folder` that -new has written")
	listen := flag.String("listen", "127.0.0.1:8443", "`address` to serve at")
	records := flag.Bool("records", false, "have fastcrypto encrypt the records of TLS 1.3 too")
	flag.Parse()
	var modes int
	for _, s := range []string{*newDir, *serveDir, *url} {
		if s != "" {
			modes++
		}
	}
	if modes != 1 || flag.NArg() > 0 || (*newDir == "") == (*certs == "") {
		fmt.Fprintln(os.Stderr, "usage: https -new FOLDER | -certs FOLDER [-records] (-serve FOLDER [-listen ADDRESS] | -get URL)")
		os.Exit(2)
	}
	log.SetFlags(0)
	log.SetPrefix("https: ")
	if *records {
		if err := tlsrecord.Install(); err != nil {
			log.Print(err) // crypto/tls serves as it is
		}
	}
	var err error
	switch {
	case *newDir != "":
		err = NewCertificates(*newDir, "localhost")
	case *url != "":
		err = Get(os.Stdout, *url, *certs)
	default:
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
		defer stop()
		var l net.Listener
		if l, err = net.Listen("tcp", *listen); err == nil {
			log.Printf("serving %s at https://%s", *serveDir, l.Addr())
			err = Serve(ctx, l, *serveDir, *certs)
		}
	}
	if err != nil {
		log.Fatal(err)
	}
}

// NewCertificates writes root.pem, cert.pem and key.pem to a folder: a new
// authority, and a certificate for name from it with its private key. The
// authority's key is not kept.
func NewCertificates(dir, name string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	rootKey, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return err
	}
	root := &x509.Certificate{
		Subject:               pkix.Name{CommonName: "fastcrypto example authority"},
		NotBefore:             time.Now().Add(-time.Hour),
		NotAfter:              time.Now().AddDate(1, 0, 0),
		IsCA:                  true,
		BasicConstraintsValid: true,
		KeyUsage:              x509.KeyUsageCertSign,
	}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return err
	}
	server := &x509.Certificate{
		Subject:     pkix.Name{CommonName: name},
		DNSNames:    []string{name},
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1), net.IPv6loopback},
		NotBefore:   time.Now().Add(-time.Hour),
		NotAfter:    time.Now().AddDate(0, 3, 0),
		KeyUsage:    x509.KeyUsageDigitalSignature,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}

	// The one line: whatever takes a crypto.Signer takes this one.
	authority, err := fastcrypto.NewSigner(rootKey)
	if err != nil {
		return err
	}
	rootDER, err := x509.CreateCertificate(rand.Reader, root, root, authority.Public(), authority)
	if err != nil {
		return err
	}
	if root, err = x509.ParseCertificate(rootDER); err != nil {
		return err
	}
	serverDER, err := x509.CreateCertificate(rand.Reader, server, root, key.Public(), authority)
	if err != nil {
		return err
	}
	keyDER, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return err
	}
	for file, block := range map[string]*pem.Block{
		"root.pem": {Type: "CERTIFICATE", Bytes: rootDER},
		"cert.pem": {Type: "CERTIFICATE", Bytes: serverDER},
		"key.pem":  {Type: "PRIVATE KEY", Bytes: keyDER},
	} {
		if err := os.WriteFile(filepath.Join(dir, file), pem.EncodeToMemory(block), 0o600); err != nil {
			return err
		}
	}
	return nil
}

// Serve serves the files of a folder until ctx is done.
func Serve(ctx context.Context, l net.Listener, dir, certs string) error {
	defer l.Close()
	cert, err := tls.LoadX509KeyPair(filepath.Join(certs, "cert.pem"), filepath.Join(certs, "key.pem"))
	if err != nil {
		return err
	}
	config, err := provider.TLSConfig(&tls.Config{Certificates: []tls.Certificate{cert}})
	if err != nil {
		return err
	}
	server := &http.Server{
		Handler:           http.FileServer(http.Dir(dir)),
		TLSConfig:         config,
		ReadHeaderTimeout: 10 * time.Second,
	}
	stop := context.AfterFunc(ctx, func() {
		soon, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		server.Shutdown(soon)
	})
	defer stop()
	if err := server.ServeTLS(l, "", ""); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// Get writes what a URL gives to w. It trusts the authority in the folder certs,
// and no other.
func Get(w io.Writer, url, certs string) error {
	root, err := os.ReadFile(filepath.Join(certs, "root.pem"))
	if err != nil {
		return err
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(root) {
		return errors.New("root.pem holds no certificate")
	}
	config, err := provider.TLSConfig(&tls.Config{RootCAs: pool})
	if err != nil {
		return err
	}
	transport := &http.Transport{TLSClientConfig: config, ForceAttemptHTTP2: true}
	defer transport.CloseIdleConnections()
	response, err := (&http.Client{Transport: transport}).Get(url)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %s", url, response.Status)
	}
	_, err = io.Copy(w, response.Body)
	return err
}
