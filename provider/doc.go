// Package provider tells what of fastcrypto runs on this machine and why, tests
// it, and turns it on for crypto/tls.
//
// A TLS server or client signs with its P-256 keys through fastcrypto after one
// call:
//
//	config, err = provider.TLSConfig(config)
//
// Its records are encrypted by the standard library all the same; the package
// tlsrecord beside this one changes that, for the whole process and at a risk of
// its own.
package provider
