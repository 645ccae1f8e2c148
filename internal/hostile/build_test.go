package hostile

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/fastcrypto-go/fastcrypto/internal/testkit"
)

// needsBuilding skips a test where programs cannot be built for this processor. The
// environment can demand "cgo", that is, that a C compiler is here.
func needsBuilding(t *testing.T, cgo bool) {
	t.Helper()
	if testing.Short() {
		t.Skip("builds programs")
	}
	skip := t.Skip
	if slices.Contains(strings.Split(os.Getenv(testkit.RequireVariable), ","), "cgo") {
		skip = t.Fatal
	}
	if len(Workloads()) == 0 {
		t.Skip("there are no kernels here")
	}
	if testkit.Race {
		t.Skip("what is built is the same under the race detector")
	}
	if _, err := exec.LookPath("go"); err != nil {
		skip("there is no go command here")
	}
	if emulated() {
		t.Skip("under emulation: TestEmulated builds and runs for this architecture")
	}
	if runtime.GOOS != "linux" {
		t.Skip("the programs are made for Linux")
	}
	if _, err := exec.LookPath("gcc"); cgo && err != nil {
		skip("there is no C compiler here")
	}
}

// run runs a command and returns its output.
func run(t *testing.T, env []string, name string, args ...string) string {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Env = append(os.Environ(), env...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v: %v\n%s", cmd, err, stderr.String())
	}
	return stdout.String()
}

// build builds a program of testdata and returns its path.
func build(t *testing.T, program string, cgo bool, flags ...string) string {
	t.Helper()
	out := filepath.Join(t.TempDir(), program)
	env := []string{"CGO_ENABLED=0"}
	if cgo {
		env = []string{"CGO_ENABLED=1", "CC=gcc"}
	}
	args := append(append([]string{"build", "-o", out}, flags...), "./testdata/"+program)
	run(t, env, "go", args...)
	return out
}

// ran checks that a program ran as many workloads as there are.
func ran(t *testing.T, output string, workloads int) {
	t.Helper()
	if want := fmt.Sprintf("%d workloads\n", workloads); output != want {
		t.Errorf("the program says %q, want %q", output, want)
	}
}

// TestPIE runs everything in a position-independent program, linked by Go alone and
// with cgo.
func TestPIE(t *testing.T) {
	needsBuilding(t, false)
	ran(t, run(t, nil, build(t, "program", false, "-buildmode=pie")), len(Workloads()))
	if _, err := exec.LookPath("gcc"); err == nil {
		ran(t, run(t, nil, build(t, "program", true, "-buildmode=pie", "-ldflags=-linkmode=external")), len(Workloads()))
	}
}

// TestCheckptr runs everything with all pointer conversions checked.
func TestCheckptr(t *testing.T) {
	needsBuilding(t, false)
	ran(t, run(t, nil, build(t, "program", false, "-gcflags=all=-d=checkptr=1")), len(Workloads()))
}

// TestC calls everything from a C program with signal handlers of its own, out of a
// shared and out of a static library.
func TestC(t *testing.T) {
	needsBuilding(t, true)
	source, err := os.ReadFile("testdata/library/main.c.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, mode := range []string{"c-shared", "c-archive"} {
		t.Run(mode, func(t *testing.T) {
			library := build(t, "library", true, "-buildmode="+mode)
			dir := filepath.Dir(library)
			main, program := filepath.Join(dir, "main.c"), filepath.Join(dir, "caller")
			if err := os.WriteFile(main, source, 0o600); err != nil {
				t.Fatal(err)
			}
			run(t, nil, "gcc", "-O1", "-Wall", "-Wextra", "-Werror", "-pthread", "-o", program, main, library, "-lpthread", "-Wl,-rpath,"+dir)
			ran(t, run(t, nil, program), len(Workloads()))
		})
	}
}

