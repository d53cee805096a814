package tiff

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"tileserver/decode"
	"tileserver/decode/blocks"
	"tileserver/raster"
	"tileserver/source"
)

// A block is lost if its bytes are corrupt or lie beyond the end of the file. Its pixels become nodata,
// and its tile carries a raster.Damage that says why. A codec may decode what is sound of a damaged
// block; then only the rest is lost. Any other failure to read a block is an error.

// The kinds of lost blocks in a raster.Loss.
const (
	lostBlock     = "block"
	lostMaskBlock = "mask block"
)

// lostKey identifies the pixels of a block that come from one unit.
type lostKey struct {
	dir        *directory
	plane, row int
	x          int // the first column of the block's pixels
}

// withoutEnd returns u marked as lost, or as cut if the file has its beginning.
func (u unit) withoutEnd(err error) unit {
	if u.where.Length > 0 && u.where.Length <= u.dir.stored.maxUnitBytes {
		u.ok, u.cut = true, err
		return u
	}
	u.where, u.ok, u.lost = source.Range{}, false, err
	return u
}

// checkEnds reads one byte of a file that ends before one of the blocks. If the file was still
// being written when it was opened, the read reports that it has changed.
func (b *batch) checkEnds(ctx context.Context) error {
	for i := range b.blocks {
		dir := firstCutOff(b.blocks[i].units)
		for _, m := range b.blocks[i].masks {
			dir = cmp.Or(dir, firstCutOff(m.units))
		}
		if dir != nil {
			_, err := dir.stored.src.ReadRanges(ctx, []source.Range{{Length: 1}})
			return err
		}
	}
	return nil
}

// firstCutOff returns the directory of the first unit that is known to be lost or cut before it is
// read, or nil.
func firstCutOff(units []blockUnit) *directory {
	for i := range units {
		if units[i].lost != nil || units[i].cut != nil {
			return units[i].dir
		}
	}
	return nil
}

// recordLoss records that the i-th job is lost. If a strip was decoded for several blocks, each
// range of columns is decoded again on its own: the columns before the damage are sound, whatever
// other columns were requested with them.
func (b *batch) recordLoss(ctx context.Context, c *Config, codec blocks.Compression, i int, err error) error {
	job := &b.jobs[i]
	if len(job.OtherColumns) == 0 {
		b.recordColumnLoss(&b.units[i], job, err)
		return nil
	}
	jobs := splitColumns(job)
	corrupt, err := c.Codecs.Decode(ctx, c.Pool, codec, jobs)
	for _, failed := range corrupt {
		b.recordColumnLoss(&b.units[i], &jobs[failed.Index], failed.Err)
	}
	return err
}

// splitColumns returns one job for each range of columns of job. The strip of each job ends with
// its range.
func splitColumns(job *blocks.Job) []blocks.Job {
	columns := append([]blocks.Columns{{Column: job.Column, Target: job.Target}}, job.OtherColumns...)
	jobs := make([]blocks.Job, len(columns))
	for i, c := range columns {
		layout := *job.Layout
		layout.Width = c.Column + c.Target.Width()
		jobs[i] = *job
		jobs[i].Layout, jobs[i].Column, jobs[i].Target, jobs[i].OtherColumns = &layout, c.Column, c.Target, nil
	}
	return jobs
}

// recordColumnLoss records that the pixels of a job are lost, and clears them.
func (b *batch) recordColumnLoss(u *unit, job *blocks.Job, err error) {
	if b.lost == nil {
		b.lost = make(map[lostKey]error)
	}
	err = cmp.Or(u.cut, err)
	b.lost[lostKey{u.dir, u.plane, u.row, u.col*u.dir.unitWidth + job.Column}] = err
	for i := range job.Samples {
		clear(job.Target.Plane(job.FirstBand + i))
	}
}

