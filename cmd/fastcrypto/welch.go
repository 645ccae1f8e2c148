package main

import (
	"math"
	"slices"
)

// A sampleMean is the mean and the variance of numbers that are given one by one, by
// Welford's method.
type sampleMean struct {
	n        float64
	mean, m2 float64
}

func (s *sampleMean) add(x float64) {
	s.n++
	d := x - s.mean
	s.mean += d / s.n
	s.m2 += d * (x - s.mean)
}

func (s *sampleMean) variance() float64 { return s.m2 / (s.n - 1) }

// welch returns Welch's t: the difference of the means in units of its standard
// deviation. It is 0 for fewer than two numbers on a side.
func welch(a, b *sampleMean) float64 {
	if a.n < 2 || b.n < 2 {
		return 0
	}
	deviation := math.Sqrt(a.variance()/a.n + b.variance()/b.n)
	if deviation == 0 {
		if a.mean == b.mean {
			return 0
		}
		return math.Inf(1)
	}
	return (a.mean - b.mean) / deviation
}

// A leakTest compares the times of two classes of inputs, in the manner of dudect
// (Reparaz, Balasch, Verbauwhede, "Dude, is my code constant time?", DATE 2017):
// Welch's t-test of all times, and of those below a limit, for several limits. Times
// are skewed by interrupts, and the slow ones hide a small difference of the others.
type leakTest struct {
	limits  []float64 // the last is infinite; nil until they are known
	classes [][2]sampleMean
}

// crops are the quantiles of the times at which they are cut off; 1 is all.
var crops = []float64{0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 0.999, 1}

// calibrate sets the limits by times of both classes, which do not count.
func (l *leakTest) calibrate(times []float64) {
	times = slices.Clone(times)
	slices.Sort(times)
	for _, q := range crops {
		limit := math.Inf(1)
		if q < 1 {
			limit = times[int(q*float64(len(times)-1))]
		}
		l.limits = append(l.limits, limit)
	}
	l.classes = make([][2]sampleMean, len(crops))
}

func (l *leakTest) add(class int, time float64) {
	for i := len(l.limits) - 1; i >= 0 && time <= l.limits[i]; i-- {
		l.classes[i][class].add(time)
	}
}

// leastSamples is how many times a class must have below a limit for the t-test.
const leastSamples = 500

// worst returns the t of the greatest magnitude and the quantile it was found at.
func (l *leakTest) worst() (t, crop float64) {
	crop = 1
	for i := range l.classes {
		a, b := &l.classes[i][0], &l.classes[i][1]
		if a.n < leastSamples || b.n < leastSamples {
			continue
		}
		if v := welch(a, b); math.Abs(v) > math.Abs(t) {
			t, crop = v, crops[i]
		}
	}
	return t, crop
}

// samples returns how many times there are.
func (l *leakTest) samples() int {
	if l.classes == nil {
		return 0
	}
	all := &l.classes[len(l.classes)-1]
	return int(all[0].n + all[1].n)
}

// typical returns the mean of the faster half of both classes.
func (l *leakTest) typical() float64 {
	if l.classes == nil {
		return 0
	}
	half := &l.classes[slices.Index(crops, 0.5)]
	if half[0].n+half[1].n == 0 {
		return 0
	}
	return (half[0].mean*half[0].n + half[1].mean*half[1].n) / (half[0].n + half[1].n)
}
