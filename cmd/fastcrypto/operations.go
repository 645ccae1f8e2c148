package main

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"fmt"

	"github.com/fastcrypto-go/fastcrypto/aead"
	"github.com/fastcrypto-go/fastcrypto/chacha20poly1305"
	"github.com/fastcrypto-go/fastcrypto/chacha20poly1305/poly1305"
	"github.com/fastcrypto-go/fastcrypto/internal/impl"
	stdchacha "golang.org/x/crypto/chacha20poly1305"

	//lint:ignore SA1019 the only public Poly1305 to compare with
	stdpoly1305 "golang.org/x/crypto/poly1305"
)

// An operation is a row of the table.
type operation struct {
	group string // the title of the row's table
	name  string // for example "aesgcm128/encrypt"
	size  int    // bytes of the message; 0 where there is none
	bulk  bool   // measured in bytes a second
	// primitives are the kernel tables that the operation uses, the one that it
	// asks first standing first.
	primitives []*impl.Primitive
	// per is how many operations one call of run does for fastcrypto and the
	// standard library alike; 0 means 1.
	per        int
	kernelOnly bool // the generic tier has no such operation
	// setup prepares keys and data, proves that all contenders agree, and returns
	// them: fastcrypto first, then what it is compared with.
	setup   func(kernel string) ([]contender, error)
	openssl *opensslCase // or nil
}

// path is what -run matches beside the name.
func (o *operation) path() string { return fmt.Sprintf("%s/%d", o.name, o.size) }

// kernel returns the tier that serves the operation now.
func (o *operation) kernel() string {
	for _, p := range o.primitives {
		if t := p.Tier(); t != impl.Generic {
			return t.String()
		}
	}
	return impl.Generic.String()
}

// force makes the tier serve the operation until restore is called: the first of
// its primitives that has the tier uses it, those before it use none. It fails
// where no primitive of the operation can run the tier.
func (o *operation) force(t impl.Tier) (restore func(), err error) {
	var undo []func()
	restore = func() {
		for i := len(undo) - 1; i >= 0; i-- {
			undo[i]()
		}
	}
	if len(o.primitives) == 0 && t != impl.Generic {
		return nil, fmt.Errorf("%s has no kernels", o.name)
	}
	for _, p := range o.primitives {
		var u func()
		if u, err = p.Force(t); err == nil {
			undo = append(undo, u)
			if t != impl.Generic {
				return restore, nil
			}
			continue
		}
		if u, e := p.Force(impl.Generic); e == nil {
			undo = append(undo, u)
		}
	}
	if t == impl.Generic && err == nil {
		return restore, nil
	}
	restore()
	return nil, err
}

// runnable returns nil if the operation can run, on the given tier unless that is
// nil, and otherwise why not.
func (o *operation) runnable(t *impl.Tier) error {
	if t != nil {
		restore, err := o.force(*t)
		if err != nil {
			return err
		}
		defer restore()
	}
	if o.kernelOnly && o.kernel() == impl.Generic.String() {
		return fmt.Errorf("%s has no generic form", o.name)
	}
	return nil
}

// sizes are those of the benchmarks: a cipher block or two, packets, records and
// bulk.
var sizes = []int{16, 64, 256, 1350, 8192, 16384, 1 << 20}

// operations returns all rows in the order of the report.
func operations() []*operation {
	var ops []*operation
	add := func(o ...*operation) { ops = append(ops, o...) }
	for _, bits := range []int{128, 256, 192} {
		seal := sizes
		if bits == 192 {
			seal = []int{1350, 16384} // hardly used: enough to see that it keeps up
		}
		group, prefix := fmt.Sprintf("AES-%d-GCM", bits), fmt.Sprintf("aesgcm%d", bits)
		key := make([]byte, bits/8)
		for _, open := range []bool{false, true} {
			for _, size := range seal {
				o := aeadOperation(group, prefix, size, open, impl.GCM, "std", ad,
					func() (cipher.AEAD, error) { return gcm(key, aead.NewCipher, aead.NewGCM) },
					func() (cipher.AEAD, error) { return gcm(key, aes.NewCipher, cipher.NewGCM) })
				if !open && bits != 192 && (size == 64 || size == 1350 || size == 16384) {
					o.openssl = opensslAEAD(fmt.Sprintf("aes-%d-gcm", bits), size)
				}
				add(o)
			}
		}
		if bits != 192 {
			add(multiPartSeal(group, prefix, key), multiPartOpen(group, prefix, key), newGCM(group, prefix, key))
		}
	}
	for _, bits := range []int{128, 256} {
		for _, size := range []int{64, 1350, 16384} {
			add(ctr(bits, size))
		}
	}

	key := make([]byte, 32)
	for _, open := range []bool{false, true} {
		for _, size := range sizes {
			o := aeadOperation("ChaCha20-Poly1305", "chacha20poly1305", size, open, impl.ChaCha, "x/crypto", ad,
				func() (cipher.AEAD, error) { return chacha20poly1305.New(key) },
				func() (cipher.AEAD, error) { return stdchacha.New(key) })
			if !open && (size == 1350 || size == 16384) {
				o.openssl = opensslAEAD("chacha20-poly1305", size)
			}
			add(o)
		}
	}
	for _, size := range []int{64, 1350, 16384} {
		add(aeadOperation("XChaCha20-Poly1305", "xchacha20poly1305", size, false, impl.ChaCha, "x/crypto", ad,
			func() (cipher.AEAD, error) { return chacha20poly1305.NewX(key) },
			func() (cipher.AEAD, error) { return stdchacha.NewX(key) }))
	}
	for _, size := range []int{64, 256, 1024, 16384, 1 << 20} {
		add(poly1305Operation(size))
	}
	add(p256Operations()...)
	return ops
}

