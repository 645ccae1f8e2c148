package main

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// What openssl speed -mr writes to its standard output, with -bytes and -aead,
// for ecdsap256 and for ecdhp256.
const (
	sampleBytes = "+H:1350\n+F:25:AES-128-GCM:1545862500.00\n"
	sampleECDSA = "+F4:3:256:41982.051282:15044.444444\n"
	sampleECDH  = "+F5:3:256:21255.769231:0.000047\n"
)

func TestOpenSSLParse(t *testing.T) {
	for _, tc := range []struct {
		name  string
		field opensslResult
		size  int
		out   string
		want  float64 // nanoseconds; 0: an error
	}{
		{"bytes", opensslBytes, 1350, sampleBytes, 1350e9 / 1545862500},
		{"bytes, Windows lines", opensslBytes, 1350, strings.ReplaceAll(sampleBytes, "\n", "\r\n"), 1350e9 / 1545862500},
		{"bytes, among others", opensslBytes, 16, "OpenSSL\n+DT:x:1:16\n+R:1:x:1\n+H:16\n+F:25:x:16000.00\n", 1e6},
		{"sign", opensslSigns, 0, sampleECDSA, 1e9 / 41982.051282},
		{"verify", opensslVerifs, 0, sampleECDSA, 1e9 / 15044.444444},
		{"derive", opensslAgrees, 0, sampleECDH, 1e9 / 21255.769231},
		{"all together", opensslVerifs, 0, sampleBytes + sampleECDH + sampleECDSA, 1e9 / 15044.444444},
		{"nothing", opensslBytes, 16, "", 0},
		{"another result", opensslSigns, 0, sampleECDH, 0},
		{"not a number", opensslBytes, 16, "+F:25:x:fast\n", 0},
		{"nothing done", opensslBytes, 16, "+F:25:x:0.00\n", 0},
		{"infinitely fast", opensslBytes, 16, "+F:25:x:inf\n", 0},
		{"NaN", opensslBytes, 16, "+F:25:x:nan\n", 0},
		{"negative", opensslVerifs, 0, "+F4:3:256:1:-1\n", 0},
		{"cut off", opensslVerifs, 0, "+F4:3:256:1\n", 0},
		{"human", opensslBytes, 16, "AES-128-GCM     462087.36k\n", 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			c := &opensslCase{size: tc.size, field: tc.field}
			got, err := c.parse([]byte(tc.out))
			if tc.want == 0 {
				if !errors.Is(err, errNoResult) {
					t.Errorf("%v, %v", got, err)
				}
			} else if err != nil || math.Abs(got-tc.want) > tc.want/1e6 {
				t.Errorf("%v ns, %v; want %v", got, err, tc.want)
			}
		})
	}
}

// fake writes an openssl that is a shell script.
func fake(t *testing.T, script string) string {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("a shell script")
	}
	path := filepath.Join(t.TempDir(), "openssl")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+script), 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestOpenSSL(t *testing.T) {
	// It writes its arguments down, and answers each kind of run.
	path := fake(t, `echo "$@" >> "$0.log"
case "$*" in
version) echo "OpenSSL 9.9.9 today" ;;
*ecdsap256*) echo "+F4:3:256:40000.0:20000.0" ;;
*ecdhp256*) echo "+F5:3:256:25000.0:0.00004" ;;
*) echo "+F:25:AES:1350000000.00" ;;
esac
`)
	status, stdout, stderr := call(t.Context(), "speed", "-time", "1ms", "-openssl", path, "-json", "-",
		"-run", "^aesgcm128/encrypt/1350$|p256/(sign|verify|generateSecret)/0$")
	if status != exitOK {
		t.Fatalf("exit status %d: %s", status, stderr)
	}
	if !strings.Contains(stderr, "openssl: OpenSSL 9.9.9 today ("+path+")") {
		t.Errorf("no version in %q", stderr)
	}
	want := map[string]float64{"aesgcm128/encrypt": 1000, "ecdsa-p256/sign": 25e3, "ecdsa-p256/verify": 50e3, "ecdh-p256/generateSecret": 40e3}
	for _, r := range parseJSON(t, []byte(stdout)) {
		if r.Impl == "openssl" {
			if r.NsOp != want[r.Op] || r.AllocsOp != nil || r.Ratio == nil {
				t.Errorf("%+v", r)
			}
			delete(want, r.Op)
		}
	}
	if len(want) > 0 {
		t.Errorf("no rows for %v", want)
	}
	log, err := os.ReadFile(path + ".log")
	if err != nil {
		t.Fatal(err)
	}
	const runs = `version
speed -mr -seconds 1 -bytes 1350 -evp aes-128-gcm -aead
speed -mr -seconds 1 ecdsap256
speed -mr -seconds 1 ecdhp256
`
	if string(log) != runs {
		t.Errorf("openssl was run as\n%s\nwant\n%s", log, runs)
	}
}

