package aead

import (
	"crypto/cipher"
	"crypto/subtle"
	"encoding/binary"
	"slices"
	"sync"

	"github.com/fastcrypto-go/fastcrypto/internal/alias"
)

// A Sealer encrypts one message with AES-GCM in pieces of any lengths. The
// ciphertext pieces and the tag, put together, are what Seal of a [NewGCM] AEAD
// gives for the whole message. A Sealer serves one message, and one goroutine
// at a time. It keeps no more than a block of the plaintext.
type Sealer struct {
	msg     message
	generic *genericSealer // serves where no kernel does
	done    bool
}

// NewSealer returns a Sealer for one message. The block is a 128-bit block
// cipher as for [NewGCM]; the nonce has any positive length, 12 bytes being the
// standard, and must not have been used before with the block's key. The
// arguments are not referred to afterwards.
func NewSealer(block cipher.Block, nonce, additionalData []byte) (*Sealer, error) {
	// Small enough to be inlined: then a Sealer that does not escape needs no heap.
	return new(Sealer).init(block, nonce, additionalData)
}

func (s *Sealer) init(block cipher.Block, nonce, additionalData []byte) (*Sealer, error) {
	if key := keyOf(block); key != nil && len(nonce) > 0 {
		s.msg.start(key, nonce, additionalData)
		return s, nil
	}
	var err error
	if s.generic, err = newGenericSealer(block, nonce, additionalData); err != nil {
		return nil, err
	}
	return s, nil
}

// Update encrypts the next piece and appends its ciphertext, of the same length,
// to dst. It returns the extended slice. The appended part may overlap plaintext
// exactly or not at all. Update panics on other overlaps, after Final, and if
// the message grows beyond 2^36 − 32 bytes.
func (s *Sealer) Update(dst, plaintext []byte) []byte {
	if s.done {
		panic("aead: Sealer used after Final")
	}
	if uint64(len(plaintext)) > maxMessage-s.msg.length {
		panic("crypto/cipher: message too large for GCM")
	}
	ret, n := dst, len(dst)+len(plaintext)
	if n > cap(dst) {
		// As append grows, since many pieces follow.
		ret = slices.Grow(dst, len(plaintext))
	}
	ret = ret[:n]
	out := ret[len(dst):]
	if alias.InexactOverlap(out, plaintext) {
		panic("crypto/cipher: invalid buffer overlap of output and input")
	}
	switch {
	case s.generic != nil:
		s.msg.length += uint64(len(plaintext))
		s.generic.update(out, plaintext)
	case s.msg.takesChunks(len(plaintext)):
		s.msg.sealChunks(out, plaintext)
	default:
		s.msg.seal(out, plaintext)
	}
	return ret
}

// Final appends the 16-byte tag to dst and returns the extended slice. The
// Sealer cannot be used afterwards.
func (s *Sealer) Final(dst []byte) []byte {
	if s.done {
		panic("aead: Sealer used after Final")
	}
	s.done = true
	var tag [maxTagSize]byte
	if s.generic != nil {
		s.generic.final(&tag)
	} else {
		s.msg.final(&tag)
	}
	return append(dst, tag[:]...)
}

// An Opener decrypts one AES-GCM message that arrives in pieces of any lengths.
// It keeps the pieces and gives out no plaintext before the tag proved right. An
// Opener serves one message, and one goroutine at a time.
type Opener struct {
	msg     message
	chunks  []*openerChunk // all full but the last
	length  uint64
	generic *genericOpener // serves where no kernel does
	tooLong bool
	done    bool
}

// An openerChunk holds whole blocks of ciphertext. Chunks are used again, so that a
// program that opens message after message soon allocates no more.
type openerChunk [1 << 15]byte

var openerChunks = sync.Pool{New: func() any { return new(openerChunk) }}

// NewOpener returns an Opener for one message, with the arguments of [NewSealer].
func NewOpener(block cipher.Block, nonce, additionalData []byte) (*Opener, error) {
	// Small enough to be inlined, as NewSealer is.
	return new(Opener).init(block, nonce, additionalData)
}

