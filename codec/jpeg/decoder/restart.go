package decoder

import (
	"fmt"

	"tileserver/codec/jpeg"
)

// restarts counts the units of a scan between its restart markers.
type restarts struct {
	interval int // units between markers, or 0 for no markers
	left     int // units up to the next jpeg.Marker
	next     jpeg.Marker
}

// beginData loads the data of a scan up to the first marker.
func (d *Decoder) beginData(interval int) {
	d.rest = d.entropy.fill(d.rest)
	d.restarts = restarts{interval: interval, left: interval, next: jpeg.MarkerRestart}
	d.resetPredictions()
}

// resetPredictions makes the following units independent of the previous ones.
func (d *Decoder) resetPredictions() {
	for _, c := range d.scan.all() {
		c.prediction = 0
	}
	d.progress.zeroBlocks = 0
	d.samples.isFirstRow = true
}

// beforeUnit reads the restart marker if one belongs before the next unit.
func (d *Decoder) beforeUnit() error {
	if d.restarts.interval == 0 {
		return nil
	}
	if d.restarts.left > 0 {
		d.restarts.left--
		return nil
	}
	m, _, after, err := nextSegment(d.rest)
	if err != nil {
		return err
	}
	if m != d.restarts.next {
		return fmt.Errorf("%w: marker %#x, expected restart marker %#x", ErrCorrupt, m, d.restarts.next)
	}
	d.restarts.next = jpeg.MarkerRestart + (m+1-jpeg.MarkerRestart)%8
	d.restarts.left = d.restarts.interval - 1
	d.rest = d.entropy.fill(after)
	d.resetPredictions()
	return nil
}
