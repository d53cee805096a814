package tre

import (
	"fmt"
	"strconv"
	"strings"
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

// Chip says how an image that was cut out of another one lies in it. Rows and columns count from
// the outer corner of the first pixel.
type Chip struct {
	// Row and Column are those in the full image of the corner of the chip. RowStep and ColumnStep
	// are the size of its pixels in pixels of the full image.
	Row, Column, RowStep, ColumnStep float64
}

// Cut makes the numbers of a camera model, as RPC returns them, those of the chip. Lines and samples
// of a model count from the center of the first pixel.
func (c *Chip) Cut(model []float64) {
	const (
		lineOffset, sampleOffset = 2, 3
		lineScale, sampleScale   = 7, 8
		center                   = 0.5
	)
	if c == nil {
		return
	}
	model[lineOffset] = (model[lineOffset]+center-c.Row)/c.RowStep - center
	model[sampleOffset] = (model[sampleOffset]+center-c.Column)/c.ColumnStep - center
	model[lineScale] /= c.RowStep
	model[sampleScale] /= c.ColumnStep
}

// ParseChip parses ICHIPB. The result is nil if the extension gives no mapping, and an error if it
// gives one that is not along rows and columns.
func ParseChip(content []byte) (*Chip, error) {
	c := &cursor{left: content}
	if c.text("XFRM_FLAG", 2) != "00" {
		return nil, c.err
	}
	c.layout("SCALE_FACTOR:10 ANAMRPH_CORR:2 SCANBLK_NUM:2")
	var chip, full [4][2]float64 // upper left, upper right, lower left, lower right: row and column
	for _, corners := range []*[4][2]float64{&chip, &full} {
		for i := range corners {
			corners[i][0], corners[i][1] = c.number(12), c.number(12)
		}
	}
	if c.err != nil {
		return nil, fmt.Errorf("ICHIPB: %w", c.err)
	}
	rows, columns := chip[2][0]-chip[0][0], chip[1][1]-chip[0][1]
	if rows == 0 || columns == 0 || full[1][0] != full[0][0] || full[2][1] != full[0][1] {
		return nil, fmt.Errorf("ICHIPB: the chip is turned, or a line: %w", ErrCorrupt)
	}
	p := &Chip{RowStep: (full[2][0] - full[0][0]) / rows, ColumnStep: (full[1][1] - full[0][1]) / columns}
	p.Row, p.Column = full[0][0]-chip[0][0]*p.RowStep, full[0][1]-chip[0][1]*p.ColumnStep
	if p.RowStep <= 0 || p.ColumnStep <= 0 {
		return nil, fmt.Errorf("ICHIPB: pixels without a size: %w", ErrCorrupt)
	}
	return p, nil
}
