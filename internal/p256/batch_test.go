package p256

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/fastcrypto-go/fastcrypto/internal/impl"
	"github.com/fastcrypto-go/fastcrypto/internal/testkit"
)

func TestKnownAnswerBatch(t *testing.T) {
	for _, tier := range impl.P256Batch.Supported() {
		if err := knownAnswerBatch(tier); err != nil {
			t.Errorf("%s: %v", tier, err)
		}
	}
}

// batchLengths are the lengths around groups and batches.
func batchLengths() []int {
	l := []int{0, 1, 2, 7, 8, 9, 16, 17, 63, 64, 65, 130}
	if long() {
		l = append(l, 1000)
	}
	return l
}

// scalarCases returns scalars in [1, n−1]: at both ends, single bits and their
// neighbours, equal windows, and random ones.
func scalarCases(t *testing.T) []*big.Int {
	r := testkit.Rand(t)
	var v []*big.Int
	for i := range int64(40) {
		v = append(v, big.NewInt(i+1), new(big.Int).Sub(curve.N, big.NewInt(i+1)))
	}
	for i := uint(5); i < 256; i += 3 {
		p := new(big.Int).Lsh(big.NewInt(1), i)
		v = append(v, p, new(big.Int).Add(p, big.NewInt(1)), new(big.Int).Sub(p, big.NewInt(1)))
	}
	for _, w := range []int64{0x1f, 0x20, 0x21, 0x3f} {
		p := new(big.Int)
		for range 42 {
			p.Lsh(p, 6).Or(p, big.NewInt(w))
		}
		v = append(v, p)
	}
	nm1 := new(big.Int).Sub(curve.N, big.NewInt(1))
	for range rounds(20, 200, 20_000) {
		k := randomBelow(r, nm1)
		v = append(v, k.Add(k, big.NewInt(1)))
	}
	return v
}

// TestRecode compares the digits of all windows at once with those of one at a time.
func TestRecode(t *testing.T) {
	scalars := scalarCases(t)
	ws := new(workspace)
	for _, size := range []struct{ m, w uint }{{combWindows, combWidth}, {multWindows, multWidth}} {
		for i := range scalars {
			var k [Lanes]window
			for l := range k {
				var s scalar
				var b [32]byte
				scalars[(i+l)%len(scalars)].FillBytes(b[:])
				fromBytes((*[4]uint64)(&s), &b)
				k[l].negated = k[l].c.oddOrNegated(&s)
				k[l].skip = l == i%(2*Lanes)
			}
			ws.recode(&k, size.m, size.w)
			for j := range size.m {
				for l := range k {
					index, negative := k[l].c.digit(j, size.m, size.w)
					digit, sign := index+1, negative^k[l].negated
					if k[l].skip {
						digit = 0
					}
					if ws.digits[j][l] != digit || ws.signs[j][l] != sign {
						t.Fatalf("scalar %x, window %d of %d: digit %d, sign %d; want %d, %d",
							scalars[(i+l)%len(scalars)], j, size.m, ws.digits[j][l], ws.signs[j][l], digit, sign)
					}
				}
			}
		}
	}
}

func TestSignBatch(t *testing.T) {
	onLanes(t, func(t *testing.T) {
		r := testkit.Rand(t)
		scalars := scalarCases(t)
		next := 0
		scalar := func() [32]byte { next++; return toArray(scalars[next%len(scalars)]) }
		lengths := append(batchLengths(), len(scalars))
		for _, n := range lengths {
			jobs := make([]SignJob, n)
			for i := range jobs {
				jobs[i] = SignJob{K: scalar(), D: toArray(scalars[(7*next+3)%len(scalars)]), E: [32]byte(testkit.Bytes(r, 32))}
				switch i % 11 {
				case 3:
					jobs[i].E = [32]byte{}
				case 5:
					jobs[i].E = toArray(new(big.Int).Sub(bigR, big.NewInt(1)))
				case 7: // e = −r·d, so that s is 0
					var x, y, e [32]byte
					ScalarBaseMult(&x, &y, &jobs[i].K)
					v := new(big.Int).SetBytes(x[:])
					v.Mul(v, new(big.Int).SetBytes(jobs[i].D[:])).Neg(v).Mod(v, curve.N)
					e = toArray(v)
					jobs[i].E = e
				}
			}
			SignBatch(jobs)
			for i := range jobs {
				j := &jobs[i]
				var rb, sb [32]byte
				ok := Sign(&rb, &sb, &j.D, &j.K, &j.E)
				if ok != j.OK || rb != j.R || sb != j.S {
					t.Fatalf("%d jobs, job %d: (%x, %x, %v), want (%x, %x, %v); d %x, k %x, e %x", n, i, j.R, j.S, j.OK, rb, sb, ok, j.D, j.K, j.E)
				}
				if ok == (i%11 == 7) {
					t.Fatalf("job %d: s = 0 was to be reported: %v", i, ok)
				}
			}
		}
	})
}

