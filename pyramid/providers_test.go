package pyramid_test

import (
	"context"
	"fmt"
	"math"
	"testing"

	"tileserver/cache"
	"tileserver/geo"
	"tileserver/pyramid"
	"tileserver/raster"
	"tileserver/raster/rastertest"
)

// speckled returns a value for every pixel, with nodata holes. Neighboring pixels differ.
func speckled(level, band, x, y int) (float64, bool) {
	return float64((level*7919 + band*1009 + x*31 + y*17) % 60000), (x*x+3*y+band)%11 != 0
}

// speckledSource has two levels of odd size with non-square blocks.
func speckledSource() *rastertest.Synthetic {
	info := rastertest.Flat(raster.Uint16, 75, 53, 3, 32, 16)
	info.Pad = 77
	info.Levels = append(info.Levels, raster.Level{Width: 38, Height: 27, BlockWidth: 32, BlockHeight: 16, ScaleX: 75.0 / 38, ScaleY: 53.0 / 27})
	return &rastertest.Synthetic{Name: "speckled@1", Has: info, Sample: speckled}
}

func blocks() *pyramid.Blocks { return pyramid.NewBlocks(cache.New(64 << 20)) }

func TestCachedPassesTheSuite(t *testing.T) {
	rastertest.Suite{
		Open: func(*testing.T) raster.Provider { return pyramid.NewCached(speckledSource(), blocks()) },
		Want: speckled,
	}.Run(t)
}

func TestCachedWithoutACachePassesTheSuite(t *testing.T) {
	rastertest.Suite{
		Open: func(*testing.T) raster.Provider { return pyramid.NewCached(speckledSource(), pyramid.NewBlocks(nil)) },
		Want: speckled,
	}.Run(t)
}

func TestRetiledPassesTheSuite(t *testing.T) {
	for name, c := range map[string]pyramid.RetiledConfig{
		"slices":         {BlockWidth: 8, BlockHeight: 4},
		"stitches":       {BlockWidth: 64, BlockHeight: 48},
		"both":           {BlockWidth: 20, BlockHeight: 33},
		"whole image":    {},
		"the same grid":  {BlockWidth: 32, BlockHeight: 16},
		"pads":           {BlockWidth: 20, BlockHeight: 33, PadEdges: true},
		"pads same grid": {BlockWidth: 32, BlockHeight: 16, PadEdges: true},
	} {
		t.Run(name, func(t *testing.T) {
			rastertest.Suite{
				Open: func(*testing.T) raster.Provider { return pyramid.NewRetiled(speckledSource(), c) },
				Want: func(level, band, x, y int) (float64, bool) {
					if l := speckledSource().Has.Levels[level]; x >= l.Width || y >= l.Height {
						return 77, false
					}
					return speckled(level, band, x, y)
				},
			}.Run(t)
		})
	}
}

func TestDownsampledPassesTheSuite(t *testing.T) {
	for _, dataType := range []raster.DataType{raster.Uint8, raster.Int16, raster.Float32, raster.Uint64} {
		t.Run(dataType.String(), func(t *testing.T) {
			rastertest.Suite{
				Open: func(*testing.T) raster.Provider {
					source := speckledSource()
					source.Has.Type = dataType
					return pyramid.NewDownsampled(source, blocks(), pyramid.DownsampledConfig{BlockSize: 16, MinSize: 8})
				},
			}.Run(t)
		})
	}
}

func TestMaskedPassesTheSuite(t *testing.T) {
	hidden, _ := speckled(0, 1, 5, 5)
	rastertest.Suite{
		Open: func(*testing.T) raster.Provider { return pyramid.NewMasked(speckledSource(), hidden) },
		Want: func(level, band, x, y int) (float64, bool) {
			value, valid := speckled(level, band, x, y)
			return value, valid && value != hidden
		},
	}.Run(t)
}

