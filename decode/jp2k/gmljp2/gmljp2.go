// Package gmljp2 reads the GML that georeferences a JPEG 2000 file: the rectified grid of GMLJP2,
// versions 1 and 2. Package jp2k calls it. It returns numbers and names as written, and must never
// know what a reference system is.
package gmljp2

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"tileserver/decode"
)

var (
	// ErrCorrupt reports a text that is not XML, or a grid without a position.
	ErrCorrupt = decode.Corrupt("corrupt GML")
	// ErrNoGrid reports a text without a grid.
	ErrNoGrid = errors.New("no rectified grid")
	// ErrLimit reports a text that exceeds the Limits.
	ErrLimit = errors.New("GML over the limit")
)

// Limits limit the cost of parsing a text. A zero field means its default.
type Limits struct {
	Bytes    int // of the text that are read; default 1 MiB
	Elements int // number of elements; default 65,536
	Depth    int // of nested elements; default 64
}

func (l Limits) withDefaults() Limits {
	orDefault(&l.Bytes, 1<<20)
	orDefault(&l.Elements, 1<<16)
	orDefault(&l.Depth, 64)
	return l
}

func orDefault(field *int, value int) {
	if *field <= 0 {
		*field = value
	}
}

// Grid is a two-dimensional rectified grid. Coordinates are in the order of the text.
type Grid struct {
	Low, High [2]int   // first and last column and row; zero if missing
	Axes      []string // names of the axes, of the grid or of the reference system

	Origin  [2]float64    // of the center of the first pixel
	Offsets [2][2]float64 // from a pixel to the next column, and to the next row
	CRSName string        // a URN, a URL or another name; empty if missing

	// RowsFirst is set if the first offset is by rows. A comment that GDAL knows says so; GML has
	// no element for it.
	RowsFirst bool
}

// EastingFirst reports whether the axis names say that the first axis is easting or longitude,
// regardless of the reference system.
func (g *Grid) EastingFirst() bool {
	return len(g.Axes) >= 2 && hasPrefixFold(g.Axes[0], "east", "lon") && hasPrefixFold(g.Axes[1], "north", "lat")
}

func hasPrefixFold(text string, prefixes ...string) bool {
	for _, p := range prefixes {
		if len(text) >= len(p) && strings.EqualFold(text[:len(p)], p) {
			return true
		}
	}
	return false
}

// WorldFile returns the grid as the six numbers of a world file: x and y by column, x and y by row,
// x and y of the center of the first pixel. northingFirst is the order of the coordinates.
func (g *Grid) WorldFile(northingFirst bool) [6]float64 {
	x, y, columns, rows := 0, 1, 0, 1
	if northingFirst {
		x, y = 1, 0
		if g.RowsFirst {
			columns, rows = 1, 0
		}
	}
	return [6]float64{
		g.Offsets[columns][x], g.Offsets[columns][y], g.Offsets[rows][x], g.Offsets[rows][y], g.Origin[x], g.Origin[y],
	}
}

// rowsFirstComment is written by GDAL for files of other software.
const rowsFirstComment = "GDAL_JP2K_ALT_OFFSETVECTOR_ORDER=TRUE"

// Parse parses the first rectified grid in a text, the root instance of GMLJP2.
func Parse(text []byte, limits Limits) (*Grid, error) {
	p := gridParser{grid: &Grid{RowsFirst: bytes.Contains(text, []byte(rowsFirstComment))}}
	if err := newReader(text, limits.withDefaults()).read(p.begin, p.end); err != nil {
		return nil, err
	}
	if !p.entered {
		return nil, ErrNoGrid
	}
	return p.result()
}

// gridParser collects the content of elements.
type gridParser struct {
	grid          *Grid
	entered, left bool // the grid was entered and left

	origin                        []float64
	offsets                       [][]float64
	originCRS, aroundCRS, gridCRS string
}

// begin handles the start of an element.
func (p *gridParser) begin(e element) {
	switch {
	case !p.entered && e.within("boundedBy") && e.name() == "Envelope":
		p.aroundCRS = firstOf(p.aroundCRS, e.attribute("srsName"))
	case !p.entered && e.name() == "RectifiedGrid":
		p.entered = true
		p.gridCRS = e.attribute("srsName")
	case !p.inGrid(e):
	case e.name() == "Point" && e.within("origin"):
		p.originCRS = firstOf(p.originCRS, e.attribute("srsName"))
	case e.name() == "pos" && e.within("Point"):
		p.originCRS = firstOf(p.originCRS, e.attribute("srsName"))
	}
}

// inGrid reports whether an element is inside the first grid.
func (p *gridParser) inGrid(e element) bool {
	return p.entered && !p.left && e.name() != "RectifiedGrid"
}

// end handles the end of an element with its text. It returns false when there is nothing more to
// find.
func (p *gridParser) end(e element, text string) (more bool) {
	if !p.inGrid(e) {
		p.left = p.left || p.entered && e.name() == "RectifiedGrid"
		return !p.left
	}
	fields := strings.FieldsFunc(text, isSeparator)
	switch e.name() {
	case "low":
		p.grid.Low = integers(fields)
	case "high":
		p.grid.High = integers(fields)
	case "axisName":
		p.grid.Axes = append(p.grid.Axes, strings.TrimSpace(text))
	case "axisLabels":
		p.grid.Axes = append(p.grid.Axes, fields...)
	case "pos", "coordinates":
		if e.within("Point") && p.origin == nil {
			p.origin = numbers(fields)
		}
	case "offsetVector":
		p.offsets = append(p.offsets, numbers(fields))
	}
	return true
}

// result returns the grid, or an error if a required part is missing.
func (p *gridParser) result() (*Grid, error) {
	g := p.grid
	g.CRSName = firstOf(p.originCRS, p.aroundCRS, p.gridCRS)
	if len(p.origin) < 2 {
		return nil, fmt.Errorf("%w: the origin of the grid lacks two numbers", ErrCorrupt)
	}
	if len(p.offsets) < 2 || len(p.offsets[0]) < 2 || len(p.offsets[1]) < 2 {
		return nil, fmt.Errorf("%w: the grid lacks two offsets of two numbers", ErrCorrupt)
	}
	g.Origin, g.Offsets = [2]float64(p.origin), [2][2]float64{[2]float64(p.offsets[0]), [2]float64(p.offsets[1])}
	return g, nil
}

func firstOf(texts ...string) string {
	for _, text := range texts {
		if text = strings.TrimSpace(text); text != "" {
			return text
		}
	}
	return ""
}

func isSeparator(r rune) bool { return strings.ContainsRune(" ,\t\r\n", r) }

// numbers returns at most three finite numbers, or nil if a field is not a finite number.
func numbers(fields []string) []float64 {
	var values []float64
	for _, field := range fields[:min(len(fields), 3)] {
		v, err := strconv.ParseFloat(field, 64)
		if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
			return nil
		}
		values = append(values, v)
	}
	return values
}

// integers returns two integers, or zeros if they are missing or invalid.
func integers(fields []string) (values [2]int) {
	for i := range values {
		if i >= len(fields) {
			return [2]int{}
		}
		v, err := strconv.Atoi(fields[i])
		if err != nil {
			return [2]int{}
		}
		values[i] = v
	}
	return values
}