// TestPlugin runs everything in a plugin.
func TestPlugin(t *testing.T) {
	needsBuilding(t, true)
	plugin := build(t, "plugin", true, "-buildmode=plugin")
	ran(t, run(t, nil, build(t, "pluginhost", true), plugin), len(Workloads()))
}

// TestFramePointers follows frame pointers out of interrupted kernels.
func TestFramePointers(t *testing.T) {
	needsBuilding(t, true)
	t.Log(run(t, nil, build(t, "frames", true), span().String()))
}

// TestDynlink assembles all files as for a shared library, in which the assembler
// refuses what clobbers the register that addresses go through.
func TestDynlink(t *testing.T) {
	needsBuilding(t, false)
	goroot := strings.TrimSpace(run(t, nil, "go", "env", "GOROOT"))
	for _, arch := range []string{"amd64", "arm64"} {
		files, err := filepath.Glob("../../kernels_" + arch + "/*.s")
		if err != nil || len(files) == 0 {
			t.Fatal(err, files)
		}
		for _, f := range files {
			run(t, []string{"GOARCH=" + arch}, "go", "tool", "asm", "-shared", "-dynlink", "-p", "kernels",
				"-I", filepath.Join(goroot, "pkg", "include"), "-I", filepath.Dir(f), "-o", filepath.Join(t.TempDir(), "x.o"), f)
		}
	}
}

// TestEmulated builds for arm64 and runs under QEMU: a position-independent program, and
// with a C compiler for it a plugin, a shared library and the walk of frame pointers.
func TestEmulated(t *testing.T) {
	needsBuilding(t, false)
	if runtime.GOARCH == "arm64" {
		t.Skip("this is arm64")
	}
	const root = "/usr/aarch64-linux-gnu" // of Debian's libc6-arm64-cross
	qemu, err := exec.LookPath("qemu-aarch64")
	if _, noLoader := os.Stat(root + "/lib/ld-linux-aarch64.so.1"); err != nil || noLoader != nil {
		t.Skip("there is no qemu-aarch64, or no C library for arm64")
	}
	check := func(t *testing.T, program ...string) {
		t.Helper()
		got := run(t, nil, qemu, append([]string{"-cpu", "max", "-L", root}, program...)...)
		if !strings.HasSuffix(got, " workloads\n") || strings.HasPrefix(got, "0 ") {
			t.Errorf("the program says %q", got)
		}
	}
	arm64 := func(t *testing.T, program, mode, cgo string) string {
		out := filepath.Join(t.TempDir(), program)
		run(t, []string{"CGO_ENABLED=" + cgo, "GOARCH=arm64", "CC=aarch64-linux-gnu-gcc"}, "go", "build", "-buildmode="+mode, "-o", out, "./testdata/"+program)
		return out
	}
	t.Run("pie", func(t *testing.T) { check(t, arm64(t, "program", "pie", "0")) })
	if _, err := exec.LookPath("aarch64-linux-gnu-gcc"); err != nil || !long {
		t.Skip("the long form, with a C compiler for arm64, goes on")
	}
	t.Run("plugin", func(t *testing.T) {
		check(t, arm64(t, "pluginhost", "exe", "1"), arm64(t, "plugin", "plugin", "1"))
	})
	t.Run("c-shared", func(t *testing.T) {
		library := arm64(t, "library", "c-shared", "1")
		dir := filepath.Dir(library)
		main, program := filepath.Join(dir, "main.c"), filepath.Join(dir, "caller")
		source, err := os.ReadFile("testdata/library/main.c.txt")
		if err == nil {
			err = os.WriteFile(main, source, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
		run(t, nil, "aarch64-linux-gnu-gcc", "-O1", "-pthread", "-o", program, main, library, "-Wl,-rpath,"+dir)
		check(t, program)
	})
	t.Run("frame pointers", func(t *testing.T) {
		t.Log(run(t, nil, qemu, "-cpu", "max", "-L", root, arm64(t, "frames", "exe", "1"), (5 * span()).String()))
	})
}
