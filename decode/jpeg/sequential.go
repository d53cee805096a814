package jpeg

import "fmt"

// step decodes blocks of a component that lie one after the other in the stream, with the last places that go with them.
type step func(d *Decoder, c *component, blocks []block, lasts []uint8) error

// streamable tells whether the scan that comes holds the whole picture, so that it can be made row by row.
func (d *Decoder) streamable() bool {
	return d.frame.Process == Sequential && d.scan.count == d.frame.Components
}

// scanRows is how many rows of units the scan has; a unit of an only component is a block that holds samples.
func (d *Decoder) scanRows() int {
	if !d.scan.interleaved() {
		return d.scan.parts[0].blocksHigh
	}
	_, high := d.frame.units()
	return high
}

// decodeRow decodes the next row of units into the y-th that is stored.
func (d *Decoder) decodeRow(y int, decode step) error {
	if !d.scan.interleaved() {
		return d.decodeBlocks(d.scan.parts[0], y, decode)
	}
	wide, _ := d.frame.units()
	for x := range wide {
		if err := d.beforeUnit(); err != nil {
			return err
		}
		for _, c := range d.scan.all() {
			for v := range c.v {
				blocks, lasts := d.coefficients.row(c, y*c.v+v)
				if err := decode(d, c, blocks[x*c.h:][:c.h], lasts[x*c.h:]); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// decodeBlocks decodes a row of blocks of the only component of a scan.
func (d *Decoder) decodeBlocks(c *component, row int, decode step) error {
	blocks, lasts := d.coefficients.row(c, row)
	if d.restarts.interval == 0 {
		return decode(d, c, blocks[:c.blocksWide], lasts)
	}
	for x := range c.blocksWide {
		if err := d.beforeUnit(); err != nil {
			return err
		}
		if err := decode(d, c, blocks[x:x+1], lasts[x:]); err != nil {
			return err
		}
	}
	return nil
}

// decodeSequential is the step that decodes all coefficients of blocks that are zero.
func (d *Decoder) decodeSequential(c *component, blocks []block, lasts []uint8) error {
	dc, ac := d.tables.dc[c.dcTable], d.tables.ac[c.acTable]
	lasts = lasts[:len(blocks)]
	for i := range blocks {
		mean, last, ok := d.entropy.block(&blocks[i], dc, ac, c.prediction)
		if !ok {
			return d.entropy.failure()
		}
		c.prediction = mean
		lasts[i] = uint8(last)
	}
	return nil
}

// failure is what is the matter with data that could not be decoded.
func (r *entropyReader) failure() error {
	if r.overrun() {
		return errEndsEarly
	}
	return fmt.Errorf("%w: a code that there is none of, or too many coefficients", ErrCorrupt)
}

// checkLength tells whether the stream may hold all blocks, before there is memory for them: the first coefficient of
// each takes a bit at least.
func (d *Decoder) checkLength() error {
	blocks := 0
	for i := range d.parts[:d.frame.Components] {
		blocks += d.parts[i].blocksWide * d.parts[i].blocksHigh
	}
	if blocks > 8*len(d.rest) {
		return errEndsEarly
	}
	return nil
}

// decodeScans decodes all scans of a picture into the coefficients that are stored.
func (d *Decoder) decodeScans() error {
	const maxScans = 100 // each of which may go over the whole picture in a few bytes
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

// beginScan looks whether a scan has all it needs, and takes its data. The step decodes them.
func (d *Decoder) beginScan() (step, error) {
	decode, err := d.scanStep()
	if err != nil {
		return nil, err
	}
	if err := d.keepQuantizers(); err != nil {
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

// scanStep is the step of the scan that comes, which must fit to those before it and have its tables.
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

// checkScans tells, when there are no more, whether those that came make a picture. A progressive one may lack
// refinement, if its end says that it is meant so.
func (d *Decoder) checkScans() error {
	for i := range d.parts[:d.frame.Components] {
		c := &d.parts[i]
		switch {
		case d.frame.Process == Sequential && !c.scanned, d.frame.Process == Progressive && !d.progress.has(i):
			return fmt.Errorf("%w: no scan of component %d", ErrCorrupt, c.id)
		case d.frame.Process == Progressive && d.cutOff && !d.progress.complete(i):
			return errEndsEarly
		}
	}
	return nil
}
