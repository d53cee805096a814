package main

import (
	"bufio"
	"bytes"
	"debug/elf"
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
	first, end, err := addresses(program, prefix)
	if err != nil {
		return nil, err
	}
	// The emulator logs each block of instructions that it executes: here, each instruction.
	single, err := singleStep()
	if err != nil {
		return nil, err
	}
	command := exec.Command(emulator, single, "-d", "exec,nochain", "-dfilter", fmt.Sprintf("%#x+%#x", first, end-first),
		program, "-test.run", "^$", "-test.bench", bench, "-test.benchtime", "1x")
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

// addresses returns where the functions with a prefix lie.
func addresses(program, prefix string) (first, end uint64, err error) {
	file, err := elf.Open(program)
	if err != nil {
		return 0, 0, err
	}
	defer file.Close()
	symbols, err := file.Symbols()
	if err != nil {
		return 0, 0, err
	}
	first = ^uint64(0)
	for _, s := range symbols {
		if strings.HasPrefix(s.Name, prefix) && elf.ST_TYPE(s.Info) == elf.STT_FUNC {
			first, end = min(first, s.Value), max(end, s.Value+s.Size)
		}
	}
	if end == 0 {
		return 0, 0, fmt.Errorf("the program has no function %s*", prefix)
	}
	return first, end, nil
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

// read counts the lines of a log by the function that they end with. What only prepares or checks
// is not counted: benchmarks, tests and the initialization of packages.
func read(log io.Reader, prefix string) (counts, error) {
	counted := counts{}
	lines := bufio.NewScanner(log)
	for lines.Scan() {
		_, symbol, found := bytes.Cut(lines.Bytes(), []byte("] "))
		if !found || !bytes.HasPrefix(symbol, []byte(prefix)) {
			continue
		}
		counted[string(bytes.TrimSuffix(symbol[len(prefix):], []byte(".abi0")))]++
	}
	for name := range counted {
		if strings.HasPrefix(name, "init") || strings.Contains(name, "Benchmark") || strings.Contains(name, "benchmark") {
			delete(counted, name)
		}
	}
	return counted, lines.Err()
}