// ad is the additional data of every AEAD row: 13 bytes, as TLS 1.2 has them and
// as openssl speed measures with.
var ad = make([]byte, 13)

func gcm(key []byte, newBlock func([]byte) (cipher.Block, error), newGCM func(cipher.Block) (cipher.AEAD, error)) (cipher.AEAD, error) {
	block, err := newBlock(key)
	if err != nil {
		return nil, err
	}
	return newGCM(block)
}

// both constructs the AEAD of fastcrypto and the one to compare with, and proves
// that they seal alike.
func both(fast, std func() (cipher.AEAD, error), size int) (f, s cipher.AEAD, sealed []byte, err error) {
	if f, err = fast(); err != nil {
		return nil, nil, nil, err
	}
	if s, err = std(); err != nil {
		return nil, nil, nil, err
	}
	message := message(size)
	sealed = s.Seal(nil, make([]byte, s.NonceSize()), message, ad)
	if !bytes.Equal(f.Seal(nil, make([]byte, f.NonceSize()), message, ad), sealed) {
		return nil, nil, nil, errDiffer
	}
	return f, s, sealed, nil
}

func aeadOperation(group, prefix string, size int, open bool, p *impl.Primitive, other string, ad []byte, fast, std func() (cipher.AEAD, error)) *operation {
	o := &operation{group: group, name: prefix + "/encrypt", size: size, bulk: true, primitives: []*impl.Primitive{p}}
	run := func(a cipher.AEAD, sealed []byte) func(n int) {
		buffer, nonce := make([]byte, size, size+a.Overhead()), make([]byte, a.NonceSize())
		return func(n int) {
			for range n {
				a.Seal(buffer[:0], nonce, buffer, ad)
			}
		}
	}
	if open {
		o.name = prefix + "/decrypt"
		run = func(a cipher.AEAD, sealed []byte) func(n int) {
			dst, nonce := make([]byte, 0, size), make([]byte, a.NonceSize())
			return func(n int) {
				for range n {
					if _, err := a.Open(dst, nonce, sealed, ad); err != nil {
						panic(err)
					}
				}
			}
		}
	}
	o.setup = func(kernel string) ([]contender, error) {
		f, s, sealed, err := both(fast, std, size)
		if err != nil {
			return nil, err
		}
		if _, err := f.Open(nil, make([]byte, f.NonceSize()), sealed, ad); err != nil {
			return nil, err
		}
		return []contender{{"fastcrypto", kernel, run(f, sealed)}, {other, "", run(s, sealed)}}, nil
	}
	return o
}

// The rows of messages in pieces compare with the standard library's whole
// message, for it has no pieces.
const (
	multiPartSize  = 64 << 10
	multiPartPiece = 4 << 10
)

func multiPartSeal(group, prefix string, key []byte) *operation {
	return &operation{group: group, name: prefix + "/encryptMultiPart", size: multiPartSize, bulk: true,
		primitives: []*impl.Primitive{impl.GCM},
		setup: func(kernel string) ([]contender, error) {
			block, err := aead.NewCipher(key)
			if err != nil {
				return nil, err
			}
			std, err := gcm(key, aes.NewCipher, cipher.NewGCM)
			if err != nil {
				return nil, err
			}
			nonce, plain := make([]byte, 12), message(multiPartSize)
			dst := make([]byte, 0, len(plain)+16)
			sealed := func() []byte {
				s, err := aead.NewSealer(block, nonce, ad)
				if err != nil {
					panic(err)
				}
				out := dst
				for p := plain; len(p) > 0; p = p[multiPartPiece:] {
					out = s.Update(out, p[:multiPartPiece])
				}
				return s.Final(out)
			}
			if !bytes.Equal(sealed(), std.Seal(nil, nonce, plain, ad)) {
				return nil, errDiffer
			}
			return []contender{
				{"fastcrypto", kernel, func(n int) {
					for range n {
						sealed()
					}
				}},
				{"std", "", func(n int) {
					for range n {
						std.Seal(dst, nonce, plain, ad)
					}
				}},
			}, nil
		}}
}

