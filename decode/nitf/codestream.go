package nitf

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"tileserver/decode/container"
	"tileserver/decode/jp2k/boxes"
	"tileserver/decode/jp2k/codestream"
	"tileserver/decode/jp2k/components"
	"tileserver/decode/jp2k/pixels"
	"tileserver/decode/nitf/masks"
	"tileserver/raster"
	"tileserver/source"
)

// codestreamImage is an image that is one codestream of JPEG 2000, which may be in a container.
type codestreamImage struct {
	segment
	stream   *components.Codestream
	provider *pixels.Provider
	blocks   *blockMask // nil if all blocks are stored, without pad pixels
}

var (
	_ container.Image       = (*codestreamImage)(nil)
	_ raster.WindowProvider = (*codestreamImage)(nil)
)

// newCodestreamImage opens the codestream of a segment.
func newCodestreamImage(ctx context.Context, s segment, isMasked bool) (*codestreamImage, error) {
	m := &codestreamImage{segment: s}
	content := s.header.Content
	if isMasked {
		offset, err := m.readMask(ctx)
		if err != nil {
			return nil, err
		}
		content = rest(content, offset)
	}
	r, err := codestreamIn(components.NewReader(ctx, s.file.src, content), content)
	if err != nil {
		return nil, err
	}
	config := s.file.config.Codestreams
	config.Key = s.key
	if m.stream, err = components.Open(r, config); err != nil {
		return nil, fmt.Errorf("%w", err)
	}
	m.describe()
	m.describeMask()
	m.provider, err = pixels.NewProvider(m.stream, pixels.Image{Key: s.key, Info: m.info, Bands: m.sources(), HasPads: m.hasPads()})
	if err != nil {
		return nil, err
	}
	m.info = *m.provider.Info()
	return m, nil
}

// codestreamIn returns the reader of the codestream in a segment: all of it, or the one in a JP2.
func codestreamIn(r *components.Reader, content source.Range) (*components.Reader, error) {
	head, err := r.Peek(0, 4)
	if err != nil {
		return nil, err
	}
	if len(head) >= 2 && head[0] == 0xFF && head[1] == 0x4F {
		return r, nil
	}
	c, err := boxes.Read(r, boxes.Limits{})
	if err != nil {
		return nil, err
	}
	inside := source.Range{Offset: content.Offset + c.Codestream.Offset, Length: c.Codestream.Length}
	return r.Section(inside), nil
}

// readMask reads the mask. It returns where the codestream begins, behind it.
func (m *codestreamImage) readMask(ctx context.Context) (int64, error) {
	content := m.header.Content
	grid, err := newGrid(m.header)
	if err != nil {
		return 0, err
	}
	parts, err := m.file.src.ReadRanges(ctx, []source.Range{{Offset: content.Offset, Length: min(masks.HeaderBytes, content.Length)}})
	if err != nil {
		return 0, err
	}
	if m.mask, err = masks.ParseHeader(parts[0], grid.count()); err != nil {
		return 0, err
	}
	if m.mask.Data > content.Length {
		return 0, fmt.Errorf("the file ends within the mask: %w", masks.ErrCorrupt)
	}
	if m.mask.HasBlocks() || m.hasPads() {
		m.blocks = &blockMask{grid: grid, header: m.mask, table: masks.NewTable(m.mask, m.file.src, content, grid.count())}
	}
	return m.mask.Data, nil
}

// hasPads reports whether blocks may have pad pixels.
func (m *codestreamImage) hasPads() bool { return m.mask.HasPad || m.mask.HasPads() }

// describeMask says what the mask means for the pixels.
func (m *codestreamImage) describeMask() {
	m.describePads()
	if m.blocks == nil {
		return
	}
	h := m.stream.Header()
	m.blocks.tileWidth, m.blocks.tileHeight = h.FirstTile.Width(), h.FirstTile.Height()
	if m.hasPads() && !h.Coding.Reversible {
		m.note("pad pixels are told by their value, which the lossy codestream may have changed")
	}
}

