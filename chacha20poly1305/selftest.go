package chacha20poly1305

import (
	"bytes"
	"encoding/hex"
	"errors"

	"github.com/fastcrypto-go/fastcrypto/internal/impl"
)

func init() { impl.ChaCha.Register(selfTest) }

// knownTags holds, for each length of the plaintext, the tag of the bytes 3, 14,
// 25, … (11i+3) under the key 0, 1, 2, …, with the nonce 64, 65, … and the
// additional data 128, 129, … of ad bytes, as computed by golang.org/x/crypto. The
// tag covers the ciphertext, so both are proved. The lengths reach every path of
// every kernel: few blocks, many, with a remainder, and long additional data.
var knownTags = []struct {
	n, ad  int
	tag, x string
}{
	{0, 0, "2feeb456ec810ae069850c4c40c195c9", "61d8489bd58cfbe3ec6d5913671c3779"},
	{1, 1, "754a96d6e470e4246e8ff32206adf95a", "fbe5752f7abb85adcad12d44441b5ee8"},
	{64, 16, "71a7ddd8ade9a975e57a9faaf0f408ae", "97783093d7fbd435d081a234af06b390"},
	{114, 18, "6e28e0d9d9fdf577fccacd33005b01f2", "78de3beac55b1005b22b739fa118436b"},
	{192, 0, "69937e49608879abd7d75d66ce4c05ed", "ecc23d921e4d6ca4855dcea6e7b4d0e8"},
	{300, 12, "c2ccc92740eb8b97f32a8e1385c6cd52", "fbbd31c8e6073cf9eaafd1068d3578b0"},
	{512, 32, "df6891cf6b27a59747274999791ed7bb", "a03c502c08ffc66936b89fa9a6d8b9ae"},
	{700, 28, "7260364a814c7afd2a4d2b42b2d1c04a", "3ebb292c2edf6bddb19b681efa857f89"},
	{1350, 6, "52340e1a181fa0b1a2de2d9fa200cb8a", "db4df3325e592430b6711eddb40d5999"},
	{10, 700, "77ab239025a65bff56e30b6970339baa", "2ba4e032ccfca2f73b3e104d0010a153"},
	{300, 1111, "1940094bb9e456ec200e96248dc6d0f3", "2a5575bed1fdcbb4ccbcab12f7f45d45"},
	{4111, 31, "a2f33b01881b48d8c07db5ef7e74d00c", "eb2b7731785e61803bf20399f908f3a3"},
}

// selfTest proves one tier, sealing and opening, with both sizes of nonce.
func selfTest(tier impl.Tier) error {
	ascending := func(first byte, n int) []byte {
		b := make([]byte, n)
		for i := range b {
			b[i] = first + byte(i)
		}
		return b
	}
	key, nonce, ad := ascending(0, KeySize), ascending(64, NonceSizeX), ascending(128, 1111)
	a, err := newAEAD(tier, key)
	if err != nil {
		return err
	}
	x, err := newX(tier, key)
	if err != nil {
		return err
	}
	plaintext := make([]byte, knownTags[len(knownTags)-1].n)
	for i := range plaintext {
		plaintext[i] = byte(11*i + 3)
	}
	buf := make([]byte, 0, len(plaintext)+Overhead)
	for _, k := range knownTags {
		p, d := plaintext[:k.n], ad[:k.ad]
		ct := a.Seal(buf, nonce[:NonceSize], p, d)
		if hex.EncodeToString(ct[k.n:]) != k.tag {
			return errors.New("sealing gives a wrong tag")
		}
		if got, err := a.Open(ct[:0], nonce[:NonceSize], ct, d); err != nil || !bytes.Equal(got, p) {
			return errors.New("opening fails")
		}
		ct = x.Seal(buf, nonce, p, d)
		if hex.EncodeToString(ct[k.n:]) != k.x {
			return errors.New("sealing with a 24-byte nonce gives a wrong tag")
		}
	}
	return nil
}
