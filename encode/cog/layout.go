package cog

import (
	"encoding/binary"
	"math"

	"tileserver/encode/tag"
)

// A layout says where everything lies in a file.
type layout struct {
	big       bool
	images    []fileImage // in the order of their directories
	arraysAt  int         // where the arrays of offsets and sizes begin
	recordsAt []int64     // of each level
	fileBytes int64
}

// A fileImage is the image or the mask of a level: its directory, and where that and its arrays lie.
type fileImage struct {
	*directory
	level  int
	isMask bool

	at, offsetsAt, sizesAt int
}

// newLayout lays out a file of levels with so many bytes of records. It is a BigTIFF if it must be, or
// if big is set.
func newLayout(images []fileImage, head func(big bool) int, recordBytes []int64, big bool) layout {
	l := layout{big: big, images: images, recordsAt: make([]int64, len(recordBytes))}
	at := head(big)
	for i := range images {
		images[i].at = at
		at += images[i].bytes(big)
	}
	l.arraysAt = at
	for i := range images {
		at = images[i].placeArrays(at, big)
	}
	l.fileBytes = int64(at)
	for level := len(recordBytes) - 1; level >= 0; level-- {
		l.recordsAt[level] = l.fileBytes
		l.fileBytes += recordBytes[level]
	}
	if !big && l.fileBytes > math.MaxUint32 {
		return newLayout(images, head, recordBytes, true)
	}
	return l
}

// inlineBytes returns the bytes of values that fit into an entry. Larger ones lie elsewhere.
func inlineBytes(big bool) int {
	if big {
		return 8
	}
	return 4
}

func (d *directory) tableBytes(big bool) int {
	if big {
		return 8 + 20*len(d.entries) + 8
	}
	return 2 + 12*len(d.entries) + 4
}

// bytes returns the size of a directory with its values, but for the arrays.
func (d *directory) bytes(big bool) int {
	size := aligned(d.tableBytes(big))
	for _, e := range d.entries {
		if len(e.values) > inlineBytes(big) {
			size += aligned(len(e.values))
		}
	}
	return size
}

// offsetBytes returns the size of an offset.
func offsetBytes(big bool) int { return inlineBytes(big) }

// sizeBytes is the size of the size of a block.
const sizeBytes = 4

// placeArrays places the arrays of an image at an offset, unless they fit into its directory. It
// returns where the next ones begin.
func (f *fileImage) placeArrays(at int, big bool) int {
	f.offsetsAt, f.sizesAt = 0, 0
	if n := f.blocks * offsetBytes(big); n > inlineBytes(big) {
		f.offsetsAt = at
		at += n
	}
	if n := f.blocks * sizeBytes; n > inlineBytes(big) {
		f.sizesAt = at
		at += n
	}
	return at
}

// blockValues returns the offset or the size of a block.
type blockValues func(block int) uint64

// append appends the directory, with the values of arrays that fit into it. Next is the offset of the
// following directory, or 0.
func (f *fileImage) append(out []byte, l *layout, next int, offset, size blockValues) []byte {
	values := f.at + aligned(f.tableBytes(l.big))
	var outside []byte
	out = l.appendNumber(out, len(f.entries), 2, 8)
	for _, e := range f.entries {
		kind, inline, at := e.kind, e.values, 0
		switch {
		case e.tag == tag.TileOffsets:
			kind = l.offsetType()
			inline, at = f.array(f.offsetsAt, offsetBytes(l.big), offset)
		case e.tag == tag.TileByteCounts:
			inline, at = f.array(f.sizesAt, sizeBytes, size)
		case len(e.values) > inlineBytes(l.big):
			inline, at = nil, values+len(outside)
			outside = append(outside, e.values...)
			outside = append(outside, make([]byte, aligned(len(outside))-len(outside))...)
		}
		out = binary.LittleEndian.AppendUint16(out, uint16(e.tag))
		out = binary.LittleEndian.AppendUint16(out, uint16(kind))
		out = l.appendNumber(out, e.count, 4, 8)
		if at > 0 {
			out = l.appendNumber(out, at, 4, 8)
			continue
		}
		out = append(out, inline...)
		out = append(out, make([]byte, inlineBytes(l.big)-len(inline))...)
	}
	out = l.appendNumber(out, next, 4, 8)
	out = append(out, make([]byte, aligned(f.tableBytes(l.big))-f.tableBytes(l.big))...)
	return append(out, outside...)
}

func (l *layout) offsetType() tag.Type {
	if l.big {
		return tag.Long8
	}
	return tag.Long
}

// appendNumber appends a number of so many bytes, in a TIFF and in a BigTIFF.
func (l *layout) appendNumber(out []byte, value, classic, big int) []byte {
	n := classic
	if l.big {
		n = big
	}
	return appendBytes(out, uint64(value), n)
}

func appendBytes(out []byte, value uint64, n int) []byte {
	return append(out, binary.LittleEndian.AppendUint64(nil, value)[:n]...)
}

// array returns the values of an array that lies in the directory, or the offset of another one.
func (f *fileImage) array(at, valueBytes int, value blockValues) (inline []byte, offset int) {
	if at > 0 {
		return nil, at
	}
	for block := range f.blocks {
		inline = appendBytes(inline, value(block), valueBytes)
	}
	return inline, 0
}
