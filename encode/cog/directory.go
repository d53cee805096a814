package cog

import (
	"encoding/binary"
	"math"
)

// A directory holds the tags of one image or mask, in ascending order. Where its blocks are is known
// last, so the values of two of its tags are not in it.
type directory struct {
	entries []entry
	blocks  int // of the level
}

type entry struct {
	tag    tag
	kind   fieldType
	count  int
	values []byte // nil for offsets and sizes of blocks
}

func (d *directory) add(t tag, kind fieldType, count int, values []byte) {
	d.entries = append(d.entries, entry{t, kind, count, values})
}

func (d *directory) shorts(t tag, values ...uint16) {
	var out []byte
	for _, value := range values {
		out = binary.LittleEndian.AppendUint16(out, value)
	}
	d.add(t, typeShort, len(values), out)
}

// number adds a number in the shorter of two types.
func (d *directory) number(t tag, value int) {
	if value <= math.MaxUint16 {
		d.shorts(t, uint16(value))
		return
	}
	d.longs(t, value)
}

func (d *directory) longs(t tag, values ...int) {
	var out []byte
	for _, value := range values {
		out = binary.LittleEndian.AppendUint32(out, uint32(value))
	}
	d.add(t, typeLong, len(values), out)
}

func (d *directory) doubles(t tag, values ...float64) {
	var out []byte
	for _, value := range values {
		out = binary.LittleEndian.AppendUint64(out, math.Float64bits(value))
	}
	d.add(t, typeDouble, len(values), out)
}

// rationals adds whole numbers as fractions.
func (d *directory) rationals(t tag, values ...uint32) {
	var out []byte
	for _, value := range values {
		out = binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(out, value), 1)
	}
	d.add(t, typeRational, len(values), out)
}

func (d *directory) text(t tag, text string) {
	d.add(t, typeASCII, len(text)+1, append([]byte(text), 0))
}

// blockArrays adds the offsets and the sizes of the blocks, which are not known yet.
func (d *directory) blockArrays() {
	d.add(tagTileOffsets, typeLong8, d.blocks, nil)
	d.add(tagTileByteCounts, typeLong, d.blocks, nil)
}
