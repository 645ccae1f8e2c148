//go:build (amd64 || arm64) && !purego

package main

import (
	"fmt"
	"math/big"
	"unsafe"

	"github.com/fastcrypto-go/fastcrypto/internal/impl"
)

// A memory is what kernels work on: static, so that their addresses are
// the same for all secrets, and count as they are.
type memory struct {
	dst, src, ad              [8192 + 64]byte
	tag, block, state, hash16 [16]byte
	nonce                     [16]byte
	key                       [64]byte
	roundKeys                 [240]byte
	gcmTable                  [1024]byte
	held                      [768]byte
	poly                      [7]uint64
	x, y, z, t                [120]uint64
	points                    [2560]uint64
	digits, signs             [8]uint64
	index, negate             uint64
	counter                   uint32
	high, low                 uint64
	_                         [64]byte
}

var backing [unsafe.Sizeof(memory{}) + 64]byte

// mem begins on a boundary of 64 bytes.
var mem = func() *memory {
	p := unsafe.Pointer(&backing)
	return (*memory)(unsafe.Add(p, -uintptr(p)&63))
}()

// lengths are those of a message and of its additional data, in bytes.
type lengths struct{ n, ad int }

func (l lengths) String() string { return fmt.Sprintf("n=%d,ad=%d", l.n, l.ad) }

// messages returns messages of all lengths below dense, and of the others as often as
// there are variants of a kernel, all with changing additional data. Together they
// lead through every path: the tests measure it.
func messages(from, dense int, others ...int) []lengths {
	ads := [...]int{0, 1, 16, 5, 0, 33, 100, 15, 17, 260, 0, 19, 128, 7, 64, 31, 350, 48, 2, 150, 0, 130, 13, 1040, 8, 3}
	var all []lengths
	add := func(n int) { all = append(all, lengths{n, ads[len(all)%len(ads)]}) }
	for n := from; n < dense; n++ {
		add(n)
	}
	for _, n := range others {
		for range 6 {
			add(n)
		}
	}
	return all
}

// numbers returns the multiples of step below dense, from step on, and others.
func numbers(step, dense int, others ...int) []int {
	var all []int
	for n := step; n < dense; n += step {
		all = append(all, n)
	}
	return append(all, others...)
}

// kernel returns the subject for one function of kernels.
func kernel(name, variant string, of *impl.Primitive, tier impl.Tier, fill func(*secret), run func()) subject {
	full := "kernel/" + name
	if variant != "" {
		full += "/" + variant
	}
	return subject{name: full, kernel: name, tier: tier, of: of, fill: fill, run: run}
}

// The same functions of kernels have the same arguments on amd64 and arm64 where not
// said otherwise.

// A gcmKernels is one tier of AES-GCM and AES-CTR; T is its table.
type gcmKernels[T any] struct {
	suffix                 string
	tier                   impl.Tier
	seal, open             func(dst, src *byte, n int, tag *[16]byte, nonce *byte, nonceLen int, ad *byte, adLen int, rk *[240]byte, rounds int, table *T)
	sealBlocks, openBlocks func(dst, src *byte, n int, ctr, y *[16]byte, rk *[240]byte, rounds int, table *T)
	ctr                    func(dst, src *byte, n int, hi, lo uint64, rk *[240]byte, rounds int)
	messages               []lengths
	blocks, texts          []int
}