func TestOpenSSLMissing(t *testing.T) {
	for _, tc := range []struct{ name, path, want string }{
		{"nowhere", "no-such-openssl", `openssl: "no-such-openssl" is not on the PATH, no comparison with it`},
		{"off", "off", "openssl: switched off"},
		{"broken", fake(t, "exit 3"), "exit status 3, no comparison with it"},
	} {
		status, stdout, stderr := call(t.Context(), "speed", "-time", "1ms", "-openssl", tc.path, "-run", "^aesgcm128/encrypt/64$")
		if status != exitOK || stderr != "" || !strings.Contains(stdout, tc.want) {
			t.Errorf("%s: exit status %d, %q, %q", tc.name, status, stdout, stderr)
		}
	}
}

// TestOpenSSLFails uses one that knows no such flags: the run goes on without it.
func TestOpenSSLFails(t *testing.T) {
	path := fake(t, `[ "$1" = version ] && echo "LibreSSL 3.3.6" && exit
echo x >> "$0.log"; echo "speed: Unknown option -seconds" >&2; exit 1
`)
	status, stdout, stderr := call(t.Context(), "speed", "-time", "1ms", "-openssl", path, "-run", "^aesgcm128/encrypt$")
	if status != exitOK || strings.Count(stdout, " aesgcm128/encrypt ") != len(sizes) {
		t.Errorf("exit status %d, %q", status, stdout)
	}
	if !strings.Contains(stderr, "Unknown option -seconds; going on without openssl") {
		t.Errorf("stderr is %q", stderr)
	}
	if log, _ := os.ReadFile(path + ".log"); string(log) != "x\n" {
		t.Errorf("tried again: %q", log)
	}
}

func TestOpenSSLHangs(t *testing.T) {
	path := fake(t, `[ "$1" = version ] && echo "OpenSSL 9" && exit
exec sleep 60
`)
	tool, said := findOpenSSL(t.Context(), path)
	if tool == nil {
		t.Fatal(said)
	}
	tool.timeout = 100 * time.Millisecond
	began := time.Now()
	if _, err := tool.measure(t.Context(), opensslSign("ecdsap256")); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v", err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	tool.timeout = time.Minute
	if _, err := tool.measure(ctx, opensslVerify("ecdsap256")); err == nil {
		t.Error("no error after an interrupt")
	}
	if d := time.Since(began); d > 20*time.Second {
		t.Errorf("it took %v", d)
	}
}

// TestOpenSSLReal asks the openssl of this machine, if there is one, for one
// result of each kind.
func TestOpenSSLReal(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	tool, said := findOpenSSL(t.Context(), "openssl")
	if tool == nil || !strings.HasPrefix(tool.version, "OpenSSL 3") {
		t.Skip(said)
	}
	for _, c := range []*opensslCase{opensslAEAD("aes-128-gcm", 16384), opensslSign("ecdsap256"), opensslVerify("ecdsap256"), opensslDerive("ecdhp256")} {
		ns, err := tool.measure(t.Context(), c)
		if err != nil {
			t.Fatal(err)
		}
		if ns < 100 || ns > 1e8 {
			t.Errorf("%v: %v ns", c.args, ns)
		}
	}
}
