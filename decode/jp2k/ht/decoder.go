package ht

import "fmt"

// A Decoder holds the scratch memory for decoding. It decodes one block at a time and can be
// reused, by one goroutine at a time.
type Decoder struct {
	pairs      [maxPairs]uint64 // rows of pairs of quads, each padded with empty pairs
	quads      quadReader
	magnitudes magnitudeReader
	refiner    refiner
	rows       [2][MaxSide + rowPadding]int32
}

// rowPadding is how many samples may be written beyond the end of a row.
const rowPadding = 16

// Decode writes the samples of a block to out, row by row. A sample is signed and has one fraction
// bit: it is twice the value. A magnitude m whose last bit-plane is p becomes (m + 1/2) << p, the
// middle of its range. After an error, out holds nothing useful. The exception is ErrUnrefined:
// then out holds the result of the cleanup pass.
func (d *Decoder) Decode(b *Block, out []int32) error {
	if err := b.check(len(out)); err != nil {
		return err
	}
	out = out[:b.Width*b.Height]
	if b.Passes == 0 {
		clear(out)
		return nil
	}
	suffix, err := b.suffix()
	if err != nil {
		return err
	}
	stride, err := d.cleanUp(b, suffix, out)
	if err != nil {
		return err
	}
	if err := b.refinable(); err != nil {
		return err
	}
	if b.Refines() {
		d.refine(b, stride, out)
	}
	return nil
}

// check checks the parameters of the block, but not the content of its segments.
func (b *Block) check(room int) error {
	switch {
	case b.Width < 1 || b.Height < 1 || b.Width > MaxSide || b.Height > MaxSide || b.Width*b.Height > MaxSamples:
		return fmt.Errorf("%w: %d × %d samples", ErrDamaged, b.Width, b.Height)
	case room < b.Width*b.Height:
		return fmt.Errorf("ht: %d × %d samples do not fit into %d", b.Width, b.Height, room)
	case b.Passes < 0 || b.Passes > 3:
		return fmt.Errorf("%w: %d passes in a set", ErrDamaged, b.Passes)
	case b.Passes == 0:
		return nil
	case b.BitPlanes > MaxBitPlanes:
		return fmt.Errorf("%w: %d bit-planes, where %d fit", ErrUnsupported, b.BitPlanes, MaxBitPlanes)
	case b.MissingBitPlanes < 0 || b.MissingBitPlanes >= b.BitPlanes:
		return fmt.Errorf("%w: %d of %d bit-planes are missing", ErrDamaged, b.MissingBitPlanes, b.BitPlanes)
	}
	return nil
}

// plane returns the bit-plane of the cleanup pass.
func (b *Block) plane() int { return b.BitPlanes - 1 - b.MissingBitPlanes }

// suffix returns the part of the cleanup segment that MEL and VLC share. Its length is in the last
// twelve bits of the segment.
func (b *Block) suffix() ([]byte, error) {
	size := len(b.Cleanup)
	if size < 2 {
		return nil, fmt.Errorf("%w: a cleanup segment of %d bytes", ErrDamaged, size)
	}
	const maxLength = 4079
	length := int(b.Cleanup[size-1])<<4 | int(b.Cleanup[size-2]&0x0F)
	if length < 2 || length > min(size, maxLength) {
		return nil, fmt.Errorf("%w: %d bytes of MEL and VLC in a cleanup segment of %d", ErrDamaged, length, size)
	}
	return b.Cleanup[size-length:], nil
}

// cleanUp decodes the cleanup pass, both steps of a row of quads after those of the row above: while the
// processor waits for one step, it works on the other. It returns the number of pairs from one row of
// quads to the next, which includes the padding that vectors may read.
func (d *Decoder) cleanUp(b *Block, suffix []byte, out []int32) (stride int, err error) {
	columns, rows := (b.Width+1)/2, (b.Height+1)/2
	count := (columns + 1) / 2
	stride = (count + pairsAtOnce) / pairsAtOnce * pairsAtOnce
	d.quads.begin(suffix, count*rows)
	d.magnitudes.begin(b.Cleanup[:len(b.Cleanup)-len(suffix)], b.plane(), b.MissingBitPlanes+2, b.Width)
	for row := range rows {
		pairs := d.pairs[row*stride:][:stride]
		if row == 0 {
			d.quads.firstRow(pairs[:count], columns)
		} else {
			d.quads.otherRow(pairs, d.pairs[(row-1)*stride:][:stride], columns)
		}
		clear(pairs[count:])
		if !d.readMagnitudes(b, 2*row, pairs[:count], out) {
			return 0, fmt.Errorf("%w: a number of more than %d bits in row %d of quads", ErrDamaged, d.magnitudes.bound, row)
		}
	}
	return stride, nil
}

// readMagnitudes decodes the samples of two rows from row y on. Rows that vectors would overrun are
// decoded into scratch memory first.
func (d *Decoder) readMagnitudes(b *Block, y int, pairs []uint64, out []int32) bool {
	if b.Width%samplesAtOnce == 0 && y+1 < b.Height {
		return d.magnitudes.row(pairs, out[y*b.Width:][:b.Width], out[(y+1)*b.Width:][:b.Width])
	}
	upper, lower := d.rows[0][:], d.rows[1][:]
	if !d.magnitudes.row(pairs, upper, lower) {
		return false
	}
	copy(out[y*b.Width:], upper[:b.Width])
	copy(out[(y+1)*b.Width:], lower[:b.Width])
	return true
}
