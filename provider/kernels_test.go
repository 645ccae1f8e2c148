package provider

import (
	"bytes"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/fastcrypto-go/fastcrypto/internal/impl"
)

func TestKernels(t *testing.T) {
	kernels := Kernels()
	selected := make(map[string]int)
	for i, k := range kernels {
		if k.Selected {
			selected[k.Primitive]++
		}
		if k.Reason == "" {
			t.Errorf("%s, tier %s: no reason", k.Primitive, k.Tier)
		}
		if (k.Tier == "generic") != (len(k.Features) == 0) {
			t.Errorf("%s, tier %s needs the features %v", k.Primitive, k.Tier, k.Features)
		}
		last := i == len(kernels)-1 || kernels[i+1].Primitive != k.Primitive
		if (k.Tier == "generic") != last {
			t.Errorf("%s, tier %s stands in the wrong place", k.Primitive, k.Tier)
		}
	}
	for _, p := range impl.Primitives() {
		if selected[p.Name()] != 1 {
			t.Errorf("%s has %d selected tiers, want 1", p.Name(), selected[p.Name()])
		}
	}

	again := Kernels()
	kernels[0].Primitive = "changed"
	if slices.ContainsFunc(again, func(k Kernel) bool { return k.Primitive == "changed" }) {
		t.Error("two calls of Kernels share memory")
	}
}

// TestKernelsSwitchedOff has processes whose GODEBUG takes features away.
func TestKernelsSwitchedOff(t *testing.T) {
	const child = "FASTCRYPTO_TEST_GODEBUG_CHILD"
	if feature := os.Getenv(child); feature != "" {
		for _, k := range Kernels() {
			if !slices.Contains(k.Features, feature) {
				continue
			}
			told := slices.ContainsFunc([]string{feature, "lacks", "purego", "FIPS 140-3"}, func(s string) bool { return strings.Contains(k.Reason, s) })
			if k.Selected || !told {
				t.Errorf("%s, tier %s: selected: %v, reason %q", k.Primitive, k.Tier, k.Selected, k.Reason)
			}
		}
		if err := SelfTest(); err != nil {
			t.Error(err)
		}
		return
	}
	for _, feature := range map[string][]string{"amd64": {"aes", "avx2", "avx512f"}, "arm64": {"aes", "pmull"}}[runtime.GOARCH] {
		if !slices.ContainsFunc(Kernels(), func(k Kernel) bool { return slices.Contains(k.Features, feature) }) {
			continue
		}
		cmd := exec.Command(os.Args[0], "-test.run=^TestKernelsSwitchedOff$", "-test.v")
		cmd.Env = append(os.Environ(), child+"="+feature, "GODEBUG=cpu."+feature+"=off")
		out, err := cmd.CombinedOutput()
		if err != nil && strings.Contains(err.Error(), "exec format error") {
			t.Skip("an emulated process cannot start another")
		}
		if err != nil || !bytes.Contains(out, []byte("--- PASS: TestKernelsSwitchedOff")) {
			t.Errorf("%s: %v\n%s", feature, err, out)
		}
	}
}
