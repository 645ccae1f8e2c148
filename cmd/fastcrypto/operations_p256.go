package main

import (
	"bytes"
	"crypto"
	stdecdh "crypto/ecdh"
	stdecdsa "crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"io"
	"sync"

	"github.com/fastcrypto-go/fastcrypto/ecdh"
	"github.com/fastcrypto-go/fastcrypto/ecdsa"
	"github.com/fastcrypto-go/fastcrypto/internal/impl"
	"github.com/fastcrypto-go/fastcrypto/internal/p256"
)

var (
	errDiffer    = errors.New("the results differ from those of the library to compare with")
	errSignature = errors.New("a right signature was rejected")
)

const (
	batchSize  = 64
	goroutines = 64
)

var (
	single = []*impl.Primitive{impl.P256}
	batch  = []*impl.Primitive{impl.P256Batch, impl.P256}
)

func p256Operations() []*operation {
	const group = "P-256"
	var ops []*operation
	// Size 0: the digest is given. The other sizes hash the message too, as the
	// JDK's benchmarks do.
	messages := []int{0, 1024, 16384}
	for _, size := range messages {
		o := &operation{group: group, name: "ecdsa-p256/sign", size: size, primitives: single, setup: signRow(size)}
		if size == 0 {
			o.openssl = opensslSign("ecdsap256")
		}
		ops = append(ops, o)
	}
	for _, size := range messages {
		o := &operation{group: group, name: "ecdsa-p256/verify", size: size, primitives: single, setup: verifyRow(size, false)}
		if size == 0 {
			o.openssl = opensslVerify("ecdsap256")
		}
		ops = append(ops, o)
	}
	for _, size := range messages {
		ops = append(ops, &operation{group: group, name: "ecdsa-p256/verify-prepared", size: size, primitives: single, setup: verifyRow(size, true)})
	}
	return append(ops,
		&operation{group: group, name: "ecdsa-p256/sign-batch", primitives: batch, per: batchSize, setup: signBatchRow},
		&operation{group: group, name: "ecdsa-p256/verify-batch", primitives: batch, per: batchSize, setup: verifyBatchRow},
		&operation{group: group, name: "ecdsa-p256/sign-concurrent", primitives: batch, per: goroutines, setup: signConcurrentRow},
		&operation{group: group, name: "ecdh-p256/generateSecret", primitives: single, setup: secretRow, openssl: opensslDerive("ecdhp256")},
		&operation{group: group, name: "ecdh-p256/generateKey", primitives: single, setup: generateRow},
		&operation{group: group, name: "ecdh-p256/batch", primitives: batch, per: batchSize, setup: secretBatchRow},
		&operation{group: group, name: "p256/multiply", primitives: single, kernelOnly: true, setup: multiplyRow(p256.FieldMulChain)},
		&operation{group: group, name: "p256/multiply-batch", primitives: []*impl.Primitive{impl.P256Batch}, per: p256.Lanes, kernelOnly: true, setup: multiplyRow(p256.LaneMulChain)},
	)
}

// digester returns a function that hashes a message of the given size, or, if it
// is 0, gives the digest that is there already. It allocates nothing: each digest
// takes the place of the one before.
func digester(size int) func() []byte {
	m := message(size)
	digest := sha256.Sum256(m)
	if size == 0 {
		return func() []byte { return digest[:] }
	}
	return func() []byte {
		digest = sha256.Sum256(m)
		return digest[:]
	}
}

func signRow(size int) func(string) ([]contender, error) {
	return func(kernel string) ([]contender, error) {
		key, err := stdecdsa.GenerateKey(elliptic.P256(), rand.Reader)
		if err != nil {
			return nil, err
		}
		signer, err := ecdsa.NewSigner(key)
		if err != nil {
			return nil, err
		}
		digest := digester(size)
		d := digest()
		sig, err := signer.Sign(rand.Reader, d, crypto.SHA256)
		if err != nil {
			return nil, err
		}
		if !stdecdsa.VerifyASN1(&key.PublicKey, d, sig) {
			return nil, errSignature
		}
		return []contender{
			{"fastcrypto", kernel, signLoop(signer, digest)},
			{"std", "", signLoop(stdSigner{key}, digest)},
		}, nil
	}
}

