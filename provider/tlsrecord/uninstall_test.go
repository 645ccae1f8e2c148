package tlsrecord

import (
	"sync"
	"testing"
)

// pristine is what the table held when the tests started.
var pristine = sync.OnceValue(func() []change {
	var c []change
	suites, err := table()
	if err != nil {
		return nil
	}
	for _, s := range suites {
		c = append(c, change{s, s.aead})
	}
	return c
})

func TestMain(m *testing.M) {
	pristine()
	m.Run()
}

// uninstall undoes Install. No connection may be under way.
func uninstall() {
	installing.Lock()
	defer installing.Unlock()
	for _, c := range pristine() {
		c.apply()
	}
	installed.Store(false)
}

// installAll is Install, but also replaces suites that the generic tier serves, so
// that the hooks are tested on every machine.
func installAll(t *testing.T) {
	t.Helper()
	suites, err := table()
	if err != nil {
		t.Skip(err)
	}
	installing.Lock()
	defer installing.Unlock()
	if installed.Load() {
		for _, c := range pristine() {
			c.apply()
		}
	}
	changes, err := prepare(suites, expected, everything)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range changes {
		c.apply()
	}
	installed.Store(true)
}
