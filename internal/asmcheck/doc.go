// Package asmcheck holds tests that read the assembly of both architectures and the
// stubs that declare it: which instructions there are, which registers they leave
// alone, and whether each stub carries its whole contract and agrees with the table of
// kernels. They read text, so they run on every platform.
package asmcheck
