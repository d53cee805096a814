// Package epsg holds the embedded extract of the EPSG registry: reference systems with all their
// numbers, by code. It computes nothing and must never know a map projection.
//
// The command epsggen creates the extract from the EPSG Geodetic Parameter Dataset of the
// International Association of Oil & Gas Producers (IOGP), as distributed by PROJ. Version returns
// its version.
package epsg

import (
	"compress/gzip"
	_ "embed"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
)

//go:embed epsg.tsv.gz
var packed string

// System is a reference system with all numbers that its coordinates depend on.
type System struct {
	Code       int // of the horizontal part
	Name       string
	Deprecated bool
	Projected  bool

	Datum             int
	SemiMajorAxis     float64
	InverseFlattening float64 // 0: a sphere
	PrimeMeridian     float64 // degrees east of Greenwich
	Shift             *Shift  // for the area; nil: unknown or not needed

	Method     int // EPSG coordinate operation method
	Parameters []Parameter
	Unit       float64 // meters of a projected system, degrees of a geographic one

	Area *Area

	Axes          [2]string // abbreviations in the registry's order
	NorthingFirst bool      // the first axis is the northing or the latitude
}

// Parameter is a number of a map projection, in degrees, meters or unity.
type Parameter struct {
	Code  int
	Value float64
}

// Area is an area of use in degrees. East exceeds 180 if it crosses the antimeridian.
type Area struct{ West, South, East, North float64 }

// registry is the extract, indexed by line but not yet parsed.
type registry struct {
	version             string
	systems             map[int]string // lines G, P and X
	datums, conversions map[int]string // lines D and C
	ellipsoids, units   map[int]string // lines E and U
	meridians           map[int]string // lines M
	areas               []string       // lines A
	projected           []int
	shifts, gridShifts  map[int][]string // lines H and T, by datum
}

var load = sync.OnceValues(func() (*registry, error) {
	reader, err := gzip.NewReader(strings.NewReader(packed))
	if err != nil {
		return nil, fmt.Errorf("the embedded EPSG extract: %w", err)
	}
	text, err := io.ReadAll(reader)
	if err != nil {
		return nil, fmt.Errorf("the embedded EPSG extract: %w", err)
	}
	return index(string(text)), nil
})

func index(text string) *registry {
	r := &registry{systems: map[int]string{}, shifts: map[int][]string{}, gridShifts: map[int][]string{}}
	tables := map[string]*map[int]string{"C": &r.conversions, "D": &r.datums, "E": &r.ellipsoids, "M": &r.meridians, "U": &r.units}
	for _, table := range tables {
		*table = map[int]string{}
	}
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		kind, rest, _ := strings.Cut(line, "\t")
		first, _, _ := strings.Cut(rest, "\t")
		code, _ := strconv.Atoi(first)
		switch kind {
		case "V":
			r.version = rest
		case "C", "D", "E", "M", "U":
			(*tables[kind])[code] = rest
		case "A":
			r.areas = append(r.areas, rest)
		case "H":
			r.shifts[code] = append(r.shifts[code], rest)
		case "P":
			r.projected = append(r.projected, code)
			r.systems[code] = line
		case "G", "X":
			r.systems[code] = line
		case "T":
			datum, _ := strconv.Atoi(strings.SplitN(rest, "\t", 3)[1])
			r.gridShifts[datum] = append(r.gridShifts[datum], rest)
		}
	}
	return r
}

// Version returns the version of the EPSG dataset.
func Version() (string, error) {
	r, err := load()
	if err != nil {
		return "", err
	}
	return r.version, nil
}

// ProjectedCodes lists the projected systems, including deprecated ones, in ascending order.
func ProjectedCodes() ([]int, error) {
	r, err := load()
	if err != nil {
		return nil, err
	}
	return r.projected, nil
}

// Lookup returns a system by its code, or false if the extract lacks it. For a compound system it
// returns the horizontal part.
func Lookup(code int) (System, bool, error) {
	r, err := load()
	if err != nil {
		return System{}, false, err
	}
	return r.lookup(code)
}
