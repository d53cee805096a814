package cog

import (
	"encoding/binary"
	"math"

	"tileserver/encode/tag"
)

// A directory holds the tags of one image or mask, in ascending order. Where its blocks are is known
// last, so the values of two of its tags are not in it.
type directory struct {
	entries []entry
	blocks  int // of the level
}

type entry struct {
	tag    tag.Tag
	kind   tag.Type
	count  int
	values []byte // nil for offsets and sizes of blocks
}

func (d *directory) add(t tag.Tag, kind tag.Type, count int, values []byte) {
	d.entries = append(d.entries, entry{t, kind, count, values})
}

func (d *directory) shorts(t tag.Tag, values ...uint16) {
	var out []byte
	for _, value := range values {
		out = binary.LittleEndian.AppendUint16(out, value)
	}
	d.add(t, tag.Short, len(values), out)
}

// number adds a number in the shorter of two types.
func (d *directory) number(t tag.Tag, value int) {
	if value <= math.MaxUint16 {
		d.shorts(t, uint16(value))
		return
	}
	d.longs(t, value)
}

func (d *directory) longs(t tag.Tag, values ...int) {
	var out []byte
	for _, value := range values {
		out = binary.LittleEndian.AppendUint32(out, uint32(value))
	}
	d.add(t, tag.Long, len(values), out)
}

func (d *directory) doubles(t tag.Tag, values ...float64) {
	var out []byte
	for _, value := range values {
		out = binary.LittleEndian.AppendUint64(out, math.Float64bits(value))
	}
	d.add(t, tag.Double, len(values), out)
}

// rationals adds whole numbers as fractions.
func (d *directory) rationals(t tag.Tag, values ...uint32) {
	var out []byte
	for _, value := range values {
		out = binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(out, value), 1)
	}
	d.add(t, tag.Rational, len(values), out)
}

func (d *directory) text(t tag.Tag, text string) {
	d.add(t, tag.ASCII, len(text)+1, append([]byte(text), 0))
}

// blockArrays adds the offsets and the sizes of the blocks, which are not known yet.
func (d *directory) blockArrays() {
	d.add(tag.TileOffsets, tag.Long8, d.blocks, nil)
	d.add(tag.TileByteCounts, tag.Long, d.blocks, nil)
}
