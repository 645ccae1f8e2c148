//go:build gc && go1.26 && !go1.27 && !boringcrypto && !purego

package tlsrecord

import (
	"crypto/tls"
	"io"
	"testing"

	"github.com/fastcrypto-go/fastcrypto/internal/impl"
	"github.com/fastcrypto-go/fastcrypto/provider"
)

// benchInstall installs, or sees to it that nothing is installed.
func benchInstall(b *testing.B, install bool) {
	b.Helper()
	uninstall()
	b.Cleanup(uninstall)
	if install {
		if err := Install(); err != nil {
			b.Skip(err)
		}
	}
}

// BenchmarkTLS13 moves bulk data over the loopback interface, one way, in one
// process: an operation is 64 KiB sealed, sent, received and opened.
func BenchmarkTLS13(b *testing.B) {
	for _, suite := range suiteIDs {
		p := impl.GCM
		if suite == chacha20Poly1305 {
			p = impl.ChaCha
		}
		for _, name := range []string{"std", p.Tier().String()} {
			b.Run("impl="+name+"/op=Bulk/suite="+tls.CipherSuiteName(suite), func(b *testing.B) {
				only(b, suite)
				benchInstall(b, name != "std")
				client, server := connect(b, clientConfig(), serverConfig())
				buf, in := make([]byte, 1<<16), make([]byte, 1<<16)
				b.SetBytes(int64(len(buf)))
				b.ResetTimer()
				go func() {
					for range b.N {
						if _, err := client.Write(buf); err != nil {
							b.Error(err)
							return
						}
					}
				}()
				for range b.N {
					if _, err := io.ReadFull(server, in); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// BenchmarkHandshake makes full TLS 1.3 handshakes over the loopback interface,
// with a P-256 certificate, both sides in one process.
func BenchmarkHandshake(b *testing.B) {
	for _, name := range []string{"std", impl.P256.Tier().String()} {
		b.Run("impl="+name, func(b *testing.B) {
			benchInstall(b, name != "std")
			config := serverConfig()
			if name != "std" {
				var err error
				if config, err = provider.TLSConfig(config); err != nil {
					b.Fatal(err)
				}
			}
			client := clientConfig()
			for b.Loop() {
				c, s := tcpPair(b)
				tc, ts := tls.Client(c, client), tls.Server(s, config)
				done := make(chan error, 1)
				go func() { done <- tc.Handshake() }()
				if err := ts.Handshake(); err != nil {
					b.Fatal(err)
				}
				if err := <-done; err != nil {
					b.Fatal(err)
				}
				c.Close()
				s.Close()
			}
		})
	}
}
