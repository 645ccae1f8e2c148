package ecdsa_test

import (
	"bytes"
	"crypto"
	stdecdsa "crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"math/big"
	"testing"

	"github.com/fastcrypto-go/fastcrypto/ecdsa"
	"github.com/fastcrypto-go/fastcrypto/internal/impl"
	"github.com/fastcrypto-go/fastcrypto/internal/testkit"
)

// TestRFC6979Vectors runs the vectors of RFC 6979, appendix A.2.5.
func TestRFC6979Vectors(t *testing.T) {
	d := fromHex("C9AFA9D845BA75166B5C215767B1D6934E50C3DB36E89B127B8A622B120F6721")
	key := must(stdecdsa.ParseRawPrivateKey(elliptic.P256(), d.Bytes()))
	testkit.Tiers(t, impl.P256, func(t *testing.T, tier impl.Tier) {
		signer := must(ecdsa.NewSigner(key))
		for _, c := range []struct {
			message string
			hash    crypto.Hash
			r, s    string
		}{
			{"sample", crypto.SHA1, "61340C88C3AAEBEB4F6D667F672CA9759A6CCAA9FA8811313039EE4A35471D32", "6D7F147DAC089441BB2E2FE8F7A3FA264B9C475098FDCF6E00D7C996E1B8B7EB"},
			{"sample", crypto.SHA224, "53B2FFF5D1752B2C689DF257C04C40A587FABABB3F6FC2702F1343AF7CA9AA3F", "B9AFB64FDC03DC1A131C7D2386D11E349F070AA432A4ACC918BEA988BF75C74C"},
			{"sample", crypto.SHA256, "EFD48B2AACB6A8FD1140DD9CD45E81D69D2C877B56AAF991C34D0EA84EAF3716", "F7CB1C942D657C41D436C7A1B6E29F65F3E900DBB9AFF4064DC4AB2F843ACDA8"},
			{"sample", crypto.SHA384, "0EAFEA039B20E9B42309FB1D89E213057CBF973DC0CFC8F129EDDDC800EF7719", "4861F0491E6998B9455193E34E7B0D284DDD7149A74B95B9261F13ABDE940954"},
			{"sample", crypto.SHA512, "8496A60B5E9B47C825488827E0495B0E3FA109EC4568FD3F8D1097678EB97F00", "2362AB1ADBE2B8ADF9CB9EDAB740EA6049C028114F2460F96554F61FAE3302FE"},
			{"test", crypto.SHA256, "F1ABB023518351CD71D881567B1EA663ED3EFCF6C5132B354F28D3B0B7D38367", "019F4113742A2B14BD25926B49C649155F267E60D3814B4C0CC84250E46F0083"},
		} {
			sig := must(signer.SignMessage(nil, []byte(c.message), c.hash))
			h := c.hash.New()
			h.Write([]byte(c.message))
			if !bytes.Equal(sig, must(signer.Sign(nil, h.Sum(nil), c.hash))) {
				t.Errorf("%v: SignMessage and Sign differ", c.hash)
			}
			if want := must(key.Sign(nil, h.Sum(nil), c.hash)); !bytes.Equal(sig, want) {
				t.Errorf("%v: %x, want %x", c.hash, sig, want)
			}
			if !stdecdsa.Verify(&key.PublicKey, h.Sum(nil), fromHex(c.r), fromHex(c.s)) {
				t.Errorf("%v: the vector is wrong", c.hash)
			}
			if !bytes.Contains(sig, fromHex(c.r).Bytes()) || !bytes.Contains(sig, fromHex(c.s).Bytes()) {
				t.Errorf("%q, %v: %x, want r = %s, s = %s", c.message, c.hash, sig, c.r, c.s)
			}
		}
	})
}

// TestDeterministicAgainstStd compares signatures with a nil source byte for byte.
func TestDeterministicAgainstStd(t *testing.T) {
	testkit.Tiers(t, impl.P256, func(t *testing.T, tier impl.Tier) {
		rng := testkit.Rand(t)
		n := new(big.Int).Set(elliptic.P256().Params().N)
		key, signer := newKey(), (*ecdsa.Signer)(nil)
		for i := range count(200, 2000, 100000) {
			if i%16 == 0 {
				key = newKey()
				switch i / 16 % 8 {
				case 0: // scalars with leading zeros and at the ends of the range
					key = must(stdecdsa.ParseRawPrivateKey(key.Curve, big.NewInt(int64(i+1)).FillBytes(make([]byte, 32))))
				case 1:
					key = must(stdecdsa.ParseRawPrivateKey(key.Curve, new(big.Int).Sub(n, big.NewInt(int64(i+1))).Bytes()))
				}
				signer = must(ecdsa.NewSigner(key))
			}
			hash := crypto.SHA256
			if i%2 == 1 {
				hash = hashes[i/2%len(hashes)]
			}
			digest := testkit.Bytes(rng, hash.Size())
			switch i % 100 {
			case 0:
				clear(digest)
			case 10:
				copy(digest, bytes.Repeat([]byte{0xff}, len(digest)))
			case 20: // equal to the order
				copy(digest, n.Bytes())
			}
			got, want := must(signer.Sign(nil, digest, hash)), must(key.Sign(nil, digest, hash))
			if !bytes.Equal(got, want) {
				t.Fatalf("%v, d = %x, digest %x: signature %x, want %x", hash, key.D, digest, got, want)
			}
		}
	})
}