func (g *gcmKernels[T]) subjects() []subject {
	table := (*T)(unsafe.Pointer(&mem.gcmTable))
	fill := func(n, ad int) func(*secret) {
		return func(s *secret) {
			s.bytes(mem.src[:n])
			s.bytes(mem.ad[:ad])
			s.bytes(mem.nonce[:])
			s.bytes(mem.roundKeys[:])
			s.bytes(mem.gcmTable[:unsafe.Sizeof(*table)])
			s.bytes(mem.block[:])
			s.bytes(mem.state[:])
		}
	}
	var all []subject
	message := func(name string, f func(dst, src *byte, n int, tag *[16]byte, nonce *byte, nonceLen int, ad *byte, adLen int, rk *[240]byte, rounds int, table *T)) {
		for i, l := range g.messages {
			// Every number of rounds and both kinds of nonces, in turn and together.
			rounds, nonce := 10+2*(i%3), 12+4*(i/3%2)
			all = append(all, kernel(name+g.suffix, fmt.Sprintf("%v,rounds=%d,nonce=%d", l, rounds, nonce), impl.GCM, g.tier, fill(l.n, l.ad), func() {
				f(&mem.dst[0], &mem.src[0], l.n, &mem.tag, &mem.nonce[0], nonce, &mem.ad[0], l.ad, &mem.roundKeys, rounds, table)
			}))
		}
	}
	message("GCMSeal", g.seal)
	message("GCMOpen", g.open)
	part := func(name string, f func(dst, src *byte, n int, ctr, y *[16]byte, rk *[240]byte, rounds int, table *T)) {
		for i, n := range g.blocks {
			rounds := 10 + 2*(i%3)
			all = append(all, kernel(name+g.suffix, fmt.Sprintf("n=%d,rounds=%d", n, rounds), impl.GCM, g.tier, fill(n, 0), func() {
				f(&mem.dst[0], &mem.src[0], n, &mem.block, &mem.state, &mem.roundKeys, rounds, table)
			}))
		}
	}
	part("GCMSealBlocks", g.sealBlocks)
	part("GCMOpenBlocks", g.openBlocks)
	for i, n := range g.texts {
		rounds := 10 + 2*(i%3)
		lo := [...]uint64{0x10, 0xfffffffa, 0xf8}[i%3] // the counter is public
		all = append(all, kernel("CTR"+g.suffix, fmt.Sprintf("n=%d,rounds=%d,lo=%#x", n, rounds, lo), impl.CTR, g.tier, fill(n, 0), func() {
			g.ctr(&mem.dst[0], &mem.src[0], n, 1, lo, &mem.roundKeys, rounds)
		}))
	}
	// That of a single block of an AES-GCM message with a hashed nonce is not.
	for _, n := range []int{7, 16} {
		all = append(all, kernel("CTR"+g.suffix, fmt.Sprintf("n=%d,secret", n), impl.CTR, g.tier, func(s *secret) {
			fill(n, 0)(s)
			mem.high, mem.low = s.below(1<<63), s.below(1<<63)
			mem.low |= uint64(s.below(2)) * 0xff
		}, func() {
			g.ctr(&mem.dst[0], &mem.src[0], n, mem.high, mem.low, &mem.roundKeys, 10)
		}))
	}
	return all
}

// gcmInit is for the function that prepares a tier's table.
func gcmInit[T any](suffix string, tier impl.Tier, f func(table *T, rk *[240]byte, rounds int, h *[16]byte)) []subject {
	table := (*T)(unsafe.Pointer(&mem.gcmTable))
	var all []subject
	for rounds := 10; rounds <= 14; rounds += 2 {
		all = append(all, kernel("GCMInit"+suffix, fmt.Sprintf("rounds=%d", rounds), impl.GCM, tier,
			func(s *secret) { s.bytes(mem.roundKeys[:]) },
			func() { f(table, &mem.roundKeys, rounds, &mem.hash16) }))
	}
	return all
}

// gcmNonce has the cases of a kernel that hashes a nonce, which is public.
func gcmNonce[T any](suffix string, tier impl.Tier, f func(j0 *[16]byte, nonce *byte, n int, table *T)) []subject {
	table := (*T)(unsafe.Pointer(&mem.gcmTable))
	var all []subject
	for n := 1; n <= 128; n++ {
		all = append(all, kernel("GCMNonce"+suffix, fmt.Sprintf("n=%d", n), impl.GCM, tier,
			func(s *secret) {
				s.bytes(mem.src[:n])
				s.bytes(mem.gcmTable[:unsafe.Sizeof(*table)])
			},
			func() { f(&mem.state, &mem.src[0], n, table) }))
	}
	return all
}

// gcmHash is for the function that hashes.
func gcmHash[T any](suffix string, tier impl.Tier, texts []int, f func(y *[16]byte, data *byte, n int, table *T)) []subject {
	table := (*T)(unsafe.Pointer(&mem.gcmTable))
	var all []subject
	for _, n := range texts {
		all = append(all, kernel("GCMHash"+suffix, fmt.Sprintf("n=%d", n), impl.GCM, tier,
			func(s *secret) {
				s.bytes(mem.state[:])
				s.bytes(mem.src[:n])
				s.bytes(mem.gcmTable[:unsafe.Sizeof(*table)])
			},
			func() { f(&mem.state, &mem.src[0], n, table) }))
	}
	return all
}

// expandKey is for the function that makes round keys.
func expandKey(of *impl.Primitive, tier impl.Tier, f func(rk *[240]byte, key *byte, rounds int)) []subject {
	var all []subject
	for rounds := 10; rounds <= 14; rounds += 2 {
		all = append(all, kernel("AESExpandKey", fmt.Sprintf("rounds=%d", rounds), of, tier,
			func(s *secret) { s.bytes(mem.key[:4*(rounds-6)]) },
			func() { f(&mem.roundKeys, &mem.key[0], rounds) }))
	}
	return all
}

// hChaCha is for the function that derives XChaCha20's key.
func hChaCha(name string, of *impl.Primitive, tier impl.Tier, f func(out, key *[32]byte, nonce *[16]byte)) subject {
	return kernel(name, "", of, tier,
		func(s *secret) { s.bytes(mem.key[:]); s.bytes(mem.nonce[:]) },
		func() { f((*[32]byte)(mem.dst[:]), (*[32]byte)(mem.key[:]), &mem.nonce) })
}

