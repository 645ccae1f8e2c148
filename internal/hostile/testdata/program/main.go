// Program runs every operation on every tier. It is built in several ways.
package main

import (
	"fmt"
	"os"

	"github.com/fastcrypto-go/fastcrypto/internal/hostile"
)

func main() {
	if err := hostile.RunAll(3, 4); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Printf("%d workloads\n", len(hostile.Workloads()))
}
