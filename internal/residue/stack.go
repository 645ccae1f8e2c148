//go:build (amd64 || arm64) && !purego

package residue

// fillStack fills n bytes of the stack below its own frame, which nothing uses.
//
//go:noescape
func fillStack(n int)

// readStack copies n bytes of the stack below its own frame to dst.
//
//go:noescape
func readStack(dst *byte, n int)

// stackSize is how much of the stack is looked at: more than the deepest kernel and
// the public functions above it use.
const stackSize = 48 << 10

// stackAfter runs f, on a stack that was filled before, and copies what it left of it.
//
//go:noinline
func stackAfter(dst *[stackSize]byte, f func()) {
	fillStack(stackSize)
	f()
	readStack(&dst[0], stackSize)
}

// deepen makes sure that the stack has room for all that follows, so that it need not
// move.
//
//go:noinline
func deepen(n int) byte {
	var frame [1024]byte
	if n > 0 {
		frame[n%1024] = deepen(n - len(frame))
	}
	return frame[(n+1)&1023]
}
