package tiff

import (
	"context"
	"errors"
	"fmt"

	"tileserver/decode"
	"tileserver/raster"
	"tileserver/source"
)

// Image is one image of a file with its overviews and masks.
type Image struct {
	file        *File
	number      int // among the images
	key         string
	family      *family
	levels      []*page
	masks       []*page
	info        raster.Info
	description Description
}

var _ raster.Provider = (*Image)(nil)

func newImage(f *File, number int, fam *family, s *structure) *Image {
	m := &Image{file: f, number: number, family: fam, levels: fam.levels, masks: fam.masks}
	m.key = fmt.Sprintf("%s:%d", f.config.Key, number)
	if number == 0 {
		m.key = fmt.Sprintf("%s:%d", f.config.Key+f.beside.Versions(), number)
	}
	m.readIndexesFrom(f)
	m.info = newInfo(fam)
	m.description = describe(fam, s)
	if number == 0 {
		m.description.Beside = f.beside.Names()
	}
	return m
}

// bandBytes is about what a raster.Band and its name take.
const bandBytes = 256

// newInfo is what an image means, as far as the file says.
func newInfo(fam *family) raster.Info {
	p := fam.full
	info := raster.Info{
		Type: p.dataType, Palette: p.palette,
		Inverted: p.photometric == minIsWhite, Premultiplied: p.premultiplied(),
		Bands: make([]raster.Band, 0, p.samples), Orientation: p.orientation,
		Masked: fam.masks[0] != nil,
	}
	if p.bits < 8*p.dataType.Size() {
		info.Bits = p.bits
	}
	if !p.decodesToRGB() {
		info.Colors = p.colors
	}
	for _, l := range fam.levels {
		info.Levels = append(info.Levels, l.level(p))
	}
	for i := range p.samples {
		info.Bands = append(info.Bands, raster.Band{Color: p.color(i), NoData: p.noData, HasNoData: p.hasNoData})
	}
	fam.annotate(&info)
	if len(info.Bands) > 0 && info.Bands[0].HasNoData {
		info.Pad = info.Bands[0].NoData
	}
	return info
}

// Key begins with that of the file.
func (m *Image) Key() string { return m.key }

// Info says what the image holds.
func (m *Image) Info() *raster.Info { return &m.info }

// Description says how the image is stored.
func (m *Image) Description() Description { return m.description }

// Unsupported says why Blocks cannot give the pixels of the image, if it cannot.
func (m *Image) Unsupported() error { return m.levels[0].unsupported }

// Undisplayable says why the samples of the image must not be shown as gray or as
// red, green and blue, if so. They can be read all the same.
func (m *Image) Undisplayable() error {
	p := m.levels[0]
	if meaning := p.foreignColors(); meaning != "" {
		return fmt.Errorf("photometric interpretation %d (%v): %s: %w", uint16(p.photometric), p.photometric, meaning, decode.ErrUnsupported)
	}
	return nil
}

// Blocks reads and decodes blocks, in parts if they are many.
func (m *Image) Blocks(ctx context.Context, level int, ids []raster.BlockID, bands []int) ([]raster.Tile, error) {
	tiles, err := m.blocks(ctx, level, ids, bands)
	if err != nil {
		return nil, m.failed(level, err)
	}
	return tiles, nil
}

// failed says of an error where it happened, and what it is to others.
func (m *Image) failed(level int, err error) error {
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
