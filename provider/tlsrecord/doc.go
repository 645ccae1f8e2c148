// Package tlsrecord makes the records of TLS 1.3 in the standard library's
// crypto/tls use this library's AES-GCM and ChaCha20-Poly1305, in the whole
// process, after one call of [Install].
//
// # The risk
//
// crypto/tls has no supported way to exchange its ciphers, so Install changes its
// memory. crypto/tls keeps the table of its TLS 1.3 cipher suites reachable by
// linkname, for programs that already depend on it (go.dev/issue/67401), and
// Install replaces the constructors in that table. Know what this means before
// you use it:
//
//   - It depends on private details of crypto/tls: the layout of the table, and
//     the name and fields of the type that masks nonces. Only the Go series
//     whose sources were read for this, 1.26 in all its patch releases, is
//     accepted; with any other toolchain Install returns an error, and the
//     program builds and runs as if it had not been called. Expect to wait for a
//     release of this library when you move to a new Go.
//   - It is for the whole process: packages that you did not write, and that use
//     crypto/tls, use it too. It cannot be undone.
//   - The standard library's AEAD for these records refuses a sequence number
//     that does not grow, as a second line of defence against a fault in
//     crypto/tls itself. This library's AEADs do not have that check.
//   - The Go team gives no support for a program that does this. Should you see
//     a fault in crypto/tls, try again without Install before you report it.
//
// Whoever cannot accept that has the rest of this library all the same: nothing
// else in it needs or imports this package.
//
// # How Install protects you
//
// Before it changes anything it checks the version of Go, each value in the
// table, the names of the constructors, and by reflection the type of what they
// construct. It then seals and opens records of many lengths with the
// constructors that it found and with those that it made, and compares both ways.
// If anything at all is unexpected it returns an error and has changed nothing. In
// FIPS 140-3 mode, with the build tag purego, and on a machine for which there is
// no kernel it does the same.
//
// # What changes and what does not
//
// Connections whose handshake begins afterwards use the new AEADs, for both
// directions, as client and as server, and after key updates; established
// connections keep what they have until their keys are updated. A suite is left alone when no kernel serves it
// here. Negotiation, the handshake, session tickets, encrypted client hello and
// TLS 1.2 are as before. A QUIC implementation protects its packets itself, and
// is not affected.
//
// Call Install at the start of main, before the first connection: crypto/tls
// reads the table without synchronisation, so a handshake at the very same time
// is a data race in the sense of the Go memory model. Calls of Install itself
// may be concurrent.
package tlsrecord
