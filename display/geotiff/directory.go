package geotiff

import (
	"encoding/binary"
	"math"
)

// directory is the tags of a page, added in ascending order. What it takes in the file depends on how many values there
// are, not on what they are, so that room can be left for it before offsets are known.
type directory struct {
	big     bool
	entries []entry
	values  []byte // of all entries, one after the other
}

type entry struct {
	tag        tag
	kind       fieldType
	count      int
	start, end int // in values
}

// alignment of directories and of values outside of them.
const alignment = 8

func (d *directory) reset(big bool) {
	d.big, d.entries, d.values = big, d.entries[:0], d.values[:0]
}

// finish makes an entry of the values that were appended after the last one.
func (d *directory) finish(t tag, kind fieldType, count int) {
	start := 0
	if n := len(d.entries); n > 0 {
		start = d.entries[n-1].end
	}
	d.entries = append(d.entries, entry{t, kind, count, start, len(d.values)})
}

// repeated adds count times the same value.
func (d *directory) repeated(t tag, count int, value uint16) {
	for range count {
		d.values = binary.LittleEndian.AppendUint16(d.values, value)
	}
	d.finish(t, typeShort, count)
}

func (d *directory) short(t tag, value uint16) { d.repeated(t, 1, value) }

func (d *directory) shorts(t tag, values []uint16) {
	for _, value := range values {
		d.values = binary.LittleEndian.AppendUint16(d.values, value)
	}
	d.finish(t, typeShort, len(values))
}

func (d *directory) long(t tag, value int) {
	d.values = binary.LittleEndian.AppendUint32(d.values, uint32(value))
	d.finish(t, typeLong, 1)
}

func (d *directory) doubles(t tag, values []float64) {
	for _, value := range values {
		d.values = binary.LittleEndian.AppendUint64(d.values, math.Float64bits(value))
	}
	d.finish(t, typeDouble, len(values))
}

func (d *directory) text(t tag, text []byte) {
	d.values = append(append(d.values, text...), 0)
	d.finish(t, typeASCII, len(text)+1)
}

// offsets adds count zeros to be set later, and returns the number of their entry.
func (d *directory) offsets(t tag, count int) int {
	kind, size := typeLong, 4
	if d.big {
		kind, size = typeLong8, 8
	}
	for range count * size {
		d.values = append(d.values, 0)
	}
	d.finish(t, kind, count)
	return len(d.entries) - 1
}

// set sets one of the values that offsets has added.
func (d *directory) set(entry, index int, value uint64) {
	values := d.values[d.entries[entry].start:]
	if d.big {
		binary.LittleEndian.PutUint64(values[8*index:], value)
	} else {
		binary.LittleEndian.PutUint32(values[4*index:], uint32(value))
	}
}

// inlineBytes is what an entry has room for; more of them lie elsewhere.
func (d *directory) inlineBytes() int {
	if d.big {
		return 8
	}
	return 4
}

// tableBytes is the length of what readers find at the directory's offset.
func (d *directory) tableBytes() int {
	if d.big {
		return 8 + 20*len(d.entries) + 8
	}
	return 2 + 12*len(d.entries) + 4
}

// size is the length of the table and all values, aligned.
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
