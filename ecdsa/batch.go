package ecdsa

import (
	"errors"
	"fmt"
	"io"

	"github.com/fastcrypto-go/fastcrypto/internal/deadstack"
	"github.com/fastcrypto-go/fastcrypto/internal/impl"
	"github.com/fastcrypto-go/fastcrypto/internal/p256"
	"github.com/fastcrypto-go/fastcrypto/internal/parallel"
	"github.com/fastcrypto-go/fastcrypto/internal/random"
)

// inLanes reports whether kernels do several P-256 operations at once here.
func inLanes() bool { return p256.BatchTier() != impl.Generic }

// SignBatch signs hashes[i] with priv[i], for each i, as [SignASN1] does, and
// returns the signatures in the same order. Where the processor offers it, eight
// P-256 signatures are made at once. Larger batches are spread over up to
// GOMAXPROCS goroutines.
//
// If the lengths differ, it returns nil and an error. If an element cannot be
// signed, its signature is nil and all others are made all the same; the error then
// joins the errors of all such elements, in order, each with its index. A nil key,
// or a key with a nil part, is such an element.
func SignBatch(rand io.Reader, priv []*PrivateKey, hashes [][]byte) ([][]byte, error) {
	if len(priv) != len(hashes) {
		return nil, fmt.Errorf("ecdsa: %d keys and %d hashes", len(priv), len(hashes))
	}
	sigs := make([][]byte, len(priv))
	errs := make([]error, len(priv))
	one := func(i int) {
		if err := checkPrivateKeyParts(priv[i]); err != nil {
			errs[i] = err
		} else {
			sigs[i], errs[i] = SignASN1(rand, priv[i], hashes[i])
		}
	}
	switch {
	case !random.Ignores(rand): // rand need not be safe for concurrent use
		for i := range priv {
			one(i)
		}
	case inLanes():
		parallel.Do(len(priv), parallel.Grain(len(priv), p256.Lanes, p256.BatchSize), func(lo, hi int) {
			signInLanes(lo, hi, priv, hashes, sigs, errs, one)
		})
	default:
		parallel.Do(len(priv), p256.Lanes, func(lo, hi int) {
			for i := lo; i < hi; i++ {
				one(i)
			}
		})
	}
	for i, err := range errs {
		if err != nil {
			errs[i] = fmt.Errorf("ecdsa: batch element %d: %w", i, err)
		}
	}
	return sigs, errors.Join(errs...)
}

// signInLanes signs elements lo to hi, at most p256.BatchSize: those with a valid
// P-256 key together, and the others by one, which knows the error.
func signInLanes(lo, hi int, priv []*PrivateKey, hashes, sigs [][]byte, errs []error, one func(i int)) {
	var jobs [p256.BatchSize]p256.SignJob
	var element [p256.BatchSize]int
	var z [32 * p256.BatchSize]byte
	defer func() { clear(jobs[:]) }()
	random.Fill(z[:32*(hi-lo)])
	n := 0
	var k signingKey
	var loaded *PrivateKey // the key in k: often all are the same
	for i := lo; i < hi; i++ {
		if checkPrivateKeyParts(priv[i]) != nil || !onKernels(priv[i].Curve) {
			one(i)
			continue
		}
		if priv[i] != loaded {
			if loaded = nil; !k.load(priv[i]) {
				one(i)
				continue
			}
			loaded = priv[i]
		}
		j := &jobs[n]
		hashToInt(&j.E, hashes[i])
		if !k.hedgedNonce(&j.K, (*[32]byte)(z[32*(i-lo):]), &j.E) { // probability 2^−256
			one(i)
			continue
		}
		j.D = k.d
		element[n] = i
		n++
	}
	p256.SignBatch(jobs[:n])
	for l, i := range element[:n] {
		if j := &jobs[l]; j.OK {
			sigs[i] = encodeSignature(&j.R, &j.S)
		} else {
			errs[i] = ErrFault
		}
	}
	k, z = signingKey{}, [len(z)]byte{}
	deadstack.Clear()
}

// VerifyBatch verifies sigs[i] of hashes[i] under pub[i], for each i, as
// [VerifyASN1] does, and returns the verdicts in the same order. Each signature is
// checked on its own: the verdicts are exact, and no element affects another. A nil
// key, or a key with a nil part, makes its verdict false. Where the processor offers
// it, eight P-256 signatures are verified at once. Larger batches are spread over up
// to GOMAXPROCS goroutines.
//
// VerifyBatch panics if the lengths differ.
func VerifyBatch(pub []*PublicKey, hashes, sigs [][]byte) []bool {
	if len(pub) != len(hashes) || len(pub) != len(sigs) {
		panic(fmt.Sprintf("ecdsa: VerifyBatch called with %d keys, %d hashes and %d signatures", len(pub), len(hashes), len(sigs)))
	}
	good := make([]bool, len(pub))
	if inLanes() {
		parallel.Do(len(pub), parallel.Grain(len(pub), p256.Lanes, p256.BatchSize), func(lo, hi int) {
			verifyInLanes(pub[lo:hi], hashes[lo:hi], sigs[lo:hi], good[lo:hi])
		})
	} else {
		parallel.Do(len(pub), p256.Lanes, func(lo, hi int) {
			for i := lo; i < hi; i++ {
				good[i] = verifyOne(pub[i], hashes[i], sigs[i])
			}
		})
	}
	return good
}

func verifyOne(pub *PublicKey, hash, sig []byte) bool {
	return checkPublicKeyParts(pub) == nil && VerifyASN1(pub, hash, sig)
}

// verifyInLanes verifies at most p256.BatchSize elements: those on P-256 together.
func verifyInLanes(pub []*PublicKey, hashes, sigs [][]byte, good []bool) {
	var jobs [p256.BatchSize]p256.VerifyJob
	var keys [p256.BatchSize]p256.PublicKey
	var element [p256.BatchSize]int
	n := 0
	for i := range pub {
		if checkPublicKeyParts(pub[i]) != nil || !onKernels(pub[i].Curve) {
			good[i] = verifyOne(pub[i], hashes[i], sigs[i])
			continue
		}
		j := &jobs[n]
		if !parseSignature(&j.R, &j.S, sigs[i]) || !loadPublicKey(&keys[n], pub[i]) {
			continue // good[i] is false
		}
		hashToInt(&j.E, hashes[i])
		j.Q = &keys[n]
		element[n] = i
		n++
	}
	p256.VerifyBatchVarTime(jobs[:n])
	for l, i := range element[:n] {
		good[i] = jobs[l].OK
	}
}
