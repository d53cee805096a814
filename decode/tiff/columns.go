package tiff

import (
	"tileserver/decode/blocks"
	"tileserver/decode/tiff/blockindex"
	"tileserver/raster"
)

// unitKey identifies a unit whose columns belong to different blocks.
type unitKey struct {
	dir        *directory
	plane, row int
	firstBand  int
}

// shareUnit adds columns to the job of their unit, if the batch has one: a strip is decoded once
// for all blocks of a batch. Otherwise it returns false and records that the next job is the
// unit's.
func (b *batch) shareUnit(u blockUnit, columns blocks.Columns) bool {
	key := unitKey{u.dir, u.plane, u.row, u.firstBand}
	if at, ok := b.unitJobs[key]; ok {
		b.jobs[at].OtherColumns = append(b.jobs[at].OtherColumns, columns)
		return true
	}
	if b.unitJobs == nil {
		b.unitJobs = make(map[unitKey]int)
	}
	b.unitJobs[key] = len(b.jobs)
	return false
}

// narrowStrips lets the strips of the jobs from first on end at the last column that a block needs.
func (b *batch) narrowStrips(first int) {
	var narrowed *blocks.Layout
	var of *blocks.Layout // the layout that narrowed was copied from
	for i := first; i < len(b.jobs); i++ {
		job := &b.jobs[i]
		if !b.units[i].dir.hasColumnBlocks() {
			return // nor do the others, which share the directory
		}
		end := lastColumn(job)
		if of != job.Layout || narrowed.Width != end {
			layout := *job.Layout
			layout.Width = end
			of, narrowed = job.Layout, &layout
		}
		job.Layout = narrowed
	}
}

// lastColumn returns the end of the last range of columns of a job.
func lastColumn(job *blocks.Job) int {
	end := job.Column + job.Target.Width()
	for _, c := range job.OtherColumns {
		end = max(end, c.Column+c.Target.Width())
	}
	return end
}

// maskBlock is a block of a mask and its units.
type maskBlock struct {
	id    raster.BlockID
	units []blockUnit
}

// covering returns the blocks of a mask that touch a rectangle of its pixels, with their units.
func (d *directory) covering(l *blockindex.Lookup, rect raster.Rect, samples []int) ([]maskBlock, error) {
	ids := d.ownLevel().Covering(rect)
	blocks := make([]maskBlock, len(ids))
	for i, id := range ids {
		units, err := d.blockUnits(l, nil, id, samples)
		if err != nil {
			return nil, err
		}
		blocks[i] = maskBlock{id, units}
	}
	return blocks, nil
}
