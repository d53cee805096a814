package overview

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"tileserver/raster"
)

// TooExpensiveError means that building blocks would decode more stored data than a request may. It
// names what Build must build.
type TooExpensiveError struct {
	Of    *Provider // whose Build must build them
	Level int
	IDs   []raster.BlockID // nil: the whole level and all coarser ones
	Bands []int            // a band set
}

// Error implements error.
func (e *TooExpensiveError) Error() string {
	if e.IDs == nil {
		return fmt.Sprintf("level %d is too expensive to build for a request", e.Level)
	}
	return fmt.Sprintf("blocks %v of level %d are too expensive to build for a request", e.IDs, e.Level)
}

// checkCost returns a TooExpensiveError for blocks that cost too much. It reads nothing.
func (m *blockBuilder) checkCost(ctx context.Context, level int, ids []raster.BlockID) error {
	if m.config.MaxBytes <= 0 {
		return nil
	}
	cost := estimate{blockBuilder: m}
	if err := cost.add(ctx, level, ids); err != nil {
		return err
	}
	err := cost.check(level, ids)
	if u := m.unmasked(level); u != nil && err != nil {
		return cmp.Or(u.checkCost(ctx, level, ids), err) // those without the mask come first, and may serve here
	}
	return err
}

// checkLost is checkCost for blocks that count as saved, but cannot be read now.
func (m *blockBuilder) checkLost(ctx context.Context, level int, ids []raster.BlockID) error {
	if m.config.MaxBytes <= 0 {
		return nil
	}
	cost := estimate{blockBuilder: m}
	for _, members := range m.byGroup(level, ids) {
		if err := cost.addGroup(ctx, level, members); err != nil {
			return err
		}
	}
	return cost.check(level, ids)
}

// estimate sums the bytes to be decoded to build blocks, until they exceed the limit.
type estimate struct {
	*blockBuilder
	bytes int64
}

// check returns a TooExpensiveError for blocks of a level if the sum exceeds the limit.
func (e *estimate) check(level int, ids []raster.BlockID) error {
	if e.bytes <= e.config.MaxBytes {
		return nil
	}
	// One sweep builds all coarse levels that are cached as a whole; a second sweep would cost as
	// much.
	if coarse := e.firstCoarse(len(e.bands)); level >= coarse {
		return &TooExpensiveError{Of: e.Provider, Level: coarse, Bands: e.bands}
	}
	return &TooExpensiveError{e.Provider, level, ids, e.bands}
}

// add adds the cost of the blocks that are neither cached, saved nor empty.
func (e *estimate) add(ctx context.Context, level int, ids []raster.BlockID) error {
	for _, members := range e.byGroup(level, ids) {
		var missing []raster.BlockID
		for i, isBuilt := range e.areBuilt(level, members) {
			if isBuilt {
				continue
			}
			empty, err := e.Empty(ctx, level, e.info.Levels[level].Block(members[i]))
			if err != nil {
				return err
			}
			if !empty {
				missing = append(missing, members[i])
			}
		}
		if err := e.addGroup(ctx, level, missing); err != nil {
			return err
		}
		if e.bytes > e.config.MaxBytes || ctx.Err() != nil {
			return context.Cause(ctx)
		}
	}
	return nil
}

// addGroup adds the cost of blocks that are built together: that of the finer blocks, or of the
// stored blocks under them.
func (e *estimate) addGroup(ctx context.Context, level int, ids []raster.BlockID) error {
	if len(ids) == 0 {
		return nil
	}
	if level > e.native {
		return e.add(ctx, level-1, e.finer(level, ids))
	}
	under := e.under(level, boundsOfBlocks(e.info.Levels[level], ids))
	stored := e.shape.stored.Runs()
	blockPixels := int64(min(stored.BlockWidth, stored.Width)) * int64(min(stored.BlockHeight, stored.Height))
	e.bytes += stored.CountCovering(under) * blockPixels * int64(len(e.bands)) * int64(e.info.Type.Size())
	return nil
}

// boundsOfBlocks returns the bounding rectangle of blocks of a level. ids must not be empty.
func boundsOfBlocks(l raster.Level, ids []raster.BlockID) raster.Rect {
	all := l.Block(ids[0])
	for _, id := range ids[1:] {
		r := l.Block(id)
		all = raster.Rect{X0: min(all.X0, r.X0), Y0: min(all.Y0, r.Y0), X1: max(all.X1, r.X1), Y1: max(all.Y1, r.Y1)}
	}
	return all
}

// finer lists the blocks of the next finer built level that blocks are computed from.
func (m *blockBuilder) finer(level int, ids []raster.BlockID) []raster.BlockID {
	var needed []raster.BlockID
	own, below := m.info.Levels[level], m.info.Levels[level-1]
	for _, id := range ids {
		r := own.Block(id)
		needed = append(needed, below.Covering(raster.Rect{X0: 2 * r.X0, Y0: 2 * r.Y0, X1: 2 * r.X1, Y1: 2 * r.Y1})...)
	}
	return needed
}

// Missing returns what must be built before Blocks can return the given blocks, or nil. It reads
// neither the file nor what is saved, so that it needs no memory. Blocks that are saved without the
// mask may have to be built after all: that shows when Blocks loads them, which returns a
// TooExpensiveError then.
func (p *Provider) Missing(ctx context.Context, level int, ids []raster.BlockID, bands []int) (*TooExpensiveError, error) {
	if level < p.native {
		return nil, nil
	}
	if bands == nil {
		bands = p.info.AllBands()
	}
	for _, set := range p.setsOf(bands) {
		m := p.newBuilder(level, set)
		err := m.checkCost(ctx, level, filter(ids, m.areSavedUnmasked(level, ids), false))
		var work *TooExpensiveError
		if errors.As(err, &work) {
			return work, nil
		}
		if err != nil {
			return nil, err
		}
	}
	return nil, nil
}
