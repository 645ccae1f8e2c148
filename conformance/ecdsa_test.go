package conformance

import (
	"bytes"
	"crypto"
	stdecdsa "crypto/ecdsa"
	"crypto/elliptic"
	_ "crypto/sha256"
	"crypto/sha3"
	_ "crypto/sha512"
	"crypto/x509"
	"encoding/asn1"
	"encoding/pem"
	"errors"
	"math/big"
	"slices"
	"testing"

	"github.com/fastcrypto-go/fastcrypto/ecdsa"
	"github.com/fastcrypto-go/fastcrypto/internal/impl"
	"github.com/fastcrypto-go/fastcrypto/internal/testkit"
)

type ecdsaVector struct {
	vector
	Msg hexBytes `json:"msg"`
	Sig hexBytes `json:"sig"`
}

type ecdsaGroup struct {
	group[ecdsaVector]
	PublicKey struct {
		Type         string   `json:"type"`
		Curve        string   `json:"curve"`
		KeySize      int      `json:"keySize"`
		Uncompressed hexBytes `json:"uncompressed"`
		WX           string   `json:"wx"`
		WY           string   `json:"wy"`
	} `json:"publicKey"`
	DER hexBytes `json:"publicKeyDer"`
	PEM string   `json:"publicKeyPem"`
	JWK *jwk     `json:"publicKeyJwk"` // only in some groups of P1363 files
	SHA string   `json:"sha"`
}

// hashes are the hash functions as Wycheproof names them. RFC 8692 fixes the
// lengths of SHAKE's output.
var hashes = map[string]func(msg []byte) []byte{
	"SHA-256":  hashWith(crypto.SHA256),
	"SHA-384":  hashWith(crypto.SHA384),
	"SHA-512":  hashWith(crypto.SHA512),
	"SHA3-256": hashWith(crypto.SHA3_256),
	"SHA3-384": hashWith(crypto.SHA3_384),
	"SHA3-512": hashWith(crypto.SHA3_512),
	"SHAKE128": func(msg []byte) []byte { return sha3.SumSHAKE128(msg, 32) },
	"SHAKE256": func(msg []byte) []byte { return sha3.SumSHAKE256(msg, 64) },
}

func hashWith(h crypto.Hash) func(msg []byte) []byte {
	return func(msg []byte) []byte {
		d := h.New()
		d.Write(msg)
		return d.Sum(nil)
	}
}

func TestECDSA(t *testing.T) {
	for _, f := range filesOf("EcdsaVerify", "EcdsaP1363Verify") {
		t.Run(f.name, func(t *testing.T) {
			slow(t, f)
			f, groups := load[ecdsaGroup, ecdsaVector](t, f.name)
			// Expectations of the standard library, which no tier changes.
			var cases []ecdsaCase
			for i := range groups {
				cases = append(cases, ecdsaCases(t, f, &groups[i])...)
			}
			tiers(t, primitiveOf(cases[0].pub.Curve), func(t *testing.T) { runECDSA(t, f, cases) })
		})
	}
}

// tiers runs f on each tier of p, or once if p is nil, for curves that have no
// kernels.
func tiers(t *testing.T, p *impl.Primitive, f func(t *testing.T)) {
	if p == nil {
		t.Run(impl.Generic.String(), f)
		return
	}
	testkit.Tiers(t, p, func(t *testing.T, _ impl.Tier) { f(t) })
}

// primitiveOf returns the kernel table that serves the curve, or nil.
func primitiveOf(c elliptic.Curve) *impl.Primitive {
	if c == elliptic.P256() {
		return impl.P256
	}
	return nil
}

// An ecdsaCase is a vector with its parts decoded.
type ecdsaCase struct {
	*ecdsaVector
	pub  *stdecdsa.PublicKey
	hash []byte
	asn1 []byte   // the signature in DER; nil where it has no such form
	r, s *big.Int // nil where the signature has no such parts
	std  error    // what the standard library makes of it
}

var errRejected = errors.New("rejected")

func verdict(ok bool) error {
	if ok {
		return nil
	}
	return errRejected
}

