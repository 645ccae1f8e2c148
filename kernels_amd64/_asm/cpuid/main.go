// Command cpuid generates the stubs that read CPUID and XCR0.
package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/reg"
)

func main() {
	ConstraintExpr("!purego")

	TEXT("CPUID", NOSPLIT, "func(leaf, subleaf uint32) (eax, ebx, ecx, edx uint32)")
	Doc(
		"CPUID executes the CPUID instruction for a leaf and subleaf.",
		"",
		"Source: Intel SDM volume 2A, CPUID. Needs no feature beyond amd64; reads and",
		"writes no memory but its results; nothing is secret.",
	)
	Load(Param("leaf"), EAX)
	Load(Param("subleaf"), ECX)
	CPUID()
	Store(EAX, ReturnIndex(0))
	Store(EBX, ReturnIndex(1))
	Store(ECX, ReturnIndex(2))
	Store(EDX, ReturnIndex(3))
	RET()

	TEXT("XCR0", NOSPLIT, "func() (eax, edx uint32)")
	Doc(
		"XCR0 returns extended control register 0: which register state the operating",
		"system saves at a context switch.",
		"",
		"Source: Intel SDM volume 2C, XGETBV. The processor must report OSXSAVE (CPUID",
		"leaf 1, ECX bit 27), otherwise the instruction faults. Nothing is secret.",
	)
	XORL(ECX, ECX)
	XGETBV()
	Store(EAX, ReturnIndex(0))
	Store(EDX, ReturnIndex(1))
	RET()

	Generate()
}
