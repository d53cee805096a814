package tiff

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"

	"tileserver/decode/tiff/ifd"
	"tileserver/source"
)

// blockIndex says where the units of a directory lie in the file. It consists of an array of
// offsets and an array of sizes, which may take gigabytes. Short arrays are cached at opening. The
// others are read in chunks as units are requested.
type blockIndex struct {
	chunks  *chunkReader // reads the arrays
	units   int64
	offsets indexArray
	counts  indexArray // sizes in bytes; absent if the only unit extends to the end of the file
}

// indexArray is an array of unsigned integers as stored.
type indexArray struct {
	kind   ifd.Type
	order  binary.ByteOrder
	offset int64  // in the file
	count  int64  // of the values that are used
	value  []byte // all values, if they were cached at opening
	zeros  zeroChunks
}

// newIndexArray returns the first count values of an entry.
func newIndexArray(e *ifd.Entry, count int64) indexArray {
	return indexArray{kind: e.Type, order: e.Order, offset: e.Offset, count: count, value: e.Value}
}

func (a *indexArray) exists() bool { return a.kind != 0 }

// readIndex finds the two arrays and checks them against the grid of units.
func (d *directory) readIndex(r tagReader) error {
	offsets, counts := r.Entry(tagStripOffsets), r.Entry(tagStripByteCounts)
	if d.tiled && r.Entry(tagTileOffsets) != nil {
		offsets, counts = r.Entry(tagTileOffsets), r.Entry(tagTileByteCounts)
	}
	units := int64(d.unitColumns()) * int64(d.unitRows())
	if d.splitsStrip() {
		units = 1
	}
	if units > math.MaxInt64/int64(d.samples.planes()) {
		return fmt.Errorf("%d blocks: %w", units, ErrLimit)
	}
	units *= int64(d.samples.planes())
	d.stored.index = &blockIndex{units: units}
	var stored int64
	for _, e := range []*ifd.Entry{offsets, counts} {
		if e != nil {
			stored += e.Bytes()
		}
		switch {
		case e == nil:
			continue
		case !e.Type.IsUnsigned():
			return fmt.Errorf("%v of type %d: %w", e, e.Type, ErrCorrupt)
		case stored > r.limits.IndexBytes:
			return fmt.Errorf("%v of %d bytes: %w", e, e.Bytes(), ErrLimit)
		case int64(e.Count) < units:
			return fmt.Errorf("%v of %d values for %d blocks: %w", e, e.Count, units, ErrCorrupt)
		}
	}
	if offsets == nil || counts == nil && (units > 1 || d.coding.compression != compressionNone) {
		return fmt.Errorf("no offsets or sizes of blocks: %w", ErrCorrupt)
	}
	d.stored.index.offsets = newIndexArray(offsets, units)
	if counts != nil {
		d.stored.index.counts = newIndexArray(counts, units)
	}
	return nil
}

// chunkBytes is how much of an array is read at a time: the entries of thousands of units, yet a
// small read.
const chunkBytes = 32 << 10

// chunkOf returns the number of the chunk that holds the i-th value, and the value's position in
// it.
func (a *indexArray) chunkOf(i int64) (number int64, within int) {
	shift := bits.TrailingZeros(uint(chunkBytes / a.kind.Size()))
	return i >> shift, int(i & (1<<shift - 1))
}

// chunkRange returns where a chunk lies in the file. The last one may be shorter.
func (a *indexArray) chunkRange(number int64) source.Range {
	start := number * chunkBytes
	return source.Range{Offset: a.offset + start, Length: min(chunkBytes, a.count*int64(a.kind.Size())-start)}
}

// find looks up where a unit is stored, as far as the chunks in l tell. If they do not, known is
// false and l.missing lists the missing chunks. ok is false for a unit that is not stored. The only
// error is a unit that extends beyond the end of the file; where is then the range that the file
// has.
func (x *blockIndex) find(l *lookup, number, fileBytes int64) (where source.Range, ok, known bool, err error) {
	offset, known := l.value(x, &x.offsets, number)
	if known && offset == 0 {
		return source.Range{}, false, true, nil
	}
	count := uint64(0)
	if x.counts.exists() {
		var alsoKnown bool
		count, alsoKnown = l.value(x, &x.counts, number)
		known = known && alsoKnown
	}
	if count == 0 && x.units == 1 { // some writers omit the size of an only strip
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
