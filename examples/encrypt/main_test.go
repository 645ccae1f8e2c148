package main

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"testing/iotest"
)

var key = bytes.Repeat([]byte{7}, 32)

func random(n int) []byte {
	b := make([]byte, n)
	rand.NewChaCha8([32]byte{byte(n)}).Read(b)
	return b
}

func encrypted(t *testing.T, plaintext []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := Encrypt(&out, bytes.NewReader(plaintext), key); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

const sealedSize, headerSize = chunkSize + tagSize, len(magic) + saltSize

func TestRoundTrip(t *testing.T) {
	for _, n := range []int{0, 1, 16, chunkSize - 1, chunkSize, chunkSize + 1, 2*chunkSize - 1, 2 * chunkSize, 5*chunkSize + 77} {
		plaintext := random(n)
		file := encrypted(t, plaintext)
		chunks := max(1, (n+chunkSize-1)/chunkSize)
		if len(file) != headerSize+n+chunks*tagSize {
			t.Errorf("%d bytes become %d", n, len(file))
		}
		var out bytes.Buffer
		if err := Decrypt(&out, iotest.HalfReader(bytes.NewReader(file)), key); err != nil || !bytes.Equal(out.Bytes(), plaintext) {
			t.Errorf("%d bytes: %v", n, err)
		}
	}
	if a, b := encrypted(t, nil), encrypted(t, nil); bytes.Equal(a, b) {
		t.Error("two files are the same")
	}
}

func TestDamage(t *testing.T) {
	plaintext := random(3*chunkSize + 100)
	file := encrypted(t, plaintext)
	chunk := func(i int) []byte {
		return file[headerSize+i*sealedSize : min(len(file), headerSize+(i+1)*sealedSize)]
	}
	header := file[:headerSize]
	flip := func(i int) []byte {
		c := bytes.Clone(file)
		c[i] ^= 1
		return c
	}
	for name, c := range map[string]struct {
		file []byte
		err  error
	}{
		"empty":            {nil, errHeader},
		"half a header":    {file[:20], errHeader},
		"another format":   {flip(0), errHeader},
		"only a header":    {header, errDamaged},
		"salt":             {flip(len(magic)), errDamaged},
		"first chunk":      {flip(headerSize), errDamaged},
		"last byte":        {flip(len(file) - 1), errDamaged},
		"a byte less":      {file[:len(file)-1], errDamaged},
		"a byte more":      {append(bytes.Clone(file), 0), errDamaged},
		"cut at a chunk":   {file[:headerSize+2*sealedSize], errDamaged},
		"cut to one chunk": {file[:headerSize+sealedSize], errDamaged},
		"exchanged":        {slices.Concat(header, chunk(1), chunk(0), chunk(2), chunk(3)), errDamaged},
		"repeated":         {slices.Concat(header, chunk(0), chunk(0), chunk(1), chunk(2), chunk(3)), errDamaged},
		"left out":         {slices.Concat(header, chunk(0), chunk(2), chunk(3)), errDamaged},
		"last twice":       {slices.Concat(file, chunk(3)), errDamaged},
	} {
		var out bytes.Buffer
		if err := Decrypt(&out, bytes.NewReader(c.file), key); err != c.err {
			t.Errorf("%s: %v, want %v", name, err, c.err)
		}
		if !bytes.HasPrefix(plaintext, out.Bytes()) {
			t.Errorf("%s: what was written is not the beginning of the plaintext", name)
		}
	}
	if err := Decrypt(new(bytes.Buffer), bytes.NewReader(file), bytes.Repeat([]byte{8}, 32)); err != errDamaged {
		t.Errorf("another key: %v", err)
	}
	failure := errors.New("the disk is gone")
	for _, err := range []error{
		Encrypt(new(bytes.Buffer), iotest.ErrReader(failure), key),
		Decrypt(new(bytes.Buffer), iotest.ErrReader(failure), key),
	} {
		if err != failure {
			t.Errorf("got %v, want %v", err, failure)
		}
	}
}

func TestFiles(t *testing.T) {
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	for name, content := range map[string][]byte{"key": key, "short": key[:31], "plain": random(100000)} {
		if err := os.WriteFile(path(name), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(run(path("key"), path("plain"), path("sealed"), false), run(path("key"), path("sealed"), path("opened"), true)); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(path("opened")); err != nil || !bytes.Equal(got, random(100000)) {
		t.Errorf("the file came back changed, error %v", err)
	}
	for name, err := range map[string]error{
		"short key":     run(path("short"), path("plain"), path("x"), false),
		"no key":        run(path("none"), path("plain"), path("x"), false),
		"no input":      run(path("key"), path("none"), path("x"), false),
		"output exists": run(path("key"), path("plain"), path("plain"), false),
		"damaged":       run(path("key"), path("plain"), path("x"), true),
	} {
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if _, err := os.Stat(path("x")); err == nil {
		t.Error("output was left behind after an error")
	}
}

func BenchmarkEncrypt(b *testing.B) {
	plaintext := random(16 << 20)
	b.SetBytes(int64(len(plaintext)))
	var out bytes.Buffer
	for b.Loop() {
		out.Reset()
		if err := Encrypt(&out, bytes.NewReader(plaintext), key); err != nil {
			b.Fatal(err)
		}
	}
}
