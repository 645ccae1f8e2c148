// The command sshhost is an SSH server whose host key, on P-256, signs through
// fastcrypto: fastcrypto.NewSigner makes a crypto.Signer of the key, and
// ssh.NewSignerFromSigner of golang.org/x/crypto a host key of that.
//
// It lets everybody in and does one thing: it says the command, or the input of a
// session, back.
package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"log"
	"net"
	"os"

	"golang.org/x/crypto/ssh"

	"github.com/fastcrypto-go/fastcrypto"
)

func main() {
	listen := flag.String("listen", "127.0.0.1:2222", "`address` to serve at")
	keyFile := flag.String("key", "", "`file` with the host key; it is made if it is not there")
	flag.Parse()
	if flag.NArg() > 0 || *keyFile == "" {
		fmt.Fprintln(os.Stderr, "usage: sshhost -key FILE [-listen ADDRESS]")
		os.Exit(2)
	}
	log.SetFlags(0)
	log.SetPrefix("sshhost: ")
	host, err := HostKey(*keyFile)
	if err != nil {
		log.Fatal(err)
	}
	l, err := net.Listen("tcp", *listen)
	if err != nil {
		log.Fatal(err)
	}
	log.Printf("serving at %s, host key %s", l.Addr(), ssh.FingerprintSHA256(host.PublicKey()))
	log.Fatal(Serve(l, host))
}

// HostKey returns the host key that a file holds, after it made the file if there
// is none.
func HostKey(file string) (ssh.Signer, error) {
	key, err := readKey(file)
	if errors.Is(err, fs.ErrNotExist) {
		key, err = writeKey(file)
	}
	if err != nil {
		return nil, err
	}
	signer, err := fastcrypto.NewSigner(key)
	if err != nil {
		return nil, err
	}
	return ssh.NewSignerFromSigner(signer)
}

func writeKey(file string) (*ecdsa.PrivateKey, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return nil, err
	}
	return key, os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}), 0o600)
}

func readKey(file string) (*ecdsa.PrivateKey, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	key, err := ssh.ParseRawPrivateKey(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	private, ok := key.(*ecdsa.PrivateKey)
	if !ok || private.Curve != elliptic.P256() {
		return nil, fmt.Errorf("%s holds no key on P-256", file)
	}
	return private, nil
}

// Serve serves connections until l is closed.
func Serve(l net.Listener, host ssh.Signer) error {
	config := &ssh.ServerConfig{NoClientAuth: true}
	config.AddHostKey(host)
	for {
		conn, err := l.Accept()
		if err != nil {
			return err
		}
		go func() {
			defer conn.Close()
			if err := serve(conn, config); err != nil {
				log.Printf("%s: %v", conn.RemoteAddr(), err)
			}
		}()
	}
}

func serve(conn net.Conn, config *ssh.ServerConfig) error {
	_, channels, requests, err := ssh.NewServerConn(conn, config)
	if err != nil {
		return err
	}
	go ssh.DiscardRequests(requests)
	for c := range channels {
		if c.ChannelType() != "session" {
			c.Reject(ssh.UnknownChannelType, "only sessions")
			continue
		}
		channel, requests, err := c.Accept()
		if err != nil {
			return err
		}
		go session(channel, requests)
	}
	return nil
}

// session says back the command of a request "exec", or the input after a request
// "shell".
func session(channel ssh.Channel, requests <-chan *ssh.Request) {
	defer channel.Close()
	for r := range requests {
		var command struct{ Text string }
		ok := r.Type == "shell" || r.Type == "exec" && ssh.Unmarshal(r.Payload, &command) == nil
		if r.WantReply {
			r.Reply(ok, nil)
		}
		if !ok {
			continue
		}
		if r.Type == "exec" {
			fmt.Fprintln(channel, command.Text)
		} else {
			io.Copy(channel, channel)
		}
		channel.SendRequest("exit-status", false, ssh.Marshal(struct{ Status uint32 }{0}))
		return
	}
}
