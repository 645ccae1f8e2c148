//go:build (amd64 || arm64) && !purego

package residue

import (
	"bytes"
	"crypto"
	"crypto/cipher"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math/big"
	mathrand "math/rand/v2"
	"slices"
	"testing"
	"testing/cryptotest"

	"github.com/fastcrypto-go/fastcrypto/aead"
	"github.com/fastcrypto-go/fastcrypto/chacha20poly1305"
	"github.com/fastcrypto-go/fastcrypto/chacha20poly1305/poly1305"
	"github.com/fastcrypto-go/fastcrypto/ecdh"
	"github.com/fastcrypto-go/fastcrypto/ecdsa"
	"github.com/fastcrypto-go/fastcrypto/internal/deadstack"
	"github.com/fastcrypto-go/fastcrypto/internal/impl"
	"github.com/fastcrypto-go/fastcrypto/internal/p256"
	"github.com/fastcrypto-go/fastcrypto/internal/testkit"
)

// An operation is a call of a public function. What is secret differs from run to run,
// what is public does not.
type operation struct {
	name string
	of   *impl.Primitive
	// prepare, which is not looked at, makes what is needed for the secret that random
	// gives. It returns the operation.
	prepare func(t *testing.T, random func(n int) []byte) func()
	// results, if not nil, returns what the last run gave and is public, although it
	// depends on the secret: it may be on the stack.
	results func() [][]byte
	// byValue is how many bytes of arguments by value are left, at most.
	byValue int
}

// sink keeps what operations return.
var sink struct {
	bytes, more []byte
	private     *ecdh.PrivateKey
	key         *ecdsa.PrivateKey
	signer      *ecdsa.Signer
	aead        cipher.AEAD
	stream      cipher.Stream
	mac         *poly1305.MAC
	r, s        [32]byte
	jobs        [11]p256.SignJob
	agree       [11]p256.ECDHJob
	batch       [][]byte
	err         error
	ok          bool
}

var nonce24 = bytes.Repeat([]byte{7}, 24)

func scalarOf(random func(int) []byte) (d [32]byte) {
	d = [32]byte(random(32))
	d[0] &= 0x7f
	return d
}

func keyOf(random func(int) []byte) *ecdsa.PrivateKey {
	d := scalarOf(random)
	key, err := ecdsa.ParseRawPrivateKey(elliptic.P256(), d[:])
	if err != nil {
		panic(err)
	}
	return key
}

