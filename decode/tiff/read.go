package tiff

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"tileserver/decode/blocks"
	"tileserver/decode/pool"
	"tileserver/raster"
	"tileserver/source"
)

// batch is the part of a plan that is in flight at a time.
type batch struct {
	blocks  []blockPlan
	buffers []*raster.Buffer // one per block; nil if nothing of the block is stored

	units    []unit         // one per job; those of masks come last
	ranges   []source.Range // one per unit
	jobs     []blocks.Job   // one per unit
	maskJobs int
	masks    map[raster.BlockID]*raster.Buffer // by block of the mask
	unitJobs map[unitKey]int                   // index of the job of each unit that several blocks may share
	lost     map[lostKey]error                 // why pixels could not be decoded; nil if all could
	damaged  map[lostKey]*blocks.Lost          // what is lost of units of which the rest is sound
}

// read reads a batch and returns its tiles. It reserves all memory before it allocates, fetches
// everything in one call, and decodes it in one more.
func (m *Image) read(ctx context.Context, pl *plan, blocks []blockPlan) ([]raster.Tile, error) {
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
	if err := b.decode(ctx, &m.file.config, pl); err != nil {
		return nil, err
	}
	return b.finish(ctx, pl)
}

func newBatch(pl *plan, blocks []blockPlan) *batch {
	b := &batch{blocks: blocks, buffers: make([]*raster.Buffer, len(blocks))}
	for i := range blocks {
		bp := &blocks[i]
		if bp.empty {
			continue
		}
		b.buffers[i] = raster.NewBuffer(pl.dir.samples.Type, bp.rect.Width(), bp.rect.Height(), len(pl.bands))
		for _, u := range bp.units {
			if u.ok {
				b.add(u, b.buffers[i], bp.rect)
			}
		}
	}
	b.narrowStrips(0)
	b.addMasks(pl)
	return b
}

// addMasks adds the jobs of the masks of all blocks, after those of pixels.
func (b *batch) addMasks(pl *plan) {
	pixelJobs := len(b.jobs)
	for i := range b.blocks {
		for _, m := range b.blocks[i].masks {
			b.addMask(m, pl)
		}
	}
	b.narrowStrips(pixelJobs)
	b.maskJobs = len(b.jobs) - pixelJobs
}

// add adds the job of a unit. The target is the part of block that the unit covers; rect is where
// block lies in the level.
func (b *batch) add(u blockUnit, block *raster.Buffer, rect raster.Rect) {
	dir, rows := u.dir, u.dir.storedRows(u.row)
	target, y := block, u.row*dir.unitHeight-rect.Y0
	if end := min(y+rows, block.Height()); y > 0 || end < block.Height() {
		target = block.Rows(y, end)
	}
	column := rect.X0 - u.col*dir.unitWidth
	if dir.hasColumnBlocks() && b.shareUnit(u, blocks.Columns{Column: column, Target: target}) {
		return
	}
	b.units = append(b.units, u.unit)
	b.ranges = append(b.ranges, u.where)
	b.jobs = append(b.jobs, blocks.Job{
		Layout: dir.coding.LayoutOf(u.plane), Rows: rows, Target: target, Column: column, FirstBand: u.firstBand, Samples: u.samples,
		TakesParts: true, IsCut: u.cut != nil,
	})
}

// fetch reads the stored bytes of all jobs, in one call per file. A batch of a sparse file may have
// no job.
func (b *batch) fetch(ctx context.Context, pl *plan) error {
	if err := b.checkEnds(ctx); err != nil {
		return err
	}
	if pl.mask == nil || pl.mask.stored.src == pl.dir.stored.src {
		return b.fetchFrom(ctx, pl.dir.stored.src, 0, len(b.jobs))
	}
	if err := b.fetchFrom(ctx, pl.dir.stored.src, 0, b.pixelJobs()); err != nil {
		return err
	}
	return b.fetchFrom(ctx, pl.mask.stored.src, b.pixelJobs(), len(b.jobs))
}

// fetchFrom reads the stored bytes of the jobs from first up to end.
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

// decode runs all jobs.
func (b *batch) decode(ctx context.Context, c *Config, pl *plan) error {
	if err := b.decodeJobs(ctx, c, pl.dir.coding.Codec, 0, b.pixelJobs()); err != nil {
		return err
	}
	return b.decodeMasks(ctx, c, pl)
}

// decodeMasks runs the jobs of masks in a call of their own, since their compression may differ.
func (b *batch) decodeMasks(ctx context.Context, c *Config, pl *plan) error {
	if b.maskJobs == 0 {
		return nil
	}
	if err := b.decodeJobs(ctx, c, pl.mask.coding.Codec, b.pixelJobs(), len(b.jobs)); err != nil {
		return fmt.Errorf("mask: %w", err)
	}
	return nil
}

