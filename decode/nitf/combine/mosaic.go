package combine

import (
	"context"
	"fmt"
	"slices"

	"tileserver/decode/container"
	"tileserver/decode/georeference"
	"tileserver/decode/rpc"
	"tileserver/geo"
	"tileserver/raster"
)

// mosaic is a picture that is stored in several images, which tile it.
type mosaic struct {
	container.Image // the first part, for what is told of all
	key             string
	info            raster.Info
	parts           []Part
	place           georeference.Georeference
}

// Part is an image and the rectangle of the picture that it has.
type Part struct {
	container.Image
	At raster.Rect
}

var _ raster.SparseProvider = (*mosaic)(nil)

// Mosaic returns the picture that parts make. All must be alike and tile it. place is that of the
// picture.
func Mosaic(parts []Part, place georeference.Georeference) container.Image {
	m := &mosaic{Image: parts[0].Image, info: *parts[0].Info(), parts: parts, place: place}
	m.key = fmt.Sprintf("%s:mosaic=%d", parts[0].Key(), len(parts))
	m.info.Levels = sharedLevels(parts)
	for _, p := range parts {
		m.info.Masked = m.info.Masked || p.Info().Masked
	}
	return m
}

// sharedLevels returns the levels of the picture: those in which all parts begin with a whole pixel.
func sharedLevels(parts []Part) (all []raster.Level) {
	for n, l := range parts[0].Info().Levels {
		l.Width, l.Height = 0, 0
		for i := range parts {
			if !parts[i].fits(n, l) {
				return all
			}
			at := parts[i].at(n)
			l.Width, l.Height = max(l.Width, at.X1), max(l.Height, at.Y1)
		}
		all = append(all, l)
	}
	return all
}

// fits reports whether the part has a level like one of another part, in which it begins with a whole
// pixel.
func (p *Part) fits(level int, like raster.Level) bool {
	levels := p.Info().Levels
	if level >= len(levels) {
		return false
	}
	l, step := levels[level], int(like.ScaleX)
	isAlike := l.ScaleX == like.ScaleX && l.ScaleY == like.ScaleY && l.OffsetX == like.OffsetX && l.OffsetY == like.OffsetY
	return isAlike && float64(step) == like.ScaleX && like.ScaleX == like.ScaleY && p.At.X0%step == 0 && p.At.Y0%step == 0
}

// at returns where the part lies in a level of the picture.
func (p *Part) at(level int) raster.Rect {
	l := p.Info().Levels[level]
	x, y := p.At.X0/int(l.ScaleX), p.At.Y0/int(l.ScaleY)
	return raster.Rect{X0: x, Y0: y, X1: x + l.Width, Y1: y + l.Height}
}

// IsAlike reports whether two images can be parts of one mosaic.
func IsAlike(m, n container.Image) bool {
	a, b := m.Info(), n.Info()
	isReadable := m.Unsupported() == nil && n.Unsupported() == nil
	return isReadable && a.Type == b.Type && a.Bits == b.Bits && len(a.Bands) == len(b.Bands) && slices.Equal(a.Palette, b.Palette)
}

// IsTiled reports whether rectangles tile one that begins at the origin: they cover it, and none
// overlaps another.
func IsTiled(all []raster.Rect) bool {
	var width, height int
	var area float64
	for i, r := range all {
		if r.X0 < 0 || r.Y0 < 0 || r.Empty() {
			return false
		}
		for _, other := range all[:i] {
			if !r.Intersect(other).Empty() {
				return false
			}
		}
		width, height = max(width, r.X1), max(height, r.Y1)
		area += float64(r.Width()) * float64(r.Height())
	}
	return area == float64(width)*float64(height)
}

// Key returns the key of the picture.
func (m *mosaic) Key() string { return m.key }

// Info describes the picture.
func (m *mosaic) Info() *raster.Info { return &m.info }

// Georeference returns the georeference of the picture.
func (m *mosaic) Georeference() georeference.Georeference { return m.place }

// RPC returns the camera model of the first part that has one, as one of the picture.
func (m *mosaic) RPC(ctx context.Context) (*rpc.Model, error) {
	for _, p := range m.parts {
		model, err := p.RPC(ctx)
		if err != nil {
			return nil, err
		}
		if model != nil {
			return modelFrom(model, p.At), nil
		}
	}
	return nil, nil
}

