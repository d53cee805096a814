package jpeg

// keptBlocks and keptDataBytes are the most that is kept for the next picture: those of tiles are, those of a large
// progressive one not.
const (
	keptBlocks    = 1 << 17
	keptDataBytes = 8 << 20
)

// release lets go of the stream, and of memory that only a large picture took.
func (d *Decoder) release() {
	d.rest, d.tables, d.frame = nil, tables{}, Frame{}
	if cap(d.coefficients.blocks) > keptBlocks {
		d.coefficients = coefficients{}
	}
	if cap(d.entropy.data) > keptDataBytes {
		d.entropy = entropyReader{}
	}
}

// workBytes is what decoding the frame takes whose first scan has been read.
func (d *Decoder) workBytes() int64 {
	f := &d.frame
	sampleBytes := int64((f.Bits + 7) / 8)
	if f.Process == Lossless {
		const rows = 3 // of 16 bits: differences, and samples of two rows
		return int64(f.Components) * int64(f.Width) * (2*rows + sampleBytes)
	}
	_, storedRows := f.units()
	if d.streamable() {
		storedRows = 1
	}
	var n int64
	for i := range d.parts[:f.Components] {
		c := &d.parts[i]
		rowOfUnits := int64(c.storedWide) * int64(c.v)
		n += rowOfUnits * (coefficientBytes*int64(storedRows) + 2*blockSize*sampleBytes) // held by a plane: two rows of units
	}
	return n
}
