package tiff

import (
	"tileserver/decode"
	"tileserver/raster"
)

// unitKey names a unit whose columns are blocks.
type unitKey struct {
	page       *page
	plane, row int
	firstBand  int
}

// join adds columns to the job of a unit, if it has one: a strip is decoded once for
// all blocks of a batch. If not, the next job is taken for that of the unit.
func (b *batch) join(p part, columns decode.Columns) bool {
	key := unitKey{p.page, p.plane, p.row, p.firstBand}
	if at, ok := b.shared[key]; ok {
		b.jobs[at].OtherColumns = append(b.jobs[at].OtherColumns, columns)
		return true
	}
	if b.shared == nil {
		b.shared = make(map[unitKey]int)
	}
	b.shared[key] = len(b.jobs)
	return false
}

// narrow ends the strips of the jobs from first on with the last column that is
// wanted of them.
func (b *batch) narrow(first int) {
	var narrowed *decode.Layout
	var of *decode.Layout // what it was made from
	for i := first; i < len(b.jobs); i++ {
		job := &b.jobs[i]
		if !b.stored[i].page.inColumns() {
			return // nor are the others, which are of the same page
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

// lastColumn is the one that all columns of a job end before.
func lastColumn(job *decode.Job) int {
	end := job.Column + job.Target.Width()
	for _, c := range job.OtherColumns {
		end = max(end, c.Column+c.Target.Width())
	}
	return end
}

// maskBlock is a block of a mask and what it is made of.
type maskBlock struct {
	id    raster.BlockID
	parts []part
}

// covering finds the blocks that touch a rectangle of pixels.
func (p *page) covering(l *lookup, rect raster.Rect, samples []int) ([]maskBlock, error) {
	ids := p.level(p).Covering(rect)
	blocks := make([]maskBlock, len(ids))
	for i, id := range ids {
		parts, err := p.partsOf(l, nil, id, samples)
		if err != nil {
			return nil, err
		}
		blocks[i] = maskBlock{id, parts}
	}
	return blocks, nil
}
