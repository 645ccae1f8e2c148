package aead

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/subtle"
	"reflect"
	"sync"
	"unsafe"

	"github.com/fastcrypto-go/fastcrypto/internal/impl"
)

// A stdLayout says where the standard library's AES block keeps its round keys.
type stdLayout struct {
	block         reflect.Type // pointer to the block's struct; nil if not understood
	rounds, round uintptr      // offsets of the number of rounds and of the round keys
}

// layoutOfStd looks at the type that aes.NewCipher returns, once. It understands
// a struct with fields, possibly embedded, "rounds int" and "enc [60]uint32".
// That the words there really are round keys in memory order is proved for each
// key by encrypting a block both ways.
var layoutOfStd = sync.OnceValue(func() stdLayout {
	b, err := aes.NewCipher(make([]byte, 16))
	if err != nil {
		return stdLayout{}
	}
	return findLayout(reflect.TypeOf(b))
})

func findLayout(t reflect.Type) stdLayout {
	if t.Kind() != reflect.Pointer || t.Elem().Kind() != reflect.Struct {
		return stdLayout{}
	}
	rounds, ok1 := fieldOffset(t.Elem(), "rounds", reflect.TypeFor[int]())
	round, ok2 := fieldOffset(t.Elem(), "enc", reflect.TypeFor[[maxRoundKeys / 4]uint32]())
	if !ok1 || !ok2 {
		return stdLayout{}
	}
	return stdLayout{block: t, rounds: rounds, round: round}
}

// fieldOffset returns the offset of the named field from the start of t, through
// structs embedded by value.
func fieldOffset(t reflect.Type, name string, want reflect.Type) (uintptr, bool) {
	f, ok := t.FieldByName(name)
	if !ok || f.Type != want {
		return 0, false
	}
	var offset uintptr
	for _, i := range f.Index {
		if t.Kind() != reflect.Struct {
			return 0, false
		}
		offset += t.Field(i).Offset
		t = t.Field(i).Type
	}
	return offset, true
}

// stdSchedule returns the round keys inside b if b is the standard library's AES
// block, laid out as understood. They are b's own memory: to be copied, not kept.
func stdSchedule(b cipher.Block) (roundKeys *[maxRoundKeys]byte, rounds int, ok bool) {
	l := layoutOfStd()
	if l.block == nil || reflect.TypeOf(b) != l.block {
		return nil, 0, false
	}
	p := reflect.ValueOf(b).UnsafePointer()
	rounds = *(*int)(unsafe.Add(p, l.rounds))
	if rounds != 10 && rounds != 12 && rounds != 14 {
		return nil, 0, false
	}
	return (*[maxRoundKeys]byte)(unsafe.Add(p, l.round)), rounds, true
}

// ofStd makes the key of the standard library's block b. It reports false if b is
// another block, or if the round keys do not encrypt as b does.
func (k *gcmKey) ofStd(b cipher.Block, tier impl.Tier) bool {
	roundKeys, rounds, ok := stdSchedule(b)
	if !ok {
		return false
	}
	k.rounds, k.tier = rounds, tier
	copy(k.roundKeys[:(rounds+1)*BlockSize], roundKeys[:])
	// E(K, 0), which is the hash key, both ways. b's is on the heap: arguments of an
	// interface's method escape.
	var byKernel [BlockSize]byte
	byBlock := new([BlockSize]byte)
	b.Encrypt(byBlock[:], byBlock[:])
	k.init(&byKernel)
	equal := subtle.ConstantTimeCompare(byKernel[:], byBlock[:]) == 1
	clear(byKernel[:])
	clear(byBlock[:])
	return equal
}
