package jpeg

const blockSize = blockSide * blockSide

// block is 8x8 coefficients, in the order in which the inverse transform takes them: two rows that it multiplies
// together lie side by side, column for column.
//
//	rows 0, 4 | rows 2, 6 | rows 7, 1 | rows 3, 5, each of columns 0 0 2 2 7 7 3 3 4 4 6 6 1 1 5 5
type block [blockSize]int16

// rowPairs and columnOrder are that order.
var (
	rowPairs    = [...][2]int{{0, 4}, {2, 6}, {7, 1}, {3, 5}}
	columnOrder = [...]int{0, 2, 7, 3, 4, 6, 1, 5}
)

// blockPlaces is where the coefficient of a row and a column lies in a block.
var blockPlaces = func() (places [blockSide][blockSide]uint8) {
	for i, pair := range rowPairs {
		for j, column := range columnOrder {
			for k, row := range pair {
				places[row][column] = uint8(2*blockSide*i + 2*j + k)
			}
		}
	}
	return places
}()

// blockOrder is where the coefficients lie in the zigzag order of streams: along the diagonals, up and down by turns.
var blockOrder = func() (order [blockSize]uint8) {
	k := 0
	for diagonal := range 2*blockSide - 1 {
		for i := range diagonal + 1 {
			row, column := diagonal-i, i
			if diagonal%2 == 1 {
				row, column = column, row
			}
			if row < blockSide && column < blockSide {
				order[k] = blockPlaces[row][column]
				k++
			}
		}
	}
	return order
}()
