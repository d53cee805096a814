package pyramid

import (
	"context"
	"sync/atomic"

	"tileserver/raster"
)

// maxBuildBytes is about the memory that a build may take to make more at a time.
const maxBuildBytes = 96 << 20

// Build makes what was too dear for a request, sweeping once over what is stored
// under it. What was made stays when a build fails or is cancelled, and the next
// one goes on from there.
//
// progress is told, after every piece and by several goroutines, which part of the
// work is done. It holds the build back for as long as it takes.
func (d *Downsampled) Build(ctx context.Context, dear *TooDearError, progress func(part float64)) error {
	return safely(func() error { return d.build(ctx, dear, progress) })
}

func (d *Downsampled) build(ctx context.Context, dear *TooDearError, progress func(part float64)) error {
	m := d.making(dear.Level, dear.Bands)
	m.keepFrom = dear.Level
	ids := dear.IDs
	if ids == nil {
		ids = allBlocks(d.info.Levels[dear.Level])
	}
	groups := m.byGroup(dear.Level, ids)
	s := &sweep{making: m, level: dear.Level, progress: progress, total: m.pixelsUnder(dear.Level, ids)}
	err := together(ctx, len(groups), d.groupsAtATime(dear.Level, len(m.bands)), func(ctx context.Context, i int) error {
		return s.over(ctx, groups[i])
	})
	if err != nil || dear.IDs != nil {
		return err
	}
	for level := dear.Level + 1; level < len(d.info.Levels); level++ {
		for _, members := range m.byGroup(level, allBlocks(d.info.Levels[level])) {
			if _, err := m.blocks(ctx, level, members); err != nil {
				return err
			}
		}
	}
	return nil
}

func allBlocks(l raster.Level) []raster.BlockID { return l.Covering(l.Bounds()) }

// BuildBytes is about the memory that a build takes.
func (d *Downsampled) BuildBytes(dear *TooDearError) int64 {
	bands := len(dear.Bands)
	return int64(d.groupsAtATime(dear.Level, bands)) * d.MakingBytes(dear.Level, bands)
}

// groupsAtATime returns how many groups of a level are made side by side, so that the
// workers have something to do while one is put together.
func (d *Downsampled) groupsAtATime(level, bands int) int {
	return atATime(maxBuildBytes, d.MakingBytes(level, bands))
}

// sweep is a pass over what is stored under a level.
type sweep struct {
	*making
	level    int
	progress func(part float64)
	total    int64        // pixels
	done     atomic.Int64 // pixels
}

// over makes a group of blocks. What of it was kept, empty, or made by others is
// done when all of it is.
func (s *sweep) over(ctx context.Context, members []raster.BlockID) error {
	var counted atomic.Int64
	errand := *s.making
	errand.done = func(pixels int64) {
		counted.Add(pixels)
		s.progress(float64(s.done.Add(pixels)) / float64(s.total))
	}
	if _, err := errand.blocks(ctx, s.level, members); err != nil {
		return err
	}
	s.progress(float64(s.done.Add(s.pixelsUnder(s.level, members)-counted.Load())) / float64(s.total))
	return nil
}

// pixelsUnder returns how many stored pixels blocks are made of.
func (d *Downsampled) pixelsUnder(level int, ids []raster.BlockID) (pixels int64) {
	for _, id := range ids {
		r := d.under(level, d.info.Levels[level].Block(id))
		pixels += int64(r.Width()) * int64(r.Height())
	}
	return pixels
}
