package p256

// A modulus is what inversion needs to know of an odd prime m between 2^255 and
// 2^256: m, −m^-1 mod 2^64, and 2^(512+40) mod m. The kernel divides by 2^40 on
// its way, and 2^512 keeps the result in the Montgomery domain.
type modulus [9]uint64

var (
	modulusP = modulus{
		0xffffffffffffffff, 0x00000000ffffffff, 0, 0xffffffff00000001,
		1,
		0x0000030000000500, 0xfffffa0000000000, 0xfffffefffffffbff, 0x000002fffffffaff,
	}
	modulusN = modulus{
		0xf3b9cac2fc632551, 0xbce6faada7179e84, 0xffffffffffffffff, 0xffffffff00000000,
		0xccd1c8aaee00bc4f,
		0x13ff7d0dd02fbc86, 0xa08928c2d31f8c97, 0x6bec59619076ab51, 0xba83b51b6484a3d1,
	}
)

// feInverse sets z = 1/x, or 0 for x = 0. It is constant time.
func feInverse(z, x *fe) { inverse((*[4]uint64)(z), (*[4]uint64)(x), &modulusP) }

// scInverse sets z = 1/x mod n, both in the Montgomery domain. It is constant time.
func scInverse(z, x *scalar) { inverse((*[4]uint64)(z), (*[4]uint64)(x), &modulusN) }
