package neon

import (
	"debug/elf"
	"encoding/binary"
	"go/constant"
	"go/token"
	"go/types"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// instruction is a line of the header.
type instruction struct {
	name       string
	parameters []string
	encoding   string // a constant expression of the parameters
	gnu        string // the instruction as GNU writes it
}

var definition = regexp.MustCompile(`^#define (\w+)\(([\w, ]+)\)\s+WORD \$\((.+)\)\s+// (.+)$`)

func readHeader(t *testing.T) (instructions []instruction) {
	t.Helper()
	text, err := os.ReadFile("neon.h")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "//") {
			continue
		}
		m := definition.FindStringSubmatch(line)
		if m == nil {
			t.Fatalf("not a definition of an instruction: %s", line)
		}
		instructions = append(instructions, instruction{m[1], strings.Split(m[2], ", "), m[3], m[4]})
	}
	return instructions
}

// arguments returns a number for each parameter: a shift k that all instructions have, a lane i of
// two or j of eight, a register c for such lanes, or any register.
func (i instruction) arguments(r *rand.Rand) []int {
	arguments := make([]int, len(i.parameters))
	for n, name := range i.parameters {
		switch name {
		case "k":
			arguments[n] = 1 + r.IntN(7)
		case "i":
			arguments[n] = r.IntN(2)
		case "j":
			arguments[n] = r.IntN(8)
		case "c":
			arguments[n] = r.IntN(16)
		default:
			arguments[n] = r.IntN(32)
		}
	}
	return arguments
}

// encoded evaluates the expression. Go's assembler evaluates it as Go does.
func (i instruction) encoded(arguments []int) (uint32, error) {
	expression := i.encoding
	for n, name := range i.parameters {
		expression = strings.ReplaceAll(expression, "("+name+")", strconv.Itoa(arguments[n]))
	}
	value, err := types.Eval(token.NewFileSet(), nil, token.NoPos, expression)
	if err != nil {
		return 0, err
	}
	word, _ := constant.Uint64Val(value.Value)
	return uint32(word), nil
}

// written returns the instruction for GNU's assembler. A parameter follows the letter of a
// register, the sign of an immediate or the bracket of a lane.
func (i instruction) written(arguments []int) string {
	text := i.gnu
	for n, name := range i.parameters {
		use := regexp.MustCompile(`([VDHS#[])` + name + `\b`)
		text = use.ReplaceAllString(text, "${1}"+strconv.Itoa(arguments[n]))
	}
	return text
}

func TestInstructionsAreThoseOfGNU(t *testing.T) {
	assembler, err := exec.LookPath("aarch64-linux-gnu-as")
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal(err)
		}
		t.Skipf("SKIPPED, NOTHING WAS COMPARED: %v", err)
	}
	const trials = 8
	r := rand.New(rand.NewPCG(6, 4))
	var names, lines []string
	var words []uint32
	for _, i := range readHeader(t) {
		for range trials {
			arguments := i.arguments(r)
			word, err := i.encoded(arguments)
			if err != nil {
				t.Fatalf("%s: %v", i.name, err)
			}
			names, lines, words = append(names, i.name), append(lines, i.written(arguments)), append(words, word)
		}
	}
	for n, want := range assemble(t, assembler, lines) {
		if words[n] != want {
			t.Errorf("%s is %08x, but %s is %08x", names[n], words[n], lines[n], want)
		}
	}
}

// The numbers of instructions are in the header alone, where they are tested.
func TestAssemblyHasNoNumbersOfInstructions(t *testing.T) {
	err := filepath.WalkDir("../..", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_arm64.s") && !strings.HasSuffix(path, "_arm64.h") {
			return err
		}
		text, err := os.ReadFile(path)
		if strings.Contains(string(text), "WORD $") {
			t.Errorf("%s has an instruction as a number; give it a name in neon.h", path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// assemble returns the words of instructions.
func assemble(t *testing.T, assembler string, lines []string) []uint32 {
	t.Helper()
	object := filepath.Join(t.TempDir(), "neon.o")
	run := exec.Command(assembler, "-o", object, "-")
	run.Stdin = strings.NewReader(strings.Join(lines, "\n") + "\n")
	if output, err := run.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	file, err := elf.Open(object)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	code, err := file.Section(".text").Data()
	if err != nil {
		t.Fatal(err)
	}
	if len(code) != 4*len(lines) {
		t.Fatalf("%d instructions became %d bytes", len(lines), len(code))
	}
	words := make([]uint32, len(lines))
	for n := range words {
		words[n] = binary.LittleEndian.Uint32(code[4*n:])
	}
	return words
}
