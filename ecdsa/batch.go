package ecdsa

import (
	"errors"
	"fmt"
	"io"

	"github.com/fastcrypto-go/fastcrypto/internal/parallel"
	"github.com/fastcrypto-go/fastcrypto/internal/random"
)

// grain is how many elements of a batch one processor takes at a time: eight
// signatures outweigh a goroutine's start many times.
const grain = 8

// SignBatch signs hashes[i] with priv[i], for each i, as [SignASN1] does, and
// returns the signatures in the same order. Batches of more than eight elements are
// spread over up to GOMAXPROCS goroutines.
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
	sign := func(lo, hi int) {
		for i := lo; i < hi; i++ {
			if err := checkPrivateKeyParts(priv[i]); err != nil {
				errs[i] = err
			} else {
				sigs[i], errs[i] = SignASN1(rand, priv[i], hashes[i])
			}
			if errs[i] != nil {
				errs[i] = fmt.Errorf("ecdsa: batch element %d: %w", i, errs[i])
			}
		}
	}
	if random.Ignores(rand) {
		parallel.Do(len(priv), grain, sign)
	} else {
		sign(0, len(priv)) // rand need not be safe for concurrent use
	}
	return sigs, errors.Join(errs...)
}

// VerifyBatch verifies sigs[i] of hashes[i] under pub[i], for each i, as
// [VerifyASN1] does, and returns the verdicts in the same order. Each signature is
// checked on its own: the verdicts are exact, and no element affects another. A nil
// key, or a key with a nil part, makes its verdict false. Batches of more than
// eight elements are spread over up to GOMAXPROCS goroutines.
//
// VerifyBatch panics if the lengths differ.
func VerifyBatch(pub []*PublicKey, hashes, sigs [][]byte) []bool {
	if len(pub) != len(hashes) || len(pub) != len(sigs) {
		panic(fmt.Sprintf("ecdsa: VerifyBatch called with %d keys, %d hashes and %d signatures", len(pub), len(hashes), len(sigs)))
	}
	good := make([]bool, len(pub))
	parallel.Do(len(pub), grain, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			good[i] = checkPublicKeyParts(pub[i]) == nil && VerifyASN1(pub[i], hashes[i], sigs[i])
		}
	})
	return good
}