func (o *Opener) init(block cipher.Block, nonce, additionalData []byte) (*Opener, error) {
	if key := keyOf(block); key != nil && len(nonce) > 0 {
		o.msg.start(key, nonce, additionalData)
		return o, nil
	}
	var err error
	if o.generic, err = newGenericOpener(block, nonce, additionalData); err != nil {
		return nil, err
	}
	return o, nil
}

// Update takes the next piece of the ciphertext, without the tag, and copies it.
// A message beyond 2^36 − 32 bytes fails in Final. Update panics after Final.
func (o *Opener) Update(ciphertext []byte) {
	if o.done {
		panic("aead: Opener used after Final")
	}
	if o.tooLong || uint64(len(ciphertext)) > maxMessage-o.length {
		o.tooLong = true
		o.forget()
		return
	}
	if o.generic != nil {
		o.length += uint64(len(ciphertext))
		o.generic.update(ciphertext)
		return
	}
	if o.chunks == nil {
		o.chunks = make([]*openerChunk, 0, 8)
	}
	for len(ciphertext) > 0 {
		used := int(o.length % uint64(len(openerChunk{})))
		if used == 0 {
			o.chunks = append(o.chunks, openerChunks.Get().(*openerChunk))
		}
		n := copy(o.chunks[len(o.chunks)-1][used:], ciphertext)
		o.length += uint64(n)
		ciphertext = ciphertext[n:]
	}
}

// forget gives the chunks back and clears what depends on the key.
func (o *Opener) forget() {
	for _, c := range o.chunks {
		openerChunks.Put(c)
	}
	o.chunks = nil
	o.msg.forget()
}

// Final compares the 16-byte tag and, if it is right, appends the plaintext of
// the whole message to dst and returns the extended slice. Otherwise, and for a
// tag of another length, it returns an error and no plaintext. The Opener cannot
// be used afterwards: Final panics the second time.
func (o *Opener) Final(dst, tag []byte) ([]byte, error) {
	if o.done {
		panic("aead: Opener used after Final")
	}
	o.done = true
	defer o.forget()
	if o.tooLong || len(tag) != maxTagSize {
		return nil, errOpen
	}
	if o.generic != nil {
		return o.generic.final(dst, tag)
	}
	// The tag may lie where the plaintext goes.
	want := [maxTagSize]byte(tag)
	ret, out := alias.SliceForAppend(dst, int(o.length))
	rest := out
	for c := range o.ciphertext {
		o.msg.open(rest[:len(c)], c)
		rest = rest[len(c):]
	}
	var got [maxTagSize]byte
	o.msg.final(&got)
	if subtle.ConstantTimeCompare(got[:], want[:]) != 1 {
		clear(out)
		clear(got[:]) // it would make a forgery
		return nil, errOpen
	}
	return ret, nil
}

// ciphertext yields what the chunks hold.
func (o *Opener) ciphertext(yield func([]byte) bool) {
	left := o.length
	for _, c := range o.chunks {
		n := min(left, uint64(len(c)))
		if !yield(c[:n]) {
			return
		}
		left -= n
	}
}

// A message is an AES-GCM message under way on the kernels.
type message struct {
	key      *gcmKey
	j0       [BlockSize]byte // the counter block before the message's first
	y        [BlockSize]byte // state of GHASH, but for what is held or part of a block
	ctr      [BlockSize]byte // counter block of the next block
	counter  uint32          // its last word
	standard bool            // the nonce has 12 bytes: the counter is not secret
	adLength uint64
	length   uint64 // bytes of text so far

	// The block under way: used bytes of ciphertext, and its key stream. used is 0
	// where there is none.
	part   [BlockSize]byte
	stream [BlockSize]byte
	used   int

	// What the kernel keeps and the last ciphertext, holds bytes, which is hashed while
	// more is encrypted. There is room for a block and the lengths behind it.
	holds int
	held  [ownSize + heldSize + 2*BlockSize]byte
}

func (m *message) start(key *gcmKey, nonce, additionalData []byte) {
	m.key, m.standard = key, len(nonce) == standardNonceSize
	key.firstCounter(&m.j0, nonce)
	m.ctr, m.counter = m.j0, binary.BigEndian.Uint32(m.j0[BlockSize-4:])
	m.count(1)
	m.adLength = uint64(len(additionalData))
	key.hash(&m.y, additionalData)
}

