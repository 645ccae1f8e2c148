// Command fastcrypto tells which kernels serve on this machine and why, measures
// them against the standard library, and tests them, their time included.
//
//	fastcrypto info
//	fastcrypto speed [-run REGEX] [-time D] [-kernel TIER] [-json FILE] [-svg FILE] [-openssl PATH] [-list]
//	fastcrypto selftest
//	fastcrypto timing [-run REGEX] [-time D] [-kernel TIER] [-list]
//	fastcrypto version
//	fastcrypto help
//
// The exit status is 0 on success, 1 on failure, 2 on wrong usage, and 130 after
// an interrupt.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"strings"
	"syscall"
)

const (
	exitOK          = 0
	exitFailure     = 1
	exitUsage       = 2
	exitInterrupted = 130
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	// A second interrupt ends the program at once.
	context.AfterFunc(ctx, stop)
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// A command is a subcommand. It returns the exit status.
type command struct {
	name, summary string
	run           func(ctx context.Context, args []string, stdout, stderr io.Writer) int
}

func commands() []command {
	return []command{
		{"info", "show the processor, its features, and which kernel serves what and why", runInfo},
		{"speed", "measure against the standard library, x/crypto and openssl", runSpeed},
		{"selftest", "run the known-answer test of every kernel that can run here", runSelfTest},
		{"timing", "test by statistics whether times depend on secrets", runTiming},
		{"version", "show the version", runVersion},
	}
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	if len(args) == 0 {
		usage(stderr)
		return exitUsage
	}
	switch args[0] {
	case "help", "-h", "-help", "--help":
		if len(args) > 2 || len(args) == 2 && args[0] != "help" {
			fmt.Fprintln(stderr, "fastcrypto: help takes at most the name of one command")
			return exitUsage
		}
		if len(args) == 2 {
			for _, c := range commands() {
				if c.name == args[1] {
					return c.run(ctx, []string{"-h"}, stdout, stdout)
				}
			}
			return unknown(args[1], stderr)
		}
		usage(stdout)
		return exitOK
	case "-version", "--version":
		return runVersion(ctx, args[1:], stdout, stderr)
	}
	for _, c := range commands() {
		if c.name == args[0] {
			return c.run(ctx, args[1:], stdout, stderr)
		}
	}
	return unknown(args[0], stderr)
}

func unknown(name string, stderr io.Writer) int {
	fmt.Fprintf(stderr, "fastcrypto: unknown command %q\n\n", name)
	usage(stderr)
	return exitUsage
}

func usage(w io.Writer) {
	fmt.Fprint(w, "Usage: fastcrypto COMMAND [FLAGS]\n\nCommands:\n")
	for _, c := range commands() {
		fmt.Fprintf(w, "  %-10s%s\n", c.name, c.summary)
	}
	fmt.Fprintf(w, "  %-10s%s\n", "help", "show this, or with the name of a command, its flags")
}

// flags returns the set of flags of a subcommand; about follows the usage line.
func flags(name, arguments, about string, stderr io.Writer) *flag.FlagSet {
	fs := flag.NewFlagSet("fastcrypto "+name, flag.ContinueOnError)
	fs.SetOutput(stderr)
	fs.Usage = func() {
		fmt.Fprintf(fs.Output(), "Usage: fastcrypto %s%s\n\n%s\n", name, arguments, about)
		any := false
		fs.VisitAll(func(*flag.Flag) { any = true })
		if any {
			fmt.Fprint(fs.Output(), "\nFlags:\n")
			fs.PrintDefaults()
		}
	}
	return fs
}

// parse parses the flags of a subcommand that takes no other arguments. It
// returns false and the exit status where the command should end.
func parse(fs *flag.FlagSet, args []string) (status int, ok bool) {
	// Package flag would print all flags behind an error, and bury it.
	w, usage := fs.Output(), fs.Usage
	fs.SetOutput(io.Discard)
	fs.Usage = func() {}
	err := fs.Parse(args)
	fs.SetOutput(w)
	fs.Usage = usage
	if err == nil && fs.NArg() > 0 {
		err = fmt.Errorf("unexpected argument %q", fs.Arg(0))
	}
	switch {
	case errors.Is(err, flag.ErrHelp):
		fs.Usage()
		return exitOK, false
	case err != nil:
		command := strings.TrimPrefix(fs.Name(), "fastcrypto ")
		fmt.Fprintf(w, "%s: %v\nFor the flags: fastcrypto help %s\n", fs.Name(), err, command)
		return exitUsage, false
	}
	return exitOK, true
}

func runVersion(_ context.Context, args []string, stdout, stderr io.Writer) int {
	fs := flags("version", "", "Shows the version of the command and of the Go toolchain that built it.", stderr)
	if status, ok := parse(fs, args); !ok {
		return status
	}
	fmt.Fprintf(stdout, "fastcrypto %s %s %s/%s\n", version(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return exitOK
}

// version returns the module's version, or the commit for a build from a clone.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "(unknown)"
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		return v
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" && len(s.Value) >= 12 {
			return "(devel " + s.Value[:12] + ")"
		}
	}
	return "(devel)"
}
