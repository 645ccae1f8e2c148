//go:build faultinjection && !purego

package ecdsa

import (
	"bytes"
	"crypto"
	stdecdsa "crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/fastcrypto-go/fastcrypto/internal/impl"
	"github.com/fastcrypto-go/fastcrypto/internal/p256"
	"github.com/fastcrypto-go/fastcrypto/internal/testkit"
)

// A fault changes the words of one lane, or of the only one.
type fault struct {
	name string
	at   p256.FaultPlace
	// onCurve is set where only verification finds it: k·G is another point of the curve.
	onCurve  bool
	infinity bool // k·G becomes infinity
	change   func(words []uint64)
}

const faultyLane = 1 // of eight, where there are lanes

// limbs returns the words of the faulty lane: word i of n words a lane is limb i.
func limbs(words []uint64) []*uint64 {
	var l []*uint64
	switch len(words) {
	case 4, 12: // one number or point
		for i := range words {
			l = append(l, &words[i])
		}
	case 32: // numbers, one after the other
		for i := range 4 {
			l = append(l, &words[4*faultyLane+i])
		}
	case 40, 120: // limbs of 52 bits in lanes
		for i := faultyLane; i < len(words); i += 8 {
			l = append(l, &words[i])
		}
	default:
		panic(fmt.Sprint(len(words), " words"))
	}
	return l
}

func faults() []fault {
	var all []fault
	places := map[p256.FaultPlace]string{
		p256.FaultPoint: "kG", p256.FaultX: "x", p256.FaultR: "r", p256.FaultInverse: "1/k",
		p256.FaultKey: "d", p256.FaultDigest: "e", p256.FaultS: "s",
	}
	for at, name := range places {
		for i := range 15 {
			all = append(all, fault{name: fmt.Sprintf("%s/bit flipped in limb %d", name, i), at: at, change: func(words []uint64) {
				l := limbs(words)
				*l[i%len(l)] ^= 1 << (i * 11 % 48)
			}})
		}
		all = append(all, fault{name: name + "/zero", at: at, infinity: at == p256.FaultPoint, change: func(words []uint64) {
			for _, l := range limbs(words) {
				*l = 0
			}
		}})
	}
	return append(all,
		fault{name: "kG/z zero", at: p256.FaultPoint, infinity: true, change: func(words []uint64) {
			l := limbs(words)
			for _, l := range l[len(l)/3*2:] {
				*l = 0
			}
		}},
		fault{name: "kG/x and y exchanged", at: p256.FaultPoint, change: func(words []uint64) {
			l := limbs(words)
			for i := range len(l) / 3 {
				*l[i], *l[len(l)/3+i] = *l[len(l)/3+i], *l[i]
			}
		}},
		fault{name: "kG/another point of the curve", at: p256.FaultPoint, onCurve: true, change: anotherPoint()})
}

// anotherPoint puts the k·G of the call before into the place of this one's. Its first
// call changes nothing.
func anotherPoint() func(words []uint64) {
	before := map[int][]uint64{}
	return func(words []uint64) {
		l := limbs(words)
		now := make([]uint64, len(l))
		for i := range l {
			now[i] = *l[i]
		}
		if b := before[len(l)]; b != nil {
			for i := range l {
				*l[i] = b[i]
			}
		}
		before[len(l)] = now
	}
}

// inject makes the fault happen once, at the next time that its place is passed.
// fired tells whether that was.
func inject(f fault) (fired func() bool) {
	var armed atomic.Bool
	armed.Store(true)
	p256.InjectFault = func(at p256.FaultPlace, words []uint64) {
		if at == f.at && armed.CompareAndSwap(true, false) {
			f.change(words)
		}
	}
	return func() bool { return !armed.Load() }
}

