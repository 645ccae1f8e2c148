package ecdh

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/fastcrypto-go/fastcrypto/internal/deadstack"
	"github.com/fastcrypto-go/fastcrypto/internal/impl"
	"github.com/fastcrypto-go/fastcrypto/internal/p256"
	"github.com/fastcrypto-go/fastcrypto/internal/parallel"
)

// Batch agrees keys[i] with remotes[i], for each i, as [PrivateKey.ECDH] does, and
// returns the shared secrets in the same order. Where the processor offers it, eight
// agreements on P-256 are made at once. Larger batches are spread over up to
// GOMAXPROCS goroutines.
//
// If the lengths differ, it returns nil and an error. If an element cannot be
// agreed, its secret is nil and all others are made all the same; the error then
// joins the errors of all such elements, in order, each with its index. A nil key
// is such an element.
func Batch(keys []*PrivateKey, remotes []*PublicKey) ([][]byte, error) {
	if len(keys) != len(remotes) {
		return nil, fmt.Errorf("ecdh: %d private keys and %d public keys", len(keys), len(remotes))
	}
	secrets := make([][]byte, len(keys))
	errs := make([]error, len(keys))
	one := func(i int) {
		if keys[i] == nil || remotes[i] == nil {
			errs[i] = errors.New("key is nil")
		} else {
			secrets[i], errs[i] = keys[i].ECDH(remotes[i])
		}
	}
	if p256.BatchTier() != impl.Generic {
		parallel.Do(len(keys), parallel.Grain(len(keys), p256.Lanes, p256.BatchSize), func(lo, hi int) {
			agreeInLanes(lo, hi, keys, remotes, secrets, one)
		})
	} else {
		parallel.Do(len(keys), p256.Lanes, func(lo, hi int) {
			for i := lo; i < hi; i++ {
				one(i)
			}
		})
	}
	for i, err := range errs {
		if err != nil {
			errs[i] = fmt.Errorf("ecdh: batch element %d: %w", i, err)
		}
	}
	return secrets, errors.Join(errs...)
}

// agreeInLanes agrees elements lo to hi, at most p256.BatchSize: those with keys on
// the P-256 kernels together, and the others by one.
func agreeInLanes(lo, hi int, keys []*PrivateKey, remotes []*PublicKey, secrets [][]byte, one func(i int)) {
	var jobs [p256.BatchSize]p256.ECDHJob
	var element [p256.BatchSize]int
	defer func() {
		deadstack.Clear()
		clear(jobs[:])
	}()
	n := 0
	for i := lo; i < hi; i++ {
		if k, r := keys[i], remotes[i]; k == nil || r == nil || k.p256 == nil || r.p256 == nil {
			one(i)
			continue
		}
		j := &jobs[n] // and not a struct literal, which leaves a copy on the stack
		j.Q = &remotes[i].p256.point
		j.K = keys[i].p256.d
		element[n] = i
		n++
	}
	p256.ECDHBatch(jobs[:n])
	for l, i := range element[:n] {
		secrets[i] = bytes.Clone(jobs[l].X[:])
	}
}
