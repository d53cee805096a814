package pyramid

import (
	"context"
	"errors"
	"fmt"

	"tileserver/raster"
)

// TooExpensiveError means that building blocks would decode more stored data than a request may. It
// names what Build must build.
type TooDearError struct {
	Level int
	IDs   []raster.BlockID // nil: the whole level and all coarser ones
	Bands []int
}

// Error implements error.
func (e *TooDearError) Error() string {
	if e.IDs == nil {
		return fmt.Sprintf("level %d is too dear to make for a request", e.Level)
	}
	return fmt.Sprintf("blocks %v of level %d are too dear to make for a request", e.IDs, e.Level)
}

// checkCost returns a TooExpensiveError for blocks that cost too much. It reads nothing.
func (m *making) checkCost(ctx context.Context, level int, ids []raster.BlockID) error {
	if m.config.MaxBytes <= 0 {
		return nil
	}
	bill := bill{making: m}
	if err := bill.add(ctx, level, ids); err != nil {
		return err
	}
	if bill.bytes <= m.config.MaxBytes {
		return nil
	}
	// One sweep builds all coarse levels that are cached as a whole; a second sweep would cost as
	// much.
	if lasting := m.firstLasting(len(m.bands)); level >= lasting {
		return &TooDearError{Level: lasting, Bands: m.bands}
	}
	return &TooDearError{level, ids, m.bands}
}

// estimate sums the bytes to be decoded to build blocks, until they exceed the limit.
type bill struct {
	*making
	bytes int64
}

// add adds the cost of the blocks that are neither cached nor empty.
func (b *bill) add(ctx context.Context, level int, ids []raster.BlockID) error {
	space := b.spaceOf(level, len(b.bands))
	for _, members := range b.byGroup(level, ids) {
		var missing []raster.BlockID
		for i, key := range b.keys(level, members) {
			if space.Contains(key) {
				continue
			}
			empty, err := b.Empty(ctx, level, b.info.Levels[level].Block(members[i]))
			if err != nil {
				return err
			}
			if !empty {
				missing = append(missing, members[i])
			}
		}
		if err := b.addGroup(ctx, level, missing); err != nil {
			return err
		}
		if b.bytes > b.config.MaxBytes || ctx.Err() != nil {
			return context.Cause(ctx)
		}
	}
	return nil
}

// addGroup adds the cost of blocks that are built together: that of the finer blocks, or of the
// stored blocks under them.
func (b *bill) addGroup(ctx context.Context, level int, ids []raster.BlockID) error {
	if len(ids) == 0 {
		return nil
	}
	if level > b.native {
		return b.add(ctx, level-1, b.finer(level, ids))
	}
	under := b.under(level, around(b.info.Levels[level], ids))
	stored := b.shape.stored.Runs()
	blockPixels := int64(min(stored.BlockWidth, stored.Width)) * int64(min(stored.BlockHeight, stored.Height))
	b.bytes += stored.CountCovering(under) * blockPixels * int64(len(b.bands)) * int64(b.info.Type.Size())
	return nil
}

// around returns the bounding rectangle of blocks of a level. ids must not be empty.
func around(l raster.Level, ids []raster.BlockID) raster.Rect {
	all := l.Block(ids[0])
	for _, id := range ids[1:] {
		r := l.Block(id)
		all = raster.Rect{X0: min(all.X0, r.X0), Y0: min(all.Y0, r.Y0), X1: max(all.X1, r.X1), Y1: max(all.Y1, r.Y1)}
	}
	return all
}

// finer lists the blocks of the next finer built level that blocks are computed from.
func (m *making) finer(level int, ids []raster.BlockID) []raster.BlockID {
	var needed []raster.BlockID
	own, below := m.info.Levels[level], m.info.Levels[level-1]
	for _, id := range ids {
		r := own.Block(id)
		needed = append(needed, below.Covering(raster.Rect{X0: 2 * r.X0, Y0: 2 * r.Y0, X1: 2 * r.X1, Y1: 2 * r.Y1})...)
	}
	return needed
}

// Missing returns what Build must build before a plan can be read, or nil. It reads nothing.
func (d *Downsampled) Missing(ctx context.Context, plan *Plan) (*TooDearError, error) {
	if plan.Level < d.native {
		return nil, nil
	}
	m := d.making(plan.Level, plan.View.readBands(&d.info))
	for i := range plan.Parts {
		err := m.checkCost(ctx, plan.Level, plan.Parts[i].Blocks)
		var dear *TooDearError
		if errors.As(err, &dear) {
			return dear, nil
		}
		if err != nil {
			return nil, err
		}
	}
	return nil, nil
}
