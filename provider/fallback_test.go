package provider

import (
	"bytes"
	"crypto"
	"crypto/aes"
	"crypto/cipher"
	stdecdh "crypto/ecdh"
	stdecdsa "crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	stdchacha "golang.org/x/crypto/chacha20poly1305"
	//lint:ignore SA1019 the only public Poly1305 to compare with
	stdpoly1305 "golang.org/x/crypto/poly1305"

	"github.com/fastcrypto-go/fastcrypto/aead"
	"github.com/fastcrypto-go/fastcrypto/chacha20poly1305"
	"github.com/fastcrypto-go/fastcrypto/chacha20poly1305/poly1305"
	"github.com/fastcrypto-go/fastcrypto/ecdh"
	"github.com/fastcrypto-go/fastcrypto/ecdsa"
	"github.com/fastcrypto-go/fastcrypto/internal/impl"
	"github.com/fastcrypto-go/fastcrypto/internal/testkit"
)

// TestFallback makes every set of kernels of every primitive fail its known-answer
// tests. The best of the others serves, Kernels and SelfTest tell the truth, and every
// primitive gives what the standard library gives.
func TestFallback(t *testing.T) {
	for _, p := range impl.Primitives() {
		rows := p.Supported()
		rows = rows[:len(rows)-1] // without Generic
		avoided := map[impl.Tier]bool{}
		for _, s := range p.Report() {
			avoided[s.Tier] = strings.HasPrefix(s.Reason, "not preferred: ") && !strings.HasSuffix(s.Reason, " serves")
		}
		for set := range 1 << len(rows) {
			var failing []impl.Tier
			var names []string
			want := impl.Generic
			for i, tier := range rows {
				switch {
				case set>>i&1 == 1:
					failing = append(failing, tier)
					names = append(names, tier.String())
				case want == impl.Generic && !avoided[tier]:
					want = tier
				}
			}
			if names == nil {
				names = []string{"none"}
			}
			t.Run(p.Name()+"/without="+strings.Join(names, ","), func(t *testing.T) {
				for _, tier := range failing {
					defer p.InjectFailure(tier)()
				}
				if got := p.Tier(); got != want {
					t.Errorf("%s serves, want %s", got, want)
				}
				report(t, p, failing, want)
				compareAll(t)
			})
		}
	}
	t.Run("without=all", func(t *testing.T) {
		for _, p := range impl.Primitives() {
			for _, tier := range p.Tiers() {
				defer p.InjectFailure(tier)()
			}
		}
		for _, k := range Kernels() {
			if k.Selected != (k.Tier == "generic") {
				t.Errorf("%s, tier %s: selected: %v", k.Primitive, k.Tier, k.Selected)
			}
		}
		compareAll(t)
	})
}

// report checks what Kernels and SelfTest say of one primitive.
func report(t *testing.T, p *impl.Primitive, failing []impl.Tier, serves impl.Tier) {
	t.Helper()
	seen := 0
	for _, k := range Kernels() {
		if k.Primitive != p.Name() {
			continue
		}
		if k.Selected != (k.Tier == serves.String()) {
			t.Errorf("tier %s: selected: %v, but %s serves", k.Tier, k.Selected, serves)
		}
		tier, _ := impl.ParseTier(k.Tier)
		if slices.Contains(failing, tier) {
			seen++
			if k.Reason != "self-test failed: injected failure" {
				t.Errorf("tier %s failed, and the reason is %q", k.Tier, k.Reason)
			}
		}
	}
	if seen != len(failing) {
		t.Errorf("%d of %d tiers that fail are told", seen, len(failing))
	}
	err := SelfTest()
	if (err != nil) != (len(failing) > 0) {
		t.Errorf("the self-test's error is %v", err)
	}
	for _, tier := range failing {
		if err != nil && !strings.Contains(err.Error(), fmt.Sprintf("%s, tier %s: injected failure", p.Name(), tier)) {
			t.Errorf("the self-test's error does not tell of %s: %v", tier, err)
		}
	}
	if got := p.Tier(); got != serves {
		t.Errorf("after the self-test %s serves, want %s", got, serves)
	}
}

