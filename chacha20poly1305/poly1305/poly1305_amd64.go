//go:build !purego

package poly1305

import "github.com/fastcrypto-go/fastcrypto/internal/impl"

type state struct{}

func initialize(tier impl.Tier, st *state, key *[32]byte) { noKernel(tier) }

func update(tier impl.Tier, st *state, p []byte) { noKernel(tier) }

func finish(tier impl.Tier, st *state, out *[16]byte, tail []byte) { noKernel(tier) }

func sum(tier impl.Tier, out *[16]byte, m []byte, key *[32]byte) { noKernel(tier) }

// noKernel is reached only if the table has a row that this file does not know.
func noKernel(tier impl.Tier) { panic("poly1305: no kernel for tier " + tier.String()) }
