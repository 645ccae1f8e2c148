package ecdsa

import (
	"crypto"
	"io"
	"runtime"
	"sync"

	"github.com/fastcrypto-go/fastcrypto/internal/deadstack"
	"github.com/fastcrypto-go/fastcrypto/internal/p256"
	"github.com/fastcrypto-go/fastcrypto/internal/random"
)

// A BatchSigner signs with one private key for many concurrent callers, such as the
// handshakes of a busy TLS server: it serves as the PrivateKey of a
// [crypto/tls.Certificate]. It implements [crypto.Signer] and [crypto.MessageSigner]
// and is safe for concurrent use.
//
// Where the processor makes eight P-256 signatures at once, callers that arrive
// together are signed together, by one of them: there is no goroutine of its own and
// no timer. Under load a caller lets the scheduler run others first, then takes what
// has gathered, in the order of arrival; one that is alone signs at once. Elsewhere a
// BatchSigner is a [Signer].
type BatchSigner struct {
	signer *Signer

	mu      sync.Mutex
	waiting []*request // the callers that wait to be served, the oldest first
	leaders int        // the callers that serve, at most one a processor
	crowded int        // how many more leaders let others run first; see yields
	since   int        // leaders since one did

	beforeServe func() // for tests, or nil
}

// Where a processor idles, runtime.Gosched wakes it to look for work, which takes
// about as long as a signature. So a leader does it only while others were found to
// gather lately, and otherwise once in probeEvery times, to find out.
const (
	probeEvery   = 32
	staysCrowded = 8
)

// maxTogether is how many signatures a leader makes at once: enough to share the
// inversions, and few enough that the first caller does not wait long.
const maxTogether = 4 * p256.Lanes

// A request is a caller that waits. Its job is a job of p256.SignBatch, given by
// the caller and completed by its leader.
type request struct {
	job  p256.SignJob
	wake chan event // with room for one event
}

type event int

const (
	served event = iota // the job is done
	lead                // the request is the next leader's own
	alone               // the leader failed; the caller is to sign by itself
)

var requests = sync.Pool{New: func() any { return &request{wake: make(chan event, 1)} }}

// NewBatchSigner returns a BatchSigner for priv, which it checks and copies as
// [NewSigner] does, with the same errors.
func NewBatchSigner(priv *PrivateKey) (*BatchSigner, error) {
	s, err := NewSigner(priv)
	if err != nil {
		return nil, err
	}
	return &BatchSigner{signer: s}, nil
}

// Public returns the public key, a *[PublicKey].
func (b *BatchSigner) Public() crypto.PublicKey { return b.signer.Public() }

// Sign is like [Signer.Sign]. Signatures with a nil rand are made one at a time.
func (b *BatchSigner) Sign(rand io.Reader, digest []byte, opts crypto.SignerOpts) ([]byte, error) {
	if rand == nil || !b.signer.kernels || !inLanes() || !random.Ignores(rand) {
		return b.signer.Sign(rand, digest, opts)
	}
	return b.signTogether(digest)
}

// SignMessage is like [Signer.SignMessage].
func (b *BatchSigner) SignMessage(rand io.Reader, msg []byte, opts crypto.SignerOpts) ([]byte, error) {
	var buf [maxHashSize]byte
	digest, err := messageDigest(&buf, msg, opts)
	if err != nil {
		return nil, err
	}
	return b.Sign(rand, digest, opts)
}

func (b *BatchSigner) signTogether(digest []byte) ([]byte, error) {
	r := requests.Get().(*request)
	defer func() {
		deadstack.Clear()
		r.job = p256.SignJob{}
		requests.Put(r)
	}()
	k := &b.signer.p256
	r.job.D = k.d
	k.prepare(&r.job.K, &r.job.E, digest)
	e := lead
	if !b.enqueue(r) {
		e = <-r.wake
	}
	switch e {
	case lead:
		b.lead(r)
	case alone: // with another nonce: the leader may have begun with this one
		sig, err := k.signASN1(digest)
		return b.signer.release(digest, sig, err)
	}
	if !r.job.OK {
		return nil, ErrFault
	}
	return b.signer.release(digest, encodeSignature(&r.job.R, &r.job.S), nil)
}

// enqueue reports whether r is to lead at once. Otherwise r.wake tells what to do.
func (b *BatchSigner) enqueue(r *request) (leads bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.leaders < runtime.GOMAXPROCS(0) {
		b.leaders++
		return true
	}
	b.waiting = append(b.waiting, r)
	return false
}

// lead serves own and what has gathered meanwhile, and hands over.
func (b *BatchSigner) lead(own *request) {
	if b.yields() {
		runtime.Gosched() // who is ready to call comes first
	}
	var together [maxTogether]*request
	n := b.gather(&together, own)
	done := false
	defer func() {
		if !done { // a panic goes to the leader alone
			for _, r := range together[1:n] {
				r.wake <- alone
			}
		}
		b.handOver()
	}()
	if b.beforeServe != nil {
		b.beforeServe()
	}
	serve(together[:n])
	done = true
	for _, r := range together[1:n] {
		r.wake <- served
	}
}

// yields reports whether a leader is to let others run first.
func (b *BatchSigner) yields() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.since++; b.crowded == 0 && b.since < probeEvery {
		return false
	}
	b.since = 0
	return true
}

// gather fills together with own and the leader's share of those waiting.
func (b *BatchSigner) gather(together *[maxTogether]*request, own *request) (n int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	together[0] = own
	share := (len(b.waiting) + b.leaders - 1) / b.leaders
	// Fill the lanes: a padded one costs as much as a signature.
	share = (share+p256.Lanes)/p256.Lanes*p256.Lanes - 1
	n = 1 + copy(together[1:], b.waiting[:min(share, len(b.waiting))])
	rest := copy(b.waiting, b.waiting[n-1:])
	clear(b.waiting[rest:])
	b.waiting = b.waiting[:rest]
	if n > 1 {
		b.crowded = staysCrowded
	} else if b.crowded > 0 {
		b.crowded--
	}
	return n
}

// handOver makes the one that waits longest the next leader.
func (b *BatchSigner) handOver() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.waiting) == 0 {
		b.leaders--
		return
	}
	next := b.waiting[0]
	rest := copy(b.waiting, b.waiting[1:])
	b.waiting[rest] = nil
	b.waiting = b.waiting[:rest]
	next.wake <- lead
}

// serve completes the jobs of all requests.
func serve(together []*request) {
	if len(together) == 1 {
		j := &together[0].job
		j.OK = p256.Sign(&j.R, &j.S, &j.D, &j.K, &j.E)
		return
	}
	var jobs [maxTogether]p256.SignJob
	defer func() { clear(jobs[:]) }()
	for i, r := range together {
		jobs[i] = r.job
	}
	p256.SignBatch(jobs[:len(together)])
	for i, r := range together {
		r.job.R, r.job.S, r.job.OK = jobs[i].R, jobs[i].S, jobs[i].OK
	}
}
