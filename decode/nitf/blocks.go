package nitf

import (
	"context"
	"errors"
	"fmt"

	"tileserver/decode/blocks"
	"tileserver/decode/nitf/masks"
	"tileserver/raster"
	"tileserver/source"
)

// piece is what one job decodes: a rectangle of a stored block, in one band or in all.
type piece struct {
	entry     int64
	within    raster.Rect // the stored block
	band      int         // as stored; 0 if the piece has all
	firstBand int         // of the block
	samples   []int

	at     location
	ranges []source.Range // to read
	job    blocks.Job
	rows   *raster.Buffer // receives rows that do not begin on whole bytes, or other rows too; or nil
	above  int            // rows in it above those of the piece
	stride int            // samples of a row in it
	left   int            // samples in a row before those of the piece's block
	lost   error          // why it cannot be decoded; nil if it can
}

// blockPlan is a block that was asked for.
type blockPlan struct {
	rect   raster.Rect
	pieces []piece
	buffer *raster.Buffer
}

// firstSample selects the only sample of a piece of one band.
var firstSample = []int{0}

// Blocks reads and decodes blocks. It splits many blocks into batches.
func (m *blockImage) Blocks(ctx context.Context, level int, ids []raster.BlockID, bands []int) ([]raster.Tile, error) {
	tiles, err := m.blocks(ctx, level, ids, bands)
	if err != nil {
		return nil, m.wrapError(err)
	}
	return tiles, nil
}

func (m *blockImage) blocks(ctx context.Context, level int, ids []raster.BlockID, bands []int) ([]raster.Tile, error) {
	if err := m.info.CheckRequest(level, ids, bands); err != nil {
		return nil, err
	}
	if m.unsupported != nil {
		return nil, m.unsupported
	}
	if bands == nil {
		bands = m.info.AllBands()
	}
	plans, err := m.plan(ctx, ids, bands)
	if err != nil {
		return nil, err
	}
	tiles := make([]raster.Tile, 0, len(ids))
	for len(plans) > 0 {
		n, bytes := m.batch(plans, len(bands))
		done, err := m.read(ctx, plans[:n], bands, bytes)
		if err != nil {
			return nil, err
		}
		tiles, plans = append(tiles, done...), plans[n:]
	}
	return tiles, nil
}

// wrapError adds the number of the image to an error, and raster.ErrChanged if the source has
// changed.
func (s *segment) wrapError(err error) error {
	if errors.Is(err, source.ErrChanged) {
		err = fmt.Errorf("%w: %w", raster.ErrChanged, err)
	}
	return fmt.Errorf("nitf: image segment %d: %w", s.number+1, err)
}

// plan divides blocks into pieces and finds where they are stored.
func (m *blockImage) plan(ctx context.Context, ids []raster.BlockID, bands []int) ([]blockPlan, error) {
	plans := make([]blockPlan, len(ids))
	var entries []int64
	for i, id := range ids {
		plans[i] = m.planBlock(m.info.Levels[0].Block(id), bands)
		for _, p := range plans[i].pieces {
			entries = append(entries, p.entry)
		}
	}
	places, err := m.index.find(ctx, entries)
	if err != nil {
		return nil, err
	}
	for i := range plans {
		for j := range plans[i].pieces {
			m.locate(&plans[i].pieces[j], places[0])
			places = places[1:]
		}
	}
	return plans, nil
}

func (m *blockImage) planBlock(rect raster.Rect, bands []int) blockPlan {
	plan := blockPlan{rect: rect}
	number, within := m.grid.storedBlock(rect)
	if !m.coding.isPlanar {
		samples := bands
		if m.coding.layout.Samples == 1 {
			samples = firstSample
		}
		plan.pieces = []piece{{entry: m.coding.entry(number, m.grid.count(), 0), within: within, samples: samples}}
		return plan
	}
	plan.pieces = make([]piece, len(bands))
	for i, band := range bands {
		plan.pieces[i] = piece{entry: m.coding.entry(number, m.grid.count(), band), within: within, band: band, firstBand: i, samples: firstSample}
	}
	return plan
}

// locate sets what to read for a piece, and how to decode it.
func (m *blockImage) locate(p *piece, at location) {
	p.at = at
	switch {
	case at.state == masks.Lost:
		p.lost = errBeyondEnd
	case at.state != masks.Stored:
	case m.coding.isRaw():
		m.locateRaw(p)
	case m.coding.compression == reducedJPEG: // enlarge reads what all pieces have in common
	default:
		p.ranges = []source.Range{at.where}
		p.job = blocks.Job{Layout: &m.coding.layout, Rows: m.grid.storedHeight, TakesParts: m.takesParts()}
		if m.strips != nil {
			m.locateStrips(p)
		}
	}
}

// takesParts reports whether the sound rows of a damaged compressed block are shown. Strips of a stream
// are small, and have rows of their neighbors: one that is damaged is lost.
func (m *blockImage) takesParts() bool {
	c := m.coding.compression
	return c == blocks.CCITTFax3 || c == blocks.JPEG && m.strips == nil
}

func (m *blockImage) locateRaw(p *piece) {
	band := p.band
	if m.coding.isSequential() {
		band = 0
	}
	r := m.raw.piece(m.coding.layout, p.within, band)
	stored, isCut := r.upTo(p.at.where.Length)
	if isCut && (r.isContinuous || totalLength(stored) < int64(r.layout.RowBytes())) {
		p.lost = errCut
		return
	}
	for _, part := range stored {
		part.Offset += p.at.where.Offset
		p.ranges = append(p.ranges, part)
	}
	p.job = blocks.Job{Layout: &r.layout, Rows: p.within.Height(), Column: r.column, TakesParts: isCut}
	if r.isContinuous {
		p.job.Rows, p.stride, p.left = 1, r.stride, r.left
		p.rows = raster.NewBuffer(m.coding.layout.Type, p.within.Height()*p.stride, 1, len(p.samples))
	}
}

// batch returns how many of the blocks to read at a time, and the memory for them. It is at least
// one.
func (m *blockImage) batch(plans []blockPlan, bands int) (n int, bytes int64) {
	bytes = m.pictureBytes(plans)
	for n < len(plans) {
		more := m.bytes(&plans[n], bands)
		if n > 0 && bytes+more > m.file.config.BatchBytes {
			break
		}
		bytes += more
		n++
	}
	return n, bytes
}

// bytes returns roughly the memory for reading a block: what is stored, what comes out, and the
// codec's scratch memory.
func (m *blockImage) bytes(b *blockPlan, bands int) int64 {
	n := raster.BufferBytes(m.coding.layout.Type, b.rect.Width(), b.rect.Height(), bands)
	for i := range b.pieces {
		p := &b.pieces[i]
		if p.job.Layout == nil {
			continue
		}
		stored := totalLength(p.ranges)
		n += stored + blocks.ScratchBytes(m.coding.compression, p.job.Layout, p.job.Rows, stored)
		if len(p.ranges) > 1 || m.strips != nil {
			n += stored // joined, or made a stream
		}
		if p.rows != nil {
			n += raster.BufferBytes(p.rows.Type(), p.rows.Width(), p.rows.Height(), p.rows.Bands())
		}
	}
	return n
}
