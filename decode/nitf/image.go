package nitf

import (
	"context"
	"errors"
	"fmt"

	"tileserver/decode"
	"tileserver/decode/blocks"
	"tileserver/decode/container"
	"tileserver/decode/georeference"
	"tileserver/decode/nitf/masks"
	"tileserver/decode/nitf/rpf"
	"tileserver/decode/nitf/segments"
	"tileserver/raster"
)

// segment is what all images have in common, however they are stored.
type segment struct {
	file   *File
	number int
	key    string
	header *segments.Image
	mask   masks.Header // if there is one
	frame  *rpf.Frame   // if the image is a frame of a map
	info   raster.Info
	place  georeference.Georeference
	notes  []string

	cornersIn string // the extension that has the corners; empty if it is none that is told

	unsupported error
}

// Key returns the key of the image, which begins with the key of the file.
func (s *segment) Key() string { return s.key }

// Info describes the image.
func (s *segment) Info() *raster.Info { return &s.info }

// Unsupported says why Blocks cannot read the pixels, or returns nil.
func (s *segment) Unsupported() error { return s.unsupported }

// Undisplayable returns nil: all samples can be shown in some way.
func (s *segment) Undisplayable() error { return nil }

// Georeference returns the georeference of the image.
func (s *segment) Georeference() georeference.Georeference { return s.place }

func (s *segment) note(text string) {
	if text != "" {
		s.notes = append(s.notes, text)
	}
}

// blockImage is an image whose blocks are decoded each on its own.
type blockImage struct {
	segment
	grid   grid
	coding coding
	raw    raw
	strips *strips // of an image that is one JPEG stream; or nil
	index  index
}

var _ container.Image = (*blockImage)(nil)

// newImage returns the image of a segment. An image that cannot be read is unsupported; errors are
// those of reading the file.
func (f *File) newImage(ctx context.Context, number int) (container.Image, error) {
	m := &blockImage{segment: segment{file: f, number: number, header: &f.structure.Images[number]}}
	m.key = fmt.Sprintf("%s:%d", f.config.Key, number)
	if m.header.Damage != nil {
		m.refuse(m.header.Damage)
		return m, nil
	}
	m.readFrame()
	var err error
	if m.place, err = m.findPlace(ctx, f.noted); err != nil {
		return nil, err
	}
	if number == 0 {
		m.key = fmt.Sprintf("%s:%d", f.config.Key+f.beside.Versions(), number)
	}
	if key, isMasked := compressionOf(m.header); key == "8" || key == "D" {
		var stream *codestreamImage
		if stream, err = newCodestreamImage(ctx, m.segment, isMasked); err == nil {
			return stream.curved(stream), nil
		}
	} else {
		err = m.open(ctx)
	}
	switch {
	case err == nil:
	case errors.Is(err, decode.ErrCorrupt), errors.Is(err, decode.ErrUnsupported), errors.Is(err, segments.ErrLimit), isCorruptStream(err):
		m.refuse(err)
	default:
		return nil, err
	}
	paired, err := f.paired(ctx, m)
	if err != nil {
		return nil, err
	}
	return m.curved(paired), nil
}

// refuse makes the image unsupported. What its header says of it is still told.
func (m *blockImage) refuse(why error) {
	m.unsupported = why
	if m.info.Type == raster.Unknown {
		m.info.Type = raster.Uint8
	}
	if m.grid.blockWidth == 0 {
		m.grid = grid{width: max(m.header.Columns, 1), height: max(m.header.Rows, 1), columns: 1, rows: 1}
		m.grid.storedWidth, m.grid.storedHeight = m.grid.width, m.grid.height
		m.grid.blockWidth, m.grid.blockHeight = m.grid.width, m.grid.height
	}
	m.info.Levels = []raster.Level{m.grid.level()}
	m.describeBands()
	if len(m.info.Bands) == 0 {
		m.info.Bands = []raster.Band{{Name: "band 1"}}
	}
}

func (m *blockImage) open(ctx context.Context) error {
	h := m.header
	s, err := samplesOf(h)
	if err != nil {
		return err
	}
	m.info.Type, m.info.Bits = s.dataType, s.used
	bands := len(h.Bands)
	if made, ok := storedAsComplex(h, s.dataType); ok {
		m.info.Type, s.dataType, s.bits, bands = made, made, 2*s.bits, 1
	}
	if m.grid, err = newGrid(h); err != nil {
		return err
	}
	if bands == 0 {
		return fmt.Errorf("no bands: %w", segments.ErrCorrupt)
	}
	if h.Encrypted {
		return fmt.Errorf("an encrypted image: %w", decode.ErrUnsupported)
	}
	if m.coding, err = newCoding(h, &m.grid, s, bands, m.file.config.Codecs); err != nil {
		return err
	}
	if h.Compression == "C0" {
		m.note("the compression is the writer's own (IC C0); the image is read as uncompressed, since it is as long as that")
	}
	m.raw = newRaw(&m.grid, &m.coding)
	if m.coding.isRaw() || m.coding.compression == reducedJPEG {
		m.grid.divide(s.dataType.Size()*m.coding.bands, m.readBytes(), !m.raw.hasColumns())
	}
	if err := m.coding.layout.Check(); err != nil {
		return err
	}
	if err := m.divideStream(ctx); err != nil {
		return err
	}
	m.info.Levels = []raster.Level{m.grid.level()}
	if m.index, err = m.newIndex(ctx); err != nil {
		return err
	}
	if err := m.checkPicture(ctx); err != nil {
		return err
	}
	m.describeBands()
	if bands < len(h.Bands) {
		m.info.Bands = []raster.Band{{Name: "complex"}}
	}
	m.describeColors()
	m.describePads()
	return m.checkBlocks()
}

// readBytes returns how many bytes are read for one band of a pixel.
func (m *blockImage) readBytes() int {
	return m.coding.layout.Type.Size() * m.coding.layout.Samples
}

// checkBlocks returns an error if a block needs more memory than there may be.
func (m *blockImage) checkBlocks() error {
	width, height := float64(m.grid.blockWidth), float64(m.grid.blockHeight)
	samples := float64(m.coding.bands)
	switch {
	case m.coding.isRaw() && m.coding.mode == "R" && m.raw.isContinuous():
		samples *= samples // the rows of all bands are decoded for each
	case m.coding.isPlanar:
		samples = 1
	}
	bytes := 2 * width * height * samples * float64(m.coding.layout.Type.Size())
	if !m.coding.isRaw() && m.coding.compression != reducedJPEG {
		bytes += float64(blocks.ScratchBytes(m.coding.compression, &m.coding.layout, m.grid.storedHeight, m.mostBytes()))
	}
	if bytes > float64(m.file.config.BlockBytes) {
		return fmt.Errorf("blocks of %dx%d pixels take %.0f bytes: %w", m.grid.blockWidth, m.grid.blockHeight, bytes, segments.ErrLimit)
	}
	return nil
}
