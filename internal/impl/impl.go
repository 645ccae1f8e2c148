package impl

import (
	"crypto/fips140"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
)

// A Row is one kernel tier of a primitive.
type Row struct {
	Tier  Tier
	Needs Features
	// Avoid returns why a processor that has the features does better without
	// this tier, or "". A nil Avoid never avoids. An avoided row can be forced.
	Avoid func(*CPU) string
}

// A Primitive has a table of rows, the best first, and the library that serves
// where no row does. All methods are safe for concurrent use.
type Primitive struct {
	name    string
	library string
	rows    []Row

	// current is the chosen tier plus one; 0 until the first call of Tier.
	current atomic.Uint32

	mu       sync.Mutex
	kat      func(Tier) error
	verdicts map[Tier]error // results of known-answer tests that ran
	injected map[Tier]error // failures that a test pretends
}

// The primitives.
var (
	GCM       = &Primitive{name: "AES-GCM", library: "crypto/cipher", rows: gcmRows}
	CTR       = &Primitive{name: "AES-CTR", library: "crypto/cipher", rows: ctrRows}
	ChaCha    = &Primitive{name: "ChaCha20-Poly1305", library: "golang.org/x/crypto/chacha20poly1305", rows: chachaRows}
	Poly1305  = &Primitive{name: "Poly1305", library: "golang.org/x/crypto/poly1305", rows: poly1305Rows}
	P256      = &Primitive{name: "P-256", library: "crypto/ecdsa, crypto/ecdh", rows: p256Rows}
	P256Batch = &Primitive{name: "P-256 batch", library: "one operation at a time", rows: p256BatchRows}
)

// Primitives returns all primitives, in the order of reports.
func Primitives() []*Primitive {
	return []*Primitive{GCM, CTR, ChaCha, Poly1305, P256, P256Batch}
}

// Register sets the known-answer test: it runs the primitive on the given tier
// (one of the rows, or Generic), without calling Tier, and returns an error
// where a result is wrong. The owning package calls it from init.
func (p *Primitive) Register(kat func(Tier) error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.kat = kat
}

// Name returns the primitive's name, for example "AES-GCM".
func (p *Primitive) Name() string { return p.name }

// Tier returns the tier that serves: the first row that this processor supports
// and does not avoid, and that passed its known-answer test, or Generic. In FIPS
// 140-3 mode it is Generic. The first call runs the known-answer test.
func (p *Primitive) Tier() Tier {
	if c := p.current.Load(); c != 0 {
		return Tier(c - 1)
	}
	return p.choose()
}

func (p *Primitive) choose() Tier {
	p.mu.Lock()
	defer p.mu.Unlock()
	if c := p.current.Load(); c != 0 {
		return Tier(c - 1)
	}
	t := Generic
	for i := range p.rows {
		if p.obstacle(&p.rows[i]) == "" && p.avoidance(&p.rows[i]) == "" && p.check(p.rows[i].Tier) == nil {
			t = p.rows[i].Tier
			break
		}
	}
	p.current.Store(uint32(t) + 1)
	return t
}

// obstacle returns why the row cannot run here, or "".
func (p *Primitive) obstacle(r *Row) string {
	switch c := Processor(); {
	case purego:
		return "not built in: build tag purego"
	case boring:
		return "built with GOEXPERIMENT=boringcrypto: the standard library serves"
	case fips140.Enabled():
		return "FIPS 140-3 mode: the standard library serves"
	case !c.Present.Has(r.Needs):
		return "this machine lacks " + strings.Join((r.Needs&^c.Present).Names(), ", ")
	case !c.Enabled.Has(r.Needs):
		return "switched off by GODEBUG: " + strings.Join((r.Needs&^c.Enabled).Names(), ", ")
	}
	return ""
}

func (p *Primitive) avoidance(r *Row) string {
	if r.Avoid == nil {
		return ""
	}
	c := Processor()
	return r.Avoid(&c)
}

// check runs the tier's known-answer test if it has not run. p.mu is held.
func (p *Primitive) check(t Tier) error {
	if err := p.injected[t]; err != nil {
		return err
	}
	if err, done := p.verdicts[t]; done {
		return err
	}
	err := p.run(t)
	if p.verdicts == nil {
		p.verdicts = make(map[Tier]error)
	}
	p.verdicts[t] = err
	return err
}

func (p *Primitive) run(t Tier) (err error) {
	if p.kat == nil {
		return errors.New("no known-answer test is registered")
	}
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v", r)
		}
	}()
	return p.kat(t)
}

