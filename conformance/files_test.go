package conformance

import (
	"io/fs"
	"regexp"
	"slices"
	"testing"

	"github.com/c2sp/wycheproof"
)

// counts are of groups and vectors. Of the acceptable vectors, some are accepted
// and the others rejected, always as the standard library does.
type counts struct{ groups, valid, invalid, acceptable, accepted int }

func (c counts) tests() int { return c.valid + c.invalid + c.acceptable }

// A file is a file of vectors that run, all of them.
type file struct {
	name   string
	schema string
	kind   string // the type of its groups
	counts
}

// total is how many files of vectors there are.
const total = 343

// files are the files for what the API offers. No group of them is skipped.
var files = []file{
	{"aes_gcm_test.json", "aead_test_schema_v1.json", "AeadTest", counts{45, 229, 87, 0, 0}},
	{"aes_gmac_test.json", "mac_with_iv_test_schema_v1.json", "MacWithIvTest", counts{6, 90, 324, 0, 0}},
	{"chacha20_poly1305_test.json", "aead_test_schema_v1.json", "AeadTest", counts{10, 256, 69, 0, 0}},
	{"xchacha20_poly1305_test.json", "aead_test_schema_v1.json", "AeadTest", counts{10, 246, 69, 0, 0}},
	{"ecdsa_secp256r1_sha256_p1363_test.json", "ecdsa_p1363_verify_schema_v1.json", "EcdsaP1363Verify", counts{112, 173, 89, 0, 0}},
	{"ecdsa_secp256r1_sha256_test.json", "ecdsa_verify_schema_v1.json", "EcdsaVerify", counts{113, 174, 310, 0, 0}},
	{"ecdsa_secp256r1_sha3_256_test.json", "ecdsa_verify_schema_v1.json", "EcdsaVerify", counts{104, 178, 304, 0, 0}},
	{"ecdsa_secp256r1_sha3_512_test.json", "ecdsa_verify_schema_v1.json", "EcdsaVerify", counts{104, 243, 305, 0, 0}},
	{"ecdsa_secp256r1_sha512_p1363_test.json", "ecdsa_p1363_verify_schema_v1.json", "EcdsaP1363Verify", counts{112, 242, 90, 0, 0}},
	{"ecdsa_secp256r1_sha512_test.json", "ecdsa_verify_schema_v1.json", "EcdsaVerify", counts{113, 243, 311, 0, 0}},
	{"ecdsa_secp256r1_shake128_p1363_test.json", "ecdsa_p1363_verify_schema_v1.json", "EcdsaP1363Verify", counts{103, 175, 83, 0, 0}},
	{"ecdsa_secp256r1_shake128_test.json", "ecdsa_verify_schema_v1.json", "EcdsaVerify", counts{104, 176, 304, 0, 0}},
	{"ecdsa_secp384r1_sha256_test.json", "ecdsa_verify_schema_v1.json", "EcdsaVerify", counts{105, 162, 310, 0, 0}},
	{"ecdsa_secp384r1_sha384_p1363_test.json", "ecdsa_p1363_verify_schema_v1.json", "EcdsaP1363Verify", counts{104, 193, 87, 0, 0}},
	{"ecdsa_secp384r1_sha384_test.json", "ecdsa_verify_schema_v1.json", "EcdsaVerify", counts{105, 194, 310, 0, 0}},
	{"ecdsa_secp384r1_sha3_384_test.json", "ecdsa_verify_schema_v1.json", "EcdsaVerify", counts{96, 200, 304, 0, 0}},
	{"ecdsa_secp384r1_sha3_512_test.json", "ecdsa_verify_schema_v1.json", "EcdsaVerify", counts{96, 231, 305, 0, 0}},
	{"ecdsa_secp384r1_sha512_p1363_test.json", "ecdsa_p1363_verify_schema_v1.json", "EcdsaP1363Verify", counts{104, 230, 88, 0, 0}},
	{"ecdsa_secp384r1_sha512_test.json", "ecdsa_verify_schema_v1.json", "EcdsaVerify", counts{105, 231, 311, 0, 0}},
	{"ecdsa_secp384r1_shake256_p1363_test.json", "ecdsa_p1363_verify_schema_v1.json", "EcdsaP1363Verify", counts{95, 232, 82, 0, 0}},
	{"ecdsa_secp384r1_shake256_test.json", "ecdsa_verify_schema_v1.json", "EcdsaVerify", counts{96, 233, 305, 0, 0}},
	{"ecdsa_secp521r1_sha3_512_test.json", "ecdsa_verify_schema_v1.json", "EcdsaVerify", counts{99, 232, 302, 0, 0}},
	{"ecdsa_secp521r1_sha512_p1363_test.json", "ecdsa_p1363_verify_schema_v1.json", "EcdsaP1363Verify", counts{107, 231, 87, 0, 0}},
	{"ecdsa_secp521r1_sha512_test.json", "ecdsa_verify_schema_v1.json", "EcdsaVerify", counts{108, 232, 310, 0, 0}},
	{"ecdsa_secp521r1_shake256_p1363_test.json", "ecdsa_p1363_verify_schema_v1.json", "EcdsaP1363Verify", counts{98, 233, 81, 0, 0}},
	{"ecdsa_secp521r1_shake256_test.json", "ecdsa_verify_schema_v1.json", "EcdsaVerify", counts{99, 234, 302, 0, 0}},
	{"ecdh_secp256r1_ecpoint_test.json", "ecdh_ecpoint_test_schema_v1.json", "EcdhEcpointTest", counts{1, 330, 24, 1, 0}},
	{"ecdh_secp256r1_pem_test.json", "ecdh_pem_test_schema_v1.json", "EcdhPemTest", counts{1, 330, 52, 230, 16}},
	{"ecdh_secp256r1_test.json", "ecdh_test_schema_v1.json", "EcdhTest", counts{1, 330, 52, 230, 16}},
	{"ecdh_secp256r1_webcrypto_test.json", "ecdh_webcrypto_test_schema_v1.json", "EcdhWebcryptoTest", counts{1, 330, 23, 0, 0}},
	{"ecdh_secp384r1_ecpoint_test.json", "ecdh_ecpoint_test_schema_v1.json", "EcdhEcpointTest", counts{1, 771, 18, 1, 0}},
	{"ecdh_secp384r1_pem_test.json", "ecdh_pem_test_schema_v1.json", "EcdhPemTest", counts{1, 771, 46, 230, 16}},
	{"ecdh_secp384r1_test.json", "ecdh_test_schema_v1.json", "EcdhTest", counts{1, 771, 46, 230, 16}},
	{"ecdh_secp384r1_webcrypto_test.json", "ecdh_webcrypto_test_schema_v1.json", "EcdhWebcryptoTest", counts{1, 771, 23, 0, 0}},
	{"ecdh_secp521r1_ecpoint_test.json", "ecdh_ecpoint_test_schema_v1.json", "EcdhEcpointTest", counts{1, 632, 28, 1, 0}},
	{"ecdh_secp521r1_pem_test.json", "ecdh_pem_test_schema_v1.json", "EcdhPemTest", counts{1, 632, 56, 228, 16}},
	{"ecdh_secp521r1_test.json", "ecdh_test_schema_v1.json", "EcdhTest", counts{1, 632, 56, 228, 16}},
	{"ecdh_secp521r1_webcrypto_test.json", "ecdh_webcrypto_test_schema_v1.json", "EcdhWebcryptoTest", counts{1, 632, 23, 0, 0}},
	{"x25519_asn_test.json", "xdh_asn_comp_schema_v1.json", "XdhAsnComp", counts{1, 265, 19, 253, 222}},
	{"x25519_jwk_test.json", "xdh_jwk_comp_schema_v1.json", "XdhJwkComp", counts{1, 264, 13, 254, 223}},
	{"x25519_pem_test.json", "xdh_pem_comp_schema_v1.json", "XdhPemComp", counts{1, 264, 0, 254, 223}},
	{"x25519_test.json", "xdh_comp_schema_v1.json", "XdhComp", counts{1, 264, 0, 254, 223}},
}

