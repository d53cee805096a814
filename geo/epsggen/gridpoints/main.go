// Command gridpoints writes the table of places moved by a grid for the tests of package geo: a grid
// of package gridtest, applied by PROJ. It needs PROJ's cs2cs. A developer runs it by hand.
//
//	go run ./geo/epsggen/gridpoints -out geo/testdata/gridpoints.tsv
package main

import (
	"bytes"
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"tileserver/geo/gridtest"
)

func main() {
	out := flag.String("out", "geo/testdata/gridpoints.tsv", "the table to write")
	flag.Parse()
	if err := run(*out); err != nil {
		log.Fatal(err)
	}
}

func run(out string) error {
	folder, err := os.MkdirTemp("", "gridpoints")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	grid := filepath.Join(folder, "grid.gsb")
	if err := os.WriteFile(grid, gridtest.NTv2(gridtest.Uneven()...), 0o600); err != nil {
		return err
	}
	var points strings.Builder
	for i := range 15 {
		for j := range 11 {
			fmt.Fprintf(&points, "%.6f %.6f\n", -99.9+2.0931*float64(i), 42.1+1.3717*float64(j))
		}
	}
	there, err := transform(points.String(), "+nadgrids="+grid)
	if err != nil {
		return err
	}
	back, err := transform(points.String(), "+nadgrids="+grid, "-I")
	if err != nil {
		return err
	}
	var table bytes.Buffer
	fmt.Fprintln(&table, "# Made by geo/epsggen/gridpoints with cs2cs: the places to which gridtest.Uneven moves places, and from which it does.")
	fmt.Fprintln(&table, "# longitude	latitude	longitude moved to	latitude moved to	longitude moved from	latitude moved from")
	for i, line := range strings.Split(strings.TrimSpace(points.String()), "\n") {
		fmt.Fprintln(&table, strings.Join(append(append(strings.Fields(line), there[i]...), back[i]...), "\t"))
	}
	return os.WriteFile(out, table.Bytes(), 0o644)
}

// transform returns longitude and latitude of each line.
func transform(points, nadgrids string, options ...string) ([][]string, error) {
	arguments := append(options, "-f", "%.10f", "+proj=longlat", "+ellps=clrk66", nadgrids, "+no_defs", "+to", "+proj=longlat", "+datum=WGS84", "+no_defs")
	command := exec.Command("cs2cs", arguments...)
	command.Stdin = strings.NewReader(points)
	output, err := command.Output()
	if err != nil {
		return nil, err
	}
	var results [][]string
	for line := range strings.Lines(string(output)) {
		results = append(results, strings.Fields(line)[:2])
	}
	return results, nil
}
