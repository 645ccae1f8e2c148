//go:build gc && go1.26 && !go1.27 && !boringcrypto && !purego

package tlsrecord

import (
	"bytes"
	"crypto/fips140"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/cryptotest"

	"github.com/fastcrypto-go/fastcrypto/internal/impl"
	"github.com/fastcrypto-go/fastcrypto/internal/testkit"
)

// FuzzCheckVersion compares which toolchains are accepted with a regular expression.
func FuzzCheckVersion(f *testing.F) {
	for _, v := range []string{"go1.26", "go1.26.8", "go1.26.8 X:greenteagc", "go1.26.8 X:systemcrypto", "go1.26.", "go1.260", "go1.26rc1", "devel go1.26-abc", ""} {
		f.Add(v)
	}
	release := regexp.MustCompile(`^go1\.26(\.[0-9]+)?$`)
	f.Fuzz(func(t *testing.T, version string) {
		name, experiments, _ := strings.Cut(version, " X:")
		want := release.MatchString(name) && !strings.HasSuffix(name, "\n") && !strings.Contains(experiments, "crypto")
		err := checkVersion(version)
		if (err == nil) != want {
			t.Errorf("%q: %v", version, err)
		}
		if err != nil && !errors.Is(err, errors.ErrUnsupported) {
			t.Errorf("%q: the error does not match errors.ErrUnsupported", version)
		}
	})
}

// FuzzRecordAEAD compares the constructors that take the place of crypto/tls's, with
// keys and fixed nonces of any length, and what their AEADs make of any call.
func FuzzRecordAEAD(f *testing.F) {
	memory := bytes.Repeat([]byte("0123456789abcdef"), 20)
	for suite := range uint8(3) {
		for flags := range uint8(32) {
			f.Add(suite, make([]byte, 32), make([]byte, 12), memory, []byte{20, 0, 100, 0, 16, 0, 0, 0, 5, 0, 0, 0}, flags)
		}
		f.Add(suite, make([]byte, 16), make([]byte, 12), memory, []byte{}, uint8(0))
		f.Add(suite, make([]byte, 15), make([]byte, 11), memory, []byte{}, uint8(0))
	}
	if fips140.Enforced() {
		f.Skip("FIPS 140-3 mode: crypto/cipher refuses GCM with given nonces")
	}
	suites, err := table()
	if err != nil {
		f.Skip(err)
	}
	uninstall()
	w := make([]*wrapper, len(suites))
	for i, s := range suites {
		if w[i], err = expected.checkWrapper(s); err != nil {
			f.Fatal(err)
		}
	}
	f.Fuzz(func(t *testing.T, suite uint8, key, fixed, memory, layout []byte, flags uint8) {
		if len(memory) > 1<<12 {
			return
		}
		i := int(suite) % len(suites)
		original := suites[i].aead
		testkit.EachTier(t, impl.GCM, func(gcm impl.Tier) {
			testkit.EachTier(t, impl.ChaCha, func(chacha impl.Tier) {
				if gcm != impl.Generic && chacha != impl.Generic {
					return // each with the other switched off
				}
				replaced := w[i].wrap(original, everything[suites[i].id])
				make := func(c constructor) (a recordAEAD, end string) {
					end = testkit.Outcome(func() (string, error) {
						a = c(bytes.Clone(key), bytes.Clone(fixed))
						return fmt.Sprintf("%T", a), nil
					})
					return a, end
				}
				theirs, want := make(original)
				ours, got := make(replaced)
				if got != want {
					t.Fatalf("%s, want %s", got, want)
				}
				if theirs != nil {
					testkit.AEADCall(t, ours, theirs, memory, layout, flags)
				}
			})
		})
	})
}

// A wire holds back what is written once hold is set, and then reads from input.
type wire struct {
	net.Conn
	hold  bool
	held  []byte
	input io.Reader
}

