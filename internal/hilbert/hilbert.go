// Package hilbert numbers the cells of a square along a Hilbert curve. Archives number their tiles with
// it, exports and streams of blocks order theirs. It must never know what a cell is.
//
// The curve of an order visits a square of 2^order columns and rows. Its orientation is that of PMTiles:
// columns count from the left and rows from the top, the first cell is the top left one, and the last is
// the top right one. At order 1 the curve goes down the left side and up the right one:
//
//	0 3
//	1 2
//
// The cells within a cell of a coarser order have numbers in a row: the four parts of the cell n are 4n
// to 4n+3 at the next order.
package hilbert

// MaxOrder is the largest order. Its columns and rows fit into 32 bits with a sign.
const MaxOrder = 31

// Number returns the number of the cell at a column and row.
func Number(order, x, y int) (number uint64) {
	var s Square
	for level := order - 1; level >= 0; level-- {
		right, low := s.turn(x>>level&1, y>>level&1)
		place := 3*right ^ low
		number = number<<2 | uint64(place)
		s = s.Quarter(place)
	}
	return number
}

// Cell returns the column and row of the cell with a number.
func Cell(order int, number uint64) (x, y int) {
	var s Square
	for level := order - 1; level >= 0; level-- {
		s = s.Quarter(int(number >> (2 * level) & 3))
	}
	return s.X, s.Y
}

// A Square is a cell of an order, and how the curves of finer orders run in it. The zero value is the one
// cell of order 0. A walk over its quarters, and over theirs, follows the curve.
type Square struct {
	X, Y       int
	swap, flip int // 1 if columns and rows change places, and if both count from the other end
}

// Quarter returns the quarter of a square that the curve visits at a place, 0 to 3. It is a cell of the
// next order.
func (s Square) Quarter(place int) Square {
	late, odd := place>>1, place&1
	right, low := s.turn(late, late^odd)
	return Square{
		X:    s.X<<1 | right,
		Y:    s.Y<<1 | low,
		swap: s.swap ^ late ^ odd ^ 1, // in the first and the last
		flip: s.flip ^ late&odd,       // in the last
	}
}

// turn turns a quarter, which is right or left and low or high, as the curve in the square is turned.
// Turning twice gives the quarter again.
func (s Square) turn(right, low int) (int, int) {
	if s.swap == 1 {
		right, low = low, right
	}
	return right ^ s.flip, low ^ s.flip
}
