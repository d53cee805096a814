package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// readFolder reads the CPT files of a folder. A reversed map has the same colors in reverse order.
func readFolder(folder string) ([]table, error) {
	paths, err := filepath.Glob(filepath.Join(folder, "*.cpt"))
	if err != nil {
		return nil, err
	}
	if len(paths) == 0 {
		return nil, fmt.Errorf("no CPT files in %s", folder)
	}
	var tables []table
	for _, path := range paths {
		t := table{name: strings.TrimSuffix(filepath.Base(path), ".cpt")}
		if t.forward, err = readCPT(path); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		t.reversed = t.forward
		slices.Reverse(t.reversed[:])
		tables = append(tables, t)
	}
	return tables, nil
}

// readCPT reads 256 lines of the form "from color to color" in which both colors are equal.
func readCPT(path string) (colors, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return colors{}, err
	}
	var found colors
	n := 0
	for line := range strings.Lines(string(text)) {
		fields := strings.Fields(line)
		if len(fields) != 4 || fields[1] != fields[3] {
			continue // a comment, or a color for values out of range
		}
		if n == len(found) {
			return colors{}, fmt.Errorf("more than %d colors", n)
		}
		if found[n], err = parseColor(fields[1]); err != nil {
			return colors{}, err
		}
		n++
	}
	if n != len(found) {
		return colors{}, fmt.Errorf("%d colors", n)
	}
	return found, nil
}

// parseColor parses red/green/blue.
func parseColor(text string) (color [3]uint8, err error) {
	parts := strings.Split(text, "/")
	if len(parts) != len(color) {
		return color, fmt.Errorf("invalid color %q", text)
	}
	for i, part := range parts {
		sample, err := strconv.ParseUint(part, 10, 8)
		if err != nil {
			return color, fmt.Errorf("invalid color %q: %w", text, err)
		}
		color[i] = uint8(sample)
	}
	return color, nil
}
