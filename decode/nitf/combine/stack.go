package combine

import (
	"context"
	"fmt"
	"slices"

	"tileserver/decode/container"
	"tileserver/decode/georeference"
	"tileserver/raster"
)

// stackedImage is a picture that is stored in several segments, one below the other, as radar images
// are that are too large for one. Its parts are the segments.
type stackedImage struct {
	container.Image // the first part, for what is told of all
	key             string
	info            raster.Info
	parts           []container.Image
	tops            []int // rows of the picture above each part
	place           georeference.Georeference
}

var _ raster.SparseProvider = (*stackedImage)(nil)

// Stack returns the picture that parts make, one below the other. All must be alike. place is that of
// the picture.
func Stack(parts []container.Image, place georeference.Georeference) container.Image {
	s := &stackedImage{Image: parts[0], info: *parts[0].Info(), parts: parts, place: place}
	s.key = fmt.Sprintf("%s:stack=%d", parts[0].Key(), len(parts))
	l := s.info.Levels[0]
	l.Height = 0
	for _, p := range parts {
		s.tops = append(s.tops, l.Height)
		l.Height += p.Info().Levels[0].Height
		s.info.Masked = s.info.Masked || p.Info().Masked
	}
	s.info.Levels = []raster.Level{l}
	return s
}

// IsAlike reports whether two images can be parts of one stack.
func IsAlike(m, n container.Image) bool {
	a, b := m.Info(), n.Info()
	isReadable := m.Unsupported() == nil && n.Unsupported() == nil
	return isReadable && len(a.Levels) == 1 && len(b.Levels) == 1 && a.Levels[0].Width == b.Levels[0].Width &&
		a.Type == b.Type && a.Bits == b.Bits && len(a.Bands) == len(b.Bands) && slices.Equal(a.Palette, b.Palette)
}

// Key returns the key of the picture.
func (s *stackedImage) Key() string { return s.key }

// Info describes the picture.
func (s *stackedImage) Info() *raster.Info { return &s.info }

// Georeference returns the georeference of the picture.
func (s *stackedImage) Georeference() georeference.Georeference { return s.place }

// under returns the rectangle of a part that lies in a rectangle of the picture; it may be empty.
func (s *stackedImage) under(part int, rect raster.Rect) raster.Rect {
	rect.Y0, rect.Y1 = rect.Y0-s.tops[part], rect.Y1-s.tops[part]
	return rect.Intersect(s.parts[part].Info().Levels[0].Bounds())
}

// Blocks reads the blocks of the parts under the requested ones, and puts them together.
func (s *stackedImage) Blocks(ctx context.Context, level int, ids []raster.BlockID, bands []int) ([]raster.Tile, error) {
	if err := s.info.CheckRequest(level, ids, bands); err != nil {
		return nil, err
	}
	count := len(bands)
	if bands == nil {
		count = len(s.info.Bands)
	}
	l := s.info.Levels[0]
	stitchers := make([]*raster.Stitcher, len(ids))
	for i, id := range ids {
		stitchers[i] = raster.NewStitcher(s.info.Type, l.Block(id), count)
	}
	for part, m := range s.parts {
		if err := s.putPart(ctx, part, m, stitchers, ids, bands); err != nil {
			return nil, fmt.Errorf("part %d of %d: %w", part+1, len(s.parts), err)
		}
	}
	tiles := make([]raster.Tile, len(ids))
	for i := range tiles {
		tiles[i] = stitchers[i].Freeze()
	}
	return tiles, nil
}

// putPart reads what a part has of the requested blocks.
func (s *stackedImage) putPart(ctx context.Context, part int, m container.Image, to []*raster.Stitcher, ids []raster.BlockID, bands []int) error {
	l := m.Info().Levels[0]
	var needed []raster.BlockID
	for _, id := range ids {
		needed = append(needed, l.Covering(s.under(part, s.info.Levels[0].Block(id)))...)
	}
	if needed = raster.UniqueBlocks(needed); len(needed) == 0 {
		return nil
	}
	tiles, err := m.Blocks(ctx, 0, needed, bands)
	if err != nil {
		return err
	}
	for i, tile := range tiles {
		at := l.Block(needed[i])
		at.Y0, at.Y1 = at.Y0+s.tops[part], at.Y1+s.tops[part]
		for _, stitcher := range to {
			stitcher.Put(tile, at)
		}
	}
	return nil
}

// Empty asks all parts.
func (s *stackedImage) Empty(ctx context.Context, level int, rect raster.Rect) (bool, error) {
	if err := s.info.CheckRequest(level, nil, nil); err != nil {
		return false, err
	}
	for part, m := range s.parts {
		under := s.under(part, rect)
		if under.Empty() {
			continue
		}
		if isEmpty, err := raster.IsEmpty(ctx, m, 0, under); err != nil || !isEmpty {
			return false, err
		}
	}
	return true, nil
}

// Missing asks all parts.
func (s *stackedImage) Missing(ctx context.Context) (all raster.Damage, known bool, err error) {
	var losses []raster.Loss
	isTotal := true
	for _, m := range s.parts {
		damage, partKnown, err := m.Missing(ctx)
		if err != nil {
			return raster.Damage{}, false, err
		}
		losses = append(losses, damage.Losses()...)
		known, isTotal = known || partKnown, isTotal && damage.IsTotal()
	}
	return raster.NewDamage(losses, isTotal), known, nil
}

// AddStorage adds to the facts how the first part is stored, with the size of the picture.
func (s *stackedImage) AddStorage(to *container.Facts) {
	s.Image.AddStorage(to)
	to.Height = s.info.Levels[0].Height
}
