package rastertest

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"tileserver/raster"
)

// capable is a source with every capability, as far as a test needs them. Its upper left quarter is
// blank, its windows are cut from blocks, all blocks are cached, and its stored pictures are
// fingerprints of pixels.
type capable struct{ raster.Provider }

// blank returns the blank part of a level.
func (c capable) blank(level int) raster.Rect {
	l := c.Info().Levels[level]
	return raster.Rect{X1: (l.Width + 1) / 2, Y1: (l.Height + 1) / 2}
}

// Blocks returns the blocks of the provider without the blank pixels.
func (c capable) Blocks(ctx context.Context, level int, ids []raster.BlockID, bands []int) ([]raster.Tile, error) {
	tiles, err := c.Provider.Blocks(ctx, level, ids, bands)
	for i := range tiles {
		tiles[i] = without(tiles[i], c.Info().Levels[level].Block(ids[i]), c.blank(level))
	}
	return tiles, err
}

// without returns a tile at a place with the pixels of a rectangle invalid.
func without(t raster.Tile, at, blank raster.Rect) raster.Tile {
	planes := make([][]uint8, t.Bands())
	for b := range planes {
		planes[b] = bytes.Clone(t.Validity(b))
		if planes[b] == nil {
			planes[b] = bytes.Repeat([]byte{raster.Valid}, t.Width()*t.Height())
		}
		hidden := at.Intersect(blank)
		for y := hidden.Y0; y < hidden.Y1; y++ {
			clear(planes[b][(y-at.Y0)*t.Width()+hidden.X0-at.X0:][:hidden.Width()])
		}
	}
	return t.WithBandValidity(planes)
}

// Empty reports whether a rectangle is in the blank part.
func (c capable) Empty(_ context.Context, level int, rect raster.Rect) (bool, error) {
	return rect.Intersect(c.blank(level)) == rect, c.Info().CheckRequest(level, nil, nil)
}

// HasWindows returns true.
func (c capable) HasWindows(int) bool { return true }

// Window cuts a window from blocks.
func (c capable) Window(ctx context.Context, level int, rect raster.Rect, bands []int) (raster.Tile, error) {
	if err := c.Info().CheckWindow(level, rect, bands); err != nil {
		return raster.Tile{}, err
	}
	return readRect(ctx, c, level, rect, bands)
}

// StoredPicture returns the fingerprint of a single pixel. Pixels are the same in every grid of
// blocks, so a wrapper with another grid can pass their pictures on.
func (c capable) StoredPicture(ctx context.Context, level int, rect raster.Rect) (raster.StoredPicture, bool, error) {
	if err := c.Info().CheckWindow(level, rect, nil); err != nil || rect.Width() != 1 || rect.Height() != 1 {
		return raster.StoredPicture{}, false, err
	}
	tile, err := readRect(ctx, c, level, rect, nil)
	if err != nil {
		return raster.StoredPicture{}, false, err
	}
	return raster.StoredPicture{Kind: raster.JPEG, Bytes: []byte(fingerprint(tile)), Width: rect.Width(), Height: rect.Height()}, true, nil
}

// IsCached reports that all blocks are cached.
func (c capable) IsCached(_ int, ids []raster.BlockID, _ []int) []bool {
	cached := make([]bool, len(ids))
	for i := range cached {
		cached[i] = true
	}
	return cached
}

// readRect stitches a rectangle from blocks.
func readRect(ctx context.Context, p raster.Provider, level int, rect raster.Rect, bands []int) (raster.Tile, error) {
	l := p.Info().Levels[level]
	ids := l.Covering(rect)
	tiles, err := p.Blocks(ctx, level, ids, bands)
	if err != nil {
		return raster.Tile{}, err
	}
	s := raster.NewStitcher(tiles[0].Type(), rect, tiles[0].Bands())
	for i, tile := range tiles {
		s.Put(tile, l.Block(ids[i]))
	}
	return s.Freeze(), nil
}

// fingerprint returns a text that is equal for tiles with equal pixels.
func fingerprint(t raster.Tile) string {
	var text strings.Builder
	fmt.Fprint(&text, t.Type(), t.Width(), t.Height())
	for b := range t.Bands() {
		fmt.Fprint(&text, t.Plane(b), t.Validity(b))
	}
	return text.String()
}
