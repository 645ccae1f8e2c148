//go:build !amd64 && !arm64

package main

import "time"

var cyclesBegan = time.Now()

// cycles returns nanoseconds.
func cycles() uint64 { return uint64(time.Since(cyclesBegan)) }
