//go:build !purego

package kernels

// P256InverseNEON sets z = w/x mod m, or 0 for x = 0, for an odd prime m.
//
// Source: Bernstein and Yang, "Fast constant-time gcd computation and modular
// inversion", IACR TCHES 2019; 600 division steps with δ = 1/2 at the start, of which
// 590 suffice.
//
// c holds m, 2^255 < m < 2^256, then −m^-1 mod 2^64, then w·2^40 mod m, 4, 1 and 4
// limbs, the least significant first: w is 1 for plain numbers and 2^512 mod m to stay
// in the Montgomery domain. x < m, z < m, four limbs.
//
//   - Aliasing: z and x may be the same array; neither overlaps c.
//   - Bounds: reads and writes nothing beyond the arrays.
//   - Needs: no feature.
//   - Secret: x and z. Control flow and addresses depend on nothing.
//   - Leaves: intermediate values in registers; the stack is cleared.
//
//go:noescape
func P256InverseNEON(z, x *[4]uint64, c *[9]uint64)
