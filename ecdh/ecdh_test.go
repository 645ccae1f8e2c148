package ecdh_test

import (
	"bytes"
	stdecdh "crypto/ecdh"
	"crypto/elliptic"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"math/big"
	mathrand "math/rand/v2"
	"os"
	"strings"
	"sync"
	"testing"
	"testing/cryptotest"

	"github.com/fastcrypto-go/fastcrypto/ecdh"
	"github.com/fastcrypto-go/fastcrypto/internal/impl"
	"github.com/fastcrypto-go/fastcrypto/internal/testkit"
)

// count returns how often a test repeats: few times with -short, many in the long
// form.
func count(short, normal, many int) int {
	switch {
	case os.Getenv("FASTCRYPTO_TEST_LONG") != "":
		return many
	case testing.Short():
		return short
	}
	return normal
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// A pair is a curve here and in crypto/ecdh.
type pair struct {
	ours ecdh.Curve
	std  stdecdh.Curve
}

var pairs = []pair{
	{ecdh.P256(), stdecdh.P256()}, {ecdh.P384(), stdecdh.P384()}, {ecdh.P521(), stdecdh.P521()}, {ecdh.X25519(), stdecdh.X25519()},
}

func TestCurves(t *testing.T) {
	for i, p := range pairs {
		if p.ours.String() != fmt.Sprint(p.std) {
			t.Errorf("%v: String() = %q", p.std, p.ours.String())
		}
		for j, q := range pairs {
			if (p.ours == q.ours) != (i == j) {
				t.Errorf("%v == %v is %v", p.ours, q.ours, i != j)
			}
		}
	}
}

// TestAgainstStd agrees keys of both sides with each other in all ways.
func TestAgainstStd(t *testing.T) {
	testkit.Tiers(t, impl.P256, func(t *testing.T, tier impl.Tier) {
		for _, p := range pairs {
			rounds := 3
			if p.ours == ecdh.P256() {
				rounds = count(20, 300, 10000)
			}
			for range rounds {
				a := must(p.ours.GenerateKey(rand.Reader))
				b := must(p.std.GenerateKey(rand.Reader))
				checkKey(t, p, a)
				stdA := must(p.std.NewPrivateKey(a.Bytes()))
				ourB := must(p.ours.NewPrivateKey(b.Bytes()))
				checkKey(t, p, ourB)
				if !ourB.Equal(must(ecdh.FromStdPrivateKey(b))) || !a.Equal(must(ecdh.FromStdPrivateKey(stdA))) {
					t.Fatal("converted key differs")
				}
				want := must(stdA.ECDH(b.PublicKey()))
				for i, got := range [][]byte{
					must(a.ECDH(ourB.PublicKey())), must(ourB.ECDH(a.PublicKey())), must(a.ECDH(must(ecdh.FromStdPublicKey(b.PublicKey())))),
					must(a.Std().ECDH(ourB.PublicKey().Std())), must(b.ECDH(a.PublicKey().Std())),
					must(a.ECDH(must(p.ours.NewPublicKey(b.PublicKey().Bytes())))), must(must(ecdh.FromStdPrivateKey(stdA)).ECDH(ourB.PublicKey())),
				} {
					if !bytes.Equal(got, want) {
						t.Fatalf("%v: secret %d is %x, want %x", p.ours, i, got, want)
					}
				}
			}
		}
	})
}

// checkKey checks what the methods of a key say of it.
func checkKey(t *testing.T, p pair, k *ecdh.PrivateKey) {
	t.Helper()
	want := must(p.std.NewPrivateKey(k.Bytes()))
	public := k.PublicKey()
	std, publicStd := k.Std(), public.Std()
	switch {
	case !bytes.Equal(public.Bytes(), want.PublicKey().Bytes()):
		t.Fatalf("public key %x, want %x", public.Bytes(), want.PublicKey().Bytes())
	case k.Curve() != p.ours || public.Curve() != p.ours:
		t.Fatalf("curves %v and %v, want %v", k.Curve(), public.Curve(), p.ours)
	case !k.Std().Equal(want) || !public.Std().Equal(want.PublicKey()):
		t.Fatal("Std returns another key")
	case k.Std() != std || public.Std() != publicStd:
		t.Fatal("Std returns a new key each time")
	case k.Public() != public:
		t.Fatal("Public is not PublicKey")
	case !k.Equal(must(p.ours.NewPrivateKey(k.Bytes()))) || !public.Equal(must(p.ours.NewPublicKey(public.Bytes()))):
		t.Fatal("key is not equal to its copy")
	}
	other := must(p.ours.GenerateKey(rand.Reader))
	if k.Equal(other) || public.Equal(other.PublicKey()) || k.Equal(want) || public.Equal(want.PublicKey()) || k.Equal(nil) || public.Equal(nil) {
		t.Fatal("key is equal to what it is not")
	}
	b := k.Bytes()
	b[0] ^= 1
	e := public.Bytes()
	e[0] ^= 1
	if bytes.Equal(b, k.Bytes()) || bytes.Equal(e, public.Bytes()) {
		t.Fatal("Bytes is not a copy")
	}
}

// TestMixedTiers agrees keys that were made on different tiers.
func TestMixedTiers(t *testing.T) {
	var keys []*ecdh.PrivateKey
	for _, tier := range impl.P256.Supported() {
		restore, err := impl.P256.Force(tier)
		if err != nil {
			t.Fatal(err)
		}
		keys = append(keys, must(ecdh.P256().NewPrivateKey(append(make([]byte, 31), 7))))
		restore()
	}
	for _, a := range keys {
		for _, b := range keys {
			if !a.Equal(b) || !a.PublicKey().Equal(b.PublicKey()) {
				t.Error("equal keys of different tiers differ")
			}
			if !bytes.Equal(must(a.ECDH(b.PublicKey())), must(keys[0].ECDH(keys[0].PublicKey()))) {
				t.Error("secrets of different tiers differ")
			}
		}
	}
}

func TestConversion(t *testing.T) {
	testkit.Tiers(t, impl.P256, func(t *testing.T, tier impl.Tier) {
		for _, p := range pairs {
			std := must(p.std.GenerateKey(rand.Reader))
			if k := must(ecdh.FromStdPrivateKey(std)); k.Std() != std || k.PublicKey().Std() != std.PublicKey() {
				t.Errorf("%v: the private key was made anew", p.ours)
			}
			if k := must(ecdh.FromStdPublicKey(std.PublicKey())); k.Std() != std.PublicKey() {
				t.Errorf("%v: the public key was made anew", p.ours)
			}
		}
		if _, err := ecdh.FromStdPrivateKey(nil); err == nil {
			t.Error("FromStdPrivateKey(nil): no error")
		}
		if _, err := ecdh.FromStdPublicKey(nil); err == nil {
			t.Error("FromStdPublicKey(nil): no error")
		}
	})
}

// inputs returns encodings of private and public keys, good and bad.
func inputs() [][]byte {
	params := elliptic.P256().Params()
	fill := func(v *big.Int) []byte { return v.FillBytes(make([]byte, 32)) }
	point := func(x, y *big.Int) []byte { return append(append([]byte{4}, fill(x)...), fill(y)...) }
	zero, one := new(big.Int), big.NewInt(1)
	zeroY := new(big.Int).ModSqrt(params.B, params.P)
	good := must(stdecdh.P256().GenerateKey(rand.Reader)).PublicKey().Bytes()
	in := [][]byte{
		nil, {0}, {4}, good, good[:64], append(bytes.Clone(good), 0),
		point(zero, zeroY), point(zero, new(big.Int).Sub(params.P, zeroY)), point(params.P, zeroY), point(zero, zero),
		point(params.Gx, params.Gy), point(params.Gx, new(big.Int).Sub(params.P, params.Gy)), point(params.Gy, params.Gx),
		point(params.Gx, new(big.Int).Add(params.Gx, one)), make([]byte, 65), elliptic.MarshalCompressed(elliptic.P256(), params.Gx, params.Gy),
		bytes.Repeat([]byte{0xff}, 32), bytes.Repeat([]byte{0xff}, 65), append([]byte{4}, bytes.Repeat([]byte{0xff}, 64)...),
	}
	for i := int64(-3); i <= 3; i++ {
		in = append(in, fill(new(big.Int).Add(params.N, big.NewInt(i))))
		if i >= 0 {
			in = append(in, fill(big.NewInt(i)), fill(big.NewInt(i))[1:], append([]byte{0}, fill(big.NewInt(i))...))
		}
	}
	for prefix := range byte(8) {
		b := bytes.Clone(good)
		b[0] = prefix
		in = append(in, b)
	}
	// Coordinates of small points with p added: not reduced, yet below 2^256.
	for x := int64(0); x < 20; x++ {
		v := big.NewInt(x)
		y := new(big.Int).Mul(v, v)
		y.Sub(y, big.NewInt(3)).Mul(y, v).Add(y, params.B).Mod(y, params.P)
		if y.ModSqrt(y, params.P) != nil {
			in = append(in, point(v, y), point(new(big.Int).Add(v, params.P), y))
		}
	}
	for _, c := range []stdecdh.Curve{stdecdh.P384(), stdecdh.P521(), stdecdh.X25519()} {
		k := must(c.GenerateKey(rand.Reader))
		in = append(in, k.Bytes(), k.PublicKey().Bytes())
	}
	return in
}

func text(b []byte, err error) string {
	if err != nil {
		return "error: " + err.Error()
	}
	return fmt.Sprintf("%x", b)
}

// compareParsing compares what both sides say of the encoding of a private or public
// key, and what they agree with it.
func compareParsing(t *testing.T, p pair, data []byte) {
	t.Helper()
	peer := must(p.std.GenerateKey(rand.Reader))
	ours, err := p.ours.NewPrivateKey(data)
	std, stdErr := p.std.NewPrivateKey(data)
	if fmt.Sprint(err) != fmt.Sprint(stdErr) {
		t.Fatalf("%v: NewPrivateKey(%x): %v, want %v", p.ours, data, err, stdErr)
	}
	if err == nil {
		checkKey(t, p, ours)
		got, want := text(ours.ECDH(must(ecdh.FromStdPublicKey(peer.PublicKey())))), text(std.ECDH(peer.PublicKey()))
		if got != want {
			t.Errorf("%v: private key %x: secret %s, want %s", p.ours, data, got, want)
		}
	}
	public, err := p.ours.NewPublicKey(data)
	stdPublic, stdErr := p.std.NewPublicKey(data)
	if fmt.Sprint(err) != fmt.Sprint(stdErr) {
		t.Fatalf("%v: NewPublicKey(%x): %v, want %v", p.ours, data, err, stdErr)
	}
	if err == nil {
		if !bytes.Equal(public.Bytes(), data) {
			t.Errorf("%v: public key %x, want %x", p.ours, public.Bytes(), data)
		}
		for range 2 { // the second time with a small scalar, where one can be chosen
			got, want := text(must(ecdh.FromStdPrivateKey(peer)).ECDH(public)), text(peer.ECDH(stdPublic))
			if got != want {
				t.Errorf("%v: public key %x: secret %s, want %s", p.ours, data, got, want)
			}
			if p.ours == ecdh.P256() {
				peer = must(p.std.NewPrivateKey(append(make([]byte, 28), 1, 2, 3, 4)))
			}
		}
	}
}

func TestParsing(t *testing.T) {
	testkit.Tiers(t, impl.P256, func(t *testing.T, tier impl.Tier) {
		for _, p := range pairs {
			for _, data := range inputs() {
				compareParsing(t, p, data)
			}
		}
	})
}

// TestZeroSecret agrees on the points with x = 0: they are as good as any.
func TestZeroSecret(t *testing.T) {
	testkit.Tiers(t, impl.P256, func(t *testing.T, tier impl.Tier) {
		params := elliptic.P256().Params()
		y := new(big.Int).ModSqrt(params.B, params.P)
		for range 2 {
			enc := append([]byte{4}, append(make([]byte, 32), y.FillBytes(make([]byte, 32))...)...)
			for _, d := range []*big.Int{big.NewInt(1), new(big.Int).Sub(params.N, big.NewInt(1))} {
				k := must(ecdh.P256().NewPrivateKey(d.FillBytes(make([]byte, 32))))
				if secret := must(k.ECDH(must(ecdh.P256().NewPublicKey(enc)))); !bytes.Equal(secret, make([]byte, 32)) {
					t.Errorf("secret %x, want zeros", secret)
				}
			}
			y.Sub(params.P, y)
		}
	})
}

// TestScalars agrees scalars at the ends of the range and around powers of two.
func TestScalars(t *testing.T) {
	testkit.Tiers(t, impl.P256, func(t *testing.T, tier impl.Tier) {
		n := elliptic.P256().Params().N
		peer := must(stdecdh.P256().GenerateKey(rand.Reader))
		ours := must(ecdh.FromStdPublicKey(peer.PublicKey()))
		check := func(d *big.Int) {
			if d.Sign() <= 0 || d.Cmp(n) >= 0 {
				return
			}
			b := d.FillBytes(make([]byte, 32))
			k, std := must(ecdh.P256().NewPrivateKey(b)), must(stdecdh.P256().NewPrivateKey(b))
			if !bytes.Equal(k.PublicKey().Bytes(), std.PublicKey().Bytes()) {
				t.Errorf("%x: public key %x, want %x", b, k.PublicKey().Bytes(), std.PublicKey().Bytes())
			}
			if got, want := must(k.ECDH(ours)), must(std.ECDH(peer.PublicKey())); !bytes.Equal(got, want) {
				t.Errorf("%x: secret %x, want %x", b, got, want)
			}
		}
		edge := int64(count(20, 300, 300))
		for i := int64(0); i <= edge; i++ {
			check(big.NewInt(i))
			check(new(big.Int).Sub(n, big.NewInt(i)))
		}
		for i := uint(0); i <= 256; i++ {
			for j := int64(-1); j <= 1; j++ {
				check(new(big.Int).Add(new(big.Int).Lsh(big.NewInt(1), i), big.NewInt(j)))
			}
		}
	})
}

func TestMismatchedCurves(t *testing.T) {
	testkit.Tiers(t, impl.P256, func(t *testing.T, tier impl.Tier) {
		for _, p := range pairs {
			for _, q := range pairs {
				a, b := must(p.ours.GenerateKey(rand.Reader)), must(q.ours.GenerateKey(rand.Reader))
				_, err := a.ECDH(b.PublicKey())
				_, want := a.Std().ECDH(b.PublicKey().Std())
				if fmt.Sprint(err) != fmt.Sprint(want) {
					t.Errorf("%v and %v: %v, want %v", p.ours, q.ours, err, want)
				}
				if p != q && (a.Equal(b) || a.PublicKey().Equal(b.PublicKey())) {
					t.Errorf("a key of %v equals one of %v", p.ours, q.ours)
				}
			}
		}
	})
}

type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, io.ErrClosedPipe }

