//go:build !purego

package kernels

// P256MulNEON sets z = x·y·2^-256 mod p.
//
// Source: SP 800-186, 3.2.1.3, for p; Montgomery multiplication with R = 2^256.
//
// Elements are four 64-bit limbs, the least significant first. x < p and y < 2^256, or
// the other way round; z < p.
//
//   - Aliasing: any of z, x, y may be the same array; no partial overlap.
//   - Bounds: reads and writes nothing beyond the arrays.
//   - Needs: no feature.
//   - Secret: x, y and z. Control flow and addresses depend on nothing.
//   - Leaves: intermediate values in registers.
//
//go:noescape
func P256MulNEON(z, x, y *[4]uint64)

// P256SqrNEON sets z = x^(2^n)·2^(256·(1−2^n)) mod p: n Montgomery squarings.
//
// Source: as [P256MulNEON].
//
// Elements as in [P256MulNEON]; x < p, z < p; n >= 1, counted in squarings.
//
//   - Aliasing: z and x may be the same array; no partial overlap.
//   - Bounds: reads and writes nothing beyond the arrays.
//   - Needs: no feature.
//   - Secret: x and z. Control flow and addresses depend on n only.
//   - Leaves: intermediate values in registers.
//
//go:noescape
func P256SqrNEON(z, x *[4]uint64, n uint64)

// P256PointDoubleNEON sets z = 2^n·x on the curve y² = x³ − 3x + b.
//
// Source: the Jacobian doubling for a = −3 of the Explicit-Formulas Database, its
// result scaled by 1/2.
//
// A point is X, Y, Z, each as in [P256MulNEON] and below p, in the Montgomery domain; x
// = X/Z², y = Y/Z³, infinity is Z = 0 and stays so. n >= 1, counted in doublings.
//
//   - Aliasing: z and x may be the same array; no partial overlap.
//   - Bounds: reads and writes nothing beyond the arrays.
//   - Needs: no feature.
//   - Secret: x and z. Control flow and addresses depend on n only.
//   - Leaves: intermediate values in registers; the stack is cleared.
//
//go:noescape
func P256PointDoubleNEON(z, x *[12]uint64, n uint64)

// P256PointAddMixedNEON sets z = x + y, y being affine, for x ≠ ±y and x ≠ infinity.
//
// Source: the Jacobian mixed addition of the Explicit-Formulas Database, eight
// multiplications and three squarings.
//
// x and z are points as in [P256PointDoubleNEON], y is x and y, in the Montgomery
// domain and below p. h is 0 if and only if x and y have the same affine x-coordinate,
// r is 0 if and only if they have the same y; where h is 0 and r is not, that is x =
// −y, z is infinity, as it should be. Where h and r are 0, that is x = y, or where x is
// infinity, z is infinity and wrong.
//
//   - Aliasing: z and x may be the same array; no partial overlap.
//   - Bounds: reads and writes nothing beyond the arrays.
//   - Needs: no feature.
//   - Secret: x, y, z, h and r. Control flow and addresses depend on nothing.
//   - Leaves: intermediate values in registers; the stack is cleared.
//
//go:noescape
func P256PointAddMixedNEON(z, x *[12]uint64, y *[8]uint64) (h, r uint64)

// P256PointAddNEON sets z = x + y for x ≠ ±y, neither being infinity.
//
// Source: the Jacobian addition of the Explicit-Formulas Database, twelve
// multiplications and four squarings.
//
// Points are as in [P256PointDoubleNEON]. h and r, and x = ±y, are as in
// [P256PointAddMixedNEON]; where x or y is infinity, z is infinity, h is 0 if both are,
// and r is of no meaning.
//
//   - Aliasing: any of z, x, y may be the same array; no partial overlap.
//   - Bounds: reads and writes nothing beyond the arrays.
//   - Needs: no feature.
//   - Secret: x, y, z, h and r. Control flow and addresses depend on nothing.
//   - Leaves: intermediate values in registers; the stack is cleared.
//
//go:noescape
func P256PointAddNEON(z, x, y *[12]uint64) (h, r uint64)

// P256SelectAffineNEON sets z to entry index of a table of n affine points, or to its
// negative if negate is 1.
//
// Source: every entry is read and masked, as is customary for secret indices.
//
// An entry is 64 bytes: x and y, each as in [P256MulNEON] and below p, y not 0. index <
// n, n is a positive multiple of 4, negate is 0 or 1.
//
//   - Aliasing: z does not overlap the table.
//   - Bounds: reads the whole table, 64·n bytes, and nothing else; writes z.
//   - Needs: ASIMD.
//   - Secret: index, negate and z. Control flow and addresses depend on n only.
//   - Leaves: entries of the table in registers.
//
//go:noescape
func P256SelectAffineNEON(z, table *[8]uint64, n, index, negate uint64)