// describe says what the components mean. Their number and depth in the codestream count, since
// some writers say others in the subheader.
func (m *codestreamImage) describe() {
	all := m.stream.Header().Components
	bits, isSigned := 0, slices.ContainsFunc(all, func(c codestream.Component) bool { return c.Signed })
	for _, c := range all {
		needed := c.Bits
		if isSigned && !c.Signed {
			needed++
		}
		bits = max(bits, needed)
	}
	const mostBits = 64
	m.info.Type = integerType(min(bits, mostBits), isSigned)
	if bits < 8*m.info.Type.Size() {
		m.info.Bits = bits
	}
	if len(all) == len(m.header.Bands) {
		m.describeBands()
		return
	}
	m.note(fmt.Sprintf("the subheader says %s, but the codestream has %s", container.Counted(len(m.header.Bands), "band"), container.Counted(len(all), "component")))
	m.info.Bands = make([]raster.Band, len(all))
	for i := range m.info.Bands {
		b := &m.info.Bands[i]
		if len(all) == 3 {
			b.Color = raster.Red + raster.Color(i)
		}
		b.Name = fmt.Sprintf("band %d", i+1)
	}
}

// sources returns where the samples of bands come from: each from the component of its number.
func (m *codestreamImage) sources() []pixels.Band {
	bands := make([]pixels.Band, len(m.info.Bands))
	for i := range bands {
		bands[i].Component = i
	}
	return bands
}

// Key returns the key of the image.
func (m *codestreamImage) Key() string { return m.provider.Key() }

// Unsupported says why Blocks cannot read the pixels, or returns nil.
func (m *codestreamImage) Unsupported() error { return m.provider.Unsupported() }

// Blocks reads and decodes blocks.
func (m *codestreamImage) Blocks(ctx context.Context, level int, ids []raster.BlockID, bands []int) ([]raster.Tile, error) {
	if m.blocks == nil {
		tiles, err := m.provider.Blocks(ctx, level, ids, bands)
		return tiles, m.named(err)
	}
	if err := m.info.CheckRequest(level, ids, bands); err != nil {
		return nil, m.wrapError(err)
	}
	tiles := make([]raster.Tile, len(ids))
	for i, id := range ids {
		var err error
		if tiles[i], err = m.Window(ctx, level, m.info.Levels[level].Block(id), bands); err != nil {
			return nil, err
		}
	}
	return tiles, nil
}

// HasWindows reports that all levels have windows.
func (m *codestreamImage) HasWindows(level int) bool { return m.provider.HasWindows(level) }

// Window reads and decodes a rectangle of pixels.
func (m *codestreamImage) Window(ctx context.Context, level int, rect raster.Rect, bands []int) (raster.Tile, error) {
	if m.blocks != nil {
		tile, err := m.blocks.window(ctx, m.provider, level, rect, bands)
		return tile, m.named(err)
	}
	tile, err := m.provider.Window(ctx, level, rect, bands)
	return tile, m.named(err)
}

// Missing returns which tiles of the codestream are not stored. It does not know that of an image
// whose mask leaves out tiles on purpose.
func (m *codestreamImage) Missing(ctx context.Context) (raster.Damage, bool, error) {
	if m.mask.HasBlocks() {
		return raster.Damage{}, false, nil
	}
	damage, known, err := m.provider.Missing(ctx)
	return damage, known, m.named(err)
}

// named adds the number of the image to an error, if there is one.
func (s *segment) named(err error) error {
	if err == nil {
		return nil
	}
	return s.wrapError(err)
}

// AddStorage adds to the facts how the image is stored.
func (m *codestreamImage) AddStorage(to *container.Facts) {
	h := m.stream.Header()
	to.Block, to.Tiled = [2]int{h.FirstTile.Width(), h.FirstTile.Height()}, h.Tiles() > 1
	m.addStorage(to)
	if h.HighThroughput {
		to.Compression = fmt.Sprintf("HTJ2K (IC %s)", m.header.Compression)
	}
	to.Notes = append(to.Notes, m.stream.Notes()...)
}

// isCorruptStream reports whether an error of opening says that a codestream cannot be read.
func isCorruptStream(err error) bool {
	return errors.Is(err, codestream.ErrCorrupt) || errors.Is(err, codestream.ErrUnsupported) || errors.Is(err, codestream.ErrLimit)
}

// Empty reports whether the mask leaves out all blocks under a rectangle.
func (m *codestreamImage) Empty(ctx context.Context, level int, rect raster.Rect) (bool, error) {
	if err := m.info.CheckRequest(level, nil, nil); err != nil {
		return false, m.wrapError(err)
	}
	if m.blocks == nil {
		return false, nil
	}
	isEmpty, err := m.blocks.isEmpty(ctx, level, rect.Intersect(m.info.Levels[level].Bounds()))
	return isEmpty, m.named(err)
}
