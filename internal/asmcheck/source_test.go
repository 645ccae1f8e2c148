package asmcheck

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// kernelDir is where the kernels of an architecture are.
func kernelDir(arch string) string { return filepath.Join("..", "..", "kernels_"+arch) }

var architectures = []string{"amd64", "arm64"}

// A statement is one instruction, directive or use of a macro.
type statement struct {
	file     string
	line     int
	function string // the function that it is in, or ""
	macro    string // the macro that it is in, or ""
	word     string // the mnemonic or the macro's name, without suffixes
	suffixes string
	rest     string // the operands
	text     string
}

// A macro is a definition.
type macro struct {
	name, params, body string
	commented          bool // the line above, or the definition before it, has a comment above
}

// A source is an assembly file with what it includes.
type source struct {
	name       string
	function   string // the one that is being read: its body may be in an included file
	statements []statement
	macros     map[string]macro
}

var (
	define = regexp.MustCompile(`^#define\s+(\w+)(\(([^)]*)\))?\s*(.*)$`)
	label  = regexp.MustCompile(`^\w+:\s*`)
	first  = regexp.MustCompile(`^([A-Za-z_]\w*)((?:\.\w+)*)\s*(.*)$`)
	symbol = regexp.MustCompile(`^([·\w]+)(<>)?\(SB\)`)
)

var readBefore = map[string][]source{}

// read returns the assembly files of an architecture.
func read(t *testing.T, arch string) []source {
	t.Helper()
	if list, ok := readBefore[arch]; ok {
		return list
	}
	files, err := filepath.Glob(filepath.Join(kernelDir(arch), "*.s"))
	if err != nil || len(files) == 0 {
		t.Fatalf("found no assembly for %s: %v", arch, err)
	}
	var list []source
	for _, f := range files {
		s := source{name: filepath.Base(f), macros: map[string]macro{}}
		s.add(t, f)
		list = append(list, s)
	}
	readBefore[arch] = list
	return list
}

func (s *source) add(t *testing.T, file string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	inMacro, described := "", false
	for n, line := range strings.Split(string(text), "\n") {
		bare := strings.TrimSpace(before(line, "//"))
		if inMacro == "" && bare == "" {
			described = strings.Contains(line, "//")
			continue
		}
		more := strings.HasSuffix(bare, `\`)
		bare = strings.TrimSpace(strings.TrimSuffix(bare, `\`))
		switch {
		case strings.HasPrefix(bare, "#include"):
			name := strings.Trim(strings.TrimSpace(strings.TrimPrefix(bare, "#include")), `"`)
			if name != "textflag.h" {
				s.add(t, filepath.Join(filepath.Dir(file), name))
			}
			continue
		case strings.HasPrefix(bare, "#define"):
			m := define.FindStringSubmatch(bare)
			if m == nil {
				t.Fatalf("%s:%d: a definition of unknown form", file, n+1)
			}
			inMacro = m[1]
			s.macros[inMacro] = macro{inMacro, m[3], m[4], described || strings.Contains(line, "//")}
			s.parse(file, n+1, "", inMacro, m[4])
		case strings.HasPrefix(bare, "#"):
			continue
		case inMacro != "":
			d := s.macros[inMacro]
			d.body += "\n" + bare
			s.macros[inMacro] = d
			s.parse(file, n+1, "", inMacro, bare)
		default:
			if strings.HasPrefix(bare, "TEXT") {
				if m := symbol.FindStringSubmatch(strings.TrimSpace(strings.TrimPrefix(bare, "TEXT"))); m != nil {
					s.function = strings.TrimPrefix(m[1], "·")
				}
			}
			s.parse(file, n+1, s.function, "", bare)
		}
		if !more {
			inMacro = ""
		}
	}
}

func before(s, sep string) string {
	s, _, _ = strings.Cut(s, sep)
	return s
}

// parse adds the statements of a line.
func (s *source) parse(file string, line int, function, inMacro, text string) {
	for _, one := range strings.Split(text, ";") {
		one = strings.TrimSpace(one)
		if strings.Contains(one, ":") {
			one = label.ReplaceAllString(one, "")
		}
		m := first.FindStringSubmatch(one)
		if m == nil {
			continue
		}
		s.statements = append(s.statements, statement{
			file: filepath.Base(file), line: line, function: function, macro: inMacro,
			word: m[1], suffixes: m[2], rest: m[3], text: one,
		})
	}
}

// directives are words that emit no instruction.
var directives = map[string]bool{"TEXT": true, "DATA": true, "GLOBL": true, "PCALIGN": true, "FUNCDATA": true, "PCDATA": true}

// alias is the body of a macro that names a register or a constant.
var alias = regexp.MustCompile(`^[\w.$+-]*$`)

// instructions returns the statements of a file that are instructions. names has the
// macros of all files: a macro that is not used may name one of another file's.
func (s *source) instructions(names map[string]bool) []statement {
	var list []statement
	for _, st := range s.statements {
		param := false
		if m, ok := s.macros[st.macro]; ok {
			if m.params == "" && alias.MatchString(m.body) && !names[m.body] {
				continue
			}
			for _, p := range strings.Split(m.params, ",") {
				param = param || strings.TrimSpace(p) == st.word
			}
		}
		if !names[st.word] && !directives[st.word] && !param {
			list = append(list, st)
		}
	}
	return list
}

// macroNames returns the names of the macros of all files.
func macroNames(sources []source) map[string]bool {
	names := map[string]bool{}
	for _, s := range sources {
		for n := range s.macros {
			names[n] = true
		}
	}
	return names
}