func operations(t *testing.T) (all []operation) {
	digest := bytes.Repeat([]byte{0x5a}, 32)
	ad := bytes.Repeat([]byte{3}, 20)

	// Public functions of AEADs.
	type maker struct {
		name  string
		of    *impl.Primitive
		key   int
		nonce int
		make  func(key []byte) (cipher.AEAD, error)
	}
	gcm := func(key []byte) (cipher.AEAD, error) {
		b, err := aead.NewCipher(key)
		if err != nil {
			return nil, err
		}
		return aead.NewGCM(b)
	}
	oddNonce := func(key []byte) (cipher.AEAD, error) {
		b, err := aead.NewCipher(key)
		if err != nil {
			return nil, err
		}
		return aead.NewGCMWithNonceSize(b, 16)
	}
	for _, m := range []maker{
		{"GCM128", impl.GCM, 16, 12, gcm},
		{"GCM256", impl.GCM, 32, 12, gcm},
		{"GCM/nonce=16", impl.GCM, 16, 16, oddNonce},
		{"ChaCha20Poly1305", impl.ChaCha, 32, 12, chacha20poly1305.New},
		{"XChaCha20Poly1305", impl.ChaCha, 32, 24, chacha20poly1305.NewX},
	} {
		key := make([]byte, m.key)
		all = append(all, operation{name: "New" + m.name, of: m.of, prepare: func(t *testing.T, random func(int) []byte) func() {
			copy(key, random(len(key)))
			return func() { sink.aead, sink.err = m.make(key) }
		}})
		for _, n := range []int{1, 33, 64, 100, 256, 1000, 5000} {
			plaintext, sealed, opened := make([]byte, n), make([]byte, n+16), make([]byte, n)
			bad := make([]byte, n+16)
			ready := func(t *testing.T, random func(int) []byte) cipher.AEAD {
				copy(key, random(len(key)))
				copy(plaintext, random(n))
				a, err := m.make(key)
				if err != nil {
					t.Fatal(err)
				}
				a.Seal(sealed[:0], nonce24[:m.nonce], plaintext, ad)
				return a
			}
			results := func() [][]byte { return [][]byte{sealed} }
			all = append(all, operation{name: fmt.Sprintf("%s/Seal/n=%d", m.name, n), of: m.of, results: results,
				prepare: func(t *testing.T, random func(int) []byte) func() {
					a := ready(t, random)
					return func() { a.Seal(sealed[:0], nonce24[:m.nonce], plaintext, ad) }
				}})
			all = append(all, operation{name: fmt.Sprintf("%s/Open/n=%d", m.name, n), of: m.of, results: results,
				prepare: func(t *testing.T, random func(int) []byte) func() {
					a := ready(t, random)
					return func() { _, sink.err = a.Open(opened[:0], nonce24[:m.nonce], sealed, ad) }
				}})
			// A forgery, the same for both keys: what would have been its tag is secret.
			all = append(all, operation{name: fmt.Sprintf("%s/OpenForged/n=%d", m.name, n), of: m.of,
				prepare: func(t *testing.T, random func(int) []byte) func() {
					a := ready(t, random)
					return func() { _, sink.err = a.Open(opened[:0], nonce24[:m.nonce], bad, ad) }
				}})
		}
	}

	// AES-GCM in pieces, and counter mode.
	for _, nonceSize := range []int{12, 16} {
		key, plaintext := make([]byte, 16), make([]byte, 1600)
		sealed, opened := make([]byte, 1616), make([]byte, 1600)
		results := func() [][]byte { return [][]byte{sealed} }
		ready := func(t *testing.T, random func(int) []byte) cipher.Block {
			copy(key, random(len(key)))
			copy(plaintext, random(len(plaintext)))
			b, err := aead.NewCipher(key)
			if err != nil {
				t.Fatal(err)
			}
			a, err := aead.NewGCMWithNonceSize(b, nonceSize)
			if err != nil {
				t.Fatal(err)
			}
			a.Seal(sealed[:0], nonce24[:nonceSize], plaintext, ad)
			return b
		}
		// With another nonce than of 12 bytes the counter is secret; it is an argument of
		// gcmKey.keyStream and of the kernel for CTR.
		byValue := 0
		if nonceSize != 12 {
			byValue = 48
		}
		all = append(all, operation{name: fmt.Sprint("Sealer/nonce=", nonceSize), of: impl.GCM, results: results, byValue: byValue,
			prepare: func(t *testing.T, random func(int) []byte) func() {
				b := ready(t, random)
				return func() {
					s, err := aead.NewSealer(b, nonce24[:nonceSize], ad)
					if err != nil {
						panic(err)
					}
					out := s.Update(sealed[:0], plaintext[:512])
					out = s.Update(out, plaintext[512:1024])
					out = s.Update(out, plaintext[1024:1029])
					out = s.Update(out, plaintext[1029:1500])
					out = s.Update(out, plaintext[1500:])
					s.Final(out)
				}
			}}, operation{name: fmt.Sprint("Opener/nonce=", nonceSize), of: impl.GCM, results: results, byValue: byValue,
			prepare: func(t *testing.T, random func(int) []byte) func() {
				b := ready(t, random)
				return func() {
					o, err := aead.NewOpener(b, nonce24[:nonceSize], ad)
					if err != nil {
						panic(err)
					}
					o.Update(sealed[:700])
					o.Update(sealed[700:1600])
					if _, err = o.Final(opened[:0], sealed[1600:]); err != nil {
						panic(err)
					}
				}
			}})
	}
	{
		key, out := make([]byte, 16), make([]byte, 1600)
		all = append(all, operation{name: "CTR", of: impl.CTR, prepare: func(t *testing.T, random func(int) []byte) func() {
			copy(key, random(len(key)))
			b, err := aead.NewCipher(key)
			if err != nil {
				t.Fatal(err)
			}
			return func() {
				s := cipher.NewCTR(b, nonce24[:16])
				s.XORKeyStream(out[:700], out[:700])
				s.XORKeyStream(out[700:], out[700:])
				sink.stream = s
			}
		}})
	}

	for _, n := range []int{0, 1, 16, 100, 330, 1000} {
		key, message := new([32]byte), make([]byte, n)
		tag := new([16]byte)
		ready := func(random func(int) []byte) {
			copy(key[:], random(32))
			copy(message, random(n))
		}
		results := func() [][]byte { return [][]byte{tag[:]} }
		all = append(all, operation{name: fmt.Sprint("Poly1305/Sum/n=", n), of: impl.Poly1305, results: results,
			prepare: func(t *testing.T, random func(int) []byte) func() {
				ready(random)
				return func() { poly1305.Sum(tag, message, key) }
			}}, operation{name: fmt.Sprint("Poly1305/Verify/n=", n), of: impl.Poly1305,
			prepare: func(t *testing.T, random func(int) []byte) func() {
				ready(random)
				return func() { sink.ok = poly1305.Verify(tag, message, key) }
			}}, operation{name: fmt.Sprint("Poly1305/MAC/n=", n), of: impl.Poly1305, results: results,
			prepare: func(t *testing.T, random func(int) []byte) func() {
				ready(random)
				return func() {
					m := poly1305.New(key)
					sink.mac = m
					m.Write(message[:n/3])
					m.Write(message[n/3:])
					m.Sum(tag[:0])
				}
			}})
	}

	// P-256. Signatures and public keys depend on the secrets and are public.
	signature := func() [][]byte {
		if len(sink.bytes) == 0 {
			return nil
		}
		r, s := rawSignature(sink.bytes)
		return [][]byte{sink.bytes, r[:], s[:]}
	}
	all = append(all,
		operation{name: "Signer.Sign, hedged", of: impl.P256, results: signature,
			prepare: func(t *testing.T, random func(int) []byte) func() {
				s, err := ecdsa.NewSigner(keyOf(random))
				if err != nil {
					t.Fatal(err)
				}
				cryptotest.SetGlobalRandom(t, 1)
				return func() { sink.bytes, sink.err = s.Sign(rand.Reader, digest, crypto.SHA256) }
			}},
		operation{name: "Signer.Sign, deterministic", of: impl.P256, results: signature,
			prepare: func(t *testing.T, random func(int) []byte) func() {
				s, err := ecdsa.NewSigner(keyOf(random))
				if err != nil {
					t.Fatal(err)
				}
				return func() { sink.bytes, sink.err = s.Sign(nil, digest, crypto.SHA256) }
			}},
		operation{name: "SignASN1", of: impl.P256, results: signature,
			prepare: func(t *testing.T, random func(int) []byte) func() {
				key := keyOf(random)
				cryptotest.SetGlobalRandom(t, 1)
				return func() { sink.bytes, sink.err = ecdsa.SignASN1(rand.Reader, key, digest) }
			}},
		operation{name: "NewSigner", of: impl.P256,
			results: func() [][]byte { return publicBytes(&sink.signer) },
			prepare: func(t *testing.T, random func(int) []byte) func() {
				key := keyOf(random)
				return func() { sink.signer, sink.err = ecdsa.NewSigner(key) }
			}},
		operation{name: "ecdsa.GenerateKey", of: impl.P256,
			results: func() [][]byte { return affineBytes(sink.key) },
			prepare: func(t *testing.T, random func(int) []byte) func() {
				cryptotest.SetGlobalRandom(t, binary.LittleEndian.Uint64(random(8)))
				return func() { sink.key, sink.err = ecdsa.GenerateKey(elliptic.P256(), nil) }
			}},
		operation{name: "ecdsa.ParseRawPrivateKey", of: impl.P256,
			results: func() [][]byte { return affineBytes(sink.key) },
			prepare: func(t *testing.T, random func(int) []byte) func() {
				d := scalarOf(random)
				return func() { sink.key, sink.err = ecdsa.ParseRawPrivateKey(elliptic.P256(), d[:]) }
			}},
		operation{name: "ecdh.GenerateKey", of: impl.P256,
			results: func() [][]byte { return encodedBytes(sink.private.PublicKey().Bytes()) },
			prepare: func(t *testing.T, random func(int) []byte) func() {
				cryptotest.SetGlobalRandom(t, binary.LittleEndian.Uint64(random(8)))
				return func() { sink.private, sink.err = ecdh.P256().GenerateKey(nil) }
			}},
		operation{name: "ecdh.NewPrivateKey", of: impl.P256,
			results: func() [][]byte { return encodedBytes(sink.private.PublicKey().Bytes()) },
			prepare: func(t *testing.T, random func(int) []byte) func() {
				d := scalarOf(random)
				return func() { sink.private, sink.err = ecdh.P256().NewPrivateKey(d[:]) }
			}},
		operation{name: "ECDH", of: impl.P256, prepare: func(t *testing.T, random func(int) []byte) func() {
			d := scalarOf(random)
			k, err := ecdh.P256().NewPrivateKey(d[:])
			if err != nil {
				t.Fatal(err)
			}
			peer := peerKey(t)
			return func() { sink.bytes, sink.err = k.ECDH(peer) }
		}},
		operation{name: "BatchSigner.Sign", of: impl.P256Batch, results: signature,
			prepare: func(t *testing.T, random func(int) []byte) func() {
				s, err := ecdsa.NewBatchSigner(keyOf(random))
				if err != nil {
					t.Fatal(err)
				}
				cryptotest.SetGlobalRandom(t, 1)
				return func() { sink.bytes, sink.err = s.Sign(rand.Reader, digest, crypto.SHA256) }
			}},
		operation{name: "ecdsa.SignBatch", of: impl.P256Batch,
			results: func() (all [][]byte) {
				for _, b := range sink.batch {
					r, s := rawSignature(b)
					all = append(all, b, r[:], s[:])
				}
				return all
			},
			prepare: func(t *testing.T, random func(int) []byte) func() {
				keys, digests := make([]*ecdsa.PrivateKey, 7), make([][]byte, 7)
				for i := range keys {
					keys[i], digests[i] = keyOf(random), digest
				}
				cryptotest.SetGlobalRandom(t, 1)
				return func() { sink.batch, sink.err = ecdsa.SignBatch(rand.Reader, keys, digests) }
			}},
		operation{name: "ecdh.Batch", of: impl.P256Batch, prepare: func(t *testing.T, random func(int) []byte) func() {
			keys, peers := make([]*ecdh.PrivateKey, 7), make([]*ecdh.PublicKey, 7)
			for i := range keys {
				d := scalarOf(random)
				k, err := ecdh.P256().NewPrivateKey(d[:])
				if err != nil {
					t.Fatal(err)
				}
				keys[i], peers[i] = k, peerKey(t)
			}
			return func() { sink.batch, sink.err = ecdh.Batch(keys, peers) }
		}},
		// What is below the public functions, without deadstack.Clear.
		operation{name: "p256.SignBatch", of: impl.P256Batch, prepare: sameSignature(func(d, k, e *[32]byte) {
			for i := range sink.jobs {
				j := &sink.jobs[i]
				j.D = *d
				j.K = *k
				j.E = *e
			}
			p256.SignBatch(sink.jobs[:])
			clear(sink.jobs[:])
		})},
		operation{name: "p256.ECDHBatch", of: impl.P256Batch, prepare: func(t *testing.T, random func(int) []byte) func() {
			var q p256.PublicKey
			enc := peerKey(t).Bytes()
			if !q.SetAffine((*[32]byte)(enc[1:]), (*[32]byte)(enc[33:])) {
				t.Fatal("not on the curve")
			}
			for i := range sink.agree {
				sink.agree[i] = p256.ECDHJob{Q: &q, K: scalarOf(random)}
			}
			return func() { p256.ECDHBatch(sink.agree[:]) }
		}},
		// The last digit's index and sign are arguments of selectAffine.
		operation{name: "p256.ECDH", of: impl.P256, byValue: 16, prepare: func(t *testing.T, random func(int) []byte) func() {
			var q p256.PublicKey
			enc, k := peerKey(t).Bytes(), scalarOf(random)
			if !q.SetAffine((*[32]byte)(enc[1:]), (*[32]byte)(enc[33:])) {
				t.Fatal("not on the curve")
			}
			return func() { q.ECDH(&sink.r, &k) }
		}},
		operation{name: "p256.ScalarBaseMult", of: impl.P256,
			results: func() [][]byte { return encodedBytes(append(append([]byte{4}, sink.r[:]...), sink.s[:]...)) },
			prepare: func(t *testing.T, random func(int) []byte) func() {
				k := scalarOf(random)
				return func() { p256.ScalarBaseMult(&sink.r, &sink.s, &k) }
			}},
		operation{name: "p256.Sign", of: impl.P256, prepare: sameSignature(func(d, k, e *[32]byte) {
			sink.ok = p256.Sign(&sink.r, &sink.s, d, k, e)
		})},
	)
	return all
}

