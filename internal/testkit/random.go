package testkit

import (
	"encoding/binary"
	"hash/fnv"
	"math/rand/v2"
	"testing"
)

// Rand returns a random source that depends only on the test's name, so that a
// failure repeats.
func Rand(tb testing.TB) *rand.ChaCha8 {
	var seed [32]byte
	h := fnv.New64a()
	h.Write([]byte(tb.Name()))
	binary.LittleEndian.PutUint64(seed[:], h.Sum64())
	return rand.NewChaCha8(seed)
}

// Bytes returns n bytes read from r.
func Bytes(r *rand.ChaCha8, n int) []byte {
	b := make([]byte, n)
	r.Read(b)
	return b
}