func testKey(t *testing.T, d *[32]byte) *PublicKey {
	t.Helper()
	var x, y [32]byte
	ScalarBaseMult(&x, &y, d)
	q := new(PublicKey)
	if !q.SetAffine(&x, &y) {
		t.Fatal("not on the curve")
	}
	return q
}

func TestECDHBatch(t *testing.T) {
	onLanes(t, func(t *testing.T) {
		scalars := scalarCases(t)
		next := 0
		for _, n := range append(batchLengths(), len(scalars)) {
			jobs := make([]ECDHJob, n)
			for i := range jobs {
				next++
				d := toArray(scalars[(5*next+1)%len(scalars)])
				jobs[i] = ECDHJob{Q: testKey(t, &d), K: toArray(scalars[next%len(scalars)])}
			}
			ECDHBatch(jobs)
			for i := range jobs {
				var want [32]byte
				if jobs[i].Q.ECDH(&want, &jobs[i].K); want != jobs[i].X {
					t.Fatalf("%d jobs, job %d: %x, want %x; k %x", n, i, jobs[i].X, want, jobs[i].K)
				}
			}
		}
	})
}

// TestVerifyBatch mixes good and bad signatures in every arrangement of a group.
func TestVerifyBatch(t *testing.T) {
	onLanes(t, func(t *testing.T) {
		r := testkit.Rand(t)
		scalars := scalarCases(t)
		next := 0
		good := func() VerifyJob {
			next++
			d, k := toArray(scalars[(3*next)%len(scalars)]), toArray(scalars[next%len(scalars)])
			j := VerifyJob{Q: testKey(t, &d), E: [32]byte(testkit.Bytes(r, 32))}
			if next%9 == 0 {
				j.E = [32]byte{} // u1 = 0
			}
			if !Sign(&j.R, &j.S, &d, &k, &j.E) {
				t.Fatal("Sign failed")
			}
			return j
		}
		bad := func(i int) VerifyJob {
			j := good()
			switch i % 10 {
			case 0:
				j.E[i%32] ^= 1
			case 1:
				j.R[i%32] ^= 1
			case 2:
				j.S[i%32] ^= 1
			case 3:
				j.R = [32]byte{}
			case 4:
				j.S = [32]byte{}
			case 5:
				j.R = toArray(curve.N)
			case 6:
				j.S = toArray(curve.N)
			case 7:
				j.S = toArray(new(big.Int).Sub(bigR, big.NewInt(1)))
			case 8: // u1·G + u2·Q is infinity: e = −r·d
				d := toArray(big.NewInt(int64(i + 2)))
				j.Q = testKey(t, &d)
				e := new(big.Int).SetBytes(j.R[:])
				e.Mul(e, big.NewInt(int64(i+2))).Neg(e).Mod(e, curve.N)
				j.E = toArray(e)
			case 9: // u1·G = u2·Q
				d := toArray(big.NewInt(int64(i + 2)))
				j.Q = testKey(t, &d)
				e := new(big.Int).SetBytes(j.R[:])
				e.Mul(e, big.NewInt(int64(i+2))).Mod(e, curve.N)
				j.E = toArray(e)
			}
			return j
		}
		check := func(jobs []VerifyJob) int {
			VerifyBatchVarTime(jobs)
			right := 0
			for i := range jobs {
				j := &jobs[i]
				if want := j.Q.VerifyVarTime(&j.E, &j.R, &j.S); j.OK != want {
					t.Fatalf("%d jobs, job %d: %v, want %v; e %x, r %x, s %x", len(jobs), i, j.OK, want, j.E, j.R, j.S)
				}
				if j.OK {
					right++
				}
			}
			return right
		}
		for mask := range 256 {
			if testing.Short() && mask%16 > 1 {
				continue
			}
			jobs := make([]VerifyJob, Lanes)
			wantRight := 0
			for l := range jobs {
				if mask>>l&1 == 0 {
					jobs[l], wantRight = good(), wantRight+1
				} else {
					jobs[l] = bad(mask + l)
				}
			}
			if right := check(jobs); right != wantRight {
				t.Fatalf("mask %#x: %d accepted, want %d", mask, right, wantRight)
			}
		}
		for _, n := range batchLengths() {
			jobs := make([]VerifyJob, n)
			for i := range jobs {
				jobs[i] = good()
				if i%5 == 4 {
					jobs[i] = bad(i)
				}
			}
			check(jobs)
		}
	})
}

