package tiff

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"

	"tileserver/decode"
	"tileserver/raster"
	"tileserver/source"
)

// batch is the part of a plan that is in flight at a time.
type batch struct {
	blocks  []wanted
	buffers []*raster.Buffer // one a block

	stored   []stored       // each once, those of masks last
	ranges   []source.Range // of stored
	jobs     []decode.Job   // of stored
	maskJobs int
	masks    map[raster.BlockID]*raster.Buffer // by their place in the mask's grid
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
	if err := b.fetch(ctx, m.file.src); err != nil {
		return nil, err
	}
	if err := b.decode(ctx, m.file.config.Pool, pl); err != nil {
		return nil, err
	}
	return b.finish(ctx, pl)
}

func newBatch(pl *plan, blocks []wanted) *batch {
	b := &batch{blocks: blocks, masks: make(map[raster.BlockID]*raster.Buffer)}
	for _, w := range blocks {
		target := raster.NewBuffer(pl.page.dataType, w.rect.Width(), w.rect.Height(), len(pl.bands))
		b.buffers = append(b.buffers, target)
		for _, p := range w.parts {
			if p.ok {
				b.add(p, target)
			}
		}
	}
	pixelJobs := len(b.jobs)
	for _, w := range blocks {
		for _, s := range w.masks {
			b.addMask(s)
		}
	}
	b.maskJobs = len(b.jobs) - pixelJobs
	return b
}

func (b *batch) add(p part, target *raster.Buffer) {
	b.stored = append(b.stored, p.stored)
	b.ranges = append(b.ranges, p.where)
	b.jobs = append(b.jobs, decode.Job{
		Layout: &p.page.layout, Rows: p.page.storedRows(p.row), Target: target, FirstBand: p.firstBand, Samples: p.samples,
	})
}

// addMask makes room for a block of a mask, once. One that is not stored stays
// zero, which is invalid.
func (b *batch) addMask(s stored) {
	id := raster.BlockID{Col: s.col, Row: s.row}
	if b.masks[id] != nil {
		return
	}
	rect := s.page.level(s.page).Block(id)
	target := raster.NewBuffer(raster.Uint8, rect.Width(), rect.Height(), 1)
	b.masks[id] = target
	if s.ok {
		b.add(part{s, 0, []int{0}}, target)
	}
}

// fetch gives the jobs what is stored. A batch of a sparse file may have none.
func (b *batch) fetch(ctx context.Context, src source.Source) error {
	if len(b.ranges) == 0 {
		return nil
	}
	sources, err := src.ReadRanges(ctx, b.ranges)
	if err != nil {
		return err
	}
	for i := range b.jobs {
		b.jobs[i].Source = sources[i]
	}
	return nil
}

// decode runs the jobs. Those of masks are another call, since they may be
// compressed otherwise.
func (b *batch) decode(ctx context.Context, pool *decode.Pool, pl *plan) error {
	pixelJobs := len(b.jobs) - b.maskJobs
	if err := pool.Decode(ctx, pl.page.codec, b.jobs[:pixelJobs]); err != nil {
		return b.named(err, 0)
	}
	if b.maskJobs == 0 {
		return nil
	}
	if err := pool.Decode(ctx, pl.mask.codec, b.jobs[pixelJobs:]); err != nil {
		return fmt.Errorf("mask: %w", b.named(err, pixelJobs))
	}
	return nil
}

// named says which block an error is about; the jobs of the call began at first.
func (b *batch) named(err error, first int) error {
	failed := new(decode.JobError)
	if !errors.As(err, &failed) {
		return err
	}
	s := b.stored[first+failed.Index]
	return fmt.Errorf("directory %d, block %d,%d at %v: %w", s.page.number, s.col, s.row, s.where, failed.Err)
}

// finish puts what is not data into the validity and freezes the pixels.
func (b *batch) finish(ctx context.Context, pl *plan) ([]raster.Tile, error) {
	tiles := make([]raster.Tile, len(b.blocks))
	for i := range b.blocks {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		w, buffer := &b.blocks[i], b.buffers[i]
		if pl.mask != nil {
			buffer.SetValidity(b.coverage(w, pl.mask))
		}
		pl.page.leaveOut(buffer, w.parts)
		for band := range pl.bands {
			buffer.MaskValue(band, pl.page.noData, pl.page.hasNoData)
		}
		tiles[i] = buffer.Freeze()
	}
	return tiles, nil
}

// leaveOut makes the bands of the parts that are not stored what a sparse file
// says by it: no data.
func (p *page) leaveOut(buffer *raster.Buffer, parts []part) {
	missing := 0
	for _, part := range parts {
		if part.ok {
			continue
		}
		missing++
		for i := range part.samples {
			if p.pad() != 0 {
				buffer.Fill(part.firstBand+i, p.pad())
			}
			if len(parts) > 1 {
				clear(buffer.OwnValidity(part.firstBand + i))
			}
		}
	}
	if missing == len(parts) {
		buffer.SetValidity(make([]uint8, buffer.Width()*buffer.Height()))
	}
}

// pad is the sample of pixels that are not stored.
func (p *page) pad() float64 {
	if p.hasNoData {
		return p.noData
	}
	return 0
}

// coverage is the mask of a block, put together of the blocks of the mask.
func (b *batch) coverage(w *wanted, mask *page) []uint8 {
	width := w.rect.Width()
	plane := make([]uint8, width*w.rect.Height())
	grid := mask.level(mask)
	for _, s := range w.masks {
		id := raster.BlockID{Col: s.col, Row: s.row}
		rect, buffer := grid.Block(id), b.masks[id]
		shared := rect.Intersect(w.rect)
		for y := shared.Y0; y < shared.Y1; y++ {
			from := buffer.Plane(0)[(y-rect.Y0)*buffer.Width()+shared.X0-rect.X0:][:shared.Width()]
			to := plane[(y-w.rect.Y0)*width+shared.X0-w.rect.X0:][:shared.Width()]
			cover(to, from)
		}
	}
	return plane
}

// cover makes all that is not 0 valid, eight pixels at a time.
func cover(coverage []uint8, mask []byte) {
	const low, high = 0x7f7f7f7f7f7f7f7f, 0x8080808080808080
	for ; len(mask) >= 8; coverage, mask = coverage[8:], mask[8:] {
		v := binary.LittleEndian.Uint64(mask)
		notZero := (v&low + low | v) & high // the high bit of each byte
		binary.LittleEndian.PutUint64(coverage, notZero>>7*raster.Valid)
	}
	for x, v := range mask {
		if v != 0 {
			coverage[x] = raster.Valid
		}
	}
}
