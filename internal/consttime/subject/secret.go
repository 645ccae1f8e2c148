//go:build (amd64 || arm64) && !purego

package main

import (
	"encoding/binary"
	"hash/fnv"
	"math/big"
	"math/rand/v2"
)

// A secret is what all secrets of one run are made from. Of three in a row the first
// has the same special value everywhere, the second random ones with a special one
// here and there, and the third different special ones in different arguments.
type secret struct {
	n, argument int
	rng         *rand.ChaCha8
}

func newSecret(name string, n int) *secret {
	var seed [32]byte
	h := fnv.New64a()
	h.Write([]byte(name))
	binary.LittleEndian.PutUint64(seed[:], h.Sum64())
	binary.LittleEndian.PutUint64(seed[8:], uint64(n))
	return &secret{n: n, rng: rand.NewChaCha8(seed)}
}

// special returns which of count special values the next argument gets, or −1 if a
// random one.
func (s *secret) special(count int) int {
	i := s.argument
	s.argument++
	switch r := s.rng.Uint64(); {
	case s.n%3 == 0:
		return s.n / 3 % count
	case s.n%3 == 2:
		return (s.n/3 + 5*i) % count
	case r%8 == 0:
		return int(r>>8) % count
	}
	return -1
}

// bytes fills b.
func (s *secret) bytes(b []byte) {
	i := s.special(6)
	if i < 0 {
		s.rng.Read(b)
		return
	}
	fill := [...]byte{0, 0xff, 0, 0, 0x80, 0x01}[i]
	for j := range b {
		b[j] = fill
	}
	if len(b) > 0 {
		switch i {
		case 2:
			b[0] = 1
		case 3:
			b[len(b)-1] = 1
		}
	}
}

// below returns a number below n.
func (s *secret) below(n uint64) uint64 {
	if i := s.special(4); i >= 0 {
		return [...]uint64{0, n - 1, min(1, n-1), n / 2}[i]
	}
	return s.rng.Uint64() % n
}

// modulus is a prime of P-256 with the special residues of it.
type modulus struct {
	m       *big.Int
	special []*big.Int
}

var (
	fieldPrime = newModulus("ffffffff00000001000000000000000000000000ffffffffffffffffffffffff")
	groupOrder = newModulus("ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551")
)

func newModulus(hex string) *modulus {
	m, _ := new(big.Int).SetString(hex, 16)
	one := big.NewInt(1)
	power := func(e uint) *big.Int { x := new(big.Int).Lsh(one, e); return x.Mod(x, m) }
	minus := func(x, y *big.Int) *big.Int { return new(big.Int).Sub(x, y) }
	return &modulus{m, []*big.Int{
		new(big.Int), one, minus(m, one), power(256), // 0, 1, −1; 1 in the Montgomery domain
		minus(m, power(256)), new(big.Int).Rsh(m, 1), big.NewInt(2), minus(power(192), one),
		power(255), minus(power(64), one), power(260), power(128), minus(m, big.NewInt(2)),
	}}
}

// residue returns a number below the modulus.
func (s *secret) residue(m *modulus) *big.Int {
	if i := s.special(len(m.special)); i >= 0 {
		return m.special[i]
	}
	var b [40]byte
	s.rng.Read(b[:])
	x := new(big.Int).SetBytes(b[:])
	return x.Mod(x, m.m)
}

// scalar sets b to a number from 1 to n−1, big-endian.
func (s *secret) scalar(b *[32]byte) {
	x := s.residue(groupOrder)
	if x.Sign() == 0 {
		x = big.NewInt(3)
	}
	x.FillBytes(b[:])
}

// elements sets z, four limbs of 64 bits each, to residues.
func (s *secret) elements(z []uint64, m *modulus) {
	for ; len(z) > 0; z = z[4:] {
		var b [32]byte
		s.residue(m).FillBytes(b[:])
		for i := range 4 {
			z[i] = binary.BigEndian.Uint64(b[24-8*i:])
		}
	}
}

// lanes sets z, five limbs of 52 bits in each of eight lanes, to residues.
func (s *secret) lanes(z []uint64, m *modulus) {
	mask := big.NewInt(1<<52 - 1)
	for ; len(z) > 0; z = z[40:] {
		for lane := range 8 {
			x := s.residue(m)
			for i := range 5 {
				limb := new(big.Int).Rsh(x, uint(52*i))
				z[8*i+lane] = limb.And(limb, mask).Uint64()
			}
		}
	}
}
