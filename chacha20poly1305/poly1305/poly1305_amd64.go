//go:build !purego

package poly1305

import (
	"encoding/binary"
	"unsafe"

	"github.com/fastcrypto-go/fastcrypto/internal/impl"
	kernels "github.com/fastcrypto-go/fastcrypto/kernels_amd64"
)

// state holds what the kernels take, and for a message in pieces powers of r: to
// compute them anew costs as much as about a dozen blocks. Copies share them; once
// written they do not change.
type state struct {
	kernelState
	long   uint8 // pieces that a vector kernel absorbed, at most 2
	powers *[24]uint64
}

// kernelState is the accumulator h in three 64-bit limbs, r clamped in two, and s in
// two, as all kernels take it.
type kernelState = [7]uint64

// The runs of whole blocks, in bytes, from which the vector kernels are faster
// than the one on general registers, as measured on AMD Zen 5; in the end with powers
// at hand.
const (
	minIFMA512 = 256
	minAVX2    = 320
	minPowers  = 160
)

func initialize(tier impl.Tier, st *state, key *[32]byte) { setKey(&st.kernelState, key) }

func setKey(st *kernelState, key *[32]byte) {
	st[3] = binary.LittleEndian.Uint64(key[0:]) & 0x0ffffffc0fffffff
	st[4] = binary.LittleEndian.Uint64(key[8:]) & 0x0ffffffc0ffffffc
	st[5] = binary.LittleEndian.Uint64(key[16:])
	st[6] = binary.LittleEndian.Uint64(key[24:])
}

func update(tier impl.Tier, st *state, p []byte) {
	if len(p) < minPowers || !vectorPiece(tier, st, p) {
		kernels.Poly1305BlocksADX(&st.kernelState, unsafe.SliceData(p), len(p)/16)
	}
}

// vectorPiece is vector for a message in pieces: at the second long one it keeps the
// powers.
func vectorPiece(tier impl.Tier, st *state, p []byte) bool {
	if tier != impl.IFMA512 {
		return vector(tier, &st.kernelState, p)
	}
	use := 2
	if st.powers == nil {
		if len(p) < minIFMA512 {
			return false
		}
		use = 0
		if st.long++; st.long > 1 {
			st.powers, use = new([24]uint64), 1
		}
	}
	kernels.Poly1305BlocksIFMA512(&st.kernelState, unsafe.SliceData(p), len(p)/16, st.powers, use)
	return true
}

// vector absorbs the whole blocks of p if a vector kernel pays for it.
func vector(tier impl.Tier, st *kernelState, p []byte) bool {
	switch {
	case tier == impl.IFMA512 && len(p) >= minIFMA512:
		kernels.Poly1305BlocksIFMA512(st, unsafe.SliceData(p), len(p)/16, nil, 0)
	case tier == impl.AVX2 && len(p) >= minAVX2:
		// The kernel takes 4 blocks and a multiple of 8.
		blocks := len(p) / 16
		if lead := (blocks - 4) % 8; lead > 0 {
			kernels.Poly1305BlocksADX(st, unsafe.SliceData(p), lead)
			p, blocks = p[16*lead:], blocks-lead
		}
		kernels.Poly1305BlocksAVX2(st, unsafe.SliceData(p), blocks)
	default:
		return false
	}
	return true
}

func finish(tier impl.Tier, st *state, out *[16]byte, tail []byte) {
	kernels.Poly1305TagADX(out, &st.kernelState, unsafe.SliceData(tail), len(tail))
}

func sum(tier impl.Tier, out *[16]byte, m []byte, key *[32]byte) {
	var st kernelState
	setKey(&st, key)
	if vector(tier, &st, m) {
		m = m[len(m)&^15:]
	}
	kernels.Poly1305TagADX(out, &st, unsafe.SliceData(m), len(m))
	clear(st[:])
}