// compareAll compares every primitive with the standard library or x/crypto.
func compareAll(t *testing.T) {
	t.Helper()
	rng := testkit.Rand(t)
	fail := func(what string, a ...any) {
		t.Helper()
		t.Errorf("differs from the standard library: "+what, a...)
	}
	must := func(errs ...error) {
		t.Helper()
		if err := errors.Join(errs...); err != nil {
			t.Fatal(err)
		}
	}
	compareAEADs := func(name string, ours, std cipher.AEAD, size int) {
		t.Helper()
		nonce, plain, ad := testkit.Bytes(rng, std.NonceSize()), testkit.Bytes(rng, size), testkit.Bytes(rng, size%77)
		want := std.Seal(nil, nonce, plain, ad)
		if !bytes.Equal(ours.Seal(nil, nonce, plain, ad), want) {
			fail("%s, Seal of %d bytes", name, size)
		}
		if got, err := ours.Open(nil, nonce, want, ad); err != nil || !bytes.Equal(got, plain) {
			fail("%s, Open of %d bytes: %v", name, size, err)
		}
		want[size*len(want)/(size+1)] ^= 1
		if _, err := ours.Open(nil, nonce, want, ad); err == nil {
			fail("%s, Open of %d forged bytes", name, size)
		}
	}
	for _, size := range []int{0, 1, 16, 33, 64, 100, 257, 1350, 5000} {
		for _, keySize := range []int{16, 24, 32} {
			key := testkit.Bytes(rng, keySize)
			block, err1 := aead.NewCipher(key)
			std, err2 := aes.NewCipher(key)
			must(err1, err2)
			ours, err1 := aead.NewGCM(block)
			theirs, err2 := cipher.NewGCM(std)
			must(err1, err2)
			compareAEADs("AES-GCM", ours, theirs, size)
			ours, err1 = aead.NewGCMWithNonceSize(std, 17)
			theirs, err2 = cipher.NewGCMWithNonceSize(std, 17)
			must(err1, err2)
			compareAEADs("AES-GCM with a nonce of 17 bytes", ours, theirs, size)
			ours, err1 = cipher.NewGCMWithTagSize(block, 13)
			theirs, err2 = cipher.NewGCMWithTagSize(std, 13)
			must(err1, err2)
			compareAEADs("AES-GCM with a tag of 13 bytes", ours, theirs, size)

			// In pieces.
			nonce, plain, ad := testkit.Bytes(rng, 12), testkit.Bytes(rng, size), testkit.Bytes(rng, 20)
			theirs, err1 = cipher.NewGCM(std)
			sealer, err2 := aead.NewSealer(block, nonce, ad)
			opener, err3 := aead.NewOpener(block, nonce, ad)
			must(err1, err2, err3)
			want := theirs.Seal(nil, nonce, plain, ad)
			var sealed []byte
			for i := 0; i < size; i += 700 {
				sealed = sealer.Update(sealed, plain[i:min(size, i+700)])
				opener.Update(want[i:min(size, i+700)])
			}
			if !bytes.Equal(sealer.Final(sealed), want) {
				fail("AES-GCM in pieces, sealing %d bytes", size)
			}
			if got, err := opener.Final(nil, want[size:]); err != nil || !bytes.Equal(got, plain) {
				fail("AES-GCM in pieces, opening %d bytes: %v", size, err)
			}

			iv := testkit.Bytes(rng, 16)
			a, b := bytes.Clone(plain), bytes.Clone(plain)
			cipher.NewCTR(block, iv).XORKeyStream(a, a)
			cipher.NewCTR(std, iv).XORKeyStream(b, b)
			if !bytes.Equal(a, b) {
				fail("AES-CTR of %d bytes", size)
			}
		}

		key := testkit.Bytes(rng, 32)
		ours, err1 := chacha20poly1305.New(key)
		theirs, err2 := stdchacha.New(key)
		must(err1, err2)
		compareAEADs("ChaCha20-Poly1305", ours, theirs, size)
		ours, err1 = chacha20poly1305.NewX(key)
		theirs, err2 = stdchacha.NewX(key)
		must(err1, err2)
		compareAEADs("XChaCha20-Poly1305", ours, theirs, size)

		var got, want [16]byte
		m := testkit.Bytes(rng, size)
		poly1305.Sum(&got, m, (*[32]byte)(key))
		stdpoly1305.Sum(&want, m, (*[32]byte)(key))
		mac := poly1305.New((*[32]byte)(key))
		mac.Write(m[:size/3])
		mac.Write(m[size/3:])
		if got != want || !mac.Verify(want[:]) || !poly1305.Verify(&want, m, (*[32]byte)(key)) {
			fail("Poly1305 of %d bytes", size)
		}
	}

	const n = 11 // more than a group of eight
	var keys []*stdecdsa.PrivateKey
	var pubs []*stdecdsa.PublicKey
	var digests, sigs [][]byte
	var agree []*ecdh.PrivateKey
	var remotes []*ecdh.PublicKey
	var shared [][]byte
	for i := range n {
		key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
		must(err)
		digest := testkit.Bytes(rng, 32)
		d, err := key.Bytes()
		must(err)
		std, err := stdecdsa.ParseRawPrivateKey(elliptic.P256(), d)
		must(err)
		if !std.PublicKey.Equal(&key.PublicKey) {
			fail("public key")
		}
		sig, err := stdecdsa.SignASN1(rand.Reader, std, digest)
		must(err)
		if i%3 == 2 {
			sig[len(sig)-1] ^= 1
		}
		keys, pubs, digests, sigs = append(keys, key), append(pubs, &key.PublicKey), append(digests, digest), append(sigs, sig)

		k, err1 := ecdh.P256().GenerateKey(rand.Reader)
		other, err2 := stdecdh.P256().GenerateKey(rand.Reader)
		must(err1, err2)
		sk, err := stdecdh.P256().NewPrivateKey(k.Bytes())
		must(err)
		if !bytes.Equal(sk.PublicKey().Bytes(), k.PublicKey().Bytes()) {
			fail("public key of an agreement")
		}
		secret, err := sk.ECDH(other.PublicKey())
		must(err)
		remote, err := ecdh.P256().NewPublicKey(other.PublicKey().Bytes())
		must(err)
		agree, remotes, shared = append(agree, k), append(remotes, remote), append(shared, secret)
	}
	verdicts := ecdsa.VerifyBatch(pubs, digests, sigs)
	made, err := ecdsa.SignBatch(rand.Reader, keys, digests)
	must(err)
	secrets, err := ecdh.Batch(agree, remotes)
	must(err)
	for i, key := range keys[:4] {
		want := stdecdsa.VerifyASN1(pubs[i], digests[i], sigs[i])
		v, err := ecdsa.NewVerifier(pubs[i])
		must(err)
		if ecdsa.VerifyASN1(pubs[i], digests[i], sigs[i]) != want || v.VerifyASN1(digests[i], sigs[i]) != want {
			fail("verdict on a signature")
		}
		s, err1 := ecdsa.NewSigner(key)
		checked, err2 := ecdsa.NewCheckedSigner(key)
		must(err1, err2)
		std, err := key.Sign(nil, digests[i], crypto.SHA256)
		must(err)
		for _, signer := range []crypto.Signer{s, checked} {
			if got, err := signer.Sign(nil, digests[i], crypto.SHA256); err != nil || !bytes.Equal(got, std) {
				fail("deterministic signature: %v", err)
			}
			if got, err := signer.Sign(rand.Reader, digests[i], crypto.SHA256); err != nil || !stdecdsa.VerifyASN1(pubs[i], digests[i], got) {
				fail("signature: %v", err)
			}
		}
		if secret, err := agree[i].ECDH(remotes[i]); err != nil || !bytes.Equal(secret, shared[i]) {
			fail("shared secret: %v", err)
		}
	}
	for i := range n {
		if verdicts[i] != stdecdsa.VerifyASN1(pubs[i], digests[i], sigs[i]) {
			fail("verdict in a batch")
		}
		if !stdecdsa.VerifyASN1(pubs[i], digests[i], made[i]) {
			fail("signature of a batch")
		}
		if !bytes.Equal(secrets[i], shared[i]) {
			fail("shared secret of a batch")
		}
	}
	signer, err := ecdsa.NewBatchSigner(keys[0])
	must(err)
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			if sig, err := signer.Sign(rand.Reader, digests[i], crypto.SHA256); err != nil || !stdecdsa.VerifyASN1(pubs[0], digests[i], sig) {
				fail("signature made together with others: %v", err)
			}
		})
	}
	wg.Wait()
}
