package poly1305

import (
	"bytes"
	"encoding/hex"
	"math/big"
	"testing"

	"github.com/fastcrypto-go/fastcrypto/internal/impl"
	"github.com/fastcrypto-go/fastcrypto/internal/testkit"
)

var prime = new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 130), big.NewInt(5))

// littleEndian returns the number whose bytes are b, the lowest first.
func littleEndian(b []byte) *big.Int {
	r := bytes.Clone(b)
	for i, j := 0, len(r)-1; i < j; i, j = i+1, j-1 {
		r[i], r[j] = r[j], r[i]
	}
	return new(big.Int).SetBytes(r)
}

// reference is RFC 8439, section 2.5.1, word for word.
func reference(m []byte, key *[32]byte) (tag [16]byte) {
	clamp, _ := new(big.Int).SetString("0ffffffc0ffffffc0ffffffc0fffffff", 16)
	r := littleEndian(key[:16])
	r.And(r, clamp)
	acc := new(big.Int)
	for len(m) > 0 {
		n := min(16, len(m))
		block := littleEndian(m[:n])
		acc.Add(acc, block.SetBit(block, 8*n, 1))
		acc.Mul(acc, r)
		acc.Mod(acc, prime)
		m = m[n:]
	}
	acc.Add(acc, littleEndian(key[16:]))
	var b [17]byte
	acc.FillBytes(make([]byte, 32))
	sum := acc.FillBytes(make([]byte, 32))
	for i := range b[:16] {
		tag[i] = sum[31-i]
	}
	return tag
}

// check compares a tier with the reference: at once, and in pieces of step bytes.
func check(t testing.TB, tier impl.Tier, m []byte, key *[32]byte, step int) {
	t.Helper()
	want := reference(m, key)
	var got [16]byte
	Sum(&got, m, key)
	if got != want {
		t.Fatalf("Sum of %d bytes, key %x: %x, want %x", len(m), *key, got, want)
	}
	if !Verify(&want, m, key) {
		t.Fatalf("Verify refuses the tag of %d bytes", len(m))
	}
	mac := New(key)
	for p := m; ; p = p[step:] {
		if step <= 0 || len(p) <= step {
			mac.Write(p)
			break
		}
		mac.Write(p[:step])
	}
	if tag := mac.Sum(nil); !bytes.Equal(tag, want[:]) {
		t.Fatalf("MAC of %d bytes in pieces of %d, key %x: %x, want %x", len(m), step, *key, tag, want)
	}
}

// TestVectors has RFC 8439, section 2.5.2 and appendix A.3: the latter drive the
// accumulator to the prime and just beyond.
func TestVectors(t *testing.T) {
	ff, zero := "ffffffffffffffffffffffffffffffff", "00000000000000000000000000000000"
	two, one := "02000000000000000000000000000000", "01000000000000000000000000000000"
	vectors := []struct{ key, m, tag string }{
		{rfcKey, hex.EncodeToString([]byte("Cryptographic Forum Research Group")), "a8061dc1305136c6c22b8baf0c0127a9"},
		{zero + zero, zero + zero, zero},
		{two + zero, ff, "03000000000000000000000000000000"},
		{two + ff, two, "03000000000000000000000000000000"},
		{one + zero, ff + "f0ffffffffffffffffffffffffffffff" + "11000000000000000000000000000000", "05000000000000000000000000000000"},
		{one + zero, ff + "fbfefefefefefefefefefefefefefefe" + "01010101010101010101010101010101", zero},
		{two + zero, "fdffffffffffffffffffffffffffffff", "faffffffffffffffffffffffffffffff"},
		{"01000000000000000400000000000000" + zero, "e33594d7505e43b900000000000000003394d7505e4379cd01000000000000000000000000000000000000000000000001000000000000000000000000000000", "14000000000000005500000000000000"},
		{"01000000000000000400000000000000" + zero, "e33594d7505e43b900000000000000003394d7505e4379cd010000000000000000000000000000000000000000000000", "13000000000000000000000000000000"},
	}
	testkit.Tiers(t, impl.Poly1305, func(t *testing.T, tier impl.Tier) {
		for i, v := range vectors {
			var key [32]byte
			hex.Decode(key[:], []byte(v.key))
			m, err := hex.DecodeString(v.m)
			if err != nil {
				t.Fatal(err)
			}
			var tag [16]byte
			Sum(&tag, m, &key)
			if hex.EncodeToString(tag[:]) != v.tag {
				t.Errorf("#%d: %x, want %s", i, tag, v.tag)
			}
			check(t, tier, m, &key, 5)
		}
	})
}

func TestVerify(t *testing.T) {
	testkit.Tiers(t, impl.Poly1305, func(t *testing.T, tier impl.Tier) {
		key := [32]byte(testkit.Bytes(testkit.Rand(t), 32))
		m := make([]byte, 40)
		var tag [16]byte
		Sum(&tag, m, &key)
		for i := range 128 {
			tag[i/8] ^= 1 << (i % 8)
			mac := New(&key)
			mac.Write(m)
			if Verify(&tag, m, &key) || mac.Verify(tag[:]) {
				t.Fatalf("accepts a tag with bit %d changed", i)
			}
			tag[i/8] ^= 1 << (i % 8)
		}
		mac := New(&key)
		mac.Write(m)
		if mac.Verify(tag[:15]) || mac.Verify(append(tag[:], 0)) || !mac.Verify(tag[:]) || mac.Size() != 16 {
			t.Error("lengths of tags")
		}
	})
}

// TestAfterSum: Sum may be repeated, Write may not follow.
func TestAfterSum(t *testing.T) {
	testkit.Tiers(t, impl.Poly1305, func(t *testing.T, tier impl.Tier) {
		for _, finish := range []func(*MAC){func(m *MAC) { m.Sum(nil) }, func(m *MAC) { m.Verify(nil) }} {
			mac := New(&[32]byte{1, 2, 3})
			mac.Write(make([]byte, 21))
			finish(mac)
			first := mac.Sum([]byte{9})
			if !bytes.Equal(first, mac.Sum([]byte{9})) || first[0] != 9 || len(first) != 17 {
				t.Error("a second Sum differs")
			}
			func() {
				defer func() {
					if r := recover(); r != "poly1305: write to MAC after Sum or Verify" {
						t.Errorf("panic %v", r)
					}
				}()
				mac.Write([]byte{1})
			}()
		}
	})
}
