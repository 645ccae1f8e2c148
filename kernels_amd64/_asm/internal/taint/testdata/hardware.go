// This program runs single instructions, each between loading and storing all of a
// processor's state, and prints which parts of the state go into which. TestHardware
// adds the instructions.
package main

import (
	"encoding/binary"
	"encoding/json"
	"math/rand/v2"
	"os"
	"unsafe"
)

// A state is laid out as the assembly has it.
type state struct {
	gp    [12]uint64
	flags uint64
	mask  [8]uint64
	vec   [32][64]byte
	mem   [64]byte
}

const parts = 12 + 6 + 8 + 32 + 32 + 8

// bits are the places of CF, PF, AF, ZF, SF and OF.
var bits = [6]int{0, 2, 4, 6, 7, 11}

const flagMask = 1<<0 | 1<<2 | 1<<4 | 1<<6 | 1<<7 | 1<<11

func number(r *rand.Rand) uint64 {
	switch r.IntN(4) {
	case 0:
		return uint64(r.IntN(8))
	case 1:
		return -uint64(r.IntN(8))
	}
	return r.Uint64()
}

func random(r *rand.Rand, b []byte) {
	kind := r.IntN(6)
	for ; len(b) > 0; b = b[8:] {
		x := r.Uint64()
		switch kind {
		case 0:
			x = 0
		case 1:
			x = 1<<64 - 1
		}
		binary.LittleEndian.PutUint64(b, x)
	}
}

// change gives a part of the state another value.
func change(s *state, part int, r *rand.Rand) {
	switch {
	case part < 12:
		s.gp[part] = number(r)
	case part < 18:
		s.flags ^= 1 << bits[part-12]
	case part < 26:
		s.mask[part-18] = number(r)
	case part < 58:
		random(r, s.vec[part-26][:16])
	case part < 90:
		random(r, s.vec[part-58][16:])
	default:
		random(r, s.mem[8*(part-90):][:8])
	}
}

// differ adds the parts in which two states differ.
func differ(a, b *state, found *[parts]bool) {
	for i := range a.gp {
		found[i] = found[i] || a.gp[i] != b.gp[i]
	}
	for i, bit := range bits {
		found[12+i] = found[12+i] || (a.flags^b.flags)>>bit&1 != 0
	}
	for i := range a.mask {
		found[18+i] = found[18+i] || a.mask[i] != b.mask[i]
	}
	for i := range a.vec {
		found[26+i] = found[26+i] || [16]byte(a.vec[i][:16]) != [16]byte(b.vec[i][:16])
		found[58+i] = found[58+i] || [48]byte(a.vec[i][16:]) != [48]byte(b.vec[i][16:])
	}
	for i := range 8 {
		found[90+i] = found[90+i] || [8]byte(a.mem[8*i:]) != [8]byte(b.mem[8*i:])
	}
}

// place returns a state whose memory is on a boundary of 64 bytes, as some instructions
// demand.
func place() *state {
	b := make([]byte, unsafe.Sizeof(state{})+64)
	at := uintptr(unsafe.Pointer(&b[0])) + unsafe.Offsetof(state{}.mem)
	return (*state)(unsafe.Pointer(&b[-at%64/8*8]))
}

func main() {
	s, changed := place(), place()
	r := rand.New(rand.NewPCG(1, 2))
	flows := make([][][]int, len(table))
	for n, f := range table {
		flows[n] = make([][]int, parts)
		for part := range parts {
			var found [parts]bool
			for range 16 {
				for p := range parts {
					change(s, p, r)
				}
				for i := range bits {
					if r.IntN(2) == 0 {
						s.flags ^= 1 << bits[i]
					}
				}
				s.flags = s.flags&flagMask | 0x202
				*changed = *s
				change(changed, part, r)
				f(s)
				f(changed)
				differ(s, changed, &found)
			}
			flows[n][part] = []int{}
			for to, b := range found {
				if b {
					flows[n][part] = append(flows[n][part], to)
				}
			}
		}
	}
	if err := json.NewEncoder(os.Stdout).Encode(flows); err != nil {
		panic(err)
	}
}