// TestReaders checks when the caller's reader is read: as in crypto/ecdh.
func TestReaders(t *testing.T) {
	testkit.Tiers(t, impl.P256, func(t *testing.T, tier impl.Tier) {
		for _, p := range pairs {
			t.Setenv("GODEBUG", "cryptocustomrand=0")
			for _, r := range []io.Reader{nil, failing{}} {
				if _, err := p.ours.GenerateKey(r); err != nil {
					t.Errorf("%v: the reader was read: %v", p.ours, err)
				}
			}
			t.Setenv("GODEBUG", "cryptocustomrand=1")
			if _, err := p.ours.GenerateKey(failing{}); !errors.Is(err, io.ErrClosedPipe) {
				t.Errorf("%v: with cryptocustomrand=1: %v", p.ours, err)
			}
		}
	})
}

// TestGlobalRandom checks that a test's random source makes the same keys here and
// in crypto/ecdh.
func TestGlobalRandom(t *testing.T) {
	testkit.Tiers(t, impl.P256, func(t *testing.T, tier impl.Tier) {
		for _, p := range pairs {
			for seed := range uint64(20) {
				cryptotest.SetGlobalRandom(t, seed)
				got := must(p.ours.GenerateKey(rand.Reader))
				cryptotest.SetGlobalRandom(t, seed)
				if want := must(p.std.GenerateKey(rand.Reader)); !bytes.Equal(got.Bytes(), want.Bytes()) {
					t.Errorf("%v, seed %d: key differs from crypto/ecdh's", p.ours, seed)
				}
			}
		}
	})
}

