package stream

import "iter"

// Position is the column and row of a view in the grid of views.
type Position struct{ Column, Row int }

func (p Position) plus(o Position) Position  { return Position{p.Column + o.Column, p.Row + o.Row} }
func (p Position) times(factor int) Position { return Position{p.Column * factor, p.Row * factor} }
func (p Position) isIn(columns, rows int) bool {
	return p.Column >= 0 && p.Row >= 0 && p.Column < columns && p.Row < rows
}

// Order lists the views of a grid that a stream has, each once, in the order in which they are read. It
// need not list all.
type Order func(columns, rows int) iter.Seq[Position]

// Rows goes from left to right in each row. Halos and blocks that are higher than views are read once if
// there is memory for a row of blocks.
func Rows(columns, rows int) iter.Seq[Position] {
	return func(yield func(Position) bool) {
		for row := range rows {
			for column := range columns {
				if !yield(Position{column, row}) {
					return
				}
			}
		}
	}
}

// Columns goes from top to bottom in each column.
func Columns(columns, rows int) iter.Seq[Position] {
	return func(yield func(Position) bool) {
		for p := range Rows(rows, columns) {
			if !yield(Position{p.Row, p.Column}) {
				return
			}
		}
	}
}

// Snake goes from left to right in one row and back in the next, so that neighbors follow each other.
func Snake(columns, rows int) iter.Seq[Position] {
	return func(yield func(Position) bool) {
		for p := range Rows(columns, rows) {
			if p.Row%2 == 1 {
				p.Column = columns - 1 - p.Column
			}
			if !yield(p) {
				return
			}
		}
	}
}

// Hilbert follows the Hilbert curve of the smallest square around the grid, whose sides are a power of
// two. It finishes one quarter of the square before it begins the next, at every scale.
func Hilbert(columns, rows int) iter.Seq[Position] {
	side := 1
	for side < max(columns, rows) {
		side *= 2
	}
	return func(yield func(Position) bool) {
		c := curve{columns, rows, yield}
		c.walk(side, Position{}, Position{Column: 1}, Position{Row: 1})
	}
}

// curve is a Hilbert curve over a grid.
type curve struct {
	columns, rows int
	yield         func(Position) bool
}

// walk visits a square from one corner to the next in the direction of ahead; the rest of the square
// lies aside. It skips squares beside the grid, and reports whether to go on.
func (c *curve) walk(side int, from, ahead, aside Position) bool {
	opposite := from.plus(ahead.plus(aside).times(side - 1))
	corner := Position{min(from.Column, opposite.Column), min(from.Row, opposite.Row)}
	switch {
	case !corner.isIn(c.columns, c.rows):
		return true
	case side == 1:
		return c.yield(from)
	}
	half := side / 2
	toSide := from.plus(aside.times(half))
	last := from.plus(ahead.times(side - 1)).plus(aside.times(half - 1))
	return c.walk(half, from, aside, ahead) &&
		c.walk(half, toSide, ahead, aside) &&
		c.walk(half, toSide.plus(ahead.times(half)), ahead, aside) &&
		c.walk(half, last, aside.times(-1), ahead.times(-1))
}