func multiPartOpen(group, prefix string, key []byte) *operation {
	return &operation{group: group, name: prefix + "/decryptMultiPart", size: multiPartSize, bulk: true,
		primitives: []*impl.Primitive{impl.GCM},
		setup: func(kernel string) ([]contender, error) {
			block, err := aead.NewCipher(key)
			if err != nil {
				return nil, err
			}
			std, err := gcm(key, aes.NewCipher, cipher.NewGCM)
			if err != nil {
				return nil, err
			}
			nonce, plain := make([]byte, 12), message(multiPartSize)
			sealed := std.Seal(nil, nonce, plain, ad)
			text, tag := sealed[:len(plain)], sealed[len(plain):]
			dst := make([]byte, 0, len(plain))
			opened := func() []byte {
				o, err := aead.NewOpener(block, nonce, ad)
				if err != nil {
					panic(err)
				}
				for c := text; len(c) > 0; c = c[multiPartPiece:] {
					o.Update(c[:multiPartPiece])
				}
				out, err := o.Final(dst, tag)
				if err != nil {
					panic(err)
				}
				return out
			}
			if !bytes.Equal(opened(), plain) {
				return nil, errDiffer
			}
			return []contender{
				{"fastcrypto", kernel, func(n int) {
					for range n {
						opened()
					}
				}},
				{"std", "", func(n int) {
					for range n {
						if _, err := std.Open(dst, nonce, sealed, ad); err != nil {
							panic(err)
						}
					}
				}},
			}, nil
		}}
}

// newGCM measures what a new key costs.
func newGCM(group, prefix string, key []byte) *operation {
	return &operation{group: group, name: prefix + "/newAEAD", primitives: []*impl.Primitive{impl.GCM},
		setup: func(kernel string) ([]contender, error) {
			return []contender{
				{"fastcrypto", kernel, func(n int) {
					for range n {
						if _, err := gcm(key, aead.NewCipher, aead.NewGCM); err != nil {
							panic(err)
						}
					}
				}},
				{"std", "", func(n int) {
					for range n {
						if _, err := gcm(key, aes.NewCipher, cipher.NewGCM); err != nil {
							panic(err)
						}
					}
				}},
			}, nil
		}}
}

func ctr(bits, size int) *operation {
	return &operation{group: "AES-CTR", name: fmt.Sprintf("aesctr%d/encrypt", bits), size: size, bulk: true,
		primitives: []*impl.Primitive{impl.CTR},
		setup: func(kernel string) ([]contender, error) {
			key, iv := make([]byte, bits/8), make([]byte, aes.BlockSize)
			fast, err := aead.NewCipher(key)
			if err != nil {
				return nil, err
			}
			std, err := aes.NewCipher(key)
			if err != nil {
				return nil, err
			}
			f, s := cipher.NewCTR(fast, iv), cipher.NewCTR(std, iv)
			a, b := message(size), message(size)
			f.XORKeyStream(a, a)
			s.XORKeyStream(b, b)
			if !bytes.Equal(a, b) {
				return nil, errDiffer
			}
			run := func(c cipher.Stream) func(n int) {
				return func(n int) {
					for range n {
						c.XORKeyStream(a, a)
					}
				}
			}
			return []contender{{"fastcrypto", kernel, run(f)}, {"std", "", run(s)}}, nil
		}}
}

func poly1305Operation(size int) *operation {
	return &operation{group: "Poly1305", name: "poly1305/updateBytes", size: size, bulk: true,
		primitives: []*impl.Primitive{impl.Poly1305},
		setup: func(kernel string) ([]contender, error) {
			key, m := [32]byte(message(32)), message(size)
			var a, b [16]byte
			poly1305.Sum(&a, m, &key)
			stdpoly1305.Sum(&b, m, &key)
			if a != b {
				return nil, errDiffer
			}
			return []contender{
				{"fastcrypto", kernel, func(n int) {
					for range n {
						poly1305.Sum(&a, m, &key)
					}
				}},
				{"x/crypto", "", func(n int) {
					for range n {
						stdpoly1305.Sum(&b, m, &key)
					}
				}},
			}, nil
		}}
}

// message returns n bytes that are not all alike.
func message(n int) []byte {
	m := make([]byte, n)
	for i := range m {
		m[i] = byte(i*7 + i>>8)
	}
	return m
}