func (w *wire) Write(p []byte) (int, error) {
	if !w.hold {
		return w.Conn.Write(p)
	}
	w.held = append(w.held, p...)
	return len(p), nil
}

func (w *wire) Read(p []byte) (int, error) {
	if w.input != nil {
		return w.input.Read(p)
	}
	return w.Conn.Read(p)
}

// FuzzConnection lets records arrive changed, cut short, repeated or missing: the
// connection says the same with the replaced AEADs as with crypto/tls's own.
func FuzzConnection(f *testing.F) {
	f.Add(uint8(0), []byte{100, 0, 200}, []byte{})
	f.Add(uint8(1), []byte{100, 255}, []byte{0, 30, 0, 1})
	f.Add(uint8(2), []byte{100}, []byte{1, 30, 0, 0, 2, 5, 0, 9})
	f.Add(uint8(0), []byte{255, 255, 255}, []byte{2, 0, 0, 200, 3, 3, 0, 255, 0, 3, 0, 64})
	f.Fuzz(func(t *testing.T, suite uint8, lengths, damage []byte) {
		if len(lengths) > 10 || len(damage) > 40 {
			return
		}
		if _, err := table(); err != nil {
			t.Skip(err)
		}
		only(t, suiteIDs[int(suite)%len(suiteIDs)])
		run := func() string {
			// The same keys each time, so that what looks like a header where bytes
			// are missing is the same too.
			cryptotest.SetGlobalRandom(t, 1)
			client, server := connection(t)
			client.wire.hold, server.wire.hold = true, true
			for _, n := range lengths {
				if _, err := client.Write(make([]byte, int(n)*int(n)/2)); err != nil {
					t.Fatal(err)
				}
			}
			records := client.wire.held
			for s := testkit.Script(damage); !s.Done() && len(records) > 0; {
				op, at, b := s.Byte(), s.Below(len(records)), s.Byte()
				switch op % 4 {
				case 0: // changed
					records[at] ^= b
				case 1: // cut short
					records = records[:at]
				case 2: // bytes missing
					records = slices.Delete(records, at, min(at+int(b), len(records)))
				case 3: // bytes repeated
					records = slices.Insert(records, at, records[at:min(at+int(b), len(records))]...)
				}
			}
			server.wire.input = bytes.NewReader(records)
			n, err := io.Copy(io.Discard, server)
			return fmt.Sprintf("%d bytes, error %v, answer of %d bytes", n, err, len(server.wire.held))
		}
		uninstall()
		want := run()
		testkit.EachTier(t, impl.GCM, func(gcm impl.Tier) {
			testkit.EachTier(t, impl.ChaCha, func(chacha impl.Tier) {
				if (gcm == impl.Generic) == (chacha == impl.Generic) {
					return // each with the other switched off
				}
				if err := Install(); err != nil {
					if fips140.Enabled() {
						t.Skip(err)
					}
					t.Fatal(err)
				}
				defer uninstall()
				if got := run(); got != want {
					t.Errorf("GCM %v, ChaCha %v: %s, want %s", gcm, chacha, got, want)
				}
			})
		})
	})
}

// An end is a connection with the wire under it.
type end struct {
	*tls.Conn
	wire *wire
}

// connection returns both ends of a connection in memory after the handshake, of which
// nothing is under way.
func connection(t *testing.T) (client, server end) {
	c, s := net.Pipe()
	cw, sw := &wire{Conn: c}, &wire{Conn: s}
	clientSide, serverSide := clientConfig(), serverConfig().Clone()
	serverSide.SessionTicketsDisabled = true
	clientSide.CurvePreferences = []tls.CurveID{tls.X25519}
	client, server = end{tls.Client(cw, clientSide), cw}, end{tls.Server(sw, serverSide), sw}
	done := make(chan error, 1)
	go func() { done <- server.Handshake() }()
	if err := errors.Join(client.Handshake(), <-done); err != nil {
		t.Fatal(err)
	}
	return client, server
}
