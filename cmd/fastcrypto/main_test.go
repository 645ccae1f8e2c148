package main

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/fastcrypto-go/fastcrypto/internal/impl"
	"github.com/fastcrypto-go/fastcrypto/provider"
)

// call runs the command in this process.
func call(ctx context.Context, args ...string) (status int, stdout, stderr string) {
	var out, err bytes.Buffer
	status = run(ctx, args, &out, &err)
	return status, out.String(), err.String()
}

func TestUsage(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "no such folder", "file")
	for _, tc := range []struct {
		args   string
		status int
		stdout string // a part of it; "" means that nothing is written
		stderr string
	}{
		{"", 2, "", "Usage: fastcrypto COMMAND"},
		{"help", 0, "Usage: fastcrypto COMMAND", ""},
		{"-h", 0, "Usage: fastcrypto COMMAND", ""},
		{"--help", 0, "Usage: fastcrypto COMMAND", ""},
		{"help speed", 0, "-kernel TIER", ""},
		{"help info", 0, "Usage: fastcrypto info", ""},
		{"help nothing", 2, "", `unknown command "nothing"`},
		{"help speed info", 2, "", "at most the name of one command"},
		{"sped", 2, "", `unknown command "sped"`},
		{"-x", 2, "", `unknown command "-x"`},
		{"version", 0, runtime.Version(), ""},
		{"-version", 0, runtime.Version(), ""},
		{"version now", 2, "", `unexpected argument "now"`},
		{"info -x", 2, "", "flag provided but not defined: -x"},
		{"info all", 2, "", `unexpected argument "all"`},
		{"info -h", 0, "", "Usage: fastcrypto info"},
		{"selftest -x", 2, "", "flag provided but not defined: -x"},
		{"selftest fast", 2, "", `unexpected argument "fast"`},
		{"speed -h", 0, "", "Usage: fastcrypto speed"},
		{"speed -x", 2, "", "flag provided but not defined: -x"},
		{"speed aesgcm128", 2, "", `unexpected argument "aesgcm128"`},
		{"speed -run", 2, "", "flag needs an argument: -run"},
		{"speed -run (", 2, "", `invalid value "(" for flag -run`},
		{"speed -run ^rsa", 2, "", `no operation matches -run "^rsa"`},
		{"speed -time x", 2, "", `invalid value "x" for flag -time`},
		{"speed -time 0s", 2, "", `invalid value "0s" for flag -time`},
		{"speed -time -1s", 2, "", `invalid value "-1s" for flag -time`},
		{"speed -time 61s", 2, "", `invalid value "1m1s" for flag -time`},
		{"speed -kernel sse9", 2, "", `invalid value "sse9" for flag -kernel: there is no such tier; the tiers are `},
		{"speed -kernel avx2 -run ^aesgcm", 2, "", "nothing to measure: AES-GCM has no tier avx2"},
		{"speed -json= -time 1ms", 2, "", `invalid value "" for flag -json`},
		{"speed -svg= -time 1ms", 2, "", `invalid value "" for flag -svg`},
		{"speed -json - -svg -", 2, "", `both write to "-"`},
		{"speed -openssl= -time 1ms", 2, "", `invalid value "" for flag -openssl`},
		{"speed -json " + missing, 1, "", "no such"},
		{"speed -svg " + missing, 1, "", "no such"},
	} {
		t.Run(tc.args, func(t *testing.T) {
			if tc.stderr == "no such" && runtime.GOOS == "windows" {
				tc.stderr = "cannot find"
			}
			var args []string
			if name, file, ok := strings.Cut(tc.args, " "+missing); ok && file == "" {
				args = append(strings.Fields(name), missing)
			} else {
				args = strings.Fields(tc.args)
			}
			status, stdout, stderr := call(t.Context(), args...)
			if status != tc.status {
				t.Errorf("exit status %d, want %d", status, tc.status)
			}
			check := func(name, got, want string) {
				if want == "" && got != "" || !strings.Contains(got, want) {
					t.Errorf("%s is %q, want %q in it", name, got, want)
				}
			}
			check("stdout", stdout, tc.stdout)
			check("stderr", stderr, tc.stderr)
		})
	}
}

func TestInfo(t *testing.T) {
	status, stdout, stderr := call(t.Context(), "info")
	if status != exitOK || stderr != "" {
		t.Fatalf("exit status %d, stderr %q", status, stderr)
	}
	for _, k := range provider.Kernels() {
		if !strings.Contains(stdout, k.Primitive) {
			t.Errorf("%s is missing", k.Primitive)
		}
		found := false
		for line := range strings.Lines(stdout) {
			marked := strings.Contains(line, " * ")
			found = found || strings.Contains(line, " "+k.Tier+" ") && strings.Contains(line, k.Reason) && marked == k.Selected
		}
		if !found {
			t.Errorf("no line for %+v in\n%s", k, stdout)
		}
	}
	if !strings.Contains(stdout, model()) {
		t.Errorf("the processor %q is missing", model())
	}
}

