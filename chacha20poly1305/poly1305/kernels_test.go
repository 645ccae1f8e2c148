package poly1305

import (
	"bytes"
	"fmt"
	"math/big"
	"os"
	"sync"
	"testing"

	//lint:ignore SA1019 an oracle
	xpoly1305 "golang.org/x/crypto/poly1305"

	"github.com/fastcrypto-go/fastcrypto/internal/impl"
	"github.com/fastcrypto-go/fastcrypto/internal/testkit"
)

// long reports whether the tests that take minutes should run.
func long() bool { return os.Getenv("FASTCRYPTO_TEST_LONG") != "" }

// TestEveryLength compares each length up to 4200 bytes with x/crypto, and some
// of them with the reference, at once and in pieces.
func TestEveryLength(t *testing.T) {
	step := 1
	if testing.Short() {
		step = 13
	}
	testkit.Tiers(t, impl.Poly1305, func(t *testing.T, tier impl.Tier) {
		r := testkit.Rand(t)
		key := [32]byte(testkit.Bytes(r, 32))
		m := testkit.Bytes(r, 4200)
		for n := 0; n <= len(m); n += step {
			var got, want [16]byte
			xpoly1305.Sum(&want, m[:n], &key)
			Sum(&got, m[:n], &key)
			if got != want {
				t.Fatalf("%d bytes: %x, want %x", n, got, want)
			}
			if n%7 == 0 {
				check(t, tier, m[:n], &key, 1+n/2)
			}
		}
	})
}

// TestPieces writes pieces of every length from 0 to 17 bytes, and of mixed
// lengths around the crossovers to the vector kernels.
func TestPieces(t *testing.T) {
	testkit.Tiers(t, impl.Poly1305, func(t *testing.T, tier impl.Tier) {
		r := testkit.Rand(t)
		key := [32]byte(testkit.Bytes(r, 32))
		m := testkit.Bytes(r, 9000)
		for size := 1; size <= 17; size++ {
			for _, n := range []int{0, 1, 15, 16, 17, 31, 32, 33, 100, 700} {
				check(t, tier, m[:n], &key, size)
			}
		}
		for range 200 {
			mac, rest := New(&key), m[:r.Uint64()%uint64(len(m))]
			want := reference(rest, &key)
			for len(rest) > 0 {
				n := min(len(rest), int(r.Uint64()%1000))
				if r.Uint64()%2 == 0 {
					n = min(n, 17)
				}
				mac.Write(nil)
				mac.Write(rest[:n])
				rest = rest[n:]
			}
			if !mac.Verify(want[:]) {
				t.Fatal("mixed pieces give a wrong tag")
			}
		}
	})
}

// TestLongPieces has pieces long enough for the vector kernels, which then keep powers of
// r, and copies of a MAC at each stage that go on apart.
func TestLongPieces(t *testing.T) {
	testkit.Tiers(t, impl.Poly1305, func(t *testing.T, tier impl.Tier) {
		if tier == impl.Generic {
			t.Skip("copies of the library's share their state")
		}
		r := testkit.Rand(t)
		var want [16]byte
		m := testkit.Bytes(r, 4096)
		for size := 112; size <= 700; size += 1 + size/40 {
			key := [32]byte(testkit.Bytes(r, 32))
			mac := New(&key)
			for at := 0; at+2*size <= len(m); at += size {
				mac.Write(m[at : at+size])
				branch := *mac
				branch.Write(m[at+size:])
				xpoly1305.Sum(&want, m, &key)
				if !branch.Verify(want[:]) {
					t.Fatalf("pieces of %d, a copy after %d: wrong tag", size, at+size)
				}
				early := *mac
				xpoly1305.Sum(&want, m[:at+size], &key)
				if !early.Verify(want[:]) {
					t.Fatalf("pieces of %d, a copy at %d: wrong tag", size, at+size)
				}
			}
		}
	})
}

