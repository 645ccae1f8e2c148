package tlsrecord

import (
	"crypto/cipher"
	"crypto/fips140"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/fastcrypto-go/fastcrypto/aead"
	"github.com/fastcrypto-go/fastcrypto/chacha20poly1305"
	"github.com/fastcrypto-go/fastcrypto/internal/impl"
)

var (
	installing sync.Mutex
	installed  atomic.Bool
)

// Install makes the records of TLS 1.3 of crypto/tls use this library's AEADs, in
// the whole process, from the next handshake on. Read the package documentation
// for the risk, and call it before the first connection.
//
// It returns nil exactly when it is in force, so a second call does nothing and
// returns nil. An error says what stood in the way, and that nothing was changed;
// a program can log it and go on with the standard library. The error matches
// [errors.ErrUnsupported] where this toolchain, build or processor cannot have
// it, or FIPS 140-3 mode forbids it, and does not where crypto/tls was not what
// it was expected to be, or a result was wrong.
func Install() error {
	installing.Lock()
	defer installing.Unlock()
	if installed.Load() {
		return nil
	}
	if err := install(); err != nil {
		return fmt.Errorf("tlsrecord: nothing was changed: %w", err)
	}
	installed.Store(true)
	return nil
}

// Installed reports whether [Install] is in force.
func Installed() bool { return installed.Load() }

func install() error {
	if fips140.Enabled() {
		return fmt.Errorf("FIPS 140-3 mode: the standard library serves: %w", errors.ErrUnsupported)
	}
	with := replacements()
	if len(with) == 0 {
		return fmt.Errorf("no kernel serves AES-GCM or ChaCha20-Poly1305 here, see provider.Kernels: %w", errors.ErrUnsupported)
	}
	if err := checkVersion(runtime.Version()); err != nil {
		return err
	}
	suites, err := table()
	if err != nil {
		return err
	}
	changes, err := prepare(suites, expected, with)
	if err != nil {
		return err
	}
	for _, c := range changes {
		c.apply()
	}
	return nil
}

// A replacement constructs the AEAD that takes the place of crypto/tls's.
type replacement func(key []byte) (cipher.AEAD, error)

// replacements returns a constructor for each suite that a kernel serves here.
func replacements() map[uint16]replacement {
	r := make(map[uint16]replacement)
	if impl.GCM.Tier() != impl.Generic {
		r[aes128GCM], r[aes256GCM] = newGCM, newGCM
	}
	if impl.ChaCha.Tier() != impl.Generic {
		r[chacha20Poly1305] = newChaCha
	}
	return r
}

func newGCM(key []byte) (cipher.AEAD, error) {
	block, err := aead.NewCipher(key)
	if err != nil {
		return nil, err
	}
	return aead.NewGCM(block)
}

func newChaCha(key []byte) (cipher.AEAD, error) { return chacha20poly1305.New(key) }

// A change is a suite and the constructor that it shall have.
type change struct {
	suite *cipherSuite
	to    constructor
}

// apply stores the constructor with one atomic write, so that a handshake that
// should be under way sees the old one or the new one.
func (c change) apply() {
	atomic.StorePointer((*unsafe.Pointer)(unsafe.Pointer(&c.suite.aead)), *(*unsafe.Pointer)(unsafe.Pointer(&c.to)))
}

// prepare checks the table against what is wanted, makes the constructors and
// proves them. It changes nothing.
func prepare(suites []*cipherSuite, want expectation, with map[uint16]replacement) ([]change, error) {
	if err := want.checkTable(suites); err != nil {
		return nil, err
	}
	var changes []change
	for _, s := range suites {
		r := with[s.id]
		if r == nil {
			continue
		}
		w, err := want.checkWrapper(s)
		if err != nil {
			return nil, fmt.Errorf("suite %#04x: %w", s.id, err)
		}
		to := w.wrap(s.aead, r)
		if err := prove(s.keyLen, s.aead, to, w); err != nil {
			return nil, fmt.Errorf("suite %#04x: %w", s.id, err)
		}
		changes = append(changes, change{s, to})
	}
	return changes, nil
}