// TestFaults injects errors into the computation of signatures: none leaves, but, from
// an unchecked signer, one whose k·G is another point of the curve.
func TestFaults(t *testing.T) {
	defer func() { p256.InjectFault = nil }()
	key, err := stdecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	digest := bytes.Repeat([]byte{0x5a}, 32)
	testkit.Tiers(t, impl.P256, func(t *testing.T, tier impl.Tier) {
		if tier == impl.Generic {
			t.Skip("crypto/ecdsa signs")
		}
		p256.InjectFault = nil
		plain, err1 := NewSigner(key)
		checked, err2 := NewCheckedSigner(key)
		plainBatch, err3 := NewBatchSigner(key)
		checkedBatch, err4 := NewCheckedBatchSigner(key)
		if err := errors.Join(err1, err2, err3, err4); err != nil {
			t.Fatal(err)
		}
		signers := []struct {
			name    string
			checked bool
			sign    func() ([]byte, error)
		}{
			{"Signer", false, func() ([]byte, error) { return plain.Sign(rand.Reader, digest, crypto.SHA256) }},
			{"Signer, deterministic", false, func() ([]byte, error) { return plain.Sign(nil, digest, crypto.SHA256) }},
			{"Signer.SignMessage", false, func() ([]byte, error) { return plain.SignMessage(rand.Reader, digest, crypto.SHA256) }},
			{"SignASN1", false, func() ([]byte, error) { return SignASN1(rand.Reader, key, digest) }},
			{"Sign", false, func() ([]byte, error) {
				r, s, err := Sign(rand.Reader, key, digest)
				if err != nil {
					if r != nil || s != nil {
						return []byte{0}, err
					}
					return nil, err
				}
				return encodeSignature((*[32]byte)(r.FillBytes(make([]byte, 32))), (*[32]byte)(s.FillBytes(make([]byte, 32)))), nil
			}},
			{"BatchSigner", false, func() ([]byte, error) { return plainBatch.Sign(rand.Reader, digest, crypto.SHA256) }},
			{"checked Signer", true, func() ([]byte, error) { return checked.Sign(rand.Reader, digest, crypto.SHA256) }},
			{"checked Signer, deterministic", true, func() ([]byte, error) {
				// Another digest each time: the point of the call before is another one.
				rand.Read(digest)
				return checked.Sign(nil, digest, crypto.SHA256)
			}},
			{"checked Signer.SignMessage", true, func() ([]byte, error) { return checked.SignMessage(rand.Reader, digest, crypto.SHA256) }},
			{"checked BatchSigner", true, func() ([]byte, error) { return checkedBatch.Sign(rand.Reader, digest, crypto.SHA256) }},
		}
		for _, s := range signers {
			for _, f := range faults() {
				if f.onCurve && !s.checked {
					continue
				}
				if f.onCurve { // the first call only shows a point
					inject(f)
					if _, err := s.sign(); err != nil {
						t.Fatal(err)
					}
				}
				fired := inject(f)
				sig, err := s.sign()
				if !fired() {
					t.Fatalf("%s, %s: no fault was injected", s.name, f.name)
				}
				if sig != nil || !errors.Is(err, ErrFault) {
					t.Errorf("%s, %s: signature %x, error %v", s.name, f.name, sig, err)
				}
				p256.InjectFault = nil
				if sig, err := s.sign(); err != nil || s.name != "Signer.SignMessage" && s.name != "checked Signer.SignMessage" && !stdecdsa.VerifyASN1(&key.PublicKey, digest, sig) {
					t.Fatalf("%s: after %s, signature %x, error %v", s.name, f.name, sig, err)
				}
			}
		}
	})
}

// TestFaultsInBatches injects errors into one lane: its signature alone is missing.
func TestFaultsInBatches(t *testing.T) {
	defer func() { p256.InjectFault = nil }()
	if !inLanes() {
		t.Skip("no lanes here")
	}
	key, err := stdecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{4, 8, 30} {
		keys, digests := make([]*PrivateKey, n), make([][]byte, n)
		for i := range n {
			keys[i], digests[i] = key, bytes.Repeat([]byte{byte(i)}, 32)
		}
		for _, f := range faults() {
			if f.onCurve {
				continue
			}
			fired := inject(f)
			sigs, err := SignBatch(rand.Reader, keys, digests)
			if !fired() || !errors.Is(err, ErrFault) {
				t.Fatalf("%d elements, %s: error %v", n, f.name, err)
			}
			missing := 0
			for i, sig := range sigs {
				if sig == nil {
					missing++
				} else if !stdecdsa.VerifyASN1(&key.PublicKey, digests[i], sig) {
					t.Errorf("%d elements, %s: signature %d is wrong", n, f.name, i)
				}
			}
			// Where z is 0, the common inversion fails for all of a goroutine's.
			if missing != 1 && !f.infinity {
				t.Errorf("%d elements, %s: %d signatures are missing", n, f.name, missing)
			}
		}
	}
	p256.InjectFault = nil
	// Callers that are served together, with faults now and then.
	for _, constructor := range []func(*PrivateKey) (*BatchSigner, error){NewBatchSigner, NewCheckedBatchSigner} {
		signer, err := constructor(key)
		if err != nil {
			t.Fatal(err)
		}
		all := faults()
		var mu sync.Mutex
		var passed int
		p256.InjectFault = func(at p256.FaultPlace, words []uint64) {
			mu.Lock()
			defer mu.Unlock()
			passed++
			if f := all[passed%len(all)]; f.at == at && (!f.onCurve || signer.signer.verifier != nil) {
				f.change(words)
			}
		}
		var wg sync.WaitGroup
		var failed atomic.Int32
		for g := range 64 {
			wg.Go(func() {
				digest := bytes.Repeat([]byte{byte(g)}, 32)
				for range 20 {
					sig, err := signer.Sign(rand.Reader, digest, crypto.SHA256)
					switch {
					case err == nil:
						if !stdecdsa.VerifyASN1(&key.PublicKey, digest, sig) {
							t.Error("a wrong signature left")
						}
					case sig != nil || !errors.Is(err, ErrFault):
						t.Errorf("signature %x, error %v", sig, err)
					default:
						failed.Add(1)
					}
				}
			})
		}
		wg.Wait()
		p256.InjectFault = nil
		if failed.Load() == 0 {
			t.Error("no fault was found")
		}
	}
}
