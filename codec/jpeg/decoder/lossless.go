package decoder

import (
	"fmt"

	"tileserver/internal/reuse"
)

// lossless holds the rows of a picture that is coded without a transform.
type lossless struct {
	differences [maxComponents][]uint16 // differences of the samples from their predictions
	rows        [maxComponents][2][]uint16
	isFirstRow  bool // the row above must not be used for prediction
}

// decodeLossless decodes the scans of a lossless picture directly into the planes.
func decodeLossless[T Sample](d *Decoder, p *Picture[T], rgb func(r, g, b, luma, cb, cr []T)) error {
	for left := d.frame.Components; ; {
		if p.RGB && d.scan.count < d.frame.Components {
			return fmt.Errorf("%w: lossless YCbCr in several scans", ErrUnsupported)
		}
		if err := d.beginLossless(); err != nil {
			return err
		}
		if err := decodeLosslessScan(d, p, rgb); err != nil {
			return err
		}
		if left -= d.scan.count; left == 0 {
			p.Sound = p.Height
			return nil
		}
		found, err := d.readToScan()
		if err != nil {
			return err
		}
		if !found {
			return fmt.Errorf("%w: %d components without a scan", ErrCorrupt, left)
		}
	}
}

// beginLossless checks that the scan is valid and has its tables, and loads its data.
func (d *Decoder) beginLossless() error {
	s, width := &d.scan, d.frame.Width
	const predictors = 7
	if s.first < 1 || s.first > predictors || s.last != 0 || s.highBit != 0 || s.lowBit >= d.frame.Bits {
		return fmt.Errorf("%w: a lossless scan with predictor %d and point transform %d", ErrCorrupt, s.first, s.lowBit)
	}
	if d.tables.interval%width != 0 {
		return fmt.Errorf("%w: restarts after %d of %d samples", ErrCorrupt, d.tables.interval, width)
	}
	for i := range d.components[:d.frame.Components] {
		c := &d.components[i]
		if c.width != width || c.height != d.frame.Height {
			return fmt.Errorf("%w: lossless components of different sizes", ErrUnsupported)
		}
		if s.has(c) && c.scanned {
			return fmt.Errorf("%w: component %d is in two scans", ErrCorrupt, c.id)
		}
		c.scanned = c.scanned || s.has(c)
	}
	if err := d.checkHuffman(true, false); err != nil {
		return err
	}
	for i := range s.count {
		d.samples.differences[i] = reuse.Slice(d.samples.differences[i], width)
		for j := range d.samples.rows[i] {
			d.samples.rows[i][j] = reuse.Slice(d.samples.rows[i][j], width)
		}
	}
	d.beginData(d.tables.interval / width)
	return nil
}

// decodeLosslessScan decodes the requested rows, or all rows if another scan follows.
func decodeLosslessScan[T Sample](d *Decoder, p *Picture[T], rgb func(r, g, b, luma, cb, cr []T)) error {
	rows := p.Height
	if d.scan.count < d.frame.Components {
		rows = d.frame.Height
	}
	var lines [maxComponents][]T
	for i := 0; p.RGB && i < d.frame.Components; i++ {
		lines[i] = make([]T, p.Width)
	}
	for y := range rows {
		if err := d.decodeLosslessRow(y); err != nil {
			if d.scan.count == d.frame.Components {
				p.Sound = y
			}
			return err
		}
		if y >= p.Height {
			continue
		}
		for i, c := range d.scan.all() {
			line := lines[c.number]
			if plane := p.Planes[c.number]; plane != nil && !p.RGB {
				line = plane[y*p.Width:][:p.Width]
			}
			restore(line, d.samples.rows[i][y%2], d.scan.lowBit)
		}
		if p.RGB {
			emitLosslessColors(p, y, lines, rgb)
		}
	}
	return nil
}

// restore shifts samples back by the bits that were dropped before coding.
func restore[T Sample](out []T, row []uint16, bits int) {
	row = row[:len(out)]
	for x := range out {
		out[x] = T(row[x] << bits)
	}
}

func emitLosslessColors[T Sample](p *Picture[T], y int, lines [maxComponents][]T, rgb func(r, g, b, luma, cb, cr []T)) {
	rgb(lines[0], lines[1], lines[2], lines[0], lines[1], lines[2])
	for i, plane := range p.Planes {
		if plane != nil {
			copy(plane[y*p.Width:][:p.Width], lines[i])
		}
	}
}

// decodeLosslessRow decodes the differences of a row and computes its samples.
func (d *Decoder) decodeLosslessRow(y int) error {
	if err := d.beforeUnit(); err != nil {
		return err
	}
	var columns [maxComponents][]uint16
	var codes [maxComponents]*huffman
	for i, c := range d.scan.all() {
		columns[i], codes[i] = d.samples.differences[i], d.tables.dc[c.dcTable]
	}
	for x := range d.frame.Width {
		for i := range d.scan.count {
			difference, ok := d.entropy.value(codes[i])
			if !ok || d.entropy.overrun() {
				return d.entropy.failure()
			}
			columns[i][x] = uint16(difference)
		}
	}
	for i := range d.scan.count {
		row, above := d.samples.rows[i][y%2], d.samples.rows[i][(y+1)%2]
		if d.samples.isFirstRow {
			addFromLeft(row, columns[i], 1<<(d.frame.Bits-d.scan.lowBit-1))
		} else {
			addPrediction(row, above, columns[i], d.scan.first)
		}
	}
	d.samples.isFirstRow = false
	return nil
}

// addFromLeft predicts each sample as its left neighbor. Sums wrap at 16 bits.
func addFromLeft(row, differences []uint16, first uint16) {
	left := first
	for x, difference := range differences {
		left += difference
		row[x] = left
	}
}

// addPrediction predicts each sample from its neighbors: a to the left, b above, c above a.
func addPrediction(row, above, differences []uint16, predictor int) {
	row, above = row[:len(differences)], above[:len(differences)]
	if predictor == 1 {
		addFromLeft(row, differences, above[0])
		return
	}
	left, corner := above[0]+differences[0], above[0]
	row[0] = left
	for x := 1; x < len(row); x++ {
		a, b, c := int32(left), int32(above[x]), int32(corner)
		var prediction int32
		switch predictor {
		case 2:
			prediction = b
		case 3:
			prediction = c
		case 4:
			prediction = a + b - c
		case 5:
			prediction = a + (b-c)>>1
		case 6:
			prediction = b + (a-c)>>1
		case 7:
			prediction = (a + b) >> 1
		}
		left, corner = uint16(prediction)+differences[x], above[x]
		row[x] = left
	}
}
