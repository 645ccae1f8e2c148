// Command p256 generates the P-256 kernels of tier adx: MULX, ADCX and ADOX on
// four 64-bit limbs, the least significant first, in the Montgomery domain with
// R = 2^256, and AVX2 for reading tables.
package main

import (
	. "github.com/mmcloughlin/avo/build"

	"github.com/fastcrypto-go/fastcrypto/kernels_amd64/_asm/internal/contract"
)

func main() {
	ConstraintExpr("!purego")
	fieldKernels()
	orderKernels()
	inverseKernel()
	pointKernels()
	selectKernels()
	contract.Generate()
}
