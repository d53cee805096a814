package display

import (
	"context"
	"fmt"
	"slices"

	"tileserver/raster"
)

// A computedProvider provides the values computed from a dataset, so that statistics can be taken
// of them. Statistics read blocks alone, so it passes on no capability of the dataset.
type computedProvider struct {
	raster.Provider              // the source dataset
	computation     *computation // what to compute from its blocks
	alpha           int          // the opacity band of the source dataset, or -1
	info            *raster.Info
}

// newComputedProvider returns a provider that computes values of p block by block.
func newComputedProvider(p raster.Provider, c *computation) *computedProvider {
	info := p.Info()
	own := *info
	own.Type, own.Bands = c.dataType, make([]raster.Band, c.outputs())
	own.Palette, own.Inverted, own.Bits = nil, false, 0
	alpha := info.Alpha()
	if slices.Contains(c.bands, alpha) {
		alpha = -1
	}
	return &computedProvider{p, c, alpha, &own}
}

// Key returns the key of the dataset followed by the key of the computation.
func (c *computedProvider) Key() string { return c.Provider.Key() + ":computed:" + c.computation.key() }

// Info describes one band for each output of the computation.
func (c *computedProvider) Info() *raster.Info { return c.info }

// Blocks reads blocks of the dataset and computes their values.
func (c *computedProvider) Blocks(ctx context.Context, level int, ids []raster.BlockID, bands []int) ([]raster.Tile, error) {
	if err := c.info.CheckRequest(level, ids, bands); err != nil {
		return nil, err
	}
	inputs := c.computation.bands
	if c.alpha >= 0 {
		inputs = append(slices.Clone(inputs), c.alpha)
	}
	l := c.info.Levels[level]
	blockBytes := raster.BufferBytes(c.Provider.Info().Type, l.BlockWidth, l.BlockHeight, len(inputs))
	batchBlocks := int(max(1, maxInputBytes/max(blockBytes, 1)))
	computed := make([]raster.Tile, 0, len(ids))
	for batch := range slices.Chunk(ids, batchBlocks) {
		tiles, err := c.Provider.Blocks(ctx, level, batch, inputs)
		if err != nil {
			return nil, fmt.Errorf("computing: %w", err)
		}
		for _, t := range tiles {
			all, err := c.compute(t)
			if err != nil {
				return nil, err
			}
			chosen := extractBands(all, bands)
			chosen.InheritDamage(t)
			computed = append(computed, chosen.Freeze())
		}
	}
	return computed, nil
}

// maxInputBytes limits the source blocks in memory during a computation. It is needed because
// an expression may use any number of bands.
const maxInputBytes = 8 << 20

// compute computes a block. Fully transparent pixels become invalid, so that statistics skip
// them.
func (c *computedProvider) compute(t raster.Tile) (*raster.Buffer, error) {
	b, err := c.computation.compute(t)
	if err != nil || c.alpha < 0 {
		return b, err
	}
	opacity, size := t.Plane(len(c.computation.bands)), t.Type().Size()
	for band := range b.Bands() {
		own := b.OwnValidity(band)
		for i := range own {
			if isZero(opacity[i*size:][:size]) {
				own[i] = raster.Invalid
			}
		}
	}
	return b, nil
}

func isZero(sample []byte) bool {
	for _, part := range sample {
		if part != 0 {
			return false
		}
	}
	return true
}

// extractBands returns some bands of a buffer. Nil selects all.
func extractBands(all *raster.Buffer, bands []int) *raster.Buffer {
	if bands == nil {
		return all
	}
	b := raster.NewBuffer(all.Type(), all.Width(), all.Height(), len(bands))
	for i, band := range bands {
		copy(b.Plane(i), all.Plane(band))
		if coverage := all.Validity(band); coverage != nil {
			copy(b.OwnValidity(i), coverage)
		}
	}
	return b
}