// count moves the counter on by n blocks; only the last word of a counter block counts.
// The block is made ready here, long before it is needed: a load that follows such a
// short store at once would wait for all stores before it.
func (m *message) count(n int) {
	m.counter += uint32(n)
	binary.BigEndian.PutUint32(m.ctr[BlockSize-4:], m.counter)
}

// takesChunks reports whether sealChunks takes n bytes now.
func (m *message) takesChunks(n int) bool {
	chunk := m.key.chunk()
	return chunk > 0 && n&(chunk-1) == 0 && n > 0 && m.used == 0
}

// heldText returns the ciphertext that is not hashed yet.
func (m *message) heldText() []byte { return m.held[ownSize:][:m.holds] }

// seal encrypts the next piece. dst and src have the same length.
func (m *message) seal(dst, src []byte) {
	m.length += uint64(len(src))
	m.key.hash(&m.y, m.heldText())
	m.holds = 0
	if m.used > 0 {
		n := subtle.XORBytes(dst, src, m.stream[m.used:])
		m.took(dst[:n])
		dst, src = dst[n:], src[n:]
	}
	whole := len(src) &^ (BlockSize - 1)
	m.key.sealBlocks(dst[:whole], src[:whole], &m.ctr, &m.y)
	m.count(whole / BlockSize)
	if src = src[whole:]; len(src) > 0 {
		m.begin()
		subtle.XORBytes(dst[whole:], src, m.stream[:])
		m.took(dst[whole:])
	}
}

// open decrypts the next piece. dst and src have the same length, and may be equal.
func (m *message) open(dst, src []byte) {
	m.length += uint64(len(src))
	if m.used > 0 {
		n := min(len(src), BlockSize-m.used)
		used := m.used
		m.took(src[:n])
		subtle.XORBytes(dst, src[:n], m.stream[used:])
		dst, src = dst[n:], src[n:]
	}
	whole := len(src) &^ (BlockSize - 1)
	m.key.openBlocks(dst[:whole], src[:whole], &m.ctr, &m.y)
	m.count(whole / BlockSize)
	if src = src[whole:]; len(src) > 0 {
		m.begin()
		m.took(src)
		subtle.XORBytes(dst[whole:], src, m.stream[:])
	}
}

// begin makes the key stream of a block of which not all bytes are there yet.
func (m *message) begin() {
	m.encrypt(&m.stream, &m.ctr)
	m.count(1)
}

// encrypt sets dst to E(K, src).
func (m *message) encrypt(dst, src *[BlockSize]byte) {
	clear(dst[:])
	m.key.keyStream(m.key.tier, dst[:], dst[:], binary.BigEndian.Uint64(src[:]), binary.BigEndian.Uint64(src[8:]))
}

// took adds ciphertext to the block under way, and hashes it when it is full.
func (m *message) took(ciphertext []byte) {
	m.used += copy(m.part[m.used:], ciphertext)
	if m.used == BlockSize {
		m.key.hash(&m.y, m.part[:])
		m.used = 0
	}
}

// final sets tag and forgets the message.
func (m *message) final(tag *[maxTagSize]byte) {
	// What is held, the last part of a block and the lengths are hashed together.
	end := m.heldText()
	if m.used > 0 {
		clear(m.part[m.used:])
		end = append(end, m.part[:]...)
	}
	end = binary.BigEndian.AppendUint64(end, m.adLength*8)
	end = binary.BigEndian.AppendUint64(end, m.length*8)
	m.key.hash(&m.y, end)
	m.encrypt(&m.stream, &m.j0)
	subtle.XORBytes(tag[:], m.y[:], m.stream[:])
	m.forget()
}

// forget clears what is secret: a message cannot be used any more.
func (m *message) forget() {
	m.key = nil
	clear(m.y[:])
	clear(m.stream[:])
	// With a nonce that is not of 12 bytes the counters depend on H.
	clear(m.j0[:])
	clear(m.ctr[:])
	m.counter = 0
	if heldSize > 0 {
		clear(m.held[:ownSize])
	}
}
