package ecdsa

import (
	"bytes"
	"crypto"
	stdecdsa "crypto/ecdsa"
	"crypto/elliptic"
	"crypto/hmac"
	_ "crypto/md5"
	"crypto/rand"
	_ "crypto/sha1"
	_ "crypto/sha256"
	_ "crypto/sha3"
	"crypto/sha512"
	"encoding/asn1"
	"math/big"
	"testing"

	"github.com/fastcrypto-go/fastcrypto/internal/impl"
	"github.com/fastcrypto-go/fastcrypto/internal/testkit"
)

// referenceParse decodes sig with encoding/asn1 and accepts it if it is what
// encoding/asn1 makes of the two integers, and they are in [0, 2^256).
func referenceParse(sig []byte) (r, s [32]byte, ok bool) {
	var v struct{ R, S *big.Int }
	rest, err := asn1.Unmarshal(sig, &v)
	if err != nil || len(rest) != 0 || v.R.Sign() < 0 || v.S.Sign() < 0 || v.R.BitLen() > 256 || v.S.BitLen() > 256 {
		return r, s, false
	}
	if again, err := asn1.Marshal(v); err != nil || !bytes.Equal(again, sig) {
		return r, s, false
	}
	v.R.FillBytes(r[:])
	v.S.FillBytes(s[:])
	return r, s, true
}

func compareSignatureParser(t *testing.T, sig []byte) {
	t.Helper()
	wantR, wantS, want := referenceParse(sig)
	var r, s [32]byte
	got := parseSignature(&r, &s, sig)
	if got != want || got && (r != wantR || s != wantS) {
		t.Errorf("parseSignature(%x) = %x, %x, %v, want %x, %x, %v", sig, r, s, got, wantR, wantS, want)
	}
	if got && !bytes.Equal(encodeSignature(&r, &s), sig) {
		t.Errorf("encodeSignature(%x, %x) = %x, want %x", r, s, encodeSignature(&r, &s), sig)
	}
}

// signatureInputs returns well-formed and malformed encodings.
func signatureInputs() [][]byte {
	integer := func(content ...byte) []byte { return append([]byte{2, byte(len(content))}, content...) }
	sequence := func(parts ...[]byte) []byte {
		all := bytes.Join(parts, nil)
		return append([]byte{0x30, byte(len(all))}, all...)
	}
	one := integer(1)
	full := bytes.Repeat([]byte{0xff}, 32)
	in := [][]byte{
		nil, {0x30}, {0x30, 0}, {2, 1, 1}, sequence(), sequence(one), sequence(one, one), sequence(one, one, one),
		sequence(integer(0), one), sequence(one, integer(0)), sequence(integer(0, 0), one), sequence(integer(0, 0x80), one),
		sequence(integer(0, 0x7f), one), sequence(integer(0x80), one), sequence(integer(0xff), one), sequence(integer(0xff, 0x80), one),
		sequence(integer(), one), sequence(one, integer()), sequence([]byte{2, 0x80, 1}, one), sequence([]byte{2, 0x81, 1, 1}, one),
		sequence(integer(append([]byte{0}, full...)...), integer(append([]byte{0}, full...)...)),
		sequence(integer(full...), one), sequence(integer(append([]byte{1}, full...)...), one),
		sequence(integer(append([]byte{0, 1}, full...)...), one), sequence(integer(append([]byte{0, 0x80}, full...)...), one),
		sequence(integer(bytes.Repeat([]byte{0x7f}, 32)...), integer(bytes.Repeat([]byte{0x7f}, 32)...)),
		append(sequence(one, one), 0), append([]byte{0x30, 0x81, 6}, append(one, one...)...), append([]byte{0x30, 0x80}, append(one, append(one, 0, 0)...)...),
		append([]byte{0x10, 6}, append(one, one...)...), append([]byte{0x31, 6}, append(one, one...)...), append([]byte{0x70, 6}, append(one, one...)...),
		sequence([]byte{3, 1, 1}, one), sequence([]byte{0x22, 1, 1}, one), sequence([]byte{0x82, 1, 1}, one), sequence([]byte{0x1f, 1, 1}, one),
		append([]byte{0x30, 0x81, 0x84}, append(integer(bytes.Repeat([]byte{0x7f}, 64)...), integer(bytes.Repeat([]byte{0x7f}, 64)...)...)...),
	}
	return in
}

func TestParseSignature(t *testing.T) {
	for _, sig := range signatureInputs() {
		compareSignatureParser(t, sig)
		for cut := range sig {
			compareSignatureParser(t, sig[:cut])
		}
	}
	// Every single byte of a signature set to every value.
	key, _ := stdecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	sig, _ := stdecdsa.SignASN1(rand.Reader, key, []byte("digest"))
	for i := range sig {
		for v := range 256 {
			changed := bytes.Clone(sig)
			changed[i] = byte(v)
			compareSignatureParser(t, changed)
		}
	}
}

