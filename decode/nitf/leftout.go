package nitf

import (
	"context"

	"tileserver/decode/nitf/masks"
	"tileserver/raster"
)

// leftOut is the blocks of a codestream that its mask leaves out. They are tiles of the codestream
// that are not stored, which would be damage without the mask.
type leftOut struct {
	grid  grid
	table *masks.Table
}

// share is the part of a window that lies in one block.
type share struct {
	rect  raster.Rect
	entry int64
}

// shares divides a window of a level at the borders of blocks. A pixel of a level belongs to the block
// with the pixel of level 0 at its position.
func (o *leftOut) shares(level int, rect raster.Rect) (all []share) {
	g := &o.grid
	begin := func(block, side int) int { return (block*side + 1<<level - 1) >> level }
	for row := rect.Y0 << level / g.storedHeight; row <= (rect.Y1-1)<<level/g.storedHeight; row++ {
		for column := rect.X0 << level / g.storedWidth; column <= (rect.X1-1)<<level/g.storedWidth; column++ {
			inside := raster.Rect{
				X0: begin(column, g.storedWidth), Y0: begin(row, g.storedHeight),
				X1: begin(column+1, g.storedWidth), Y1: begin(row+1, g.storedHeight),
			}.Intersect(rect)
			if !inside.Empty() {
				all = append(all, share{inside, int64(min(row, g.rows-1))*int64(g.columns) + int64(min(column, g.columns-1))})
			}
		}
	}
	return all
}

// find returns the entries of parts, and how many of them are left out.
func (o *leftOut) find(ctx context.Context, parts []share) (entries []masks.Entry, absent int, err error) {
	numbers := make([]int64, len(parts))
	for i, p := range parts {
		numbers[i] = p.entry
	}
	if entries, err = o.table.Find(ctx, numbers); err != nil {
		return nil, 0, err
	}
	for _, e := range entries {
		if e.State == masks.Absent {
			absent++
		}
	}
	return entries, absent, nil
}

// window reads a window of a provider without the blocks that are left out.
func (o *leftOut) window(ctx context.Context, p raster.WindowProvider, level int, rect raster.Rect, bands []int) (raster.Tile, error) {
	info := p.Info()
	if err := info.CheckWindow(level, rect, bands); err != nil {
		return raster.Tile{}, err
	}
	parts := o.shares(level, rect)
	entries, absent, err := o.find(ctx, parts)
	if err != nil {
		return raster.Tile{}, err
	}
	if absent == 0 {
		return p.Window(ctx, level, rect, bands)
	}
	count := len(bands)
	if bands == nil {
		count = len(info.Bands)
	}
	s := raster.NewStitcher(info.Type, rect, count)
	for i, part := range parts {
		if entries[i].State == masks.Absent {
			s.LeaveOut(part.rect)
			continue
		}
		tile, err := p.Window(ctx, level, part.rect, bands)
		if err != nil {
			return raster.Tile{}, err
		}
		s.Put(tile, part.rect)
	}
	return s.Freeze(), nil
}

// isEmpty reports whether no block under a rectangle of a level is stored. It is false if that would
// take long to find out.
func (o *leftOut) isEmpty(ctx context.Context, level int, rect raster.Rect) (bool, error) {
	const maxParts = 1 << 16
	columns, rows := rect.Width()<<level/o.grid.storedWidth+2, rect.Height()<<level/o.grid.storedHeight+2
	if columns > maxParts || rows > maxParts || columns*rows > maxParts {
		return false, nil
	}
	parts := o.shares(level, rect)
	_, absent, err := o.find(ctx, parts)
	return absent == len(parts), err
}