// recordPartialLosses records which jobs decoded only a part of their block. A mask is lost as a
// whole, since what it says of the lost part is unknown.
func (b *batch) recordPartialLosses(first, end int) {
	for i := first; i < end; i++ {
		job, u := &b.jobs[i], &b.units[i]
		switch {
		case job.Lost == nil:
		case i >= b.pixelJobs():
			b.recordColumnLoss(u, job, errors.New(job.Lost.Damage.Losses()[0].Text))
		default:
			if b.damaged == nil {
				b.damaged = make(map[lostKey]*blocks.Lost)
			}
			b.damaged[lostKey{u.dir, u.plane, u.row, u.col * u.dir.unitWidth}] = job.Lost
		}
	}
}

// lostPart returns what is lost of unit u in the block rect if the rest is sound, or nil.
func (b *batch) lostPart(u *blockUnit, rect raster.Rect) *blocks.Lost {
	return b.damaged[lostKey{u.dir, u.plane, u.row, rect.X0}]
}

// lossOf returns why the pixels of unit u in the block rect are lost, or nil if they are not.
func (b *batch) lossOf(u *blockUnit, rect raster.Rect) error {
	if u.lost != nil || len(b.lost) == 0 {
		return u.lost
	}
	return b.lost[lostKey{u.dir, u.plane, u.row, rect.X0}]
}

// attachLosses attaches the losses of a block to its buffer. The damage is total if nothing of the
// block could be decoded.
func (b *batch) attachLosses(buffer *raster.Buffer, bp *blockPlan, pl *plan) {
	losses, decoded := b.lossesOf(nil, bp.units, bp.rect, lostBlock)
	for i := range bp.masks {
		m := &bp.masks[i]
		losses, _ = b.lossesOf(losses, m.units, pl.mask.ownLevel().Block(m.id), lostMaskBlock)
	}
	if len(losses) == 0 {
		return
	}
	buffer.AddDamage(raster.NewDamage(losses, decoded == 0))
	if warn := pl.image.file.config.Warn; warn != nil {
		pl.image.file.warned.Do(func() { warn(losses[0].Text) })
	}
}

// lossesOf appends the losses among the units of a block, at most one more than a raster.Damage
// lists. It also counts the decoded units.
func (b *batch) lossesOf(losses []raster.Loss, units []blockUnit, rect raster.Rect, kind string) (_ []raster.Loss, decoded int) {
	for i := range units {
		u := &units[i]
		err := b.lossOf(u, rect)
		switch {
		case err == nil && u.ok:
			decoded++
			losses = b.appendPartialLosses(losses, u, rect)
		case err != nil && len(losses) <= raster.MaxLosses:
			losses = append(losses, u.loss(kind, err))
		}
	}
	return losses, decoded
}

// appendPartialLosses appends the losses of a unit of which a part is sound. One that the file ends
// within is a single loss, the one that Missing finds.
func (b *batch) appendPartialLosses(losses []raster.Loss, u *blockUnit, rect raster.Rect) []raster.Loss {
	part := b.lostPart(u, rect)
	switch {
	case part == nil:
		return losses
	case u.cut != nil:
		return append(losses, u.loss(lostBlock, u.cut))
	}
	for _, loss := range part.Damage.Losses() {
		if len(losses) <= raster.MaxLosses {
			losses = append(losses, raster.Loss{Kind: loss.Kind, Text: fmt.Sprintf("%s %v: %s", lostBlock, u.unit, loss.Text)})
		}
	}
	return losses
}

// loss returns the loss of the unit.
func (u unit) loss(kind string, err error) raster.Loss {
	return raster.Loss{Kind: kind, Text: fmt.Sprintf("%s %v: %s", kind, u, reason(err))}
}

// reason returns the text of an error without the prefix that the loss implies.
func reason(err error) string {
	return strings.TrimPrefix(err.Error(), decode.ErrCorruptBlock.Error()+": ")
}

// String says where the unit lies, for people.
func (u unit) String() string {
	where := fmt.Sprintf("%d,%d", u.col, u.row)
	if u.dir.samples.Planar {
		where += fmt.Sprintf(" of band %d", u.plane+1)
	}
	return fmt.Sprintf("%s of directory %d", where, u.dir.number+1)
}