// Padding uses the source's pad value through every wrapper in between.
func TestPadValueComesThroughWrappers(t *testing.T) {
	var p raster.Provider = pyramid.NewCached(speckledSource(), blocks())
	p = pyramid.NewMasked(p, -1)
	p = pyramid.NewDownsampled(p, blocks(), pyramid.DownsampledConfig{BlockSize: 16, MinSize: 8})
	p = pyramid.NewRetiled(p, pyramid.RetiledConfig{BlockWidth: 50, BlockHeight: 50, PadEdges: true})
	for level, l := range p.Info().Levels {
		last := raster.BlockID{Col: l.Columns() - 1, Row: l.Rows() - 1}
		tiles, err := p.Blocks(context.Background(), level, []raster.BlockID{last}, []int{2})
		if err != nil {
			t.Fatal(err)
		}
		if value, coverage := tiles[0].At(0, 49, 49); value != 77 || coverage != raster.Invalid {
			t.Errorf("level %d: the padding is %v with coverage %d, want 77 with %d", level, value, coverage, raster.Invalid)
		}
	}
}

func TestRetiledPassesEqualGridsThroughWithoutACopy(t *testing.T) {
	cached := pyramid.NewCached(speckledSource(), blocks())
	retiled := pyramid.NewRetiled(cached, pyramid.RetiledConfig{BlockWidth: 32, BlockHeight: 16})
	ids := []raster.BlockID{{Col: 1, Row: 1}}
	own, err := cached.Blocks(context.Background(), 0, ids, nil)
	if err != nil {
		t.Fatal(err)
	}
	through, err := retiled.Blocks(context.Background(), 0, ids, nil)
	if err != nil {
		t.Fatal(err)
	}
	if own[0] != through[0] {
		t.Error("the block was copied")
	}
}

func TestRetiledReadsEachSourceBlockOnceAndOnlyTheBands(t *testing.T) {
	source := speckledSource()
	retiled := pyramid.NewRetiled(source, pyramid.RetiledConfig{BlockWidth: 20, BlockHeight: 20})
	ids := []raster.BlockID{{Col: 0, Row: 0}, {Col: 1, Row: 0}, {Col: 1, Row: 1}}
	if _, err := retiled.Blocks(context.Background(), 0, ids, []int{2}); err != nil {
		t.Fatal(err)
	}
	// Pixels 0 to 40 by 0 to 40, in blocks of 32 by 16, are 2 by 3 blocks.
	if source.Calls() != 1 || source.BlocksMade() != 6 || source.PlanesMade() != 6 {
		t.Errorf("%d calls for %d blocks and %d planes, want 1, 6 and 6", source.Calls(), source.BlocksMade(), source.PlanesMade())
	}
}

