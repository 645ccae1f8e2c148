package p256

// A signature computed wrongly, by broken hardware or a kernel with a rare error, can
// reveal the private key: two signatures of one digest with the same nonce, of which
// one is faulty, are two equations for it. So each is checked before it is released,
// which takes 2 to 3 % of the time of a signature, and 5 % of one in lanes:
//
//   - k·G is a point of the curve, and r its x-coordinate. An error in an addition, in
//     an entry of a table or in the inversion does not pass but by a chance of 2^-256.
//   - s·k = e + r·d, from the arguments, which are read anew. An error in 1/k, in r·d
//     or in s does not pass.
//
// What passes is a wrong point of the curve, as from a wrong digit of k or an addition
// left out, and a private key that was already wrong: verification finds those.

// inconsistent returns 0 if the checks pass: p is k·G, x its affine x-coordinate out of
// the Montgomery domain, and (r, s) the signature of e with the key d. It is constant
// time.
func inconsistent(p *jacobian, x *fe, r, s, d, k, e *[32]byte) uint64 {
	var rr, ss, dd, kk, ee, t scalar
	fromBytes((*[4]uint64)(&rr), r)
	fromBytes((*[4]uint64)(&ss), s)
	fromBytes((*[4]uint64)(&dd), d)
	fromBytes((*[4]uint64)(&kk), k)
	fromBytes((*[4]uint64)(&ee), e)

	// All three products have the factor 2^-256.
	scReduce(&ee, &ee)
	scMul(&ee, &ee, &scalarOne)
	scMul(&t, &dd, &rr)
	scAdd(&t, &t, &ee)
	scMul(&kk, &kk, &ss)
	bad := differ((*[4]uint64)(&t), (*[4]uint64)(&kk)) | (1 ^ scValid(&rr)) | (1 ^ scValid(&ss))

	scReduce(&t, (*scalar)(x))
	bad |= differ((*[4]uint64)(&t), (*[4]uint64)(&rr))

	// Z ≠ 0, x·Z² = X
	var z2, z6, u, v fe
	bad |= feIsZero(&p.z)
	feSqr(&z2, &p.z, 1)
	feMul(&u, &feRR, x)
	feMul(&u, &u, &z2)
	bad |= differ((*[4]uint64)(&u), (*[4]uint64)(&p.x))

	// Y² = X·(X² − 3Z⁴) + b·Z⁶
	feSqr(&v, &z2, 1)
	feMul(&z6, &v, &z2)
	feMul(&z6, &z6, &feB)
	feSqr(&u, &p.x, 1)
	feSub(&u, &u, &v)
	feSub(&u, &u, &v)
	feSub(&u, &u, &v)
	feMul(&u, &u, &p.x)
	feAdd(&u, &u, &z6)
	feSqr(&v, &p.y, 1)
	bad |= differ((*[4]uint64)(&u), (*[4]uint64)(&v))

	// r and s too: a wrong signature may reveal the key.
	rr, ss, dd, kk, t, z2, z6, u, v = scalar{}, scalar{}, scalar{}, scalar{}, scalar{}, fe{}, fe{}, fe{}, fe{}
	return bad
}

// differ returns 0 if x and y are the same, and 1 otherwise.
func differ(x, y *[4]uint64) uint64 {
	return 1 ^ wordIsZero((x[0]^y[0])|(x[1]^y[1])|(x[2]^y[2])|(x[3]^y[3]))
}

// inconsistent does the same for the jobs of group g, whose R and S are set and whose
// x-coordinates are in w.x: word l is 0 if those of lane l pass.
func (w *workspace) inconsistent(d *laneData, g int, jobs []SignJob) (bad [Lanes]uint64) {
	var sum, want [Lanes][4]uint64
	load := func(z *lanes, f func(j *SignJob) *[32]byte) {
		for l := range jobs {
			fromBytes(&w.numbers[l], f(&jobs[l]))
		}
		toLanes(z, &w.numbers)
	}
	compare := func(dom domain, x, y *lanes) {
		leave(dom, &sum, x)
		leave(dom, &want, y)
		for l := range jobs {
			bad[l] |= differ(&sum[l], &want[l])
		}
	}
	load(&w.t, func(j *SignJob) *[32]byte { return &j.D })
	load(&w.u, func(j *SignJob) *[32]byte { return &j.R })
	laneOrderMul(&w.t, &w.t, &w.u)
	load(&w.u, func(j *SignJob) *[32]byte { return &j.E })
	laneOrderMul(&w.u, &w.u, &laneOne)
	laneOrderAdd(&w.t, &w.t, &w.u)
	load(&w.u, func(j *SignJob) *[32]byte { return &j.K })
	load(&w.v, func(j *SignJob) *[32]byte { return &j.S })
	laneOrderMul(&w.u, &w.u, &w.v)
	compare(orderDomain, &w.t, &w.u)
	for l := range jobs {
		var x, r, s scalar
		scReduce(&x, (*scalar)(&w.x[l]))
		fromBytes((*[4]uint64)(&r), &jobs[l].R)
		fromBytes((*[4]uint64)(&s), &jobs[l].S)
		bad[l] |= differ((*[4]uint64)(&x), (*[4]uint64)(&r)) | (1 ^ scValid(&r)) | (1 ^ scValid(&s))
		x, r, s = scalar{}, scalar{}, scalar{}
	}

	p := &w.points[g]
	leave(fieldDomain, &want, &p.z)
	for l := range jobs {
		bad[l] |= isZero(&want[l])
	}
	laneSqr(&w.v, &p.z, 1)
	toLanes(&w.t, &w.x)
	laneMul(&w.t, &w.t, &d.feEnter)
	laneMul(&w.t, &w.t, &w.v)
	compare(fieldDomain, &w.t, &p.x)

	// Y² + 3X·Z⁴ = X³ + b·Z⁶; the sums are of integers below 7p.
	laneSqr(&w.u, &w.v, 1)
	laneMul(&w.v, &w.v, &w.u)
	laneMul(&w.v, &w.v, &d.feB)
	laneMul(&w.u, &w.u, &p.x)
	laneSqr(&w.t, &p.y, 1)
	for range 3 {
		laneOrderAdd(&w.t, &w.t, &w.u)
	}
	laneSqr(&w.u, &p.x, 1)
	laneMul(&w.u, &w.u, &p.x)
	laneOrderAdd(&w.u, &w.u, &w.v)
	compare(fieldDomain, &w.t, &w.u)
	sum, want = [Lanes][4]uint64{}, [Lanes][4]uint64{}
	return bad
}
