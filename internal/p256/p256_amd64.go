//go:build !purego

package p256

import kernels "github.com/fastcrypto-go/fastcrypto/kernels_amd64"

// The seam to the kernels of tier adx. Arguments are as on the kernels' stubs.

// feMul sets z = x·y; one of x and y may be as great as 2^256 − 1.
func feMul(z, x, y *fe) { kernels.P256MulADX((*[4]uint64)(z), (*[4]uint64)(x), (*[4]uint64)(y)) }

// feSqr sets z = x^(2^n), n >= 1.
func feSqr(z, x *fe, n int) { kernels.P256SqrADX((*[4]uint64)(z), (*[4]uint64)(x), uint64(n)) }

// scMul sets z = x·y·2^-256 mod n; one of x and y may be as great as 2^256 − 1.
func scMul(z, x, y *scalar) {
	kernels.P256OrderMulADX((*[4]uint64)(z), (*[4]uint64)(x), (*[4]uint64)(y))
}

// scSqr sets z to x, squared n times in the Montgomery domain, n >= 1.
func scSqr(z, x *scalar, n int) {
	kernels.P256OrderSqrADX((*[4]uint64)(z), (*[4]uint64)(x), uint64(n))
}

// pointDouble sets z = 2^n·x, n >= 1.
func pointDouble(z, x *jacobian, n int) {
	kernels.P256PointDoubleADX(z.limbs(), x.limbs(), uint64(n))
}

// pointAdd sets z = x + y for x ≠ y, neither being infinity. h is 0 if and only
// if x = ±y, and h and r are 0 if and only if x = y.
func pointAdd(z, x, y *jacobian) (h, r uint64) {
	return kernels.P256PointAddADX(z.limbs(), x.limbs(), y.limbs())
}

// pointAddMixed sets z = x + y for x ≠ y and x ≠ infinity. h and r are as in
// pointAdd.
func pointAddMixed(z, x *jacobian, y *affine) (h, r uint64) {
	return kernels.P256PointAddMixedADX(z.limbs(), x.limbs(), y.limbs())
}

// pointAddCoZ sets z = x + y, which share the z of y, and that to the z of the sum,
// h times the one before. x ≠ ±y, neither being infinity.
func pointAddCoZ(z, x *affine, y *jacobian, h *fe) {
	kernels.P256PointAddCoZADX(z.limbs(), x.limbs(), y.limbs(), (*[4]uint64)(h))
}

// selectAffine sets z to table[index], negated if negate is 1, and reads the
// whole table.
func selectAffine(z *affine, table []affine, index, negate uint64) {
	kernels.P256SelectAffineADX(z.limbs(), table[0].limbs(), uint64(len(table)), index, negate)
}

// inverse sets z = 1/x modulo m, or 0 for x = 0, both in the Montgomery domain.
func inverse(z, x *[4]uint64, m *modulus) { kernels.P256InverseADX(z, x, (*[9]uint64)(m)) }
