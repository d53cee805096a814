package tiff

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"

	"tileserver/decode"
	"tileserver/decode/blocks"
	"tileserver/decode/jp2k/codestream"
	"tileserver/decode/jp2k/components"
	"tileserver/decode/jp2k/pixels"
	"tileserver/raster"
)

// A unit of JPEG 2000 may be a whole scene. Decoding it as a block would take seconds and as much
// memory as the scene. So a large unit is divided into parts, which are the blocks of the image. A
// part is read from the codestream of its unit in place: only the code-blocks under it are read, and
// decoded code-blocks are cached with those of JPEG 2000 files. Small units, such as the tiles of
// slides, are decoded as a whole (package blocks), since that costs less than finding code-blocks.

const (
	// maxWholePixels is the size of the largest unit of JPEG 2000 that is decoded as a whole.
	maxWholePixels = 1 << 20

	maxPartSide = 512
	minPartSide = 64
)

// divideCodestreams divides large units of JPEG 2000. An image with masks keeps its units, since a
// mask is read with whole units.
func (g *imageGroup) divideCodestreams() {
	for _, mask := range g.masks {
		if mask != nil {
			return
		}
	}
	for _, level := range g.levels {
		level.divideCodestreams()
	}
}

func (d *directory) divideCodestreams() {
	isOneStream := !d.samples.Planar || d.samples.Count == 1
	pixels := int64(d.unitWidth) * int64(d.unitHeight) << (2 * d.halvings)
	if d.coding.Codec != blocks.JPEG2000 || !isOneStream || pixels <= maxWholePixels || d.blockHeight > d.unitHeight {
		return
	}
	width, height := partSide(d.unitWidth, d.width), partSide(d.unitHeight, d.height)
	if width == 0 || height == 0 {
		return
	}
	d.partWidth, d.partHeight = width, height
	d.stored.maxUnitBytes = math.MaxInt64 // no unit is read as a whole
}

// partSide returns the side of parts of units along one side of an image. No part lies in two units.
// It returns 0 if units have no side that suits.
func partSide(unit, image int) int {
	if unit >= image {
		return min(unit, maxPartSide)
	}
	for side := maxPartSide; side >= minPartSide; side-- {
		if unit%side == 0 {
			return side
		}
	}
	return 0
}

// isDivided reports whether blocks are parts of units.
func (g *grid) isDivided() bool { return g.partWidth > 0 }

// partReader reads blocks that are parts of codestreams, for one call. It opens each codestream once.
type partReader struct {
	plan    *plan
	streams map[raster.BlockID]openedStream // by the position of their unit
}

// openedStream is the pixels of a unit, or why they cannot be read.
type openedStream struct {
	pixels *pixels.Provider
	err    error
}

// readParts reads the blocks of a plan, whose directory is divided.
func (pl *plan) readParts(ctx context.Context) ([]raster.Tile, error) {
	ends := batch{blocks: pl.blocks}
	if err := ends.checkEnds(ctx); err != nil {
		return nil, err
	}
	r := partReader{pl, make(map[raster.BlockID]openedStream)}
	tiles := make([]raster.Tile, len(pl.blocks))
	for i := range pl.blocks {
		var err error
		if tiles[i], err = r.read(ctx, &pl.blocks[i]); err != nil {
			u := &pl.blocks[i].units[0]
			return nil, fmt.Errorf("directory %d, block %d,%d at %v: %w", u.dir.number+1, u.col, u.row, u.where, err)
		}
	}
	return tiles, nil
}

// read returns the tile of a block. Without damage it is the tile of the codestream.
func (r *partReader) read(ctx context.Context, bp *blockPlan) (raster.Tile, error) {
	u := &bp.units[0]
	if bp.empty {
		return r.plan.emptyTile(bp), nil
	}
	if u.lost != nil {
		return r.damagedTile(ctx, bp, raster.Tile{}, nil)
	}
	tile, err := r.window(ctx, u, bp.rect)
	switch {
	case errors.Is(err, decode.ErrCorruptBlock):
		return r.damagedTile(ctx, bp, raster.Tile{}, err)
	case err != nil || tile.Damage().IsZero():
		return tile, err
	case tile.Damage().IsTotal():
		return r.damagedTile(ctx, bp, raster.Tile{}, errors.New(tile.Damage().Losses()[0].Text))
	}
	return r.damagedTile(ctx, bp, tile, nil)
}

// window reads a rectangle of the level, which lies in the unit.
func (r *partReader) window(ctx context.Context, u *blockUnit, rect raster.Rect) (raster.Tile, error) {
	at := raster.BlockID{Col: u.col, Row: u.row}
	opened, ok := r.streams[at]
	if !ok {
		opened.pixels, opened.err = r.open(ctx, u)
		r.streams[at] = opened
	}
	if opened.err != nil {
		return raster.Tile{}, opened.err
	}
	x, y := u.col*u.dir.unitWidth, u.row*u.dir.unitHeight
	inside := raster.Rect{X0: rect.X0 - x, Y0: rect.Y0 - y, X1: rect.X1 - x, Y1: rect.Y1 - y}
	return blocks.ReadResolution(ctx, opened.pixels, u.dir.halvings, inside, u.samples)
}

// open opens the codestream of a unit in the file.
func (r *partReader) open(ctx context.Context, u *blockUnit) (*pixels.Provider, error) {
	m, d := r.plan.image, u.dir
	config := m.file.config.Codestreams
	config.Pool = m.file.config.Pool
	config.Key = fmt.Sprintf("%s:%d:%d,%d", m.key, d.number, u.col, u.row)
	stream := components.NewReader(ctx, d.stored.src, u.where)
	opened, err := blocks.OpenJPEG2000(stream, u.where, config, &d.coding.Layout, d.storedRows(u.row), m.info.Bands)
	switch {
	case errors.Is(err, codestream.ErrUnsupported), errors.Is(err, codestream.ErrLimit):
		return nil, fmt.Errorf("%w: %w", decode.ErrUnsupported, err)
	case errors.Is(err, decode.ErrCorrupt):
		return nil, fmt.Errorf("%w: %w", decode.ErrCorruptBlock, err)
	}
	return opened, err
}

// damagedTile returns the tile of a block of which pixels are lost: those that sound lacks, or all if
// sound is zero.
func (r *partReader) damagedTile(ctx context.Context, bp *blockPlan, sound raster.Tile, why error) (raster.Tile, error) {
	u, bands := &bp.units[0], len(r.plan.bands)
	buffer := raster.NewBuffer(r.plan.dir.samples.Type, bp.rect.Width(), bp.rect.Height(), bands)
	b := batch{blocks: []blockPlan{*bp}, buffers: []*raster.Buffer{buffer}}
	at := lostKey{u.dir, u.plane, u.row, bp.rect.X0}
	switch {
	case !sound.IsZero():
		part := &blocks.Lost{Damage: sound.Damage(), Coverage: make([][]uint8, bands)}
		for i := range bands {
			copy(buffer.Plane(i), sound.Plane(i))
			part.Coverage[i] = sound.Validity(i)
		}
		b.damaged = map[lostKey]*blocks.Lost{at: part}
	case why != nil:
		b.lost = map[lostKey]error{at: cmp.Or(u.cut, why)}
	}
	tiles, err := b.finish(ctx, r.plan)
	if err != nil {
		return raster.Tile{}, err
	}
	return tiles[0], nil
}
