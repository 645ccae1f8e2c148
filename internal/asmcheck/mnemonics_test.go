package asmcheck

import (
	"strings"
	"testing"
)

// A class says why an instruction may be in a kernel.
type class string

const (
	// listed: Intel's "Data Operand Independent Timing Instructions", or those that
	// PSTATE.DIT affects in the Arm Architecture Reference Manual: the vendor says that
	// latency does not depend on data (on recent processors, in the mode of that name).
	listed class = "listed"
	// measured: not in the vendor's list, but of one latency in the published tables of
	// Agner Fog and uops.info for all processors of Intel and AMD.
	measured class = "measured"
	// public: data-dependent, or serialising; the taint pass lets nothing secret in.
	public class = "public"
	// branch: goes by flags or a register, which the taint pass and the comparison of
	// traces show to be public.
	branch class = "branch"
	// control: has no data.
	control class = "control"
)

// allowed has, for each architecture, the mnemonics that may be in a kernel, in Go's
// names. A number behind a name means a form with that many operands.
var allowed = map[string]map[class]string{
	"amd64": {
		listed: `MOVB MOVW MOVL MOVQ MOVBLZX MOVBQZX MOVWLZX MOVWQZX LEAQ LEAL
			ADDB ADDL ADDQ ADCQ ADCXQ ADOXQ SUBL SUBQ SBBQ NEGQ INCL INCQ DECL DECQ CMPB CMPL CMPQ TESTB TESTL TESTQ
			ANDL ANDQ ORL ORQ XORL XORQ NOTQ BTSQ BTQ MULQ MULXQ IMULQ SHLQ SHRQ SARQ SHLL SHRL SHLXQ SHRXQ
			CMOVQCC CMOVQCS CMOVQEQ CMOVQNE CMOVQHI CMOVQLS CMOVQGE CMOVQLT CMOVQGT CMOVQLE CMOVQMI CMOVQPL
			MOVD MOVO MOVOU PADDD PADDQ PAND PANDN POR PXOR PSHUFB PSHUFD PSLLL PSRLL PUNPCKLLQ PUNPCKHLQ PUNPCKLQDQ PUNPCKHQDQ
			VMOVD VMOVQ VMOVDQA VMOVDQU VMOVDQA64 VMOVDQU8 VMOVDQU64 VPINSRD VPINSRQ VPEXTRD VPEXTRQ
			VPBROADCASTD VPBROADCASTQ VBROADCASTI128 VBROADCASTI32X4 VBROADCASTI64X2
			VEXTRACTI128 VEXTRACTI32X4 VEXTRACTI64X2 VEXTRACTI64X4 VINSERTI128 VINSERTI32X4 VINSERTI64X2 VINSERTI64X4
			VPADDD VPADDQ VPSUBD VPSUBQ VPAND VPANDQ VPANDN VPANDNQ VPOR VPORQ VPXOR VPXORD VPXORQ VPTERNLOGD VPTERNLOGQ VPBLENDD VPBLENDMD VPBLENDMQ
			VPMULUDQ VPMADD52LUQ VPMADD52HUQ VPSLLD VPSLLQ VPSLLDQ VPSRLD VPSRLQ VPSRLDQ VPSRAD VPSRAQ VPROLD VPRORD VPALIGNR VALIGNQ
			VPSHUFB VPSHUFD VPERMQ VPERMD VPERMI2D VPERMI2Q VPERM2I128 VPUNPCKLDQ VPUNPCKHDQ VPUNPCKLQDQ VPUNPCKHQDQ VSHUFI32X4 VSHUFI64X2
			VPCMPEQD VPCMPEQQ VPCMPGTD VPCMPGTQ VPTESTMQ VPTESTNMQ
			KMOVB KMOVW KMOVQ KANDB KANDW KORB KORW KXORB KXNORB KNOTB KSHIFTRB KSHIFTLB
			VAESENC VAESENCLAST VPCLMULQDQ`,
		// Rotations by a constant and through the carry, double shifts (by a constant, in
		// three operands), BSWAP, SARX beside the listed SHLX and SHRX, BZHI, VPEXPANDQ beside the
		// listed VEXPANDPD; and a move between memory and vector register.
		measured: `ROLL RORL RCRQ SHRQ/3 SHLQ/3 BSWAPL SARXQ BZHIQ RORXL RORXQ VPEXPANDQ MOVSS`,
		public:   `CPUID XGETBV`,
		branch:   `JA JAE JB JBE JC JNC JE JNE JZ JNZ JG JGE JL JLE JS JNS JCC JCS JEQ JGT JHI JLS JLT JMI JPL`,
		control:  `JMP RET VZEROUPPER`,
	},
	"arm64": {
		listed: `MOVB MOVBU MOVH MOVHU MOVW MOVWU MOVD LDP LDPW STP STPW FLDPQ FSTPQ FMOVD FMOVQ VLD1 VLD4 VLD4R VST1
			ADD ADDW ADDS ADC ADCS SUB SUBS SBC SBCS NEG NEGS CMP CMN TST AND ANDS ORR EOR EORW BIC MVN
			LSL LSR ASR RORW EXTR UBFX SBFX UBFIZ REV MUL MADD MSUB MNEG UMULH
			CSEL CSET CSETM CINC CINV CNEG CCMP
			VADD VSUB VAND VORR VEOR VEOR3 VBIT VBSL VCMEQ VDUP VMOV VEXT VTBL VTRN1 VTRN2 VUZP1 VUZP2 VZIP1 VZIP2 VREV32 VREV64
			VSHL VUSHR VUSRA VSLI VSRI VUADDW VUADDW2 VPMULL VPMULL2 AESE AESMC`,
		public:  ``,
		branch:  `BEQ BNE BLT BLE BGT BGE BLO BLS BHI BHS BMI BPL CBZ CBNZ TBZ TBNZ`,
		control: `B JMP RET CALL`,
	},
}

