package nitf

import (
	"bytes"
	"context"
	"fmt"
	"slices"

	"tileserver/decode/blocks"
	"tileserver/decode/nitf/masks"
	"tileserver/decode/pool"
	"tileserver/raster"
	"tileserver/source"
)

// read reads a batch of blocks. It reserves all memory before it allocates, fetches everything in
// one call, and decodes it in one more.
func (m *blockImage) read(ctx context.Context, plans []blockPlan, bands []int, reserved int64) ([]raster.Tile, error) {
	release, err := m.file.config.Pool.Reserve(ctx, reserved)
	if err != nil {
		return nil, err
	}
	defer release()
	var pieces []*piece
	for i := range plans {
		b := &plans[i]
		b.buffer = raster.NewBuffer(m.coding.layout.Type, b.rect.Width(), b.rect.Height(), len(bands))
		for j := range b.pieces {
			if p := &b.pieces[j]; p.at.state == masks.Stored && p.lost == nil {
				p.aim(b.buffer)
				pieces = append(pieces, p)
			}
		}
	}
	if err := m.fetch(ctx, plans, pieces); err != nil {
		return nil, err
	}
	if err := m.decode(ctx, pieces); err != nil {
		return nil, err
	}
	tiles := make([]raster.Tile, len(plans))
	for i := range plans {
		tiles[i] = m.finish(&plans[i], bands)
	}
	return tiles, context.Cause(ctx)
}

// aim sets what receives the samples of a piece.
func (p *piece) aim(block *raster.Buffer) {
	p.job.Samples = p.samples
	if p.rows != nil {
		p.job.Target = p.rows
		return
	}
	p.job.Target, p.job.FirstBand = block, p.firstBand
}

// fetch reads the stored bytes of all pieces.
func (m *blockImage) fetch(ctx context.Context, plans []blockPlan, pieces []*piece) error {
	var ranges []source.Range
	for _, p := range pieces {
		ranges = append(ranges, p.ranges...)
	}
	if len(ranges) == 0 {
		if !hasLost(plans) {
			return nil
		}
		ranges = []source.Range{{Length: 1}} // fails if the file has grown since
	}
	parts, err := m.file.src.ReadRanges(ctx, ranges)
	if err != nil {
		return err
	}
	for _, p := range pieces {
		p.job.Source = parts[0]
		if len(p.ranges) > 1 {
			p.job.Source = bytes.Join(parts[:len(p.ranges)], nil)
		}
		parts = parts[len(p.ranges):]
		if m.strips != nil {
			p.job.Source = m.strips.stream(p.entry, p.job.Source)
		}
	}
	return nil
}

// decode decodes all pieces. It records those that are corrupt as lost.
func (m *blockImage) decode(ctx context.Context, pieces []*piece) error {
	corrupt, err := m.decodeJobs(ctx, pieces)
	if err != nil {
		return fmt.Errorf("%s: %w", describeCompression(m.header), err)
	}
	for _, failed := range corrupt {
		p := pieces[failed.Index]
		p.lost = failed.Err
		for i := range p.samples {
			clear(p.job.Target.Plane(p.job.FirstBand + i))
		}
	}
	return nil
}

// decodeJobs decodes the jobs of all pieces. It returns those that are corrupt.
func (m *blockImage) decodeJobs(ctx context.Context, pieces []*piece) (corrupt []pool.TaskError, err error) {
	if m.coding.compression == reducedJPEG {
		return m.enlarge(ctx, pieces)
	}
	jobs := make([]blocks.Job, len(pieces))
	for i, p := range pieces {
		jobs[i] = p.job
	}
	corrupt, err = m.coding.codecs.Decode(ctx, m.file.config.Pool, m.coding.compression, jobs)
	for i, p := range pieces {
		p.job.Lost = jobs[i].Lost
	}
	return corrupt, err
}

// finish sets the validity of a block and freezes it.
func (m *blockImage) finish(b *blockPlan, bands []int) raster.Tile {
	for i := range b.pieces {
		p := &b.pieces[i]
		if p.rows != nil && p.lost == nil && p.at.state == masks.Stored {
			p.copyRows(b.buffer)
		}
		for j := range p.samples {
			m.markPiece(b.buffer, p, p.firstBand+j)
		}
	}
	m.attachLosses(b)
	for i, band := range bands {
		noted := &m.info.Bands[band]
		b.buffer.MaskValue(i, noted.NoData, noted.HasNoData)
	}
	return b.buffer.Freeze()
}

// markPiece marks the pixels of a band that a piece does not have, and pad pixels, as invalid.
func (m *blockImage) markPiece(buffer *raster.Buffer, p *piece, band int) {
	if p.lost != nil || p.at.state != masks.Stored {
		if m.info.Pad != 0 {
			buffer.Fill(band, m.info.Pad)
		}
		clear(buffer.OwnValidity(band))
		return
	}
	if p.at.hasPads {
		buffer.MaskValue(band, m.info.Pad, true)
	}
	if p.job.Lost != nil {
		m.hideLostRows(buffer, p.job.Lost.Coverage[band-p.firstBand], band)
	}
}

// hideLostRows marks the pixels of a band that a damaged piece lacks as invalid, and sets whole rows
// of them to the pad value.
func (m *blockImage) hideLostRows(buffer *raster.Buffer, valid []uint8, band int) {
	width, of := buffer.Width(), buffer.OwnValidity(band)
	for y := range buffer.Height() {
		row := of[y*width:][:width]
		for x, v := range valid[y*width:][:width] {
			row[x] = min(row[x], v)
		}
		if m.info.Pad != 0 && slices.Max(row) == raster.Invalid {
			buffer.Rows(y, y+1).Fill(band, m.info.Pad)
		}
	}
}

// copyRows copies the samples of rows that were decoded on their own to the block.
func (p *piece) copyRows(block *raster.Buffer) {
	size := block.Type().Size()
	width := block.Width() * size
	for i := range p.samples {
		from, to := p.rows.Plane(i), block.Plane(p.firstBand+i)
		for y := range block.Height() {
			copy(to[y*width:][:width], from[((p.above+y)*p.stride+p.left+p.within.X0)*size:])
		}
	}
}