func peerKey(t *testing.T) *ecdh.PublicKey {
	k, err := ecdh.P256().NewPrivateKey(bytes.Repeat([]byte{9}, 32))
	if err != nil {
		t.Fatal(err)
	}
	return k.PublicKey()
}

// sameSignature returns a preparation in which the signature is the same for different
// secrets: those of every other run are n − k and the d to which s belongs.
func sameSignature(sign func(d, k, e *[32]byte)) func(t *testing.T, random func(int) []byte) func() {
	n := elliptic.P256().Params().N
	var d, k, e [32]byte
	e[5] = 77
	return func(t *testing.T, random func(int) []byte) func() {
		d, k = [32]byte(bytes.Repeat([]byte{0x31}, 32)), [32]byte(bytes.Repeat([]byte{0x57}, 32))
		if random(1)[0]&1 == 1 {
			// r stays; s·(n−k) = e + r·d'
			var r, s [32]byte
			if !p256.Sign(&r, &s, &d, &k, &e) {
				t.Fatal("no signature")
			}
			kk := new(big.Int).Sub(n, new(big.Int).SetBytes(k[:]))
			dd := new(big.Int).Mul(new(big.Int).SetBytes(s[:]), kk)
			dd.Sub(dd, new(big.Int).SetBytes(e[:]))
			dd.Mul(dd, new(big.Int).ModInverse(new(big.Int).SetBytes(r[:]), n))
			dd.Mod(dd, n).FillBytes(d[:])
			kk.FillBytes(k[:])
		}
		return func() { sign(&d, &k, &e) }
	}
}

