package geotiff

import (
	"encoding/binary"
	"math"

	"tileserver/encode/tag"
)

// A directory holds the tags of an image, which are added in ascending order. Its size depends only
// on the number of values. So its place in the file can be reserved before offsets are known.
type directory struct {
	big     bool
	entries []entry
	values  []byte // of all entries, concatenated
}

type entry struct {
	tag        tag.Tag
	kind       tag.Type
	count      int
	start, end int // in values
}

// alignment is the alignment of directories and of values outside them, in bytes.
const alignment = 8

func (d *directory) reset(big bool) {
	d.big, d.entries, d.values = big, d.entries[:0], d.values[:0]
}

// finish adds an entry for the values appended since the last one.
func (d *directory) finish(t tag.Tag, kind tag.Type, count int) {
	start := 0
	if n := len(d.entries); n > 0 {
		start = d.entries[n-1].end
	}
	d.entries = append(d.entries, entry{t, kind, count, start, len(d.values)})
}

// repeated adds a tag with the same value count times.
func (d *directory) repeated(t tag.Tag, count int, value uint16) {
	for range count {
		d.values = binary.LittleEndian.AppendUint16(d.values, value)
	}
	d.finish(t, tag.Short, count)
}

func (d *directory) short(t tag.Tag, value uint16) { d.repeated(t, 1, value) }

func (d *directory) shorts(t tag.Tag, values []uint16) {
	for _, value := range values {
		d.values = binary.LittleEndian.AppendUint16(d.values, value)
	}
	d.finish(t, tag.Short, len(values))
}

func (d *directory) long(t tag.Tag, value int) {
	d.values = binary.LittleEndian.AppendUint32(d.values, uint32(value))
	d.finish(t, tag.Long, 1)
}

func (d *directory) doubles(t tag.Tag, values []float64) {
	for _, value := range values {
		d.values = binary.LittleEndian.AppendUint64(d.values, math.Float64bits(value))
	}
	d.finish(t, tag.Double, len(values))
}

func (d *directory) text(t tag.Tag, text []byte) {
	d.values = append(append(d.values, text...), 0)
	d.finish(t, tag.ASCII, len(text)+1)
}

// offsets adds count zeros, which set replaces later. It returns the number of the entry.
func (d *directory) offsets(t tag.Tag, count int) int {
	kind, size := tag.Long, 4
	if d.big {
		kind, size = tag.Long8, 8
	}
	for range count * size {
		d.values = append(d.values, 0)
	}
	d.finish(t, kind, count)
	return len(d.entries) - 1
}

// set sets a value that offsets added.
func (d *directory) set(entry, index int, value uint64) {
	values := d.values[d.entries[entry].start:]
	if d.big {
		binary.LittleEndian.PutUint64(values[8*index:], value)
	} else {
		binary.LittleEndian.PutUint32(values[4*index:], uint32(value))
	}
}

// inlineBytes returns the bytes of values that fit in an entry. Larger values are stored elsewhere.
func (d *directory) inlineBytes() int {
	if d.big {
		return 8
	}
	return 4
}

// tableBytes returns the size of the table of entries.
func (d *directory) tableBytes() int {
	if d.big {
		return 8 + 20*len(d.entries) + 8
	}
	return 2 + 12*len(d.entries) + 4
}

// size returns the aligned size of the table and all values outside it.
func (d *directory) size() int {
	size := aligned(d.tableBytes())
	for _, e := range d.entries {
		if n := e.end - e.start; n > d.inlineBytes() {
			size += aligned(n)
		}
	}
	return size
}

func aligned(n int) int { return (n + alignment - 1) &^ (alignment - 1) }
