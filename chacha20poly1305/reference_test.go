package chacha20poly1305

import (
	"encoding/binary"
	"math/big"
	"math/bits"
	"slices"
	"testing"
)

// The functions here follow RFC 8439 word for word, for comparison.

// referenceBlock is the ChaCha20 block function, section 2.3. With feed false it
// leaves out the final addition, as HChaCha20 does.
func referenceBlock(key []byte, counter uint32, nonce []byte, feed bool) [64]byte {
	x := [16]uint32{0x61707865, 0x3320646e, 0x79622d32, 0x6b206574, 12: counter}
	for i := range 8 {
		x[4+i] = binary.LittleEndian.Uint32(key[4*i:])
	}
	for i := range 3 {
		x[13+i] = binary.LittleEndian.Uint32(nonce[4*i:])
	}
	in := x
	quarter := func(a, b, c, d int) {
		x[a] += x[b]
		x[d] = bits.RotateLeft32(x[d]^x[a], 16)
		x[c] += x[d]
		x[b] = bits.RotateLeft32(x[b]^x[c], 12)
		x[a] += x[b]
		x[d] = bits.RotateLeft32(x[d]^x[a], 8)
		x[c] += x[d]
		x[b] = bits.RotateLeft32(x[b]^x[c], 7)
	}
	for range 10 {
		quarter(0, 4, 8, 12)
		quarter(1, 5, 9, 13)
		quarter(2, 6, 10, 14)
		quarter(3, 7, 11, 15)
		quarter(0, 5, 10, 15)
		quarter(1, 6, 11, 12)
		quarter(2, 7, 8, 13)
		quarter(3, 4, 9, 14)
	}
	var out [64]byte
	for i, w := range x {
		if feed {
			w += in[i]
		}
		binary.LittleEndian.PutUint32(out[4*i:], w)
	}
	return out
}

// referencePoly1305 is section 2.5.1.
func referencePoly1305(m, key []byte) []byte {
	number := func(b []byte) *big.Int {
		b = slices.Clone(b)
		slices.Reverse(b)
		return new(big.Int).SetBytes(b)
	}
	p := new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 130), big.NewInt(5))
	clamp, _ := new(big.Int).SetString("0ffffffc0ffffffc0ffffffc0fffffff", 16)
	r, acc := number(key[:16]), new(big.Int)
	r.And(r, clamp)
	for block := range slices.Chunk(m, 16) {
		n := number(block)
		acc.Add(acc, n.SetBit(n, 8*len(block), 1))
		acc.Mul(acc, r).Mod(acc, p)
	}
	acc.Add(acc, number(key[16:32]))
	out := acc.FillBytes(make([]byte, 32))[16:]
	slices.Reverse(out)
	return out
}

// referenceSeal is section 2.8, with the numbers of the block that gives the
// one-time key and of the first block of data, there 0 and 1.
func referenceSeal(first, counter uint32, key, nonce, plaintext, ad []byte) []byte {
	var out []byte
	for block := range slices.Chunk(plaintext, 64) {
		stream := referenceBlock(key, counter, nonce, true)
		for i, b := range block {
			out = append(out, b^stream[i])
		}
		counter++
	}
	pad := func(b []byte) []byte { return append(b, make([]byte, -len(b)&15)...) }
	mac := pad(append(pad(slices.Clone(ad)), out...))
	mac = binary.LittleEndian.AppendUint64(mac, uint64(len(ad)))
	mac = binary.LittleEndian.AppendUint64(mac, uint64(len(out)))
	key0 := referenceBlock(key, first, nonce, true)
	return append(out, referencePoly1305(mac, key0[:])...)
}

// TestReference has the block of RFC 8439, section 2.3.2.
func TestReference(t *testing.T) {
	var key [32]byte
	for i := range key {
		key[i] = byte(i)
	}
	got := referenceBlock(key[:], 1, unhex(t, "000000090000004a00000000"), true)
	want := unhex(t, `10f1e7e4d13b5915500fdd1fa32071c4c7d1f4c733c068030422aa9ac3d46c4e
		d2826446079faa0914c2d705d98b02a2b5129cd1de164eb9cbd083e8a2503c4e`)
	if !slices.Equal(got[:], want) {
		t.Errorf("%x", got)
	}
}
