package tiff

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"

	"tileserver/source"
)

// blockIndex is where the units of a page lie in the file: an array of offsets and
// one of sizes, of which there may be gigabytes. Short ones are kept from the time
// of opening, the others are read in pieces, as units are asked for.
type blockIndex struct {
	pieces  *pieces // of the file that the arrays are in
	units   int64
	offsets column
	counts  column // of bytes; not there where the only unit ends with the file
}

// column is unsigned integers as they are stored.
type column struct {
	tag    tag
	kind   fieldType
	order  binary.ByteOrder
	offset int64  // in the file
	count  int64  // of those that mean anything
	value  []byte // all of them, if they were kept when the file was opened
	zeros  zeroPieces
}

// newColumn is the first count values of an entry.
func newColumn(e *entry, count int64) column {
	return column{tag: e.tag, kind: e.kind, order: e.order, offset: e.offset, count: count, value: e.value}
}

func (c *column) isThere() bool { return c.kind != 0 }

// readIndex finds the two tags and holds them against the grid.
func (p *page) readIndex(r reading) error {
	offsets, counts := r.entries[tagStripOffsets], r.entries[tagStripByteCounts]
	if p.tiled && r.entries[tagTileOffsets] != nil {
		offsets, counts = r.entries[tagTileOffsets], r.entries[tagTileByteCounts]
	}
	units := int64(p.unitColumns()) * int64(p.unitRows())
	if p.chopped() {
		units = 1
	}
	if units > math.MaxInt64/int64(p.planes()) {
		return fmt.Errorf("%d blocks: %w", units, ErrLimit)
	}
	units *= int64(p.planes())
	p.index = &blockIndex{units: units}
	var stored int64
	for _, e := range []*entry{offsets, counts} {
		if e != nil {
			stored += e.bytes()
		}
		switch {
		case e == nil:
			continue
		case !e.kind.unsigned():
			return fmt.Errorf("%v of type %d: %w", e.tag, e.kind, ErrCorrupt)
		case stored > r.limits.IndexBytes:
			return fmt.Errorf("%v of %d bytes: %w", e.tag, e.bytes(), ErrLimit)
		case int64(e.count) < units:
			return fmt.Errorf("%v of %d values for %d blocks: %w", e.tag, e.count, units, ErrCorrupt)
		}
	}
	if offsets == nil || counts == nil && (units > 1 || p.compression != compressionNone) {
		return fmt.Errorf("no offsets or sizes of blocks: %w", ErrCorrupt)
	}
	p.index.offsets = newColumn(offsets, units)
	if counts != nil {
		p.index.counts = newColumn(counts, units)
	}
	return nil
}

// pieceBytes is how much of an array is read at a time: where thousands of units
// are, and little to read for one.
const pieceBytes = 32 << 10

// place is in which piece the i-th value is, and which of that it is.
func (c *column) place(i int64) (piece int64, within int) {
	shift := bits.TrailingZeros(uint(pieceBytes / c.kind.size()))
	return i >> shift, int(i & (1<<shift - 1))
}

// piece is where a piece lies in the file. The last one may be shorter.
func (c *column) piece(number int64) source.Range {
	start := number * pieceBytes
	return source.Range{Offset: c.offset + start, Length: min(pieceBytes, c.count*int64(c.kind.size())-start)}
}

// find looks up where a unit is, as far as the pieces at hand tell; known is false
// if they do not, and lookup then knows which are missing. ok is false for a unit
// that is not stored. The only error is that the unit reaches beyond the end of the
// file; where is then the part that the file has.
func (x *blockIndex) find(l *lookup, unit, fileBytes int64) (where source.Range, ok, known bool, err error) {
	offset, known := l.at(x, &x.offsets, unit)
	if known && offset == 0 {
		return source.Range{}, false, true, nil
	}
	count := uint64(0)
	if x.counts.isThere() {
		var alsoKnown bool
		count, alsoKnown = l.at(x, &x.counts, unit)
		known = known && alsoKnown
	}
	if count == 0 && x.units == 1 { // some writers do not say the size of an only strip
		count = uint64(fileBytes) - min(offset, uint64(fileBytes))
	}
	switch {
	case !known, count == 0:
		return source.Range{}, false, known, nil
	case offset > uint64(fileBytes) || count > uint64(fileBytes)-offset:
		begin := min(offset, uint64(fileBytes))
		rest := source.Range{Offset: int64(begin), Length: fileBytes - int64(begin)}
		return rest, false, true, fmt.Errorf("%d bytes at %d of a file of %d: %w", count, offset, fileBytes, ErrCorrupt)
	}
	return source.Range{Offset: int64(offset), Length: int64(count)}, true, true, nil
}