// TestFinalReduction chooses the last block such that the accumulator is
// congruent to -4 to 4 before the final reduction: the representations below
// and above the prime are the places where a conditional subtraction goes wrong. Just
// above a multiple of 2^128 the last carry runs through.
func TestFinalReduction(t *testing.T) {
	one := big.NewInt(1)
	top := new(big.Int).Lsh(one, 128)
	var targets []*big.Int
	for d := int64(-4); d <= 4; d++ {
		targets = append(targets, big.NewInt(d))
	}
	for multiple := int64(1); multiple <= 3; multiple++ {
		for d := int64(-1); d <= 1; d++ {
			m := new(big.Int).Mul(top, big.NewInt(multiple))
			targets = append(targets, m.Add(m, big.NewInt(d)))
		}
	}
	testkit.Tiers(t, impl.Poly1305, func(t *testing.T, tier impl.Tier) {
		rnd := testkit.Rand(t)
		for _, keep := range []byte{0, 0xff} { // r = 1, r random
			for _, blocks := range []int{1, 2, 3, 4, 5, 8, 16, 17, 20, 21, 32, 33, 47, 64, 65, 96} {
				for _, target := range targets {
					key := [32]byte(testkit.Bytes(rnd, 32))
					for i := range 16 {
						key[i] &= keep
					}
					key[0] |= 1 &^ keep
					r := littleEndian(key[:16])
					clamp, _ := new(big.Int).SetString("0ffffffc0ffffffc0ffffffc0fffffff", 16)
					r.And(r, clamp)
					inverse := new(big.Int).ModInverse(r, prime)
					m := make([]byte, 16*blocks)
					for tries := 0; ; tries++ { // a quarter of the tries gives a last block below 2^128
						rnd.Read(m[:len(m)-16])
						if tries%2 == 1 { // for r = 1, to reach the largest sums
							copy(m, bytes.Repeat([]byte{0xff}, len(m)-16))
						}
						acc := new(big.Int)
						for i := 0; i < len(m)-16; i += 16 {
							acc.Add(acc, littleEndian(m[i:i+16]))
							acc.Add(acc, top)
							acc.Mul(acc, r).Mod(acc, prime)
						}
						last := new(big.Int).Mul(target, inverse)
						last.Sub(last, acc).Sub(last, top).Mod(last, prime)
						if last.BitLen() > 128 {
							if tries > 100 {
								if blocks > 2 && keep != 0 || blocks == 4 {
									t.Fatalf("no last block found for %d blocks, target %v", blocks, target)
								}
								break // one or two blocks do not reach every sum
							}
							continue
						}
						be := last.FillBytes(make([]byte, 16))
						for i := range 16 {
							m[len(m)-1-i] = be[i]
						}
						break
					}
					check(t, tier, m, &key, 64)
				}
			}
		}
	})
}

// TestFinalReductionTail does the same with a partial last block, which another part of the
// kernel absorbs: the whole block before it is chosen.
func TestFinalReductionTail(t *testing.T) {
	top := new(big.Int).Lsh(big.NewInt(1), 128)
	clamp, _ := new(big.Int).SetString("0ffffffc0ffffffc0ffffffc0fffffff", 16)
	step := 1
	if testing.Short() {
		step = 7
	}
	testkit.Tiers(t, impl.Poly1305, func(t *testing.T, tier impl.Tier) {
		rnd := testkit.Rand(t)
		for _, whole := range []int{16, 32, 64, 320, 640} {
			for tail := 1; tail < 16; tail += step {
				for target := int64(-4); target <= 4; target++ {
					key, m := [32]byte(testkit.Bytes(rnd, 32)), make([]byte, whole+tail)
					r := littleEndian(key[:16])
					r.And(r, clamp)
					inverse := new(big.Int).ModInverse(r, prime)
					chosen := false
					for tries := 0; tries < 60 && !chosen; tries++ {
						rnd.Read(m)
						acc := new(big.Int)
						for i := 0; i < whole-16; i += 16 {
							acc.Add(acc, littleEndian(m[i:i+16])).Add(acc, top)
							acc.Mul(acc, r).Mod(acc, prime)
						}
						last := littleEndian(m[whole:])
						last.SetBit(last, 8*tail, 1)
						// ((acc + block + 2^128) r + last) r = target
						block := new(big.Int).Mul(big.NewInt(target), inverse)
						block.Sub(block, last).Mul(block, inverse)
						block.Sub(block, top).Sub(block, acc).Mod(block, prime)
						if chosen = block.BitLen() <= 128; chosen {
							for i, b := range block.FillBytes(make([]byte, 16)) {
								m[whole-1-i] = b
							}
						}
					}
					if !chosen && whole > 16 {
						t.Fatalf("no block found for %d and %d bytes", whole, tail)
					}
					check(t, tier, m, &key, 64)
				}
			}
		}
	})
}