// decodeJobs runs the jobs from first up to end. It records corrupt ones as lost; they do not
// affect the others.
func (b *batch) decodeJobs(ctx context.Context, c *Config, codec blocks.Compression, first, end int) error {
	corrupt, err := c.Codecs.Decode(ctx, c.Pool, codec, b.jobs[first:end])
	if err != nil {
		return b.nameBlock(err, first)
	}
	for _, failed := range corrupt {
		if err := b.recordLoss(ctx, c, codec, first+failed.Index, failed.Err); err != nil {
			return b.nameBlock(err, first)
		}
	}
	b.recordPartialLosses(first, end)
	return nil
}

// pixelJobs returns the number of jobs that are not of masks. They come first.
func (b *batch) pixelJobs() int { return len(b.jobs) - b.maskJobs }

// nameBlock adds to an error which block it is about. first is the index of the first job of the
// failed call.
func (b *batch) nameBlock(err error, first int) error {
	failed := new(pool.TaskError)
	if !errors.As(err, &failed) {
		return err
	}
	u := b.units[first+failed.Index]
	return fmt.Errorf("directory %d, block %d,%d at %v: %w", u.dir.number+1, u.col, u.row, u.where, failed.Err)
}

// finish sets the validity of the pixels and freezes the tiles.
func (b *batch) finish(ctx context.Context, pl *plan) ([]raster.Tile, error) {
	tiles := make([]raster.Tile, len(b.blocks))
	for i := range b.blocks {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		bp, buffer := &b.blocks[i], b.buffers[i]
		if bp.empty {
			tiles[i] = pl.emptyTile(bp)
			continue
		}
		if pl.mask != nil {
			b.applyMask(buffer, bp, pl)
		}
		b.markMissing(buffer, bp, pl)
		b.attachLosses(buffer, bp, pl)
		for i, band := range pl.bands {
			buffer.MaskValue(i, pl.info.Bands[band].NoData, pl.info.Bands[band].HasNoData)
		}
		tiles[i] = buffer.Freeze()
	}
	return tiles, nil
}

// markMissing sets the pixels of units that are not stored, or lost, to the pad value and marks
// them as nodata, and also those that damaged units lack.
func (b *batch) markMissing(buffer *raster.Buffer, bp *blockPlan, pl *plan) {
	for i := range bp.units {
		u := &bp.units[i]
		y := max(u.row*u.dir.unitHeight-bp.rect.Y0, 0)
		if u.ok && b.lossOf(u, bp.rect) == nil {
			if part := b.lostPart(u, bp.rect); part != nil {
				pl.hideLostPart(buffer, y, u, part)
			}
			continue
		}
		end := min(y+u.dir.storedRows(u.row), buffer.Height())
		for i := range u.samples {
			if pad := pl.padValue(u.firstBand + i); pad != 0 {
				buffer.Rows(y, end).Fill(u.firstBand+i, pad)
			}
			clear(buffer.OwnValidity(u.firstBand + i)[y*buffer.Width() : end*buffer.Width()])
		}
	}
}

// hideLostPart marks the pixels that a damaged unit lacks as nodata, and sets whole rows of them to
// the pad value. The unit begins at row top of the buffer.
func (pl *plan) hideLostPart(buffer *raster.Buffer, top int, u *blockUnit, part *blocks.Lost) {
	width := buffer.Width()
	for i, valid := range part.Coverage {
		pad, of := pl.padValue(u.firstBand+i), buffer.OwnValidity(u.firstBand+i)
		for y := top; len(valid) > 0; y, valid = y+1, valid[width:] {
			row := of[y*width:][:width]
			for x, v := range valid[:width] {
				row[x] = min(row[x], v)
			}
			if pad != 0 && slices.Max(row) == raster.Invalid {
				buffer.Rows(y, y+1).Fill(u.firstBand+i, pad)
			}
		}
	}
}

// emptyTile returns the tile of a block of which nothing is stored.
func (pl *plan) emptyTile(bp *blockPlan) raster.Tile {
	return pl.image.file.shared().empty(pl.emptyKey(bp), func() raster.Tile {
		buffer := raster.NewBuffer(pl.dir.samples.Type, bp.rect.Width(), bp.rect.Height(), len(pl.bands))
		buffer.SetValidity(make([]uint8, bp.rect.Width()*bp.rect.Height()))
		for i := range pl.bands {
			if pad := pl.padValue(i); pad != 0 {
				buffer.Fill(i, pad)
			}
		}
		return buffer.Freeze()
	})
}
