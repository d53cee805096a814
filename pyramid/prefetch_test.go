package pyramid_test

import (
	"testing"

	"tileserver/geo"
	"tileserver/pyramid"
	"tileserver/raster"
	"tileserver/raster/blockcache"
	"tileserver/raster/rastertest"
)

func TestAReadAfterAPrefetchReadsNothing(t *testing.T) {
	source := rastertest.Speckled()
	p := pyramid.New(blockcache.Wrap(source, blocks()))
	view := pyramid.View{Lattice: geo.Lattice{ResolutionX: 1, ResolutionY: -1}, Rect: raster.Rect{X1: 40, Y1: 20}, Alpha: -1}
	plan, err := p.Plan(t.Context(), view)
	if err != nil {
		t.Fatal(err)
	}
	first := plan.Blocks()[:1]
	if _, err := p.Provider().Blocks(t.Context(), plan.Level, first, nil); err != nil || len(plan.Blocks()) < 2 {
		t.Fatal(plan.Blocks(), err)
	}
	if !p.NeedsPrefetch(&plan) {
		t.Error("a plan with a missing block needs no prefetch")
	}
	for range 2 {
		if err := p.Prefetch(t.Context(), &plan); err != nil {
			t.Fatal(err)
		}
	}
	if p.NeedsPrefetch(&plan) {
		t.Error("a plan with all blocks needs a prefetch")
	}
	if _, _, err := p.Read(t.Context(), &plan, new(raster.MemoryPool).Get(p.BytesOf(&plan))); err != nil {
		t.Fatal(err)
	}
	if made, want := source.BlocksMade(), len(plan.Blocks()); made != want || source.Calls() != 2 {
		t.Errorf("%d blocks were read in %d calls, want %d in 2", made, source.Calls(), want)
	}
}

func TestAPlanWithoutPixelsNeedsNoPrefetch(t *testing.T) {
	p := pyramid.New(blockcache.Wrap(rastertest.Speckled(), blocks()))
	view := pyramid.View{Lattice: geo.Lattice{ResolutionX: 1, ResolutionY: -1}, Rect: raster.Rect{X0: 1000, Y0: 1000, X1: 1020, Y1: 1008}, Alpha: -1}
	plan, err := p.Plan(t.Context(), view)
	if err != nil {
		t.Fatal(err)
	}
	if p.NeedsPrefetch(&plan) {
		t.Error("a view beside the image needs a prefetch")
	}
}