func TestSelfTest(t *testing.T) {
	status, stdout, stderr := call(t.Context(), "selftest")
	if status != exitOK || stderr != "" || !strings.Contains(stdout, "all right") {
		t.Fatalf("exit status %d, stdout %q, stderr %q", status, stdout, stderr)
	}
	for _, p := range impl.Primitives() {
		if !strings.Contains(stdout, p.Name()) {
			t.Errorf("%s is missing in %q", p.Name(), stdout)
		}
	}
	t.Run("failure", func(t *testing.T) {
		restore := impl.GCM.InjectFailure(impl.Generic)
		defer restore()
		status, stdout, stderr := call(t.Context(), "selftest")
		if status != exitFailure || !strings.Contains(stderr, "AES-GCM, tier generic: injected failure") || strings.Contains(stdout, "all right") {
			t.Fatalf("exit status %d, stdout %q, stderr %q", status, stdout, stderr)
		}
	})
}

// build builds the command once and returns the binary.
func build(t *testing.T) string {
	t.Helper()
	binary := filepath.Join(t.TempDir(), "fastcrypto")
	if runtime.GOOS == "windows" {
		binary += ".exe"
	}
	if out, err := exec.Command("go", "build", "-o", binary, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return binary
}

// TestBinary runs the built command as a person does.
func TestBinary(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a binary")
	}
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip(err)
	}
	binary := build(t)
	for _, args := range []string{"info", "selftest", "version", "help"} {
		if out, err := exec.Command(binary, args).CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", args, err, out)
		}
	}
	err := exec.Command(binary, "speed", "-time", "never").Run()
	if e, ok := err.(*exec.ExitError); !ok || e.ExitCode() != exitUsage {
		t.Errorf("a bad value: %v, want exit status 2", err)
	}

	t.Run("speed", func(t *testing.T) {
		dir := t.TempDir()
		jsonFile, svgFile := filepath.Join(dir, "speed.json"), filepath.Join(dir, "speed.svg")
		cmd := exec.Command(binary, "speed", "-time", "1ms", "-openssl", "off", "-json", jsonFile, "-svg", svgFile)
		var stdout, stderr bytes.Buffer
		cmd.Stdout, cmd.Stderr = &stdout, &stderr
		if err := cmd.Run(); err != nil || stderr.Len() > 0 {
			t.Fatalf("%v\n%s", err, stderr.Bytes())
		}
		text, err := os.ReadFile(jsonFile)
		if err != nil {
			t.Fatal(err)
		}
		rows := parseJSON(t, text)
		measured := map[string]bool{}
		for _, r := range rows {
			measured[r.Op] = true
		}
		for _, o := range operations() {
			if o.runnable(nil) != nil {
				continue
			}
			if !measured[o.name] {
				t.Errorf("%s is not in the JSON", o.name)
			}
			if !strings.Contains(stdout.String(), o.name) {
				t.Errorf("%s is not in the table", o.name)
			}
		}
		svg, err := os.ReadFile(svgFile)
		if err != nil {
			t.Fatal(err)
		}
		checkSVG(t, svg, "aesgcm128/encrypt", "chacha20poly1305/decrypt", "poly1305/updateBytes", "std", "x/crypto", "fastcrypto", "GB/s")
	})

	t.Run("interrupt", func(t *testing.T) {
		if runtime.GOOS == "windows" {
			t.Skip("no interrupt can be sent")
		}
		cmd := exec.Command(binary, "speed", "-time", "300ms", "-openssl", "off", "-json", "-")
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		// The first row is there: the run has begun and is far from its end.
		var text []byte
		for buffer := make([]byte, 4096); bytes.Count(text, []byte("\n")) < 2; {
			n, err := out.Read(buffer)
			text = append(text, buffer[:n]...)
			if err != nil {
				t.Fatalf("%v\n%s", err, stderr.Bytes())
			}
		}
		began := time.Now()
		if err := cmd.Process.Signal(os.Interrupt); err != nil {
			t.Fatal(err)
		}
		var rest bytes.Buffer
		rest.ReadFrom(out)
		err = cmd.Wait()
		if e, ok := err.(*exec.ExitError); !ok || e.ExitCode() != exitInterrupted {
			t.Errorf("%v, want exit status %d", err, exitInterrupted)
		}
		if d := time.Since(began); d > 20*time.Second {
			t.Errorf("it took %v to end", d)
		}
		if rows := parseJSON(t, append(text, rest.Bytes()...)); len(rows) < 2 || len(rows) > 40 {
			t.Errorf("%d rows", len(rows))
		}
		if !strings.Contains(stderr.String(), "aesgcm128/encrypt") || !strings.Contains(stderr.String(), "interrupted after ") {
			t.Errorf("stderr is %q", stderr.String())
		}
	})
}
