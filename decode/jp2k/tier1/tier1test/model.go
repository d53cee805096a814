package tier1test

import "tileserver/decode/jp2k/wavelet"

// symbols codes symbols. An encoder writes the symbol that it is given and returns it. A decoder
// ignores it and returns the symbol that it reads.
type symbols interface {
	arithmetic(context, symbol int) int
	raw(symbol int) int
}

// model is the state of a block between passes, as the standard describes it, with one cell for
// each coefficient.
type model struct {
	width, height int
	orientation   wavelet.Orientation
	causal        bool
	cells         []cell
	symbols       symbols
}

// cell is small, since each pass goes through the cells of a whole block.
type cell struct {
	magnitude                               int64
	negative, significant, visited, refined bool
	lowest                                  uint8 // the lowest bit-plane that was coded for the coefficient

	// The numbers of significant neighbors. They are kept here because passes ask for them far more often than they change.
	horizontal, vertical, diagonal uint8
}

// quiet reports whether nothing around the cell is significant.
func (c *cell) quiet() bool { return c.horizontal+c.vertical+c.diagonal == 0 }

const (
	firstSignContext      = 9
	firstMagnitudeContext = 14
	runContext            = 17
	uniformContext        = 18
	contexts              = 19

	stripeRows = 4
)

// neighbor returns the neighboring cell, or nil if it is outside the block, unknown or not
// significant.
func (m *model) neighbor(x, y, dx, dy int) *cell {
	if m.causal && dy > 0 && y%stripeRows == stripeRows-1 {
		return nil
	}
	x, y = x+dx, y+dy
	if x < 0 || y < 0 || x >= m.width || y >= m.height {
		return nil
	}
	if c := &m.cells[y*m.width+x]; c.significant {
		return c
	}
	return nil
}

// becomeSignificant marks a cell as significant, and counts it for its neighbors. In a vertically causal block, the stripe
// above does not know of it.
func (m *model) becomeSignificant(x, y int) {
	m.cells[y*m.width+x].significant = true
	top, bottom := max(y-1, 0), min(y+1, m.height-1)
	if m.causal && y%stripeRows == 0 {
		top = y
	}
	for ny := top; ny <= bottom; ny++ {
		for nx := max(x-1, 0); nx <= min(x+1, m.width-1); nx++ {
			switch c := &m.cells[ny*m.width+nx]; {
			case nx != x && ny != y:
				c.diagonal++
			case nx != x:
				c.horizontal++
			case ny != y:
				c.vertical++
			}
		}
	}
}

// zeroContext returns the context of table D.1 of the standard.
func (m *model) zeroContext(c *cell) int {
	h, v, d := int(c.horizontal), int(c.vertical), int(c.diagonal)
	rows := straightRows
	switch m.orientation {
	case wavelet.HL:
		h, v = v, h
	case wavelet.HH:
		rows, h, v = diagonalRows, d, h+v
	}
	for _, r := range rows {
		if h >= r.h && v >= r.v && d >= r.d {
			return r.context
		}
	}
	return 0
}

// A zeroRow has the minimum counts for a context. Rows with larger counts stand before it.
type zeroRow struct{ context, h, v, d int }

var (
	straightRows = []zeroRow{{8, 2, 0, 0}, {7, 1, 1, 0}, {6, 1, 0, 1}, {5, 1, 0, 0}, {4, 0, 2, 0}, {3, 0, 1, 0}, {2, 0, 0, 2}, {1, 0, 0, 1}}

	// diagonalRows have the diagonal neighbors as h, and the horizontal and vertical ones as v.
	diagonalRows = []zeroRow{{8, 3, 0, 0}, {7, 2, 1, 0}, {6, 2, 0, 0}, {5, 1, 2, 0}, {4, 1, 1, 0}, {3, 1, 0, 0}, {2, 0, 2, 0}, {1, 0, 1, 0}}
)

// signContext returns the context of tables D.2 and D.3, and the symbol of a positive coefficient.
func (m *model) signContext(x, y int) (context, positive int) {
	contribution := func(dx, dy int) int {
		switch c := m.neighbor(x, y, dx, dy); {
		case c == nil:
			return 0
		case c.negative:
			return -1
		}
		return 1
	}
	h := max(-1, min(1, contribution(-1, 0)+contribution(1, 0)))
	v := max(-1, min(1, contribution(0, -1)+contribution(0, 1)))
	row := [3][3][2]int{
		{{13, 1}, {12, 1}, {11, 1}},
		{{10, 1}, {9, 0}, {10, 0}},
		{{11, 0}, {12, 0}, {13, 0}},
	}[h+1][v+1]
	return row[0], row[1]
}

// magnitudeContext returns the context of table D.4.
func magnitudeContext(c *cell) int {
	switch {
	case c.refined:
		return firstMagnitudeContext + 2
	case c.quiet():
		return firstMagnitudeContext
	}
	return firstMagnitudeContext + 1
}

// scan visits all cells in coding order: by stripe, then by column, then by row.
func (m *model) scan(visit func(x, y int, c *cell)) {
	for top := 0; top < m.height; top += stripeRows {
		bottom := min(top+stripeRows, m.height)
		for x := range m.width {
			for y := top; y < bottom; y++ {
				visit(x, y, &m.cells[y*m.width+x])
			}
		}
	}
}