func rawSignature(der []byte) (r, s [32]byte) {
	rest := der[2:]
	for _, v := range []*[32]byte{&r, &s} {
		n := int(rest[1])
		new(big.Int).SetBytes(rest[2 : 2+n]).FillBytes(v[:])
		rest = rest[2+n:]
	}
	return r, s
}

func publicBytes(s **ecdsa.Signer) [][]byte {
	if *s == nil {
		return nil
	}
	pub := (*s).Public().(*ecdsa.PublicKey)
	b, err := pub.Bytes()
	if err != nil {
		panic(err)
	}
	return encodedBytes(b)
}

func affineBytes(key *ecdsa.PrivateKey) [][]byte {
	b, err := key.PublicKey.Bytes()
	if err != nil {
		panic(err)
	}
	return encodedBytes(b)
}

// encodedBytes returns the coordinates of a point, and what they are in the Montgomery
// domain.
func encodedBytes(enc []byte) (all [][]byte) {
	p := elliptic.P256().Params().P
	for _, v := range [][]byte{enc[1:33], enc[33:]} {
		m := new(big.Int).Lsh(new(big.Int).SetBytes(v), 256)
		all = append(all, v, m.Mod(m, p).FillBytes(make([]byte, 32)))
	}
	return all
}

// mask clears what is on the stack of the public results: wherever eight bytes of them
// are, in either order of bytes.
func mask(stack []byte, results [][]byte) {
	windows := map[[8]byte]bool{}
	for _, r := range results {
		for i := 0; i+8 <= len(r); i++ {
			w := [8]byte(r[i:])
			windows[w] = true
			slices.Reverse(w[:])
			windows[w] = true
		}
	}
	if len(windows) == 0 {
		return
	}
	found := make([]bool, len(stack))
	for i := 0; i+8 <= len(stack); i++ {
		if windows[[8]byte(stack[i:])] {
			for j := range 8 {
				found[i+j] = true
			}
		}
	}
	for i, f := range found {
		if f {
			stack[i] = 0
		}
	}
}

