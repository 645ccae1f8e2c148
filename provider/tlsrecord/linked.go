//go:build gc && go1.26 && !go1.27 && !boringcrypto && !purego

package tlsrecord

import (
	_ "crypto/tls" // owns the table
	_ "unsafe"     // for linkname
)

// The build constraint names the series of Go whose crypto/tls was read. A
// toolchain outside of it does not get to see the linkname, which it might
// refuse, and unlinked.go says so at run time. A purego build has no kernels to
// offer, and so needs no linkname either.

//go:linkname cipherSuitesTLS13 crypto/tls.cipherSuitesTLS13
var cipherSuitesTLS13 []*cipherSuite

// table returns crypto/tls's own table.
func table() ([]*cipherSuite, error) { return cipherSuitesTLS13, nil }
