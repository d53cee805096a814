package tiff

import (
	"context"

	"tileserver/decode"
	"tileserver/decode/jpeg"
	"tileserver/raster"
	"tileserver/source"
)

var _ raster.PictureProvider = (*Image)(nil)

// StoredPicture returns the JPEG or WebP stream of a block, with what it shares with
// others put in. It reads no more than that and the block's mask, in one call, and
// decodes nothing but the mask.
func (m *Image) StoredPicture(ctx context.Context, level int, id raster.BlockID) (raster.StoredPicture, bool, error) {
	if err := m.info.CheckRequest(level, []raster.BlockID{id}, nil); err != nil {
		return raster.StoredPicture{}, false, m.failed(level, err)
	}
	kind := m.pictureKind(m.levels[level])
	if kind == 0 || !m.levels[level].isWhole(m.info.Levels[level].Block(id)) {
		return raster.StoredPicture{}, false, nil
	}
	stored, err := m.storedBlock(ctx, level, id)
	if err != nil {
		return raster.StoredPicture{}, false, m.failed(level, err)
	}
	return stored.picture(kind)
}

// pictureKind is what the blocks of a level are, if a browser shows by one of them
// what the samples of the image mean.
func (m *Image) pictureKind(p *page) raster.PictureKind {
	for _, band := range m.info.Bands {
		if band.HasNoData {
			return 0
		}
	}
	switch {
	case p.unsupported != nil || p.dataType != raster.Uint8 || p.bits != 8 || p.planar || m.info.Colors.Space != raster.RGB:
		return 0
	case p.compression == compressionJPEG && p.samples <= 3 && (m.showsGray(p) || m.showsColors(p)):
		return raster.JPEG
	case p.compression == compressionWebP && p.photometric == rgb && m.showsColors(p):
		return raster.WebP
	}
	return 0
}

// showsGray tells whether the only sample is gray that grows with light.
func (m *Image) showsGray(p *page) bool {
	return p.samples == 1 && p.photometric == minIsBlack &&
		(m.info.Bands[0].Color == raster.Gray || m.info.Bands[0].Color == raster.Undefined)
}

// showsColors tells whether the first samples are red, green and blue once they are
// decoded, and nobody has noted otherwise.
func (m *Image) showsColors(p *page) bool {
	b := m.info.Bands
	return p.samples >= 3 && (p.photometric == rgb || p.layout.JPEG.YCbCr) &&
		b[0].Color == raster.Red && b[1].Color == raster.Green && b[2].Color == raster.Blue
}

// isWhole tells whether a block is all of one unit: a tile at an edge is stored with
// pixels that lie beyond it, and several strips may be one block.
func (p *page) isWhole(block raster.Rect) bool {
	row := block.Y0 / p.unitHeight
	return block.Width() == p.unitWidth && block.Height() == p.storedRows(row)
}

// storedBlock is the bytes of a block of one unit.
type storedBlock struct {
	image  *Image
	page   *page
	rect   raster.Rect
	stream []byte // nil if it is not stored, or masked
}

// storedBlock reads a block, and of its mask what is not known to hide nothing.
func (m *Image) storedBlock(ctx context.Context, level int, id raster.BlockID) (s storedBlock, err error) {
	pl, err := m.plan(ctx, level, []raster.BlockID{id}, m.info.AllBands())
	if err != nil {
		return s, err
	}
	w := &pl.blocks[0]
	s = storedBlock{image: m, page: pl.page, rect: w.rect}
	if w.empty || len(w.parts) != 1 || !w.parts[0].ok || pl.isKnownHidden(w) {
		return s, nil
	}
	const copies = 2 // as read, and as handed on
	unit := w.parts[0].stored
	release, err := m.file.config.Pool.Reserve(ctx, copies*unit.where.Length+int64(len(pl.page.jpegTables))+pl.maskBytes(w))
	if err != nil {
		return s, err
	}
	defer release()
	b := &batch{blocks: pl.blocks, stored: []stored{unit}, ranges: []source.Range{unit.where}, jobs: make([]decode.Job, 1)}
	if len(w.masks) > 0 {
		b.addMasksToLookAt(pl)
	}
	if err := b.fetch(ctx, pl); err != nil {
		return s, err
	}
	if len(w.masks) > 0 {
		hidden, err := b.isHidden(ctx, m.file.config.Pool, w, pl)
		if err != nil || hidden {
			return s, err
		}
	}
	s.stream = b.jobs[0].Source
	return s, nil
}

// picture makes a file of a block, if it can be one. What is wrong with a damaged one
// is for those to say who decode it.
func (s *storedBlock) picture(kind raster.PictureKind) (raster.StoredPicture, bool, error) {
	picture := raster.StoredPicture{Kind: kind, Width: s.rect.Width(), Height: s.rect.Height()}
	switch {
	case s.stream == nil:
	case kind == raster.JPEG:
		picture.Bytes = s.jpeg()
	case kind == raster.WebP:
		picture.Bytes = s.webp()
	}
	if picture.Bytes == nil {
		return raster.StoredPicture{}, false, nil
	}
	return picture, true, nil
}

// jpeg is the stream with its tables, or nil.
func (s *storedBlock) jpeg() []byte {
	whole := jpeg.Standalone{
		Width: s.rect.Width(), Height: s.rect.Height(), Components: s.page.samples,
		RGB: s.page.photometric == rgb, Tables: s.page.jpegTables,
	}
	file, err := whole.File(s.stream)
	if err != nil {
		return nil
	}
	return file
}
