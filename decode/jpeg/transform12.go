package jpeg

// In 12 bits, there is one binary place less between columns and rows, and nothing overflows.
const (
	columnBits12  = 1
	columnShift12 = constantBits - columnBits12
	rowShift12    = constantBits + columnBits12 + 3
	centerOf12    = 1 << 11
	mostOf12      = 1<<12 - 1
)

// transformRow12 transforms a row of blocks to samples of 12 bits.
func transformRow12(out []uint16, stride int, blocks []block, _ []uint8, q *quantizer) {
	for i := range blocks {
		transformBlock12(out[blockSide*i:], stride, &blocks[i], q)
	}
}

func transformBlock12(out []uint16, stride int, b *block, q *quantizer) {
	var work [blockSide][blockSide]int64
	for x := range blockSide {
		var column [blockSide]int64
		for y := range column {
			place := blockPlaces[y][x]
			column[y] = int64(b[place]) * int64(q[place])
		}
		for y, v := range transformLine[int64, int64](&column, 1<<(columnShift12-1)) {
			work[y][x] = v >> columnShift12
		}
	}
	for y := range work {
		row := out[y*stride:][:blockSide]
		for x, v := range transformLine[int64, int64](&work[y], 1<<(rowShift12-1)) {
			row[x] = uint16(min(max(v>>rowShift12+centerOf12, 0), mostOf12))
		}
	}
	*b = block{}
}
