package display

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"tileserver/raster"
)

// computed is the values of a dataset as a dataset of its own, to take statistics of.
type computed struct {
	raster.Provider
	values *values
	alpha  int // of the dataset, or -1
	info   *raster.Info
}

// newComputed computes values of a dataset block by block.
func newComputed(p raster.Provider, v *values) *computed {
	info := p.Info()
	own := *info
	own.Type, own.Bands = v.dataType, make([]raster.Band, v.program.Outputs())
	own.Palette, own.Inverted, own.Bits = nil, false, 0
	alpha := info.Alpha()
	if slices.Contains(v.program.Bands(), alpha) {
		alpha = -1
	}
	return &computed{p, v, alpha, &own}
}

const computedMark = ":computed:"

// IsComputed tells of the key of a provider of Measured whether it computes.
func IsComputed(key string) bool { return strings.Contains(key, computedMark) }

// Key has the expression behind that of the dataset.
func (c *computed) Key() string { return c.Provider.Key() + computedMark + c.values.key() }

// Info has one band for each output of the expression.
func (c *computed) Info() *raster.Info { return c.info }

// Blocks computes blocks of the dataset's.
func (c *computed) Blocks(ctx context.Context, level int, ids []raster.BlockID, bands []int) ([]raster.Tile, error) {
	if err := c.info.CheckRequest(level, ids, bands); err != nil {
		return nil, err
	}
	wanted := c.values.program.Bands()
	if c.alpha >= 0 {
		wanted = append(slices.Clone(wanted), c.alpha)
	}
	tiles, err := c.Provider.Blocks(ctx, level, ids, wanted)
	if err != nil {
		return nil, fmt.Errorf("computing: %w", err)
	}
	made := make([]raster.Tile, len(tiles))
	for i, t := range tiles {
		all, err := c.compute(t)
		if err != nil {
			return nil, err
		}
		made[i] = chosen(all, bands)
	}
	return made, nil
}

// compute leaves out what is wholly transparent, which statistics must not see.
func (c *computed) compute(t raster.Tile) (*raster.Buffer, error) {
	inputs := len(c.values.scalings)
	coverage := leastCoverage(t, inputs)
	if c.alpha >= 0 {
		opacity, size := t.Plane(inputs), t.Type().Size()
		for i := range coverage {
			if isZero(opacity[i*size:][:size]) {
				coverage[i] = raster.Invalid
			}
		}
	}
	return c.values.compute(t, coverage)
}

func isZero(sample []byte) bool {
	for _, part := range sample {
		if part != 0 {
			return false
		}
	}
	return true
}

// chosen are some bands of what was computed; nil are all.
func chosen(all *raster.Buffer, bands []int) raster.Tile {
	if bands == nil {
		return all.Freeze()
	}
	b := raster.NewBuffer(all.Type(), all.Width(), all.Height(), len(bands))
	b.SetValidity(all.Validity(0))
	for i, band := range bands {
		copy(b.Plane(i), all.Plane(band))
	}
	return b.Freeze()
}
