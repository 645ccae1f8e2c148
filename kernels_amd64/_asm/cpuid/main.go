// Command cpuid generates the stubs that read CPUID and XCR0.
package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/reg"

	"github.com/fastcrypto-go/fastcrypto/kernels_amd64/_asm/internal/contract"
)

func main() {
	ConstraintExpr("!purego")

	contract.Function("CPUID", NOSPLIT, "func(leaf, subleaf uint32) (eax, ebx, ecx, edx uint32)", contract.Contract{
		Computes:  "CPUID executes the CPUID instruction for a leaf and subleaf, and returns eax, ebx, ecx and edx.",
		Source:    "Intel SDM volume 2A, CPUID.",
		Arguments: "leaf and subleaf are any numbers.",
		Aliasing:  "there are no pointers.",
		Bounds:    "reads and writes no memory but its arguments and results.",
		Secret:    "nothing.",
		Decides:   "leaf subleaf",
		Leaves:    "the results in registers.",
	})
	Load(Param("leaf"), EAX)
	Load(Param("subleaf"), ECX)
	CPUID()
	Store(EAX, ReturnIndex(0))
	Store(EBX, ReturnIndex(1))
	Store(ECX, ReturnIndex(2))
	Store(EDX, ReturnIndex(3))
	RET()

	contract.Function("XCR0", NOSPLIT, "func() (eax, edx uint32)", contract.Contract{
		Computes: `XCR0 returns extended control register 0 in eax and edx: which register state the
			operating system saves at a context switch.`,
		Source: "Intel SDM volume 2C, XGETBV.",
		Arguments: `The processor must report OSXSAVE (CPUID leaf 1, ECX bit 27), otherwise the
			instruction faults.`,
		Aliasing: "there are no pointers.",
		Bounds:   "writes no memory but its results.",
		Secret:   "nothing.",
		Leaves:   "the results in registers.",
	})
	XORL(ECX, ECX)
	XGETBV()
	Store(EAX, ReturnIndex(0))
	Store(EDX, ReturnIndex(1))
	RET()

	contract.Generate()
}
