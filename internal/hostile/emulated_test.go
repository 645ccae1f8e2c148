package hostile

import (
	"os/exec"
	"runtime"
	"strings"
	"sync"
)

// emulated reports whether this program runs on another processor than its own, under
// QEMU: the go command, which does not, tells.
var emulated = sync.OnceValue(func() bool {
	out, err := exec.Command("go", "env", "GOHOSTARCH").Output()
	return err == nil && strings.TrimSpace(string(out)) != runtime.GOARCH
})
