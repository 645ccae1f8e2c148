//go:build !purego

package kernels

// P256OrderMulNEON sets z = x·y·2^-256 mod n, n being the order of the group.
//
// Source: SP 800-186, 3.2.1.3, for n; Montgomery multiplication with R = 2^256.
//
// Four 64-bit limbs, the least significant first. x < n and y < 2^256, or the other way
// round; z < n.
//
//   - Aliasing: any of z, x, y may be the same array; no partial overlap.
//   - Bounds: reads and writes nothing beyond the arrays.
//   - Needs: no feature.
//   - Secret: x, y and z. Control flow and addresses depend on nothing.
//   - Leaves: intermediate values in registers.
//
//go:noescape
func P256OrderMulNEON(z, x, y *[4]uint64)

// P256OrderSqrNEON sets z = x^(2^n)·2^(256·(1−2^n)) modulo the order of the group: n
// Montgomery squarings.
//
// Source: as [P256OrderMulNEON].
//
// Elements as in [P256OrderMulNEON], x below the order; n >= 1, counted in squarings.
//
//   - Aliasing: z and x may be the same array; no partial overlap.
//   - Bounds: reads and writes nothing beyond the arrays.
//   - Needs: no feature.
//   - Secret: x and z. Control flow and addresses depend on n only.
//   - Leaves: intermediate values in registers.
//
//go:noescape
func P256OrderSqrNEON(z, x *[4]uint64, n uint64)
