//go:build !purego

package poly1305

import (
	"encoding/binary"
	"unsafe"

	"github.com/fastcrypto-go/fastcrypto/internal/impl"
	kernels "github.com/fastcrypto-go/fastcrypto/kernels_amd64"
)

// state is the accumulator h in three 64-bit limbs, r clamped in two, and s in
// two, as all kernels take it. The vector kernels compute the powers of r anew
// for each run of blocks, which costs as much as about a dozen blocks, so a
// state stays small and short messages never pay.
type state [7]uint64

// The runs of whole blocks, in bytes, from which the vector kernels are faster
// than the one on general registers, as measured on AMD Zen 5.
const (
	minIFMA512 = 256
	minAVX2    = 320
)

func initialize(tier impl.Tier, st *state, key *[32]byte) {
	*st = state{
		3: binary.LittleEndian.Uint64(key[0:]) & 0x0ffffffc0fffffff,
		4: binary.LittleEndian.Uint64(key[8:]) & 0x0ffffffc0ffffffc,
		5: binary.LittleEndian.Uint64(key[16:]),
		6: binary.LittleEndian.Uint64(key[24:]),
	}
}

func update(tier impl.Tier, st *state, p []byte) {
	if !vector(tier, st, p) {
		kernels.Poly1305BlocksADX((*[7]uint64)(st), unsafe.SliceData(p), len(p)/16)
	}
}

// vector absorbs the whole blocks of p if a vector kernel pays for it.
func vector(tier impl.Tier, st *state, p []byte) bool {
	switch {
	case tier == impl.IFMA512 && len(p) >= minIFMA512:
		kernels.Poly1305BlocksIFMA512((*[7]uint64)(st), unsafe.SliceData(p), len(p)/16)
	case tier == impl.AVX2 && len(p) >= minAVX2:
		// The kernel takes 4 blocks and a multiple of 8.
		blocks := len(p) / 16
		if lead := (blocks - 4) % 8; lead > 0 {
			kernels.Poly1305BlocksADX((*[7]uint64)(st), unsafe.SliceData(p), lead)
			p, blocks = p[16*lead:], blocks-lead
		}
		kernels.Poly1305BlocksAVX2((*[7]uint64)(st), unsafe.SliceData(p), blocks)
	default:
		return false
	}
	return true
}

func finish(tier impl.Tier, st *state, out *[16]byte, tail []byte) {
	kernels.Poly1305TagADX(out, (*[7]uint64)(st), unsafe.SliceData(tail), len(tail))
}

func sum(tier impl.Tier, out *[16]byte, m []byte, key *[32]byte) {
	var st state
	initialize(tier, &st, key)
	if vector(tier, &st, m) {
		m = m[len(m)&^15:]
	}
	finish(tier, &st, out, m)
}
