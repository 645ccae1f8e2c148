package aead

import (
	"crypto/aes"
	"crypto/cipher"
	"fmt"
	"testing"
	"time"

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

// BenchmarkPieces takes 64 KiB in pieces of 4 KiB and at once, in turn, and compares the
// best rounds of both: ns/op is the pieces' time, "÷whole" its ratio to the whole's.
func BenchmarkPieces(b *testing.B) {
	const size, piece, rounds, times = 1 << 16, 1 << 12, 50, 20
	testkit.BenchTiers(b, impl.GCM, func(b *testing.B) {
		for _, keySize := range []int{16, 32} {
			block := must(NewCipher(make([]byte, keySize)))
			a := must(NewGCM(block))
			nonce, text, out := make([]byte, 12), make([]byte, size), make([]byte, 0, size+16)
			sealed := a.Seal(nil, nonce, text, nil)
			compare := func(op string, whole, pieces func()) {
				b.Run(fmt.Sprintf("op=%s/key=%d/size=%d", op, keySize*8, piece), func(b *testing.B) {
					b.SetBytes(size)
					b.ReportAllocs()
					best := func(f func(), least time.Duration) time.Duration {
						start := time.Now()
						for range times {
							f()
						}
						return min(least, time.Since(start))
					}
					w, p := time.Hour, time.Hour
					for b.Loop() {
						for range rounds {
							w, p = best(whole, w), best(pieces, p)
						}
					}
					b.ReportMetric(float64(p.Nanoseconds())/times, "ns/op")
					b.ReportMetric(float64(p)/float64(w), "÷whole")
				})
			}
			compare("Seal", func() { a.Seal(out, nonce, text, nil) }, func() {
				s, o := must(NewSealer(block, nonce, nil)), out
				for i := 0; i < size; i += piece {
					o = s.Update(o, text[i:i+piece])
				}
				s.Final(o)
			})
			compare("Open", func() { must(a.Open(out, nonce, sealed, nil)) }, func() {
				o := must(NewOpener(block, nonce, nil))
				for i := 0; i < size; i += piece {
					o.Update(sealed[i : i+piece])
				}
				must(o.Final(out, sealed[size:]))
			})
		}
	})
}
