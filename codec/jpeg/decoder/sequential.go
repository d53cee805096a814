package decoder

import "fmt"

// step decodes consecutive blocks of a component and updates their last indexes.
type step func(d *Decoder, c *component, blocks []block, lastIndexes []uint8) error

// isStreamable reports whether the current scan holds the whole picture, so that it can be decoded
// row by row.
func (d *Decoder) isStreamable() bool {
	return d.frame.Process == Sequential && d.scan.count == d.frame.Components
}

// scanRows returns the number of rows of units in the scan. In a scan of one component, a unit is
// one block that holds samples.
func (d *Decoder) scanRows() int {
	if !d.scan.interleaved() {
		return d.scan.components[0].blocksHigh
	}
	_, high := d.frame.units()
	return high
}

// decodeRow decodes the next row of units into stored row y.
func (d *Decoder) decodeRow(y int, decode step) error {
	if !d.scan.interleaved() {
		return d.decodeBlocks(d.scan.components[0], y, decode)
	}
	wide, _ := d.frame.units()
	for x := range wide {
		if err := d.beforeUnit(); err != nil {
			return err
		}
		for _, c := range d.scan.all() {
			for v := range c.v {
				blocks, lastIndexes := d.coefficients.row(c, y*c.v+v)
				if err := decode(d, c, blocks[x*c.h:][:c.h], lastIndexes[x*c.h:]); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// decodeBlocks decodes a row of blocks in a scan of one component.
func (d *Decoder) decodeBlocks(c *component, row int, decode step) error {
	blocks, lastIndexes := d.coefficients.row(c, row)
	if d.restarts.interval == 0 {
		return decode(d, c, blocks[:c.blocksWide], lastIndexes)
	}
	for x := range c.blocksWide {
		if err := d.beforeUnit(); err != nil {
			return err
		}
		if err := decode(d, c, blocks[x:x+1], lastIndexes[x:]); err != nil {
			return err
		}
	}
	return nil
}

// decodeSequential is the step that decodes all coefficients of zeroed blocks.
func (d *Decoder) decodeSequential(c *component, blocks []block, lastIndexes []uint8) error {
	dc, ac := d.tables.dc[c.dcTable], d.tables.ac[c.acTable]
	lastIndexes = lastIndexes[:len(blocks)]
	for i := range blocks {
		prediction, last, ok := d.entropy.block(&blocks[i], dc, ac, c.prediction)
		if !ok {
			return d.entropy.failure()
		}
		c.prediction = prediction
		lastIndexes[i] = uint8(last)
	}
	return nil
}

// failure returns the error for data that could not be decoded.
func (r *entropyReader) failure() error {
	if r.overrun() {
		return errEndsEarly
	}
	return fmt.Errorf("%w: an invalid code or too many coefficients", ErrCorrupt)
}

// checkLength returns an error if the stream is too short for its blocks, before memory is
// allocated for them. The first coefficient of each block takes at least one bit.
func (d *Decoder) checkLength() error {
	blocks := 0
	for i := range d.components[:d.frame.Components] {
		blocks += d.components[i].blocksWide * d.components[i].blocksHigh
	}
	if blocks > 8*len(d.rest) {
		return errEndsEarly
	}
	return nil
}

// decodeScans decodes all scans of a picture into the stored coefficients.
func (d *Decoder) decodeScans() error {
	const maxScans = 100 // bounds the work: a scan of a few bytes may cover the whole picture
	d.progress = progress{}
	for range maxScans {
		if err := d.decodeScan(); err != nil {
			return err
		}
		found, err := d.readToScan()
		if err != nil {
			return err
		}
		if !found {
			return d.checkScans()
		}
	}
	return fmt.Errorf("%w: more than %d scans", ErrUnsupported, maxScans)
}

// beginScan checks that the scan has its tables, and loads its data. It returns the step that
// decodes the data.
func (d *Decoder) beginScan() (step, error) {
	decode, err := d.scanStep()
	if err != nil {
		return nil, err
	}
	if err := d.assignQuantizers(); err != nil {
		return nil, err
	}
	d.beginData(d.tables.interval)
	return decode, nil
}

func (d *Decoder) decodeScan() error {
	decode, err := d.beginScan()
	if err != nil {
		return err
	}
	for y := range d.scanRows() {
		if err := d.decodeRow(y, decode); err != nil {
			return err
		}
	}
	return nil
}

// scanStep returns the decoding step of the current scan. The scan must fit the previous scans, and
// its tables must exist.
func (d *Decoder) scanStep() (step, error) {
	if d.frame.Process == Progressive {
		return d.progressiveStep()
	}
	for _, c := range d.scan.all() {
		if c.scanned {
			return nil, fmt.Errorf("%w: component %d is in two scans", ErrCorrupt, c.id)
		}
		c.scanned = true
	}
	return (*Decoder).decodeSequential, d.checkHuffman(true, true)
}

// checkScans returns an error if the scans do not form a complete picture. A progressive picture
// may lack refinement if the stream ends with an end marker.
func (d *Decoder) checkScans() error {
	for i := range d.components[:d.frame.Components] {
		c := &d.components[i]
		switch {
		case d.frame.Process == Sequential && !c.scanned, d.frame.Process == Progressive && !d.progress.has(i):
			return fmt.Errorf("%w: no scan of component %d", ErrCorrupt, c.id)
		case d.frame.Process == Progressive && d.truncated && !d.progress.complete(i):
			return errEndsEarly
		}
	}
	return nil
}
