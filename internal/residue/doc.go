// Package residue checks what kernels touch in memory, and what they leave there. It
// has tests only, and for them the functions that look at the dead stack and at vector
// registers.
//
//   - TestGuards places every array that a kernel takes at every offset behind a page
//     that cannot be touched, and before one. Results must not differ, and no byte
//     beside an output may change.
//   - TestKernelStack runs every kernel twice, with different secrets and everything
//     public the same. The stack that it used, and gave back, must hold the same after
//     both: what differs was computed from a secret.
//   - TestKernelRegisters compares what kernels leave in vector registers and opmasks
//     with what their contracts say.
//   - TestOperationStack does that for operations of the public packages.
//
// TestStubs compares the cases with the stubs: each pointer of each kernel has a case.
package residue
