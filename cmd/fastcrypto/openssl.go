package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

// An opensslCase is a run of openssl speed and what to read from its output.
type opensslCase struct {
	args  []string
	size  int           // bytes, if the rate is one of bytes
	field opensslResult // which result
}

// An opensslResult is a kind of result line that openssl speed -mr writes.
type opensslResult int

const (
	opensslBytes  opensslResult = iota // +F:N:NAME:bytes a second
	opensslSigns                       // +F4:N:BITS:signatures a second:verifications a second
	opensslVerifs                      // the same line
	opensslAgrees                      // +F5:N:BITS:agreements a second:seconds
)

// Each case takes a second a measurement: openssl counts in whole seconds.

func opensslAEAD(cipher string, size int) *opensslCase {
	// With -aead an operation sets the nonce and the additional data and makes the
	// tag; without it openssl only encrypts.
	return &opensslCase{[]string{"-bytes", strconv.Itoa(size), "-evp", cipher, "-aead"}, size, opensslBytes}
}

func opensslSign(algorithm string) *opensslCase {
	return &opensslCase{[]string{algorithm}, 0, opensslSigns}
}

func opensslVerify(algorithm string) *opensslCase {
	return &opensslCase{[]string{algorithm}, 0, opensslVerifs}
}

func opensslDerive(algorithm string) *opensslCase {
	return &opensslCase{[]string{algorithm}, 0, opensslAgrees}
}

// opensslTimeout bounds a run; a case takes at most two seconds of measuring.
const opensslTimeout = 15 * time.Second

// An opensslTool is an openssl binary, and remembers what its runs wrote.
type opensslTool struct {
	path    string
	version string
	timeout time.Duration // of one run
	outputs map[string][]byte
}

// findOpenSSL returns the tool, or nil and why there is none.
func findOpenSSL(ctx context.Context, name string) (*opensslTool, string) {
	if name == "off" {
		return nil, "openssl: switched off, no comparison with it"
	}
	path, err := exec.LookPath(name)
	if err != nil {
		return nil, fmt.Sprintf("openssl: %q is not on the PATH, no comparison with it", name)
	}
	ctx, cancel := context.WithTimeout(ctx, opensslTimeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, path, "version")
	cmd.WaitDelay = time.Second
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Sprintf("openssl: %s version: %v, no comparison with it", path, err)
	}
	line, _, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
	return &opensslTool{path: path, version: line, timeout: opensslTimeout, outputs: map[string][]byte{}}, fmt.Sprintf("openssl: %s (%s)", line, path)
}

// measure returns the nanoseconds that openssl speed reports for an operation.
func (o *opensslTool) measure(ctx context.Context, c *opensslCase) (float64, error) {
	key := strings.Join(c.args, " ")
	out, ran := o.outputs[key]
	if !ran {
		ctx, cancel := context.WithTimeout(ctx, o.timeout)
		defer cancel()
		cmd := exec.CommandContext(ctx, o.path, append([]string{"speed", "-mr", "-seconds", "1"}, c.args...)...)
		cmd.WaitDelay = time.Second
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		var err error
		if out, err = cmd.Output(); err != nil {
			if ctx.Err() != nil {
				return 0, fmt.Errorf("openssl speed %s: %w", key, ctx.Err())
			}
			return 0, fmt.Errorf("openssl speed %s: %w: %s", key, err, firstLine(stderr.String()))
		}
		o.outputs[key] = out
	}
	ns, err := c.parse(out)
	if err != nil {
		return 0, fmt.Errorf("openssl speed %s: %w", key, err)
	}
	return ns, nil
}

var errNoResult = errors.New("no result in the output")

// parse finds the result in what openssl speed -mr wrote, and returns the
// nanoseconds of an operation.
func (c *opensslCase) parse(out []byte) (float64, error) {
	prefix, column := "+F", 3
	switch c.field {
	case opensslSigns:
		prefix = "+F4"
	case opensslVerifs:
		prefix, column = "+F4", 4
	case opensslAgrees:
		prefix = "+F5"
	}
	for line := range strings.Lines(string(out)) {
		fields := strings.Split(strings.TrimSpace(line), ":")
		if fields[0] != prefix || len(fields) <= column {
			continue
		}
		rate, err := strconv.ParseFloat(fields[column], 64)
		if err != nil || math.IsInf(rate, 0) || !(rate > 0) {
			return 0, fmt.Errorf("%w: %q", errNoResult, strings.TrimSpace(line))
		}
		if c.field == opensslBytes {
			return 1e9 * float64(c.size) / rate, nil
		}
		return 1e9 / rate, nil
	}
	return 0, errNoResult
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	return line
}
