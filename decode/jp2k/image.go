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

var _ raster.WindowProvider = (*Image)(nil)

func newImage(f *File) (*Image, error) {
	m := &Image{file: f, key: f.config.Key + f.sideData.beside.Versions(), bands: newBands(f.container, f.header)}
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
	m.annotate(f.sideData.noted)
	if m.bands.isLookedUp() || m.info.IsClassified(nil) {
		// Averages of palette indices or classes are meaningless: the average of 1 and 5 is an
		// unrelated class 3.
		m.info.Levels = m.info.Levels[:1]
	}
	return m, nil
}

// Blocks have the size of the finest bands' code-blocks in the image, within bounds.
const (
	minBlockSide = 64
	maxBlockSide = 512
)

func blockSide(codeBlock int) int { return min(max(2*codeBlock, minBlockSide), maxBlockSide) }

// Key returns the key of the image, which begins with the key of the file.
func (m *Image) Key() string { return m.key }

// Info describes the image.
func (m *Image) Info() *raster.Info { return &m.info }

// Unsupported returns an error if Blocks is known to fail for this image.
func (m *Image) Unsupported() error {
	for _, c := range m.bands.components() {
		if bits := m.file.header.Components[c].Bits; bits > maxSampleBits {
			return fmt.Errorf("component %d of %d bits: %w", c, bits, decode.ErrUnsupported)
		}
	}
	return nil
}

// maxSampleBits is the maximum of the standard.
const maxSampleBits = 38

// Undisplayable returns an error if the samples must not be shown as gray or as red, green and
// blue. They can be read nevertheless.
func (m *Image) Undisplayable() error { return m.bands.undisplayable() }

// Blocks reads and decodes blocks, in batches if they are many.
func (m *Image) Blocks(ctx context.Context, level int, ids []raster.BlockID, bands []int) ([]raster.Tile, error) {
	tiles, err := m.blocks(ctx, level, ids, bands)
	if err != nil {
		return nil, fmt.Errorf("jp2k: level %d: %w", level, failure(err))
	}
	return tiles, nil
}

// HasWindows reports that all levels have windows: what is cached are code-blocks.
func (m *Image) HasWindows(int) bool { return true }

// Window reads and decodes a rectangle of pixels, in batches if it is large.
func (m *Image) Window(ctx context.Context, level int, rect raster.Rect, bands []int) (raster.Tile, error) {
	tile, err := m.window(ctx, level, rect, bands)
	if err != nil {
		return raster.Tile{}, fmt.Errorf("jp2k: level %d: %w", level, failure(err))
	}
	return tile, nil
}

// failure converts an error to the errors of other packages.
func failure(err error) error {
	switch {
	case errors.Is(err, source.ErrChanged):
		return fmt.Errorf("%w: %w", raster.ErrChanged, err)
	case errors.Is(err, errUndecodable), errors.Is(err, codestream.ErrUnsupported):
		return fmt.Errorf("%w: %w", decode.ErrUnsupported, err)
	case errors.Is(err, codestream.ErrCorrupt):
		return fmt.Errorf("%w: %w", decode.ErrCorruptBlock, err)
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
	outputs := make(map[raster.BlockID]*output, len(ids))
	if err := m.readPatches(ctx, level, m.patchesOf(level, ids, len(bands), outputs), bands); err != nil {
		return nil, err
	}
	made := make(map[raster.BlockID]raster.Tile, len(outputs))
	for id, o := range outputs {
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
	o := &output{rect: m.grid.pixels(level, rect), dataType: m.info.Type, bands: len(bands)}
	if err := m.readPatches(ctx, level, patchesIn(o), bands); err != nil {
		return raster.Tile{}, err
	}
	return m.tile(o, bands), nil
}

// tile returns the tile of an output, with nodata values masked.
func (m *Image) tile(o *output, bands []int) raster.Tile {
	for i, band := range bands {
		b := &m.info.Bands[band]
		o.buffer.MaskValue(i, b.NoData, b.HasNoData)
	}
	return o.buffer.Freeze()
}

// readPatches reads patches in batches.
func (m *Image) readPatches(ctx context.Context, level int, patches []patch, bands []int) error {
	for _, batch := range m.batches(patches, len(bands)) {
		if err := m.readBatch(ctx, level, batch, bands); err != nil {
			return err
		}
	}
	return context.Cause(ctx)
}

// readBatch reads a batch of patches. It splits the batch if the batch, or the headers of its
// tiles, exceed the available memory. A tile may be as small as a pixel.
func (m *Image) readBatch(ctx context.Context, level int, patches []patch, bands []int) error {
	r := &request{file: m.file}
	for _, p := range patches {
		m.addPatch(r, level, p, bands)
	}
	first, second := splitPatches(patches)
	numbers := r.numbers()
	if second != nil && int64(len(numbers))*m.file.estimates.headers > m.file.config.BatchBytes {
		return m.readBoth(ctx, level, first, second, bands)
	}
	if err := r.plan(ctx, numbers); err != nil {
		return err
	}
	if limit := m.file.config.Pool.MaxReserve(); second != nil && limit > 0 && r.bytes > limit {
		return m.readBoth(ctx, level, first, second, bands)
	}
	return r.run(ctx)
}

func (m *Image) readBoth(ctx context.Context, level int, first, second []patch, bands []int) error {
	if err := m.readBatch(ctx, level, first, bands); err != nil {
		return err
	}
	return m.readBatch(ctx, level, second, bands)
}