func ecdsaCases(t *testing.T, f *file, g *ecdsaGroup) []ecdsaCase {
	t.Helper()
	pub := ecdsaKey(t, g)
	hash, ok := hashes[g.SHA]
	if !ok {
		t.Fatalf("unknown hash %q", g.SHA)
	}
	var cases []ecdsaCase
	for i := range g.Tests {
		v := &g.Tests[i]
		c := ecdsaCase{ecdsaVector: v, pub: pub, hash: hash(v.Msg)}
		if f.kind == "EcdsaVerify" {
			c.asn1 = v.Sig
			var parts struct{ R, S *big.Int }
			if rest, err := asn1.Unmarshal(v.Sig, &parts); err == nil && len(rest) == 0 {
				// encoding/asn1 takes some encodings that are not DER.
				if der, err := asn1.Marshal(parts); err == nil && bytes.Equal(der, v.Sig) {
					c.r, c.s = parts.R, parts.S
				}
			}
			c.std = verdict(stdecdsa.VerifyASN1(pub, c.hash, c.asn1))
		} else {
			// IEEE P1363: r and s, each as long as the order.
			c.std = errRejected
			if n := (pub.Curve.Params().N.BitLen() + 7) / 8; len(v.Sig) == 2*n {
				c.r, c.s = new(big.Int).SetBytes(v.Sig[:n]), new(big.Int).SetBytes(v.Sig[n:])
				der, err := asn1.Marshal(struct{ R, S *big.Int }{c.r, c.s})
				if err != nil {
					t.Fatal(err)
				}
				c.asn1 = der
				c.std = verdict(stdecdsa.Verify(pub, c.hash, c.r, c.s))
			}
		}
		cases = append(cases, c)
	}
	return cases
}

// ecdsaKey decodes the group's public key from each of its encodings, which must
// agree.
func ecdsaKey(t *testing.T, g *ecdsaGroup) *stdecdsa.PublicKey {
	t.Helper()
	k, err := x509.ParsePKIXPublicKey(g.DER)
	if err != nil {
		t.Fatal(err)
	}
	pub, ok := k.(*ecdsa.PublicKey)
	if !ok {
		t.Fatalf("a key of type %T", k)
	}
	curve := curves[g.PublicKey.Curve]
	if curve == nil || pub.Curve != curve.elliptic || g.PublicKey.KeySize != pub.Curve.Params().BitSize {
		t.Fatalf("the key of curve %s is on %s", g.PublicKey.Curve, pub.Curve.Params().Name)
	}
	if b, _ := pem.Decode([]byte(g.PEM)); b == nil || b.Type != "PUBLIC KEY" || !bytes.Equal(b.Bytes, g.DER) {
		t.Fatal("the PEM encoding is not that of the DER encoding")
	}
	raw, err := ecdsa.ParseUncompressedPublicKey(curve.elliptic, g.PublicKey.Uncompressed)
	if err != nil || !raw.Equal(pub) {
		t.Fatalf("ParseUncompressedPublicKey(%x) = %v, %v", g.PublicKey.Uncompressed, raw, err)
	}
	if g.JWK != nil {
		point, err := g.JWK.ecPoint(curve)
		if err != nil || !bytes.Equal(point, g.PublicKey.Uncompressed) {
			t.Fatalf("the JWK is of another key: %x, %v", point, err)
		}
	}
	return pub
}