// knownFlags are the flags that vectors of each schema have.
var knownFlags = map[string][]string{
	"aead_test_schema_v1.json": {
		"CounterWrap", "EdgeCaseCiphertext", "EdgeCasePoly1305", "EdgeCasePolyKey", "EdgeCaseTag",
		"InvalidNonceSize", "Ktv", "LongIv", "ModifiedTag", "Pseudorandom", "SmallIv", "SpecialCase",
		"ZeroLengthIv",
	},
	"mac_with_iv_test_schema_v1.json": {
		"ModifiedTag", "Pseudorandom", "SpecialCaseTag",
	},
	"ecdsa_p1363_verify_schema_v1.json": {
		"ArithmeticError", "EdgeCasePublicKey", "EdgeCaseShamirMultiplication", "IntegerOverflow",
		"InvalidSignature", "ModifiedInteger", "ModularInverse", "PointDuplication", "RangeCheck",
		"SignatureSize", "SmallRandS", "SpecialCaseHash", "Untruncatedhash", "ValidSignature",
	},
	"ecdsa_verify_schema_v1.json": {
		"ArithmeticError", "BerEncodedSignature", "EdgeCasePublicKey", "EdgeCaseShamirMultiplication",
		"IntegerOverflow", "InvalidEncoding", "InvalidSignature", "InvalidTypesInSignature", "MissingZero",
		"ModifiedInteger", "ModifiedSignature", "ModularInverse", "PointDuplication", "RangeCheck",
		"SmallRandS", "SpecialCaseHash", "Untruncatedhash", "ValidSignature",
	},
	"ecdh_ecpoint_test_schema_v1.json": {
		"AdditionChain", "CVE-2017-8932", "CVE_2017_10176", "CompressedPoint", "CompressedPublic",
		"EdgeCaseDoubling", "EdgeCaseEphemeralKey", "EdgeCaseSharedSecret", "InvalidCompressedPublic",
		"InvalidCurveAttack", "InvalidEncoding", "Normal", "WrongCurve",
	},
	"ecdh_pem_test_schema_v1.json": {
		"AdditionChain", "CVE-2017-8932", "CVE_2017_10176", "CompressedPoint", "CompressedPublic",
		"EdgeCaseDoubling", "EdgeCaseEphemeralKey", "EdgeCaseSharedSecret", "InvalidCompressedPublic",
		"InvalidCurveAttack", "InvalidEncoding", "InvalidPem", "InvalidPublic", "LargeCofactor",
		"ModifiedCofactor", "ModifiedCurveParameter", "ModifiedGenerator", "ModifiedGroup", "ModifiedPrime",
		"ModifiedPublicPoint", "NegativeCofactor", "NoCofactor", "Normal", "UnnamedCurve", "UnusedParam",
		"WeakPublicKey", "WrongCurve", "WrongOrder",
	},
	"ecdh_test_schema_v1.json": {
		"AdditionChain", "CVE-2017-8932", "CVE_2017_10176", "CompressedPoint", "CompressedPublic",
		"EdgeCaseDoubling", "EdgeCaseEphemeralKey", "EdgeCaseSharedSecret", "InvalidAsn",
		"InvalidCompressedPublic", "InvalidCurveAttack", "InvalidEncoding", "InvalidPublic",
		"LargeCofactor", "ModifiedCofactor", "ModifiedCurveParameter", "ModifiedGenerator", "ModifiedGroup",
		"ModifiedPrime", "ModifiedPublicPoint", "NegativeCofactor", "NoCofactor", "Normal", "UnnamedCurve",
		"UnusedParam", "WeakPublicKey", "WrongCurve", "WrongOrder",
	},
	"ecdh_webcrypto_test_schema_v1.json": {
		"AdditionChain", "CVE-2017-8932", "CVE_2017_10176", "EdgeCaseDoubling", "EdgeCaseEphemeralKey",
		"EdgeCaseSharedSecret", "InvalidCurveAttack", "InvalidPublic", "ModifiedGroup",
		"ModifiedPublicPoint", "Normal", "WrongCurve",
	},
	"xdh_asn_comp_schema_v1.json": {
		"EdgeCaseMultiplication", "EdgeCasePrivateKey", "EdgeCaseShared", "InvalidPublic", "Ktv",
		"LowOrderPublic", "MissingOctetString", "NonCanonicalPublic", "Normal", "SmallPublicKey",
		"SpecialPublicKey", "Twist", "ZeroSharedSecret",
	},
	"xdh_jwk_comp_schema_v1.json": {
		"EdgeCaseMultiplication", "EdgeCasePrivateKey", "EdgeCaseShared", "InvalidPublic", "Ktv",
		"LowOrderPublic", "NonCanonicalPublic", "Normal", "SmallPublicKey", "SpecialPublicKey", "Twist",
		"ZeroSharedSecret",
	},
	"xdh_pem_comp_schema_v1.json": {
		"EdgeCaseMultiplication", "EdgeCasePrivateKey", "EdgeCaseShared", "Ktv", "LowOrderPublic",
		"NonCanonicalPublic", "Normal", "SmallPublicKey", "SpecialPublicKey", "Twist", "ZeroSharedSecret",
	},
	"xdh_comp_schema_v1.json": {
		"EdgeCaseMultiplication", "EdgeCasePrivateKey", "EdgeCaseShared", "Ktv", "LowOrderPublic",
		"NonCanonicalPublic", "Normal", "SmallPublicKey", "SpecialPublicKey", "Twist", "ZeroSharedSecret",
	},
}

