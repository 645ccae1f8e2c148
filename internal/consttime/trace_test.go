//go:build linux && !purego

package consttime

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// emulators are the commands that run linux programs of an architecture.
var emulators = map[string][]string{
	"amd64": {"qemu-x86_64", "-cpu", "max"},
	"arm64": {"qemu-aarch64", "-cpu", "max"},
}

// notEmulated are the tiers that QEMU cannot run: TestSteps has them.
var notEmulated = []string{"vaes256", "vaes512", "avx512", "ifma512"}

// plugin compiles the plugin for an emulator.
func plugin(t *testing.T, emulator string) string {
	t.Helper()
	cc, err := exec.LookPath("gcc")
	if err != nil {
		unavailable(t, "trace", "there is no gcc here to build QEMU's plugin")
	}
	version, err := exec.Command(emulator, "--version").Output()
	if err != nil {
		t.Fatalf("%s: %v", emulator, err)
	}
	_, after, _ := strings.Cut(string(version), "version ")
	major, _, _ := strings.Cut(after, ".")
	plugins := "-DINTERFACE=1"
	if n, err := strconv.Atoi(major); err != nil || n >= 9 {
		plugins = "-DINTERFACE=2"
	}
	so := filepath.Join(t.TempDir(), "trace.so")
	if out, err := exec.Command(cc, plugins, "-O2", "-fPIC", "-shared", "testdata/trace.c", "-o", so).CombinedOutput(); err != nil {
		t.Fatalf("gcc: %v\n%s", err, out)
	}
	return so
}

// TestTraces compares the instructions and memory accesses of all cases under QEMU.
func TestTraces(t *testing.T) {
	for arch, emulator := range emulators {
		t.Run(arch, func(t *testing.T) {
			t.Parallel()
			if _, err := exec.LookPath(emulator[0]); err != nil {
				unavailable(t, "trace", "there is no %s here", emulator[0])
			}
			traces(t, arch, emulator)
		})
	}
}

func traces(t *testing.T, arch string, emulator []string) {
	so, p := plugin(t, emulator[0]), build(t, arch)
	cases := p.list(t, emulator...)
	for _, c := range cases {
		if c.why != "" && !slices.Contains(notEmulated, c.tier) {
			t.Errorf("%s does not run under QEMU: %s", c.name, c.why)
		}
	}

	dir := t.TempDir()
	list, out := filepath.Join(dir, "ranges"), filepath.Join(dir, "trace")
	var b bytes.Buffer
	for _, r := range p.ranges {
		fmt.Fprintf(&b, "%c %x %x\n", r.kind, r.lo, r.hi)
	}
	if err := os.WriteFile(list, b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	n := *secrets
	if long() && *only == "" {
		n = 120
	}
	argv := slices.Concat(emulator, []string{"-plugin", so + ",list=" + list + ",out=" + out, p.path, "-secrets", strconv.Itoa(n), "-run", *only})
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Env = append(os.Environ(), "GOGC=off", "GOMAXPROCS=1", "GODEBUG=asyncpreemptoff=1")
	var stderr strings.Builder
	cmd.Stderr = &stderr
	labels, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %v\n%s", argv, err, stderr.String())
	}
	traced, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}

	runs := map[string][]run{}
	lines := strings.Split(strings.TrimSpace(string(traced)), "\n")
	for label := range strings.Lines(string(labels)) {
		l := strings.Split(strings.TrimSuffix(label, "\n"), "\t")
		f := strings.SplitN(lines[0], " ", 4)
		if len(l) != 3 || len(f) != 4 || f[0] != "region" {
			t.Fatalf("the program's line %q and the plugin's %q do not go together", label, lines[0])
		}
		lines = lines[1:]
		r := run{secret: l[1], public: l[2], instructions: f[1], hash: f[2]}
		for _, n := range strings.Split(f[3], ",") {
			if i, err := strconv.Atoi(n); err == nil {
				if name := p.kernelName(&p.kernels[i]); name != "" {
					r.entered = append(r.entered, name)
				}
			}
		}
		runs[l[0]] = append(runs[l[0]], r)
	}
	compare(t, cases, runs)

	if len(lines) != len(p.kernels) {
		t.Fatalf("%d lines of the plugin are left for %d kernels", len(lines), len(p.kernels))
	}
	ran := map[string]bool{}
	for _, all := range runs {
		for _, name := range all[0].entered {
			ran[name] = true
		}
	}
	for i, line := range lines {
		k := &p.kernels[i]
		f := strings.SplitN(line, " ", 3)
		if name := p.kernelName(k); name == "" || !ran[name] || f[2] == "" || strings.HasPrefix(k.name, "main.") {
			continue
		}
		for _, gap := range strings.Split(f[2], ",") {
			var lo, hi int
			if _, err := fmt.Sscanf(gap, "%x-%x", &lo, &hi); err != nil {
				t.Fatal(err)
			}
			if !mayBeMissed(arch, k.code[lo:hi], hi == len(k.code)) {
				t.Errorf("%s: no case executes the bytes %#x to %#x of %#x", k.name, lo, hi, len(k.code))
			}
		}
	}
}

// mayBeMissed reports whether code that never ran is padding, or the call in a
// function's end that grows the stack.
func mayBeMissed(arch string, code []byte, last bool) bool {
	if arch == "arm64" {
		const nop, saveLink = 0xd503201f, 0xaa1e03e3
		// The three instructions, of which some ran if the runtime wanted the thread.
		if w := binary.LittleEndian.Uint32(code); last && (w == saveLink || w>>26&^0x20 == 5) && len(code) <= 24 {
			return true
		}
		for ; len(code) >= 4; code = code[4:] {
			if w := binary.LittleEndian.Uint32(code); w != nop && !(w == 0 && last) {
				return false
			}
		}
		return true
	}
	// A call and a jump: the call ran if the runtime wanted the thread.
	if last && (code[0] == 0xe8 || code[0] == 0xe9 || code[0] == 0xeb) && len(code) <= 16 {
		return true
	}
	for len(code) > 0 {
		switch {
		case code[0] == 0x66, code[0] == 0x90, code[0] == 0xcc, code[0] == 0x2e:
			code = code[1:]
		case bytes.HasPrefix(code, []byte{0x0f, 0x1f}) && len(code) >= 3:
			modrm, n := code[2], 3
			if modrm&7 == 4 && modrm>>6 != 3 {
				n++
			}
			switch modrm >> 6 {
			case 1:
				n++
			case 2:
				n += 4
			}
			code = code[min(n, len(code)):]
		default:
			return false
		}
	}
	return true
}
