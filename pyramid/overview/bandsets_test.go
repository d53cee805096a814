package overview

import (
	"slices"
	"testing"

	"tileserver/cache"
	"tileserver/raster"
	"tileserver/raster/blockcache"
	"tileserver/raster/rastertest"
)

// bandsOf returns a source of bands that each have samples of their own.
func bandsOf(bands int, dataType raster.DataType) *rastertest.Synthetic {
	s := &rastertest.Synthetic{Name: "bands@1", Has: rastertest.Flat(dataType, 203, 310, bands, 32, 16)}
	s.Sample = func(_, band, x, y int) (float64, bool) { return speckle(band, x, y), (x+y+band)%11 != 0 }
	return s
}

// After one build, any bands in any order are those that a build of these bands alone would give.
func TestBandsAreReorderedFromOneBuild(t *testing.T) {
	for name, test := range map[string]struct {
		bands    int
		dataType raster.DataType
		alpha    int // the band that is an opacity, or -1
		builds   int
	}{
		"four bytes":        {4, raster.Uint8, -1, 1},
		"four, with alpha":  {4, raster.Uint8, 3, 1},
		"eight wide ones":   {8, raster.Uint16, -1, 1},
		"ten floats":        {10, raster.Float32, -1, 3},
		"wide, with alpha":  {9, raster.Uint16, 8, 3},
		"a pixel of floats": {1, raster.Float64, -1, 1},
	} {
		t.Run(name, func(t *testing.T) {
			newSource := func() *counted {
				s := bandsOf(test.bands, test.dataType)
				if test.alpha >= 0 {
					s.Has.Bands[test.alpha].Color = raster.Alpha
				}
				return newCounted(s)
			}
			source := newSource()
			d := sweeping(source, nil)
			whole := defined(t, sweeping(newSource().Synthetic, nil))
			all := source.Info().AllBands()
			reversed := slices.Clone(all)
			slices.Reverse(reversed)
			for _, bands := range [][]int{nil, all[:1], reversed, all[len(all)-1:], {0, 0}, {len(all) / 2, 0}} {
				for level := d.native; level < len(d.info.Levels); level++ {
					for _, id := range []raster.BlockID{{}, {Col: d.info.Levels[level].Columns() - 1, Row: d.info.Levels[level].Rows() - 1}} {
						got := built(t, d, level, id, bands)
						if bands == nil {
							bands = all
						}

						for i, band := range bands {
							wantBand(t, d, whole[level], level, id, got, i, band)
						}
					}
				}
			}
			if builds := source.maxTimes(); builds != test.builds {
				t.Errorf("%d builds read a block, want %d", builds, test.builds)
			}
		})
	}
}

// sweeping returns a provider for which everything is too expensive for a request.
func sweeping(s raster.Provider, saved Saved) *Provider {
	kept := cache.New(64 << 20)
	return smallLevels(s, kept, func(c *Config) {
		c.MaxBytes, c.Saved = 1, saved
		c.Coarse, c.CoarseBytes = blockcache.NewCoarse(cache.NewPartition(kept, 32<<20)), 16<<20
	})
}

// built returns a block after all builds that it needs.
func built(t *testing.T, d *Provider, level int, id raster.BlockID, bands []int) raster.Tile {
	t.Helper()
	for range d.bandSets {
		work, err := d.Missing(t.Context(), level, []raster.BlockID{id}, bands)
		if err != nil {
			t.Fatal(err)
		}
		if work == nil {
			break
		}
		if err := d.Build(t.Context(), work, func(float64) {}); err != nil {
			t.Fatal(err)
		}
	}
	tiles, err := d.Blocks(t.Context(), level, []raster.BlockID{id}, bands)
	if err != nil {
		t.Fatal(err)
	}
	if !d.IsCached(level, []raster.BlockID{id}, bands)[0] {
		t.Errorf("bands %v of block %v are not cached", bands, id)
	}
	return tiles[0]
}

// wantBand compares a band of a block with its part of the whole level.
func wantBand(t *testing.T, d *Provider, whole raster.Tile, level int, id raster.BlockID, got raster.Tile, at, band int) {
	t.Helper()
	l := d.info.Levels[level]
	c := raster.NewStitcher(d.info.Type, l.Block(id), whole.Bands())
	c.Put(whole, l.Bounds())
	want := c.Freeze()
	if string(got.Plane(at)) != string(want.Plane(band)) || string(got.Validity(at)) != string(want.Validity(band)) {
		t.Fatalf("band %d of block %v of level %d is not what halving the whole image gives", band, id, level)
	}
}