// The outcomes of acceptable vectors.
type outcome string

const (
	accepted outcome = "accepted"
	rejected outcome = "rejected"
	either   outcome = "some accepted"
)

// acceptables tells what becomes of acceptable vectors: the first flag of this
// list that a vector has decides. It is what the standard library does.
var acceptables = []struct {
	flag    string
	outcome outcome
	reason  string
}{
	{"ZeroSharedSecret", rejected, "crypto/ecdh returns an error for a shared secret that is all zeros (RFC 7748, section 6.1)"},
	{"CompressedPublic", rejected, "crypto/ecdh and crypto/x509 take uncompressed points only"},
	{"UnusedParam", rejected, "crypto/x509 takes named curves only"},
	{"InvalidAsn", either, "crypto/x509 ignores what follows the known elements of the AlgorithmIdentifier, and rejects every other deviation from DER"},
	{"InvalidPem", either, "the same in PEM"},
	{"NonCanonicalPublic", accepted, "crypto/ecdh reduces coordinates of X25519 that are not below p (RFC 7748, section 5)"},
	{"Twist", accepted, "X25519 takes points on the twist (RFC 7748, section 7)"},
}

func outcomeOf(v *vector) outcome {
	for _, a := range acceptables {
		if slices.Contains(v.Flags, a.flag) {
			return a.outcome
		}
	}
	return accepted
}

