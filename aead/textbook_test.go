package aead

import (
	"crypto/aes"
	"encoding/binary"
)

// A textbookGCM is AES-GCM read off NIST SP 800-38D, one bit and one block at a
// time: a second oracle that shares nothing with the kernels or with the standard
// library's GCM.
type textbookGCM struct {
	encrypt func(dst, src []byte)
	h       [16]byte
}

func newTextbookGCM(key []byte) *textbookGCM {
	b, err := aes.NewCipher(key)
	if err != nil {
		panic(err)
	}
	g := &textbookGCM{encrypt: b.Encrypt}
	g.encrypt(g.h[:], g.h[:])
	return g
}

// multiply sets x to x·y in GF(2^128): section 6.3, algorithm 1. Bit 0 is the most
// significant bit of byte 0.
func multiply(x, y *[16]byte) {
	var z [16]byte
	v := *y
	for i := range 128 {
		if x[i/8]>>(7-i%8)&1 == 1 {
			for j := range z {
				z[j] ^= v[j]
			}
		}
		carry := v[15] & 1
		for j := 15; j > 0; j-- {
			v[j] = v[j]>>1 | v[j-1]<<7
		}
		v[0] = v[0]>>1 ^ carry*0xe1
	}
	*x = z
}

// ghash adds data, padded with zeros, to the state y.
func (g *textbookGCM) ghash(y *[16]byte, data []byte) {
	for len(data) > 0 {
		n := min(len(data), 16)
		for i := range n {
			y[i] ^= data[i]
		}
		multiply(y, &g.h)
		data = data[n:]
	}
}

func (g *textbookGCM) j0(nonce []byte) (j [16]byte) {
	if len(nonce) == 12 {
		copy(j[:], nonce)
		j[15] = 1
		return
	}
	g.ghash(&j, nonce)
	g.lengths(&j, 0, len(nonce))
	return
}

func (g *textbookGCM) lengths(y *[16]byte, a, b int) {
	var l [16]byte
	binary.BigEndian.PutUint64(l[:], uint64(a)*8)
	binary.BigEndian.PutUint64(l[8:], uint64(b)*8)
	g.ghash(y, l[:])
}

// seal returns the ciphertext and the whole tag.
func (g *textbookGCM) seal(j0 [16]byte, plaintext, ad []byte) (ciphertext []byte, tag [16]byte) {
	ciphertext = make([]byte, len(plaintext))
	var stream [16]byte
	ctr := j0
	for i := range plaintext {
		if i%16 == 0 {
			binary.BigEndian.PutUint32(ctr[12:], binary.BigEndian.Uint32(ctr[12:])+1)
			g.encrypt(stream[:], ctr[:])
		}
		ciphertext[i] = plaintext[i] ^ stream[i%16]
	}
	g.ghash(&tag, ad)
	g.ghash(&tag, ciphertext)
	g.lengths(&tag, len(ad), len(plaintext))
	g.encrypt(stream[:], j0[:])
	for i := range tag {
		tag[i] ^= stream[i]
	}
	return
}
