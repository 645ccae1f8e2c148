// Pluginhost opens the plugin that its argument names and has it run everything.
package main

import (
	"fmt"
	"os"
	"plugin"
)

func main() {
	p, err := plugin.Open(os.Args[1])
	if err == nil {
		var run plugin.Symbol
		if run, err = p.Lookup("Run"); err == nil {
			var n int
			if n, err = run.(func() (int, error))(); err == nil {
				fmt.Printf("%d workloads\n", n)
				return
			}
		}
	}
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
