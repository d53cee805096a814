// Package blockindex looks up where the blocks of a TIFF directory lie in the file. A directory has
// an array of offsets and an array of sizes, which may take gigabytes, so they are read in chunks as
// units are requested. Package tiff calls it. An Index owns what is known of its arrays; a Cache
// owns the chunks of all open files and bounds their memory. The package must never know how units
// form a grid, nor what they hold.
//
// Words: a *unit* is what is stored as one, and has a number in the arrays. A *chunk* is a part of
// an array that is read at a time.
package blockindex

import (
	"fmt"

	"tileserver/decode/tiff/ifd"
	"tileserver/source"
)

// Index says where the units of a directory lie in the file. Short arrays are held from opening. It
// is safe for concurrent use once it has a Reader.
type Index struct {
	chunks   *Reader // reads the arrays
	units    int64
	listed   int64 // units that the arrays have
	offsets  array
	sizes    array // in bytes; absent if the directory lacks them
	unlisted Unlisted
}

// Unlisted is the size of units in a directory without an array of sizes.
type Unlisted struct {
	// Bytes is the size of a unit, or its maximum if ToNext is set.
	Bytes int64

	// ToNext says that a unit ends where the next one of the array begins.
	ToNext bool
}

// minListed is the smallest share of the units that the arrays must have. If they have fewer, a small
// file could claim any number of units, and its reader would process all that are lost.
const minListed = 1. / 16

// New checks the two arrays of a directory. If sizes is nil, the units have the unlisted size. The
// arrays may take maxBytes as stored. Units behind the end of an array are lost.
func New(units int64, offsets, sizes *ifd.Entry, unlisted Unlisted, maxBytes int64) (*Index, error) {
	x := &Index{units: units, listed: units, unlisted: unlisted}
	var stored int64
	for _, e := range []*ifd.Entry{offsets, sizes} {
		if e != nil {
			stored += e.Bytes()
		}
		switch {
		case e == nil:
			continue
		case !e.Type.IsUnsigned():
			return nil, fmt.Errorf("%v of type %d: %w", e, e.Type, ifd.ErrCorrupt)
		case stored > maxBytes:
			return nil, fmt.Errorf("%v of %d bytes: %w", e, e.Bytes(), ifd.ErrLimit)
		case float64(e.Count) < minListed*float64(units):
			return nil, fmt.Errorf("%v of %d values for %d blocks: %w", e, e.Count, units, ifd.ErrCorrupt)
		}
		x.listed = min(x.listed, int64(e.Count))
	}
	if offsets == nil {
		return nil, fmt.Errorf("no offsets of blocks: %w", ifd.ErrCorrupt)
	}
	x.offsets = newArray(offsets, x.listed)
	if sizes != nil {
		x.sizes = newArray(sizes, x.listed)
	}
	return x, nil
}

// ReadWith sets what reads the chunks. It must be called before the first lookup.
func (x *Index) ReadWith(r *Reader) { x.chunks = r }

// HasSizes reports whether the directory has an array of sizes.
func (x *Index) HasSizes() bool { return x.sizes.exists() }

// IsComplete reports whether the arrays have all units.
func (x *Index) IsComplete() bool { return x.listed == x.units }

// LargestSize returns the size of the largest unit, if the sizes were read at opening. It leaves out
// units larger than the file, which give an error when they are read.
func (x *Index) LargestSize(fileBytes int64) (largest uint64, known bool) {
	if x.sizes.value == nil {
		return 0, false
	}
	for i := range int(x.listed) {
		if size := x.sizes.at(x.sizes.value, i); size <= uint64(fileBytes) {
			largest = max(largest, size)
		}
	}
	return largest, true
}

// Find looks up where a unit is stored, as far as the chunks in l tell. If they do not, ok is false
// and l has missing chunks. ok is also false for a unit that is not stored. The only errors are a unit
// that extends beyond the end of the file, with the range that the file has, and one that the arrays
// lack.
func (x *Index) Find(l *Lookup, number, fileBytes int64) (where source.Range, ok bool, err error) {
	if number >= x.listed {
		return source.Range{}, false, fmt.Errorf("the arrays of offsets and sizes end after %d of %d blocks: %w", x.listed, x.units, ifd.ErrCorrupt)
	}
	offset, known := l.value(x, &x.offsets, number)
	if known && offset == 0 {
		return source.Range{}, false, nil
	}
	size, sizeKnown := x.size(l, number, offset, uint64(fileBytes))
	known = known && sizeKnown
	if size == 0 && x.units == 1 { // some writers omit the size of an only strip
		size = uint64(fileBytes) - min(offset, uint64(fileBytes))
	}
	switch {
	case !known, size == 0:
		return source.Range{}, false, nil
	case offset > uint64(fileBytes) || size > uint64(fileBytes)-offset:
		begin := min(offset, uint64(fileBytes))
		rest := source.Range{Offset: int64(begin), Length: fileBytes - int64(begin)}
		return rest, false, fmt.Errorf("%d bytes at %d of a file of %d: %w", size, offset, fileBytes, ifd.ErrCorrupt)
	}
	return source.Range{Offset: int64(offset), Length: int64(size)}, true, nil
}

// size looks up the size of a unit at an offset.
func (x *Index) size(l *Lookup, number int64, offset, fileBytes uint64) (size uint64, known bool) {
	if x.sizes.exists() {
		return l.value(x, &x.sizes, number)
	}
	size, known = uint64(x.unlisted.Bytes), true
	if x.unlisted.ToNext && number+1 < x.listed {
		var next uint64
		if next, known = l.value(x, &x.offsets, number+1); next > offset {
			size = min(size, next-offset)
		}
	}
	if offset < fileBytes {
		size = min(size, fileBytes-offset)
	}
	return size, known
}
