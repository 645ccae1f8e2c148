//go:build linux && !purego

package consttime

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"unsafe"
)

// TestSteps compares the instructions of cases on this processor, one step at a time.
//
// The short form takes a few cases of each kernel for tiers that QEMU cannot run, and
// three secrets: in some virtual machines a step takes 50 microseconds. The long form
// takes every case of every tier, and whole operations.
func TestSteps(t *testing.T) {
	p := build(t, "amd64")
	cases := p.list(t)
	for _, s := range []struct {
		name, run      string
		every, secrets int
	}{
		{"controls", "^control/(leakyBranch|leakyLoop|leakyEqual|leakyCopy|tight)", 1, 9},
		{"kernels", "^kernel/", 1, 3},
		{"operations", "^operation/", 1, 4},
	} {
		t.Run(s.name, func(t *testing.T) {
			switch {
			case *only != "":
				s.run, s.secrets = *only, *secrets
			case !long():
				switch s.name {
				case "kernels":
					s.run, s.every = "^kernel/.*(VAES|AVX512|IFMA512)", 60
				case "operations":
					t.Skip("operations are part of the long form")
				}
			}
			if *only != "" && s.name != "kernels" {
				t.Skip("-case was given")
			}
			runs, tr := p.step(t, "-run", s.run, "-every", strconv.Itoa(s.every), "-secrets", strconv.Itoa(s.secrets))
			compare(t, cases, runs)
			t.Logf("%d steps, %d cases", tr.steps, len(runs))
			if s.name == "kernels" && long() && *only == "" {
				tr.missed(t)
			}
		})
	}
}

// A tracer steps through a process's first thread.
type tracer struct {
	p   *program
	pid int

	last         *codeRange // of the instruction before, or nil
	again        *codeRange // the function that is to run again from its start
	outside      bool
	now, atEntry trace
	atEntryOf    uint64
	entered      []string
	steps        int
	executed     map[uint64]bool // instructions of kernels
}

type trace struct{ instructions, hash uint64 }

// step runs the subject with the arguments and returns what was observed.
func (p *program) step(t *testing.T, args ...string) (map[string][]run, *tracer) {
	t.Helper()
	// Only the thread that began tracing may go on.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()

	out, err := os.Create(filepath.Join(t.TempDir(), "labels"))
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	cmd := exec.Command(p.path, append(args, "-step")...)
	cmd.Stdout, cmd.Stderr = out, os.Stderr
	cmd.Env = append(os.Environ(), "GOGC=off", "GOMAXPROCS=1", "GODEBUG=asyncpreemptoff=1")
	cmd.SysProcAttr = &syscall.SysProcAttr{Ptrace: true}
	if err := cmd.Start(); err != nil {
		unavailable(t, "step", "no process can be traced here: %v", err)
	}
	tr := &tracer{p: p, pid: cmd.Process.Pid, executed: map[uint64]bool{}}
	defer cmd.Process.Kill()
	traces, err := tr.run()
	if err != nil {
		t.Fatal(err)
	}
	labels, err := os.ReadFile(out.Name())
	if err != nil {
		t.Fatal(err)
	}
	runs := map[string][]run{}
	for label := range strings.Lines(string(labels)) {
		l := strings.Split(strings.TrimSuffix(label, "\n"), "\t")
		if len(l) != 3 || len(traces) == 0 {
			t.Fatalf("the program's line %q does not go with what was traced", label)
		}
		r := traces[0]
		traces = traces[1:]
		r.secret, r.public = l[1], l[2]
		runs[l[0]] = append(runs[l[0]], r)
	}
	if len(traces) > 0 {
		t.Fatalf("%d traces have no line of the program", len(traces))
	}
	return runs, tr
}

// run lets the process run to its end.
func (tr *tracer) run() ([]run, error) {
	var runs []run
	signal := 0
	for first := true; ; first = false {
		if !first {
			if err := syscall.PtraceCont(tr.pid, signal); err != nil {
				return nil, fmt.Errorf("PTRACE_CONT: %w", err)
			}
		}
		ws, err := tr.wait()
		switch {
		case err != nil:
			return nil, err
		case ws.Exited() && ws.ExitStatus() == 0:
			return runs, nil
		case !ws.Stopped():
			return nil, fmt.Errorf("the subject ended with status %#x", int(ws))
		}
		signal = 0
		if s := ws.StopSignal(); s != syscall.SIGTRAP {
			signal = int(s)
			continue
		}
		pc, err := tr.pc()
		if err != nil {
			return nil, err
		}
		if r := tr.p.find(pc); r == nil || r.kind != kindBegin {
			continue // a stop for exec
		}
		r, err := tr.region()
		if err != nil {
			return nil, err
		}
		runs = append(runs, r)
	}
}

