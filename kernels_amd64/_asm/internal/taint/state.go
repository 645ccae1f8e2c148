package taint

import (
	"maps"
	"slices"
)

// A value is what is known of a general register, or of eight bytes of memory.
type value struct {
	secret bool
	// may has the regions that it may point into; integer for a number.
	may  regions
	off  int  // its offset in the region,
	at   bool // if that is known
	base int  // where in the frame it was taken: it is not below
}

// regions is a set of regions of memory.
type regions uint64

const (
	integer regions = 1 << iota // a number, not a pointer
	opaque                      // made of pointers; nothing may be addressed by it
	data                        // read-only data of the program
	first                       // the first of those that a function has, its frame
)

const frame = first << frameRegion

func (v value) join(w value) value {
	r := value{secret: v.secret || w.secret, may: v.may | w.may, base: min(v.base, w.base)}
	if v.may&frame == 0 {
		r.base = w.base
	} else if w.may&frame == 0 {
		r.base = v.base
	}
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
		r.may, r.base = v.may, v.base
	case v.may == integer:
		r.may, r.base = w.may, w.base
	default:
		r.may = opaque
	}
	return r
}

// minus returns v − w.
func (v value) minus(w value) value {
	r := value{secret: v.secret || w.secret, may: v.may, base: v.base}
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

// What is known of a byte of memory.
type content uint8

const (
	public    content = iota
	unwritten         // counts as secret where it is read
	secret
)

func of(secretValue bool) content {
	if secretValue {
		return secret
	}
	return public
}

// bytes is the state of a stretch of memory that is followed byte by byte: a function's
// arguments and results, or its frame.
type bytes struct {
	content []content
	values  map[int]value // of eight bytes, by their offsets, as far as these are known
}

func newBytes(n int) *bytes {
	b := &bytes{content: make([]content, n), values: map[int]value{}}
	for i := range b.content {
		b.content[i] = unwritten
	}
	return b
}

func (b *bytes) clone() *bytes {
	return &bytes{content: slices.Clone(b.content), values: maps.Clone(b.values)}
}

// load returns n bytes from off on.
func (b *bytes) load(off, n int) value {
	if v, ok := b.values[off]; ok && n == 8 {
		return v
	}
	v := number(false)
	for i := off; i < off+n; i++ {
		v.secret = v.secret || i < 0 || i >= len(b.content) || b.content[i] != public
	}
	return v
}

// store replaces n bytes, and reports whether they are there.
func (b *bytes) store(off, n int, v value) bool {
	if off < 0 || off+n > len(b.content) {
		return false
	}
	b.forget(off, off+n)
	for i := off; i < off+n; i++ {
		b.content[i] = of(v.secret)
	}
	if n == 8 {
		b.values[off] = v
	}
	return true
}

// may notes that bytes from..to−1 may have been overwritten.
func (b *bytes) may(from, to int, v value) {
	b.forget(from, to)
	if v.secret {
		for i := max(from, 0); i < min(to, len(b.content)); i++ {
			b.content[i] = secret
		}
	}
}

// forget drops what is known of values that overlap from..to−1.
func (b *bytes) forget(from, to int) {
	if to-from > 64 {
		maps.DeleteFunc(b.values, func(off int, _ value) bool { return off < to && from < off+8 })
		return
	}
	for off := from - 7; off < to; off++ {
		delete(b.values, off)
	}
}

// join brings b up to date with c, and reports whether that changed it.
func (b *bytes) join(c *bytes) (changed bool) {
	for i, s := range c.content {
		if s > b.content[i] {
			b.content[i], changed = s, true
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
	flags  flags     // the secret ones
	memory [2]*bytes // the arguments, and the frame
}

func (s *state) clone() *state {
	c := *s
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
