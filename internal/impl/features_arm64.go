//go:build !purego

package impl

import "golang.org/x/sys/cpu"

// detect takes x/sys/cpu's word: it reads what the operating system reports,
// the only portable source on arm64, and has applied GODEBUG=cpu.NAME=off.
func detect() CPU {
	var c CPU
	set := func(f Features, on bool) {
		if on {
			c.Present |= f
		}
	}
	set(ASIMD, cpu.ARM64.HasASIMD)
	set(AES, cpu.ARM64.HasAES)
	set(PMULLFeature, cpu.ARM64.HasPMULL)
	set(SHA3, cpu.ARM64.HasSHA3)
	set(SVE2Feature, cpu.ARM64.HasSVE2)
	c.Enabled = c.Present
	return c
}
