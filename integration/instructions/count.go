package main

import (
	"bufio"
	"bytes"
	"debug/elf"
	"debug/gosym"
	"fmt"
	"io"
	"os/exec"
	"strings"
)

// counts says how often instructions of a function were executed.
type counts map[string]int

func (c counts) sum() (sum int) {
	for _, n := range c {
		sum += n
	}
	return sum
}

// count runs one iteration of the benchmarks of a program. It counts in functions with a prefix.
func count(program, prefix, bench string) (counts, error) {
	ranges, err := addresses(program, prefix)
	if err != nil {
		return nil, err
	}
	// The emulator logs each block of instructions that it executes: here, each instruction.
	single, err := singleStep()
	if err != nil {
		return nil, err
	}
	command := exec.Command(emulator, single, "-d", "exec,nochain", "-dfilter", ranges, program,
		"-test.run", "^$", "-test.bench", bench, "-test.benchtime", "1x")
	log, err := command.StderrPipe()
	if err != nil {
		return nil, err
	}
	if err := command.Start(); err != nil {
		return nil, err
	}
	counted, err := read(log, prefix)
	if err != nil {
		return nil, err
	}
	return counted, command.Wait()
}

// addresses returns where the functions with a prefix lie, for the emulator. What only prepares or
// checks is not counted: functions of tests, and the initialization of packages.
func addresses(program, prefix string) (string, error) {
	file, err := elf.Open(program)
	if err != nil {
		return "", err
	}
	defer file.Close()
	lines, err := file.Section(".gopclntab").Data()
	if err != nil {
		return "", err
	}
	table, err := gosym.NewTable(nil, gosym.NewLineTable(lines, file.Section(".text").Addr))
	if err != nil {
		return "", err
	}
	var ranges []string
	for _, f := range table.Funcs {
		source, _, _ := table.PCToLine(f.Entry)
		if strings.HasPrefix(f.Name, prefix) && !strings.HasPrefix(f.Name, prefix+"init") && !strings.HasSuffix(source, "_test.go") {
			ranges = append(ranges, fmt.Sprintf("%#x+%#x", f.Entry, f.End-f.Entry))
		}
	}
	if ranges == nil {
		return "", fmt.Errorf("the program has no function %s*", prefix)
	}
	return strings.Join(ranges, ","), nil
}

// singleStep returns the option with which the emulator makes each instruction a block. It has
// another name since version 8.1.
func singleStep() (string, error) {
	help, err := exec.Command(emulator, "-help").Output()
	if len(help) == 0 {
		return "", err
	}
	if bytes.Contains(help, []byte("-one-insn-per-tb")) {
		return "-one-insn-per-tb", nil
	}
	return "-singlestep", nil
}

// read counts the lines of a log by the function that they end with.
func read(log io.Reader, prefix string) (counts, error) {
	counted := counts{}
	lines := bufio.NewScanner(log)
	for lines.Scan() {
		if _, symbol, found := bytes.Cut(lines.Bytes(), []byte("] "+prefix)); found {
			counted[string(bytes.TrimSuffix(symbol, []byte(".abi0")))]++
		}
	}
	return counted, lines.Err()
}
