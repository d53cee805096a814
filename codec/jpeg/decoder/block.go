package decoder

import "tileserver/codec/jpeg"

// block holds 8x8 coefficients in the order in which the inverse transform reads them. The
// transform multiplies rows in pairs, so the two rows of a pair lie side by side, column for
// column.
//
//	rows 0, 4 | rows 2, 6 | rows 7, 1 | rows 3, 5, each of columns 0 0 2 2 7 7 3 3 4 4 6 6 1 1 5 5
type block [jpeg.BlockSize]int16

// rowPairs and columnOrder define the layout of a block.
var (
	rowPairs    = [...][2]int{{0, 4}, {2, 6}, {7, 1}, {3, 5}}
	columnOrder = [...]int{0, 2, 7, 3, 4, 6, 1, 5}
)

// blockIndex maps the row and column of a coefficient to its index in a block.
var blockIndex = func() (indexes [jpeg.BlockSide][jpeg.BlockSide]uint8) {
	for i, pair := range rowPairs {
		for j, column := range columnOrder {
			for k, row := range pair {
				indexes[row][column] = uint8(2*jpeg.BlockSide*i + 2*j + k)
			}
		}
	}
	return indexes
}()

// zigzagIndex maps the zigzag order of streams to indexes in a block.
var zigzagIndex = func() (order [jpeg.BlockSize]uint8) {
	for k, position := range jpeg.Zigzag {
		order[k] = blockIndex[position/jpeg.BlockSide][position%jpeg.BlockSide]
	}
	return order
}()
