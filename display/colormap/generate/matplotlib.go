package main

import (
	_ "embed"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"strings"
)

//go:embed tables.py
var script string

// askMatplotlib runs the script. The script prints a name and two tables in hexadecimal per line.
func askMatplotlib(python string) ([]table, error) {
	command := exec.Command(python, "-c", script)
	command.Stderr = os.Stderr
	output, err := command.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", python, err)
	}
	var tables []table
	for line := range strings.Lines(string(output)) {
		fields := strings.Fields(line)
		if len(fields) != 3 {
			return nil, fmt.Errorf("unexpected line of %d fields", len(fields))
		}
		t := table{name: fields[0]}
		if err := t.forward.decode(fields[1]); err != nil {
			return nil, fmt.Errorf("%s: %w", t.name, err)
		}
		if err := t.reversed.decode(fields[2]); err != nil {
			return nil, fmt.Errorf("%s reversed: %w", t.name, err)
		}
		tables = append(tables, t)
	}
	return tables, nil
}

func (c *colors) decode(digits string) error {
	samples, err := hex.DecodeString(digits)
	if err != nil {
		return err
	}
	if len(samples) != 3*len(c) {
		return fmt.Errorf("%d samples", len(samples))
	}
	for i := range c {
		c[i] = [3]uint8(samples[3*i:])
	}
	return nil
}
