package blocks

import "tileserver/raster"

// Columns is a range of a block's columns, beginning at Column, and the buffer that receives it.
type Columns struct {
	Column int
	Target *raster.Buffer
}

// HasColumns reports whether a Job may ask for a range of columns of a block. For a block of one
// row, the Layout may then be narrower than the stored row: decoding stops there and ignores the
// rest of the stream. So the compression must decode from left to right and have no checksum at the
// end. Stopping early would skip the checksum, and damage would become pixels unnoticed.
func HasColumns(c Compression, l *Layout) bool {
	return (c == None || c == PackBits || c == LZW) && l.hasColumns()
}

// hasColumns reports whether rows can be unpacked starting at any column.
func (l *Layout) hasColumns() bool {
	return (l.hasMemorySize() || l.isPacked()) && l.Predictor != FloatPredictor && l.Fields == nil && !l.isSubsampled()
}

// forColumns returns the job for other columns of the same block.
func (j *Job) forColumns(c Columns) *Job {
	other := *j
	other.Column, other.Target, other.OtherColumns = c.Column, c.Target, nil
	return &other
}

// unpackAll unpacks all columns that job asks for. The rows must be in the machine's byte order.
func unpackAll(rows []byte, job *Job) {
	unpack(rows, job)
	for _, c := range job.OtherColumns {
		unpack(rows, job.forColumns(c))
	}
}
