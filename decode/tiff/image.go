package tiff

import (
	"context"
	"errors"
	"fmt"

	"tileserver/decode"
	"tileserver/decode/tiff/pixel"
	"tileserver/raster"
	"tileserver/source"
)

// Image is one image of a file with its overviews and masks. It provides the image's blocks.
type Image struct {
	file        *File
	number      int // among the images
	key         string
	group       *imageGroup
	levels      []*directory
	masks       []*directory
	info        raster.Info
	description Description
}

var _ raster.Provider = (*Image)(nil)

func newImage(f *File, number int, g *imageGroup, s *structure) *Image {
	m := &Image{file: f, number: number, group: g, levels: g.levels, masks: g.masks}
	m.key = fmt.Sprintf("%s:%d", f.config.Key, number)
	if number == 0 {
		m.key = fmt.Sprintf("%s:%d", f.config.Key+f.beside.Versions(), number)
	}
	m.readIndexesFrom(f)
	m.info = newInfo(g)
	m.description = describe(g, s)
	if number == 0 {
		m.description.Beside = f.beside.Names()
	}
	return m
}

// bandBytes is roughly the size of a raster.Band and its name.
const bandBytes = 256

// newInfo returns what an image means, as far as the file and its side files say.
func newInfo(g *imageGroup) raster.Info {
	d := g.full
	info := raster.Info{
		Type: d.samples.Type, Palette: d.colors.Palette,
		Inverted: d.colors.Photometric == pixel.MinIsWhite, Premultiplied: d.colors.ArePremultiplied(),
		Bands: make([]raster.Band, 0, d.samples.Count), Orientation: d.orientation,
		Masked: g.masks[0] != nil,
	}
	if d.samples.Bits < 8*d.samples.Type.Size() {
		info.Bits = d.samples.Bits
	}
	if !d.colors.AreRGB() {
		info.Colors = d.colors.Model
	}
	for _, l := range g.levels {
		info.Levels = append(info.Levels, l.level(&d.grid))
	}
	for i := range d.samples.Count {
		info.Bands = append(info.Bands, raster.Band{Color: d.colors.Sample(i), NoData: d.gdal.NoData, HasNoData: d.gdal.HasNoData})
	}
	g.Annotate(&info)
	if len(info.Bands) > 0 && info.Bands[0].HasNoData {
		info.Pad = info.Bands[0].NoData
	}
	return info
}

// Key returns the image's key, which begins with that of the file.
func (m *Image) Key() string { return m.key }

// Info returns what the image contains.
func (m *Image) Info() *raster.Info { return &m.info }

// Description returns how the image is stored.
func (m *Image) Description() Description { return m.description }

// Unsupported says why Blocks cannot read the pixels of the image, or returns nil.
func (m *Image) Unsupported() error { return m.levels[0].unsupported }

// Undisplayable says why the samples of the image must not be shown as gray or RGB, or returns nil.
// They can be read in any case.
func (m *Image) Undisplayable() error {
	d := m.levels[0]
	if meaning := d.colors.Problem(); meaning != "" {
		return fmt.Errorf("photometric interpretation %d (%v): %s: %w", uint16(d.colors.Photometric), d.colors.Photometric, meaning, decode.ErrUnsupported)
	}
	return nil
}

// Blocks reads and decodes blocks. It splits many blocks into batches.
func (m *Image) Blocks(ctx context.Context, level int, ids []raster.BlockID, bands []int) ([]raster.Tile, error) {
	tiles, err := m.blocks(ctx, level, ids, bands)
	if err != nil {
		return nil, m.wrapError(level, err)
	}
	return tiles, nil
}

// wrapError adds the image and the level to an error, and raster.ErrChanged if the source has
// changed.
func (m *Image) wrapError(level int, err error) error {
	if errors.Is(err, source.ErrChanged) {
		err = fmt.Errorf("%w: %w", raster.ErrChanged, err)
	}
	return fmt.Errorf("image %d, level %d: %w", m.number+1, level, err)
}

func (m *Image) blocks(ctx context.Context, level int, ids []raster.BlockID, bands []int) ([]raster.Tile, error) {
	if err := m.info.CheckRequest(level, ids, bands); err != nil {
		return nil, err
	}
	if err := m.levels[level].unsupported; err != nil {
		return nil, err
	}
	if bands == nil {
		bands = m.info.AllBands()
	}
	plan, err := m.plan(ctx, level, ids, bands)
	if err != nil {
		return nil, err
	}
	if plan.dir.isDivided() {
		return plan.readParts(ctx)
	}
	tiles := make([]raster.Tile, 0, len(ids))
	for _, batch := range plan.batches(m.file.config.BatchBytes) {
		done, err := m.read(ctx, plan, batch)
		if err != nil {
			return nil, err
		}
		tiles = append(tiles, done...)
	}
	return tiles, nil
}
