package impl

import (
	"crypto/fips140"
	"errors"
	"sync"
	"testing"
)

// needRows skips where no row may be chosen.
func needRows(t *testing.T) {
	if purego || boring || fips140.Enabled() {
		t.Skip("no kernel may serve")
	}
}

func fake(kat func(Tier) error) *Primitive {
	return &Primitive{name: "fake", library: "lib", kat: kat, rows: []Row{{Tier: EOR3}, {Tier: PMULL}, {Tier: NEON}}}
}

func TestStepDown(t *testing.T) {
	needRows(t)
	ran := map[Tier]int{}
	p := fake(func(t Tier) error {
		ran[t]++
		switch t {
		case EOR3:
			return errors.New("wrong result")
		case PMULL:
			panic("out of range")
		}
		return nil
	})
	for range 3 {
		if got := p.Tier(); got != NEON {
			t.Fatalf("chose %s, want neon", got)
		}
	}
	if ran[EOR3] != 1 || ran[PMULL] != 1 || ran[NEON] != 1 {
		t.Errorf("known-answer tests ran %v, want once each", ran)
	}
	want := []Status{
		{Tier: EOR3, Reason: "self-test failed: wrong result"},
		{Tier: PMULL, Reason: "self-test failed: panic: out of range"},
		{Tier: NEON, Selected: true, Reason: "the best that runs here"},
		{Tier: Generic, Reason: "not preferred: neon serves"},
	}
	for i, s := range p.Report() {
		if s != want[i] {
			t.Errorf("row %d: %+v, want %+v", i, s, want[i])
		}
	}
	if _, err := p.Force(EOR3); err == nil {
		t.Error("a tier that failed its self-test could be forced")
	}
	if err := p.SelfTest(); err == nil {
		t.Error("SelfTest reports nothing")
	}
}

func TestAllFail(t *testing.T) {
	p := fake(func(t Tier) error {
		if t == Generic {
			return nil
		}
		return errors.New("wrong")
	})
	if got := p.Tier(); got != Generic {
		t.Fatalf("chose %s", got)
	}
	if p := fake(nil); p.Tier() != Generic {
		t.Error("a row without a known-answer test was chosen")
	}
}

func TestAvoid(t *testing.T) {
	needRows(t)
	p := fake(func(Tier) error { return nil })
	p.rows[0].Avoid = func(*CPU) string { return "slow" }
	p.rows[1].Needs = 1 << 63
	if got := p.Tier(); got != NEON {
		t.Errorf("chose %s", got)
	}
	if r := p.Report()[0]; r.Reason != "not preferred: slow" {
		t.Errorf("reason %q", r.Reason)
	}
	restore, err := p.Force(EOR3)
	if err != nil {
		t.Fatal(err)
	}
	if p.Tier() != EOR3 {
		t.Error("override has no effect")
	}
	restore()
	if p.Tier() != NEON {
		t.Error("override was not undone")
	}
	for _, tier := range []Tier{PMULL, VAES512} {
		if _, err := p.Force(tier); err == nil {
			t.Errorf("%s could be forced", tier)
		}
	}
}

func TestInjectFailure(t *testing.T) {
	needRows(t)
	p := fake(func(Tier) error { return nil })
	if p.Tier() != EOR3 {
		t.Fatal("first row not chosen")
	}
	restore := p.InjectFailure(EOR3)
	if p.Tier() != PMULL {
		t.Error("did not step down")
	}
	restore()
	if p.Tier() != EOR3 {
		t.Error("did not come back")
	}
}

func TestChosenOnce(t *testing.T) {
	var n int
	p := fake(func(Tier) error { n++; return nil })
	var wg sync.WaitGroup
	for range 64 {
		wg.Go(func() { p.Tier() })
	}
	wg.Wait()
	if n > 1 {
		t.Errorf("the known-answer test ran %d times", n)
	}
}

func TestTierNames(t *testing.T) {
	for tier := range numTiers {
		if got, ok := ParseTier(tier.String()); !ok || got != tier || tier.String() == "" {
			t.Errorf("tier %d: name %q", tier, tier)
		}
	}
	if _, ok := ParseTier("nonesuch"); ok {
		t.Error("parsed a name that no tier has")
	}
}

// TestTables checks the tables for rows that could never be told apart or refused.
func TestTables(t *testing.T) {
	for _, p := range Primitives() {
		seen := map[Tier]bool{}
		for _, r := range p.rows {
			if seen[r.Tier] || r.Tier == Generic {
				t.Errorf("%s: row %s stands twice, or is generic", p.name, r.Tier)
			}
			seen[r.Tier] = true
			if r.Needs == 0 {
				t.Errorf("%s, tier %s needs nothing", p.name, r.Tier)
			}
			if len(r.Needs.Names()) == 0 {
				t.Errorf("%s, tier %s: features without names", p.name, r.Tier)
			}
		}
	}
}
