package alias

import "testing"

func TestOverlap(t *testing.T) {
	b := make([]byte, 16)
	for _, c := range []struct {
		x, y         []byte
		any, inexact bool
	}{
		{b[:8], b[8:], false, false},
		{b[:9], b[8:], true, true},
		{b[8:], b[:9], true, true},
		{b[:8], b[:16], true, false},
		{b[:0], b, false, false},
		{b, b[4:4], false, false},
		{b, b, true, false},
		{nil, b, false, false},
		{b[2:3], b, true, true},
	} {
		if got := AnyOverlap(c.x, c.y); got != c.any {
			t.Errorf("AnyOverlap(%d, %d) = %v", len(c.x), len(c.y), got)
		}
		if got := InexactOverlap(c.x, c.y); got != c.inexact {
			t.Errorf("InexactOverlap(%d, %d) = %v", len(c.x), len(c.y), got)
		}
	}
}

func TestSliceForAppend(t *testing.T) {
	in := make([]byte, 3, 8)
	copy(in, "abc")
	head, tail := SliceForAppend(in, 5)
	if &head[0] != &in[0] || len(head) != 8 || len(tail) != 5 {
		t.Error("did not extend in place")
	}
	head, tail = SliceForAppend(in, 6)
	if &head[0] == &in[0] || string(head[:3]) != "abc" || len(head) != 9 || len(tail) != 6 {
		t.Error("did not copy")
	}
	if head, tail = SliceForAppend(nil, 0); len(head) != 0 || len(tail) != 0 {
		t.Error("empty append is not empty")
	}
}
