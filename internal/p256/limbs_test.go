package p256

import "unsafe"

// affineSlice sees n points in b, which is aligned to 8 bytes.
func affineSlice(b []byte, n int) []affine {
	return unsafe.Slice((*affine)(unsafe.Pointer(&b[0])), n)
}
