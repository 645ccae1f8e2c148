package ecdh

import (
	"errors"
	"fmt"

	"github.com/fastcrypto-go/fastcrypto/internal/parallel"
)

// grain is how many elements of a batch one processor takes at a time.
const grain = 8

// Batch agrees keys[i] with remotes[i], for each i, as [PrivateKey.ECDH] does, and
// returns the shared secrets in the same order. Batches of more than eight elements
// are spread over up to GOMAXPROCS goroutines.
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
	parallel.Do(len(keys), grain, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			if keys[i] == nil || remotes[i] == nil {
				errs[i] = errors.New("key is nil")
			} else {
				secrets[i], errs[i] = keys[i].ECDH(remotes[i])
			}
			if errs[i] != nil {
				errs[i] = fmt.Errorf("ecdh: batch element %d: %w", i, errs[i])
			}
		}
	})
	return secrets, errors.Join(errs...)
}
