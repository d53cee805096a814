package decoder

import "fmt"

// scan is the header of a run of entropy-coded data.
type scan struct {
	components [maxComponents]*component
	count      int // length of components

	// first and last bound the coefficients of the scan, in zigzag order. In a lossless scan, first
	// is the predictor.
	first, last int

	// highBit and lowBit bound the coefficient bits of the scan: lowBit is the lowest, and highBit
	// is one above the highest. highBit is 0 in a first scan. In a lossless scan, lowBit is the
	// number of bits that were dropped from the samples.
	highBit, lowBit int
}

// interleaved reports whether the blocks of several components alternate.
func (s *scan) interleaved() bool { return s.count > 1 }

// all returns the components of the scan.
func (s *scan) all() []*component { return s.components[:s.count] }

// readScanHeader reads the components and parameters of a scan.
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

// addToScan looks a component up by its identifier. Some encoders give all components the same
// identifier, so a component that is already in the scan is skipped.
func (d *Decoder) addToScan(index int, id, tableNumbers byte) error {
	for i := range d.components[:d.frame.Components] {
		c := &d.components[i]
		if c.id != id || d.scan.has(c) {
			continue
		}
		c.dcTable, c.acTable = int(tableNumbers>>4), int(tableNumbers&15)
		if c.dcTable >= tableNumbersEnd || c.acTable >= tableNumbersEnd {
			return fmt.Errorf("%w: tables %d and %d", ErrCorrupt, c.dcTable, c.acTable)
		}
		d.scan.components[index] = c
		return nil
	}
	return fmt.Errorf("%w: a scan of unknown component %d", ErrCorrupt, id)
}

func (s *scan) has(c *component) bool {
	for _, other := range s.components {
		if other == c {
			return true
		}
	}
	return false
}

func (s *scan) checkUnits() error {
	const maxBlocks = 10 // per unit
	blocks := 0
	for _, c := range s.all() {
		blocks += c.h * c.v
	}
	if s.interleaved() && blocks > maxBlocks {
		return fmt.Errorf("%w: %d blocks in a unit", ErrCorrupt, blocks)
	}
	return nil
}

// assignQuantizers copies the current quantizers to those components whose first scan this is.
func (d *Decoder) assignQuantizers() error {
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

// checkHuffman returns an error if a table that the scan needs is missing.
func (d *Decoder) checkHuffman(needDC, needAC bool) error {
	for _, c := range d.scan.all() {
		if needDC && d.tables.dc[c.dcTable] == nil || needAC && d.tables.ac[c.acTable] == nil {
			return fmt.Errorf("%w: no Huffman tables %d and %d", ErrCorrupt, c.dcTable, c.acTable)
		}
	}
	return nil
}
