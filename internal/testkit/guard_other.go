//go:build !unix

package testkit

func guardedPages(n int) (mem []byte, free func(), err error) {
	return make([]byte, n), func() {}, nil
}