// TestSaturated has r and s all ones, as far as clamping lets r be, and blocks all
// ones, all zeros and a mixture, up to 2048 bytes.
func TestSaturated(t *testing.T) {
	step := 1
	if testing.Short() {
		step = 31
	}
	testkit.Tiers(t, impl.Poly1305, func(t *testing.T, tier impl.Tier) {
		ones := [32]byte(bytes.Repeat([]byte{0xff}, 32))
		full := bytes.Repeat([]byte{0xff}, 2048)
		mixed := bytes.Repeat(append(bytes.Repeat([]byte{0xff}, 16), make([]byte, 16)...), 64)
		zero := make([]byte, 2048)
		for n := 0; n <= len(full); n += step {
			check(t, tier, full[:n], &ones, 0)
			if n%16 == 0 {
				check(t, tier, mixed[:n], &ones, 0)
				check(t, tier, zero[:n], &ones, 0)
				check(t, tier, full[:n], &[32]byte{}, 0)
			}
		}
	})
}

// TestLongChain makes each tag part of the next key and message.
func TestLongChain(t *testing.T) {
	testkit.Tiers(t, impl.Poly1305, func(t *testing.T, tier impl.Tier) {
		r := testkit.Rand(t)
		key := [32]byte(testkit.Bytes(r, 32))
		m := testkit.Bytes(r, 1<<12)
		for i := range 3000 {
			n := int(r.Uint64() % uint64(len(m)))
			var got, want [16]byte
			Sum(&got, m[:n], &key)
			xpoly1305.Sum(&want, m[:n], &key)
			if got != want {
				t.Fatalf("step %d, %d bytes: %x, want %x", i, n, got, want)
			}
			copy(key[:], got[:])
			copy(m[n%4000:], got[:])
		}
	})
}

func TestLargeMessages(t *testing.T) {
	n := 1<<20 + 7
	if long() {
		n = 64<<20 + 7
	}
	testkit.Tiers(t, impl.Poly1305, func(t *testing.T, tier impl.Tier) {
		for _, fill := range []byte{0xff, 0x5a} {
			m := bytes.Repeat([]byte{fill}, n)
			key := [32]byte(bytes.Repeat([]byte{0xff}, 32))
			var got, want [16]byte
			xpoly1305.Sum(&want, m, &key)
			Sum(&got, m, &key)
			if got != want {
				t.Errorf("%x, want %x", got, want)
			}
		}
	})
}

// TestGuardPages lays message, key and tag against inaccessible pages, at every
// offset, for lengths around the strides of all kernels.
func TestGuardPages(t *testing.T) {
	lengths := []int{0, 1, 15, 16, 17, 63, 64, 65, 127, 128, 129, 255, 256, 257, 319, 320, 321, 383, 384, 385, 511, 512, 513, 575, 700, 1024, 1041}
	if testing.Short() {
		lengths = []int{0, 1, 17, 129, 321, 513}
	}
	testkit.Tiers(t, impl.Poly1305, func(t *testing.T, tier impl.Tier) {
		r := testkit.Rand(t)
		gm, gk, gt := testkit.NewGuarded(t, 4096), testkit.NewGuarded(t, 4096), testkit.NewGuarded(t, 4096)
		content := testkit.Bytes(r, 2048)
		key := [32]byte(testkit.Bytes(r, 32))
		for _, n := range lengths {
			var want [16]byte
			xpoly1305.Sum(&want, content[:n], &key)
			for offset := range 64 {
				for _, place := range []func(g *testkit.Guarded, n, offset int) []byte{(*testkit.Guarded).Front, (*testkit.Guarded).Back} {
					m, k, tag := place(gm, n, offset), place(gk, 32, offset), place(gt, 16, offset)
					copy(m, content)
					copy(k, key[:])
					Sum((*[16]byte)(tag), m, (*[32]byte)(k))
					if !bytes.Equal(tag, want[:]) {
						t.Fatalf("%d bytes at offset %d: %x, want %x", n, offset, tag, want)
					}
					mac := New((*[32]byte)(k))
					mac.Write(m[:n/3])
					mac.Write(m[n/3:])
					if !mac.Verify(want[:]) {
						t.Fatalf("%d bytes at offset %d: the MAC differs", n, offset)
					}
				}
			}
		}
	})
}

