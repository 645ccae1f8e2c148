//go:build !boringcrypto

package impl

const boring = false