// encoded are the macros that stand for an instruction that Go's assembler lacks, as
// the words that they emit. All are in the vendor's list: XAR, which is of SVE2 here,
// by its description.
var encoded = map[string]string{"arm64": "XAR UMULL UMLAL UMLAL2 MUL4S MLA4S SHRN26 XTN2"}

func lookup(arch string) map[string]class {
	m := map[string]class{}
	for c, names := range allowed[arch] {
		for _, n := range strings.Fields(names) {
			m[n] = c
		}
	}
	return m
}

// TestMnemonics checks that the assembly has no instruction but those that are allowed,
// and no instruction as a number but by the macros of that kind.
func TestMnemonics(t *testing.T) {
	for _, arch := range architectures {
		t.Run(arch, func(t *testing.T) {
			classes, used := lookup(arch), map[string]int{}
			sources := read(t, arch)
			names := macroNames(sources)
			for _, s := range sources {
				for _, st := range s.instructions(names) {
					if strings.Contains(" WORD BYTE LONG QUAD ", " "+st.word+" ") {
						m := s.macros[st.macro]
						switch {
						case arch != "arm64" || st.macro == "":
							t.Errorf("%s:%d: %s encodes an instruction", st.file, st.line, st.text)
						case !strings.Contains(" "+encoded[arch]+" ", " "+st.macro+" "):
							t.Errorf("%s:%d: the macro %s, which encodes an instruction, is not on the list", st.file, st.line, st.macro)
						case !m.commented:
							t.Errorf("%s:%d: the macro %s has no comment", st.file, st.line, st.macro)
						}
						continue
					}
					name := st.word
					if n := strings.Count(st.rest, ",") + 1; (name == "SHRQ" || name == "SHLQ") && n == 3 {
						name += "/3"
					}
					if _, ok := classes[name]; !ok {
						t.Errorf("%s:%d: %s is not on the list of instructions", st.file, st.line, name)
						classes[name] = "" // say it once
					}
					used[string(classes[name])]++
				}
			}
			if used[string(listed)] < 1000 && arch == "amd64" || used[string(listed)] < 500 {
				t.Errorf("found only %v instructions", used)
			}
			t.Log(used)
		})
	}
}
