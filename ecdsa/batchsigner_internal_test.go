package ecdsa

import (
	"crypto"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	stdecdsa "crypto/ecdsa"
)

// queued waits until n callers wait.
func (b *BatchSigner) queued(n int) {
	for {
		b.mu.Lock()
		waiting := len(b.waiting)
		b.mu.Unlock()
		if waiting >= n {
			return
		}
		runtime.Gosched()
	}
}

// TestLeaderPanics lets a leader panic after it has taken others' requests: the
// panic is its own, those others sign by themselves, and who waited behind them is
// led by another.
func TestLeaderPanics(t *testing.T) {
	if !inLanes() {
		t.Skip("callers are not signed together here")
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1)) // one leader
	key, err := stdecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	b, err := NewBatchSigner(key)
	if err != nil {
		t.Fatal(err)
	}
	digest := sha256.Sum256([]byte("leader"))
	var wg sync.WaitGroup
	var panicked, signed atomic.Int32
	call := func(n int) {
		for range n {
			wg.Go(func() {
				defer func() {
					if v := recover(); v == "leader" {
						panicked.Add(1)
					} else if v != nil {
						t.Errorf("panic: %v", v)
					}
				}()
				sig, err := b.Sign(rand.Reader, digest[:], crypto.SHA256)
				if err != nil || !stdecdsa.VerifyASN1(&key.PublicKey, digest[:], sig) {
					t.Errorf("signature rejected: %v", err)
				}
				signed.Add(1)
			})
		}
	}
	const taken, behind = 12, 5
	served := 0
	b.beforeServe = func() { // one leader at a time
		switch served++; served {
		case 1:
			call(taken)
			b.queued(taken)
		case 2:
			call(behind)
			b.queued(behind)
			panic("leader")
		}
	}
	call(1)
	wg.Wait()
	if panicked.Load() != 1 || signed.Load() != taken+behind {
		t.Errorf("%d callers panicked, %d signed", panicked.Load(), signed.Load())
	}
	if served != 3 {
		t.Errorf("%d leaders served, want 3", served)
	}
	if b.leaders != 0 || len(b.waiting) != 0 {
		t.Errorf("%d leaders and %d waiting are left", b.leaders, len(b.waiting))
	}
}

// TestRequestsAreWiped checks that a request keeps nothing secret in the pool.
func TestRequestsAreWiped(t *testing.T) {
	key, err := stdecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	b, err := NewBatchSigner(key)
	if err != nil {
		t.Fatal(err)
	}
	digest := sha256.Sum256(nil)
	for range 10 {
		if _, err := b.Sign(rand.Reader, digest[:], crypto.SHA256); err != nil {
			t.Fatal(err)
		}
		r := requests.Get().(*request)
		if r.job.D != [32]byte{} || r.job.K != [32]byte{} || len(r.wake) != 0 {
			t.Error("a request of the pool is not clean")
		}
		requests.Put(r)
	}
}