func TestEncodeSignature(t *testing.T) {
	for bits := range 257 {
		v := new(big.Int).Lsh(big.NewInt(1), uint(bits))
		v.Sub(v, big.NewInt(1))
		var r, s [32]byte
		v.FillBytes(r[:])
		v.Rsh(v, 1).FillBytes(s[:])
		want, _ := asn1.Marshal(struct{ R, S *big.Int }{new(big.Int).SetBytes(r[:]), v})
		got := encodeSignature(&r, &s)
		if !bytes.Equal(got, want) || len(got) != cap(got) && cap(got) > 80 {
			t.Errorf("%d bits: %x, want %x", bits, got, want)
		}
		compareSignatureParser(t, got)
	}
}

func FuzzParseSignature(f *testing.F) {
	for _, sig := range signatureInputs() {
		f.Add(sig)
	}
	f.Fuzz(compareSignatureParser)
}

// TestNonceGenerator compares several nonces in a row with an HMAC_DRBG on
// crypto/hmac: those behind the first are reached with probability 2^−32.
func TestNonceGenerator(t *testing.T) {
	rng := testkit.Rand(t)
	for _, hash := range []crypto.Hash{
		crypto.MD5, crypto.SHA1, crypto.SHA224, crypto.SHA256, crypto.SHA384, crypto.SHA512, crypto.SHA512_224,
		crypto.SHA512_256, crypto.SHA3_224, crypto.SHA3_256, crypto.SHA3_384, crypto.SHA3_512,
	} {
		d, e := [32]byte(testkit.Bytes(rng, 32)), [32]byte(testkit.Bytes(rng, 32))
		var g nonceGenerator
		g.init(hash, &d, &e)

		mac := func(key []byte, parts ...[]byte) []byte {
			h := hmac.New(hash.New, key)
			h.Write(bytes.Join(parts, nil))
			return h.Sum(nil)
		}
		k, v := make([]byte, hash.Size()), bytes.Repeat([]byte{1}, hash.Size())
		k = mac(k, v, []byte{0}, d[:], e[:])
		v = mac(k, v)
		k = mac(k, v, []byte{1}, d[:], e[:])
		v = mac(k, v)
		for i := range 5 {
			var want []byte
			for len(want) < 32 {
				v = mac(k, v)
				want = append(want, v...)
			}
			var got [32]byte
			if g.next(&got); !bytes.Equal(got[:], want[:32]) {
				t.Errorf("%v: nonce %d is %x, want %x", hash, i, got, want[:32])
			}
			g.update()
			k = mac(k, v, []byte{0})
			v = mac(k, v)
		}
	}
}

// TestHedgedNonce compares nonces with their definition and checks that each of key,
// random bytes and digest changes them: with a random source that is stuck, two
// digests still have two nonces.
func TestHedgedNonce(t *testing.T) {
	testkit.Tiers(t, impl.P256, func(t *testing.T, tier impl.Tier) {
		if tier == impl.Generic {
			t.Skip("crypto/ecdsa chooses the nonces")
		}
		rng := testkit.Rand(t)
		n := elliptic.P256().Params().N
		seen := map[[32]byte]bool{}
		for range 100 {
			a, b := [32]byte(testkit.Bytes(rng, 32)), [32]byte(testkit.Bytes(rng, 32))
			for _, d := range [][32]byte{{31: 1}, {31: 2}, a} {
				prefix := noncePrefix(&d)
				sum := sha512.Sum512(append([]byte(prefixLabel), d[:]...))
				if !bytes.Equal(prefix[:], sum[:32]) {
					t.Fatal("prefix differs from its definition")
				}
				k := signingKey{d: d, prefix: prefix}
				for _, z := range [][32]byte{{}, a} {
					for _, e := range [][32]byte{{}, b} {
						var got [32]byte
						if !k.hedgedNonce(&got, &z, &e) {
							t.Fatal("nonce is zero")
						}
						wide := sha512.Sum512(bytes.Join([][]byte{prefix[:], z[:], e[:]}, nil))
						want := new(big.Int).SetBytes(wide[:])
						if want.Mod(want, n).Cmp(new(big.Int).SetBytes(got[:])) != 0 {
							t.Errorf("nonce %x, want %x", got, want)
						}
						seen[got] = true
					}
				}
			}
		}
		// With the fixed keys, one nonce is the same in every round.
		if want := 2 + 100*(2*3+4); len(seen) != want {
			t.Errorf("%d different nonces, want %d", len(seen), want)
		}
	})
}