// TestBatch mixes keys of all curves, nil ones and pairs that do not fit.
func TestBatch(t *testing.T) {
	testkit.Tiers(t, impl.P256, func(t *testing.T, _ impl.Tier) {
		testkit.Tiers(t, impl.P256Batch, func(t *testing.T, _ impl.Tier) {
			rng := mathrand.New(testkit.Rand(t))
			for _, n := range []int{0, 1, 7, 8, 9, 63, 64, 65, count(100, 1000, 1000)} {
				keys, remotes, want := make([]*ecdh.PrivateKey, n), make([]*ecdh.PublicKey, n), make([][]byte, n)
				var wrong []string
				for i := range keys {
					p := pairs[max(0, rng.IntN(32)-28)]
					keys[i], remotes[i] = must(p.ours.GenerateKey(rand.Reader)), must(p.ours.GenerateKey(rand.Reader)).PublicKey()
					why := ""
					switch rng.IntN(16) {
					case 0:
						keys[i], why = nil, "key is nil"
					case 1:
						remotes[i], why = nil, "key is nil"
					case 2:
						other := pairs[rng.IntN(len(pairs))]
						remotes[i] = must(other.ours.GenerateKey(rand.Reader)).PublicKey()
						if other != p {
							why = "crypto/ecdh: private key and public key curves do not match"
						}
					}
					if why == "" {
						want[i] = must(keys[i].Std().ECDH(remotes[i].Std()))
					} else {
						wrong = append(wrong, fmt.Sprintf("ecdh: batch element %d: %s", i, why))
					}
				}
				got, err := ecdh.Batch(keys, remotes)
				text := ""
				if err != nil {
					text = err.Error()
				}
				if want := strings.Join(wrong, "\n"); text != want {
					t.Errorf("n = %d: error %q, want %q", n, text, want)
				}
				if len(got) != n {
					t.Fatalf("%d secrets for %d elements", len(got), n)
				}
				for i := range got {
					if !bytes.Equal(got[i], want[i]) || (got[i] == nil) != (want[i] == nil) {
						t.Errorf("n = %d, element %d: secret %x, want %x", n, i, got[i], want[i])
					}
				}
			}
		})
	})
	if secrets, err := ecdh.Batch(make([]*ecdh.PrivateKey, 2), nil); err == nil || secrets != nil {
		t.Errorf("lengths that differ: %v, %v", secrets, err)
	}
}

