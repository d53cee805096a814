package tiff

import (
	"context"

	jpeg "tileserver/codec/jpeg/decoder"
	"tileserver/decode/blocks"
	"tileserver/decode/tiff/coding"
	"tileserver/decode/tiff/pixel"
	"tileserver/raster"
	"tileserver/source"
)

var _ raster.PictureProvider = (*Image)(nil)

// StoredPicture returns a block as a complete JPEG or WebP picture, with the tables that blocks
// share. It reads only the block and its mask, in one call per file, and decodes at most the mask.
func (m *Image) StoredPicture(ctx context.Context, level int, rect raster.Rect) (raster.StoredPicture, bool, error) {
	if err := m.info.CheckWindow(level, rect, nil); err != nil {
		return raster.StoredPicture{}, false, m.wrapError(level, err)
	}
	id, isBlock := m.info.Levels[level].WholeBlock(rect)
	kind := m.pictureKind(m.levels[level])
	if !isBlock || kind == 0 || !m.levels[level].isOneUnit(rect) {
		return raster.StoredPicture{}, false, nil
	}
	stored, err := m.storedBlock(ctx, level, id)
	if err != nil {
		return raster.StoredPicture{}, false, m.wrapError(level, err)
	}
	return stored.picture(kind)
}

// pictureKind returns the kind of picture that the blocks of a level are. It returns 0 unless a
// browser that shows a block shows what the samples of the image mean.
func (m *Image) pictureKind(d *directory) raster.PictureKind {
	for _, band := range m.info.Bands {
		if band.HasNoData {
			return 0
		}
	}
	switch {
	case d.unsupported != nil || d.samples.Type != raster.Uint8 || d.samples.Bits != 8 || d.samples.Planar || m.info.Colors.Space != raster.RGB:
		return 0
	case d.coding.Compression == coding.JPEG && d.samples.Count <= 3 && (m.showsGray(d) || m.showsColors(d)):
		return raster.JPEG
	case d.coding.Compression == coding.WebP && d.colors.Photometric == pixel.RGB && m.showsColors(d):
		return raster.WebP
	}
	return 0
}

// showsGray reports whether the image has one sample, gray, that grows with brightness.
func (m *Image) showsGray(d *directory) bool {
	return d.samples.Count == 1 && d.colors.Photometric == pixel.MinIsBlack &&
		(m.info.Bands[0].Color == raster.Gray || m.info.Bands[0].Color == raster.Undefined)
}

// showsColors reports whether the first samples decode to RGB, and no metadata says otherwise.
func (m *Image) showsColors(d *directory) bool {
	b := m.info.Bands
	return d.samples.Count >= 3 && (d.colors.Photometric == pixel.RGB || d.colors.Converted) &&
		b[0].Color == raster.Red && b[1].Color == raster.Green && b[2].Color == raster.Blue
}

// storedBlock is the stored bytes of a block of one unit.
type storedBlock struct {
	image  *Image
	dir    *directory
	rect   raster.Rect
	stream []byte // nil if it is not stored or is masked
}

// storedBlock reads a block and those blocks of its mask that are not known to hide nothing.
func (m *Image) storedBlock(ctx context.Context, level int, id raster.BlockID) (s storedBlock, err error) {
	pl, err := m.plan(ctx, level, []raster.BlockID{id}, m.info.AllBands())
	if err != nil {
		return s, err
	}
	bp := &pl.blocks[0]
	s = storedBlock{image: m, dir: pl.dir, rect: bp.rect}
	if bp.empty || len(bp.units) != 1 || !bp.units[0].ok || bp.units[0].cut != nil || pl.isKnownMasked(bp) {
		return s, nil
	}
	const copies = 2 // as read, and as returned
	u := bp.units[0].unit
	release, err := m.file.config.Pool.Reserve(ctx, copies*u.where.Length+int64(len(pl.dir.coding.JPEGTables))+pl.maskBytes(bp))
	if err != nil {
		return s, err
	}
	defer release()
	b := &batch{blocks: pl.blocks, units: []unit{u}, ranges: []source.Range{u.where}, jobs: make([]blocks.Job, 1)}
	if len(bp.masks) > 0 {
		b.addMasksToCheck(pl)
	}
	if err := b.fetch(ctx, pl); err != nil {
		return s, err
	}
	if len(bp.masks) > 0 {
		hidden, err := b.masksAny(ctx, &m.file.config, bp, pl)
		if err != nil || hidden {
			return s, err
		}
	}
	s.stream = b.jobs[0].Source
	return s, nil
}

// picture returns the block as a picture, or false if it cannot be one. Damage is not an error
// here: Blocks reports it.
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

// jpeg returns the stream with its tables, or nil.
func (s *storedBlock) jpeg() []byte {
	whole := jpeg.Standalone{
		Width: s.rect.Width(), Height: s.rect.Height(), Components: s.dir.samples.Count,
		RGB: s.dir.colors.Photometric == pixel.RGB, Tables: s.dir.coding.JPEGTables,
	}
	file, err := whole.File(s.stream)
	if err != nil {
		return nil
	}
	return file
}
