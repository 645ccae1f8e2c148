package hostile

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"io"
	"maps"
	"runtime"
	"runtime/pprof"
	"runtime/trace"
	"slices"
	"strings"
	"testing"
)

// startProfile profiles the processor at 1 kHz until stop is called, and returns the
// stacks that were found then.
func startProfile(t *testing.T) (stop func() [][]string) {
	t.Helper()
	var buf bytes.Buffer
	// pprof would choose 100 Hz. It says on the standard error that it cannot.
	runtime.SetCPUProfileRate(1000)
	if err := pprof.StartCPUProfile(&buf); err != nil {
		t.Fatal(err)
	}
	return func() [][]string {
		pprof.StopCPUProfile()
		stacks, err := parseProfile(&buf)
		if err != nil {
			t.Fatal(err)
		}
		return stacks
	}
}

// isKernel reports whether a function is one of our assembly.
func isKernel(function string) bool {
	return strings.Contains(function, "/fastcrypto/kernels_")
}

// TestProfile runs everything under a profile of 1 kHz, and checks that each stack
// found inside a kernel is whole: it reaches the test, through an operation.
func TestProfile(t *testing.T) {
	kernels := map[string]int{}
	each(t, func(t *testing.T, ops []Operation) {
		stop := startProfile(t)
		work(t, ops, 2, 2*span())
		for _, stack := range stop() {
			i := slices.IndexFunc(stack, isKernel)
			if i < 0 {
				continue
			}
			kernels[stack[i]]++
			// A batch is spread over goroutines of its own.
			j := slices.IndexFunc(stack, func(f string) bool {
				return strings.HasSuffix(f, "hostile.workOne") || strings.HasSuffix(f, "parallel.Do")
			})
			if j < i || !strings.HasSuffix(stack[len(stack)-1], "sync.(*WaitGroup).Go.func1") {
				t.Errorf("a stack ends early: %s", strings.Join(stack, " < "))
			}
		}
	})
	if len(kernels) == 0 {
		if len(Workloads()) == 0 {
			t.Skip("there are no kernels here")
		}
		if emulated() {
			t.Skip("the emulator delivers no profiling signals inside kernels")
		}
		t.Error("no stack was found inside a kernel")
	}
	t.Logf("stacks inside %d kernels: %v", len(kernels), slices.Sorted(maps.Keys(kernels)))
}

// TestTrace runs everything while the execution tracer is on, which unwinds stacks by
// their frame pointers.
func TestTrace(t *testing.T) {
	var buf bytes.Buffer
	if err := trace.Start(&buf); err != nil {
		t.Fatal(err)
	}
	stop := startProfile(t) // its samples go into the trace as well
	each(t, func(t *testing.T, ops []Operation) { work(t, ops, 4, span()) })
	stop()
	trace.Stop()
	if buf.Len() < 1<<10 {
		t.Errorf("the trace has %d bytes", buf.Len())
	}
}

// parseProfile returns the stacks of a profile, innermost function first. It reads as
// much as it needs of the protocol buffer that
// https://github.com/google/pprof/blob/main/proto/profile.proto describes.
func parseProfile(r io.Reader) (stacks [][]string, err error) {
	z, err := gzip.NewReader(r)
	if err != nil {
		return nil, err
	}
	data, err := io.ReadAll(z)
	if err != nil {
		return nil, err
	}
	var samples [][]uint64             // locations
	var strs []string                  // string_table
	functions := map[uint64]uint64{}   // to the index of its name
	locations := map[uint64][]uint64{} // to functions, innermost first
	err = message(data, func(field int, _ uint64, b []byte) error {
		switch field {
		case 2: // sample
			var ids []uint64
			samples = append(samples, nil)
			err := message(b, func(field int, v uint64, b []byte) error {
				if field != 1 { // location_id
					return nil
				}
				if b == nil {
					ids = append(ids, v)
				}
				for len(b) > 0 {
					v, n := binary.Uvarint(b)
					if n <= 0 {
						return errProfile
					}
					ids, b = append(ids, v), b[n:]
				}
				return nil
			})
			samples[len(samples)-1] = ids
			return err
		case 4: // location
			var id uint64
			var lines []uint64
			err := message(b, func(field int, v uint64, b []byte) error {
				switch field {
				case 1: // id
					id = v
				case 4: // line
					return message(b, func(field int, v uint64, _ []byte) error {
						if field == 1 { // function_id
							lines = append(lines, v)
						}
						return nil
					})
				}
				return nil
			})
			locations[id] = lines
			return err
		case 5: // function
			var id, name uint64
			err := message(b, func(field int, v uint64, _ []byte) error {
				switch field {
				case 1:
					id = v
				case 2:
					name = v
				}
				return nil
			})
			functions[id] = name
			return err
		case 6: // string_table
			strs = append(strs, string(b))
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for _, ids := range samples {
		var stack []string
		for _, id := range ids {
			for _, f := range locations[id] {
				name := functions[f]
				if name >= uint64(len(strs)) {
					return nil, errProfile
				}
				stack = append(stack, strs[name])
			}
		}
		stacks = append(stacks, stack)
	}
	return stacks, nil
}

var errProfile = errors.New("the profile is malformed")

// message calls f for each field of a protocol buffer: with the number of a varint, or
// with the bytes of what has a length.
func message(b []byte, f func(field int, v uint64, b []byte) error) error {
	for len(b) > 0 {
		tag, n := binary.Uvarint(b)
		if n <= 0 {
			return errProfile
		}
		v, m := binary.Uvarint(b[n:])
		if m <= 0 {
			return errProfile
		}
		b = b[n+m:]
		var content []byte
		switch tag & 7 {
		case 0:
		case 2:
			if v > uint64(len(b)) {
				return errProfile
			}
			content, b = b[:v:v], b[v:]
			if content == nil {
				content = []byte{}
			}
		default:
			return errProfile
		}
		if err := f(int(tag>>3), v, content); err != nil {
			return err
		}
	}
	return nil
}
