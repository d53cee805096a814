package decoder

import "tileserver/codec/jpeg"

// maxRetainedBlocks and maxRetainedData bound the memory that a decoder retains for the next
// picture. The memory for tiles stays below; that of a large progressive picture is released.
const (
	maxRetainedBlocks = 1 << 17
	maxRetainedData   = 8 << 20
)

// Release drops the references to the opened stream, and memory that only a large picture needs. Whoever
// makes the picture need not call it.
func (d *Decoder) Release() {
	d.rest, d.tables, d.frame = nil, tables{}, Frame{}
	if cap(d.coefficients.blocks) > maxRetainedBlocks {
		d.coefficients = coefficients{}
	}
	if cap(d.entropy.data) > maxRetainedData {
		d.entropy = entropyReader{}
	}
}

// workBytes returns the memory for decoding the frame. The header of the first scan must have been
// read.
func (d *Decoder) workBytes() int64 {
	f := &d.frame
	sampleBytes := int64((f.Bits + 7) / 8)
	if f.Process == Lossless {
		const rows = 3 // 16-bit rows: the differences, and two rows of samples
		return int64(f.Components) * int64(f.Width) * (2*rows + sampleBytes)
	}
	_, storedRows := f.units()
	if d.isStreamable() {
		storedRows = 1
	}
	var n int64
	for i := range d.components[:f.Components] {
		c := &d.components[i]
		rowOfUnits := int64(c.storedWide) * int64(c.v)
		// A plane holds two rows of units.
		n += rowOfUnits * (coefficientBytes*int64(storedRows) + 2*jpeg.BlockSize*sampleBytes)
	}
	return n
}