// TestOverlap has the tag written over the message and over the key.
func TestOverlap(t *testing.T) {
	testkit.Tiers(t, impl.Poly1305, func(t *testing.T, tier impl.Tier) {
		r := testkit.Rand(t)
		for _, n := range []int{16, 40, 333, 1000} {
			key, m := [32]byte(testkit.Bytes(r, 32)), testkit.Bytes(r, n)
			var want [16]byte
			xpoly1305.Sum(&want, m, &key)
			for _, at := range []int{0, (n - 16) / 2, n - 16} {
				c := bytes.Clone(m)
				Sum((*[16]byte)(c[at:]), c, &key)
				if !bytes.Equal(c[at:at+16], want[:]) {
					t.Errorf("%d bytes, tag at %d: %x, want %x", n, at, c[at:at+16], want)
				}
			}
			for at := 0; at <= 16; at += 4 {
				k := key
				Sum((*[16]byte)(k[at:]), m, &k)
				if !bytes.Equal(k[at:at+16], want[:]) {
					t.Errorf("%d bytes, tag over the key at %d: %x, want %x", n, at, k[at:at+16], want)
				}
			}
		}
	})
}

func TestAllocations(t *testing.T) {
	testkit.Tiers(t, impl.Poly1305, func(t *testing.T, tier impl.Tier) {
		var key [32]byte
		var tag [16]byte
		m := make([]byte, 3000)
		if n := testing.AllocsPerRun(20, func() {
			Sum(&tag, m, &key)
			Sum(&tag, m[:40], &key)
			if !Verify(&tag, m[:40], &key) {
				t.Fatal("wrong tag")
			}
			mac := New(&key)
			mac.Write(m[:1000])
			mac.Write(m[:50])
			if tag := mac.Sum(tag[:0]); !mac.Verify(tag) {
				t.Fatal("wrong tag")
			}
		}); n != 0 && tier != impl.Generic {
			t.Errorf("%v allocations", n)
		}
	})
}

func TestConcurrent(t *testing.T) {
	testkit.Tiers(t, impl.Poly1305, func(t *testing.T, tier impl.Tier) {
		key := [32]byte(testkit.Bytes(testkit.Rand(t), 32))
		m := make([]byte, 5000)
		var wg sync.WaitGroup
		for g := range 64 {
			wg.Go(func() {
				for n := g; n < len(m); n += 397 {
					want := reference(m[:n], &key)
					if !Verify(&want, m[:n], &key) {
						t.Errorf("%d bytes: wrong tag", n)
					}
				}
			})
		}
		wg.Wait()
	})
}

// FuzzTag compares every tier with x/crypto and with the reference.
func FuzzTag(f *testing.F) {
	f.Add(make([]byte, 32), []byte{}, uint16(1))
	f.Add(bytes.Repeat([]byte{0xff}, 32), bytes.Repeat([]byte{0xff}, 700), uint16(17))
	f.Fuzz(func(t *testing.T, k, m []byte, step uint16) {
		if len(k) < 32 || len(m) > 1<<14 {
			return
		}
		key := [32]byte(k)
		var want [16]byte
		xpoly1305.Sum(&want, m, &key)
		if got := reference(m, &key); got != want {
			t.Fatalf("the oracles differ: %x, %x", got, want)
		}
		for _, tier := range impl.Poly1305.Supported() {
			if tier != impl.Generic {
				var got [16]byte
				if sum(tier, &got, m, &key); got != want {
					t.Errorf("tier %s: %x, want %x", tier, got, want)
				}
			}
			mac := new(MAC)
			mac.initialize(tier, &key)
			for p := m; len(p) > 0; {
				n := min(len(p), 1+int(step))
				mac.Write(p[:n])
				p = p[n:]
			}
			if !mac.Verify(want[:]) {
				t.Errorf("tier %s: the MAC differs", tier)
			}
		}
	})
}

func BenchmarkPoly1305(b *testing.B) {
	var key [32]byte
	var tag [16]byte
	run := func(b *testing.B, sum func(out *[16]byte, m []byte, key *[32]byte)) {
		for _, size := range []int{16, 64, 256, 1350, 8192, 16384, 1048576} {
			b.Run(fmt.Sprintf("op=Sum/size=%d", size), func(b *testing.B) {
				m := make([]byte, size)
				b.SetBytes(int64(size))
				b.ReportAllocs()
				for b.Loop() {
					sum(&tag, m, &key)
				}
			})
		}
	}
	b.Run("impl=std", func(b *testing.B) { run(b, xpoly1305.Sum) })
	testkit.BenchTiers(b, impl.Poly1305, func(b *testing.B) { run(b, Sum) })
}
