package tiff

import (
	"context"
	"errors"
	"fmt"

	"tileserver/decode"
	"tileserver/raster"
	"tileserver/source"
)

// batch is the part of a plan that is in flight at a time.
type batch struct {
	blocks  []wanted
	buffers []*raster.Buffer // one a block; nil for one of which nothing is stored

	stored   []stored       // each once, those of masks last
	ranges   []source.Range // of stored
	jobs     []decode.Job   // of stored
	maskJobs int
	masks    map[raster.BlockID]*raster.Buffer // by their place in the mask's grid
	shared   map[unitKey]int                   // the jobs whose units several blocks may be columns of
	lost     map[lostKey]error                 // why what was read could not be decoded; nil for none
}

// read brings a batch from the file to tiles: everything is reserved before it
// is allocated, fetched in one call, and decoded in one more.
func (m *Image) read(ctx context.Context, pl *plan, blocks []wanted) ([]raster.Tile, error) {
	var total int64
	for i := range blocks {
		total += pl.bytes(&blocks[i])
	}
	release, err := m.file.config.Pool.Reserve(ctx, total)
	if err != nil {
		return nil, err
	}
	defer release()

	b := newBatch(pl, blocks)
	if err := b.fetch(ctx, pl); err != nil {
		return nil, err
	}
	if err := b.decode(ctx, m.file.config.Pool, pl); err != nil {
		return nil, err
	}
	return b.finish(ctx, pl)
}

func newBatch(pl *plan, blocks []wanted) *batch {
	b := &batch{blocks: blocks, buffers: make([]*raster.Buffer, len(blocks))}
	for i := range blocks {
		w := &blocks[i]
		if w.empty {
			continue
		}
		b.buffers[i] = raster.NewBuffer(pl.page.dataType, w.rect.Width(), w.rect.Height(), len(pl.bands))
		for _, p := range w.parts {
			if p.ok {
				b.add(p, b.buffers[i], w.rect)
			}
		}
	}
	b.narrow(0)
	b.addMasks(pl)
	return b
}

// addMasks makes the jobs of the masks of all blocks, behind those of pixels.
func (b *batch) addMasks(pl *plan) {
	pixelJobs := len(b.jobs)
	for i := range b.blocks {
		for _, m := range b.blocks[i].masks {
			b.addMask(m, pl)
		}
	}
	b.narrow(pixelJobs)
	b.maskJobs = len(b.jobs) - pixelJobs
}

// add makes the job of a unit, whose pixels go to where they lie in the rectangle of
// a block.
func (b *batch) add(p part, block *raster.Buffer, rect raster.Rect) {
	page, rows := p.page, p.page.storedRows(p.row)
	target, y := block, p.row*page.unitHeight-rect.Y0
	if end := min(y+rows, block.Height()); y > 0 || end < block.Height() {
		target = block.Rows(y, end)
	}
	column := rect.X0 - p.col*page.unitWidth
	if page.inColumns() && b.join(p, decode.Columns{Column: column, Target: target}) {
		return
	}
	b.stored = append(b.stored, p.stored)
	b.ranges = append(b.ranges, p.where)
	b.jobs = append(b.jobs, decode.Job{
		Layout: page.layoutOf(p.plane), Rows: rows, Target: target, Column: column, FirstBand: p.firstBand, Samples: p.samples,
	})
}

// fetch gives the jobs what is stored, in one call for each file that holds some of
// it. A batch of a sparse file may have none.
func (b *batch) fetch(ctx context.Context, pl *plan) error {
	if err := b.checkEnds(ctx); err != nil {
		return err
	}
	if pl.mask == nil || pl.mask.src == pl.page.src {
		return b.fetchFrom(ctx, pl.page.src, 0, len(b.jobs))
	}
	if err := b.fetchFrom(ctx, pl.page.src, 0, b.pixelJobs()); err != nil {
		return err
	}
	return b.fetchFrom(ctx, pl.mask.src, b.pixelJobs(), len(b.jobs))
}

// fetchFrom gives the jobs from first to before end what a file holds of them.
func (b *batch) fetchFrom(ctx context.Context, src source.Source, first, end int) error {
	if first == end {
		return nil
	}
	sources, err := src.ReadRanges(ctx, b.ranges[first:end])
	if err != nil {
		return err
	}
	for i, stored := range sources {
		b.jobs[first+i].Source = stored
	}
	return nil
}

