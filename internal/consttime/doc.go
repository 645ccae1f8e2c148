// Package consttime checks by running that no secret decides which instructions are
// executed and which memory is touched. It has tests only.
//
// The program in the directory subject runs every kernel, and whole operations of the
// public packages, with many different secrets: the same lengths, the same buffers,
// other keys, scalars, texts and states, among them the special values at which an
// arithmetic's rare branches would be taken. Two tests observe it:
//
//   - TestTraces runs it under QEMU's emulation of amd64 and arm64 with a plugin
//     (testdata/trace.c) and compares the addresses of all instructions and of all
//     memory accesses. It also demands that the cases together execute every
//     instruction of every kernel.
//   - TestSteps runs it on this processor, one instruction at a time, and compares
//     the addresses of instructions. It is what runs the kernels for AVX-512 and VAES,
//     which the emulator does not know.
//
// Both must find out the controls, functions that leak on purpose. TestCases compares
// the cases with the stubs: there is none without the other.
//
// What may differ is what the contracts call public: lengths, rounds, counters of
// AES-CTR, and what is published anyway, such as a signature and its encoding.
//
// FASTCRYPTO_TEST_LONG=1 has more secrets for every case and, for TestSteps, all
// cases. FASTCRYPTO_TEST_REQUIRE=trace fails where gcc or QEMU is missing,
// instead of skipping the test, and FASTCRYPTO_TEST_REQUIRE=step where no process can
// be traced.
package consttime
