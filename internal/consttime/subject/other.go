//go:build !(amd64 || arm64) || purego

package main

// There are no kernels here.
func main() {}
