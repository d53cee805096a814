package overview

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"tileserver/cache"
	"tileserver/raster"
	"tileserver/raster/blockcache"
)

// Built levels equal the result of halving the whole image, whatever the blocks of the file, the
// order of requests and the cache.
func TestBuiltLevelsEqualHalvingTheWhole(t *testing.T) {
	for shapeName, shape := range storedShapes() {
		for kindName, kind := range storedKinds() {
			stored := blockcache.Wrap(storedAs(shape, kind), blockcache.New(cache.New(64<<20))) // drawing it is the slowest part
			caches := map[string]*cache.Cache{"a cache": cache.New(64 << 20)}
			if kindName == "floats with holes of their own" || kindName == "names beside colours with alpha" {
				caches["no cache"], caches["a small cache"] = nil, cache.New(40_000) // how samples are halved does not depend on the cache
			}
			for cacheName, c := range caches {
				t.Run(fmt.Sprint(shapeName, "/", kindName, "/", cacheName), func(t *testing.T) {
					d := smallLevels(stored, c, func(config *Config) { config.IntermediateBytes = c.MaxBytes() / 16 })
					whole := defined(t, d)
					random := rand.New(rand.NewPCG(1, 1))
					for level := len(d.info.Levels) - 1; level >= d.native; level-- {
						ids := allBlocks(d.info.Levels[level])
						random.Shuffle(len(ids), func(i, j int) { ids[i], ids[j] = ids[j], ids[i] })
						ids = ids[:min(len(ids), 6)]
						for some := range slices.Chunk(ids, 3) {
							tiles, err := d.Blocks(t.Context(), level, some, nil)
							if err != nil {
								t.Fatal(err)
							}
							for i, tile := range tiles {
								wantDefined(t, d, whole, level, some[i], tile)
							}
						}
					}
				})
			}
		}
	}
}

// Opacity weighs colors even if it is not requested. Requesting it takes no second sweep.
func TestBandsWithoutTheirOpacityTakeNoSecondSweep(t *testing.T) {
	source := newCounted(storedAs(storedShapes()["strips of seven rows"], storedKinds()["colours with alpha"]))
	d := smallLevels(source, cache.New(64<<20), nil)
	top := len(d.info.Levels) - 1
	all, err := d.Blocks(t.Context(), top, []raster.BlockID{{}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	colours, err := d.Blocks(t.Context(), top, []raster.BlockID{{}}, []int{0, 1})
	if err != nil {
		t.Fatal(err)
	}
	for b := range 2 {
		if string(colours[0].Plane(b)) != string(all[0].Plane(b)) {
			t.Errorf("band %d differs without the opacity", b)
		}
	}
	if source.maxTimes() != 1 {
		t.Errorf("a block was read %d times", source.maxTimes())
	}
}