// SelfTest runs the known-answer test of every tier that can run here, avoided
// ones and Generic included, and returns what failed. A tier that fails is not
// chosen any more.
func (p *Primitive) SelfTest() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.kat == nil && len(p.rows) == 0 {
		return nil // nothing of ours to test
	}
	var failed []error
	for _, t := range p.supported() {
		delete(p.verdicts, t)
		if err := p.check(t); err != nil {
			failed = append(failed, fmt.Errorf("%s, tier %s: %w", p.name, t, err))
			if p.current.Load() == uint32(t)+1 {
				p.current.Store(0)
			}
		}
	}
	return errors.Join(failed...)
}

// Supported returns the tiers that can run here, the best first and Generic
// last, whether or not they are avoided.
func (p *Primitive) Supported() []Tier {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.supported()
}

func (p *Primitive) supported() []Tier {
	var tiers []Tier
	for i := range p.rows {
		if p.obstacle(&p.rows[i]) == "" {
			tiers = append(tiers, p.rows[i].Tier)
		}
	}
	return append(tiers, Generic)
}

// Tiers returns the tiers of all rows, whether or not they can run here.
func (p *Primitive) Tiers() []Tier {
	tiers := make([]Tier, len(p.rows))
	for i, r := range p.rows {
		tiers[i] = r.Tier
	}
	return tiers
}

// Force makes t the tier that serves until restore is called. Objects keep the
// tier that they were constructed with. It is for tests and for measuring one
// tier; it fails where t cannot run here or its known-answer test fails.
// Overlapping overrides of one primitive must be restored in reverse order.
func (p *Primitive) Force(t Tier) (restore func(), err error) {
	before := p.Tier()
	p.mu.Lock()
	defer p.mu.Unlock()
	if t != Generic {
		r := p.row(t)
		if r == nil {
			return nil, fmt.Errorf("%s has no tier %s", p.name, t)
		}
		if why := p.obstacle(r); why != "" {
			return nil, fmt.Errorf("%s, tier %s: %s", p.name, t, why)
		}
		if err := p.check(t); err != nil {
			return nil, fmt.Errorf("%s, tier %s: self-test failed: %w", p.name, t, err)
		}
	}
	p.current.Store(uint32(t) + 1)
	return func() { p.current.Store(uint32(before) + 1) }, nil
}

func (p *Primitive) row(t Tier) *Row {
	for i := range p.rows {
		if p.rows[i].Tier == t {
			return &p.rows[i]
		}
	}
	return nil
}

// InjectFailure makes the known-answer test of t fail until restore is called,
// and has the tier chosen anew. It is for tests.
func (p *Primitive) InjectFailure(t Tier) (restore func()) {
	set := func(err error) {
		p.mu.Lock()
		defer p.mu.Unlock()
		if p.injected == nil {
			p.injected = make(map[Tier]error)
		}
		p.injected[t] = err
		p.current.Store(0)
	}
	set(errors.New("injected failure"))
	return func() { set(nil) }
}

// A Status tells what became of one row, or of the library that stands behind
// the rows.
type Status struct {
	Tier     Tier
	Needs    Features
	Selected bool
	Reason   string
}

// Report returns the state of every row and, last, of the generic tier. It has
// the tier chosen if none was yet.
func (p *Primitive) Report() []Status {
	current := p.Tier()
	p.mu.Lock()
	defer p.mu.Unlock()
	var report []Status
	for i := range p.rows {
		r := &p.rows[i]
		s := Status{Tier: r.Tier, Needs: r.Needs, Selected: r.Tier == current}
		if s.Selected {
			s.Reason = "the best that runs here"
		} else if s.Reason = p.obstacle(r); s.Reason != "" {
			// nothing further to find out
		} else if s.Reason = p.avoidance(r); s.Reason != "" {
			s.Reason = "not preferred: " + s.Reason
		} else if err := p.failure(r.Tier); err != nil {
			s.Reason = "self-test failed: " + err.Error()
		} else {
			s.Reason = "not preferred: " + current.String() + " serves"
		}
		report = append(report, s)
	}
	s := Status{Tier: Generic, Selected: current == Generic, Reason: "not preferred: " + current.String() + " serves"}
	if s.Selected {
		s.Reason = "served by " + p.library + ": " + p.whyGeneric()
	}
	return append(report, s)
}

// failure returns the known error of the tier's known-answer test.
func (p *Primitive) failure(t Tier) error {
	if err := p.injected[t]; err != nil {
		return err
	}
	return p.verdicts[t]
}

func (p *Primitive) whyGeneric() string {
	switch {
	case len(p.rows) == 0:
		return "no kernel for this architecture"
	case purego:
		return "built with the tag purego"
	case boring:
		return "built with GOEXPERIMENT=boringcrypto"
	case fips140.Enabled():
		return "FIPS 140-3 mode"
	}
	return "no other tier runs here"
}
