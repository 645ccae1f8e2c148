// The command handshakes is a load test: it counts how many TLS 1.3 handshakes a
// server on loopback completes in a second, and how long each takes, with a P-256
// certificate whose key is the standard library's, an ecdsa.Signer and an
// ecdsa.BatchSigner of fastcrypto.
//
// Client and server share the machine, and everything but the server's signature is
// the same for all three, so the differences are those a real server would see in a
// handshake, not those of signing alone. Session tickets are off: each handshake is
// a full one. Nothing leaves the machine.
package main

import (
	"context"
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/big"
	"net"
	"os"
	"os/signal"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"text/tabwriter"
	"time"

	fastecdsa "github.com/fastcrypto-go/fastcrypto/ecdsa"
	"github.com/fastcrypto-go/fastcrypto/provider"
)

// What a run is bounded by.
const (
	mostClients = 1024
	longest     = time.Minute
	rounds      = 4
)

func main() {
	clients := flag.String("clients", "1,8,64,256", "`numbers` of concurrent clients")
	long := flag.Duration("time", 2*time.Second, "time for each key and number of clients, at most a minute")
	most := flag.Int("n", 100_000, "handshakes for each, at most")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Stdout, *clients, *long, *most); err != nil {
		fmt.Fprintln(os.Stderr, "handshakes:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, w io.Writer, list string, long time.Duration, most int) error {
	if long <= 0 || long > longest || most < 1 {
		return fmt.Errorf("time must be above 0 and at most %v, and the count above 0", longest)
	}
	servers, err := newServers()
	if err != nil {
		return err
	}
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "clients\tkey\thandshakes/s\tratio\tp50\tp99\t")
	for field := range strings.SplitSeq(list, ",") {
		clients, err := strconv.Atoi(strings.TrimSpace(field))
		if err != nil || clients < 1 || clients > mostClients {
			return fmt.Errorf("%q is not a number of clients from 1 to %d", field, mostClients)
		}
		// The keys take turns, so that all meet the same disturbances.
		results := make([]result, len(servers))
		for range rounds {
			for i, s := range servers {
				if err := s.load(ctx, &results[i], clients, long/rounds, (most+rounds-1)/rounds); err != nil {
					return fmt.Errorf("%s, %d clients: %w", s.name, clients, err)
				}
			}
		}
		for i, s := range servers {
			r := &results[i]
			slices.Sort(r.latencies)
			fmt.Fprintf(table, "%d\t%s\t%.0f\t%.2f\t%v\t%v\t\n", clients, s.name, r.rate(), r.rate()/results[0].rate(), r.percentile(50), r.percentile(99))
		}
	}
	return table.Flush()
}

// A server is a kind of key under test, with the configurations of both ends.
type server struct {
	name           string
	config, client *tls.Config
}

// newServers returns a server for each kind of key. All hold the same key.
func newServers() ([]server, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	template := &x509.Certificate{
		SerialNumber:          big.NewInt(1),
		DNSNames:              []string{"localhost"},
		NotBefore:             time.Now().Add(-time.Hour),
		NotAfter:              time.Now().Add(24 * time.Hour),
		IsCA:                  true,
		BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		return nil, err
	}
	leaf, err := x509.ParseCertificate(der)
	if err != nil {
		return nil, err
	}
	config := func(key crypto.PrivateKey) *tls.Config {
		return &tls.Config{
			Certificates:           []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key, Leaf: leaf}},
			MinVersion:             tls.VersionTLS13,
			SessionTicketsDisabled: true,
		}
	}
	// TLSConfig gives a plain P-256 key a Signer, and leaves a BatchSigner in place.
	signer, err := provider.TLSConfig(config(key))
	if err != nil {
		return nil, err
	}
	batchSigner, err := fastecdsa.NewBatchSigner(key)
	if err != nil {
		return nil, err
	}
	together, err := provider.TLSConfig(config(batchSigner))
	if err != nil {
		return nil, err
	}
	roots := x509.NewCertPool()
	roots.AddCert(leaf)
	client := &tls.Config{RootCAs: roots, ServerName: "localhost", MinVersion: tls.VersionTLS13}
	return []server{{"std", config(key), client}, {"Signer", signer, client}, {"BatchSigner", together, client}}, nil
}

// A result is what was measured of one server under one number of clients.
type result struct {
	latencies []time.Duration
	took      time.Duration
}

func (r *result) rate() float64 { return float64(len(r.latencies)) / r.took.Seconds() }

// percentile needs sorted latencies.
func (r *result) percentile(p int) time.Duration {
	return r.latencies[(len(r.latencies)-1)*p/100].Round(time.Microsecond)
}

// load lets clients shake hands with the server for a while, and adds what it
// measures to r.
func (s *server) load(ctx context.Context, r *result, clients int, long time.Duration, most int) error {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	var serving sync.WaitGroup
	serving.Go(func() { s.serve(l, &serving) })
	defer serving.Wait()
	defer l.Close()

	latencies, errs := make([][]time.Duration, clients), make([]error, clients)
	var left atomic.Int64
	left.Store(int64(most))
	began := time.Now()
	var running sync.WaitGroup
	for i := range clients {
		running.Go(func() {
			// Each client shakes hands at least once.
			for first := true; first || ctx.Err() == nil && time.Since(began) < long && left.Add(-1) >= 0; first = false {
				start := time.Now()
				if errs[i] = s.connect(l.Addr().String()); errs[i] != nil {
					return
				}
				latencies[i] = append(latencies[i], time.Since(start))
			}
		})
	}
	running.Wait()
	r.took += time.Since(began)
	r.latencies = append(r.latencies, slices.Concat(latencies...)...)
	return errors.Join(append(errs, ctx.Err())...)
}

// patience ends a connection that hangs.
const patience = 30 * time.Second

// serve answers every connection with a handshake and one byte.
func (s *server) serve(l net.Listener, serving *sync.WaitGroup) {
	for {
		c, err := l.Accept()
		if err != nil {
			return
		}
		serving.Go(func() {
			defer c.Close()
			c.SetDeadline(time.Now().Add(patience))
			conn := tls.Server(c, s.config)
			if _, err := conn.Write([]byte{0}); err == nil {
				io.Copy(io.Discard, conn) // until the client hangs up
			}
		})
	}
}

// connect shakes hands and waits for the server's byte, which says that the server
// has finished too.
func (s *server) connect(address string) error {
	c, err := net.DialTimeout("tcp", address, patience)
	if err != nil {
		return err
	}
	defer c.Close()
	// Closing resets the connection: else the ports of thousands of closed ones
	// would stay taken for a minute.
	if err := c.(*net.TCPConn).SetLinger(0); err != nil {
		return err
	}
	c.SetDeadline(time.Now().Add(patience))
	_, err = io.ReadFull(tls.Client(c, s.client), make([]byte, 1))
	return err
}
