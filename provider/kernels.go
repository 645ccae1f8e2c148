package provider

import (
	"crypto/fips140"
	"errors"

	"github.com/fastcrypto-go/fastcrypto/internal/impl"

	// Each package registers the known-answer test of its primitives.
	_ "github.com/fastcrypto-go/fastcrypto/aead"
	_ "github.com/fastcrypto-go/fastcrypto/chacha20poly1305"
	_ "github.com/fastcrypto-go/fastcrypto/chacha20poly1305/poly1305"
	_ "github.com/fastcrypto-go/fastcrypto/ecdh"
	_ "github.com/fastcrypto-go/fastcrypto/ecdsa"
	_ "github.com/fastcrypto-go/fastcrypto/internal/p256"
)

// A Kernel is one implementation of a primitive, and what became of it on this
// machine.
type Kernel struct {
	// Primitive names what is computed, for example "AES-GCM" or "P-256".
	Primitive string
	// Tier names the set of instructions that the kernel is written for, for
	// example "vaes512". The tier "generic" is the standard library or
	// golang.org/x/crypto, which stands behind all others.
	Tier string
	// Features are the features of the processor that the tier needs, for example
	// "vaes". The generic tier needs none.
	Features []string
	// Selected tells whether this is the tier that serves: one for each primitive.
	Selected bool
	// Reason says why the tier serves or why not: the processor lacks a feature, a
	// feature is switched off by GODEBUG, another tier is preferred, the self-test
	// failed, FIPS 140-3 mode, or the build tag purego.
	Reason string
}

// Kernels returns every tier of every primitive that was built into this program,
// grouped by primitive, each group from the best tier to "generic". The first
// call chooses the tiers that were not used yet, with their self-tests, which
// takes less than a millisecond or so. The slice is the caller's own.
func Kernels() []Kernel {
	var kernels []Kernel
	for _, p := range impl.Primitives() {
		for _, s := range p.Report() {
			kernels = append(kernels, Kernel{
				Primitive: p.Name(),
				Tier:      s.Tier.String(),
				Features:  s.Needs.Names(),
				Selected:  s.Selected,
				Reason:    s.Reason,
			})
		}
	}
	return kernels
}

// SelfTest runs the known-answer tests of every tier that can run on this machine,
// "generic" included, chosen or not. It returns nil, or an error that names each
// tier that failed. Such a tier is not used by anything constructed afterwards; a
// program that sees it should leave the machine. SelfTest may be called at any
// time, from any goroutine.
func SelfTest() error {
	var failed []error
	// With GODEBUG=fips140=only the standard library refuses some of what is tested.
	fips140.WithoutEnforcement(func() {
		for _, p := range impl.Primitives() {
			failed = append(failed, p.SelfTest())
		}
	})
	return errors.Join(failed...)
}
