// Package contract writes what a kernel promises onto its stub, in one form for all,
// and holds the kernel to the part of it that can be checked: the processor features,
// and that nothing but what is declared decides control flow and addresses.
//
// A generator begins each function with [Function] and ends with [Generate].
package contract

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/ir"
	"github.com/mmcloughlin/avo/pass"

	"github.com/fastcrypto-go/fastcrypto/kernels_amd64/_asm/internal/taint"
)

// A Contract is what a stub states. Its texts may be broken into lines anywhere.
type Contract struct {
	// Computes says what the function computes, as an equation, beginning with its
	// name. Blank lines separate paragraphs.
	Computes string
	// Source is the specification or paper.
	Source string
	// Arguments has each argument's unit, length rule, limb order, domain and range,
	// the output's range, and which state changes.
	Arguments string
	// Aliasing says which arguments may overlap.
	Aliasing string
	// Bounds says how far past a length is read or written.
	Bounds string
	// Secret names what is secret: arguments, and what derives from them.
	Secret string
	// Decides names the arguments, separated by spaces, that control flow, addresses
	// and time may depend on; of a pointer, that is what it points to. Everything else
	// is held secret when the kernel is checked.
	Decides string
	// Places names pointers, separated by spaces, whose places in their pages control
	// flow depends on too. The check takes addresses for public.
	Places string
	// Leaves says what remains in registers and on the stack, and VZEROUPPER. Unless it
	// says "on the stack" or "in the frame", no secret may remain there.
	Leaves string
}

// contracts has the contracts of the program's functions.
var contracts = map[string]Contract{}

// Function begins a function.
func Function(name string, attributes attr.Attribute, signature string, c Contract) {
	build.TEXT(name, attributes, signature)
	contracts[name] = c
}

// Generate writes the program's output, unless a function breaks its contract. It
// takes the place of avo's.
func Generate() {
	pass.Compile = pass.Concat(pass.Compile, pass.FunctionPass(document), pass.Func(check))
	build.Generate()
}

// document writes the contract onto a function's stub.
func document(fn *ir.Function) error {
	c, ok := contracts[fn.Name]
	if !ok {
		return fmt.Errorf("%s has no contract", fn.Name)
	}
	// A function without pointers has no memory that could escape.
	if strings.Contains(fn.Signature.String(), "*") {
		fn.AddPragma("noescape")
	}
	fn.Doc = c.lines(features(fn.ISA))
	return nil
}

// check refuses a program in which more, or less, decides control flow than the
// functions say.
func check(f *ir.File) error {
	var errs []error
	for _, fn := range f.Functions() {
		c := contracts[fn.Name]
		decides := strings.Fields(c.Decides)
		errs = append(errs, taint.Check(fn, decides, !c.keepsStack()))
		// The contract does not claim more than there is.
		for i, name := range decides {
			if !taint.Leaks(fn, slices.Delete(slices.Clone(decides), i, i+1)) {
				errs = append(errs, fmt.Errorf("%s: no branch and no address depends on %s", fn.Name, name))
			}
		}
	}
	return errors.Join(errs...)
}

// keepsStack reports whether a function may leave secrets on the stack: if it has none,
// or says so.
func (c Contract) keepsStack() bool {
	return strings.HasPrefix(c.Secret, "nothing") || strings.Contains(c.Leaves, "on the stack") || strings.Contains(c.Leaves, "in the frame")
}

// implied are features that each amd64 processor has.
var implied = []string{"SSE", "SSE2", "CMOV", "CPUID"}

// features names the features of a list of avo's, which are those that the function's
// instructions belong to.
func features(isa []string) string {
	var names []string
	for _, f := range isa {
		if !slices.Contains(implied, f) {
			names = append(names, f)
		}
	}
	if len(names) == 0 {
		return "no feature"
	}
	return strings.Join(names, ", ")
}

// width is the length of documentation lines, in characters.
const width = 85

// lines lays the contract out.
func (c Contract) lines(needs string) []string {
	var lines []string
	paragraph := func(text string) {
		for _, p := range strings.Split(strings.TrimSpace(text), "\n\n") {
			if p = strings.TrimSpace(p); p != "" {
				lines = append(append(lines, wrap(p, width)...), "")
			}
		}
	}
	paragraph(c.Computes)
	paragraph("Source: " + c.Source)
	paragraph(c.Arguments)
	for _, item := range []struct{ label, text string }{
		{"Aliasing", c.Aliasing},
		{"Bounds", c.Bounds},
		{"Needs", needs + "."},
		{"Secret", strings.TrimSpace(c.Secret) + " Control flow and addresses depend on " + only(c.Decides) + places(c.Places) + "."},
		{"Leaves", c.Leaves},
	} {
		for i, line := range wrap(item.label+": "+item.text, width-4) {
			lead := "    "
			if i == 0 {
				lead = "  - "
			}
			lines = append(lines, lead+line)
		}
	}
	return lines
}

// only returns "a, b and c only", or "nothing".
func only(names string) string {
	if names == "" {
		return "nothing"
	}
	return and(strings.Fields(names)) + " only"
}

// places returns ", and on the places of a and b in their pages", or nothing.
func places(names string) string {
	list := strings.Fields(names)
	switch len(list) {
	case 0:
		return ""
	case 1:
		return ", and on the place of " + names + " in its page"
	default:
		return ", and on the places of " + and(list) + " in their pages"
	}
}

// and returns "a, b and c".
func and(list []string) string {
	last := len(list) - 1
	if last == 0 {
		return list[0]
	}
	return strings.Join(list[:last], ", ") + " and " + list[last]
}

// wrap breaks text into lines.
func wrap(text string, width int) []string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(text) {
		if line != "" && utf8.RuneCountInString(line+" "+word) > width {
			lines, line = append(lines, line), ""
		}
		line = strings.TrimSpace(line + " " + word)
	}
	return append(lines, line)
}
