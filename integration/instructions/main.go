// Command instructions counts what a benchmark executes on arm64, with assembly and with its Go
// twins (the tag purego), in an emulator. Where no such processor is at hand, this is what can be
// measured of its loops; it says nothing of their time.
//
//	go run ./integration/instructions -bench Synthesize53/300x300 ./decode/jp2k/wavelet
//
// It counts one iteration of each benchmark, in the functions of the benchmarked package, or of the
// one after -of. What those call in other packages, such as copies of memory, is not counted.
package main

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

const (
	module   = "tileserver/"
	emulator = "qemu-aarch64-static"
)

func main() {
	bench := flag.String("bench", ".", "`REGEXP` of the benchmarks")
	of := flag.String("of", "", "`PACKAGE` whose functions are counted, without the name of the module")
	flag.Parse()
	tested := strings.TrimPrefix(flag.Arg(0), "./")
	if err := run(tested, cmp.Or(*of, tested), *bench); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// run prints the counts of the functions of a package, while benchmarks of another one run.
func run(tested, counted, bench string) error {
	folder, err := os.MkdirTemp("", "instructions")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	var both []counts
	for _, tags := range []string{"purego", ""} {
		program := filepath.Join(folder, "benchmarks"+tags)
		if err := build(program, tested, tags); err != nil {
			return err
		}
		executed, err := count(program, module+counted+".", bench)
		if err != nil {
			return err
		}
		both = append(both, executed)
	}
	report(both[0], both[1])
	return nil
}

// build builds the benchmarks of a package.
func build(program, tested, tags string) error {
	build := exec.Command("go", "test", "-c", "-tags", tags, "-o", program, "./"+tested)
	build.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS=linux", "GOARCH=arm64")
	if output, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("%w\n%s", err, output)
	}
	return nil
}

// report prints a line for each function that matters.
func report(before, after counts) {
	all, allAfter := before.sum(), after.sum()
	fmt.Printf("%12s %12s\n", "Go", "assembly")
	for _, name := range before.namesWith(after) {
		if 100*max(before[name], after[name]) >= max(all, allAfter) {
			fmt.Printf("%12d %12d  %s\n", before[name], after[name], name)
		}
	}
	fmt.Printf("%12d %12d  all: 1 to %.2f\n", all, allAfter, float64(all)/float64(max(allAfter, 1)))
}

// namesWith returns the functions of both, those with the most instructions first.
func (c counts) namesWith(other counts) (names []string) {
	for name := range c {
		names = append(names, name)
	}
	for name := range other {
		if _, known := c[name]; !known {
			names = append(names, name)
		}
	}
	slices.SortFunc(names, func(a, b string) int {
		return cmp.Or(cmp.Compare(max(c[b], other[b]), max(c[a], other[a])), cmp.Compare(a, b))
	})
	return names
}
