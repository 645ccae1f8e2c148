package p256

// An affine is a finite point, x and y in the Montgomery domain.
type affine struct{ x, y fe }

// A jacobian is the point (x/z², y/z³), or infinity where z is 0.
type jacobian struct{ x, y, z fe }

func (p *jacobian) setAffine(q *affine) { p.x, p.y, p.z = q.x, q.y, feOne }

// move sets p to q if cond is 1, and leaves it if cond is 0.
func (p *jacobian) move(q *jacobian, cond uint64) {
	feMove(&p.x, &q.x, cond)
	feMove(&p.y, &q.y, cond)
	feMove(&p.z, &q.z, cond)
}

// add sets p = q + r for any two points, infinity, equal and opposite ones
// included. It is constant time.
func (p *jacobian) add(q, r *jacobian) {
	var sum, twice jacobian
	qInf, rInf := feIsZero(&q.z), feIsZero(&r.z)
	h, s := pointAdd(&sum, q, r)
	pointDouble(&twice, q, 1)
	sum.move(&twice, wordIsZero(h|s))
	sum.move(r, qInf)
	sum.move(q, rInf)
	*p = sum
	sum, twice = jacobian{}, jacobian{}
}

// addAffine sets p = q + r for any two points. It is constant time.
func (p *jacobian) addAffine(q *jacobian, r *affine) {
	var sum, twice, rr jacobian
	rr.setAffine(r)
	qInf := feIsZero(&q.z)
	h, s := pointAddMixed(&sum, q, r)
	pointDouble(&twice, &rr, 1)
	sum.move(&twice, wordIsZero(h|s))
	sum.move(&rr, qInf)
	*p = sum
	sum, twice, rr = jacobian{}, jacobian{}, jacobian{}
}

// addAffineVarTime sets p = p + r, or p − r if negate, for any two points.
func (p *jacobian) addAffineVarTime(r *affine, negate bool) {
	var n affine
	if negate {
		n.x = r.x
		feNegate(&n.y, &r.y)
		r = &n
	}
	if p.z == (fe{}) {
		p.setAffine(r)
		return
	}
	if h, s := pointAddMixed(p, p, r); h|s == 0 {
		// p was r, and is lost.
		p.setAffine(r)
		pointDouble(p, p, 1)
	}
}

// toAffine sets r to the point p, which is not infinity. It is constant time.
func (p *jacobian) toAffine(r *affine) {
	var i, ii fe
	feInverse(&i, &p.z)
	feSqr(&ii, &i, 1)
	feMul(&r.x, &p.x, &ii)
	feMul(&i, &i, &ii)
	feMul(&r.y, &p.y, &i)
	i, ii = fe{}, fe{}
}

// normalizeVarTime sets r[i] to the point p[i] for all i; none is infinity. It
// needs one inversion, and overwrites p.
func normalizeVarTime(r []affine, p []jacobian) {
	// products[i] = p[0].z ⋯ p[i].z, kept in r[i].x until it is needed.
	r[0].x = p[0].z
	for i := 1; i < len(p); i++ {
		feMul(&r[i].x, &r[i-1].x, &p[i].z)
	}
	var inv, zi, zz fe
	feInverse(&inv, &r[len(p)-1].x)
	for i := len(p) - 1; i >= 0; i-- {
		if i > 0 {
			feMul(&zi, &inv, &r[i-1].x)
			feMul(&inv, &inv, &p[i].z)
		} else {
			zi = inv
		}
		feSqr(&zz, &zi, 1)
		feMul(&r[i].x, &p[i].x, &zz)
		feMul(&zz, &zz, &zi)
		feMul(&r[i].y, &p[i].y, &zz)
	}
}

// onCurveVarTime reports whether y² = x³ − 3x + b.
func (r *affine) onCurveVarTime() bool {
	var l, t fe
	feSqr(&t, &r.x, 1)
	feMul(&t, &t, &r.x)
	feSub(&t, &t, &r.x)
	feSub(&t, &t, &r.x)
	feSub(&t, &t, &r.x)
	feAdd(&t, &t, &feB)
	feSqr(&l, &r.y, 1)
	return l == t
}
