package pyramid

import (
	"context"
	"slices"

	"tileserver/cache"
	"tileserver/raster"
)

// Blocks caches decoded, retiled and built blocks of all providers.
type Blocks = cache.Space[BlockKey, raster.Tile]

// BlockKey identifies the pixels of a block: equal keys mean equal pixels.
type BlockKey struct {
	Provider string // its Key
	Level    int32
	Col, Row int32
	Bands    string // selected bands in order, encoded by bandsKey; empty means all
}

// NewBlocks returns the space of blocks in c. One space serves the whole process.
func NewBlocks(c *cache.Cache) *Blocks { return cache.NewSpace[BlockKey, raster.Tile](c, "blocks") }

// NewCoarseBlocks returns the space of the coarsest levels in c, which should be a partition: other
// blocks must not evict these.
func NewCoarseBlocks(c *cache.Cache) *Blocks {
	return cache.NewSpace[BlockKey, raster.Tile](c, "levels")
}

// Cached is a wrapper that caches blocks. It reads all missing blocks in one call. Its key is the
// provider's, since it changes no pixel.
type Cached struct {
	raster.Provider
	blocks *Blocks
}

// NewCached returns source with its blocks cached in blocks.
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
	if isWithoutCaching(ctx) {
		get = readThrough
	}
	return get(ctx, c.blocks, keys, func(ctx context.Context, missing []raster.BlockID) ([]raster.Tile, error) {
		return c.Provider.Blocks(ctx, level, missing, bands)
	})
}

type withoutCachingKey struct{}

// withoutCaching returns a context in which blocks that are read are not cached. It serves bulk
// reads whose blocks are needed once and would evict more useful ones.
func withoutCaching(ctx context.Context) context.Context {
	return context.WithValue(ctx, withoutCachingKey{}, true)
}

func isWithoutCaching(ctx context.Context) bool { return ctx.Value(withoutCachingKey{}) != nil }

// allAsNil returns nil for a list of all bands in order, so that both forms share cached blocks.
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

// bandsKey encodes a selection of bands: two bytes for each band.
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

// loadBlocks loads blocks that are not cached.
type loadBlocks func(ctx context.Context, missing []raster.BlockID) ([]raster.Tile, error)

// fetchBlocks fetches blocks of one level from the cache, and caches those that load returns.
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

// readThrough is fetchBlocks without caching what load returns.
func readThrough(ctx context.Context, blocks *Blocks, keys []BlockKey, load loadBlocks) ([]raster.Tile, error) {
	tiles := make([]raster.Tile, len(keys))
	var missing []raster.BlockID
	var places []int // indices of missing in tiles
	for i, key := range keys {
		tile, cached := blocks.Get(key)
		if !cached {
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

// IsCached reports which of the given blocks are cached now.
func (c *Cached) IsCached(level int, ids []raster.BlockID, bands []int) []bool {
	return areBlocksCached(c.blocks, blockKeys(c.Key(), level, ids, allAsNil(bands, len(c.Info().Bands))))
}

func areBlocksCached(blocks *Blocks, keys []BlockKey) []bool {
	cached := make([]bool, len(keys))
	for i, key := range keys {
		cached[i] = blocks.Contains(key)
	}
	return cached
}

// cacheInspector is a provider that knows which of its blocks are cached.
type cacheInspector interface {
	IsCached(level int, ids []raster.BlockID, bands []int) []bool
}

// areCached asks a provider that may be a cacheInspector.
func areCached(p raster.Provider, level int, ids []raster.BlockID, bands []int) []bool {
	if k, ok := p.(cacheInspector); ok {
		return k.IsCached(level, ids, bands)
	}
	return make([]bool, len(ids))
}

// IsCached reports which blocks of a plan are cached now, in the order of Plan.Blocks.
func (p *Pyramid) IsCached(plan *Plan) []bool {
	return areCached(p.provider, plan.Level, plan.Blocks(), plan.View.readBands(p.info))
}

// readBands returns all bands that a view reads, including alpha.
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
