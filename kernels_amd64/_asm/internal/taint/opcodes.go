package taint

import "strings"

// Condition flags, a bit each.
type flags uint8

const (
	carry flags = 1 << iota
	parity
	adjust
	zero
	sign
	overflow

	noFlags  flags = 0
	allFlags       = carry | parity | adjust | zero | sign | overflow
)

// An effect is what an opcode does beside what its operands say, which avo knows.
type effect struct {
	reads, writes flags
	// keeps are flags among those that it writes that may as well stay as they were: the
	// undefined ones, and those of a shift by 0.
	keeps flags
	// varies: its latency depends on its operands on some processor, so none of them
	// may be secret.
	varies bool
	// size is how many bytes of memory it reads or writes, where that is not the size
	// of its registers.
	size int
}

// opcodes has every opcode that a kernel may contain. What is not here is refused.
//
// Shifts and rotations by CL take the same time for every count on processors with a
// barrel shifter, which all with 64 bits have; multiplications on all of them. The test
// of the assembly (internal/asmcheck) says which opcodes the vendors vouch for.
var opcodes = map[string]effect{}

func define(e effect, names string) {
	for _, name := range strings.Fields(names) {
		if _, twice := opcodes[name]; twice {
			panic("taint: " + name + " is defined twice")
		}
		opcodes[name] = e
	}
}

