package walk

// A Box is a rectangle of columns from X0 to before X1, and of rows from Y0 to before Y1.
type Box struct{ X0, Y0, X1, Y1 int }

func (b Box) width() int  { return b.X1 - b.X0 }
func (b Box) height() int { return b.Y1 - b.Y0 }
func (b Box) tiles() int  { return b.width() * b.height() }

func (b Box) isEmpty() bool { return b.X1 <= b.X0 || b.Y1 <= b.Y0 }

func (b Box) contains(x, y int) bool { return x >= b.X0 && x < b.X1 && y >= b.Y0 && y < b.Y1 }

// union returns the smallest box around two that are not empty.
func (b Box) union(o Box) Box {
	return Box{min(b.X0, o.X0), min(b.Y0, o.Y0), max(b.X1, o.X1), max(b.Y1, o.Y1)}
}

// intersect returns what two boxes share. It may be empty.
func (b Box) intersect(o Box) Box {
	return Box{max(b.X0, o.X0), max(b.Y0, o.Y0), min(b.X1, o.X1), min(b.Y1, o.Y1)}
}

func (b Box) shifted(dx, dy int) Box { return Box{b.X0 + dx, b.Y0 + dy, b.X1 + dx, b.Y1 + dy} }

// touches reports whether a box that is not empty overlaps another, or lies beside it or at its corner.
func (b Box) touches(o Box) bool {
	return !b.isEmpty() && o.X0 <= b.X1 && o.X1 >= b.X0 && o.Y0 <= b.Y1 && o.Y1 >= b.Y0
}

// middle returns the tile in the middle, or the one that contains it in a grid of fewer tiles.
func (b Box) middle(tilesPerSide int) (x, y int) {
	return (b.X0 + b.X1) / 2 / tilesPerSide, (b.Y0 + b.Y1) / 2 / tilesPerSide
}

// magnified returns a box of the same size around the middle, in a grid of twice as many columns and rows.
func (b Box) magnified() Box {
	x, y := b.X0+b.X1-b.width()/2, b.Y0+b.Y1-b.height()/2
	return Box{x, y, x + b.width(), y + b.height()}
}

// each calls do for each column and row.
func (b Box) each(do func(x, y int)) {
	for y := b.Y0; y < b.Y1; y++ {
		for x := b.X0; x < b.X1; x++ {
			do(x, y)
		}
	}
}

// without returns the columns and rows that another box does not have.
func (b Box) without(o Box) (rest [][2]int) {
	b.each(func(x, y int) {
		if !o.contains(x, y) {
			rest = append(rest, [2]int{x, y})
		}
	})
	return rest
}
