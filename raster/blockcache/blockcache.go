package blockcache

import (
	"context"

	"tileserver/cache"
	"tileserver/raster"
)

// Space holds blocks of all providers: decoded, retiled and built ones.
type Space struct {
	space *cache.Space[Key, raster.Tile]
}

// Key identifies the pixels of a block: equal keys mean equal pixels.
type Key struct {
	provider string // its Key
	level    int32
	col, row int32
	bands    string // selected bands in order, encoded by bandsKey; empty means all
}

// New returns the space of blocks in c. One space serves the whole process.
func New(c *cache.Cache) *Space { return &Space{cache.NewSpace[Key, raster.Tile](c, "blocks")} }

// NewCoarse returns the space of the coarsest levels in c, which should be a partition: other
// blocks must not evict these.
func NewCoarse(c *cache.Cache) *Space { return &Space{cache.NewSpace[Key, raster.Tile](c, "levels")} }

// NewRequested is NewCoarse for levels that only requests name, in a partition of their own.
func NewRequested(c *cache.Cache) *Space {
	return &Space{cache.NewSpace[Key, raster.Tile](c, "requested_levels")}
}

// Keys returns the keys of blocks of a provider.
func Keys(p raster.Provider, level int, ids []raster.BlockID, bands []int) []Key {
	provider, name := p.Key(), bandsKey(p.Info().NilIfAll(bands))
	keys := make([]Key, len(ids))
	for i, id := range ids {
		keys[i] = Key{provider, int32(level), int32(id.Col), int32(id.Row), name}
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

// Load loads blocks that are not cached.
type Load func(ctx context.Context, missing []raster.BlockID) ([]raster.Tile, error)

// Get returns a cached block.
func (s *Space) Get(key Key) (raster.Tile, bool) { return s.space.Get(key) }

// Contains reports for each key whether its block is cached now.
func (s *Space) Contains(keys []Key) []bool {
	cached := make([]bool, len(keys))
	for i, key := range keys {
		cached[i] = s.space.Contains(key)
	}
	return cached
}

// Fetch returns blocks of one level. It caches those that load returns.
func (s *Space) Fetch(ctx context.Context, keys []Key, load Load) ([]raster.Tile, error) {
	tiles, err := s.space.Fetch(ctx, keys, func(ctx context.Context, missing []Key) ([]raster.Tile, error) {
		ids := make([]raster.BlockID, len(missing))
		for i, key := range missing {
			ids[i] = key.block()
		}
		return load(ctx, ids)
	})
	for _, t := range tiles {
		t.CheckFrozen()
	}
	return tiles, err
}

// ReadThrough is Fetch without caching what load returns.
func (s *Space) ReadThrough(ctx context.Context, keys []Key, load Load) ([]raster.Tile, error) {
	tiles := make([]raster.Tile, len(keys))
	var missing []raster.BlockID
	var places []int // indices of missing in tiles
	for i, key := range keys {
		tile, cached := s.space.Get(key)
		if !cached {
			missing, places = append(missing, key.block()), append(places, i)
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

func (k Key) block() raster.BlockID { return raster.BlockID{Col: int(k.col), Row: int(k.row)} }
