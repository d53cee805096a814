package jp2k

import (
	"context"
	"errors"
	"fmt"

	"tileserver/decode"
	"tileserver/decode/jp2k/codestream"
	"tileserver/raster"
	"tileserver/source"
)

// Image is the image of a file. Its levels are the resolutions of the codestream.
type Image struct {
	file  *File
	key   string
	grid  pixelGrid
	bands bands
	info  raster.Info
}

var _ raster.Windowed = (*Image)(nil)

func newImage(f *File) (*Image, error) {
	m := &Image{file: f, key: f.config.Key + f.around.beside.Versions(), bands: newBands(f.container, f.header)}
	if f.config.Layers > 0 {
		m.key = fmt.Sprintf("%s:layers=%d", m.key, f.config.Layers)
	}
	m.grid = newGrid(f.header, m.bands.components())
	if len(m.grid.levels) == 0 {
		return nil, fmt.Errorf("an image without pixels: %w", codestream.ErrCorrupt)
	}
	if r := m.grid.levels[0]; r.Width() > f.config.Limits.Side || r.Height() > f.config.Limits.Side {
		return nil, fmt.Errorf("an image of %d x %d pixels: %w", r.Width(), r.Height(), codestream.ErrLimit)
	}
	coding := &f.header.Coding
	m.info.Levels = m.grid.describe(blockSide(coding.BlockWidth), blockSide(coding.BlockHeight))
	m.bands.describe(&m.info)
	m.annotate(f.around.noted)
	if m.bands.areLookedUp() || m.info.IsClassified(nil) {
		// The wavelet takes indices and classes for amounts: what it makes of 1 and 5 is a 3 that nobody meant.
		m.info.Levels = m.info.Levels[:1]
	}
	return m, nil
}

// Blocks are as large as code-blocks of the finest bands are in the image, within bounds.
const (
	leastBlockSide = 64
	mostBlockSide  = 512
)

func blockSide(codeBlock int) int { return min(max(2*codeBlock, leastBlockSide), mostBlockSide) }

// Key begins with that of the file.
func (m *Image) Key() string { return m.key }

// Info says what the image holds.
func (m *Image) Info() *raster.Info { return &m.info }

// Unsupported says why Blocks cannot give the pixels of the image, if that is known.
func (m *Image) Unsupported() error {
	for _, c := range m.bands.components() {
		if bits := m.file.header.Components[c].Bits; bits > mostSampleBits {
			return fmt.Errorf("component %d of %d bits: %w", c, bits, decode.ErrUnsupported)
		}
	}
	return nil
}

// mostSampleBits is what the standard allows.
const mostSampleBits = 38

// Undisplayable says why the samples of the image must not be shown as gray or as red, green
// and blue, if so. They can be read all the same.
func (m *Image) Undisplayable() error { return m.bands.undisplayable() }

// Blocks reads and decodes blocks, in parts if they are many.
func (m *Image) Blocks(ctx context.Context, level int, ids []raster.BlockID, bands []int) ([]raster.Tile, error) {
	tiles, err := m.blocks(ctx, level, ids, bands)
	if err != nil {
		return nil, fmt.Errorf("jp2k: level %d: %w", level, failure(err))
	}
	return tiles, nil
}

// HasWindows tells that it has, of all levels: what is stored are code-blocks, which are kept.
func (m *Image) HasWindows(int) bool { return true }

// Window reads and decodes a rectangle of pixels, in parts if it is large.
func (m *Image) Window(ctx context.Context, level int, rect raster.Rect, bands []int) (raster.Tile, error) {
	tile, err := m.window(ctx, level, rect, bands)
	if err != nil {
		return raster.Tile{}, fmt.Errorf("jp2k: level %d: %w", level, failure(err))
	}
	return tile, nil
}

// failure is what an error is to others.
func failure(err error) error {
	switch {
	case errors.Is(err, source.ErrChanged):
		return fmt.Errorf("%w: %w", raster.ErrChanged, err)
	case errors.Is(err, errUndecodable), errors.Is(err, codestream.ErrUnsupported):
		return fmt.Errorf("%w: %w", decode.ErrUnsupported, err)
	case errors.Is(err, codestream.ErrCorrupt):
		return fmt.Errorf("%w: %w", decode.ErrCorrupt, err)
	}
	return err
}

func (m *Image) blocks(ctx context.Context, level int, ids []raster.BlockID, bands []int) ([]raster.Tile, error) {
	if err := errors.Join(m.info.CheckRequest(level, ids, bands), m.Unsupported()); err != nil {
		return nil, err
	}
	if bands == nil {
		bands = m.info.AllBands()
	}
	outlets := make(map[raster.BlockID]*outlet, len(ids))
	if err := m.paintAll(ctx, level, m.patchesOf(level, ids, len(bands), outlets), bands); err != nil {
		return nil, err
	}
	made := make(map[raster.BlockID]raster.Tile, len(outlets))
	for id, o := range outlets {
		made[id] = m.tile(o, bands)
	}
	tiles := make([]raster.Tile, len(ids))
	for i, id := range ids {
		tiles[i] = made[id]
	}
	return tiles, nil
}

func (m *Image) window(ctx context.Context, level int, rect raster.Rect, bands []int) (raster.Tile, error) {
	if err := errors.Join(m.info.CheckWindow(level, rect, bands), m.Unsupported()); err != nil {
		return raster.Tile{}, err
	}
	if bands == nil {
		bands = m.info.AllBands()
	}
	o := &outlet{rect: m.grid.pixels(level, rect), dataType: m.info.Type, bands: len(bands)}
	if err := m.paintAll(ctx, level, patchesIn(o), bands); err != nil {
		return raster.Tile{}, err
	}
	return m.tile(o, bands), nil
}

// tile is what was painted, with what means no data taken out.
func (m *Image) tile(o *outlet, bands []int) raster.Tile {
	for i, band := range bands {
		b := &m.info.Bands[band]
		o.buffer.MaskValue(i, b.NoData, b.HasNoData)
	}
	return o.buffer.Freeze()
}

// paintAll makes patches, some at a time.
func (m *Image) paintAll(ctx context.Context, level int, patches []patch, bands []int) error {
	for _, batch := range m.batches(patches, len(bands)) {
		if err := m.paint(ctx, level, batch, bands); err != nil {
			return err
		}
	}
	return context.Cause(ctx)
}

// paint makes patches: half of them at a time where all together take more memory than there
// is, or the headers of their tiles do, of which there may be one for each pixel.
func (m *Image) paint(ctx context.Context, level int, patches []patch, bands []int) error {
	r := &request{file: m.file}
	for _, p := range patches {
		m.draw(r, level, p, bands)
	}
	first, second := halves(patches)
	numbers := r.numbers()
	if second != nil && int64(len(numbers))*m.file.about.headers > m.file.config.BatchBytes {
		return m.paintBoth(ctx, level, first, second, bands)
	}
	if err := r.plan(ctx, numbers); err != nil {
		return err
	}
	if most := m.file.config.Pool.MaxReserve(); second != nil && most > 0 && r.bytes > most {
		return m.paintBoth(ctx, level, first, second, bands)
	}
	return r.run(ctx)
}

func (m *Image) paintBoth(ctx context.Context, level int, first, second []patch, bands []int) error {
	if err := m.paint(ctx, level, first, bands); err != nil {
		return err
	}
	return m.paint(ctx, level, second, bands)
}