// modelFrom returns the model of a part as one of the picture in which the part lies. Its pixels are
// then those of a larger image.
func modelFrom(model *rpc.Model, at raster.Rect) *rpc.Model {
	chip := geo.Affine{A: 1, E: 1}
	if model.Chip != nil {
		chip = *model.Chip
	}
	first := chip.Apply(geo.Point{X: float64(-at.X0), Y: float64(-at.Y0)})
	chip.C, chip.F = first.X, first.Y
	moved := *model
	moved.Chip = &chip
	return &moved
}

// under returns the rectangle of a part that lies in a rectangle of a level of the picture; it may be
// empty.
func (p *Part) under(level int, rect raster.Rect) raster.Rect {
	at := p.at(level)
	rect = rect.Intersect(at)
	return raster.Rect{X0: rect.X0 - at.X0, Y0: rect.Y0 - at.Y0, X1: rect.X1 - at.X0, Y1: rect.Y1 - at.Y0}
}

// Blocks reads the blocks of the parts under the requested ones, and puts them together.
func (m *mosaic) Blocks(ctx context.Context, level int, ids []raster.BlockID, bands []int) ([]raster.Tile, error) {
	if err := m.info.CheckRequest(level, ids, bands); err != nil {
		return nil, err
	}
	count := len(bands)
	if bands == nil {
		count = len(m.info.Bands)
	}
	stitchers := make([]*raster.Stitcher, len(ids))
	for i, id := range ids {
		stitchers[i] = raster.NewStitcher(m.info.Type, m.info.Levels[level].Block(id), count)
	}
	for i := range m.parts {
		if err := m.putPart(ctx, &m.parts[i], stitchers, level, ids, bands); err != nil {
			return nil, fmt.Errorf("part %d of %d: %w", i+1, len(m.parts), err)
		}
	}
	tiles := make([]raster.Tile, len(ids))
	for i := range tiles {
		tiles[i] = stitchers[i].Freeze()
	}
	return tiles, context.Cause(ctx)
}

// putPart reads what a part has of the requested blocks.
func (m *mosaic) putPart(ctx context.Context, p *Part, to []*raster.Stitcher, level int, ids []raster.BlockID, bands []int) error {
	l, place := p.Info().Levels[level], p.at(level)
	var needed []raster.BlockID
	for _, id := range ids {
		needed = append(needed, l.Covering(p.under(level, m.info.Levels[level].Block(id)))...)
	}
	if needed = raster.UniqueBlocks(needed); len(needed) == 0 {
		return nil
	}
	tiles, err := p.Blocks(ctx, level, needed, bands)
	if err != nil {
		return err
	}
	for i, tile := range tiles {
		at := l.Block(needed[i])
		at = raster.Rect{X0: at.X0 + place.X0, Y0: at.Y0 + place.Y0, X1: at.X1 + place.X0, Y1: at.Y1 + place.Y0}
		for _, stitcher := range to {
			stitcher.Put(tile, at)
		}
	}
	return nil
}

// Empty asks all parts.
func (m *mosaic) Empty(ctx context.Context, level int, rect raster.Rect) (bool, error) {
	if err := m.info.CheckRequest(level, nil, nil); err != nil {
		return false, err
	}
	for i := range m.parts {
		p := &m.parts[i]
		under := p.under(level, rect)
		if under.Empty() {
			continue
		}
		if isEmpty, err := raster.IsEmpty(ctx, p.Image, level, under); err != nil || !isEmpty {
			return false, err
		}
	}
	return true, nil
}

// Missing asks all parts.
func (m *mosaic) Missing(ctx context.Context) (all raster.Damage, known bool, err error) {
	var losses []raster.Loss
	isTotal := true
	for _, p := range m.parts {
		damage, partKnown, err := p.Missing(ctx)
		if err != nil {
			return raster.Damage{}, false, err
		}
		losses = append(losses, damage.Losses()...)
		known, isTotal = known || partKnown, isTotal && damage.IsTotal()
	}
	return raster.NewDamage(losses, isTotal), known, nil
}

// AddStorage adds to the facts how the first part is stored, with the size of the picture.
func (m *mosaic) AddStorage(to *container.Facts) {
	m.Image.AddStorage(to)
	to.Width, to.Height, to.Overviews = m.info.Levels[0].Width, m.info.Levels[0].Height, nil
	for _, l := range m.info.Levels[1:] {
		to.Overviews = append(to.Overviews, [2]int{l.Width, l.Height})
	}
}
