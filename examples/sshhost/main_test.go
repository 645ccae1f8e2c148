package main

import (
	"bytes"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/crypto/ssh"
)

func start(t *testing.T) (address string, host ssh.Signer) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "host.pem")
	host, err := HostKey(file)
	if err != nil {
		t.Fatal(err)
	}
	again, err := HostKey(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(host.PublicKey().Marshal(), again.PublicKey().Marshal()) {
		t.Error("the host key is not kept")
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go Serve(l, host)
	return l.Addr().String(), host
}

func TestServe(t *testing.T) {
	address, host := start(t)
	config := &ssh.ClientConfig{
		User:              "anyone",
		HostKeyCallback:   ssh.FixedHostKey(host.PublicKey()),
		HostKeyAlgorithms: []string{ssh.KeyAlgoECDSA256},
	}
	client, err := ssh.Dial("tcp", address, config)
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	s, err := client.NewSession()
	if err != nil {
		t.Fatal(err)
	}
	if out, err := s.Output("hello there"); err != nil || string(out) != "hello there\n" {
		t.Errorf("exec: %q, %v", out, err)
	}
	if s, err = client.NewSession(); err != nil {
		t.Fatal(err)
	}
	s.Stdin = strings.NewReader("some input")
	var out bytes.Buffer
	s.Stdout = &out
	if err := s.Shell(); err != nil {
		t.Fatal(err)
	}
	if err := s.Wait(); err != nil || out.String() != "some input" {
		t.Errorf("shell: %q, %v", out.String(), err)
	}
	if _, _, err := client.OpenChannel("direct-tcpip", nil); err == nil {
		t.Error("a channel that is no session was opened")
	}

	_, other := start(t)
	config.HostKeyCallback = ssh.FixedHostKey(other.PublicKey())
	if _, err := ssh.Dial("tcp", address, config); err == nil {
		t.Error("another host key was accepted")
	}
}

// TestOpenSSH has OpenSSH's client verify the host key.
func TestOpenSSH(t *testing.T) {
	program, err := exec.LookPath("ssh")
	if err != nil {
		t.Skip(err)
	}
	address, host := start(t)
	_, port, _ := net.SplitHostPort(address)
	known := filepath.Join(t.TempDir(), "known_hosts")
	line := "[127.0.0.1]:" + port + " " + string(ssh.MarshalAuthorizedKey(host.PublicKey()))
	if err := os.WriteFile(known, []byte(line), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, "-F", "none", "-o", "UserKnownHostsFile="+known, "-o", "GlobalKnownHostsFile=none",
		"-o", "StrictHostKeyChecking=yes", "-o", "BatchMode=yes", "-p", port, "anyone@127.0.0.1", "hello", "there")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if out, err := cmd.Output(); err != nil || string(out) != "hello there\n" {
		t.Errorf("%q, %v\n%s", out, err, stderr.String())
	}
}

func TestBadKeys(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "bad.pem")
	if err := os.WriteFile(file, []byte("no PEM"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, f := range []string{file, dir, filepath.Join(dir, "none", "host.pem")} {
		if _, err := HostKey(f); err == nil {
			t.Errorf("%s gave a host key", f)
		}
	}
}

func TestNotSSH(t *testing.T) {
	address, _ := start(t)
	c, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	io.WriteString(c, strings.Repeat("x", 300)+"\r\n")
	io.Copy(io.Discard, c) // until the server ends it
}
