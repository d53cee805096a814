package tiff

import (
	"context"

	"tileserver/decode/blocks"
	"tileserver/decode/tiff/blockindex"
	"tileserver/source"
)

// Each block of JPEG 2000 can be decoded at lower resolutions. If the file stores no overviews of an
// image, the resolutions of its blocks are its overviews. Coarser levels would have tiny blocks; they
// are built from the last one like those of other files.

// minHalvedSide is the smallest side of a block at a lower resolution.
const minHalvedSide = 64

// addResolutions adds the resolutions of blocks as levels.
func (f *File) addResolutions(ctx context.Context, g *imageGroup) error {
	full := g.full
	if full.coding.Codec != blocks.JPEG2000 || full.unsupported != nil || full.colors.Palette != nil || len(g.levels) > 1 {
		return nil
	}
	resolutions, err := f.resolutions(ctx, full)
	for n := 1; n <= resolutions && full.canHalve(n); n++ {
		level := full.halved(n)
		if g.masks[0] != nil && fitOf(g.masks[0], level).IsTooFine() {
			break
		}
		g.levels, g.masks = append(g.levels, level), append(g.masks, g.masks[0])
	}
	return err
}

// resolutions returns how many times the first block that the file stores can be halved. It returns
// 0 if there is no such block among the first ones, or if its header is damaged.
func (f *File) resolutions(ctx context.Context, d *directory) (int, error) {
	const maxHeaderBytes = 32 << 10
	where, err := f.firstUnit(ctx, d)
	if err != nil || where.Length == 0 {
		return 0, err
	}
	where.Length = min(where.Length, maxHeaderBytes)
	head, err := d.stored.src.ReadRanges(ctx, []source.Range{where})
	if err != nil {
		return 0, err
	}
	halvings, err := blocks.Halvings(head[0])
	if err != nil {
		return 0, nil // reading the block tells what is wrong
	}
	return halvings, nil
}

// firstUnit returns where the first stored unit lies, if it is one of the first in the index.
func (f *File) firstUnit(ctx context.Context, d *directory) (source.Range, error) {
	d.stored.index.ReadWith(f.indexReader(d.stored.src))
	const maxLookups = 1 << 12
	l, units := new(blockindex.Lookup), int64(d.unitColumns())*int64(d.unitRows())
	for number := int64(0); number < min(units, maxLookups); {
		where, ok, err := d.stored.index.Find(l, number, d.stored.src.Size())
		switch {
		case ok:
			return where, nil
		case err == nil && l.Missing() > 0:
			if err := l.Load(ctx, l.Missing()); err != nil {
				return source.Range{}, err
			}
			continue
		}
		number++
	}
	return source.Range{}, nil
}

// canHalve reports whether the blocks of the grid still form a grid if their sides are halved so
// many times, and are not too small.
func (g *grid) canHalve(times int) bool {
	pixels := 1 << times
	if g.unitWidth/pixels < minHalvedSide || g.unitHeight/pixels < minHalvedSide {
		return false
	}
	isOnly := g.unitColumns() == 1 && g.unitRows() == 1
	return isOnly || g.tiled && g.unitWidth%pixels == 0 && g.unitHeight%pixels == 0
}

// halved returns the level of d whose sides are halved so many times.
func (d *directory) halved(times int) *directory {
	half := &directory{
		number: d.number, parent: d.parent, subfile: d.subfile, orientation: d.orientation, grid: d.grid,
		samples: d.samples, colors: d.colors, coding: d.coding, stored: d.stored, gdal: d.gdal, location: d.location,
	}
	half.halvings = times
	for _, side := range []*int{&half.width, &half.height, &half.blockWidth, &half.blockHeight, &half.stripHeight, &half.unitWidth, &half.unitHeight} {
		*side = (*side + 1<<times - 1) >> times
	}
	half.coding.Layout.Width, half.coding.Layout.Halvings = half.unitWidth, times
	return half
}
