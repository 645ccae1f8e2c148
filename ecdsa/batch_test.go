package ecdsa_test

import (
	"bytes"
	stdecdsa "crypto/ecdsa"
	"crypto/rand"
	"fmt"
	mathrand "math/rand/v2"
	"strings"
	"testing"

	"github.com/fastcrypto-go/fastcrypto/ecdsa"
	"github.com/fastcrypto-go/fastcrypto/internal/impl"
	"github.com/fastcrypto-go/fastcrypto/internal/testkit"
)

// eachTier runs f with every pair of tiers for one operation and for batches.
func eachTier(t *testing.T, f func(t *testing.T)) {
	testkit.Tiers(t, impl.P256, func(t *testing.T, _ impl.Tier) {
		testkit.Tiers(t, impl.P256Batch, func(t *testing.T, _ impl.Tier) { f(t) })
	})
}

// batchKeys returns keys of every curve and bad ones of every kind.
func batchKeys() (keys []*ecdsa.PrivateKey) {
	for _, curve := range curves {
		keys = append(keys, must(stdecdsa.GenerateKey(curve, rand.Reader)))
	}
	for _, key := range badKeys() {
		keys = append(keys, key)
	}
	return keys
}

// signOne is what SignBatch promises for one element.
func signOne(key *ecdsa.PrivateKey, digest []byte) (err error) {
	defer func() {
		if recover() != nil {
			err = fmt.Errorf("ecdsa: private key or a part of it is nil")
		}
	}()
	_, err = stdecdsa.SignASN1(rand.Reader, key, digest)
	return err
}

// TestSignBatch signs batches of every kind of good and bad elements in random
// order and compares each element with crypto/ecdsa's single function.
func TestSignBatch(t *testing.T) {
	eachTier(t, func(t *testing.T) {
		source := testkit.Rand(t)
		rng := mathrand.New(source)
		kinds := batchKeys()
		lengths := []int{0, 1, 7, 8, 9, 63, 64, 65}
		if !testing.Short() {
			lengths = append(lengths, 1000)
		}
		for _, n := range lengths {
			for range 1 + 99/(n+1) {
				keys, digests := make([]*ecdsa.PrivateKey, n), make([][]byte, n)
				bad := make([]bool, n)
				var wrong []string
				for i := range keys {
					k := rng.IntN(len(kinds))
					if rng.IntN(4) != 0 {
						k = 1 // P-256
					}
					keys[i], digests[i] = kinds[k], testkit.Bytes(source, rng.IntN(70))
					if err := signOne(keys[i], digests[i]); err != nil {
						bad[i], wrong = true, append(wrong, fmt.Sprintf("ecdsa: batch element %d: %v", i, err))
					}
				}
				sigs, err := ecdsa.SignBatch(rand.Reader, keys, digests)
				if len(sigs) != n {
					t.Fatalf("%d signatures for %d elements", len(sigs), n)
				}
				want, got := strings.Join(wrong, "\n"), ""
				if err != nil {
					got = err.Error()
				}
				if got != want {
					t.Fatalf("n = %d: error %q, want %q", n, got, want)
				}
				for i, sig := range sigs {
					if bad[i] != (sig == nil) || !bad[i] && !stdecdsa.VerifyASN1(&keys[i].PublicKey, digests[i], sig) {
						t.Errorf("n = %d, element %d: signature %x", n, i, sig)
					}
				}
			}
		}
	})
}

