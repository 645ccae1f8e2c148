package main

import (
	"context"
	"math"
	"runtime"
	"time"
)

// A contender is one implementation of an operation.
type contender struct {
	impl   string // "fastcrypto", "std", "x/crypto"
	kernel string // the tier that serves, for fastcrypto
	run    func(n int)
}

// A sample is what was measured of one implementation.
type sample struct {
	impl   string
	kernel string
	ns     float64 // nanoseconds an operation, in the best round
	allocs float64 // allocations an operation; NaN where unknown
}

// The rounds: long enough for the clock, short enough that both contenders meet
// the same disturbances and that the best of many rounds met few.
const (
	longestRound  = 10 * time.Millisecond
	shortestRound = 50 * time.Microsecond
	leastRounds   = 3
	roundsWanted  = 10
)

// measure times the contenders in turn, in short rounds, for about d each, and
// returns the best round of each. When ctx ends it returns what it has, or nil if
// no round of all contenders was finished. Each contender's call of run does per
// operations.
func measure(ctx context.Context, contenders []contender, d time.Duration, per float64) []sample {
	round := min(max(d/roundsWanted, shortestRound), longestRound)
	n := make([]int, len(contenders))
	samples := make([]sample, len(contenders))
	for i, c := range contenders {
		if n[i] = calibrate(ctx, c.run, round); n[i] == 0 {
			return nil
		}
		samples[i] = sample{impl: c.impl, kernel: c.kernel, ns: math.Inf(1), allocs: allocations(c.run, min(n[i], 1000)) / per}
	}
	began := time.Now()
	for rounds := 0; rounds < leastRounds || time.Since(began) < d*time.Duration(len(contenders)); rounds++ {
		for i, c := range contenders {
			if ctx.Err() != nil {
				if rounds == 0 {
					return nil
				}
				return samples
			}
			samples[i].ns = min(samples[i].ns, timed(c.run, n[i])/float64(n[i])/per)
		}
	}
	return samples
}

// calibrate returns how many operations take about a round; 0 when ctx ends.
func calibrate(ctx context.Context, run func(int), round time.Duration) int {
	for n := 1; ctx.Err() == nil; n *= 2 {
		if d := timed(run, n); d >= float64(round)/2 {
			return max(1, int(float64(n)*float64(round)/d))
		}
	}
	return 0
}

func timed(run func(int), n int) float64 {
	began := time.Now()
	run(n)
	return float64(time.Since(began))
}

// allocations returns how many times one operation allocates, rounded down, as
// the testing package does.
func allocations(run func(int), n int) float64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	run(n)
	runtime.ReadMemStats(&after)
	return float64((after.Mallocs - before.Mallocs) / uint64(n))
}