func TestCachedReadsMissingBlocksInOneCall(t *testing.T) {
	source := speckledSource()
	cached := pyramid.NewCached(source, blocks())
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

// Two chains with different parameters, or over different datasets, never share a key, and so never
// a cached block.
func TestKeysTellProvidersApart(t *testing.T) {
	seen := make(map[string]string)
	add := func(what string, p raster.Provider) {
		if other, taken := seen[p.Key()]; taken {
			t.Errorf("%s and %s share the key %q", what, other, p.Key())
		}
		seen[p.Key()] = what
	}
	for _, name := range []string{"a.tif@1", "a.tif@2", "b.tif@1"} {
		source := speckledSource()
		source.Name = name
		for _, noData := range []float64{math.NaN(), 0, 1, 0.1} {
			var p raster.Provider = source
			if noData == noData {
				p = pyramid.NewMasked(source, noData)
			}
			add(fmt.Sprint(name, " nodata ", noData), p)
			for _, size := range [][2]int{{16, 16}, {16, 32}, {32, 16}, {1, 632}, {163, 2}} {
				for _, pad := range []bool{false, true} {
					what := fmt.Sprint(name, " nodata ", noData, " blocks ", size, " pad ", pad)
					retiled := pyramid.NewRetiled(p, pyramid.RetiledConfig{BlockWidth: size[0], BlockHeight: size[1], PadEdges: pad})
					add(what, retiled)
					for _, c := range []pyramid.DownsampledConfig{{BlockSize: 16, MinSize: 8}, {BlockSize: 8, MinSize: 16}, {BlockSize: 1, MinSize: 1}} {
						add(fmt.Sprint(what, " levels ", c), pyramid.NewDownsampled(retiled, blocks(), c))
					}
				}
			}
		}
	}
}

func TestTwoDatasetsInOneCacheDoNotMix(t *testing.T) {
	shared := blocks()
	var tiles []raster.Tile
	for i, name := range []string{"a.tif@1", "b.tif@1"} {
		source := speckledSource()
		source.Name = name
		source.Sample = func(_, _, _, _ int) (float64, bool) { return float64(i), true }
		got, err := pyramid.NewCached(source, shared).Blocks(context.Background(), 0, []raster.BlockID{{}}, nil)
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

// The mean uses valid pixels only; samples without coverage are arbitrary.
func TestDownsampledWeightsByCoverage(t *testing.T) {
	source := &rastertest.Synthetic{Name: "n", Has: rastertest.Flat(raster.Float32, 5, 3, 1, 5, 3)}
	source.Sample = func(_, _, x, y int) (float64, bool) {
		if x == 0 || y == 2 {
			return math.NaN(), false
		}
		return float64(10*x + y), true
	}
	d := pyramid.NewDownsampled(source, blocks(), pyramid.DownsampledConfig{BlockSize: 8, MinSize: 3})
	tiles, err := d.Blocks(context.Background(), 1, []raster.BlockID{{}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := []struct {
		x, y     int
		value    float64
		coverage uint8
	}{{0, 0, 10.5, 128}, {1, 0, 25.5, 255}, {2, 0, 40.5, 255}, {0, 1, 0, 0}, {1, 1, 0, 0}, {2, 1, 0, 0}}
	for _, w := range want {
		if value, coverage := tiles[0].At(0, w.x, w.y); value != w.value || coverage != w.coverage {
			t.Errorf("pixel %d,%d is %v with coverage %d, want %v with %d", w.x, w.y, value, coverage, w.value, w.coverage)
		}
	}
}

func TestDownsampledPicksAColorOfAPalette(t *testing.T) {
	source := &rastertest.Synthetic{Name: "p", Has: rastertest.Flat(raster.Uint8, 9, 9, 1, 4, 4)}
	source.Has.Bands[0].Color = raster.PaletteIndex
	source.Sample = func(_, _, x, y int) (float64, bool) { return float64(10*x + y), x != 0 }
	d := pyramid.NewDownsampled(source, blocks(), pyramid.DownsampledConfig{BlockSize: 4, MinSize: 3})
	tiles, err := d.Blocks(context.Background(), 1, []raster.BlockID{{}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range [][3]int{{0, 0, 10}, {1, 0, 20}, {1, 1, 22}, {2, 3, 46}} {
		if value, _ := tiles[0].At(0, w[0], w[1]); value != float64(w[2]) {
			t.Errorf("pixel %d,%d is %v, want %d", w[0], w[1], value, w[2])
		}
	}
}

// named has two bands of 16 x 12 pixels with the samples 0 and 100. The second band has classes.
func named(change func(*raster.Info)) *rastertest.Synthetic {
	source := &rastertest.Synthetic{Name: "n", Has: rastertest.Flat(raster.Uint16, 16, 12, 2, 8, 8)}
	source.Has.Bands[1].Categories = []string{"water", "", "wood"}
	source.Sample = func(_, _, x, y int) (float64, bool) { return float64(100 * ((x + y) % 2)), true }
	if change != nil {
		change(&source.Has)
	}
	return source
}

// TestClassesArePicked checks built levels: a band of amounts is not affected by a band of classes
// beside it.
func TestClassesArePicked(t *testing.T) {
	for name, test := range map[string]struct {
		change func(*raster.Info)
		want   [2]float64 // of the bands, at the first pixel
	}{
		"a band of names":  {nil, [2]float64{50, 0}},
		"floats":           {func(i *raster.Info) { i.Type = raster.Float32 }, [2]float64{50, 50}},
		"no names":         {func(i *raster.Info) { i.Bands[1].Categories = nil }, [2]float64{50, 50}},
		"a palette beside": {func(i *raster.Info) { i.Bands[1].Categories, i.Bands[1].Color = nil, raster.PaletteIndex }, [2]float64{0, 0}},
	} {
		d := pyramid.NewDownsampled(named(test.change), blocks(), pyramid.DownsampledConfig{BlockSize: 4, MinSize: 4})
		for _, bands := range [][]int{nil, {0}, {1}, {1, 0}} {
			tiles, err := d.Blocks(t.Context(), 1, []raster.BlockID{{}}, bands)
			if err != nil {
				t.Fatal(err)
			}
			for i := range tiles[0].Bands() {
				band := i
				if bands != nil {
					band = bands[i]
				}
				if got, _ := tiles[0].At(i, 0, 0); got != test.want[band] {
					t.Errorf("%s, bands %v: band %d is %v, want %v", name, bands, band, got, test.want[band])
				}
			}
		}
	}
}

// TestClassesAreNotAveraged checks resampling between pixels.
func TestClassesAreNotAveraged(t *testing.T) {
	p := pyramid.New(named(nil))
	for _, test := range []struct {
		bands   []int
		weighed bool
	}{{nil, false}, {[]int{1}, false}, {[]int{0}, true}, {[]int{0, 1}, false}} {
		v := pyramid.View{
			Lattice: geo.Lattice{ResolutionX: 0.7, ResolutionY: -0.7}, Rect: raster.Rect{X1: 20, Y1: 15},
			Resampling: pyramid.Bilinear, Bands: test.bands, Alpha: -1,
		}
		tile := mustRead(t, p, v)
		weighed := false
		for x := range tile.Width() {
			value, _ := tile.At(0, x, 7)
			weighed = weighed || value != 0 && value != 100
		}
		if weighed != test.weighed {
			t.Errorf("bands %v: weighed %v, want %v", test.bands, weighed, test.weighed)
		}
	}
}

// Every wrapper reports whether blocks are cached, and the query does not count as a use.
func TestWrappersReportCachedBlocks(t *testing.T) {
	kept := blocks()
	d := pyramid.NewDownsampled(pyramid.NewMasked(pyramid.NewCached(speckledSource(), kept), 3), kept, pyramid.DownsampledConfig{BlockSize: 16, MinSize: 8})
	p := pyramid.New(d)
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
		if _, _, err := p.Read(context.Background(), &plan); err != nil {
			t.Fatal(err)
		}
		if !p.IsCached(&plan)[0] {
			t.Errorf("level %d: a block that was read is not cached", level)
		}
	}
}

// Transparent pixels do not affect the color of a built level.
func TestDownsampledWeighsColorsByAlpha(t *testing.T) {
	source := &rastertest.Synthetic{Name: "rgba", Has: rastertest.Flat(raster.Uint8, 8, 6, 2, 4, 4)}
	source.Has.Bands[1].Color = raster.Alpha
	source.Sample = func(_, band, x, _ int) (float64, bool) {
		return [][]float64{{200, 255}, {0, 0}}[x%2][band], true
	}
	d := pyramid.NewDownsampled(source, blocks(), pyramid.DownsampledConfig{BlockSize: 4, MinSize: 4})
	for _, bands := range [][]int{{0}, {0, 1}, {1, 0}, {1}, nil} {
		tiles, err := d.Blocks(context.Background(), 1, []raster.BlockID{{}}, bands)
		if err != nil {
			t.Fatal(err)
		}
		asked := bands
		if asked == nil {
			asked = []int{0, 1}
		}
		for i, band := range asked {
			want := []float64{200, 128}[band]
			if got, coverage := tiles[0].At(i, 1, 1); got != want || coverage != raster.Valid {
				t.Errorf("bands %v: band %d is %v with coverage %d, want %v", bands, band, got, coverage, want)
			}
		}
	}
}
