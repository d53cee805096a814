package export

// The tiles of a level are ordered along a Hilbert curve, as in PMTiles: the curve of order n visits a
// square of 2ⁿ by 2ⁿ tiles, and what it visits in a square of a coarser order is a piece without gaps.
// So neighbors in the order are neighbors on the map, which mostly read the same blocks of a file.

// maxOrder is the highest order whose positions fit into 64 bits.
const maxOrder = 31

// positionAt returns where the curve of an order visits a column and row.
func positionAt(order, x, y int) (position uint64) {
	for s := 1 << order >> 1; s > 0; s >>= 1 {
		right, below := x&s != 0, y&s != 0
		position = position<<2 | quadrant(right, below)
		x, y = turned(s, x&(s-1), y&(s-1), right, below)
	}
	return position
}

// placeAt returns the column and row that the curve of an order visits at a position.
func placeAt(order int, position uint64) (x, y int) {
	for level := range order {
		s := 1 << level
		part := position >> (2 * level) & 3
		right, below := part >= 2, part == 1 || part == 2
		x, y = turned(s, x, y, right, below)
		if right {
			x += s
		}
		if below {
			y += s
		}
	}
	return x, y
}

// quadrant returns the position of a quarter of a square: down the left side, and up the right one.
func quadrant(right, below bool) uint64 {
	switch {
	case !right && !below:
		return 0
	case !right:
		return 1
	case below:
		return 2
	}
	return 3
}

// turned returns a place in a quarter of side s as the curve inside it is turned. Turning twice gives
// the place again.
func turned(s, x, y int, right, below bool) (int, int) {
	switch {
	case below:
		return x, y
	case right:
		return s - 1 - y, s - 1 - x
	}
	return y, x
}
