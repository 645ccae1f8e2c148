// Package cc holds what the generators of the ChaCha20 and Poly1305 kernels
// share: the rounds of ChaCha20 on vectors and on general registers, and
// Poly1305's arithmetic in its three forms.
package cc

// A Stream is a run of instructions to be emitted. Two streams that share no
// register and no flags can be woven into one, so that a processor finds work
// of both kinds within its window.
type Stream []func()

// Do appends instructions that must stay together, for example because they
// pass a flag on.
func (s *Stream) Do(f func()) { *s = append(*s, f) }

// Emit emits the streams, woven in proportion to their lengths.
func Emit(streams ...Stream) {
	total := 0
	for _, s := range streams {
		total = max(total, len(s))
	}
	next := make([]int, len(streams))
	for i := 1; i <= total; i++ {
		for j, s := range streams {
			for next[j]*total < i*len(s) {
				s[next[j]]()
				next[j]++
			}
		}
	}
}
