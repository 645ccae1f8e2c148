//go:build purego

package tlsrecord

import (
	"errors"
	"testing"
)

// TestUnlinked checks what a build without the linkname says.
func TestUnlinked(t *testing.T) {
	if _, err := table(); !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("table: %v", err)
	}
	if err := Install(); !errors.Is(err, errors.ErrUnsupported) || Installed() {
		t.Errorf("Install: %v, Installed: %v", err, Installed())
	}
}
