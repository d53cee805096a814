package tier1test

import "tileserver/decode/jp2k/tier1"

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
	orientation   tier1.Orientation
	causal        bool
	cells         []cell
	symbols       symbols
}

type cell struct {
	magnitude                               int64
	negative, significant, visited, refined bool
	lowest                                  int // the lowest bit-plane that was coded for the coefficient
}

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

// count returns how many of the given neighbors are significant.
func (m *model) count(x, y int, steps ...[2]int) (n int) {
	for _, s := range steps {
		if m.neighbor(x, y, s[0], s[1]) != nil {
			n++
		}
	}
	return n
}

// around counts the significant neighbors: horizontal, vertical and diagonal.
func (m *model) around(x, y int) (h, v, d int) {
	return m.count(x, y, [2]int{-1, 0}, [2]int{1, 0}), m.count(x, y, [2]int{0, -1}, [2]int{0, 1}),
		m.count(x, y, [2]int{-1, -1}, [2]int{1, -1}, [2]int{-1, 1}, [2]int{1, 1})
}

// zeroContext returns the context of table D.1 of the standard.
func (m *model) zeroContext(x, y int) int {
	h, v, d := m.around(x, y)
	rows := straightRows
	switch m.orientation {
	case tier1.HL:
		h, v = v, h
	case tier1.HH:
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
func (m *model) magnitudeContext(x, y int) int {
	if m.cells[y*m.width+x].refined {
		return firstMagnitudeContext + 2
	}
	if h, v, d := m.around(x, y); h+v+d > 0 {
		return firstMagnitudeContext + 1
	}
	return firstMagnitudeContext
}

// scan visits all cells in coding order: by stripe, then by column, then by row.
func (m *model) scan(visit func(x, y int, c *cell)) {
	for top := 0; top < m.height; top += stripeRows {
		for x := range m.width {
			for y := top; y < min(top+stripeRows, m.height); y++ {
				visit(x, y, &m.cells[y*m.width+x])
			}
		}
	}
}