// TestSignerOptions compares errors and panics for options that do not fit with
// those of crypto/ecdsa.
func TestSignerOptions(t *testing.T) {
	testkit.Tiers(t, impl.P256, func(t *testing.T, tier impl.Tier) {
		for _, curve := range curves {
			key := must(stdecdsa.GenerateKey(curve, rand.Reader))
			signer := must(ecdsa.NewSigner(key))
			batch := must(ecdsa.NewBatchSigner(key))
			for name, opts := range map[string]crypto.SignerOpts{
				"nil": nil, "zero": crypto.Hash(0), "SHA-256": crypto.SHA256, "SHA-512": crypto.SHA512,
				"not linked": crypto.RIPEMD160, "not linked, long": crypto.BLAKE2b_512, "unknown": crypto.Hash(1000),
			} {
				for _, n := range []int{0, 1, 20, 31, 32, 33, 64} {
					for _, deterministic := range []bool{false, true} {
						r := rand.Reader
						if deterministic {
							r = nil
						}
						do := func(s crypto.Signer) string {
							return outcome(func() ([]byte, error) {
								sig, err := s.Sign(r, make([]byte, n), opts)
								if !deterministic && err == nil {
									sig = nil // random
								}
								return sig, err
							})
						}
						want := do(key)
						for _, s := range []crypto.Signer{signer, batch} {
							if got := do(s); got != want {
								t.Errorf("%s, opts %s, %d bytes, deterministic %v: %s, want %s", curve.Params().Name, name, n, deterministic, got, want)
							}
						}
					}
				}
			}
		}
	})
}

// TestSignMessage compares crypto.SignMessage with our Signer and with the key.
func TestSignMessage(t *testing.T) {
	testkit.Tiers(t, impl.P256, func(t *testing.T, tier impl.Tier) {
		key := newKey()
		message := []byte("a message that is longer than any digest, so that it has to be hashed before it is signed")
		for _, signer := range []crypto.MessageSigner{must(ecdsa.NewSigner(key)), must(ecdsa.NewBatchSigner(key))} {
			for _, opts := range append(hashes, 0, crypto.RIPEMD160) {
				want := outcome(func() ([]byte, error) { return crypto.SignMessage(key, nil, message, opts) })
				if got := outcome(func() ([]byte, error) { return signer.SignMessage(nil, message, opts) }); got != want {
					t.Errorf("opts %d: %s, want %s", opts, got, want)
				}
				if opts != 0 && opts.Available() {
					h := opts.New()
					h.Write(message)
					sig := must(signer.SignMessage(rand.Reader, message, opts))
					if !stdecdsa.VerifyASN1(&key.PublicKey, h.Sum(nil), sig) {
						t.Errorf("%v: signature rejected", opts)
					}
				}
			}
			sig := must(signer.SignMessage(rand.Reader, message, crypto.Hash(0)))
			if !stdecdsa.VerifyASN1(&key.PublicKey, message, sig) {
				t.Error("message not hashed: signature rejected")
			}
			if _, err := signer.SignMessage(rand.Reader, message, nil); err == nil {
				t.Error("nil opts: no error")
			}
		}
	})
}

// TestHedgedNonces recovers the nonces of signatures of one digest by one key and
// looks for repetition and bias.
func TestHedgedNonces(t *testing.T) {
	testkit.Tiers(t, impl.P256, func(t *testing.T, tier impl.Tier) {
		if tier == impl.Generic {
			t.Skip("crypto/ecdsa chooses the nonces")
		}
		rounds := count(2000, 10000, 1000000)
		n := elliptic.P256().Params().N
		key := newKey()
		signer := must(ecdsa.NewSigner(key))
		digest := digestOf("nonces")
		e := new(big.Int).SetBytes(digest)
		seen := make(map[[32]byte]bool, rounds)
		var ones [256]int
		var k, sum, r, s big.Int
		for range rounds {
			sig := must(signer.Sign(rand.Reader, digest, crypto.SHA256))
			split(sig, &r, &s)
			var rb [32]byte
			if r.FillBytes(rb[:]); seen[rb] {
				t.Fatal("r repeats")
			}
			seen[rb] = true
			// k = (e + r·d)/s
			sum.Mul(&r, key.D)
			sum.Add(&sum, e)
			k.ModInverse(&s, n)
			k.Mul(&k, &sum).Mod(&k, n)
			for i := range ones {
				ones[i] += int(k.Bit(i))
			}
		}
		// Each bit but those where the order shows (its top 32 are ones, then 32
		// zeros: a bias of 2^−32) is one in half of the cases, within six standard
		// deviations √rounds/2: a good source fails once in 10^6 runs.
		for i, c := range ones {
			if d := 2*c - rounds; d*d > 36*rounds {
				t.Errorf("bit %d is one in %d of %d nonces", i, c, rounds)
			}
		}
	})
}

// split takes a signature apart.
func split(sig []byte, r, s *big.Int) {
	n := int(sig[3])
	r.SetBytes(sig[4 : 4+n])
	s.SetBytes(sig[4+n+2:])
}
