package main

import (
	"bytes"
	"context"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"testing"

	"github.com/fastcrypto-go/fastcrypto/provider/tlsrecord"
)

// TestServeAndGet fetches files with the standard library's records, and with
// ours where they can be had.
func TestServeAndGet(t *testing.T) {
	certs, dir := t.TempDir(), t.TempDir()
	if err := NewCertificates(certs, "localhost"); err != nil {
		t.Fatal(err)
	}
	content := make([]byte, 3<<20)
	rand.NewChaCha8([32]byte{}).Read(content)
	if err := os.WriteFile(filepath.Join(dir, "file"), content, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, records := range []bool{false, true} {
		if records {
			if err := tlsrecord.Install(); err != nil {
				t.Log(err)
			}
		}
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(context.Background())
		done := make(chan error, 1)
		go func() { done <- Serve(ctx, l, dir, certs) }()
		url := "https://" + l.Addr().String()
		var got bytes.Buffer
		if err := Get(&got, url+"/file", certs); err != nil || !bytes.Equal(got.Bytes(), content) {
			t.Errorf("got %d bytes, %v, want %d", got.Len(), err, len(content))
		}
		if err := Get(&got, url+"/none", certs); err == nil {
			t.Error("a file that is not there was fetched")
		}
		other := t.TempDir()
		if err := NewCertificates(other, "localhost"); err != nil {
			t.Fatal(err)
		}
		if err := Get(&got, url+"/file", other); err == nil {
			t.Error("another authority was trusted")
		}
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}

func TestErrors(t *testing.T) {
	empty := t.TempDir()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	if err := Serve(t.Context(), l, empty, empty); err == nil {
		t.Error("served without a certificate")
	}
	if err := Get(new(bytes.Buffer), "https://127.0.0.1:1", empty); err == nil {
		t.Error("fetched without an authority")
	}
	file := filepath.Join(empty, "root.pem")
	if err := os.WriteFile(file, []byte("no PEM"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := Get(new(bytes.Buffer), "https://127.0.0.1:1", empty); err == nil {
		t.Error("fetched without an authority")
	}
	if err := NewCertificates(file, "localhost"); err == nil {
		t.Error("certificates were written to a file's inside")
	}
}