// left runs o with two secrets, several times each, and returns where on the stack there
// are words that each secret determines and that differ.
func left(t *testing.T, o *operation) (ranges [][2]int) {
	deepen(2 * stackSize)
	order := []int{0, 1, 0, 0, 1, 1, 0, 1}
	snapshots := make([][stackSize]byte, len(order))
	for run, which := range order {
		f := o.prepare(t, newSecret(which))
		stackAfter(&snapshots[run], f)
		if o.results != nil {
			mask(snapshots[run][:], o.results())
		}
	}
	var a, b [stackSize]byte
	for i := 0; i < stackSize; i += 8 {
		same := true
		for run, which := range order {
			same = same && bytes.Equal(snapshots[run][i:i+8], snapshots[which][i:i+8])
		}
		if same {
			copy(a[i:i+8], snapshots[0][i:])
			copy(b[i:i+8], snapshots[1][i:])
		}
	}
	return differences(&a, &b)
}

// newSecret returns a function that gives the same bytes for the same secret.
func newSecret(which int) func(n int) []byte {
	r := mathrand.NewChaCha8([32]byte{byte(which)})
	return func(n int) []byte {
		b := make([]byte, n)
		r.Read(b)
		return b
	}
}

// skipUnderRace skips a test of what Go code leaves on the stack: the race detector
// has it compiled with other frames, and with calls in between that copy arguments.
func skipUnderRace(t *testing.T) {
	if testkit.Race {
		t.Skip("the race detector changes what Go code leaves on the stack")
	}
}

