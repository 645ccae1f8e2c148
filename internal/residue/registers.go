//go:build (amd64 || arm64) && !purego

package residue

// registers has the vector registers, 64 bytes each, and then the opmasks of AVX-512.
type registers [32*64 + 8*8]byte

// fillRegisters sets all vector registers and opmasks to a pattern. The level is 0 for
// SSE and NEON, 1 for AVX and 2 for AVX-512.
//
//go:noescape
func fillRegisters(level int)

// dumpRegisters copies them to dst.
//
//go:noescape
func dumpRegisters(dst *registers, level int)

// registersAfter runs f, a call of a kernel, and copies the registers after. Go's own
// code around it has no use for them, but that it clears the lowest 16 bytes of
// register 15 on amd64.
//
//go:noinline
func registersAfter(dst *registers, level int, f func()) {
	fillRegisters(level)
	f()
	dumpRegisters(dst, level)
}
