package tre

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"tileserver/decode"
	"tileserver/geo"
)

// rpcTerms is the number of coefficients of a polynomial.
const rpcTerms = 20

// oldOrder has, for each term of RPC00B, its place in RPC00A.
var oldOrder = [rpcTerms]int{0, 1, 2, 3, 4, 5, 6, 10, 7, 8, 9, 11, 14, 17, 12, 15, 18, 13, 16, 19}

// RPC returns the numbers of a camera model in the order of the TIFF tag for them, which is that of
// RPC00B: errors, offsets, scales, and the coefficients of four polynomials.
func RPC(tag string, content []byte) ([]float64, error) {
	c := &cursor{left: content}
	if c.text("SUCCESS", 1) == "0" {
		return nil, fmt.Errorf("%s: its writer says that it is no good: %w", tag, ErrCorrupt)
	}
	var numbers []float64
	for _, width := range []int{7, 7, 6, 5, 8, 9, 5, 6, 5, 8, 9, 5} {
		numbers = append(numbers, c.number(width))
	}
	for range 4 {
		var polynomial [rpcTerms]float64
		for i := range polynomial {
			polynomial[i] = c.number(12)
		}
		if tag != "RPC00A" {
			numbers = append(numbers, polynomial[:]...)
			continue
		}
		for _, at := range oldOrder {
			numbers = append(numbers, polynomial[at])
		}
	}
	if c.err != nil {
		return nil, fmt.Errorf("%s: %w", tag, c.err)
	}
	return numbers, nil
}

// number reads a number.
func (c *cursor) number(width int) float64 {
	text := strings.TrimSpace(string(c.bytes("a number", width)))
	v, err := strconv.ParseFloat(text, 64)
	if c.err == nil && (err != nil || v-v != 0) {
		c.err = fmt.Errorf("%.20q: %w", text, ErrCorrupt)
	}
	return v
}

// ParseChip parses ICHIPB: how an image that was cut out of another one lies in that. The mapping is
// from columns and rows of the image to those of the full image. An extension that gives none is an
// error: the camera model of the full image would place the part wrongly.
func ParseChip(content []byte) (*geo.Affine, error) {
	c := &cursor{left: content}
	if flag := c.text("XFRM_FLAG", 2); c.err == nil && flag != "00" {
		return nil, fmt.Errorf("ICHIPB: where the image lies in the full one is not told: %w", decode.ErrUnsupported)
	}
	c.layout("SCALE_FACTOR:10 ANAMRPH_CORR:2 SCANBLK_NUM:2")
	var chip, full [4]geo.Point // upper left, upper right, lower left, lower right
	for _, corners := range []*[4]geo.Point{&chip, &full} {
		for i := range corners {
			corners[i].Y, corners[i].X = c.number(12), c.number(12) // the row comes first
		}
	}
	if c.err != nil {
		return nil, fmt.Errorf("ICHIPB: %w", c.err)
	}
	columns, rows := chip[1].X-chip[0].X, chip[2].Y-chip[0].Y
	if columns == 0 || rows == 0 || chip[1].Y != chip[0].Y || chip[2].X != chip[0].X {
		return nil, fmt.Errorf("ICHIPB: its corners are not those of an image: %w", ErrCorrupt)
	}
	a := geo.Affine{
		A: (full[1].X - full[0].X) / columns, B: (full[2].X - full[0].X) / rows,
		D: (full[1].Y - full[0].Y) / columns, E: (full[2].Y - full[0].Y) / rows,
	}
	first := a.Apply(chip[0])
	a.C, a.F = full[0].X-first.X, full[0].Y-first.Y
	if _, ok := a.Invert(); !ok {
		return nil, fmt.Errorf("ICHIPB: pixels without a size: %w", ErrCorrupt)
	}
	const tolerance = 1 // pixels
	if last := a.Apply(chip[3]); !(math.Hypot(last.X-full[3].X, last.Y-full[3].Y) <= tolerance) {
		return nil, fmt.Errorf("ICHIPB: the corners in the full image are no parallelogram: %w", ErrCorrupt)
	}
	return &a, nil
}
