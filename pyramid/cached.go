package pyramid

import (
	"context"
	"slices"

	"tileserver/cache"
	"tileserver/raster"
)

// Blocks is where decoded, retiled and made blocks of all providers are kept.
type Blocks = cache.Space[BlockKey, raster.Tile]

// BlockKey names the pixels of a block: equal keys, equal pixels.
type BlockKey struct {
	Provider string // its Key
	Level    int32
	Col, Row int32
	Bands    string // a choice of them in an order, as bandsKey writes it; empty for all in order
}

// NewBlocks returns the space of blocks in c. One serves the whole process.
func NewBlocks(c *cache.Cache) *Blocks { return cache.NewSpace[BlockKey, raster.Tile](c, "blocks") }

// NewLasting returns the space of levels that must not be driven out by what passes
// by, in a cache of their own.
func NewLasting(c *cache.Cache) *Blocks { return cache.NewSpace[BlockKey, raster.Tile](c, "levels") }

// Cached keeps the blocks of a provider in a cache, and asks the provider, in
// one call, for those that are not there. Its key is the provider's, since it
// changes no pixel.
type Cached struct {
	raster.Provider
	blocks *Blocks
}

// NewCached returns source with its blocks kept in blocks.
func NewCached(source raster.Provider, blocks *Blocks) *Cached { return &Cached{source, blocks} }

var _ raster.Provider = (*Cached)(nil)

// Blocks returns blocks from the cache or from the provider.
func (c *Cached) Blocks(ctx context.Context, level int, ids []raster.BlockID, bands []int) ([]raster.Tile, error) {
	if err := c.Info().CheckRequest(level, ids, bands); err != nil {
		return nil, err
	}
	bands = allAsNil(bands, len(c.Info().Bands))
	keys := blockKeys(c.Key(), level, ids, bands)
	get := fetchBlocks
	if isWithoutKeeping(ctx) {
		get = passBlocks
	}
	return get(ctx, c.blocks, keys, func(ctx context.Context, missing []raster.BlockID) ([]raster.Tile, error) {
		return c.Provider.Blocks(ctx, level, missing, bands)
	})
}

type withoutKeepingKey struct{}

// withoutKeeping returns a context under which blocks are read that are wanted
// once, and so many that keeping them would drive out what is wanted again.
func withoutKeeping(ctx context.Context) context.Context {
	return context.WithValue(ctx, withoutKeepingKey{}, true)
}

func isWithoutKeeping(ctx context.Context) bool { return ctx.Value(withoutKeepingKey{}) != nil }

// allAsNil is nil for a list of all bands in order, so that the two ways to ask
// for them share blocks.
func allAsNil(bands []int, count int) []int {
	if len(bands) != count {
		return bands
	}
	for i, b := range bands {
		if b != i {
			return bands
		}
	}
	return nil
}

func blockKeys(provider string, level int, ids []raster.BlockID, bands []int) []BlockKey {
	name := bandsKey(bands)
	keys := make([]BlockKey, len(ids))
	for i, id := range ids {
		keys[i] = BlockKey{provider, int32(level), int32(id.Col), int32(id.Row), name}
	}
	return keys
}

// bandsKey names a choice of bands: two bytes a band.
func bandsKey(bands []int) string {
	if len(bands) == 0 {
		return ""
	}
	name := make([]byte, 0, 2*len(bands))
	for _, b := range bands {
		name = append(name, byte(b>>8), byte(b))
	}
	return string(name)
}

// loadBlocks gets blocks that are not kept.
type loadBlocks func(ctx context.Context, missing []raster.BlockID) ([]raster.Tile, error)

// fetchBlocks fetches keys of one level, whose missing blocks load gets.
func fetchBlocks(ctx context.Context, blocks *Blocks, keys []BlockKey, load loadBlocks) ([]raster.Tile, error) {
	tiles, err := blocks.Fetch(ctx, keys, func(ctx context.Context, missing []BlockKey) ([]raster.Tile, error) {
		ids := make([]raster.BlockID, len(missing))
		for i, key := range missing {
			ids[i] = raster.BlockID{Col: int(key.Col), Row: int(key.Row)}
		}
		return load(ctx, ids)
	})
	for _, t := range tiles {
		t.CheckFrozen()
	}
	return tiles, err
}

// passBlocks is fetchBlocks that keeps nothing that is not kept already.
func passBlocks(ctx context.Context, blocks *Blocks, keys []BlockKey, load loadBlocks) ([]raster.Tile, error) {
	tiles := make([]raster.Tile, len(keys))
	var missing []raster.BlockID
	var places []int // of missing, in tiles
	for i, key := range keys {
		tile, kept := blocks.Get(key)
		if !kept {
			missing, places = append(missing, raster.BlockID{Col: int(key.Col), Row: int(key.Row)}), append(places, i)
			continue
		}
		tiles[i] = tile
	}
	if len(missing) == 0 {
		return tiles, nil
	}
	loaded, err := load(ctx, missing)
	if err != nil {
		return nil, err
	}
	for i, place := range places {
		tiles[place] = loaded[i]
	}
	return tiles, nil
}

// Kept tells which of the given blocks are in the cache now.
func (c *Cached) Kept(level int, ids []raster.BlockID, bands []int) []bool {
	return keptBlocks(c.blocks, blockKeys(c.Key(), level, ids, allAsNil(bands, len(c.Info().Bands))))
}

func keptBlocks(blocks *Blocks, keys []BlockKey) []bool {
	kept := make([]bool, len(keys))
	for i, key := range keys {
		kept[i] = blocks.Contains(key)
	}
	return kept
}

// keeper is a provider that knows which of its blocks need no work.
type keeper interface {
	Kept(level int, ids []raster.BlockID, bands []int) []bool
}

// keptBy asks a provider that may be a keeper.
func keptBy(p raster.Provider, level int, ids []raster.BlockID, bands []int) []bool {
	if k, ok := p.(keeper); ok {
		return k.Kept(level, ids, bands)
	}
	return make([]bool, len(ids))
}

// Kept tells which of the blocks of a plan, part by part, are in the cache now.
func (p *Pyramid) Kept(plan *Plan) []bool {
	return keptBy(p.provider, plan.Level, plan.Blocks(), plan.View.readBands(p.info))
}

// readBands returns all bands that a view reads.
func (v *View) readBands(info *raster.Info) []int {
	bands := v.Bands
	if bands == nil {
		bands = info.AllBands()
	}
	if v.Alpha >= 0 {
		bands = append(slices.Clone(bands), v.Alpha)
	}
	return bands
}
