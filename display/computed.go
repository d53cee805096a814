package display

import (
	"context"
	"fmt"
	"slices"

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
	own.Type, own.Bands = v.dataType, make([]raster.Band, v.outputs())
	own.Palette, own.Inverted, own.Bits = nil, false, 0
	alpha := info.Alpha()
	if slices.Contains(v.bands, alpha) {
		alpha = -1
	}
	return &computed{p, v, alpha, &own}
}

// Key has the expression behind that of the dataset.
func (c *computed) Key() string { return c.Provider.Key() + ":computed:" + c.values.key() }

// Info has one band for each output of the expression.
func (c *computed) Info() *raster.Info { return c.info }

// Blocks computes blocks of the dataset's.
func (c *computed) Blocks(ctx context.Context, level int, ids []raster.BlockID, bands []int) ([]raster.Tile, error) {
	if err := c.info.CheckRequest(level, ids, bands); err != nil {
		return nil, err
	}
	wanted := c.values.bands
	if c.alpha >= 0 {
		wanted = append(slices.Clone(wanted), c.alpha)
	}
	l := c.info.Levels[level]
	blockBytes := raster.BufferBytes(c.Provider.Info().Type, l.BlockWidth, l.BlockHeight, len(wanted))
	atOnce := int(max(1, maxInputBytes/max(blockBytes, 1)))
	made := make([]raster.Tile, 0, len(ids))
	for some := range slices.Chunk(ids, atOnce) {
		tiles, err := c.Provider.Blocks(ctx, level, some, wanted)
		if err != nil {
			return nil, fmt.Errorf("computing: %w", err)
		}
		for _, t := range tiles {
			all, err := c.compute(t)
			if err != nil {
				return nil, err
			}
			made = append(made, chosen(all, bands))
		}
	}
	return made, nil
}

// maxInputBytes is what is held of the dataset while something is computed of it: an
// expression may be of any number of bands.
const maxInputBytes = 8 << 20

// compute leaves out what is wholly transparent, which statistics must not see.
func (c *computed) compute(t raster.Tile) (*raster.Buffer, error) {
	b, err := c.values.of(t)
	if err != nil || c.alpha < 0 {
		return b, err
	}
	opacity, size := t.Plane(len(c.values.bands)), t.Type().Size()
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

// chosen are some bands of what was computed; nil are all.
func chosen(all *raster.Buffer, bands []int) raster.Tile {
	if bands == nil {
		return all.Freeze()
	}
	b := raster.NewBuffer(all.Type(), all.Width(), all.Height(), len(bands))
	for i, band := range bands {
		copy(b.Plane(i), all.Plane(band))
		if coverage := all.Validity(band); coverage != nil {
			copy(b.OwnValidity(i), coverage)
		}
	}
	return b.Freeze()
}
