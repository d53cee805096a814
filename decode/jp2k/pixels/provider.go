package pixels

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"tileserver/decode"
	"tileserver/decode/jp2k/codestream"
	"tileserver/decode/jp2k/components"
	"tileserver/raster"
)

// Image says what the components of a codestream mean.
type Image struct {
	// Key identifies the pixels when all quality layers are decoded.
	Key string

	// Info has all but the levels.
	Info raster.Info

	// Bands has an element for each band of Info.
	Bands []Band

	// HasPads reports that some samples stand for pixels without data. Coarse resolutions blend them
	// with the pixels around, so that the image has none.
	HasPads bool
}

// Band says where the samples of a band come from.
type Band struct {
	Component int

	// Value converts the component's samples to those of the band. Nil means that they are equal.
	Value func(int64) int64

	// IsLookedUp reports that the component's samples are indices into a table.
	IsLookedUp bool
}

// Provider gives the pixels of a codestream. Its levels are the resolutions.
type Provider struct {
	stream *components.Codestream
	key    string
	grid   pixelGrid
	bands  []Band
	info   raster.Info
}

var _ raster.WindowProvider = (*Provider)(nil)

// check returns an error if the codestream lacks a component of the bands.
func (m *Image) check(h *codestream.Header) error {
	if len(m.Bands) == 0 || len(m.Bands) != len(m.Info.Bands) {
		return fmt.Errorf("%d bands with samples of %d: %w", len(m.Info.Bands), len(m.Bands), codestream.ErrCorrupt)
	}
	for i, b := range m.Bands {
		if b.Component < 0 || b.Component >= len(h.Components) {
			return fmt.Errorf("band %d of component %d, of %d: %w", i+1, b.Component+1, len(h.Components), codestream.ErrCorrupt)
		}
	}
	return nil
}

// NewProvider returns a provider of the pixels of a codestream. The bands may come from a file that
// promises more components than the codestream has.
func NewProvider(stream *components.Codestream, image Image) (*Provider, error) {
	header := stream.Header()
	if err := image.check(header); err != nil {
		return nil, err
	}
	p := &Provider{stream: stream, key: image.Key, bands: image.Bands, info: image.Info}
	if layers := stream.Layers(); layers > 0 {
		p.key = fmt.Sprintf("%s:layers=%d", p.key, layers)
	}
	p.grid = newGrid(header, p.components())
	if len(p.grid.levels) == 0 {
		return nil, fmt.Errorf("an image without pixels: %w", codestream.ErrCorrupt)
	}
	if r := p.grid.levels[0]; r.Width() > maxSide || r.Height() > maxSide {
		return nil, fmt.Errorf("an image of %d x %d pixels: %w", r.Width(), r.Height(), codestream.ErrLimit)
	}
	p.info.Levels = p.grid.describe(blockSide(header.Coding.BlockWidth), blockSide(header.Coding.BlockHeight))
	isLookedUp := slices.ContainsFunc(p.bands, func(b Band) bool { return b.IsLookedUp })
	if isLookedUp || image.HasPads || p.info.IsClassified(nil) {
		// Averages of palette indices or classes are meaningless: the average of 1 and 5 is an
		// unrelated class 3. So are those of pixels with data and without.
		p.info.Levels = p.info.Levels[:1]
	}
	return p, nil
}

// maxSide is the maximum width and height of an image in pixels.
const maxSide = 1<<31 - 1

// components returns the components of the bands, each once.
func (p *Provider) components() (numbers []int) {
	for _, b := range p.bands {
		numbers = append(numbers, b.Component)
	}
	slices.Sort(numbers)
	return slices.Compact(numbers)
}

// Blocks have the size of the finest bands' code-blocks in the image, within bounds.
const (
	minBlockSide = 64
	maxBlockSide = 512
)

func blockSide(codeBlock int) int { return min(max(2*codeBlock, minBlockSide), maxBlockSide) }

// Key returns the key of the pixels.
func (p *Provider) Key() string { return p.key }

// Info describes the pixels.
func (p *Provider) Info() *raster.Info { return &p.info }

// Unsupported returns an error if Blocks is known to fail for this image.
func (p *Provider) Unsupported() error {
	for _, c := range p.components() {
		if bits := p.stream.Header().Components[c].Bits; bits > maxSampleBits {
			return fmt.Errorf("component %d of %d bits: %w", c, bits, decode.ErrUnsupported)
		}
	}
	return nil
}

// maxSampleBits is the maximum of the standard.
const maxSampleBits = 38

// Blocks reads and decodes blocks, in batches if they are many.
func (p *Provider) Blocks(ctx context.Context, level int, ids []raster.BlockID, bands []int) ([]raster.Tile, error) {
	tiles, err := p.blocks(ctx, level, ids, bands)
	if err != nil {
		return nil, fmt.Errorf("jp2k: level %d: %w", level, err)
	}
	return tiles, nil
}

