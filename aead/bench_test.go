package aead

import (
	"crypto/aes"
	"crypto/cipher"
	"fmt"
	"testing"

	"github.com/fastcrypto-go/fastcrypto/internal/impl"
	"github.com/fastcrypto-go/fastcrypto/internal/testkit"
)

var benchSizes = []int{16, 64, 256, 1350, 8192, 16384, 1 << 20}

// tiersAndStd runs f for each kernel tier, then for the standard library.
func tiersAndStd(b *testing.B, p *impl.Primitive, f func(b *testing.B, block func(key []byte) cipher.Block)) {
	testkit.BenchTiers(b, p, func(b *testing.B) {
		f(b, func(key []byte) cipher.Block { return must(NewCipher(key)) })
	})
	b.Run("impl=std", func(b *testing.B) {
		f(b, func(key []byte) cipher.Block { return must(aes.NewCipher(key)) })
	})
}

func BenchmarkGCM(b *testing.B) {
	tiersAndStd(b, impl.GCM, func(b *testing.B, block func([]byte) cipher.Block) {
		for _, op := range []string{"Seal", "Open"} {
			b.Run("op="+op, func(b *testing.B) {
				for _, keySize := range []int{16, 32} {
					// The hook leads to ours for our block.
					a := must(cipher.NewGCM(block(make([]byte, keySize))))
					for _, size := range benchSizes {
						b.Run(fmt.Sprintf("key=%d/size=%d", keySize*8, size), func(b *testing.B) {
							nonce, ad := make([]byte, 12), make([]byte, 13)
							text := make([]byte, size, size+16)
							sealed := a.Seal(nil, nonce, text, ad)
							b.SetBytes(int64(size))
							b.ReportAllocs()
							for b.Loop() {
								if op == "Seal" {
									a.Seal(text[:0], nonce, text, ad)
								} else if _, err := a.Open(text[:0], nonce, sealed, ad); err != nil {
									b.Fatal(err)
								}
							}
						})
					}
				}
			})
		}
	})
}

func BenchmarkNewGCM(b *testing.B) {
	tiersAndStd(b, impl.GCM, func(b *testing.B, block func([]byte) cipher.Block) {
		key := make([]byte, 16)
		for b.Loop() {
			must(cipher.NewGCM(block(key)))
		}
	})
}

func BenchmarkCTR(b *testing.B) {
	tiersAndStd(b, impl.CTR, func(b *testing.B, block func([]byte) cipher.Block) {
		for _, size := range benchSizes {
			b.Run(fmt.Sprintf("key=128/size=%d", size), func(b *testing.B) {
				s := cipher.NewCTR(block(make([]byte, 16)), make([]byte, 16))
				text := make([]byte, size)
				b.SetBytes(int64(size))
				for b.Loop() {
					s.XORKeyStream(text, text)
				}
			})
		}
	})
}

// BenchmarkPieces takes 64 KiB in pieces of 4 KiB; size=0 is the whole at once.
func BenchmarkPieces(b *testing.B) {
	const size = 1 << 16
	testkit.BenchTiers(b, impl.GCM, func(b *testing.B) {
		block := must(NewCipher(make([]byte, 16)))
		a := must(NewGCM(block))
		nonce, text, out := make([]byte, 12), make([]byte, size), make([]byte, 0, size+16)
		sealed := a.Seal(nil, nonce, text, nil)
		b.Run("op=SealWhole", func(b *testing.B) {
			b.SetBytes(size)
			for b.Loop() {
				a.Seal(out, nonce, text, nil)
			}
		})
		b.Run("op=Seal/size=4096", func(b *testing.B) {
			b.SetBytes(size)
			for b.Loop() {
				s, o := must(NewSealer(block, nonce, nil)), out
				for i := 0; i < size; i += 4096 {
					o = s.Update(o, text[i:i+4096])
				}
				s.Final(o)
			}
		})
		b.Run("op=OpenWhole", func(b *testing.B) {
			b.SetBytes(size)
			for b.Loop() {
				must(a.Open(out, nonce, sealed, nil))
			}
		})
		b.Run("op=Open/size=4096", func(b *testing.B) {
			b.SetBytes(size)
			for b.Loop() {
				o := must(NewOpener(block, nonce, nil))
				for i := 0; i < size; i += 4096 {
					o.Update(sealed[i : i+4096])
				}
				must(o.Final(out, sealed[size:]))
			}
		})
	})
}
