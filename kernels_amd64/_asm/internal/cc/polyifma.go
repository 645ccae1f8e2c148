package cc

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// An IFMA is Poly1305 in eight lanes of three 44-bit limbs: a number is
// x0 + 2^44 x1 + 2^88 x2, and 2^132 = 20 modulo 2^130-5, so that a limb that
// leaves at the top comes back 20 times as heavy.
//
// A group is 16 blocks, m_0 to m_15. The accumulator's lanes a_i, which belong to
// the blocks i = 0..7 of each half group, change by
//
//	a_i = a_i r^16 + m_i r^8 + m_(8+i)
//
// and the value that they stand for is the sum of a_i r^(8-i). The lanes hold the
// blocks in the order 0, 4, 1, 5, 2, 6, 3, 7, as unpacking leaves them.
//
// The first group of a message may be short: it then has zeros in front, without
// 2^128, which change nothing. What was absorbed before the message is added to
// its first block.
//
// Bounds: message limbs are below 2^44 (the third below 2^41), and below 2^45 where
// what was absorbed before is added; accumulator limbs below 2^45+2^12; limbs of powers
// below 2^44+2^12, as carry leaves them, and 20 times these below 2^49. All are below
// 2^52, which is what the multiplication takes of them. A sum of six low halves is below
// 2^55, of six high halves below 2^45, so that all carries fit in 64 bits.
type IFMA struct {
	Base GPPhysical // the tables, 64-byte aligned, TableSize bytes
}

// What lies at Base: each power as limbs 0, 1, 2 and 20 times limbs 1, 2.
const (
	tableR16    = 0       // r^16 in all lanes
	tableR8     = 5 * 64  // r^8 in all lanes
	tableLane   = 10 * 64 // r^(8-i) in the lane of block i
	tableInject = 15 * 64 // what was absorbed before: two halves of three limbs
	tableLine   = 21 * 64 // see Line
	tableFirst  = 24 * 64 // a copy of the first group
	TableSize   = 28 * 64
)

var (
	acc = [3]VecPhysical{Z16, Z17, Z18}
	// line holds r^8, r^7, ..., r^1 until there is an accumulator. They come by
	// opmask, not through memory: words that were stored one by one cannot be loaded as a
	// vector before they have left the store queue, and they leave it in order.
	line = acc
	// mask44 is 2^44-1 and hibit 2^40, the place of 2^128, in all lanes.
	mask44, hibit = Z19, Z20
	lo            = [3]VecPhysical{Z21, Z22, Z23}
	hi            = [3]VecPhysical{Z24, Z25, Z26}
	tmp           = [5]VecPhysical{Z27, Z28, Z29, Z30, Z31}
)

// The opmasks: which words of the four vectors of a first group are there, in
// which lanes of each half group a block is.
var (
	loadMask  = [4]OpmaskPhysical{K1, K2, K3, K4}
	blockMask = [2]OpmaskPhysical{K5, K6}
)

func (v *IFMA) at(offset int) Mem { return Mem{Base: v.Base, Disp: offset} }

// Masks is read-only data: for each length k = 1..16 of a first group 8 bytes,
// four load masks, two block masks, and the lane of the first block in each half.
func Masks() Mem {
	m := GLOBL("polymasks", RODATA|NOPTR)
	lane := [8]int{0, 2, 4, 6, 1, 3, 5, 7}
	for k := 1; k <= 16; k++ {
		words := ^uint32(0) << (2 * (16 - k))
		var block, first [2]uint8
		for b := 16 - k; b < 16; b++ {
			block[b/8] |= 1 << lane[b%8]
		}
		first[(16-k)/8] = 1 << lane[(16-k)%8]
		DATA(8*(k-1), U64(uint64(words)|uint64(block[0])<<32|uint64(block[1])<<40|uint64(first[0])<<48|uint64(first[1])<<56))
	}
	return m
}

// Order is read-only data: which power of eight in a row belongs to each lane.
func Order() Mem {
	m := GLOBL("polyorder", RODATA|NOPTR)
	for i, b := range [8]uint64{0, 4, 1, 5, 2, 6, 3, 7} {
		DATA(8*i, U64(b))
	}
	return m
}

