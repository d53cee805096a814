package blockcache_test

import (
	"context"
	"testing"

	"tileserver/cache"
	"tileserver/raster"
	"tileserver/raster/blockcache"
	"tileserver/raster/rastertest"
)

func space() *blockcache.Space { return blockcache.New(cache.New(64 << 20)) }

func TestProviderPassesTheSuite(t *testing.T) {
	rastertest.Suite{
		Open: func(*testing.T) raster.Provider { return blockcache.Wrap(rastertest.Speckled(), space()) },
		Want: rastertest.Speckle,
	}.Run(t)
}

func TestProviderWithoutACachePassesTheSuite(t *testing.T) {
	rastertest.Suite{
		Open: func(*testing.T) raster.Provider {
			return blockcache.Wrap(rastertest.Speckled(), blockcache.New(nil))
		},
		Want: rastertest.Speckle,
	}.Run(t)
}

func TestMissingBlocksAreReadInOneCall(t *testing.T) {
	source := rastertest.Speckled()
	cached := blockcache.Wrap(source, space())
	for _, ids := range [][]raster.BlockID{{{Col: 0}, {Col: 1}}, {{Col: 0}, {Col: 1}, {Col: 2}, {Col: 2, Row: 1}}} {
		if _, err := cached.Blocks(context.Background(), 0, ids, []int{0, 1, 2}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := cached.Blocks(context.Background(), 0, []raster.BlockID{{Col: 0}}, nil); err != nil {
		t.Fatal(err)
	}
	if source.Calls() != 2 || source.BlocksMade() != 4 {
		t.Errorf("%d calls for %d blocks, want 2 and 4", source.Calls(), source.BlocksMade())
	}
}

func TestBlocksReadInBypassAreNotCached(t *testing.T) {
	source, kept := rastertest.Speckled(), space()
	cached := blockcache.Wrap(source, kept)
	ids := []raster.BlockID{{Col: 0}, {Col: 1}}
	if _, err := cached.Blocks(t.Context(), 0, ids[:1], nil); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if _, err := cached.Blocks(blockcache.Bypass(t.Context()), 0, ids, nil); err != nil {
			t.Fatal(err)
		}
	}
	if got := raster.IsCached(cached, 0, ids, nil); !got[0] || got[1] || source.BlocksMade() != 3 {
		t.Errorf("cached are %v after %d blocks, want the first alone after 3", got, source.BlocksMade())
	}
}

func TestTwoDatasetsInOneSpaceDoNotMix(t *testing.T) {
	shared := space()
	var tiles []raster.Tile
	for i, name := range []string{"a.tif@1", "b.tif@1"} {
		source := rastertest.Speckled()
		source.Name = name
		source.Sample = func(_, _, _, _ int) (float64, bool) { return float64(i), true }
		got, err := blockcache.Wrap(source, shared).Blocks(context.Background(), 0, []raster.BlockID{{}}, nil)
		if err != nil {
			t.Fatal(err)
		}
		tiles = append(tiles, got[0])
	}
	for i, tile := range tiles {
		if value, _ := tile.At(0, 0, 0); value != float64(i) {
			t.Errorf("dataset %d gave the pixel %v", i, value)
		}
	}
}

// A block that comes from the cache tells the damage that it had when it was read.
func TestCachedBlocksPassDamageOn(t *testing.T) {
	cached := blockcache.Wrap(rastertest.DamagedCorner(nil), space())
	for range 2 {
		rastertest.ShowsDamage(t, cached, 0, raster.BlockID{}, raster.BlockID{Col: 1})
	}
}

func TestProviderPassesCapabilitiesOn(t *testing.T) {
	rastertest.CheckWrapper(t, rastertest.Speckled(), func(p raster.Provider) raster.Provider { return blockcache.Wrap(p, space()) })
}
