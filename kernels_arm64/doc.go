// Package kernels holds the arm64 assembly and the Go stubs that declare it,
// and nothing else.
//
// The functions check no lengths, choose no tier and allocate nothing: they
// take pointers, lengths and fixed-size arrays, and each stub states the
// contract that its caller must keep. Packages aead, chacha20poly1305 and
// internal/p256 are the callers; no one else should be.
//
// The assembly is written by hand; macros that several files share are in .h
// files. The build tag purego leaves the package empty.
package kernels