// HasWindows returns true for all levels: a window costs what its code-blocks cost.
func (p *Provider) HasWindows(int) bool { return true }

// Window reads and decodes a rectangle of pixels, in batches if it is large.
func (p *Provider) Window(ctx context.Context, level int, rect raster.Rect, bands []int) (raster.Tile, error) {
	return p.Parts(ctx, level, rect, []raster.Rect{rect}, bands)
}

// Parts reads and decodes some parts of a window. At least one must have pixels, and none may overlap
// another. The pixels around them are zeros.
func (p *Provider) Parts(ctx context.Context, level int, rect raster.Rect, parts []raster.Rect, bands []int) (raster.Tile, error) {
	tile, err := p.parts(ctx, level, rect, parts, bands)
	if err != nil {
		return raster.Tile{}, fmt.Errorf("jp2k: level %d: %w", level, err)
	}
	return tile, nil
}

func (p *Provider) blocks(ctx context.Context, level int, ids []raster.BlockID, bands []int) ([]raster.Tile, error) {
	if err := errors.Join(p.info.CheckRequest(level, ids, bands), p.Unsupported()); err != nil {
		return nil, err
	}
	if bands == nil {
		bands = p.info.AllBands()
	}
	outputs := make(map[raster.BlockID]*components.Output, len(ids))
	if err := p.readPatches(ctx, level, p.patchesOf(level, ids, len(bands), outputs), bands); err != nil {
		return nil, err
	}
	made := make(map[raster.BlockID]raster.Tile, len(outputs))
	for id, o := range outputs {
		made[id] = p.tile(o, bands)
	}
	tiles := make([]raster.Tile, len(ids))
	for i, id := range ids {
		tiles[i] = made[id]
	}
	return tiles, nil
}

func (p *Provider) parts(ctx context.Context, level int, rect raster.Rect, parts []raster.Rect, bands []int) (raster.Tile, error) {
	if err := errors.Join(p.info.CheckWindow(level, rect, bands), p.Unsupported()); err != nil {
		return raster.Tile{}, err
	}
	if bands == nil {
		bands = p.info.AllBands()
	}
	o := &components.Output{Rect: p.grid.pixels(level, rect), Type: p.info.Type, Bands: len(bands)}
	var patches []patch
	for _, part := range parts {
		patches = append(patches, patchesIn(o, p.grid.pixels(level, part.Intersect(rect)))...)
	}
	if err := p.readPatches(ctx, level, patches, bands); err != nil {
		return raster.Tile{}, err
	}
	return p.tile(o, bands), nil
}

// tile returns the tile of an output, with nodata values masked.
func (p *Provider) tile(o *components.Output, bands []int) raster.Tile {
	for i, band := range bands {
		b := &p.info.Bands[band]
		o.Buffer.MaskValue(i, b.NoData, b.HasNoData)
	}
	return o.Buffer.Freeze()
}

// readPatches reads patches in batches.
func (p *Provider) readPatches(ctx context.Context, level int, patches []patch, bands []int) error {
	for _, batch := range p.batches(patches, len(bands)) {
		if err := p.readBatch(ctx, level, batch, bands); err != nil {
			return err
		}
	}
	return context.Cause(ctx)
}

// readBatch reads a batch of patches. It splits the batch if the batch, or the headers of its
// tiles, exceed the available memory. A tile may be as small as a pixel.
func (p *Provider) readBatch(ctx context.Context, level int, patches []patch, bands []int) error {
	r := p.request(level, patches, bands)
	r.InBulk = raster.IsInBulk(ctx)
	first, second := splitPatches(patches)
	if second != nil && r.HeaderBytes() > p.stream.BatchBytes() {
		return p.readBoth(ctx, level, first, second, bands)
	}
	if err := r.Plan(ctx); err != nil {
		return err
	}
	if second != nil && !r.Fits() {
		return p.readBoth(ctx, level, first, second, bands)
	}
	return r.Run(ctx)
}

func (p *Provider) readBoth(ctx context.Context, level int, first, second []patch, bands []int) error {
	if err := p.readBatch(ctx, level, first, bands); err != nil {
		return err
	}
	return p.readBatch(ctx, level, second, bands)
}

// Missing returns which tiles are not stored, and whether the codestream is truncated. known is
// always true.
func (p *Provider) Missing(ctx context.Context) (damage raster.Damage, known bool, err error) {
	l := p.info.Levels[0]
	damage, err = p.stream.Missing(ctx, float64(l.Width)*float64(l.Height)*float64(len(p.info.Bands)))
	if err != nil {
		return damage, true, fmt.Errorf("jp2k: %w", err)
	}
	return damage, true, nil
}
