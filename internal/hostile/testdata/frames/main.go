// Frames runs everything while a signal handler in C follows the frame pointers of
// whatever it interrupts, as perf and eBPF profilers do. It fails where a chain that
// begins in a kernel does not lead to the operation that called it.
package main

/*
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>
#include <dirent.h>
#include <stdlib.h>
#include <sys/syscall.h>

enum { maxSamples = 1 << 16, maxDepth = 24 };

typedef struct {
	uint64_t pc, sp, depth, frames[maxDepth];
} sample;

static sample samples[maxSamples];
static uint64_t used;
static uint64_t low, high; // the range of addresses of the kernels
static volatile int done;

static void handler(int sig, siginfo_t *info, void *context) {
	(void)sig;
	(void)info;
	ucontext_t *c = context;
#if defined(__x86_64__)
	uint64_t pc = c->uc_mcontext.gregs[REG_RIP], fp = c->uc_mcontext.gregs[REG_RBP], sp = c->uc_mcontext.gregs[REG_RSP];
#elif defined(__aarch64__)
	uint64_t pc = c->uc_mcontext.pc, fp = c->uc_mcontext.regs[29], sp = c->uc_mcontext.sp;
#endif
	if (pc < low || pc >= high) return;
	uint64_t i = __atomic_fetch_add(&used, 1, __ATOMIC_RELAXED);
	if (i >= maxSamples) return;
	sample *s = &samples[i];
	s->pc = pc;
	s->sp = sp;
	// Frames lie higher and higher on the stack, by less than 64 KiB here: what points
	// elsewhere is no frame pointer, and is not followed.
	// Go for arm64 keeps the saved frame pointer directly below the stack pointer.
	for (uint64_t last = sp - 8; s->depth < maxDepth; s->depth++) {
		if (fp < last || fp - last > 65536 || fp % 8) break;
		s->frames[s->depth] = ((uint64_t *)fp)[1];
		last = fp;
		fp = ((uint64_t *)fp)[0];
	}
}

static void *storm(void *unused) {
	(void)unused;
	pid_t self = syscall(SYS_gettid);
	struct timespec pause = {0, 200000};
	while (!done) {
		DIR *d = opendir("/proc/self/task");
		for (struct dirent *e; d && (e = readdir(d)); ) {
			pid_t tid = atoi(e->d_name);
			if (tid > 0 && tid != self) syscall(SYS_tgkill, getpid(), tid, SIGUSR2);
		}
		if (d) closedir(d);
		nanosleep(&pause, NULL);
	}
	return NULL;
}

static pthread_t sender;

static int start(uint64_t lo, uint64_t hi) {
	low = lo;
	high = hi;
	struct sigaction action;
	memset(&action, 0, sizeof action);
	action.sa_sigaction = handler;
	action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
	sigaction(SIGUSR2, &action, NULL);
	sigset_t all, old;
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &old);
	int failed = pthread_create(&sender, NULL, storm, NULL);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return failed;
}

static uint64_t stop(void) {
	done = 1;
	pthread_join(sender, NULL);
	return used < maxSamples ? used : maxSamples;
}

static sample *at(uint64_t i) { return &samples[i]; }
*/
import "C"

import (
	"debug/elf"
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/fastcrypto-go/fastcrypto/internal/hostile"
)

// kernelRange returns the lowest and the highest address of our assembly, from the
// symbol table of this program.
func kernelRange() (low, high uint64, err error) {
	f, err := elf.Open("/proc/self/exe")
	if err != nil {
		return 0, 0, err
	}
	defer f.Close()
	symbols, err := f.Symbols()
	for _, s := range symbols {
		if strings.Contains(s.Name, "/fastcrypto/kernels_") && elf.ST_TYPE(s.Info) == elf.STT_FUNC {
			if low == 0 || s.Value < low {
				low = s.Value
			}
			high = max(high, s.Value+s.Size)
		}
	}
	return low, high, err
}

func main() {
	low, high, err := kernelRange()
	if err != nil || low == 0 {
		fmt.Fprintln(os.Stderr, "no kernels found in this program:", err)
		os.Exit(1)
	}
	if C.start(C.uint64_t(low), C.uint64_t(high)) != 0 {
		os.Exit(1)
	}
	span, err := time.ParseDuration(os.Args[1])
	if err != nil {
		panic(err)
	}
	for _, w := range hostile.Workloads() {
		ops, stop, err := w.Start()
		if err != nil {
			panic(err)
		}
		end := time.Now().Add(span)
		var wg sync.WaitGroup
		for range 2 {
			wg.Go(func() {
				for time.Now().Before(end) {
					for _, op := range ops {
						if err := op.Run(); err != nil {
							panic(fmt.Sprintf("%v: %s: %v", w, op.Name, err))
						}
					}
				}
			})
		}
		wg.Wait()
		stop()
	}
	n := uint64(C.stop())
	whole, broken := map[string]int{}, map[string]int{}
	for i := range n {
		s := C.at(C.uint64_t(i))
		f := runtime.FuncForPC(uintptr(s.pc))
		if f == nil || !strings.Contains(f.Name(), "/fastcrypto/kernels_") || !entered(uint64(s.pc), f) {
			continue
		}
		name := f.Name()[strings.LastIndex(f.Name(), ".")+1:]
		ok := reaches(s.frames[:s.depth])
		if ok {
			whole[name]++
		} else {
			broken[name]++
		}
	}
	fmt.Printf("%d samples, whole in %d kernels\n", n, len(whole))
	for name, n := range broken {
		fmt.Fprintf(os.Stderr, "%s: the frame pointer was lost %d times, and kept %d times\n", name, n, whole[name])
	}
	if len(broken) > 0 || len(whole) == 0 {
		os.Exit(1)
	}
}

// reaches reports whether return addresses lead to where operations are called, or to
// where a batch is spread over goroutines.
func reaches(addresses []C.uint64_t) bool {
	var pcs []uintptr
	for _, pc := range addresses {
		pcs = append(pcs, uintptr(pc))
	}
	for frames := runtime.CallersFrames(pcs); ; {
		f, more := frames.Next()
		if strings.HasPrefix(f.Function, "main.main") || strings.Contains(f.Function, "/internal/parallel.") {
			return true
		}
		if !more {
			return false
		}
	}
}

// entered reports whether pc is neither in the first nor in the last instructions of f,
// where the frame is made and given up.
func entered(pc uint64, f *runtime.Func) bool {
	return pc >= uint64(f.Entry())+32
}
