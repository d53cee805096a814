package pyramid

import (
	"bytes"
	"context"
	"strconv"

	"tileserver/raster"
)

// Masked is a wrapper that treats one more sample value as nodata. A pixel loses its coverage in
// the bands that hold the value.
type Masked struct {
	raster.Provider
	noData float64
	key    string
}

var _ raster.Provider = (*Masked)(nil)

// NewMasked returns source with the pixels that hold noData invalid.
func NewMasked(source raster.Provider, noData float64) *Masked {
	return &Masked{source, noData, source.Key() + ":nodata:" + strconv.FormatFloat(noData, 'g', -1, 64)}
}

// Key returns the key of the source with the nodata value.
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

// IsCached delegates to the source, since masking a cached block is cheap.
func (m *Masked) IsCached(level int, ids []raster.BlockID, bands []int) []bool {
	return areCached(m.Provider, level, ids, bands)
}

// mask returns t with a masked copy of its coverage. The samples are shared.
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
