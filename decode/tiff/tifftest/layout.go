package tifftest

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
)

// layout places directories and blocks in a file. Sizes do not depend on offsets, so it places
// everything before it writes anything.
type layout struct {
	file        File
	order       binary.ByteOrder
	directories []*directory
}

// add adds an image and its children and returns the image's index.
func (l *layout) add(img Image, chained bool) (int, error) {
	d, err := newDirectory(img, l.order)
	if err != nil {
		return 0, err
	}
	d.chained = chained
	index := len(l.directories)
	l.directories = append(l.directories, d)
	for i, child := range img.Children {
		at, err := l.add(child, false)
		if err != nil {
			return 0, fmt.Errorf("child %d: %w", i, err)
		}
		d.children = append(d.children, at)
	}
	l.addLinked(d)
	return index, nil
}

// addLinked adds the directories that tags of d point to.
func (l *layout) addLinked(d *directory) {
	d.linked = make(map[uint16]int)
	for _, tag := range d.replaced {
		if tags, ok := tag.Value.([]Tag); ok {
			below := &directory{bare: true, replaced: tags}
			d.linked[tag.ID] = len(l.directories)
			l.directories = append(l.directories, below)
			l.addLinked(below)
		}
	}
}

func (l *layout) encode() ([]byte, error) {
	if len(l.directories) == 0 {
		return nil, errors.New("a file without images")
	}
	size, err := l.place()
	if err != nil {
		return nil, err
	}
	if !l.file.BigTIFF && size > math.MaxUint32 {
		return nil, fmt.Errorf("%d bytes do not fit a classic TIFF", size)
	}
	out := make([]byte, size)
	copy(out[copy(out, l.header()):], l.file.Ghost)
	var chain []*directory
	for _, d := range l.directories {
		if d.chained {
			chain = append(chain, d)
		}
	}
	for _, d := range l.directories {
		next := uint64(0)
		if i := slices.Index(chain, d); i >= 0 && i+1 < len(chain) {
			next = chain[i+1].at
		}
		bytes, err := l.directoryBytes(d, next)
		if err != nil {
			return nil, err
		}
		copy(out[d.at:], bytes)
		for i, block := range d.blocks {
			copy(out[d.blocksAt[i]:], block)
			if l.file.Ghost != "" && block != nil {
				l.frame(out, d.blocksAt[i], block)
			}
		}
	}
	return out, nil
}

// place decides where everything goes and returns the size of the file.
func (l *layout) place() (uint64, error) {
	at := evenUp(uint64(len(l.header()) + len(l.file.Ghost)))
	for _, d := range l.directories {
		d.blocksAt = make([]uint64, len(d.blocks))
	}
	if l.file.COG {
		if err := l.placeDirectories(&at, l.directories...); err != nil {
			return 0, err
		}
		if l.file.Ghost != "" {
			l.placeFramed(&at)
			return at, nil
		}
		for _, d := range slices.Backward(l.directories) {
			d.placeBlocks(&at)
		}
		return at, nil
	}
	for _, d := range l.directories {
		d.placeBlocks(&at)
		if err := l.placeDirectories(&at, d); err != nil {
			return 0, err
		}
	}
	return at, nil
}

func (l *layout) placeDirectories(at *uint64, directories ...*directory) error {
	for _, d := range directories {
		d.at = *at
		bytes, err := l.directoryBytes(d, 0)
		if err != nil {
			return err
		}
		*at = evenUp(*at + uint64(len(bytes)))
	}
	return nil
}

// placeBlocks places the blocks one after the other. Those that are not stored stay at 0.
func (d *directory) placeBlocks(at *uint64) {
	for i, block := range d.blocks {
		if block != nil {
			d.blocksAt[i] = *at
			*at = evenUp(*at + uint64(len(block)))
		}
	}
}

func evenUp(at uint64) uint64 { return at + at&1 }

