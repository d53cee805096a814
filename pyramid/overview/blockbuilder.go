package overview

import (
	"context"
	"fmt"
	"slices"

	"tileserver/raster"
	"tileserver/raster/blockcache"
)

// blockBuilder builds blocks of a Provider for one call. A block is built from the four under
// it, depth first. So building a coarse level sweeps over the stored level once, from top to
// bottom, and holds only one group of each level in memory.
type blockBuilder struct {
	*Provider
	bands     []int  // a band set, and an opacity needed as weight
	picks     []bool // whether pixels are picked, for each of bands
	alpha     int    // index of the opacity in bands, or -1
	cacheFrom int    // the finest level whose blocks are cached
	isSweep   bool   // whether nothing is too expensive, and what is cached is saved, too
	breadth   breadth

	// done, if set, is called with the number of stored pixels that were read and halved. Several
	// goroutines may call it.
	done func(pixels int64)
}

// newBuilder returns a builder for a call that requests blocks of a level.
func (p *Provider) newBuilder(level int, bandSet []int) *blockBuilder {
	m := &blockBuilder{Provider: p, cacheFrom: level}
	m.bands, m.alpha = p.withAlpha(bandSet)
	m.picks, m.breadth = p.picks(m.bands), p.breadthOf(len(m.bands))
	bytes := p.groupBytes(level, len(m.bands))
	for m.cacheFrom >= p.native && 4*bytes <= p.config.IntermediateBytes {
		m.cacheFrom--
		bytes *= 4
	}
	return m
}

// halvings returns how many times a built level halves the stored level.
func (p *Provider) halvings(level int) int { return level - p.native + 1 }

func (m *blockBuilder) keys(level int, ids []raster.BlockID) []blockcache.Key {
	return blockcache.Keys(m.Provider, level, ids, m.bands)
}

// blocks returns blocks of a built level: cached ones, and newly built ones. Empty blocks stay the
// zero Tile, which costs no time or memory.
func (m *blockBuilder) blocks(ctx context.Context, level int, ids []raster.BlockID) ([]raster.Tile, error) {
	tiles, missing, err := m.cached(ctx, level, ids)
	if err != nil || len(missing) == 0 {
		return tiles, err
	}
	return tiles, m.buildMissing(ctx, level, ids, tiles, missing)
}

// cached returns the cached blocks, and lists the missing ones, which are neither cached nor empty.
// It tests emptiness only for blocks that are neither cached nor saved, because the test may search a
// long file index.
func (m *blockBuilder) cached(ctx context.Context, level int, ids []raster.BlockID) (tiles []raster.Tile, missing []raster.BlockID, err error) {
	space := m.spaceOf(level, len(m.bands))
	tiles = make([]raster.Tile, len(ids))
	for i, key := range m.keys(level, ids) {
		tile, cached := space.Get(key)
		if cached {
			tiles[i] = tile
			continue
		}
		if !m.isSaved(level, ids[i]) {
			empty, err := m.Empty(ctx, level, m.info.Levels[level].Block(ids[i]))
			if err != nil {
				return nil, nil, err
			}
			if empty {
				continue
			}
		}
		missing = append(missing, ids[i])
	}
	return tiles, missing, nil
}

// areCached reports which blocks are in memory, maybe without the mask.
func (m *blockBuilder) areCached(level int, ids []raster.BlockID) []bool {
	are := m.spaceOf(level, len(m.bands)).Contains(m.keys(level, ids))
	for i, isCached := range m.areInUnmasked(level, ids) {
		are[i] = are[i] || isCached
	}
	return are
}

// areBuilt reports which blocks are in memory or saved.
func (m *blockBuilder) areBuilt(level int, ids []raster.BlockID) []bool {
	are := m.areCached(level, ids)
	for i, id := range ids {
		are[i] = are[i] || m.isSaved(level, id)
	}
	return are
}

