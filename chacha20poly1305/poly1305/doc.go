// Package poly1305 computes the one-time message authentication code Poly1305
// of RFC 8439, section 2.5: a 16-byte tag of a message of any length under a
// 32-byte key that may serve for one message only.
//
// It has the interface of golang.org/x/crypto/poly1305. Whoever sees the tags
// of two different messages under one key can forge tags at will, so a key must
// be derived anew for each message, as ChaCha20-Poly1305 does. To encrypt, use
// package chacha20poly1305; to authenticate with a lasting key, use crypto/hmac.
//
// Time depends on the length of the message and not on its bytes or the key.
// Tags are compared in constant time.
//
// Where no kernel serves (other processors, the build tag purego, FIPS 140-3
// mode, which approves no algorithm of this kind), golang.org/x/crypto/poly1305
// does.
package poly1305
