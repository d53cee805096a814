package decoder

import (
	"fmt"

	"tileserver/codec/jpeg"
)

// Intervals are the restart intervals of a stream. Something else than a Decoder can decode them to
// samples, each without the others. They are valid until the Decoder opens another stream.
type Intervals struct {
	UnitsWide, UnitsHigh int // of the rows that were asked for
	Units                int // of each interval but the last

	Components []CodedComponent

	data []byte
}

// CodedComponent is how a component is coded.
type CodedComponent struct {
	H, V       int                    // blocks of a unit in a row and in a column
	Quantizers [jpeg.BlockSize]uint16 // in zigzag order
	DC, AC     []byte                 // Huffman tables: the number of codes of each length, and the symbols
}

// Intervals returns the restart intervals of the opened stream that have the first rows of its picture.
// Only those of samples of 8 bits in one sequential scan are found.
func (d *Decoder) Intervals(rows int) (s Intervals, ok bool) {
	if !d.isStreamable() || d.frame.Bits != 8 || d.tables.interval == 0 || d.checkHuffman(true, true) != nil {
		return Intervals{}, false
	}
	wide, _ := d.frame.units()
	s = Intervals{UnitsWide: wide, UnitsHigh: d.unitRows(rows), Units: d.tables.interval, data: d.rest}
	for _, c := range d.scan.all() {
		if c.quantizer >= tableNumbersEnd || d.tables.quantizers[c.quantizer] == nil {
			return Intervals{}, false
		}
		coded := CodedComponent{H: c.h, V: c.v, DC: d.tables.dc[c.dcTable].definition(), AC: d.tables.ac[c.acTable].definition()}
		for k, index := range zigzagIndex {
			coded.Quantizers[k] = d.tables.quantizers[c.quantizer][index]
		}
		s.Components = append(s.Components, coded)
	}
	return s, true
}

// unitRows returns how many rows of units have the samples that rows of the picture are made of. Chroma
// of less height may be interpolated with the row below.
func (d *Decoder) unitRows(rows int) int {
	_, high := d.frame.units()
	if d.frame.maxV > 1 {
		rows++
	}
	return min(high, ceilDivide(rows, jpeg.BlockSide*d.frame.maxV))
}

// Count returns the number of intervals.
func (s *Intervals) Count() int { return ceilDivide(s.UnitsWide*s.UnitsHigh, s.Units) }

// MaxBytes returns how many bytes their data have at most.
func (s *Intervals) MaxBytes() int { return len(s.data) }

// Samples returns how many samples the blocks of the intervals have.
func (s *Intervals) Samples() (samples int) {
	for i := range s.Components {
		samples += s.UnitsWide * s.UnitsHigh * s.Components[i].H * s.Components[i].V * jpeg.BlockSize
	}
	return samples
}

// Write writes the data of the intervals without byte stuffing, and where those of each end. Intervals
// that the stream lacks have none.
func (s *Intervals) Write(to []byte, ends []int) {
	data, rest := to[:0:s.MaxBytes()], s.data
	for i := range ends {
		if i > 0 {
			rest = afterRestart(rest, i-1)
		}
		data, rest = appendUnstuffed(data, rest)
		ends[i] = len(data)
	}
}

// afterRestart returns what follows a restart marker, by its number in the scan. It returns nil if the
// stream goes on with anything else.
func afterRestart(stream []byte, number int) []byte {
	m, _, after, err := nextSegment(stream)
	if err != nil || m != jpeg.MarkerRestart+jpeg.Marker(number%8) {
		return nil
	}
	return after
}

// Compose8 makes the picture of the opened stream as Decode8 does, from the samples that its intervals
// were decoded to: row by row for each component, all blocks of its units. They must be Samples of the
// Intervals that have the rows of the picture.
func (d *Decoder) Compose8(p *Picture[uint8], samples []uint8) error {
	defer d.Release()
	p.Sound = 0
	if err := p.check(&d.frame); err != nil {
		return err
	}
	s, ok := d.Intervals(p.Height)
	if !ok || len(samples) != s.Samples() {
		return fmt.Errorf("%d samples for a picture of %d rows", len(samples), p.Height)
	}
	d.narrow.compose(d, p, kernels8(), s.UnitsHigh, samples)
	return nil
}

// compose makes a picture from the samples of some rows of units.
func (r *renderer[T]) compose(d *Decoder, p *Picture[T], k kernels[T], unitRows int, samples []T) {
	r.begin(d, p, k)
	defer r.end()
	for _, c := range d.scan.all() {
		rows, stride := unitRows*c.v*jpeg.BlockSide, c.storedWide*jpeg.BlockSide
		r.planes[c.number].rows, r.planes[c.number].samples = rows, samples[:rows*stride]
		samples = samples[rows*stride:]
	}
	r.emitBefore(p.Height)
}
