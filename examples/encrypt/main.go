// The command encrypt encrypts and decrypts files of any size, in chunks, with
// AES-256-GCM.
//
// The format: a header of 8 bytes that names it, a salt of 32 random bytes, then
// chunks of 64 KiB of plaintext, each followed by a tag of 16 bytes. Only the last
// chunk is shorter, or empty. The key of a file is HMAC-SHA-256 of the salt under
// the given key, so no two files share one. The nonces are those of STREAM (Hoang,
// Reyhanitabar, Rogaway, Vizár: Online Authenticated-Encryption and its Nonce-Reuse
// Misuse-Resistance, 2015): 7 zero bytes, a counter of 4 bytes, and one byte that
// is 1 for the last chunk, so that chunks that are exchanged, repeated, or cut off
// at the end are found out. The header and the salt are additional data.
//
// Decryption writes a chunk when its tag has proved right, before it has seen the
// whole file, and so may write the beginning of a file that turns out damaged. It
// then returns an error, and removes what it wrote to a file.
package main

import (
	"bufio"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/fastcrypto-go/fastcrypto"
)

const (
	magic     = "FCENCv1\n"
	saltSize  = 32
	chunkSize = 64 << 10 // of plaintext, in bytes
	tagSize   = 16
	maxChunks = 1 << 32
)

var (
	errHeader  = errors.New("not a file that encrypt wrote")
	errDamaged = errors.New("the file is damaged, cut off, or of another key")
)

func main() {
	keyFile := flag.String("key", "", "`file` with the key: exactly 32 bytes")
	in := flag.String("in", "-", "input `file`, - for the standard input")
	out := flag.String("out", "-", "output `file`, - for the standard output")
	decrypt := flag.Bool("d", false, "decrypt instead of encrypting")
	flag.Parse()
	if flag.NArg() > 0 || *keyFile == "" {
		fmt.Fprintln(os.Stderr, "usage: encrypt -key FILE [-d] [-in FILE] [-out FILE]")
		os.Exit(2)
	}
	if err := run(*keyFile, *in, *out, *decrypt); err != nil {
		fmt.Fprintln(os.Stderr, "encrypt:", err)
		os.Exit(1)
	}
}

func run(keyFile, in, out string, decrypt bool) (err error) {
	key, err := os.ReadFile(keyFile)
	if err != nil {
		return err
	}
	if len(key) != 32 {
		return fmt.Errorf("%s holds %d bytes, want 32", keyFile, len(key))
	}
	r := os.Stdin
	if in != "-" {
		if r, err = os.Open(in); err != nil {
			return err
		}
		defer r.Close()
	}
	w := os.Stdout
	if out != "-" {
		// O_EXCL: never onto the input, or anything else that is there.
		if w, err = os.OpenFile(out, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600); err != nil {
			return err
		}
		defer func() {
			if err = errors.Join(err, w.Close()); err != nil {
				os.Remove(out)
			}
		}()
	}
	if decrypt {
		return Decrypt(w, r, key)
	}
	return Encrypt(w, r, key)
}

// fileAEAD returns AES-256-GCM with the key of the file that has the salt.
func fileAEAD(key, salt []byte) (cipher.AEAD, error) {
	h := hmac.New(sha256.New, key)
	h.Write([]byte(magic))
	h.Write(salt)
	block, err := fastcrypto.NewCipher(h.Sum(nil))
	if err != nil {
		return nil, err
	}
	return fastcrypto.NewGCM(block)
}

// nonce returns the nonce of chunk i.
func nonce(n *[12]byte, i uint64, last bool) []byte {
	binary.BigEndian.PutUint32(n[7:], uint32(i))
	n[11] = 0
	if last {
		n[11] = 1
	}
	return n[:]
}

// Encrypt reads plaintext from r to its end and writes the encrypted file to w,
// under a key of 32 bytes.
func Encrypt(w io.Writer, r io.Reader, key []byte) error {
	header := make([]byte, len(magic)+saltSize)
	copy(header, magic)
	rand.Read(header[len(magic):])
	aead, err := fileAEAD(key, header[len(magic):])
	if err != nil {
		return err
	}
	if _, err := w.Write(header); err != nil {
		return err
	}
	var n [12]byte
	in, chunk := bufio.NewReaderSize(r, chunkSize), make([]byte, chunkSize+tagSize)
	for i := uint64(0); i < maxChunks; i++ {
		size, last, err := fill(in, chunk[:chunkSize])
		if err != nil {
			return err
		}
		sealed := aead.Seal(chunk[:0], nonce(&n, i, last), chunk[:size], header)
		if _, err := w.Write(sealed); err != nil {
			return err
		}
		if last {
			return nil
		}
	}
	return errors.New("the input is longer than 2^48 bytes")
}

// Decrypt reads an encrypted file from r to its end and writes the plaintext to w.
func Decrypt(w io.Writer, r io.Reader, key []byte) error {
	header := make([]byte, len(magic)+saltSize)
	if _, err := io.ReadFull(r, header); err == io.EOF || err == io.ErrUnexpectedEOF {
		return errHeader
	} else if err != nil {
		return err
	}
	if string(header[:len(magic)]) != magic {
		return errHeader
	}
	aead, err := fileAEAD(key, header[len(magic):])
	if err != nil {
		return err
	}
	var n [12]byte
	in, chunk := bufio.NewReaderSize(r, chunkSize+tagSize), make([]byte, chunkSize+tagSize)
	for i := uint64(0); i < maxChunks; i++ {
		size, last, err := fill(in, chunk)
		if err != nil {
			return err
		}
		plaintext, err := aead.Open(chunk[:0], nonce(&n, i, last), chunk[:size], header)
		if err != nil {
			return errDamaged
		}
		if _, err := w.Write(plaintext); err != nil {
			return err
		}
		if last {
			return nil
		}
	}
	return errDamaged
}

// fill reads chunk full, or what is left, and tells whether that was the end.
func fill(r *bufio.Reader, chunk []byte) (n int, last bool, err error) {
	n, err = io.ReadFull(r, chunk)
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return n, true, nil
	}
	if err != nil {
		return n, false, err
	}
	if _, err := r.Peek(1); err == io.EOF {
		return n, true, nil
	} else if err != nil {
		return n, false, err
	}
	return n, false, nil
}
