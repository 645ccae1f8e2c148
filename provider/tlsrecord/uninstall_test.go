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
