package jpeg

import "fmt"

// scan is the header of a part of the entropy-coded data.
type scan struct {
	parts [maxComponents]*component
	count int // of parts

	// first and last are the coefficients that it is about, in zigzag order. A lossless one has its predictor in first.
	first, last int

	// highBit and lowBit are the bits of the coefficients, one above those it is about and their lowest; highBit 0 is a
	// first scan. A lossless one has the bits that were taken from its samples in lowBit.
	highBit, lowBit int
}

// interleaved tells whether the blocks of several components take turns.
func (s *scan) interleaved() bool { return s.count > 1 }

// all are the components of the scan.
func (s *scan) all() []*component { return s.parts[:s.count] }

// readScanHeader finds the components of a scan, and keeps the quantizers for those that begin with it.
func (d *Decoder) readScanHeader(body []byte) error {
	if d.frame.Components == 0 {
		return fmt.Errorf("%w: a scan before the frame", ErrCorrupt)
	}
	if len(body) < 1 || body[0] < 1 || body[0] > maxComponents || len(body) != 4+2*int(body[0]) {
		return fmt.Errorf("%w: a scan header of %d bytes", ErrCorrupt, len(body))
	}
	count := int(body[0])
	tail := body[1+2*count:]
	d.scan = scan{
		count: count,
		first: int(tail[0]), last: int(tail[1]), highBit: int(tail[2] >> 4), lowBit: int(tail[2] & 15),
	}
	for i := range count {
		if err := d.addToScan(i, body[1+2*i], body[2+2*i]); err != nil {
			return err
		}
	}
	return d.scan.checkUnits()
}

// addToScan looks a component up by its name. Some writers give all of them the same.
func (d *Decoder) addToScan(place int, id, tableNumbers byte) error {
	for i := range d.parts[:d.frame.Components] {
		c := &d.parts[i]
		if c.id != id || d.scan.has(c) {
			continue
		}
		c.dcTable, c.acTable = int(tableNumbers>>4), int(tableNumbers&15)
		if c.dcTable >= tableNumbersEnd || c.acTable >= tableNumbersEnd {
			return fmt.Errorf("%w: tables %d and %d", ErrCorrupt, c.dcTable, c.acTable)
		}
		d.scan.parts[place] = c
		return nil
	}
	return fmt.Errorf("%w: a scan of component %d, which the frame lacks", ErrCorrupt, id)
}

func (s *scan) has(c *component) bool {
	for _, other := range s.parts {
		if other == c {
			return true
		}
	}
	return false
}

func (s *scan) checkUnits() error {
	const maxBlocks = 10 // of a unit
	blocks := 0
	for _, c := range s.all() {
		blocks += c.h * c.v
	}
	if s.interleaved() && blocks > maxBlocks {
		return fmt.Errorf("%w: %d blocks in a unit", ErrCorrupt, blocks)
	}
	return nil
}

// keepQuantizers gives the components whose first scan this is the quantizers that hold now.
func (d *Decoder) keepQuantizers() error {
	for _, c := range d.scan.all() {
		if c.hasQuantizers {
			continue
		}
		if c.quantizer >= tableNumbersEnd || d.tables.quantizers[c.quantizer] == nil {
			return fmt.Errorf("%w: no quantizers %d", ErrCorrupt, c.quantizer)
		}
		c.quantizers, c.hasQuantizers = *d.tables.quantizers[c.quantizer], true
	}
	return nil
}

// checkHuffman tells whether there are the tables of each kind that the scan needs.
func (d *Decoder) checkHuffman(needDC, needAC bool) error {
	for _, c := range d.scan.all() {
		if needDC && d.tables.dc[c.dcTable] == nil || needAC && d.tables.ac[c.acTable] == nil {
			return fmt.Errorf("%w: no Huffman tables %d and %d", ErrCorrupt, c.dcTable, c.acTable)
		}
	}
	return nil
}
