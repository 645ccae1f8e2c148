//go:build (!amd64 && !arm64) || purego

package p256

// There are no kernels here: Tier is impl.Generic, and nothing calls these.

var comb [combWindows][]affine

func feMul(z, x, y *fe)                                     { panic(noKernel) }
func feSqr(z, x *fe, n int)                                 { panic(noKernel) }
func scMul(z, x, y *scalar)                                 { panic(noKernel) }
func scSqr(z, x *scalar, n int)                             { panic(noKernel) }
func inverse(z, x *[4]uint64, m *modulus)                   { panic(noKernel) }
func pointDouble(z, x *jacobian, n int)                     { panic(noKernel) }
func pointAdd(z, x, y *jacobian) (h, r uint64)              { panic(noKernel) }
func pointAddMixed(z, x *jacobian, y *affine) (h, r uint64) { panic(noKernel) }
func selectAffine(z *affine, t []affine, index, neg uint64) { panic(noKernel) }