// Constants sets mask44 and hibit; t is clobbered.
func (v *IFMA) Constants(t GPPhysical) {
	MOVQ(U64(1<<44-1), t)
	VPBROADCASTQ(t, mask44)
	MOVQ(U64(1<<40), t)
	VPBROADCASTQ(t, hibit)
}

// Limbs splits h into 44-bit limbs l, which are other registers. m is 2^44-1.
func Limbs(h [3]GPPhysical, m GPPhysical, l [3]GPPhysical) {
	MOVQ(h[0], l[0])
	ANDQ(m, l[0])
	MOVQ(h[0], l[1])
	SHRQ(Imm(44), h[1], l[1])
	ANDQ(m, l[1])
	MOVQ(h[1], l[2])
	SHRQ(Imm(24), h[2], l[2])
}

// StorePower puts the power in p.H, h2 <= 4, into the lane of line that lane names. t
// are clobbered.
func (v *IFMA) StorePower(p *Scalar, lane OpmaskPhysical, t [4]GPPhysical) {
	MOVQ(U64(1<<44-1), t[3])
	Limbs(p.H, t[3], [3]GPPhysical{t[0], t[1], t[2]})
	for i := range 3 {
		VPBROADCASTQ(t[i], lane, line[i])
	}
}

// StoreLine writes line to 192 bytes at m.
func (v *IFMA) StoreLine(m Mem) {
	for i := range 3 {
		VMOVDQU64(line[i], m.Offset(64*i))
	}
}

// LoadLine is the inverse of StoreLine.
func (v *IFMA) LoadLine(m Mem) {
	for i := range 3 {
		VMOVDQU64(m.Offset(64*i), line[i])
	}
}

// Line is a place for line while an accumulator is in its registers.
func (v *IFMA) Line() Mem { return v.at(tableLine) }

// times20 sets dst to 20 src.
func times20(src, dst, t VecPhysical) {
	VPSLLQ(Imm(4), src, t)
	VPSLLQ(Imm(2), src, dst)
	VPADDQ(t, dst, dst)
}

func (v *IFMA) storeTable(table int, x [3]VecPhysical) {
	for i := range 3 {
		VMOVDQA64(x[i], v.at(table+64*i))
	}
	for i := 1; i < 3; i++ {
		times20(x[i], tmp[4], tmp[3])
		VMOVDQA64(tmp[4], v.at(table+64*(2+i)))
	}
}

// LaneTable makes tableLane from line.
func (v *IFMA) LaneTable(order Mem) {
	VMOVDQU64(order, tmp[3])
	for i := range 3 {
		VPERMQ(line[i], tmp[3], tmp[i])
	}
	v.storeTable(tableLane, [3]VecPhysical{tmp[0], tmp[1], tmp[2]})
}

// R8Table makes tableR8 from line.
func (v *IFMA) R8Table() {
	for i := range 3 {
		VPBROADCASTQ(line[i].AsX(), tmp[i])
	}
	v.storeTable(tableR8, [3]VecPhysical{tmp[0], tmp[1], tmp[2]})
}

// R16Table makes tableR16 from tableR8; the accumulator is clobbered.
func (v *IFMA) R16Table() {
	for i := range 3 {
		VMOVDQA64(v.at(tableR8+64*i), tmp[i])
	}
	Emit(v.clear())
	Emit(v.product([3]VecPhysical{tmp[0], tmp[1], tmp[2]}, tableR8))
	Emit(v.carry())
	v.storeTable(tableR16, acc)
}

func (v *IFMA) clear() (s Stream) {
	for i := range 3 {
		s.Do(func() { VPXORQ(lo[i], lo[i], lo[i]) })
		s.Do(func() { VPXORQ(hi[i], hi[i], hi[i]) })
	}
	return s
}