// fillChaCha fills what a message of ChaCha20-Poly1305 takes.
func fillChaCha(l lengths) func(*secret) {
	return func(s *secret) {
		s.bytes(mem.key[:])
		s.bytes(mem.src[:l.n])
		s.bytes(mem.ad[:l.ad])
		s.bytes(mem.nonce[:])
		mem.counter = uint32(s.below(1 << 32))
	}
}

// fillPoly fills a state of Poly1305 and n bytes of message.
func fillPoly(n int) func(*secret) {
	return func(s *secret) {
		var b [56]byte
		s.bytes(b[:16])
		s.bytes(b[24:40])
		s.bytes(b[40:])
		for i := range mem.poly {
			for j := range 8 {
				mem.poly[i] = mem.poly[i]>>8 | uint64(b[8*i+j])<<56
			}
		}
		mem.poly[2] = s.below(5)
		mem.poly[3] &= 0x0ffffffc0fffffff
		mem.poly[4] &= 0x0ffffffc0ffffffc
		s.bytes(mem.src[:n])
	}
}

// A p256Kernels is the arithmetic of P-256 that both architectures have.
type p256Kernels struct {
	suffix             string
	tier               impl.Tier
	mul, orderMul      func(z, x, y *[4]uint64)
	sqr, orderSqr      func(z, x *[4]uint64, n uint64)
	inverse            func(z, x *[4]uint64, c *[9]uint64)
	double             func(z, x *[12]uint64, n uint64)
	addMixed           func(z, x *[12]uint64, y *[8]uint64) (h, r uint64)
	add                func(z, x, y *[12]uint64) (h, r uint64)
	selectAffine       func(z, table *[8]uint64, n, index, negate uint64)
	inverseP, inverseN [9]uint64
}

func (p *p256Kernels) subjects() []subject {
	var all []subject
	add := func(name, variant string, m *modulus, run func()) {
		k := kernel(name+p.suffix, variant, impl.P256, p.tier, func(s *secret) {
			s.elements(mem.x[:12], m)
			s.elements(mem.y[:12], m)
		}, run)
		k.times = 8
		all = append(all, k)
	}
	x4, y4, z4 := (*[4]uint64)(mem.x[:]), (*[4]uint64)(mem.y[:]), (*[4]uint64)(mem.z[:])
	x12, y12, z12 := (*[12]uint64)(mem.x[:]), (*[12]uint64)(mem.y[:]), (*[12]uint64)(mem.z[:])
	add("P256Mul", "", fieldPrime, func() { p.mul(z4, x4, y4) })
	add("P256OrderMul", "", groupOrder, func() { p.orderMul(z4, x4, y4) })
	add("P256Sqr", "n=3", fieldPrime, func() { p.sqr(z4, x4, 3) })
	add("P256OrderSqr", "n=3", groupOrder, func() { p.orderSqr(z4, x4, 3) })
	add("P256Inverse", "p", fieldPrime, func() { p.inverse(z4, x4, &p.inverseP) })
	add("P256Inverse", "n", groupOrder, func() { p.inverse(z4, x4, &p.inverseN) })
	add("P256PointDouble", "n=5", fieldPrime, func() { p.double(z12, x12, 5) })
	add("P256PointAddMixed", "", fieldPrime, func() { p.addMixed(z12, x12, (*[8]uint64)(mem.y[:])) })
	add("P256PointAdd", "", fieldPrime, func() { p.add(z12, x12, y12) })
	for _, n := range []uint64{16, 32} {
		all = append(all, kernel("P256SelectAffine"+p.suffix, fmt.Sprintf("n=%d", n), impl.P256, p.tier, func(s *secret) {
			s.elements(mem.points[:8*n], fieldPrime)
			mem.index = s.below(n)
			mem.negate = s.below(2)
		}, func() {
			p.selectAffine((*[8]uint64)(mem.z[:]), (*[8]uint64)(mem.points[:]), n, mem.index, mem.negate)
		}))
	}
	return all
}

// inverseP and inverseN are what the inversion modulo p and n takes beside a number:
// the modulus, −m^-1 mod 2^64, and 2^(512+40) mod m.
var (
	inverseP = inverseConstants(fieldPrime)
	inverseN = inverseConstants(groupOrder)
)

func inverseConstants(m *modulus) (c [9]uint64) {
	one := big.NewInt(1)
	word := new(big.Int).Lsh(one, 64)
	limbs := func(z []uint64, x *big.Int) {
		for i := range z {
			z[i] = new(big.Int).And(new(big.Int).Rsh(x, uint(64*i)), new(big.Int).Sub(word, one)).Uint64()
		}
	}
	limbs(c[:4], m.m)
	limbs(c[4:5], new(big.Int).Sub(word, new(big.Int).ModInverse(m.m, word)))
	w := new(big.Int).Lsh(one, 512+40)
	limbs(c[5:], w.Mod(w, m.m))
	return c
}
