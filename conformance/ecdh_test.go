package conformance

import (
	"bytes"
	stdecdh "crypto/ecdh"
	stdecdsa "crypto/ecdsa"
	"crypto/elliptic"
	"crypto/x509"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"testing"

	"github.com/fastcrypto-go/fastcrypto/ecdh"
)

// A curve is one curve under all its names.
type curve struct {
	jwk      string
	size     int // bytes of a coordinate and of a private key
	elliptic elliptic.Curve
	std      stdecdh.Curve
	ours     ecdh.Curve
}

// curves are the curves of the API as Wycheproof names them.
var curves = map[string]*curve{
	"secp256r1":  {"P-256", 32, elliptic.P256(), stdecdh.P256(), ecdh.P256()},
	"secp384r1":  {"P-384", 48, elliptic.P384(), stdecdh.P384(), ecdh.P384()},
	"secp521r1":  {"P-521", 66, elliptic.P521(), stdecdh.P521(), ecdh.P521()},
	"curve25519": {"X25519", 32, nil, stdecdh.X25519(), ecdh.X25519()},
}

func init() {
	for _, name := range []string{"secp256r1", "secp384r1", "secp521r1"} {
		curves[curves[name].jwk] = curves[name] // as the webcrypto files name them
	}
}

// A jwk is a JSON Web Key of a kind that the curves use.
type jwk struct {
	Type  string `json:"kty"`
	Curve string `json:"crv"`
	KeyID string `json:"kid"`
	X     string `json:"x"`
	Y     string `json:"y"`
	D     string `json:"d"`
}

var errJWK = errors.New("not a JSON Web Key of this curve")

// ecPoint returns the uncompressed point of an EC key.
func (k *jwk) ecPoint(c *curve) ([]byte, error) {
	x, errX := base64.RawURLEncoding.DecodeString(k.X)
	y, errY := base64.RawURLEncoding.DecodeString(k.Y)
	if err := errors.Join(errX, errY); err != nil {
		return nil, err
	}
	if k.Type != "EC" || k.Curve != c.jwk || len(x) != c.size || len(y) != c.size {
		return nil, errJWK
	}
	return append(append([]byte{4}, x...), y...), nil
}

// okpPoint returns the public key of an octet key pair (RFC 8037).
func (k *jwk) okpPoint(c *curve) ([]byte, error) {
	if k.Type != "OKP" || k.Curve != c.jwk || k.Y != "" {
		return nil, errJWK
	}
	return base64.RawURLEncoding.DecodeString(k.X)
}

// An ecdhVector holds keys in the encoding of its file: a string or a JWK.
type ecdhVector struct {
	vector
	Public  json.RawMessage `json:"public"`
	Private json.RawMessage `json:"private"`
	Shared  hexBytes        `json:"shared"`
}

type ecdhGroup struct {
	group[ecdhVector]
	Curve    string `json:"curve"`
	Encoding string `json:"encoding"` // absent in files of X25519
}

// strict decodes a value of a vector that is JSON of its own.
func strict[T any](t *testing.T, text json.RawMessage) (v T) {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&v); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return v
}

// A keyPair is what a vector decodes to: the key to agree with and the private
// key, each for the standard library and for fastcrypto. Where both are made
// from the same bytes, nothing of the one went through the other.
type keyPair struct {
	stdPublic  *stdecdh.PublicKey
	stdPrivate *stdecdh.PrivateKey
	public     *ecdh.PublicKey
	private    *ecdh.PrivateKey
}

// rawPublic parses an encoded point with both libraries.
func (k *keyPair) rawPublic(c *curve, b []byte) (std, ours error) {
	k.stdPublic, std = c.std.NewPublicKey(b)
	k.public, ours = c.ours.NewPublicKey(b)
	return std, ours
}

func (k *keyPair) rawPrivate(c *curve, b []byte) (std, ours error) {
	k.stdPrivate, std = c.std.NewPrivateKey(b)
	k.private, ours = c.ours.NewPrivateKey(b)
	return std, ours
}

// parsedPublic takes what crypto/x509 made of a SubjectPublicKeyInfo.
func (k *keyPair) parsedPublic(c *curve, der []byte) (std, ours error) {
	parsed, err := x509.ParsePKIXPublicKey(der)
	if err != nil {
		return err, err
	}
	switch p := parsed.(type) {
	case *stdecdsa.PublicKey:
		if k.stdPublic, err = p.ECDH(); err != nil {
			return err, err
		}
	case *stdecdh.PublicKey:
		k.stdPublic = p
	default:
		err := fmt.Errorf("a key of type %T", parsed)
		return err, err
	}
	if k.stdPublic.Curve() != c.std {
		err := fmt.Errorf("a key on %v", k.stdPublic.Curve())
		return err, err
	}
	k.public, ours = ecdh.FromStdPublicKey(k.stdPublic)
	return nil, ours
}