// region steps from the first marker to the second.
func (tr *tracer) region() (run, error) {
	tr.now, tr.atEntry = trace{}, trace{}
	tr.last, tr.again, tr.outside, tr.entered = nil, nil, true, nil
	for {
		if err := syscall.PtraceSingleStep(tr.pid); err != nil {
			return run{}, fmt.Errorf("PTRACE_SINGLESTEP: %w", err)
		}
		ws, err := tr.wait()
		if err != nil {
			return run{}, err
		}
		if !ws.Stopped() {
			return run{}, fmt.Errorf("the subject ended with status %#x in a run", int(ws))
		}
		switch ws.StopSignal() {
		case syscall.SIGTRAP:
		case syscall.SIGURG, syscall.SIGWINCH, syscall.SIGCONT: // the Go runtime's, and harmless: dropped
			continue
		default:
			return run{}, fmt.Errorf("the subject got %v in a run", ws.StopSignal())
		}
		pc, err := tr.pc()
		if err != nil {
			return run{}, err
		}
		tr.steps++
		if tr.observe(pc) {
			break
		}
	}
	return run{
		instructions: strconv.FormatUint(tr.now.instructions, 10),
		hash:         strconv.FormatUint(tr.now.hash, 16),
		entered:      tr.entered,
	}, nil
}

// observe adds the instruction to the trace, as testdata/trace.c does, and reports
// whether it is the second marker.
func (tr *tracer) observe(pc uint64) (end bool) {
	r := tr.last
	if r == nil || pc < r.lo || pc >= r.hi {
		r = tr.p.find(pc)
		tr.last = r
	}
	switch {
	case r == nil || r.kind == kindOwn || r.kind == kindBegin || r.kind == kindForget || r.kind == kindData:
		tr.outside = true
		return false
	case r.kind == kindEnd:
		return true
	case r.kind == kindStack:
		if !tr.outside {
			tr.now = tr.atEntry
			tr.again = tr.p.find(tr.atEntryOf)
		}
		tr.outside = true
		return false
	case tr.again != nil && pc != tr.again.lo, tr.again == nil && r.kind == kindLibrary && tr.outside:
		return false
	}
	tr.outside = false
	if pc == r.lo {
		tr.atEntry, tr.atEntryOf, tr.again = tr.now, pc, nil
		if r.kind == kindKernel {
			if name := tr.p.kernelName(r); name != "" && !slices.Contains(tr.entered, name) {
				tr.entered = append(tr.entered, name)
			}
		}
	}
	if r.kind == kindKernel {
		tr.executed[pc] = true
	}
	tr.now.instructions++
	h := (tr.now.hash ^ pc) * 0x9E3779B97F4A7C15
	tr.now.hash = h ^ h>>29
	return false
}

// missed tells how many instructions no case executed, of each kernel that ran.
func (tr *tracer) missed(t *testing.T) {
	t.Helper()
	out, err := exec.Command("objdump", "-d", "--no-show-raw-insn", "-j", ".text", tr.p.path).Output()
	if err != nil {
		unavailable(t, "step", "objdump: %v", err)
	}
	ran := map[*codeRange]bool{}
	for pc := range tr.executed {
		ran[tr.p.find(pc)] = true
	}
	last, never := map[*codeRange]uint64{}, map[string]int{}
	for line := range strings.Lines(string(out)) {
		address, instruction, ok := strings.Cut(strings.TrimSpace(line), ":\t")
		pc, err := strconv.ParseUint(address, 16, 64)
		if !ok || err != nil {
			continue
		}
		r := tr.p.find(pc)
		if r == nil || !ran[r] || tr.p.kernelName(r) == "" || tr.executed[pc] {
			continue
		}
		// Padding, and the call that grows the stack with what follows it.
		mnemonic, _, _ := strings.Cut(instruction, " ")
		grows := r.hi-pc <= 16 && strings.Contains(instruction, "runtime.morestack")
		if grows {
			last[r] = pc
		}
		if _, behind := last[r]; behind || strings.HasPrefix(mnemonic, "nop") || mnemonic == "int3" || mnemonic == "xchg" || mnemonic == "data16" || mnemonic == "cs" {
			continue
		}
		never[tr.p.kernelName(r)]++
	}
	for _, name := range slices.Sorted(maps.Keys(never)) {
		t.Logf("%s: no case executes %d instructions", name, never[name])
	}
}

// wait waits for the process to stop or end. Blocking in a raw system call is faster,
// and no one else has anything to do.
func (tr *tracer) wait() (ws syscall.WaitStatus, err error) {
	for {
		_, _, errno := syscall.RawSyscall6(syscall.SYS_WAIT4, uintptr(tr.pid), uintptr(unsafe.Pointer(&ws)), syscall.WALL, 0, 0, 0)
		if errno == 0 {
			return ws, nil
		}
		if errno != syscall.EINTR {
			return ws, fmt.Errorf("wait4: %w", errno)
		}
	}
}

// pc returns the address of the next instruction.
func (tr *tracer) pc() (pc uint64, err error) {
	const offset = unsafe.Offsetof(syscall.PtraceRegs{}.Rip)
	_, _, errno := syscall.RawSyscall6(syscall.SYS_PTRACE, syscall.PTRACE_PEEKUSR, uintptr(tr.pid), offset, uintptr(unsafe.Pointer(&pc)), 0, 0)
	if errno != 0 {
		return 0, fmt.Errorf("PTRACE_PEEKUSR: %w", errno)
	}
	return pc, nil
}