// runECDSA gives every case to every function that verifies, alone and in
// batches. All must agree.
func runECDSA(t *testing.T, f *file, cases []ecdsaCase) {
	y := tally{f: f}
	verifiers := map[*stdecdsa.PublicKey]*ecdsa.Verifier{}
	var (
		pubs         []*stdecdsa.PublicKey
		digests, sig [][]byte
		batched      []*ecdsaCase
		outcomes     []error
	)
	for i := range cases {
		c := &cases[i]
		v := verifiers[c.pub]
		if v == nil {
			var err error
			if v, err = ecdsa.NewVerifier(c.pub); err != nil {
				t.Fatal(err)
			}
			verifiers[c.pub] = v
		}
		// Curves without kernels are slow: there one way of each pair takes every
		// other vector.
		all := primitiveOf(c.pub.Curve) != nil
		ways := map[string]error{}
		if c.asn1 != nil {
			if all || i%2 == 0 || c.r == nil {
				ways["VerifyASN1"] = verdict(ecdsa.VerifyASN1(c.pub, c.hash, c.asn1))
			}
			if all || i%2 == 1 {
				ways["Verifier.VerifyASN1"] = verdict(v.VerifyASN1(c.hash, c.asn1))
			}
		}
		if c.r != nil {
			if all || i%4 == 1 {
				ways["Verify"] = verdict(ecdsa.Verify(c.pub, c.hash, c.r, c.s))
			}
			if all || i%4 == 2 {
				ways["Verifier.Verify"] = verdict(v.Verify(c.hash, c.r, c.s))
			}
		}
		// Without a form that the API takes there is nothing to accept.
		outcome := errRejected
		for _, err := range ways {
			outcome = err
		}
		for way, err := range ways {
			if err != outcome {
				t.Errorf("%v: %s gives %v; all: %v", &c.vector, way, err, ways)
			}
		}
		y.judge(t, &c.vector, outcome, c.std)
		if c.asn1 != nil {
			pubs, digests, sig = append(pubs, c.pub), append(digests, c.hash), append(sig, c.asn1)
			batched, outcomes = append(batched, c), append(outcomes, outcome)
		}
	}
	y.done(t)

	forged := forgeries(cases)
	for _, c := range forged {
		if ecdsa.VerifyASN1(c.pub, c.hash, c.asn1) || verifiers[c.pub].VerifyASN1(c.hash, c.asn1) {
			t.Errorf("%v: accepted when changed to %x", &c.vector, c.asn1)
		}
		pubs, digests, sig = append(pubs, c.pub), append(digests, c.hash), append(sig, c.asn1)
		batched, outcomes = append(batched, c), append(outcomes, errRejected)
	}

	tiersOfBatch(t, cases[0].pub.Curve, func(t *testing.T) {
		// In batches of one to nine, and the whole file at once.
		if primitiveOf(cases[0].pub.Curve) != nil {
			checkBatch(t, pubs, digests, sig, batched, outcomes)
		}
		for size, i := 1, 0; i < len(pubs); size = size%9 + 1 {
			j := min(i+size, len(pubs))
			checkBatch(t, pubs[i:j], digests[i:j], sig[i:j], batched[i:j], outcomes[i:j])
			i = j
		}
	})
}

// forgeries returns the file's first valid signature with the last byte of r, and
// then that of s, set to each other value: the invalid vectors whose encoding is
// right are few, and their r and s have few different ends. Curves without kernels
// have none.
func forgeries(cases []ecdsaCase) (forged []*ecdsaCase) {
	i := slices.IndexFunc(cases, func(c ecdsaCase) bool { return c.Result == valid && c.asn1 != nil })
	if i < 0 || primitiveOf(cases[i].pub.Curve) == nil {
		return nil
	}
	sig := cases[i].asn1
	for _, last := range []int{3 + int(sig[3]), len(sig) - 1} {
		for v := range 256 {
			if byte(v) != sig[last] {
				c := cases[i]
				c.asn1 = bytes.Clone(sig)
				c.asn1[last] = byte(v)
				forged = append(forged, &c)
			}
		}
	}
	return forged
}

// tiersOfBatch runs f on each tier of the batch kernels of the curve, under the
// tier of the single operations that is forced already.
func tiersOfBatch(t *testing.T, c elliptic.Curve, f func(t *testing.T)) {
	if c != elliptic.P256() {
		f(t)
		return
	}
	t.Run("batch", func(t *testing.T) {
		testkit.Tiers(t, impl.P256Batch, func(t *testing.T, _ impl.Tier) { f(t) })
	})
}

func checkBatch(t *testing.T, pubs []*stdecdsa.PublicKey, hashes, sigs [][]byte, cases []*ecdsaCase, want []error) {
	t.Helper()
	got := ecdsa.VerifyBatch(pubs, hashes, sigs)
	if len(got) != len(pubs) {
		t.Fatalf("VerifyBatch of %d gives %d results", len(pubs), len(got))
	}
	for i, ok := range got {
		if verdict(ok) != want[i] {
			t.Errorf("%v: %v in a batch of %d, %v alone", &cases[i].vector, verdict(ok), len(got), want[i])
		}
	}
}

// filesOf returns the files with groups of the given types.
func filesOf(kinds ...string) []*file {
	var of []*file
	for i := range files {
		if slices.Contains(kinds, files[i].kind) {
			of = append(of, &files[i])
		}
	}
	return of
}
