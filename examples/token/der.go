package main

import (
	"errors"

	"golang.org/x/crypto/cryptobyte"
	"golang.org/x/crypto/cryptobyte/asn1"
)

// fromDER turns a signature from ASN.1, as a crypto.Signer returns it, into the
// form of tokens: r and s in 32 bytes each.
func fromDER(der []byte) ([]byte, error) {
	var inner cryptobyte.String
	var r, s []byte
	input := cryptobyte.String(der)
	if !input.ReadASN1(&inner, asn1.SEQUENCE) || !input.Empty() ||
		!inner.ReadASN1Integer(&r) || !inner.ReadASN1Integer(&s) || !inner.Empty() ||
		len(r) > 32 || len(s) > 32 {
		return nil, errors.New("the signer returned no ECDSA signature on P-256")
	}
	sig := make([]byte, 64)
	copy(sig[32-len(r):32], r)
	copy(sig[64-len(s):], s)
	return sig, nil
}