// areSavedOnly reports which blocks are not in memory, but saved, maybe without the mask.
func (m *blockBuilder) areSavedOnly(level int, ids []raster.BlockID) []bool {
	are := m.areSavedUnmasked(level, ids)
	for i, isCached := range m.areCached(level, ids) {
		are[i] = !isCached && (are[i] || m.isSaved(level, ids[i]))
	}
	return are
}

// buildMissing builds or loads the missing blocks and stores them at their places in tiles.
func (m *blockBuilder) buildMissing(ctx context.Context, level int, ids []raster.BlockID, tiles []raster.Tile, missing []raster.BlockID) error {
	space := m.spaceOf(level, len(m.bands))
	get := space.ReadThrough
	if level >= m.cacheFrom {
		get, missing = space.Fetch, m.wholeGroups(level, missing)
	}
	made, err := get(ctx, m.keys(level, missing), func(ctx context.Context, missing []raster.BlockID) ([]raster.Tile, error) {
		return m.loadOrBuild(ctx, level, missing)
	})
	if err != nil {
		return err
	}
	byID := make(map[raster.BlockID]raster.Tile, len(missing))
	for i, id := range missing {
		byID[id] = made[i]
	}
	for i, id := range ids {
		if tile, ok := byID[id]; ok {
			tiles[i] = tile
		}
	}
	return nil
}

// noPixels returns an empty block.
func (m *blockBuilder) noPixels(level int, id raster.BlockID) raster.Tile {
	rect := m.info.Levels[level].Block(id)
	b := raster.NewBuffer(m.info.Type, rect.Width(), rect.Height(), len(m.bands))
	b.SetValidity(make([]uint8, rect.Width()*rect.Height()))
	return b.Freeze()
}

// buildBlocks builds blocks, group by group.
func (m *blockBuilder) buildBlocks(ctx context.Context, level int, ids []raster.BlockID) ([]raster.Tile, error) {
	made := make(map[raster.BlockID]raster.Tile, len(ids))
	for _, members := range m.byGroup(level, ids) {
		g := m.newGroup(level, members)
		var err error
		if level == m.native {
			err = g.halveStored(ctx)
		} else {
			err = g.halveBuilt(ctx)
		}
		if err != nil {
			return nil, fmt.Errorf("building level %d: %w", level, err)
		}
		for i, tile := range g.freeze() {
			made[members[i]] = tile
		}
	}
	tiles := make([]raster.Tile, len(ids))
	for i, id := range ids {
		tiles[i] = made[id]
	}
	return tiles, nil
}

// byGroup splits blocks of a level into groups, row by row.
func (m *blockBuilder) byGroup(level int, ids []raster.BlockID) [][]raster.BlockID {
	columns, rows := m.shape.group(m.info.Levels[level], m.halvings(level))
	groups := make(map[raster.BlockID][]raster.BlockID)
	var order []raster.BlockID
	for _, id := range ids {
		group := raster.BlockID{Col: id.Col / columns, Row: id.Row / rows}
		if groups[group] == nil {
			order = append(order, group)
		}
		groups[group] = append(groups[group], id)
	}
	sorted := make([][]raster.BlockID, 0, len(order))
	for _, group := range raster.UniqueBlocks(order) {
		sorted = append(sorted, raster.UniqueBlocks(groups[group]))
	}
	return sorted
}

// wholeGroups adds to blocks that are not cached the other blocks of their groups, which are built
// with them at no extra cost.
func (m *blockBuilder) wholeGroups(level int, ids []raster.BlockID) []raster.BlockID {
	l := m.info.Levels[level]
	columns, rows := m.shape.group(l, m.halvings(level))
	if columns*rows == 1 {
		return ids
	}
	whole := slices.Clone(ids)
	for i, isBuilt := range m.areBuilt(level, ids) {
		if isBuilt {
			continue
		}
		x, y := ids[i].Col/columns*columns*l.BlockWidth, ids[i].Row/rows*rows*l.BlockHeight
		whole = append(whole, l.Covering(raster.Rect{X0: x, Y0: y, X1: x + columns*l.BlockWidth, Y1: y + rows*l.BlockHeight})...)
	}
	return raster.UniqueBlocks(whole)
}