// TestBatchLowOrder checks the one error that crypto/ecdh has in ECDH itself.
func TestBatchLowOrder(t *testing.T) {
	k := must(ecdh.X25519().GenerateKey(rand.Reader))
	zero := must(ecdh.X25519().NewPublicKey(make([]byte, 32)))
	secrets, err := ecdh.Batch([]*ecdh.PrivateKey{k, k}, []*ecdh.PublicKey{zero, k.PublicKey()})
	_, want := k.Std().ECDH(zero.Std())
	if err == nil || err.Error() != "ecdh: batch element 0: "+want.Error() || secrets[0] != nil || secrets[1] == nil {
		t.Errorf("secrets %x, error %v", secrets, err)
	}
}

func TestConcurrent(t *testing.T) {
	testkit.Tiers(t, impl.P256, func(t *testing.T, tier impl.Tier) {
		a, b := must(ecdh.P256().GenerateKey(rand.Reader)), must(ecdh.P256().GenerateKey(rand.Reader))
		want := must(a.ECDH(b.PublicKey()))
		var wg sync.WaitGroup
		std := make([]*stdecdh.PrivateKey, 64)
		for g := range std {
			wg.Go(func() {
				if !bytes.Equal(must(b.ECDH(a.PublicKey())), want) {
					t.Error("secrets differ")
				}
				if std[g] = b.Std(); !bytes.Equal(must(std[g].ECDH(a.PublicKey().Std())), want) {
					t.Error("crypto/ecdh's secret differs")
				}
			})
		}
		wg.Wait()
		for _, k := range std {
			if k != std[0] {
				t.Error("Std returned different keys")
			}
		}
	})
}

func TestAllocations(t *testing.T) {
	testkit.Tiers(t, impl.P256, func(t *testing.T, tier impl.Tier) {
		if tier == impl.Generic {
			t.Skip("crypto/ecdh allocates")
		}
		if testkit.Race {
			t.Skip("the race detector allocates")
		}
		k := must(ecdh.P256().GenerateKey(rand.Reader))
		private, public := k.Bytes(), k.PublicKey().Bytes()
		for name, f := range map[string]func(){
			"ECDH":          func() { k.ECDH(k.PublicKey()) },
			"GenerateKey":   func() { ecdh.P256().GenerateKey(rand.Reader) },
			"NewPrivateKey": func() { ecdh.P256().NewPrivateKey(private) },
			"NewPublicKey":  func() { ecdh.P256().NewPublicKey(public) },
		} {
			if got := testing.AllocsPerRun(50, f); got != 1 {
				t.Errorf("%s: %v allocations, want 1", name, got)
			}
		}
	})
}