// stdSigner signs through SignASN1, as programs do that hold the key itself.
type stdSigner struct{ key *stdecdsa.PrivateKey }

func (s stdSigner) Public() crypto.PublicKey { return &s.key.PublicKey }

func (s stdSigner) Sign(random io.Reader, digest []byte, _ crypto.SignerOpts) ([]byte, error) {
	return stdecdsa.SignASN1(random, s.key, digest)
}

func signLoop(s crypto.Signer, digest func() []byte) func(n int) {
	return func(n int) {
		for range n {
			if _, err := s.Sign(rand.Reader, digest(), crypto.SHA256); err != nil {
				panic(err)
			}
		}
	}
}

func verifyRow(size int, prepared bool) func(string) ([]contender, error) {
	return func(kernel string) ([]contender, error) {
		key, err := stdecdsa.GenerateKey(elliptic.P256(), rand.Reader)
		if err != nil {
			return nil, err
		}
		pub := &key.PublicKey
		digest := digester(size)
		d := digest()
		sig, err := stdecdsa.SignASN1(rand.Reader, key, d)
		if err != nil {
			return nil, err
		}
		fast := func(d, sig []byte) bool { return ecdsa.VerifyASN1(pub, d, sig) }
		if prepared {
			v, err := ecdsa.NewVerifier(pub)
			if err != nil {
				return nil, err
			}
			fast = v.VerifyASN1
		}
		std := func(d, sig []byte) bool { return stdecdsa.VerifyASN1(pub, d, sig) }
		loop := func(verify func(d, sig []byte) bool) func(n int) {
			return func(n int) {
				for range n {
					if !verify(digest(), sig) {
						panic(errSignature)
					}
				}
			}
		}
		if !fast(d, sig) {
			return nil, errSignature
		}
		return []contender{{"fastcrypto", kernel, loop(fast)}, {"std", "", loop(std)}}, nil
	}
}

// keysOfBatch makes a batch of keys with a digest and a signature of each.
func keysOfBatch() (keys []*stdecdsa.PrivateKey, pubs []*stdecdsa.PublicKey, digests, sigs [][]byte, err error) {
	for i := range batchSize {
		key, err := stdecdsa.GenerateKey(elliptic.P256(), rand.Reader)
		if err != nil {
			return nil, nil, nil, nil, err
		}
		d := sha256.Sum256(message(i))
		sig, err := stdecdsa.SignASN1(rand.Reader, key, d[:])
		if err != nil {
			return nil, nil, nil, nil, err
		}
		keys, pubs, digests, sigs = append(keys, key), append(pubs, &key.PublicKey), append(digests, d[:]), append(sigs, sig)
	}
	return keys, pubs, digests, sigs, nil
}

func signBatchRow(kernel string) ([]contender, error) {
	keys, pubs, digests, _, err := keysOfBatch()
	if err != nil {
		return nil, err
	}
	sigs, err := ecdsa.SignBatch(rand.Reader, keys, digests)
	if err != nil {
		return nil, err
	}
	for i, sig := range sigs {
		if !stdecdsa.VerifyASN1(pubs[i], digests[i], sig) {
			return nil, errSignature
		}
	}
	return []contender{
		{"fastcrypto", kernel, func(n int) {
			for range n {
				if _, err := ecdsa.SignBatch(rand.Reader, keys, digests); err != nil {
					panic(err)
				}
			}
		}},
		{"std", "", func(n int) {
			for range n {
				for i, key := range keys {
					if _, err := stdecdsa.SignASN1(rand.Reader, key, digests[i]); err != nil {
						panic(err)
					}
				}
			}
		}},
	}, nil
}

func verifyBatchRow(kernel string) ([]contender, error) {
	_, pubs, digests, sigs, err := keysOfBatch()
	if err != nil {
		return nil, err
	}
	fast := func(n int) {
		for range n {
			for _, ok := range ecdsa.VerifyBatch(pubs, digests, sigs) {
				if !ok {
					panic(errSignature)
				}
			}
		}
	}
	fast(1)
	return []contender{
		{"fastcrypto", kernel, fast},
		{"std", "", func(n int) {
			for range n {
				for i, pub := range pubs {
					if !stdecdsa.VerifyASN1(pub, digests[i], sigs[i]) {
						panic(errSignature)
					}
				}
			}
		}},
	}, nil
}

