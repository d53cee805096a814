// Package gmljp2 reads the GML in which a JPEG 2000 file says where its image lies: the rectified grid of GMLJP2, versions
// 1 and 2. It gives the numbers and names that are written there, and must never know what a reference system is.
package gmljp2

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

var (
	// ErrCorrupt is what a text gets that is not XML, or whose grid has no place.
	ErrCorrupt = errors.New("corrupt GML")
	// ErrNoGrid is what a text gets that is about something else.
	ErrNoGrid = errors.New("no rectified grid")
	// ErrLimit is what a text gets that asks for more than Limits allow.
	ErrLimit = errors.New("GML over the limit")
)

// Limits bound what a text may make us do. A zero field stands for its default.
type Limits struct {
	Bytes    int // of the text that are looked at: 1 MiB
	Elements int // in it: 65,536
	Depth    int // of elements within elements: 64
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

// Grid is a rectified grid of two dimensions. Coordinates are in the order in which they are written.
type Grid struct {
	Low, High [2]int   // the first and the last column and row; zero where that is not said
	Axes      []string // the names of the axes, those of the grid or of the reference system

	Origin  [2]float64    // of the centre of the first pixel
	Offsets [2][2]float64 // from a pixel to the next by columns, and by rows
	CRSName string        // a URN, an address or another name; empty where there is none

	// RowsFirst says that the first of the offsets is by rows. There is no element for it, but a comment that GDAL knows.
	RowsFirst bool
}

// EastingFirst tells whether the axes say themselves that the first one is the easting or the longitude, whatever the
// definition of the reference system says.
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

// WorldFile is the grid as the six numbers of a world file, in their order: x and y by column, x and y by row, x and y of
// the centre of the first pixel. northingFirst says in which order the coordinates are written.
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

// rowsFirstComment is what GDAL writes, and reads, of files by other software.
const rowsFirstComment = "GDAL_JP2K_ALT_OFFSETVECTOR_ORDER=TRUE"

// Parse finds the first rectified grid in a text, which is the root instance of GMLJP2.
func Parse(text []byte, limits Limits) (*Grid, error) {
	p := gridParser{grid: &Grid{RowsFirst: bytes.Contains(text, []byte(rowsFirstComment))}}
	if err := newReader(text, limits.withDefaults()).walk(p.begin, p.end); err != nil {
		return nil, err
	}
	if !p.entered {
		return nil, ErrNoGrid
	}
	return p.result()
}

// gridParser takes from elements what is wanted of them.
type gridParser struct {
	grid          *Grid
	entered, left bool // the grid

	origin                        []float64
	offsets                       [][]float64
	originCRS, aroundCRS, gridCRS string
}

// begin looks at an element as it begins. done says that there is no more to look for.
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

// inGrid tells whether an element is in the first grid, and not that itself.
func (p *gridParser) inGrid(e element) bool {
	return p.entered && !p.left && e.name() != "RectifiedGrid"
}

// end looks at an element that has ended, and at its text. It is false once there is no more to look for.
func (p *gridParser) end(e element, text string) (goOn bool) {
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

// result is the grid, if all is there that makes one.
func (p *gridParser) result() (*Grid, error) {
	g := p.grid
	g.CRSName = firstOf(p.originCRS, p.aroundCRS, p.gridCRS)
	if len(p.origin) < 2 {
		return nil, fmt.Errorf("%w: the grid has no origin of two numbers", ErrCorrupt)
	}
	if len(p.offsets) < 2 || len(p.offsets[0]) < 2 || len(p.offsets[1]) < 2 {
		return nil, fmt.Errorf("%w: the grid has no two offsets of two numbers", ErrCorrupt)
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

// numbers are finite ones, or nil where a text is none.
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

// integers are the two that there are, or zeros.
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
