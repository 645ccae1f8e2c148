package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/fastcrypto-go/fastcrypto/internal/impl"
	"github.com/fastcrypto-go/fastcrypto/provider"
)

func runSelfTest(_ context.Context, args []string, stdout, stderr io.Writer) int {
	fs := flags("selftest", "", `Runs the known-answer test of every tier that can run on this machine, the
generic one included. The exit status is 1 if one fails.`, stderr)
	if status, ok := parse(fs, args); !ok {
		return status
	}
	err := provider.SelfTest()
	for _, p := range impl.Primitives() {
		var tiers []string
		for _, t := range p.Supported() {
			tiers = append(tiers, t.String())
		}
		fmt.Fprintf(stdout, "%-19s tested: %s\n", p.Name(), strings.Join(tiers, ", "))
	}
	if err != nil {
		fmt.Fprintf(stderr, "fastcrypto selftest: %v\n", err)
		return exitFailure
	}
	fmt.Fprintln(stdout, "all right")
	return exitOK
}