// signConcurrentRow lets as many goroutines sign with one key as a busy server
// has handshakes.
func signConcurrentRow(kernel string) ([]contender, error) {
	key, err := stdecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	signer, err := ecdsa.NewBatchSigner(key)
	if err != nil {
		return nil, err
	}
	loop := func(s crypto.Signer) func(n int) {
		one := signLoop(s, digester(0))
		return func(n int) {
			var wg sync.WaitGroup
			for range goroutines {
				wg.Go(func() { one(n) })
			}
			wg.Wait()
		}
	}
	return []contender{{"fastcrypto", kernel, loop(signer)}, {"std", "", loop(stdSigner{key})}}, nil
}

func secretRow(kernel string) ([]contender, error) {
	sk, err := stdecdh.P256().GenerateKey(rand.Reader)
	if err != nil {
		return nil, err
	}
	other, err := stdecdh.P256().GenerateKey(rand.Reader)
	if err != nil {
		return nil, err
	}
	pk := other.PublicKey()
	fsk, err := ecdh.FromStdPrivateKey(sk)
	if err != nil {
		return nil, err
	}
	fpk, err := ecdh.FromStdPublicKey(pk)
	if err != nil {
		return nil, err
	}
	a, err := fsk.ECDH(fpk)
	if err != nil {
		return nil, err
	}
	if b, err := sk.ECDH(pk); err != nil || !bytes.Equal(a, b) {
		return nil, errors.Join(errDiffer, err)
	}
	return []contender{
		{"fastcrypto", kernel, func(n int) {
			for range n {
				if _, err := fsk.ECDH(fpk); err != nil {
					panic(err)
				}
			}
		}},
		{"std", "", func(n int) {
			for range n {
				if _, err := sk.ECDH(pk); err != nil {
					panic(err)
				}
			}
		}},
	}, nil
}

func generateRow(kernel string) ([]contender, error) {
	return []contender{
		{"fastcrypto", kernel, func(n int) {
			for range n {
				k, err := ecdh.P256().GenerateKey(rand.Reader)
				if err != nil {
					panic(err)
				}
				k.PublicKey()
			}
		}},
		{"std", "", func(n int) {
			for range n {
				k, err := stdecdh.P256().GenerateKey(rand.Reader)
				if err != nil {
					panic(err)
				}
				k.PublicKey()
			}
		}},
	}, nil
}

func secretBatchRow(kernel string) ([]contender, error) {
	var (
		sks  []*stdecdh.PrivateKey
		pks  []*stdecdh.PublicKey
		fsks []*ecdh.PrivateKey
		fpks []*ecdh.PublicKey
	)
	for range batchSize {
		sk, err := stdecdh.P256().GenerateKey(rand.Reader)
		if err != nil {
			return nil, err
		}
		other, err := stdecdh.P256().GenerateKey(rand.Reader)
		if err != nil {
			return nil, err
		}
		fsk, err := ecdh.FromStdPrivateKey(sk)
		if err != nil {
			return nil, err
		}
		fpk, err := ecdh.FromStdPublicKey(other.PublicKey())
		if err != nil {
			return nil, err
		}
		sks, pks, fsks, fpks = append(sks, sk), append(pks, other.PublicKey()), append(fsks, fsk), append(fpks, fpk)
	}
	secrets, err := ecdh.Batch(fsks, fpks)
	if err != nil {
		return nil, err
	}
	for i, s := range secrets {
		if want, err := sks[i].ECDH(pks[i]); err != nil || !bytes.Equal(s, want) {
			return nil, errors.Join(errDiffer, err)
		}
	}
	return []contender{
		{"fastcrypto", kernel, func(n int) {
			for range n {
				if _, err := ecdh.Batch(fsks, fpks); err != nil {
					panic(err)
				}
			}
		}},
		{"std", "", func(n int) {
			for range n {
				for i, sk := range sks {
					if _, err := sk.ECDH(pks[i]); err != nil {
						panic(err)
					}
				}
			}
		}},
	}, nil
}

// multiplyRow measures the field multiplication by a chain of them. No other
// library makes its own reachable.
func multiplyRow(chain func(n int)) func(string) ([]contender, error) {
	return func(kernel string) ([]contender, error) {
		return []contender{{"fastcrypto", kernel, chain}}, nil
	}
}