// decode runs the jobs.
func (b *batch) decode(ctx context.Context, pool *decode.Pool, pl *plan) error {
	if err := b.decodeJobs(ctx, pool, pl.page.codec, 0, b.pixelJobs()); err != nil {
		return err
	}
	return b.decodeMasks(ctx, pool, pl)
}

// decodeMasks runs the jobs of masks in a call of their own, since they may be
// compressed otherwise.
func (b *batch) decodeMasks(ctx context.Context, pool *decode.Pool, pl *plan) error {
	if b.maskJobs == 0 {
		return nil
	}
	if err := b.decodeJobs(ctx, pool, pl.mask.codec, b.pixelJobs(), len(b.jobs)); err != nil {
		return fmt.Errorf("mask: %w", err)
	}
	return nil
}

// decodeJobs runs the jobs from first to before end. Those whose bytes are corrupt are lost, and no
// other is for that.
func (b *batch) decodeJobs(ctx context.Context, pool *decode.Pool, codec decode.Compression, first, end int) error {
	corrupt, err := pool.Decode(ctx, codec, b.jobs[first:end])
	if err != nil {
		return b.named(err, first)
	}
	for _, failed := range corrupt {
		if err := b.lose(ctx, pool, codec, first+failed.Index, failed.Err); err != nil {
			return b.named(err, first)
		}
	}
	return nil
}

// pixelJobs is how many jobs are not those of masks. They come first.
func (b *batch) pixelJobs() int { return len(b.jobs) - b.maskJobs }

// named says which block an error is about; the jobs of the call began at first.
func (b *batch) named(err error, first int) error {
	failed := new(decode.JobError)
	if !errors.As(err, &failed) {
		return err
	}
	s := b.stored[first+failed.Index]
	return fmt.Errorf("directory %d, block %d,%d at %v: %w", s.page.number+1, s.col, s.row, s.where, failed.Err)
}

// finish puts what is not data into the validity and freezes the pixels.
func (b *batch) finish(ctx context.Context, pl *plan) ([]raster.Tile, error) {
	tiles := make([]raster.Tile, len(b.blocks))
	for i := range b.blocks {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		w, buffer := &b.blocks[i], b.buffers[i]
		if w.empty {
			tiles[i] = pl.emptyTile(w)
			continue
		}
		if pl.mask != nil {
			b.applyMask(buffer, w, pl)
		}
		b.leaveOut(buffer, w, pl)
		b.noteLosses(buffer, w, pl)
		for i, band := range pl.bands {
			buffer.MaskValue(i, pl.info.Bands[band].NoData, pl.info.Bands[band].HasNoData)
		}
		tiles[i] = buffer.Freeze()
	}
	return tiles, nil
}

// leaveOut makes the pixels of the parts that are not stored what a sparse file
// says by it: no data. Those of lost parts are none either.
func (b *batch) leaveOut(buffer *raster.Buffer, w *wanted, pl *plan) {
	for i := range w.parts {
		part := &w.parts[i]
		if part.ok && b.lossOf(part, w.rect) == nil {
			continue
		}
		y := max(part.row*part.page.unitHeight-w.rect.Y0, 0)
		end := min(y+part.page.storedRows(part.row), buffer.Height())
		for i := range part.samples {
			if pad := pl.pad(part.firstBand + i); pad != 0 {
				buffer.Rows(y, end).Fill(part.firstBand+i, pad)
			}
			clear(buffer.OwnValidity(part.firstBand + i)[y*buffer.Width() : end*buffer.Width()])
		}
	}
}

// emptyTile is a block of which nothing is stored.
func (pl *plan) emptyTile(w *wanted) raster.Tile {
	return pl.image.file.shared().empty(pl.emptyKey(w), func() raster.Tile {
		buffer := raster.NewBuffer(pl.page.dataType, w.rect.Width(), w.rect.Height(), len(pl.bands))
		buffer.SetValidity(make([]uint8, w.rect.Width()*w.rect.Height()))
		for i := range pl.bands {
			if pad := pl.pad(i); pad != 0 {
				buffer.Fill(i, pad)
			}
		}
		return buffer.Freeze()
	})
}