// header returns the first bytes of the file, including the offset of the first directory.
func (l *layout) header() []byte {
	mark := "II"
	if l.file.BigEndian {
		mark = "MM"
	}
	first := l.directories[0].at
	if !l.file.BigTIFF {
		out := appendNumber([]byte(mark), l.order, 42, 2)
		return appendNumber(out, l.order, first, 4)
	}
	out := appendNumber([]byte(mark), l.order, 43, 2)
	out = appendNumber(out, l.order, 8, 2)
	out = appendNumber(out, l.order, 0, 2)
	return appendNumber(out, l.order, first, 8)
}

// directoryBytes returns a directory, followed by the values that are too long for their entries.
func (l *layout) directoryBytes(d *directory, next uint64) ([]byte, error) {
	countBytes, entryBytes, wordBytes := 2, 12, 4
	if l.file.BigTIFF {
		countBytes, entryBytes, wordBytes = 8, 20, 8
	}
	tags := l.allTags(d)
	out := appendNumber(nil, l.order, uint64(len(tags)), countBytes)
	var long []byte
	longAt := evenUp(d.at + uint64(countBytes+len(tags)*entryBytes+wordBytes))
	for _, tag := range tags {
		fieldType, count, value, err := tag.encoded(l.order)
		if err != nil {
			return nil, err
		}
		out = appendNumber(out, l.order, uint64(tag.ID), 2)
		out = appendNumber(out, l.order, uint64(fieldType), 2)
		out = appendNumber(out, l.order, uint64(count), wordBytes)
		if len(value) <= wordBytes {
			out = append(out, value...)
			out = append(out, make([]byte, wordBytes-len(value))...)
			continue
		}
		out = appendNumber(out, l.order, longAt+uint64(len(long)), wordBytes)
		long = append(long, value...)
		long = append(long, make([]byte, len(long)&1)...)
	}
	out = appendNumber(out, l.order, next, wordBytes)
	out = append(out, make([]byte, int(longAt-d.at)-len(out))...)
	return append(out, long...), nil
}

// allTags returns the tags of a directory in numeric order. Image.Tags override the others.
func (l *layout) allTags(d *directory) []Tag {
	counts := make([]uint64, len(d.blocks))
	for i, block := range d.blocks {
		counts[i] = uint64(len(block))
	}
	offsetsTag, countsTag := uint16(tagStripOffsets), uint16(tagStripByteCounts)
	if d.tiled {
		offsetsTag, countsTag = tagTileOffsets, tagTileByteCounts
	}
	tags := slices.Clone(d.tags)
	if !d.bare {
		tags = append(tags, l.numbers(offsetsTag, d.blocksAt), l.numbers(countsTag, counts))
	}
	if len(d.children) > 0 {
		var at []uint64
		for _, child := range d.children {
			at = append(at, l.directories[child].at)
		}
		tag := l.numbers(tagSubIFDs, at)
		tag.Type = typeIFD
		if l.file.BigTIFF {
			tag.Type = typeIFD8
		}
		tags = append(tags, tag)
	}
	for _, own := range d.replaced {
		tags = slices.DeleteFunc(tags, func(tag Tag) bool { return tag.ID == own.ID })
		if at, ok := d.linked[own.ID]; ok {
			own = l.numbers(own.ID, []uint64{l.directories[at].at})
		}
		if own.Value != nil {
			tags = append(tags, own)
		}
	}
	slices.SortStableFunc(tags, func(a, b Tag) int { return int(a.ID) - int(b.ID) })
	return tags
}

// numbers returns a tag of offsets or sizes, in the file's offset size.
func (l *layout) numbers(id uint16, values []uint64) Tag {
	if l.file.BigTIFF {
		return Tag{ID: id, Value: values}
	}
	narrow := make([]uint32, len(values))
	for i, value := range values {
		narrow[i] = uint32(value)
	}
	return Tag{ID: id, Value: narrow}
}