// product adds x times the power in table to (lo, hi):
//
//	d0 = x0 r0 + x1 s2 + x2 s1
//	d1 = x0 r1 + x1 r0 + x2 s2
//	d2 = x0 r2 + x1 r1 + x2 r0
func (v *IFMA) product(x [3]VecPhysical, table int) (s Stream) {
	return v.productBy(x, [5]Op{v.at(table), v.at(table + 64), v.at(table + 128), v.at(table + 192), v.at(table + 256)})
}

// productBy is product with a power's three limbs, and 20 times two of them.
func (v *IFMA) productBy(x [3]VecPhysical, r [5]Op) (s Stream) {
	const r0, r1, r2, s1, s2 = 0, 1, 2, 3, 4
	// x2 first: its last carry does not wait for the limb at the top.
	for _, row := range []struct {
		limb int
		r    [3]int
	}{{2, [3]int{s1, s2, r0}}, {0, [3]int{r0, r1, r2}}, {1, [3]int{s2, r0, r1}}} {
		for i := range 3 {
			s.Do(func() { VPMADD52LUQ(r[row.r[i]], x[row.limb], lo[i]) })
			s.Do(func() { VPMADD52HUQ(r[row.r[i]], x[row.limb], hi[i]) })
		}
	}
	return s
}

// carry sets acc to (lo, hi).
func (v *IFMA) carry() Stream { return v.carryTo(acc) }

// carryTo sets acc to (lo, hi), with limbs below 2^44, the others than the lowest below
// 2^44+2^12. The high halves weigh 2^52 = 2^44 2^8. All limbs hand on their carry at
// once, and the lowest, which is below 2^53 then, once more.
func (v *IFMA) carryTo(acc [3]VecPhysical) (s Stream) {
	s.Do(func() { VPSLLQ(Imm(8), hi[1], hi[1]) })
	s.Do(func() { VPSLLQ(Imm(8), hi[0], hi[0]) })
	s.Do(func() { VPSLLQ(Imm(8), hi[2], hi[2]) })
	s.Do(func() { VPADDQ(hi[1], lo[2], lo[2]) })
	s.Do(func() { VPADDQ(hi[0], lo[1], lo[1]) })
	s.Do(func() { VPSRLQ(Imm(44), lo[0], hi[0]) })
	s.Do(func() { VPSRLQ(Imm(44), lo[2], hi[1]) })
	s.Do(func() { VPANDQ(mask44, lo[0], lo[0]) })
	s.Do(func() { VPADDQ(hi[1], hi[2], hi[2]) })
	s.Do(func() { VPSRLQ(Imm(44), lo[1], hi[1]) })
	s.Do(func() { VPANDQ(mask44, lo[1], acc[1]) })
	s.Do(func() { VPADDQ(hi[0], acc[1], acc[1]) })
	// 2^132 = 20
	s.Do(func() { VPSLLQ(Imm(4), hi[2], hi[0]) })
	s.Do(func() { VPSLLQ(Imm(2), hi[2], hi[2]) })
	s.Do(func() { VPADDQ(hi[0], lo[0], lo[0]) })
	s.Do(func() { VPADDQ(hi[2], lo[0], lo[0]) })
	s.Do(func() { VPANDQ(mask44, lo[2], acc[2]) })
	s.Do(func() { VPADDQ(hi[1], acc[2], acc[2]) })
	s.Do(func() { VPSRLQ(Imm(44), lo[0], hi[0]) })
	s.Do(func() { VPANDQ(mask44, lo[0], acc[0]) })
	s.Do(func() { VPADDQ(hi[0], acc[1], acc[1]) })
	return s
}

// split loads half a group, eight blocks at m, into tmp[0..2] as limbs. With
// first, only the blocks that the opmasks for this half name, and what
// tableInject holds for it is added.
func (v *IFMA) split(m Mem, half int, first bool) (s Stream) {
	for i := range 2 {
		s.Do(func() {
			if first {
				VMOVDQU64_Z(m.Offset(64*i), loadMask[2*half+i], tmp[3+i])
			} else {
				VMOVDQU64(m.Offset(64*i), tmp[3+i])
			}
		})
	}
	return append(s, v.splitVectors(tmp[3], tmp[4], half, first)...)
}