// parsedPrivate takes what crypto/x509 made of a PrivateKeyInfo.
func (k *keyPair) parsedPrivate(der []byte) (std, ours error) {
	parsed, err := x509.ParsePKCS8PrivateKey(der)
	if err != nil {
		return err, err
	}
	switch p := parsed.(type) {
	case *stdecdsa.PrivateKey:
		if k.stdPrivate, err = p.ECDH(); err != nil {
			return err, err
		}
	case *stdecdh.PrivateKey:
		k.stdPrivate = p
	default:
		err := fmt.Errorf("a key of type %T", parsed)
		return err, err
	}
	k.private, ours = ecdh.FromStdPrivateKey(k.stdPrivate)
	return nil, ours
}

// unhex decodes a hexadecimal string.
func unhex(t *testing.T, text json.RawMessage) []byte {
	t.Helper()
	b, err := hex.DecodeString(strict[string](t, text))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// scalar brings an integer, which may have leading zeros or lack them, to the
// length of a private key.
func scalar(c *curve, b []byte) []byte {
	b = bytes.TrimLeft(b, "\x00")
	if len(b) > c.size {
		return b
	}
	return append(make([]byte, c.size-len(b)), b...)
}

func unpem(t *testing.T, text json.RawMessage, kind string) ([]byte, error) {
	t.Helper()
	s := strict[string](t, text)
	b, rest := pem.Decode([]byte(s))
	if b == nil || b.Type != kind || len(rest) != 0 {
		return nil, errors.New("no PEM block " + kind)
	}
	return b.Bytes, nil
}

// decode makes the keys of a vector, and returns what the standard library and
// what fastcrypto think of them.
func decode(t *testing.T, kind string, c *curve, v *ecdhVector) (k keyPair, std, ours error) {
	t.Helper()
	private := func(parse func() (error, error)) {
		if std == nil && ours == nil {
			std, ours = parse()
		}
	}
	switch kind {
	case "EcdhTest":
		std, ours = k.parsedPublic(c, unhex(t, v.Public))
		private(func() (error, error) { return k.rawPrivate(c, scalar(c, unhex(t, v.Private))) })
	case "EcdhEcpointTest":
		std, ours = k.rawPublic(c, unhex(t, v.Public))
		private(func() (error, error) { return k.rawPrivate(c, scalar(c, unhex(t, v.Private))) })
	case "EcdhWebcryptoTest":
		public, secret := strict[jwk](t, v.Public), strict[jwk](t, v.Private)
		point, err := public.ecPoint(c)
		if err != nil {
			return k, err, err
		}
		std, ours = k.rawPublic(c, point)
		private(func() (error, error) {
			d, err := base64.RawURLEncoding.DecodeString(secret.D)
			if err != nil || secret.Curve != c.jwk {
				return errJWK, errJWK
			}
			return k.rawPrivate(c, scalar(c, d))
		})
	case "XdhComp":
		std, ours = k.rawPublic(c, unhex(t, v.Public))
		private(func() (error, error) { return k.rawPrivate(c, unhex(t, v.Private)) })
	case "XdhAsnComp":
		std, ours = k.parsedPublic(c, unhex(t, v.Public))
		private(func() (error, error) { return k.parsedPrivate(unhex(t, v.Private)) })
	case "EcdhPemTest", "XdhPemComp":
		der, err := unpem(t, v.Public, "PUBLIC KEY")
		if err != nil {
			return k, err, err
		}
		std, ours = k.parsedPublic(c, der)
		private(func() (error, error) {
			der, err := unpem(t, v.Private, "PRIVATE KEY")
			if err != nil {
				return err, err
			}
			return k.parsedPrivate(der)
		})
	case "XdhJwkComp":
		public, secret := strict[jwk](t, v.Public), strict[jwk](t, v.Private)
		point, err := public.okpPoint(c)
		if err != nil {
			return k, err, err
		}
		std, ours = k.rawPublic(c, point)
		private(func() (error, error) {
			d, err := base64.RawURLEncoding.DecodeString(secret.D)
			if err != nil || secret.Curve != c.jwk {
				return errJWK, errJWK
			}
			return k.rawPrivate(c, d)
		})
	default:
		t.Fatalf("unknown type of group %q", kind)
	}
	return k, std, ours
}

var errSecret = errors.New("another shared secret")

// agree returns an error where the key agreement does, or where the secret is
// not want. In a vector that is invalid because of its keys, want is empty.
func agree[Priv interface{ ECDH(Pub) ([]byte, error) }, Pub any](private Priv, public Pub, want []byte) error {
	got, err := private.ECDH(public)
	if err == nil && !bytes.Equal(got, want) {
		err = fmt.Errorf("%w: %x", errSecret, got)
	}
	return err
}

func TestECDH(t *testing.T) {
	for _, f := range filesOf("EcdhTest", "EcdhPemTest", "EcdhEcpointTest", "EcdhWebcryptoTest",
		"XdhComp", "XdhAsnComp", "XdhPemComp", "XdhJwkComp") {
		t.Run(f.name, func(t *testing.T) {
			slow(t, f)
			f, groups := load[ecdhGroup, ecdhVector](t, f.name)
			if len(groups) != 1 {
				t.Fatalf("%d groups", len(groups))
			}
			g := &groups[0]
			c := curves[g.Curve]
			if c == nil {
				t.Fatalf("unknown curve %q", g.Curve)
			}
			if want := encodings[g.Type]; g.Encoding != want {
				t.Fatalf("the encoding is %q, want %q", g.Encoding, want)
			}
			std := make([]error, len(g.Tests))
			for i := range g.Tests {
				k, err, _ := decode(t, f.kind, c, &g.Tests[i])
				if err == nil {
					err = known.agree(&k, g.Tests[i].Shared)
				}
				std[i] = err
			}
			tiers(t, primitiveOf(c.elliptic), func(t *testing.T) { runECDH(t, f, c, g.Tests, std) })
		})
	}
}

// known remembers the standard library's secrets: the files of one curve hold
// the same keys in different encodings.
var known = stdSecrets{}

type stdSecrets map[string]error

func (m stdSecrets) agree(k *keyPair, want []byte) error {
	key := fmt.Sprint(k.stdPublic.Curve(), k.stdPublic.Bytes(), k.stdPrivate.Bytes(), want)
	err, done := m[key]
	if !done {
		err = agree(k.stdPrivate, k.stdPublic, want)
		m[key] = err
	}
	return err
}

// encodings are the names of public keys' encodings, as groups state them.
var encodings = map[string]string{
	"EcdhTest": "asn", "EcdhPemTest": "pem", "EcdhEcpointTest": "ecpoint", "EcdhWebcryptoTest": "webcrypto",
}

// runECDH agrees on the secret of each vector, alone and in batches.
func runECDH(t *testing.T, f *file, c *curve, vectors []ecdhVector, std []error) {
	y := tally{f: f}
	var (
		private []*ecdh.PrivateKey
		public  []*ecdh.PublicKey
		batched []*ecdhVector
	)
	for i := range vectors {
		v := &vectors[i]
		k, _, err := decode(t, f.kind, c, v)
		if err == nil {
			err = agree(k.private, k.public, v.Shared)
			if err == nil {
				private, public = append(private, k.private), append(public, k.public)
				batched = append(batched, v)
			}
			encodes(t, v, &k)
		}
		y.judge(t, &v.vector, err, std[i])
	}
	y.done(t)

	if primitiveOf(c.elliptic) == nil {
		// Slow, and one agreement after the other: some are enough.
		some := min(45, len(private))
		private, public, batched = private[:some], public[:some], batched[:some]
	}
	tiersOfBatch(t, c.elliptic, func(t *testing.T) {
		for size, i := 1, 0; i < len(private); size = size%9 + 1 {
			j := min(i+size, len(private))
			secrets, err := ecdh.Batch(private[i:j], public[i:j])
			if err != nil || len(secrets) != j-i {
				t.Fatalf("Batch of %d gives %d secrets, %v", j-i, len(secrets), err)
			}
			for n, s := range secrets {
				if !bytes.Equal(s, batched[i+n].Shared) {
					t.Errorf("%v: %x in a batch of %d, want %x", &batched[i+n].vector, s, j-i, batched[i+n].Shared)
				}
			}
			i = j
		}
	})
}

// encodes checks that the keys encode, and compute the public key, as the
// standard library's do.
func encodes(t *testing.T, v *ecdhVector, k *keyPair) {
	t.Helper()
	if !bytes.Equal(k.public.Bytes(), k.stdPublic.Bytes()) || !k.public.Std().Equal(k.stdPublic) {
		t.Errorf("%v: public key %x, want %x", &v.vector, k.public.Bytes(), k.stdPublic.Bytes())
	}
	if !bytes.Equal(k.private.Bytes(), k.stdPrivate.Bytes()) || !k.private.Std().Equal(k.stdPrivate) {
		t.Errorf("%v: the private key changed", &v.vector)
	}
	if !bytes.Equal(k.private.PublicKey().Bytes(), k.stdPrivate.PublicKey().Bytes()) {
		t.Errorf("%v: public part %x, want %x", &v.vector, k.private.PublicKey().Bytes(), k.stdPrivate.PublicKey().Bytes())
	}
}
