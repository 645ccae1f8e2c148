//go:build unix

package testkit

import (
	"os"

	"golang.org/x/sys/unix"
)

func guardedPages(n int) (mem []byte, free func(), err error) {
	page := os.Getpagesize()
	size := (n + page - 1) / page * page
	all, err := unix.Mmap(-1, 0, size+2*page, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
	if err != nil {
		return nil, nil, err
	}
	free = func() { unix.Munmap(all) }
	for _, guard := range [][]byte{all[:page], all[page+size:]} {
		if err := unix.Mprotect(guard, unix.PROT_NONE); err != nil {
			free()
			return nil, nil, err
		}
	}
	return all[page : page+size], free, nil
}
