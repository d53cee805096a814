package tiff

import (
	"fmt"
	"math"

	"tileserver/decode/tiff/blockindex"
	"tileserver/decode/tiff/coding"
	"tileserver/decode/tiff/ifd"
	"tileserver/decode/tiff/tag"
	"tileserver/source"
)

// readIndex finds the arrays of offsets and sizes and checks them against the grid of units.
func (d *directory) readIndex(raw *ifd.Directory, maxBytes int64) error {
	offsets, sizes := raw.Entry(tag.StripOffsets), raw.Entry(tag.StripByteCounts)
	if d.tiled && raw.Entry(tag.TileOffsets) != nil {
		offsets, sizes = raw.Entry(tag.TileOffsets), raw.Entry(tag.TileByteCounts)
	}
	units := int64(d.unitColumns()) * int64(d.unitRows())
	if d.splitsStrip() {
		units = 1
	}
	if units > math.MaxInt64/int64(d.samples.Planes()) {
		return fmt.Errorf("%d blocks: %w", units, ErrLimit)
	}
	units *= int64(d.samples.Planes())
	index, err := blockindex.New(units, offsets, sizes, maxBytes)
	if err != nil {
		return err
	}
	if !index.HasSizes() && d.coding.Compression != coding.None {
		return fmt.Errorf("no offsets or sizes of blocks: %w", ErrCorrupt)
	}
	d.stored.index = index
	return nil
}

// readIndexesFrom lets the directories of an image read their indexes on demand.
func (m *Image) readIndexesFrom(f *File) {
	for _, dirs := range [][]*directory{m.levels, m.masks} {
		for _, d := range dirs {
			if d != nil && d.stored.index != nil {
				d.stored.index.ReadWith(f.indexReader(d.stored.src))
			}
		}
	}
}

// indexReader returns the reader of the indexes in a source and creates it on first use.
func (f *File) indexReader(src source.Source) *blockindex.Reader {
	for _, r := range f.indexReaders {
		if r.Source() == src {
			return r
		}
	}
	r := blockindex.NewReader(src, func() *blockindex.Cache { return f.shared().indexes })
	f.indexReaders = append(f.indexReaders, r)
	return r
}
