package alias

import (
	"bytes"
	"testing"
	"unsafe"

	"github.com/fastcrypto-go/fastcrypto/internal/testkit"
)

// FuzzOverlap compares what is said of two pieces of memory with what writing to one
// does to the other, and SliceForAppend with append.
func FuzzOverlap(f *testing.F) {
	f.Add(uint16(100), []byte{0, 0, 50, 0, 0, 0, 49, 0, 10, 0, 0, 0}, uint8(3))
	f.Add(uint16(100), []byte{0, 0, 50, 0, 0, 0, 50, 0, 10, 0, 0, 0}, uint8(50))
	f.Add(uint16(10), []byte{5, 0, 0, 0, 5, 0, 0, 0, 10}, uint8(5))
	f.Fuzz(func(t *testing.T, size uint16, layout []byte, n uint8) {
		memory, s := make([]byte, size%2048), testkit.Script(layout)
		x, y := s.Piece(memory), s.Piece(memory)
		for i := range x {
			x[i] = 1
		}
		any := bytes.IndexByte(y, 1) >= 0
		exact := len(x) > 0 && len(y) > 0 && &x[0] == &y[0]
		if got := AnyOverlap(x, y); got != any || AnyOverlap(y, x) != got {
			t.Errorf("AnyOverlap = %v, want %v", got, any)
		}
		if got := InexactOverlap(x, y); got != (any && !exact) || InexactOverlap(y, x) != got {
			t.Errorf("InexactOverlap = %v, want %v", got, any && !exact)
		}
		inPlace := cap(x)-len(x) >= int(n)
		head, tail := SliceForAppend(x, int(n))
		if len(head) != len(x)+int(n) || len(tail) != int(n) || !bytes.Equal(head[:len(x)], x) {
			t.Errorf("SliceForAppend gives %d and %d bytes", len(head), len(tail))
		}
		if len(head) > 0 && len(x) > 0 && (unsafe.SliceData(head) == unsafe.SliceData(x)) != inPlace {
			t.Errorf("in place is %v", !inPlace)
		}
		if len(tail) > 0 && &tail[0] != &head[len(x)] {
			t.Error("the tail lies elsewhere")
		}
	})
}