// TestOperationStack looks for secrets in what whole operations left of the stack.
func TestOperationStack(t *testing.T) {
	skipUnderRace(t)
	stable(t)
	for _, o := range operations(t) {
		t.Run(o.name, func(t *testing.T) {
			testkit.Tiers(t, o.of, func(t *testing.T, tier impl.Tier) {
				if tier == impl.Generic {
					t.Skip("the standard library serves")
				}
				l := left(t, &o)
				if n := bytesIn(l); n > o.byValue {
					t.Errorf("%d bytes that depend on secrets are left on the stack, at %v below it", n, l)
				}
			})
		})
	}
}

// TestGeneratedKeyOnStack looks for a new private key itself: with random bytes of the
// operating system, which cannot be had twice.
func TestGeneratedKeyOnStack(t *testing.T) {
	skipUnderRace(t)
	stable(t)
	if impl.P256.Tier() == impl.Generic {
		t.Skip("the standard library serves")
	}
	deepen(2 * stackSize)
	snapshot := new([stackSize]byte)
	check := func(name string, d []byte) {
		t.Helper()
		before := bytes.Clone(snapshot[:])
		mask(snapshot[:], [][]byte{d})
		if !bytes.Equal(snapshot[:], before) {
			t.Errorf("%s: the key is on the stack", name)
		}
	}
	for range 20 {
		stackAfter(snapshot, func() { sink.private, sink.err = ecdh.P256().GenerateKey(rand.Reader) })
		check("ecdh.GenerateKey", sink.private.Bytes())
		stackAfter(snapshot, func() { sink.key, sink.err = ecdsa.GenerateKey(elliptic.P256(), rand.Reader) })
		d, err := sink.key.Bytes()
		if err != nil {
			t.Fatal(err)
		}
		check("ecdsa.GenerateKey", d)
	}
}

//go:noinline
func leaves(secret []byte) {
	var local [32]byte
	copy(local[:], secret)
	sum := sha256.Sum256(local[:])
	sink.ok = sum[0] == local[0]
}

// TestStackControl shows that the comparison finds what a function leaves.
func TestStackControl(t *testing.T) {
	stable(t)
	o := operation{prepare: func(t *testing.T, random func(int) []byte) func() {
		secret := random(32)
		return func() { leaves(secret) }
	}}
	if n := bytesIn(left(t, &o)); n < 48 {
		t.Errorf("a copy and a digest were left, and %d bytes found", n)
	}
	o.prepare = func(t *testing.T, random func(int) []byte) func() {
		secret := random(32)
		return func() {
			leaves(secret)
			deadstack.Clear()
		}
	}
	if l := left(t, &o); l != nil {
		t.Errorf("deadstack.Clear left %v", l)
	}
}