// leftOut are the files that name a primitive of the API and do not run, with
// the reason.
var leftOut = []struct{ name, reason string }{
	{"aes_gcm_siv_test.json", "AES-GCM-SIV is another mode, which the API does not offer"},
	{"c2sp_chunked_encryption_aes_128_gcm_test.json", "Cobblestone is a protocol on top of AES-GCM and HKDF, which the API does not offer"},
	{"c2sp_chunked_encryption_aes_256_gcm_test.json", "Cobblestone is a protocol on top of AES-GCM and HKDF, which the API does not offer"},
	{"ec_prime_order_curves_test.json", "states parameters of curves; the API offers no curves by parameters"},
	{"json_web_crypto_test.json", "parsing JSON Web Signatures and Encryption, which the API does not offer"},
	{"json_web_encryption_test.json", "parsing JSON Web Encryption, which the API does not offer"},
	{"json_web_key_test.json", "parsing JSON Web Keys, which the API does not offer"},
	{"json_web_signature_test.json", "parsing JSON Web Signatures, which the API does not offer"},
}

// names matches the files that name a primitive of the API, or a format that
// may use one. All of them must be in one of the two lists.
var names = regexp.MustCompile(`aes_g|chacha|poly1305|secp(256|384|521)r1|x25519|ec_prime|json_web|c2sp|ecies|hpke`)

// lookUp returns the row of the file.
func lookUp(t *testing.T, name string) *file {
	t.Helper()
	for i := range files {
		if files[i].name == name {
			return &files[i]
		}
	}
	t.Fatalf("%s is not in the table", name)
	return nil
}

// TestEveryFile fails when Wycheproof has a file for a primitive of the API that
// neither runs nor is left out with a reason.
func TestEveryFile(t *testing.T) {
	listed := map[string]bool{}
	for _, f := range files {
		listed[f.name] = true
	}
	for _, f := range leftOut {
		if listed[f.name] {
			t.Errorf("%s is listed twice", f.name)
		}
		listed[f.name] = true
	}
	entries, err := fs.ReadDir(wycheproof.TestVectors, ".")
	if err != nil {
		t.Fatal(err)
	}
	if len(entries) != total {
		t.Errorf("there are %d files, want %d", len(entries), total)
	}
	for _, e := range entries {
		if names.MatchString(e.Name()) && !listed[e.Name()] {
			t.Errorf("%s neither runs nor is left out", e.Name())
		}
		delete(listed, e.Name())
	}
	for name := range listed {
		t.Errorf("%s does not exist", name)
	}
}
