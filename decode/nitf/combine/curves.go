package combine

import (
	"context"

	"tileserver/decode/container"
	"tileserver/raster"
)

// curvedImage is an image whose samples are looked up in a table for each band: the curves of red,
// green and blue.
type curvedImage struct {
	container.Image
	info   raster.Info
	tables [][]uint8 // nil for a band that has none
}

var (
	_ raster.SparseProvider = (*curvedImage)(nil)
	_ raster.WindowProvider = (*curvedImage)(nil)
)

// Curved returns an image with the samples that tables have for those of another one, which are
// unsigned integers of 8 or 16 bits. A sample beyond the end of its table is the last one there.
func Curved(m container.Image, tables [][]uint8) container.Image {
	c := &curvedImage{Image: m, info: *m.Info(), tables: tables}
	c.info.Type, c.info.Bits = raster.Uint8, 0
	c.info.Pad = float64(lookUp(tables[0], int(c.info.Pad)))
	c.info.Bands = make([]raster.Band, len(m.Info().Bands))
	for i, b := range m.Info().Bands {
		c.info.Masked = c.info.Masked || b.HasNoData // another sample may have the same value in the table
		b.NoData, b.HasNoData, b.Stored = 0, false, nil
		c.info.Bands[i] = b
	}
	return c
}

func lookUp(table []uint8, sample int) uint8 { return table[min(sample, len(table)-1)] }

// Key returns the key of the samples in the tables.
func (c *curvedImage) Key() string { return c.Image.Key() + ":curves" }

// Info describes the image with the samples in the tables.
func (c *curvedImage) Info() *raster.Info { return &c.info }

// Blocks reads blocks and looks up their samples.
func (c *curvedImage) Blocks(ctx context.Context, level int, ids []raster.BlockID, bands []int) ([]raster.Tile, error) {
	tiles, err := c.Image.Blocks(ctx, level, ids, bands)
	if err != nil {
		return nil, err
	}
	for i, tile := range tiles {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		tiles[i] = c.tile(tile, bands)
	}
	return tiles, nil
}

// HasWindows asks the image.
func (c *curvedImage) HasWindows(level int) bool { return raster.HasWindows(c.Image, level) }

// Window reads a window and looks up its samples.
func (c *curvedImage) Window(ctx context.Context, level int, rect raster.Rect, bands []int) (raster.Tile, error) {
	tile, err := raster.ReadWindow(ctx, c.Image, level, rect, bands)
	if err != nil {
		return raster.Tile{}, err
	}
	return c.tile(tile, bands), nil
}

// Empty asks the image.
func (c *curvedImage) Empty(ctx context.Context, level int, rect raster.Rect) (bool, error) {
	return raster.IsEmpty(ctx, c.Image, level, rect)
}

func (c *curvedImage) tile(tile raster.Tile, bands []int) raster.Tile {
	if bands == nil {
		bands = c.info.AllBands()
	}
	b := raster.NewBuffer(raster.Uint8, tile.Width(), tile.Height(), tile.Bands())
	b.InheritDamage(tile)
	validity := make([][]uint8, tile.Bands())
	for i, band := range bands {
		if tile.Type() == raster.Uint8 {
			lookUpAll(b.Plane(i), raster.Samples[uint8](tile, i), c.tables[band])
		} else {
			lookUpAll(b.Plane(i), raster.Samples[uint16](tile, i), c.tables[band])
		}
		validity[i] = tile.Validity(i)
	}
	return b.Freeze().WithBandValidity(validity)
}

func lookUpAll[T uint8 | uint16](to []uint8, from []T, table []uint8) {
	for i, v := range from {
		to[i] = lookUp(table, int(v))
	}
}
