package ecdh_test

import (
	"bytes"
	stdecdh "crypto/ecdh"
	"crypto/elliptic"
	"crypto/rand"
	"fmt"
	"io"
	"math/big"
	"strings"
	"testing"

	"github.com/fastcrypto-go/fastcrypto/ecdh"
	"github.com/fastcrypto-go/fastcrypto/internal/impl"
	"github.com/fastcrypto-go/fastcrypto/internal/testkit"
)

// FuzzParsing compares keys parsed from any bytes for any curve, and what is agreed
// with them.
func FuzzParsing(f *testing.F) {
	for _, data := range inputs() {
		for curve := range uint8(len(pairs)) {
			f.Add(curve, data)
		}
	}
	f.Fuzz(func(t *testing.T, curve uint8, data []byte) {
		testkit.EachTier(t, impl.P256, func(impl.Tier) { compareParsing(t, pairs[int(curve)%len(pairs)], data) })
	})
}

// FuzzECDH agrees any scalar with a multiple of the generator by another.
func FuzzECDH(f *testing.F) {
	f.Add([]byte{1}, []byte{1})
	f.Add(bytes.Repeat([]byte{0xff}, 32), []byte{2})
	f.Fuzz(func(t *testing.T, a, b []byte) {
		reduce := func(v []byte) []byte {
			k := new(big.Int).SetBytes(v)
			return k.Mod(k, elliptic.P256().Params().N).FillBytes(make([]byte, 32))
		}
		std, err := stdecdh.P256().NewPrivateKey(reduce(a))
		other, otherErr := stdecdh.P256().NewPrivateKey(reduce(b))
		if err != nil || otherErr != nil {
			return
		}
		want := must(std.ECDH(other.PublicKey()))
		testkit.EachTier(t, impl.P256, func(tier impl.Tier) {
			ours := must(ecdh.P256().NewPrivateKey(reduce(a)))
			if got := must(ours.ECDH(must(ecdh.FromStdPublicKey(other.PublicKey())))); !bytes.Equal(got, want) {
				t.Errorf("%v: secret %x, want %x", tier, got, want)
			}
		})
	})
}

// FuzzConversion converts keys of any curve there and back and generates new ones, with
// any random source.
func FuzzConversion(f *testing.F) {
	for curve := range uint8(len(pairs)) {
		for reader := range uint8(4) {
			f.Add(curve, reader, []byte{9})
		}
	}
	f.Fuzz(func(t *testing.T, curve, reader uint8, data []byte) {
		p := pairs[int(curve)%len(pairs)]
		size := len(must(p.std.GenerateKey(rand.Reader)).Bytes())
		scalar := append(bytes.Repeat([]byte{0}, size), data...)
		scalar = scalar[len(scalar)-size:]
		source := func() io.Reader {
			return []io.Reader{rand.Reader, nil, bytes.NewReader(nil), strings.NewReader(string(data))}[reader%4]
		}
		testkit.EachTier(t, impl.P256, func(tier impl.Tier) {
			ours := testkit.Outcome(func() (string, error) { k, err := p.ours.GenerateKey(source()); return lengths(k), err })
			std := testkit.Outcome(func() (string, error) { k, err := p.std.GenerateKey(source()); return lengths(k), err })
			if ours != std {
				t.Errorf("%v, %v: GenerateKey: %s, want %s", tier, p.ours, ours, std)
			}
			key, err := p.std.NewPrivateKey(scalar)
			if err != nil {
				return
			}
			checkKey(t, p, must(ecdh.FromStdPrivateKey(key)))
			public := must(ecdh.FromStdPublicKey(key.PublicKey()))
			if !bytes.Equal(public.Bytes(), key.PublicKey().Bytes()) || public.Std() != key.PublicKey() || public.Curve() != p.ours {
				t.Errorf("%v, %v: the converted key differs", tier, p.ours)
			}
		})
	})
}

// lengths describes a new key.
func lengths[K interface {
	comparable
	Bytes() []byte
}](k K) string {
	var none K
	if k == none {
		return "no key"
	}
	return fmt.Sprint(len(k.Bytes()))
}

// FuzzBatch agrees batches of keys of any curves, some of them missing or of different
// curves, of lengths that may differ.
func FuzzBatch(f *testing.F) {
	f.Add([]byte{0, 0, 0, 1, 2, 3}, uint8(0))
	f.Add(bytes.Repeat([]byte{0, 1, 2, 3, 4, 5, 16, 17}, 9), uint8(0))
	f.Add(bytes.Repeat([]byte{0}, 70), uint8(3))
	var ours [][]*ecdh.PrivateKey
	for _, p := range pairs {
		var keys []*ecdh.PrivateKey
		for range 3 {
			keys = append(keys, must(ecdh.FromStdPrivateKey(must(p.std.GenerateKey(rand.Reader)))))
		}
		ours = append(ours, keys)
	}
	lowOrder := must(ecdh.X25519().NewPublicKey(make([]byte, 32)))
	f.Fuzz(func(t *testing.T, script []byte, cut uint8) {
		if len(script) > 150 {
			return
		}
		testkit.EachTier(t, impl.P256, func(tier impl.Tier) {
			var keys []*ecdh.PrivateKey
			var remotes []*ecdh.PublicKey
			var want, wantErrors []string
			for _, b := range script {
				// Mostly P-256; made on this tier.
				i, j := 0, 0
				if b&0x30 == 0x10 {
					i = int(b >> 6)
				}
				if b&0x0c == 0x0c {
					j = int(b & 3)
				}
				key := must(ecdh.FromStdPrivateKey(ours[i][b%3].Std()))
				remote := must(ecdh.FromStdPublicKey(ours[j][b%2].PublicKey().Std()))
				if b == 0x9f {
					remote = lowOrder
				}
				keys, remotes = append(keys, key), append(remotes, remote)
				switch b {
				case 0x20:
					keys[len(keys)-1] = nil
				case 0x21:
					remotes[len(keys)-1] = nil
				}
				w := "error: key is nil"
				if b != 0x20 && b != 0x21 {
					w = testkit.Outcome(func() ([]byte, error) { return key.Std().ECDH(remote.Std()) })
				}
				if text, failed := strings.CutPrefix(w, "error: "); failed {
					wantErrors = append(wantErrors, fmt.Sprintf("ecdh: batch element %d: %s", len(want), text))
					w = "nothing"
				}
				want = append(want, w)
			}
			testkit.EachTier(t, impl.P256Batch, func(batch impl.Tier) {
				got, err := ecdh.Batch(keys, remotes)
				if text := fmt.Sprint(err); err != nil && text != strings.Join(wantErrors, "\n") || err == nil && wantErrors != nil {
					t.Errorf("%v, batch %v: %s, want %s", tier, batch, text, strings.Join(wantErrors, "\n"))
				}
				for i, b := range got {
					text := fmt.Sprintf("result: %x", b)
					if b == nil {
						text = "nothing"
					}
					if text != want[i] {
						t.Errorf("%v, batch %v, element %d: %s, want %s", tier, batch, i, text, want[i])
					}
				}
				if n := int(cut); n < len(keys) {
					if got, err := ecdh.Batch(keys, remotes[:n]); got != nil || err == nil {
						t.Errorf("lengths that differ: %x, %v", got, err)
					}
				}
			})
		})
	})
}
