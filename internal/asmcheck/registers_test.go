package asmcheck

import (
	"regexp"
	"strings"
	"testing"
)

// TestRegisters checks what Go asks of assembly beside what vet sees.
//
// On amd64, a function of the old calling convention may use R14 and X15: the wrapper
// restores them. R15 holds the address of the global offset table only behind a
// reference to a symbol of another package in code that is linked dynamically: so all
// symbols are to be the file's own. No instruction moves the stack pointer. BP, which the
// assembler would save, is left alone all the same: a profiler that follows frame pointers
// interrupts kernels anywhere.
//
// On arm64, R18 belongs to the platform, R27 to the assembler, R28 is the goroutine (g),
// and R29 and R30 are frame pointer and link.
func TestRegisters(t *testing.T) {
	own := regexp.MustCompile(`\w+<>(\+\d+)?\(SB\)`)
	pointer := regexp.MustCompile(`(^|[^(\w])SP$`)
	frame := regexp.MustCompile(`\bBP\b`)
	reserved := regexp.MustCompile(`\b(R18|R18_PLATFORM|R27|REGTMP|R28|R29|R30)\b`)
	goroutine := regexp.MustCompile(`\bg\b`)
	var names map[string]bool
	sources := func(arch string) []source {
		list := read(t, arch)
		names = macroNames(list)
		return list
	}
	moves := regexp.MustCompile(`, RSP$`)
	for _, s := range sources("amd64") {
		for _, st := range s.instructions(names) {
			if strings.Contains(st.rest, "(SB)") && !own.MatchString(st.rest) {
				t.Errorf("%s:%d: %s refers to a symbol that is not the file's own", st.file, st.line, st.text)
			}
			if pointer.MatchString(st.rest) || strings.HasPrefix(st.word, "PUSH") || strings.HasPrefix(st.word, "POP") {
				t.Errorf("%s:%d: %s moves the stack pointer", st.file, st.line, st.text)
			}
			if frame.MatchString(st.rest) {
				t.Errorf("%s:%d: %s uses the frame pointer", st.file, st.line, st.text)
			}
		}
	}
	for _, s := range sources("arm64") {
		for _, st := range s.instructions(names) {
			if reserved.MatchString(st.rest) || st.macro == "" && goroutine.MatchString(st.rest) {
				t.Errorf("%s:%d: %s uses a register that is not ours", st.file, st.line, st.text)
			}
			if moves.MatchString(st.rest) {
				t.Errorf("%s:%d: %s moves the stack pointer", st.file, st.line, st.text)
			}
			if st.word == "CALL" && !strings.Contains(st.rest, "<>(SB)") {
				t.Errorf("%s:%d: %s calls what is not the file's own", st.file, st.line, st.text)
			}
		}
		for _, m := range s.macros {
			if reserved.MatchString(m.body) {
				t.Errorf("%s: the macro %s uses a register that is not ours", s.name, m.name)
			}
		}
	}
}
