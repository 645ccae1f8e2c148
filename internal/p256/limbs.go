//go:build (amd64 || arm64) && !purego

package p256

import "unsafe"

// limbs returns the memory of p as the kernels see it: x, y, z.
func (p *jacobian) limbs() *[12]uint64 { return (*[12]uint64)(unsafe.Pointer(p)) }

// limbs returns the memory of r as the kernels see it: x, y.
func (r *affine) limbs() *[8]uint64 { return (*[8]uint64)(unsafe.Pointer(r)) }
