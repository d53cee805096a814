package tiff

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"tileserver/decode"
	"tileserver/raster"
	"tileserver/source"
)

// A block is lost where the file ends before it, or its bytes are corrupt. Its pixels become no
// data, and the tile tells of it as its damage. What cannot be read for another reason is an error.

// The kinds of parts that may be lost.
const (
	lostBlock     = "block"
	lostMaskBlock = "mask block"
)

// lostKey names what a block wanted of a unit.
type lostKey struct {
	page       *page
	plane, row int
	x          int // the first column of the pixels that were wanted
}

// lose notes that the unit is lost.
func (s stored) lose(err error) stored {
	s.where, s.ok, s.lost = source.Range{}, false, err
	return s
}

// checkEnds reads a little of a file that ends before a block, so that one that was still being written
// when it was opened is found to have changed.
func (b *batch) checkEnds(ctx context.Context) error {
	for i := range b.blocks {
		page := cutOff(b.blocks[i].parts)
		for _, m := range b.blocks[i].masks {
			page = cmp.Or(page, cutOff(m.parts))
		}
		if page != nil {
			_, err := page.src.ReadRanges(ctx, []source.Range{{Length: 1}})
			return err
		}
	}
	return nil
}

// cutOff is the page of a part that is lost before anything is read of it, or nil.
func cutOff(parts []part) *page {
	for i := range parts {
		if parts[i].lost != nil {
			return parts[i].page
		}
	}
	return nil
}

// lose notes that the i-th job is lost. Of a strip that was decoded for several blocks, each column is
// decoded again by itself: those before the damage are sound, whoever asks for others with them.
func (b *batch) lose(ctx context.Context, pool *decode.Pool, codec decode.Compression, i int, err error) error {
	job := &b.jobs[i]
	if len(job.OtherColumns) == 0 {
		b.loseColumns(&b.stored[i], job, err)
		return nil
	}
	alone := separate(job)
	corrupt, err := pool.Decode(ctx, codec, alone)
	for _, failed := range corrupt {
		b.loseColumns(&b.stored[i], &alone[failed.Index], failed.Err)
	}
	return err
}

// separate makes jobs of the columns of one, each of which ends with them.
func separate(job *decode.Job) []decode.Job {
	columns := append([]decode.Columns{{Column: job.Column, Target: job.Target}}, job.OtherColumns...)
	jobs := make([]decode.Job, len(columns))
	for i, c := range columns {
		layout := *job.Layout
		layout.Width = c.Column + c.Target.Width()
		jobs[i] = *job
		jobs[i].Layout, jobs[i].Column, jobs[i].Target, jobs[i].OtherColumns = &layout, c.Column, c.Target, nil
	}
	return jobs
}

// loseColumns notes that what a job decodes is lost, and clears what it has decoded of it.
func (b *batch) loseColumns(s *stored, job *decode.Job, err error) {
	if b.lost == nil {
		b.lost = make(map[lostKey]error)
	}
	b.lost[lostKey{s.page, s.plane, s.row, s.col*s.page.unitWidth + job.Column}] = err
	for i := range job.Samples {
		clear(job.Target.Plane(job.FirstBand + i))
	}
}

// lossOf says why a part of the block that lies in rect is lost; nil says that it is not.
func (b *batch) lossOf(p *part, rect raster.Rect) error {
	if p.lost != nil || len(b.lost) == 0 {
		return p.lost
	}
	return b.lost[lostKey{p.page, p.plane, p.row, rect.X0}]
}

// noteLosses tells the pixels of a block what is lost of them. The damage is total if nothing of the
// block is left.
func (b *batch) noteLosses(buffer *raster.Buffer, w *wanted, pl *plan) {
	losses, decoded := b.lossesOf(nil, w.parts, w.rect, lostBlock)
	for i := range w.masks {
		m := &w.masks[i]
		losses, _ = b.lossesOf(losses, m.parts, pl.mask.level(pl.mask).Block(m.id), lostMaskBlock)
	}
	if len(losses) == 0 {
		return
	}
	buffer.AddDamage(raster.NewDamage(losses, decoded == 0))
	if warn := pl.image.file.config.Warn; warn != nil {
		pl.image.file.warned.Do(func() { warn(losses[0].Text) })
	}
}

// lossesOf appends the lost ones of the parts of a block, no more than a raster.Damage lists, and
// counts those that are decoded.
func (b *batch) lossesOf(losses []raster.Loss, parts []part, rect raster.Rect, kind string) (_ []raster.Loss, decoded int) {
	for i := range parts {
		p := &parts[i]
		err := b.lossOf(p, rect)
		switch {
		case err == nil && p.ok:
			decoded++
		case err != nil && len(losses) <= raster.MaxLosses:
			losses = append(losses, raster.Loss{Part: kind, Text: fmt.Sprintf("%s %v: %s", kind, p.stored, reason(err))})
		}
	}
	return losses, decoded
}

// reason is an error without the words that the name of the loss says already.
func reason(err error) string {
	return strings.TrimPrefix(err.Error(), decode.ErrCorrupt.Error()+": ")
}

// String says where the unit is, for people.
func (s stored) String() string {
	where := fmt.Sprintf("%d,%d", s.col, s.row)
	if s.page.planar {
		where += fmt.Sprintf(" of band %d", s.plane+1)
	}
	return fmt.Sprintf("%s of directory %d", where, s.page.number+1)
}
