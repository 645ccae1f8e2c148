//go:build !(gc && go1.26 && !go1.27 && !boringcrypto && !purego)

package tlsrecord

import (
	"errors"
	"fmt"
	"runtime"
)

func table() ([]*cipherSuite, error) {
	return nil, fmt.Errorf("built with %s %s, whose crypto/tls is not known to this release: %w",
		runtime.Compiler, runtime.Version(), errors.ErrUnsupported)
}
