//go:build !amd64 || purego

package p256

// pointAddCoZ sets z = x + y, which share the z of y, and that to the z of the sum,
// h times the one before. x ≠ ±y, neither being infinity.
func pointAddCoZ(z, x *affine, y *jacobian, h *fe) {
	var a, s, c, w fe
	feSub(h, &x.x, &y.x)
	feSub(&s, &x.y, &y.y)
	feSqr(&c, h, 1)
	feMul(&y.z, &y.z, h)
	feMul(&a, &x.x, &c)
	feMul(&y.x, &y.x, &c)
	feSub(&w, &a, &y.x)
	feMul(&y.y, &y.y, &w)
	feSqr(&c, &s, 1)
	feSub(&c, &c, &a)
	feSub(&c, &c, &y.x)
	feSub(&w, &y.x, &c)
	feMul(&s, &s, &w)
	z.x = c
	feSub(&z.y, &s, &y.y)
}
