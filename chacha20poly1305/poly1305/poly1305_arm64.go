//go:build !purego

package poly1305

import (
	"encoding/binary"
	"unsafe"

	"github.com/fastcrypto-go/fastcrypto/internal/impl"
	kernels "github.com/fastcrypto-go/fastcrypto/kernels_arm64"
)

// state is the accumulator (three limbs of 64 bits), r clamped and s (two each).
type state struct{ limbs [7]uint64 }

func initialize(tier impl.Tier, st *state, key *[32]byte) {
	le := binary.LittleEndian
	switch tier {
	case impl.NEON:
		st.limbs = [7]uint64{
			3: le.Uint64(key[0:]) & 0x0ffffffc0fffffff,
			4: le.Uint64(key[8:]) & 0x0ffffffc0ffffffc,
			5: le.Uint64(key[16:]),
			6: le.Uint64(key[24:]),
		}
	default:
		noKernel(tier)
	}
}

func update(tier impl.Tier, st *state, p []byte) {
	switch tier {
	case impl.NEON:
		kernels.Poly1305UpdateNEON(&st.limbs, unsafe.SliceData(p), len(p))
	default:
		noKernel(tier)
	}
}

func finish(tier impl.Tier, st *state, out *[16]byte, tail []byte) {
	switch tier {
	case impl.NEON:
		kernels.Poly1305FinishNEON(out, &st.limbs, unsafe.SliceData(tail), len(tail))
	default:
		noKernel(tier)
	}
}

func sum(tier impl.Tier, out *[16]byte, m []byte, key *[32]byte) {
	switch tier {
	case impl.NEON:
		kernels.Poly1305SumNEON(out, unsafe.SliceData(m), len(m), key)
	default:
		noKernel(tier)
	}
}

// noKernel is reached only if the table has a row that this file does not know.
func noKernel(tier impl.Tier) { panic("poly1305: no kernel for tier " + tier.String()) }