// splitVectors is split of the blocks in a and b.
func (v *IFMA) splitVectors(a, b VecPhysical, half int, first bool) (s Stream) {
	s.Do(func() { VPUNPCKLQDQ(b, a, tmp[0]) })
	s.Do(func() { VPUNPCKHQDQ(b, a, tmp[3]) })
	s.Do(func() { VPSRLQ(Imm(44), tmp[0], tmp[1]) })
	s.Do(func() { VPSLLQ(Imm(20), tmp[3], tmp[2]) })
	s.Do(func() { VPANDQ(mask44, tmp[0], tmp[0]) })
	s.Do(func() { VPTERNLOGQ(U8(0xa8), mask44, tmp[2], tmp[1]) }) // (tmp1 | tmp2) & mask44
	s.Do(func() { VPSRLQ(Imm(24), tmp[3], tmp[2]) })
	s.Do(func() {
		if first {
			VPORQ(hibit, tmp[2], blockMask[half], tmp[2])
		} else {
			VPORQ(hibit, tmp[2], tmp[2])
		}
	})
	if first {
		for i := range 3 {
			s.Do(func() { VPADDQ(v.at(tableInject+64*(3*half+i)), tmp[i], tmp[i]) })
		}
	}
	return s
}

// Spare are 256 bytes of the tables that are free except while a first group is
// there, from SetFirst until it is absorbed.
func (v *IFMA) Spare() Mem { return v.at(tableFirst) }

// Group absorbs the 256 bytes at m. With first, the opmasks choose the blocks;
// with fresh, the accumulator is taken as zero.
func (v *IFMA) Group(m Mem, first, fresh bool) (s Stream) {
	x := [3]VecPhysical{tmp[0], tmp[1], tmp[2]}
	s = append(s, v.split(m, 0, first)...)
	s = append(s, v.clear()...)
	s = append(s, v.product(x, tableR8)...)
	if !fresh {
		s = append(s, v.product(acc, tableR16)...)
	}
	s = append(s, v.carry()...)
	return append(s, v.addHalf(m, first)...)
}

func (v *IFMA) addHalf(m Mem, first bool) (s Stream) {
	s = v.split(m.Offset(128), 1, first)
	for i := range 3 {
		s.Do(func() { VPADDQ(tmp[i], acc[i], acc[i]) })
	}
	return s
}

// SetFirst prepares a first group of k blocks, k = 1..16, that begins at p, where at
// least 64 bytes may be read: it sets first to its address and the opmasks, and
// writes tableInject with the accumulator h, given as 44-bit limbs. k is public. t
// and k are clobbered.
//
// The address is that of 256 bytes that end with the group, of which opmasks hide what
// is in front. But a load that hides an inaccessible or never touched page takes more
// than a thousand cycles. So if the 256 bytes begin on another page than the group,
// it is copied.
func (v *IFMA) SetFirst(label string, masks Mem, k GPPhysical, h [3]GPPhysical, p, first GPPhysical, t [3]GPPhysical) {
	at, offset, zero := t[0], t[1], t[2]
	MOVQ(k, at)
	SHLQ(Imm(4), at)
	SUBQ(U32(256), at)
	LEAQ(masks, zero)
	MOVQ(Mem{Base: zero, Index: k, Scale: 8, Disp: -8}, k)
	for _, m := range append(loadMask[:], blockMask[:]...) {
		KMOVB(k.As32(), m)
		SHRQ(Imm(8), k)
	}
	for half := range 2 {
		KMOVB(k.As32(), K7)
		SHRQ(Imm(8), k)
		for i := range 3 {
			VPBROADCASTQ_Z(h[i], K7, tmp[i])
			VMOVDQA64(tmp[i], v.at(tableInject+64*(3*half+i)))
		}
	}
	LEAQ(Mem{Base: p, Index: at, Scale: 1}, first)
	MOVQ(p, offset)
	ANDQ(U32(4095), offset)
	ADDQ(at, offset)
	JGE(LabelRef(label))
	XORQ(zero, zero)
	for i := range 4 { // at: where vector i begins, from p
		MOVQ(at, offset)
		ADDQ(Imm(64), at)
		TESTQ(offset, offset)
		CMOVQLT(zero, offset)
		VPEXPANDQ_Z(Mem{Base: p, Index: offset, Scale: 1}, loadMask[i], tmp[0])
		VMOVDQA64(tmp[0], v.Spare().Offset(64*i))
	}
	LEAQ(v.Spare(), first)
	Label(label)
}

