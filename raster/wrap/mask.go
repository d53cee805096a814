package wrap

import (
	"bytes"
	"context"
	"strconv"

	"tileserver/raster"
)

// mask is a wrapper that treats one more sample value as nodata. A pixel loses its coverage in the
// bands that hold the value.
type mask struct {
	raster.Wrapper
	noData float64
	key    string
}

// Mask returns source with the pixels that hold noData invalid.
func Mask(source raster.Provider, noData float64) raster.Provider {
	return &mask{raster.Over(source), noData, source.Key() + ":nodata:" + strconv.FormatFloat(noData, 'g', -1, 64)}
}

// Key returns the key of the source with the nodata value.
func (m *mask) Key() string { return m.key }

// Blocks masks the source's blocks.
func (m *mask) Blocks(ctx context.Context, level int, ids []raster.BlockID, bands []int) ([]raster.Tile, error) {
	tiles, err := m.Provider.Blocks(ctx, level, ids, bands)
	if err != nil {
		return nil, err
	}
	masked := make([]raster.Tile, len(tiles))
	for i, t := range tiles {
		masked[i] = m.apply(t)
	}
	return masked, nil
}

// Window masks a window of the source.
func (m *mask) Window(ctx context.Context, level int, rect raster.Rect, bands []int) (raster.Tile, error) {
	t, err := m.Wrapper.Window(ctx, level, rect, bands)
	if err != nil {
		return raster.Tile{}, err
	}
	return m.apply(t), nil
}

// StoredPicture returns none, since a browser would show the masked pixels.
func (*mask) StoredPicture(context.Context, int, raster.Rect) (raster.StoredPicture, bool, error) {
	return raster.StoredPicture{}, false, nil
}

// apply returns t with a masked copy of its coverage. The samples are shared.
func (m *mask) apply(t raster.Tile) raster.Tile {
	planes := make([][]uint8, t.Bands())
	for b := range planes {
		planes[b] = raster.MaskedValidity(t, b, m.noData)
		if planes[b] == nil {
			planes[b] = bytes.Repeat([]byte{raster.Valid}, t.Width()*t.Height())
		}
	}
	return t.WithBandValidity(planes)
}
