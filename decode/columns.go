package decode

import "tileserver/raster"

// Columns are some columns of a block, from one on, with a buffer of their own.
type Columns struct {
	Column int
	Target *raster.Buffer
}

// HasColumns tells whether a Job may ask for some columns of a block, and whether a
// block of one row may be taken for one that ends at any column: its Layout may be
// narrower than what is stored, and what is left of the stream is not looked at. So
// the compressions are those that go from left to right and have no checksum at the
// end, without which damage would become pixels.
func HasColumns(c Compression, l *Layout) bool {
	return (c == None || c == PackBits || c == LZW) && l.hasColumns()
}

// hasColumns tells whether rows can be unpacked from any column on.
func (l *Layout) hasColumns() bool {
	return (l.whole() || l.packed()) && l.Predictor != FloatPredictor && l.Fields == nil && !l.subsampled()
}

// of is the job for other columns of the same block.
func (j *Job) of(c Columns) *Job {
	other := *j
	other.Column, other.Target, other.Beside = c.Column, c.Target, nil
	return &other
}

// unpackAll takes all columns that job asks for out of rows in the machine's order.
func unpackAll(rows []byte, job *Job) {
	unpack(rows, job)
	for _, c := range job.Beside {
		unpack(rows, job.of(c))
	}
}
