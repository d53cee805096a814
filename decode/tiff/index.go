package tiff

import (
	"fmt"
	"math"
	"slices"

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
	index, err := blockindex.New(units, offsets, sizes, d.unlistedSize(), maxBytes)
	d.stored.index = index
	return err
}

// unlistedSize returns how large units are if the directory lacks the array of sizes. One that is not
// compressed has the size of its pixels. One that is ends before the next or with the file.
func (d *directory) unlistedSize() blockindex.Unlisted {
	const (
		maxBytes    = 1 << 50
		headerBytes = 64 << 10
		maxGrowth   = 5 // by compression: of a fax whose pixels alternate
	)
	rows := d.unitHeight
	if d.splitsStrip() {
		rows = d.height
	}
	l := &d.coding.Layout
	atMost := float64(l.BlockBytes(1)) * float64(rows)
	switch {
	case d.coding.Compression != coding.None:
		return blockindex.Unlisted{Bytes: int64(min(maxGrowth*atMost+headerBytes, float64(d.stored.maxUnitBytes))), ToNext: true}
	case atMost > maxBytes:
		return blockindex.Unlisted{Bytes: maxBytes}
	}
	return blockindex.Unlisted{Bytes: int64(l.BlockBytes(rows))}
}

// noteSizes notes that a directory of the image lacks the sizes of its blocks.
func (g *imageGroup) noteSizes() {
	for _, d := range slices.Concat(g.levels, g.masks) {
		if d != nil && d.stored.index != nil && !d.stored.index.HasSizes() {
			g.note("the file does not say how large its blocks are; their sizes are estimated")
			return
		}
	}
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
