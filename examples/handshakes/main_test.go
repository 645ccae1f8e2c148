package main

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"time"

	fastecdsa "github.com/fastcrypto-go/fastcrypto/ecdsa"
)

func TestRun(t *testing.T) {
	var out bytes.Buffer
	if err := run(t.Context(), &out, "1, 9", 20*time.Millisecond, 50); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(lines) != 1+2*3 {
		t.Fatalf("%d lines:\n%s", len(lines), &out)
	}
	for i, name := range []string{"std", "Signer", "BatchSigner", "std", "Signer", "BatchSigner"} {
		f := strings.Fields(lines[1+i])
		if len(f) != 6 || f[0] != []string{"1", "9"}[i/3] || f[1] != name || f[2] == "0" {
			t.Errorf("row %q", lines[1+i])
		}
	}
}

func TestBounds(t *testing.T) {
	servers, err := newServers()
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := servers[2].config.Certificates[0].PrivateKey.(*fastecdsa.BatchSigner); !ok {
		t.Errorf("the server signs with %T", servers[2].config.Certificates[0].PrivateKey)
	}
	// At least one handshake a client, and no more than allowed above that.
	for _, s := range servers {
		var r result
		if err := s.load(t.Context(), &r, 4, time.Minute, 3); err != nil {
			t.Fatal(err)
		}
		if n := len(r.latencies); n < 4 || n > 4+3 {
			t.Errorf("%s: %d handshakes", s.name, n)
		}
	}
	for _, list := range []string{"", "0", "-1", "x", "1,,2", "2000"} {
		if run(t.Context(), new(bytes.Buffer), list, time.Millisecond, 1) == nil {
			t.Errorf("clients %q: no error", list)
		}
	}
	for _, long := range []time.Duration{0, -1, time.Hour} {
		if run(t.Context(), new(bytes.Buffer), "1", long, 1) == nil {
			t.Errorf("time %v: no error", long)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if run(ctx, new(bytes.Buffer), "1", time.Second, 1) == nil {
		t.Error("no error after an interrupt")
	}
}

// TestUntrusted checks that the clients do verify: another server's certificate is
// refused.
func TestUntrusted(t *testing.T) {
	mine, err := newServers()
	if err != nil {
		t.Fatal(err)
	}
	other, err := newServers()
	if err != nil {
		t.Fatal(err)
	}
	mine[0].client = other[0].client
	if err := mine[0].load(t.Context(), new(result), 1, time.Millisecond, 1); err == nil {
		t.Error("no error")
	}
}
