package taint

import "slices"

// A value is what is known of a general register, or of eight bytes of memory.
type value struct {
	secret bool
	// may has the regions that it may point into; integer for a number.
	may regions
	off int  // its offset in the region,
	at  bool // if that is known
}

// regions is a set of regions of memory.
type regions uint64

const (
	integer regions = 1 << iota // a number, not a pointer
	opaque                      // made of pointers; nothing may be addressed by it
	data                        // read-only data of the program
	first                       // the first of those that a function has
)

func (v value) join(w value) value {
	r := value{secret: v.secret || w.secret, may: v.may | w.may}
	if v.may == w.may && v.at && w.at && v.off == w.off {
		r.off, r.at = v.off, true
	}
	return r
}

// number is an integer.
func number(secret bool) value { return value{secret: secret, may: integer} }

// plus returns v + w.
func (v value) plus(w value) value {
	r := value{secret: v.secret || w.secret}
	switch {
	case w.may == integer:
		r.may = v.may
	case v.may == integer:
		r.may = w.may
	default:
		r.may = opaque
	}
	return r
}

// minus returns v − w.
func (v value) minus(w value) value {
	r := value{secret: v.secret || w.secret, may: v.may}
	if w.may != integer {
		r.may = opaque
	}
	return r
}

// moved returns v + n.
func (v value) moved(n int) value {
	if v.at {
		v.off += n
	}
	return v
}

// bytes is the state of a stretch of memory that is followed byte by byte: a function's
// arguments and results, or its frame. What was never written counts as secret.
type bytes struct {
	secret []bool
	values map[int]value // of eight bytes, by their offsets, as far as these are known
}

func newBytes(n int) *bytes {
	b := &bytes{secret: make([]bool, n), values: map[int]value{}}
	for i := range b.secret {
		b.secret[i] = true
	}
	return b
}

func (b *bytes) clone() *bytes {
	c := &bytes{secret: slices.Clone(b.secret), values: make(map[int]value, len(b.values))}
	for off, v := range b.values {
		c.values[off] = v
	}
	return c
}

// load returns n bytes from off on.
func (b *bytes) load(off, n int) value {
	if v, ok := b.values[off]; ok && n == 8 {
		return v
	}
	v := number(false)
	for i := off; i < off+n; i++ {
		v.secret = v.secret || i < 0 || i >= len(b.secret) || b.secret[i]
	}
	return v
}

// store replaces n bytes.
func (b *bytes) store(off, n int, v value) {
	b.forget(off, off+n)
	for i := max(off, 0); i < min(off+n, len(b.secret)); i++ {
		b.secret[i] = v.secret
	}
	if n == 8 {
		b.values[off] = v
	}
}

// may notes that bytes from..to−1 may have been overwritten.
func (b *bytes) may(from, to int, v value) {
	b.forget(from, to)
	if v.secret {
		for i := max(from, 0); i < min(to, len(b.secret)); i++ {
			b.secret[i] = true
		}
	}
}

// forget drops what is known of values that overlap from..to−1.
func (b *bytes) forget(from, to int) {
	for off := range b.values {
		if off < to && from < off+8 {
			delete(b.values, off)
		}
	}
}

// join brings b up to date with c, and reports whether that changed it.
func (b *bytes) join(c *bytes) (changed bool) {
	for i, s := range c.secret {
		if s && !b.secret[i] {
			b.secret[i], changed = true, true
		}
	}
	for off, v := range b.values {
		w, ok := c.values[off]
		if !ok {
			delete(b.values, off)
			changed = true
			continue
		}
		if j := v.join(w); j != v {
			b.values[off], changed = j, true
		}
	}
	return changed
}

// A vector register's lowest 128 bits are followed apart from the rest: SSE instructions
// leave the rest alone, VEX and EVEX ones clear what is above their width.
type vector struct{ low, rest bool }

// A state is what is known before an instruction.
type state struct {
	gp     [16]value
	vec    [32]vector
	mask   [8]bool
	flags  flags    // the secret ones
	memory []*bytes // the arguments, the frame, and the frame once more for each aligned base
}

func (s *state) clone() *state {
	c := *s
	c.memory = make([]*bytes, len(s.memory))
	for i, b := range s.memory {
		c.memory[i] = b.clone()
	}
	return &c
}

func (s *state) join(t *state) (changed bool) {
	old := *s
	for i := range s.gp {
		s.gp[i] = s.gp[i].join(t.gp[i])
	}
	for i := range s.vec {
		s.vec[i].low = s.vec[i].low || t.vec[i].low
		s.vec[i].rest = s.vec[i].rest || t.vec[i].rest
	}
	for i := range s.mask {
		s.mask[i] = s.mask[i] || t.mask[i]
	}
	s.flags |= t.flags
	changed = s.gp != old.gp || s.vec != old.vec || s.mask != old.mask || s.flags != old.flags
	for i, b := range s.memory {
		changed = b.join(t.memory[i]) || changed
	}
	return changed
}
