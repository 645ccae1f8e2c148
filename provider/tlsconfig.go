//lint:file-ignore SA1019 what is deprecated in tls.Config has to be kept all the same

package provider

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/fips140"
	"crypto/tls"
	"fmt"
)

// TLSConfig returns a clone of c in which every P-256 private key signs through
// fastcrypto: the keys of Certificates and NameToCertificate, and those of
// whatever GetCertificate, GetClientCertificate and GetConfigForClient return
// later, for these are wrapped. A key is prepared once, when it is first seen, and
// is forgotten when the program has let go of it, so certificates can be rotated
// for ever. c itself, the certificates that it points to, and what the callbacks
// return are never changed.
//
// A server with many handshakes at a time does best with an ecdsa.BatchSigner of
// fastcrypto as the PrivateKey of its [tls.Certificate], which TLSConfig leaves there;
// so it does a signer of ecdsa.NewCheckedSigner, which verifies what it signs.
//
// Everything else stays as it is: keys of other types and on other curves, keys
// held by hardware or another implementation of [crypto.Signer], the chains,
// SupportedSignatureAlgorithms, OCSP staples, certificate timestamps and parsed
// leaves of certificates, and all other fields of the configuration. As with
// [tls.Config.Clone], the result has the session ticket keys that c had at the
// time, and tickets issued under c are good under it; call
// [tls.Config.SetSessionTicketKeys] on the result from then on. What
// GetConfigForClient returns keeps its ticket keys too, also when they are set
// anew at any time.
//
// A nil c stands for the default configuration, as in crypto/tls, and gives an
// empty one. An error tells which certificate has a P-256 key that cannot sign;
// where a callback returns such a key, it goes to crypto/tls as it is. In FIPS
// 140-3 mode the result is a plain clone: the standard library signs.
//
// The result is safe for concurrent use as any [tls.Config] is, and may be cloned.
func TLSConfig(c *tls.Config) (*tls.Config, error) {
	if c == nil {
		return new(tls.Config), nil
	}
	c = c.Clone()
	if fips140.Enabled() {
		return c, nil
	}
	if err := checkKeys(c); err != nil {
		return nil, err
	}
	prepareConfig(c)
	return c, nil
}

// checkKeys returns an error if a P-256 key of c cannot sign.
func checkKeys(c *tls.Config) error {
	for i := range c.Certificates {
		if key := p256Key(c.Certificates[i].PrivateKey); key != nil {
			if _, err := signers.get(key); err != nil {
				return fmt.Errorf("provider: certificate %d: %w", i, err)
			}
		}
	}
	for name, cert := range c.NameToCertificate {
		if cert == nil {
			continue
		}
		if key := p256Key(cert.PrivateKey); key != nil {
			if _, err := signers.get(key); err != nil {
				return fmt.Errorf("provider: certificate for %q: %w", name, err)
			}
		}
	}
	return nil
}

// prepareConfig changes c, which nobody else has yet. It replaces slices and maps
// instead of writing to them, since a clone shares them with its original.
func prepareConfig(c *tls.Config) {
	if c.Certificates != nil {
		certs := make([]tls.Certificate, len(c.Certificates))
		for i := range certs {
			certs[i] = *withSigner(&c.Certificates[i])
		}
		c.Certificates = certs
	}
	if c.NameToCertificate != nil {
		names := make(map[string]*tls.Certificate, len(c.NameToCertificate))
		for name, cert := range c.NameToCertificate {
			names[name] = withSigner(cert)
		}
		c.NameToCertificate = names
	}
	if get := c.GetCertificate; get != nil {
		c.GetCertificate = func(hello *tls.ClientHelloInfo) (*tls.Certificate, error) {
			cert, err := get(hello)
			return withSigner(cert), err
		}
	}
	if get := c.GetClientCertificate; get != nil {
		c.GetClientCertificate = func(request *tls.CertificateRequestInfo) (*tls.Certificate, error) {
			cert, err := get(request)
			return withSigner(cert), err
		}
	}
	if get := c.GetConfigForClient; get != nil {
		c.GetConfigForClient = func(hello *tls.ClientHelloInfo) (*tls.Config, error) {
			config, err := get(hello)
			return forClient(config), err
		}
	}
}

// forClient returns config with prepared keys. It makes a clone each time, as the
// program may set session ticket keys on config at any moment. The keys come from
// the cache, and a configuration that has none passes as it is.
func forClient(config *tls.Config) *tls.Config {
	if config == nil || len(config.Certificates) == 0 && len(config.NameToCertificate) == 0 &&
		config.GetCertificate == nil && config.GetClientCertificate == nil {
		return config
	}
	config = config.Clone()
	config.GetConfigForClient = nil // crypto/tls does not ask twice
	prepareConfig(config)
	return config
}

// withSigner returns cert, or a copy of it with a prepared key.
func withSigner(cert *tls.Certificate) *tls.Certificate {
	if cert == nil {
		return nil
	}
	key := p256Key(cert.PrivateKey)
	if key == nil {
		return cert
	}
	signer, err := signers.get(key)
	if err != nil {
		return cert
	}
	prepared := *cert
	prepared.PrivateKey = signer
	return &prepared
}

// p256Key returns the key if it is one that fastcrypto signs with, or nil.
func p256Key(key crypto.PrivateKey) *ecdsa.PrivateKey {
	k, ok := key.(*ecdsa.PrivateKey)
	if !ok || k == nil || k.Curve != elliptic.P256() {
		return nil
	}
	return k
}