// PlainNext makes the opmasks and tableInject such that a group treated as first
// is an ordinary one.
func (v *IFMA) PlainNext() (s Stream) {
	for _, k := range append(loadMask[:], blockMask[:]...) {
		s.Do(func() { KXNORB(k, k, k) })
	}
	s.Do(func() { VPXORQ(tmp[0], tmp[0], tmp[0]) })
	for i := range 6 {
		s.Do(func() { VMOVDQA64(tmp[0], v.at(tableInject+64*i)) })
	}
	return s
}

// Zero clears the accumulator.
func (v *IFMA) Zero() {
	for _, a := range acc {
		VPXORQ(a, a, a)
	}
}

// Fold sums the accumulator's lanes, each times its power, into h, partially
// reduced: h[2] <= 4. t are clobbered.
func (v *IFMA) Fold(h [3]GPPhysical, t [2]GPPhysical) {
	Emit(v.clear())
	Emit(v.product(acc, tableLane))
	v.sum(h, t)
}

// sum sums the lanes of (lo, hi), which are below 2^57 and 2^47, into h, partially
// reduced: h[2] <= 4. t are clobbered.
func (v *IFMA) sum(h [3]GPPhysical, t [2]GPPhysical) {
	// Limbs of at most 60 bits, and hi[2] at 2^140 = 20 2^8.
	VPSLLQ(Imm(8), hi[0], hi[0])
	VPSLLQ(Imm(8), hi[1], hi[1])
	VPSLLQ(Imm(12), hi[2], tmp[0])
	VPSLLQ(Imm(10), hi[2], hi[2])
	VPADDQ(tmp[0], lo[0], lo[0])
	VPADDQ(hi[0], lo[1], lo[1])
	VPADDQ(hi[1], lo[2], lo[2])
	VPADDQ(hi[2], lo[0], lo[0])
	for i := range 3 {
		VEXTRACTI64X4(Imm(1), lo[i], hi[i].AsY())
		VPADDQ(lo[i].AsY(), hi[i].AsY(), hi[i].AsY())
	}
	for i := range 3 {
		VEXTRACTI64X2(Imm(1), hi[i].AsY(), lo[i].AsX())
		VPADDQ(lo[i].AsX(), hi[i].AsX(), hi[i].AsX())
	}
	for i := range 3 {
		VPSHUFD(Imm(0x4e), hi[i].AsX(), lo[i].AsX())
		VPADDQ(lo[i].AsX(), hi[i].AsX(), hi[i].AsX())
	}
	for i := range 3 {
		VMOVQ(hi[i].AsX(), h[i])
	}
	// h = h0 + 2^44 h1 + 2^88 h2
	MOVQ(h[1], t[0])
	SHLQ(Imm(44), t[0])
	SHRQ(Imm(20), h[1])
	MOVQ(h[2], t[1])
	SHLQ(Imm(24), t[1])
	SHRQ(Imm(40), h[2])
	ADDQ(t[0], h[0])
	ADCQ(t[1], h[1])
	ADCQ(Imm(0), h[2])
	// 2^130 = 5
	MOVQ(h[2], t[0])
	MOVQ(h[2], t[1])
	ANDQ(Imm(3), h[2])
	ANDQ(I32(-4), t[0])
	SHRQ(Imm(2), t[1])
	ADDQ(t[1], t[0])
	ADDQ(t[0], h[0])
	ADCQ(Imm(0), h[1])
	ADCQ(Imm(0), h[2])
}
