package blockcache

import (
	"context"

	"tileserver/raster"
)

// provider is a wrapper that caches blocks. It reads all missing blocks in one call. Its key is the
// source's, since it changes no pixel. Windows are not cached, since a source that has them caches
// costly decoded data itself.
type provider struct {
	raster.Wrapper
	space *Space
}

// Wrap returns source with its blocks cached in a space.
func Wrap(source raster.Provider, space *Space) raster.Provider {
	return &provider{raster.Over(source), space}
}

// Blocks returns blocks from the cache or from the source.
func (p *provider) Blocks(ctx context.Context, level int, ids []raster.BlockID, bands []int) ([]raster.Tile, error) {
	if err := p.Info().CheckRequest(level, ids, bands); err != nil {
		return nil, err
	}
	bands = p.Info().NilIfAll(bands)
	get := p.space.Fetch
	if isBypassed(ctx) {
		get = p.space.ReadThrough
	}
	return get(ctx, Keys(p, level, ids, bands), func(ctx context.Context, missing []raster.BlockID) ([]raster.Tile, error) {
		return p.Provider.Blocks(ctx, level, missing, bands)
	})
}

// IsCached reports which blocks are in the space.
func (p *provider) IsCached(level int, ids []raster.BlockID, bands []int) []bool {
	return p.space.Contains(Keys(p, level, ids, bands))
}

type bypassKey struct{}

// Bypass returns a context in which blocks that are read are not cached. It serves bulk reads whose
// blocks are needed once and would evict more useful ones.
func Bypass(ctx context.Context) context.Context { return context.WithValue(ctx, bypassKey{}, true) }

func isBypassed(ctx context.Context) bool { return ctx.Value(bypassKey{}) != nil }
