package pyramid

import (
	"bytes"
	"context"
	"strconv"

	"tileserver/raster"
)

// Masked takes one more sample for no data than the source itself does. A pixel
// loses its coverage in the bands that hold that sample.
type Masked struct {
	raster.Provider
	noData float64
	key    string
}

var _ raster.Provider = (*Masked)(nil)

// NewMasked returns source with the pixels that hold noData not valid.
func NewMasked(source raster.Provider, noData float64) *Masked {
	return &Masked{source, noData, source.Key() + ":nodata:" + strconv.FormatFloat(noData, 'g', -1, 64)}
}

// Key returns the source's with the sample that is no data.
func (m *Masked) Key() string { return m.key }

// Blocks masks the source's blocks.
func (m *Masked) Blocks(ctx context.Context, level int, ids []raster.BlockID, bands []int) ([]raster.Tile, error) {
	tiles, err := m.Provider.Blocks(ctx, level, ids, bands)
	if err != nil {
		return nil, err
	}
	masked := make([]raster.Tile, len(tiles))
	for i, t := range tiles {
		masked[i] = m.mask(t)
	}
	return masked, nil
}

// Kept is about the source's blocks: masking them is little work.
func (m *Masked) Kept(level int, ids []raster.BlockID, bands []int) []bool {
	return keptBy(m.Provider, level, ids, bands)
}

// mask works on a copy of the coverage and shares the samples.
func (m *Masked) mask(t raster.Tile) raster.Tile {
	planes := make([][]uint8, t.Bands())
	for b := range planes {
		planes[b] = raster.MaskedValidity(t, b, m.noData)
		if planes[b] == nil {
			planes[b] = bytes.Repeat([]byte{raster.Valid}, t.Width()*t.Height())
		}
	}
	return t.WithBandValidity(planes)
}
