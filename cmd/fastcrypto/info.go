package main

import (
	"context"
	"crypto/fips140"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"

	"github.com/fastcrypto-go/fastcrypto/internal/impl"
	"github.com/fastcrypto-go/fastcrypto/provider"
	"github.com/jedib0t/go-pretty/v6/table"
)

func runInfo(_ context.Context, args []string, stdout, stderr io.Writer) int {
	fs := flags("info", "", `Shows the processor, the features that kernels are chosen by, and for each
primitive every tier with the reason why it serves or why not.`, stderr)
	if status, ok := parse(fs, args); !ok {
		return status
	}
	cpu := impl.Processor()
	line := func(name, value string) { fmt.Fprintf(stdout, "%-14s%s\n", name, value) }
	line("fastcrypto", version())
	line("processor", model())
	line("platform", fmt.Sprintf("%s, %s/%s, GOMAXPROCS=%d", runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.GOMAXPROCS(0)))
	line("features", orNone(cpu.Enabled))
	if off := cpu.Present &^ cpu.Enabled; off != 0 {
		line("switched off", orNone(off)+" (GODEBUG="+os.Getenv("GODEBUG")+")")
	}
	if missing := needed() &^ cpu.Present; missing != 0 {
		line("lacking", orNone(missing))
	}
	if fips140.Enabled() {
		line("FIPS 140-3", "mode is on: the standard library serves everything")
	}
	fmt.Fprintf(stdout, "\nWhat serves is marked with *.\n\n")
	writeKernels(stdout, provider.Kernels())
	return exitOK
}

// needed returns the features that any tier asks for.
func needed() impl.Features {
	var all impl.Features
	for _, p := range impl.Primitives() {
		for _, s := range p.Report() {
			all |= s.Needs
		}
	}
	return all
}

func orNone(f impl.Features) string {
	if f == 0 {
		return "none that a kernel needs"
	}
	return strings.Join(f.Names(), " ")
}

func writeKernels(w io.Writer, kernels []provider.Kernel) {
	t := newTable()
	t.AppendHeader(table.Row{"primitive", "tier", "", "why"})
	last := ""
	for _, k := range kernels {
		name, mark := k.Primitive, ""
		if name == last {
			name = ""
		}
		last = k.Primitive
		if k.Selected {
			mark = "*"
		}
		t.AppendRow(table.Row{name, k.Tier, mark, k.Reason})
	}
	fmt.Fprintln(w, trimLines(t.Render()))
}
