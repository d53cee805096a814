package pyramid_test

import (
	"context"
	"testing"

	"tileserver/cache"
	"tileserver/geo"
	"tileserver/pyramid"
	"tileserver/pyramid/overview"
	"tileserver/raster"
	"tileserver/raster/blockcache"
	"tileserver/raster/rastertest"
	"tileserver/raster/wrap"
)

func blocks() *blockcache.Space { return blockcache.New(cache.New(64 << 20)) }

// Every wrapper reports whether blocks are cached, and the query does not count as a use.
func TestWrappersReportCachedBlocks(t *testing.T) {
	kept := blocks()
	p := pyramid.New(overview.New(wrap.Mask(blockcache.Wrap(rastertest.Speckled(), kept), 3), kept, overview.Config{BlockSize: 16, MinSize: 8}))
	for level, scale := range map[int]float64{0: 1, 2: 4} {
		plan, err := p.Plan(context.Background(), pyramid.View{Lattice: geo.Lattice{ResolutionX: scale, ResolutionY: -scale}, Rect: raster.Rect{X1: 8, Y1: 8}, Alpha: -1})
		if err != nil {
			t.Fatal(err)
		}
		if plan.Level != level || len(plan.Blocks()) != 1 {
			t.Fatalf("level %d, blocks %v", plan.Level, plan.Blocks())
		}
		if p.IsCached(&plan)[0] {
			t.Errorf("level %d: a block that was not read is cached", level)
		}
		if _, _, err := p.Read(context.Background(), &plan, new(raster.MemoryPool).Get(p.BytesOf(&plan))); err != nil {
			t.Fatal(err)
		}
		if !p.IsCached(&plan)[0] {
			t.Errorf("level %d: a block that was read is not cached", level)
		}
	}
}
