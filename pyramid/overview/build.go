package overview

import (
	"context"
	"sync/atomic"

	"tileserver/raster"
)

// Build builds the blocks that were too expensive for a request, in one sweep over the stored
// level. If a build fails or is canceled, finished blocks stay cached and the next build continues
// from there.
//
// Build calls progress with the finished fraction of the work after every piece, from several
// goroutines. The build waits while progress runs.
func (p *Provider) Build(ctx context.Context, work *TooExpensiveError, progress func(part float64)) error {
	return recoverPanic(func() error { return p.build(ctx, work, progress) })
}

func (p *Provider) build(ctx context.Context, work *TooExpensiveError, progress func(part float64)) error {
	m := p.newBuilder(work.Level, work.Bands)
	m.cacheFrom, m.isSweep = work.Level, true
	ids := work.IDs
	if ids == nil {
		ids = allBlocks(p.info.Levels[work.Level])
	}
	groups := m.byGroup(work.Level, ids)
	s := &sweep{blockBuilder: m, level: work.Level, progress: progress, total: m.pixelsUnder(work.Level, ids)}
	err := runParallel(ctx, len(groups), m.breadth.groups(work.Level), func(ctx context.Context, i int) error {
		return s.over(ctx, groups[i])
	})
	if err != nil || work.IDs != nil {
		return err
	}
	for level := work.Level + 1; level < len(p.info.Levels); level++ {
		for _, members := range m.byGroup(level, allBlocks(p.info.Levels[level])) {
			if _, err := m.blocks(ctx, level, members); err != nil {
				return err
			}
		}
	}
	return nil
}

func allBlocks(l raster.Level) []raster.BlockID { return l.Covering(l.Bounds()) }

// BuildBytes returns the approximate memory of a build in bytes.
func (p *Provider) BuildBytes(work *TooExpensiveError) int64 {
	b := p.breadthOf(len(work.Bands))
	bytes := b.levelBytes(work.Level)
	if p.config.Saved != nil {
		bytes += p.groupBytes(work.Level, b.bands) // a copy that is being written
	}
	return int64(b.groups(work.Level)) * bytes
}

// sweep is a pass over the stored pixels under a level.
type sweep struct {
	*blockBuilder
	level    int
	progress func(part float64)
	total    int64        // pixels
	done     atomic.Int64 // pixels
}

// over builds a group of blocks. Blocks that were cached, empty or built by other calls count as
// done when the whole group is.
func (s *sweep) over(ctx context.Context, members []raster.BlockID) error {
	var counted atomic.Int64
	builder := *s.blockBuilder
	builder.done = func(pixels int64) {
		counted.Add(pixels)
		s.progress(float64(s.done.Add(pixels)) / float64(s.total))
	}
	if _, err := builder.blocks(ctx, s.level, members); err != nil {
		return err
	}
	s.progress(float64(s.done.Add(s.pixelsUnder(s.level, members)-counted.Load())) / float64(s.total))
	return nil
}

// pixelsUnder returns the number of stored pixels under blocks.
func (p *Provider) pixelsUnder(level int, ids []raster.BlockID) (pixels int64) {
	for _, id := range ids {
		r := p.under(level, p.info.Levels[level].Block(id))
		pixels += int64(r.Width()) * int64(r.Height())
	}
	return pixels
}
