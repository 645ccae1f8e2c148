// Package alias tells how two slices share memory, and grows a slice in place
// where its capacity allows it.
package alias

import "unsafe"

// AnyOverlap reports whether x and y share any byte within their lengths.
func AnyOverlap(x, y []byte) bool {
	if len(x) == 0 || len(y) == 0 {
		return false
	}
	x0, y0 := uintptr(unsafe.Pointer(unsafe.SliceData(x))), uintptr(unsafe.Pointer(unsafe.SliceData(y)))
	return x0 < y0+uintptr(len(y)) && y0 < x0+uintptr(len(x))
}

// InexactOverlap reports whether x and y share a byte although they do not
// start at the same address. It is what the interfaces of crypto/cipher forbid.
func InexactOverlap(x, y []byte) bool {
	return AnyOverlap(x, y) && unsafe.SliceData(x) != unsafe.SliceData(y)
}

// SliceForAppend extends in by n bytes, in place if its capacity suffices. It
// returns the whole slice and the n bytes at its end.
func SliceForAppend(in []byte, n int) (head, tail []byte) {
	total := len(in) + n
	if cap(in) >= total {
		head = in[:total]
	} else {
		head = make([]byte, total)
		copy(head, in)
	}
	return head, head[len(in):]
}
