package config

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// A Size is a number of bytes in the notation of the configuration: 512MiB, 2GB, 1048576.
type Size int64

var byteUnits = []struct {
	suffix string
	bytes  int64
}{
	{"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"TiB", 1 << 40},
	{"kB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"TB", 1e12}, {"B", 1},
}

// Set parses a size. Units may be in upper or lower case.
func (s *Size) Set(text string) error {
	number, unit := text, int64(1)
	for _, u := range byteUnits {
		if at := len(text) - len(u.suffix); at >= 0 && strings.EqualFold(text[at:], u.suffix) {
			number, unit = text[:at], u.bytes
			break
		}
	}
	value, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if err != nil || !(value >= 0) || value*float64(unit) >= math.MaxInt64 {
		return fmt.Errorf("%q is not a size such as 512MiB (units: %s)", text, unitNames())
	}
	*s = Size(value * float64(unit))
	return nil
}

// unitNames lists the units of sizes.
func unitNames() string {
	var names []string
	for _, u := range byteUnits {
		names = append(names, u.suffix)
	}
	return strings.Join(names, ", ")
}

// String returns the size in the largest unit that gives a whole number.
func (s Size) String() string {
	for _, u := range []int{3, 2, 1, 0} {
		unit := byteUnits[u]
		if int64(s) >= unit.bytes && int64(s)%unit.bytes == 0 {
			return fmt.Sprintf("%d%s", int64(s)/unit.bytes, unit.suffix)
		}
	}
	return fmt.Sprintf("%dB", int64(s))
}

// UnmarshalText parses a size in a configuration file.
func (s *Size) UnmarshalText(text []byte) error { return s.Set(string(text)) }
