package stream

import (
	"iter"
	"math/bits"

	"tileserver/internal/hilbert"
)

// Position is the column and row of a view in the grid of views.
type Position struct{ Column, Row int }

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
	order := bits.Len(uint(max(columns, rows, 1) - 1))
	return func(yield func(Position) bool) {
		c := curve{columns, rows, yield}
		c.walk(hilbert.Square{}, order)
	}
}

// curve is a Hilbert curve over a grid.
type curve struct {
	columns, rows int
	yield         func(Position) bool
}

// walk visits the views in a square, which are so many orders finer. It skips squares beside the grid, and
// reports whether to go on.
func (c *curve) walk(s hilbert.Square, finer int) (goesOn bool) {
	corner := Position{s.X << finer, s.Y << finer}
	switch {
	case !corner.isIn(c.columns, c.rows):
		return true
	case finer == 0:
		return c.yield(corner)
	}
	for place := range 4 {
		if !c.walk(s.Quarter(place), finer-1) {
			return false
		}
	}
	return true
}
