//go:build boringcrypto

package impl

// boring is set in builds with GOEXPERIMENT=boringcrypto: who makes one wants
// BoringCrypto to serve, through the standard library.
const boring = true