func init() {
	// General registers.
	define(effect{}, "MOVB MOVW MOVL MOVBLZX MOVBQZX MOVWLZX MOVWQZX MOVLQSX LEAL LEAQ NOTL NOTQ BSWAPL BSWAPQ")
	define(effect{}, "MULXL MULXQ SHLXL SHLXQ SHRXL SHRXQ SARXL SARXQ RORXL RORXQ")
	define(effect{writes: allFlags}, "ADDB ADDW ADDL ADDQ SUBB SUBW SUBL SUBQ CMPB CMPW CMPL CMPQ NEGL NEGQ")
	define(effect{writes: allFlags, keeps: adjust}, "ANDB ANDL ANDQ ORB ORL ORQ XORB XORL XORQ TESTB TESTW TESTL TESTQ")
	define(effect{writes: allFlags, keeps: parity | adjust | zero | sign}, "IMULL IMULQ IMUL3L IMUL3Q MULL MULQ")
	define(effect{writes: allFlags, keeps: parity | adjust | sign}, "ANDNL ANDNQ BZHIL BZHIQ BEXTRL BEXTRQ")
	define(effect{writes: allFlags &^ carry}, "INCL INCQ DECL DECQ")
	define(effect{reads: carry, writes: allFlags}, "ADCL ADCQ SBBL SBBQ")
	define(effect{reads: carry, writes: carry}, "ADCXL ADCXQ")
	define(effect{reads: overflow, writes: overflow}, "ADOXL ADOXQ")
	// A count of 0 leaves the flags alone.
	define(effect{writes: allFlags, keeps: allFlags}, "SHLL SHLQ SHRL SHRQ SARL SARQ ROLL ROLQ RORL RORQ")
	define(effect{reads: carry, writes: allFlags, keeps: allFlags}, "RCRL RCRQ RCLL RCLQ")
	define(effect{writes: allFlags, keeps: allFlags &^ carry}, "BTL BTQ BTSL BTSQ BTRL BTRQ")
	for cc, f := range conditions {
		define(effect{reads: f}, "CMOVL"+cc+" CMOVQ"+cc+" SET"+cc)
	}

	// Vectors.
	define(effect{}, "MOVOA MOVOU MOVO PAND PANDN POR PXOR PADDB PADDW PADDL PADDD PADDQ PSUBL PSUBQ PSHUFB PSHUFD PSHUFL PSLLL PSLLQ PSLLO PSRLL PSRLQ PSRLO PSRAL PUNPCKLLQ PUNPCKHLQ PUNPCKLQDQ PUNPCKHQDQ PCMPEQL")
	define(effect{size: 4}, "MOVSS MOVD VMOVD VPINSRD VPEXTRD")
	define(effect{size: 8}, "MOVQ MOVSD VMOVQ VPINSRQ VPEXTRQ")
	define(effect{}, "VMOVDQA VMOVDQU VMOVDQA32 VMOVDQA64 VMOVDQU8 VMOVDQU16 VMOVDQU32 VMOVDQU64")
	define(effect{size: 4}, "VPBROADCASTD")
	define(effect{size: 8}, "VPBROADCASTQ")
	define(effect{size: 16}, "VBROADCASTI128 VBROADCASTI32X4 VBROADCASTI64X2 VEXTRACTI128 VINSERTI128 VEXTRACTI32X4 VEXTRACTI64X2 VINSERTI32X4 VINSERTI64X2")
	define(effect{size: 32}, "VBROADCASTI64X4 VEXTRACTI64X4 VINSERTI64X4 VEXTRACTI32X8 VINSERTI32X8")
	define(effect{}, "VPAND VPANDD VPANDQ VPANDN VPANDND VPANDNQ VPOR VPORD VPORQ VPXOR VPXORD VPXORQ VPTERNLOGD VPTERNLOGQ VPBLENDD VPBLENDMD VPBLENDMQ VPBLENDVB")
	define(effect{}, "VPADDB VPADDW VPADDD VPADDQ VPSUBB VPSUBW VPSUBD VPSUBQ VPMULUDQ VPMULDQ VPMADD52LUQ VPMADD52HUQ")
	define(effect{}, "VPSLLW VPSLLD VPSLLQ VPSRLW VPSRLD VPSRLQ VPSRAD VPSRAQ VPSLLVD VPSLLVQ VPSRLVD VPSRLVQ VPSLLDQ VPSRLDQ VPROLD VPROLQ VPRORD VPRORQ VPALIGNR VALIGND VALIGNQ")
	define(effect{}, "VPSHUFB VPSHUFD VPUNPCKLDQ VPUNPCKHDQ VPUNPCKLQDQ VPUNPCKHQDQ VPERMB VPERMD VPERMQ VPERMI2B VPERMI2D VPERMI2Q VPERMT2D VPERMT2Q VPERM2I128 VPEXPANDD VPEXPANDQ VSHUFI32X4 VSHUFI64X2")
	define(effect{}, "VPCMPEQB VPCMPEQD VPCMPEQQ VPCMPGTD VPCMPGTQ VPCMPD VPCMPQ VPCMPUD VPCMPUQ VPTESTMD VPTESTMQ VPTESTNMD VPTESTNMQ")
	define(effect{}, "VAESENC VAESENCLAST VAESDEC VAESDECLAST VAESIMC AESENC AESENCLAST AESDEC AESDECLAST AESIMC VPCLMULQDQ PCLMULQDQ")
	define(effect{}, "VZEROUPPER VZEROALL")
	define(effect{writes: allFlags}, "PTEST VPTEST")

	// Opmasks.
	define(effect{}, "KMOVB KMOVW KMOVD KMOVQ KANDB KANDW KANDD KANDQ KANDNB KANDNW KORB KORW KORD KORQ KXORB KXORW KXORD KXORQ KXNORB KXNORW KXNORD KXNORQ KNOTB KNOTW KNOTD KNOTQ KSHIFTLB KSHIFTRB KSHIFTRQ")
	define(effect{writes: allFlags}, "KORTESTB KORTESTW KORTESTD KORTESTQ KTESTB KTESTW KTESTD KTESTQ")

	// Division takes its time from its operands. So do bit scans, population counts and
	// PDEP and PEXT in microcode, and compressions into memory. Gathers and scatters, and
	// conflict detection, go by the contents of vectors. CPUID and XGETBV serialise.
	define(effect{writes: allFlags, varies: true}, "DIVB DIVW DIVL DIVQ IDIVB IDIVW IDIVL IDIVQ BSFL BSFQ BSRL BSRQ")
	define(effect{writes: allFlags, varies: true}, "LZCNTL LZCNTQ TZCNTL TZCNTQ POPCNTL POPCNTQ")
	define(effect{varies: true}, "PDEPL PDEPQ PEXTL PEXTQ VPCONFLICTD VPCONFLICTQ VPCOMPRESSD VPCOMPRESSQ")
	define(effect{varies: true}, "VPGATHERDD VPGATHERDQ VPGATHERQD VPGATHERQQ VPSCATTERDD VPSCATTERDQ VPSCATTERQD VPSCATTERQQ")
	define(effect{varies: true}, "CPUID XGETBV")

	// Control flow.
	define(effect{}, "RET JMP")
	for cc, f := range conditions {
		define(effect{reads: f}, "J"+cc)
	}
	for name, f := range map[string]flags{"JA": carry | zero, "JAE": carry, "JB": carry, "JBE": carry | zero, "JC": carry, "JNC": carry,
		"JE": zero, "JZ": zero, "JNZ": zero, "JG": zero | sign | overflow, "JL": sign | overflow, "JO": overflow, "JNO": overflow, "JP": parity, "JNP": parity, "JS": sign, "JNS": sign} {
		define(effect{reads: f}, name)
	}
}

// conditions are the flags that a condition, in Go's names, reads.
var conditions = map[string]flags{
	"CC": carry, "CS": carry, "EQ": zero, "NE": zero, "HI": carry | zero, "LS": carry | zero,
	"GE": sign | overflow, "LT": sign | overflow, "GT": zero | sign | overflow, "LE": zero | sign | overflow,
	"MI": sign, "PL": sign, "OC": overflow, "OS": overflow, "PC": parity, "PS": parity,
}

// cancels are opcodes whose result does not depend on two equal register sources. They
// are those that zero or fill a register, and leave flags that are constant too.
var cancels = map[string]bool{}

func init() {
	for _, name := range strings.Fields(`XORL XORQ SUBL SUBQ PXOR VPXOR VPXORD VPXORQ PSUBL PSUBQ VPSUBB VPSUBW VPSUBD VPSUBQ
		PANDN VPANDN VPANDND VPANDNQ PCMPEQL VPCMPEQB VPCMPEQD VPCMPEQQ VPCMPGTD VPCMPGTQ KXORB KXORW KXORD KXORQ KXNORB KXNORW KXNORD KXNORQ`) {
		cancels[name] = true
	}
}