// TestRandomBatches compares batches of random lengths, keys and numbers with the
// single functions, some elements being bad.
func TestRandomBatches(t *testing.T) {
	onLanes(t, func(t *testing.T) {
		r := testkit.Rand(t)
		rnd := rand.New(r)
		nm1 := new(big.Int).Sub(curve.N, big.NewInt(1))
		scalar := func() [32]byte { k := randomBelow(r, nm1); return toArray(k.Add(k, big.NewInt(1))) }
		for range rounds(10, 300, 100_000) {
			n := rnd.IntN(2*Lanes + 4)
			sign, agree, verify := make([]SignJob, n), make([]ECDHJob, n), make([]VerifyJob, n)
			for i := range n {
				sign[i] = SignJob{D: scalar(), K: scalar(), E: [32]byte(testkit.Bytes(r, 32))}
				agree[i] = ECDHJob{Q: testKey(t, &sign[i].D), K: scalar()}
			}
			SignBatch(sign)
			ECDHBatch(agree)
			for i := range n {
				j := &sign[i]
				var rb, sb, x [32]byte
				if ok := Sign(&rb, &sb, &j.D, &j.K, &j.E); ok != j.OK || rb != j.R || sb != j.S {
					t.Fatalf("%d elements: signature %d differs: %+v", n, i, *j)
				}
				if agree[i].Q.ECDH(&x, &agree[i].K); x != agree[i].X {
					t.Fatalf("%d elements: secret %d differs: %x", n, i, agree[i].K)
				}
				verify[i] = VerifyJob{Q: agree[i].Q, E: j.E, R: j.R, S: j.S}
				if rnd.IntN(3) == 0 {
					*[]*byte{&verify[i].E[rnd.IntN(32)], &verify[i].R[rnd.IntN(32)], &verify[i].S[rnd.IntN(32)]}[rnd.IntN(3)] ^= 1 << rnd.IntN(8)
				}
			}
			VerifyBatchVarTime(verify)
			for i := range n {
				j := &verify[i]
				if want := j.Q.VerifyVarTime(&j.E, &j.R, &j.S); want != j.OK {
					t.Fatalf("%d elements: verdict %d is %v: e %x, r %x, s %x", n, i, j.OK, j.E, j.R, j.S)
				}
			}
		}
	})
}

func BenchmarkBatch(b *testing.B) {
	testkit.BenchTiers(b, impl.P256Batch, func(b *testing.B) {
		const n = BatchSize
		sign, agree, verify := make([]SignJob, n), make([]ECDHJob, n), make([]VerifyJob, n)
		for i := range n {
			d := [32]byte{1, byte(i)}
			var q PublicKey
			var x, y [32]byte
			ScalarBaseMult(&x, &y, &d)
			q.SetAffine(&x, &y)
			sign[i] = SignJob{D: d, K: [32]byte{2, byte(i)}, E: [32]byte{3, byte(i)}}
			agree[i] = ECDHJob{Q: &q, K: d}
			verify[i] = VerifyJob{Q: &q, E: sign[i].E}
		}
		SignBatch(sign)
		for i := range n {
			verify[i].R, verify[i].S = sign[i].R, sign[i].S
		}
		each := func(b *testing.B) { b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/each") }
		b.Run("op=sign", func(b *testing.B) {
			for b.Loop() {
				SignBatch(sign)
			}
			each(b)
		})
		b.Run("op=verify", func(b *testing.B) {
			for b.Loop() {
				VerifyBatchVarTime(verify)
			}
			each(b)
		})
		b.Run("op=ecdh", func(b *testing.B) {
			for b.Loop() {
				ECDHBatch(agree)
			}
			each(b)
		})
	})
}
