//lint:file-ignore SA1019 a key is compared and copied as it is, valid or not

package provider

import (
	stdecdsa "crypto/ecdsa"
	"crypto/subtle"
	"math/big"
	"runtime"
	"sync"
	"weak"

	"github.com/fastcrypto-go/fastcrypto/ecdsa"
)

// signers holds the prepared keys of all configurations. An entry lives as long
// as the program's own key.
var signers signerCache

// A signerCache maps keys to signers without keeping the keys alive: it is indexed
// by weak pointers, no signer refers to the key that it was found under, and the
// entry goes when the key does. It is safe for concurrent use.
type signerCache struct {
	m sync.Map // weak.Pointer[stdecdsa.PrivateKey] to *signerEntry
}

type signerEntry struct {
	once   sync.Once
	key    stdecdsa.PrivateKey // the key as it was prepared, its own copy
	signer *ecdsa.Signer
	err    error
}

// get returns the signer of key. It is prepared once, also for concurrent calls,
// unless the program changes the key in place.
func (c *signerCache) get(key *stdecdsa.PrivateKey) (*ecdsa.Signer, error) {
	p := weak.Make(key)
	v, found := c.m.Load(p)
	if !found {
		if v, found = c.m.LoadOrStore(p, new(signerEntry)); !found {
			runtime.AddCleanup(key, c.evict, p)
		}
	}
	e := v.(*signerEntry)
	e.prepare(key)
	if !e.holds(key) {
		changed := e
		e = new(signerEntry)
		e.prepare(key)
		c.m.CompareAndSwap(p, changed, e)
	}
	return e.signer, e.err
}

func (c *signerCache) evict(p weak.Pointer[stdecdsa.PrivateKey]) { c.m.Delete(p) }

func (e *signerEntry) prepare(key *stdecdsa.PrivateKey) {
	e.once.Do(func() {
		e.key.Curve = key.Curve
		e.key.X, e.key.Y, e.key.D = copyInt(key.X), copyInt(key.Y), copyInt(key.D)
		e.signer, e.err = ecdsa.NewSigner(&e.key)
	})
}

// holds reports whether key still is what was prepared, in time that does not
// depend on the value of D.
func (e *signerEntry) holds(key *stdecdsa.PrivateKey) bool {
	return e.key.Curve == key.Curve && equalInts(e.key.X, key.X) && equalInts(e.key.Y, key.Y) && equalInts(e.key.D, key.D)
}

func copyInt(x *big.Int) *big.Int {
	if x == nil {
		return nil
	}
	return new(big.Int).Set(x)
}

func equalInts(x, y *big.Int) bool {
	if x == nil || y == nil {
		return x == y
	}
	return x.Sign() == y.Sign() && subtle.ConstantTimeCompare(x.Bytes(), y.Bytes()) == 1
}
