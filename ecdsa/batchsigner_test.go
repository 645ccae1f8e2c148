package ecdsa_test

import (
	"bytes"
	"crypto"
	stdecdsa "crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/fastcrypto-go/fastcrypto/ecdsa"
	"github.com/fastcrypto-go/fastcrypto/internal/impl"
	"github.com/fastcrypto-go/fastcrypto/internal/testkit"
)

// TestBatchSigner lets many goroutines, some of them with bad arguments, share
// several BatchSigners of one key.
func TestBatchSigner(t *testing.T) {
	eachTier(t, func(t *testing.T) {
		key := newKey()
		signers := []*ecdsa.BatchSigner{must(ecdsa.NewBatchSigner(key)), must(ecdsa.NewBatchSigner(key))}
		var wg sync.WaitGroup
		for g := range 256 {
			wg.Go(func() {
				digest := digestOf(fmt.Sprint(g))
				signer := signers[g%2]
				switch g % 8 {
				case 3:
					if _, err := signer.Sign(nil, digest, crypto.SHA512); err == nil {
						t.Errorf("goroutine %d: no error for a digest that does not fit", g)
					}
				case 5:
					got := outcome(func() ([]byte, error) { return signer.Sign(nil, make([]byte, 20), crypto.RIPEMD160) })
					if !strings.HasPrefix(got, "panic: ") {
						t.Errorf("goroutine %d: no panic for a hash function that is not linked: %s", g, got)
					}
				case 7:
					if sig := must(signer.Sign(nil, digest, crypto.SHA256)); !bytes.Equal(sig, must(key.Sign(nil, digest, crypto.SHA256))) {
						t.Errorf("goroutine %d: deterministic signature is wrong", g)
					}
				default:
					for range 4 {
						if sig := must(signer.Sign(rand.Reader, digest, crypto.SHA256)); !stdecdsa.VerifyASN1(&key.PublicKey, digest, sig) {
							t.Errorf("goroutine %d: signature rejected", g)
						}
					}
				}
			})
		}
		wg.Wait()
		if !key.PublicKey.Equal(signers[0].Public()) {
			t.Error("wrong public key")
		}
	})
	p384 := must(stdecdsa.GenerateKey(elliptic.P384(), rand.Reader))
	sig := must(must(ecdsa.NewBatchSigner(p384)).Sign(rand.Reader, digestOf("P-384"), crypto.SHA256))
	if !stdecdsa.VerifyASN1(&p384.PublicKey, digestOf("P-384"), sig) {
		t.Error("P-384: signature rejected")
	}
}

// TestBatchSignerAbandoned lets callers give up before their signatures are made, as
// a server does whose clients hang up: the others do not notice.
func TestBatchSignerAbandoned(t *testing.T) {
	eachTier(t, func(t *testing.T) {
		key := newKey()
		signer := must(ecdsa.NewBatchSigner(key))
		sign := func(digest []byte) []byte { return must(signer.Sign(rand.Reader, digest, crypto.SHA256)) }
		var callers, abandoned sync.WaitGroup
		for g := range 64 {
			callers.Go(func() {
				digest := digestOf(fmt.Sprint(g))
				for i := range 4 {
					answer := make(chan []byte, 1)
					abandoned.Go(func() { answer <- sign(digest) })
					if (g+i)%2 == 0 {
						continue // gave up at once
					}
					select {
					case sig := <-answer:
						if !stdecdsa.VerifyASN1(&key.PublicKey, digest, sig) {
							t.Errorf("goroutine %d: signature rejected", g)
						}
					case <-time.After(50 * time.Microsecond):
					}
				}
				if !stdecdsa.VerifyASN1(&key.PublicKey, digest, sign(digest)) {
					t.Errorf("goroutine %d: signature rejected", g)
				}
			})
		}
		callers.Wait()
		abandoned.Wait()
	})
}

// TestBatchSignerFair keeps many goroutines signing for a while: none falls far
// behind, and none waits long.
func TestBatchSignerFair(t *testing.T) {
	if impl.P256Batch.Tier() == impl.Generic {
		t.Skip("a BatchSigner is a Signer here: the scheduler alone decides")
	}
	var unfair string
	for range 10 { // the machine may be busy, and stop a processor for long
		if unfair = crowd(); unfair == "" {
			return
		}
	}
	t.Error(unfair)
}

// crowd lets many callers sign, and tells what was unfair.
func crowd() string {
	const callers = 64
	signer := must(ecdsa.NewBatchSigner(newKey()))
	digest := digestOf("fair")
	until := time.Now().Add(100 * time.Millisecond)
	latencies := make([][]time.Duration, callers)
	var wg sync.WaitGroup
	for g := range latencies {
		wg.Go(func() {
			for began := time.Now(); began.Before(until); {
				must(signer.Sign(rand.Reader, digest, crypto.SHA256))
				now := time.Now()
				latencies[g] = append(latencies[g], now.Sub(began))
				began = now
			}
		})
	}
	wg.Wait()
	all := slices.Sorted(slices.Values(slices.Concat(latencies...)))
	if median, most := all[len(all)/2], all[len(all)-1]; most > 100*median+30*time.Millisecond {
		return fmt.Sprintf("a caller waited %v; the median is %v", most, median)
	}
	for g, l := range latencies {
		if len(l)*10 < len(all)/callers {
			return fmt.Sprintf("caller %d got %d of %d signatures", g, len(l), len(all))
		}
	}
	return ""
}

// TestBatchSignerAlone checks that a lone caller pays next to nothing.
func TestBatchSignerAlone(t *testing.T) {
	if testkit.Race {
		t.Skip("the race detector changes what things cost")
	}
	key := newKey()
	signers := []crypto.Signer{must(ecdsa.NewSigner(key)), must(ecdsa.NewBatchSigner(key))}
	digest := digestOf("alone")
	const n = 64
	var ratio float64
	for range 20 { // the machine may be busy
		best := [2]time.Duration{time.Hour, time.Hour}
		for range 10 {
			for i, s := range signers {
				began := time.Now()
				for range n {
					must(s.Sign(rand.Reader, digest, crypto.SHA256))
				}
				best[i] = min(best[i], time.Since(began))
			}
		}
		if ratio = float64(best[1]) / float64(best[0]); ratio < 1.25 {
			return
		}
	}
	t.Errorf("a lone caller of a BatchSigner takes %.2f times as long as one of a Signer", ratio)
}
