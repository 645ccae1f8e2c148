package tlsrecord

import (
	"bytes"
	"crypto/cipher"
	"encoding/binary"
	"errors"
	"fmt"
	"reflect"
)

const (
	tagLength    = 16
	headerLength = 5
	maxRecord    = 1<<14 + 1 // plaintext and content type, in bytes
)

// recordLengths are the lengths of plaintext that prove seals: around the block
// sizes of the ciphers, around the strides of the kernels, and the longest record.
var recordLengths = []int{1, 2, 15, 16, 17, 63, 64, 65, 127, 128, 255, 256, 257, 511, 1024, 1351, 4097, maxRecord - 1, maxRecord}

// prove seals and opens records with AEADs of both constructors, in place as
// crypto/tls does, compares each byte, and has the other side open them. A
// changed tag, a changed header and another sequence number must be rejected.
func prove(keyLen int, original, replaced constructor, w *wrapper) error {
	key, fixed := make([]byte, keyLen), make([]byte, nonceLength)
	for i := range key {
		key[i] = byte(i*7 + 1)
	}
	for i := range fixed {
		fixed[i] = byte(0xf0 ^ i*29)
	}
	was, is := any(original(key, fixed)), any(replaced(key, fixed))
	if !w.holds(was) || !w.holds(is) {
		return fmt.Errorf("its AEADs are %T and %T, want %v", was, is, w.pointer)
	}
	if *w.maskOf(was) != *w.maskOf(is) {
		return errors.New("the fixed nonce was not kept")
	}
	if reflect.TypeOf(*w.innerOf(was)) == reflect.TypeOf(*w.innerOf(is)) {
		return errors.New("the AEAD was not replaced")
	}
	theirs, ours := was.(cipher.AEAD), is.(cipher.AEAD)
	if ours.NonceSize() != theirs.NonceSize() || ours.Overhead() != theirs.Overhead() {
		return errors.New("the replaced AEAD has other sizes")
	}

	for seq, n := range recordLengths {
		plaintext := make([]byte, n)
		for i := range plaintext {
			plaintext[i] = byte(i*i>>3 + i + seq)
		}
		number := binary.BigEndian.AppendUint64(nil, uint64(seq))
		a, b := seal(theirs, number, plaintext), seal(ours, number, plaintext)
		if !bytes.Equal(a, b) {
			return fmt.Errorf("a record of %d bytes is sealed otherwise than by crypto/tls", n)
		}
		if p, err := open(ours, number, a); err != nil || !bytes.Equal(p, plaintext) {
			return fmt.Errorf("a record of %d bytes that crypto/tls sealed is not opened", n)
		}
		if p, err := open(theirs, number, b); err != nil || !bytes.Equal(p, plaintext) {
			return fmt.Errorf("crypto/tls does not open a sealed record of %d bytes", n)
		}
		for _, i := range []int{0, headerLength, headerLength + n, len(b) - 1} {
			changed := bytes.Clone(b)
			changed[i] ^= 1 << (seq % 8)
			if _, err := open(ours, number, changed); err == nil {
				return fmt.Errorf("a changed record of %d bytes is opened", n)
			}
		}
		if _, err := open(ours, binary.BigEndian.AppendUint64(nil, uint64(seq)^1<<40), b); err == nil {
			return fmt.Errorf("a record of %d bytes is opened with another sequence number", n)
		}
	}
	return nil
}

// seal returns a whole record: header, ciphertext and tag.
func seal(a cipher.AEAD, number, plaintext []byte) []byte {
	n := len(plaintext) + tagLength
	record := make([]byte, 0, headerLength+n)
	record = append(record, 23, 3, 3, byte(n>>8), byte(n))
	record = append(record, plaintext...)
	return a.Seal(record[:headerLength], number, record[headerLength:], record[:headerLength])
}

// open returns the plaintext of a whole record, which it leaves as it is.
func open(a cipher.AEAD, number, record []byte) ([]byte, error) {
	header, payload := record[:headerLength], bytes.Clone(record[headerLength:])
	return a.Open(payload[:0], number, payload, header)
}
