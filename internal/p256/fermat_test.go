package p256

// Inversion by Fermat's little theorem, with the kernels' own multiplication: what
// inversion by division steps is compared with, in value and in speed.

// feFermat sets z = 1/x, or 0 for x = 0, as x^(p−2). It is constant time.
func feFermat(z, x *fe) {
	// x32 is x^(2^32−1); p − 2 is, from the top: 32 ones, 31 zeros, a one, 96
	// zeros, 94 ones, a zero, a one.
	var x2, x4, x8, x16, x32, t fe
	feSqr(&t, x, 1)
	feMul(&x2, &t, x)
	feSqr(&t, &x2, 2)
	feMul(&x4, &t, &x2)
	feSqr(&t, &x4, 4)
	feMul(&x8, &t, &x4)
	feSqr(&t, &x8, 8)
	feMul(&x16, &t, &x8)
	feSqr(&t, &x16, 16)
	feMul(&x32, &t, &x16)
	feSqr(&t, &x32, 32)
	feMul(&t, &t, x)
	feSqr(&t, &t, 96+32)
	feMul(&t, &t, &x32)
	feSqr(&t, &t, 32)
	feMul(&t, &t, &x32)
	feSqr(&t, &t, 16)
	feMul(&t, &t, &x16)
	feSqr(&t, &t, 8)
	feMul(&t, &t, &x8)
	feSqr(&t, &t, 4)
	feMul(&t, &t, &x4)
	feSqr(&t, &t, 2)
	feMul(&t, &t, &x2)
	feSqr(&t, &t, 2)
	feMul(z, &t, x)
}

// scFermat sets z = 1/x mod n, both in the Montgomery domain, as x^(n−2). It is
// constant time.
func scFermat(z, x *scalar) {
	// Powers 1, 3, 5 … 15, for windows of up to four bits.
	var odd [8]scalar
	var t, x8, x16, x32 scalar
	scSqr(&t, x, 1)
	odd[0] = *x
	for i := 1; i < 8; i++ {
		scMul(&odd[i], &odd[i-1], &t)
	}
	scSqr(&t, &odd[7], 4)
	scMul(&x8, &t, &odd[7])
	scSqr(&t, &x8, 8)
	scMul(&x16, &t, &x8)
	scSqr(&t, &x16, 16)
	scMul(&x32, &t, &x16)
	// The upper half of n − 2 is 32 ones, 32 zeros, 64 ones.
	scSqr(&t, &x32, 64)
	scMul(&t, &t, &x32)
	scSqr(&t, &t, 32)
	scMul(&t, &t, &x32)
	// The lower half by sliding windows; n is public.
	e := [2]uint64{orderN[0] - 2, orderN[1]}
	bit := func(i int) uint64 { return e[i>>6] >> (i & 63) & 1 }
	pending := 0
	for i := 127; i >= 0; {
		if bit(i) == 0 {
			pending++
			i--
			continue
		}
		j := max(i-3, 0)
		for bit(j) == 0 {
			j++
		}
		var v uint64
		for l := i; l >= j; l-- {
			v = v<<1 | bit(l)
		}
		scSqr(&t, &t, pending+i-j+1)
		scMul(&t, &t, &odd[v>>1])
		pending, i = 0, j-1
	}
	if pending > 0 {
		scSqr(&t, &t, pending)
	}
	*z = t
}
