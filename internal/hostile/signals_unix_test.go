//go:build unix

package hostile

import (
	"os"
	"os/signal"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// startSignals has signals sent to all threads of this process, as fast as one thread
// can, until stop is called: SIGURG, with which the scheduler preempts, SIGPROF, with
// which the profiler samples, and SIGUSR1, for which a handler is installed.
func startSignals(t *testing.T) (stop func()) {
	t.Helper()
	caught := make(chan os.Signal, 16)
	signal.Notify(caught, syscall.SIGUSR1, syscall.SIGURG)
	var wg sync.WaitGroup
	var done atomic.Bool
	var handled atomic.Int64
	wg.Go(func() {
		for range caught {
			handled.Add(1)
		}
	})
	var senders sync.WaitGroup
	sent := 0
	senders.Go(func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		for !done.Load() {
			for _, s := range []syscall.Signal{syscall.SIGURG, syscall.SIGPROF, syscall.SIGUSR1} {
				for _, send := range recipients() {
					send(s)
					sent++
				}
			}
			time.Sleep(50 * time.Microsecond)
		}
	})
	return func() {
		done.Store(true)
		senders.Wait()
		signal.Stop(caught)
		close(caught)
		wg.Wait()
		// Without a kernel nothing has run meanwhile.
		if kernels() && (sent == 0 || handled.Load() == 0) {
			t.Errorf("%d signals were sent, and %d arrived", sent, handled.Load())
		}
		t.Logf("%d signals sent, %d handled", sent, handled.Load())
	}
}

// recipients returns how to send a signal to each thread of this process, or to the
// process, where threads cannot be told apart.
func recipients() (to []func(syscall.Signal)) {
	pid := os.Getpid()
	threads, err := os.ReadDir("/proc/self/task")
	if err != nil || runtime.GOOS != "linux" {
		return []func(syscall.Signal){func(s syscall.Signal) { syscall.Kill(pid, s) }}
	}
	for _, thread := range threads {
		if tid, err := strconv.Atoi(thread.Name()); err == nil {
			to = append(to, func(s syscall.Signal) { unix.Kill(tid, s) })
		}
	}
	return to
}

// TestSignals runs everything while signals arrive all the time.
func TestSignals(t *testing.T) {
	stop := startSignals(t)
	defer stop()
	each(t, func(t *testing.T, ops []Operation) { work(t, ops, 4, span()) })
}