// TestVerifyBatch mixes right and wrong signatures and keys of every kind.
func TestVerifyBatch(t *testing.T) {
	eachTier(t, func(t *testing.T) {
		rng := mathrand.New(testkit.Rand(t))
		kinds := batchKeys()
		good := newKey()
		lengths := []int{0, 1, 7, 8, 9, 63, 64, 65}
		if !testing.Short() {
			lengths = append(lengths, 1000)
		}
		for _, n := range lengths {
			for range 1 + 99/(n+1) {
				pubs, digests, sigs, want := make([]*ecdsa.PublicKey, n), make([][]byte, n), make([][]byte, n), make([]bool, n)
				for i := range pubs {
					key := good
					digests[i] = digestOf(fmt.Sprint(rng.Uint64()))[:rng.IntN(33)]
					if rng.IntN(4) == 0 {
						key = kinds[rng.IntN(len(kinds))]
					}
					if signOne(key, digests[i]) == nil {
						sigs[i] = must(stdecdsa.SignASN1(rand.Reader, key, digests[i]))
					} else {
						sigs[i] = must(stdecdsa.SignASN1(rand.Reader, good, digests[i]))
					}
					if key != nil {
						pubs[i] = &key.PublicKey
					}
					switch rng.IntN(8) {
					case 0:
						sigs[i] = sigs[i][:rng.IntN(len(sigs[i]))]
					case 1:
						sigs[i][rng.IntN(len(sigs[i]))] ^= 1
					case 2:
						digests[i] = append([]byte{1}, digests[i]...)
					case 3:
						sigs[i] = nil
					}
					want[i] = verdict(func() bool { return stdecdsa.VerifyASN1(pubs[i], digests[i], sigs[i]) }) == "result: true"
				}
				got := ecdsa.VerifyBatch(pubs, digests, sigs)
				if len(got) != n {
					t.Fatalf("%d verdicts for %d elements", len(got), n)
				}
				for i := range got {
					if got[i] != want[i] {
						t.Errorf("n = %d, element %d: %v, want %v: key %v, digest %x, signature %x", n, i, got[i], want[i], pubs[i], digests[i], sigs[i])
					}
				}
			}
		}
	})
}

// TestGoodAndBadLanes puts good and bad signatures into eight places in every way.
func TestGoodAndBadLanes(t *testing.T) {
	eachTier(t, func(t *testing.T) {
		const lanes = 8
		var pubs []*ecdsa.PublicKey
		var digests, right, wrong [][]byte
		for i := range lanes {
			key := newKey()
			digest := digestOf(fmt.Sprint(i))
			sig := must(stdecdsa.SignASN1(rand.Reader, key, digest))
			pubs, digests, right = append(pubs, &key.PublicKey), append(digests, digest), append(right, sig)
			bad := bytes.Clone(sig)
			bad[len(bad)-1] ^= 1
			wrong = append(wrong, bad)
		}
		step := 1
		if testing.Short() {
			step = 17
		}
		for mask := 0; mask < 1<<lanes; mask += step {
			sigs := make([][]byte, lanes)
			for i := range sigs {
				if sigs[i] = wrong[i]; mask>>i&1 == 1 {
					sigs[i] = right[i]
				}
			}
			for i, good := range ecdsa.VerifyBatch(pubs, digests, sigs) {
				if good != (mask>>i&1 == 1) {
					t.Errorf("mask %08b, lane %d: %v", mask, i, good)
				}
			}
		}
	})
}

func TestBatchLengths(t *testing.T) {
	key := newKey()
	keys, pubs, digests := []*ecdsa.PrivateKey{key}, []*ecdsa.PublicKey{&key.PublicKey}, [][]byte{digestOf("lengths")}
	for _, c := range []struct {
		keys    []*ecdsa.PrivateKey
		digests [][]byte
	}{{keys, nil}, {nil, digests}, {append(keys, key), digests}} {
		if sigs, err := ecdsa.SignBatch(rand.Reader, c.keys, c.digests); err == nil || sigs != nil {
			t.Errorf("%d keys, %d digests: %v, %v", len(c.keys), len(c.digests), sigs, err)
		}
	}
	for _, c := range []struct {
		pubs          []*ecdsa.PublicKey
		digests, sigs [][]byte
	}{{pubs, nil, nil}, {pubs, digests, nil}, {pubs, nil, digests}, {nil, digests, digests}, {nil, nil, digests}} {
		got := outcome(func() ([]bool, error) { return ecdsa.VerifyBatch(c.pubs, c.digests, c.sigs), nil })
		if !strings.HasPrefix(got, "panic: ecdsa: VerifyBatch called with") {
			t.Errorf("%d keys, %d digests, %d signatures: %s", len(c.pubs), len(c.digests), len(c.sigs), got)
		}
	}
	if sigs, err := ecdsa.SignBatch(nil, nil, nil); len(sigs) != 0 || err != nil {
		t.Errorf("nothing to sign: %v, %v", sigs, err)
	}
}
