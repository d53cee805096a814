package overview_test

import (
	"context"
	"fmt"
	"math"
	"testing"

	"tileserver/cache"
	"tileserver/pyramid/overview"
	"tileserver/raster"
	"tileserver/raster/blockcache"
	"tileserver/raster/rastertest"
	"tileserver/raster/wrap"
)

func blocks() *blockcache.Space { return blockcache.New(cache.New(64 << 20)) }

func TestProviderPassesTheSuite(t *testing.T) {
	for _, dataType := range []raster.DataType{raster.Uint8, raster.Int16, raster.Float32, raster.Uint64} {
		t.Run(dataType.String(), func(t *testing.T) {
			rastertest.Suite{
				Open: func(*testing.T) raster.Provider {
					source := rastertest.Speckled()
					source.Has.Type = dataType
					return overview.New(source, blocks(), overview.Config{BlockSize: 16, MinSize: 8})
				},
			}.Run(t)
		})
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
		source := rastertest.Speckled()
		source.Name = name
		for _, noData := range []float64{math.NaN(), 0, 1, 0.1} {
			var p raster.Provider = source
			if noData == noData {
				p = wrap.Mask(source, noData)
			}
			add(fmt.Sprint(name, " nodata ", noData), p)
			for _, size := range [][2]int{{16, 16}, {16, 32}, {32, 16}, {1, 632}, {163, 2}} {
				what := fmt.Sprint(name, " nodata ", noData, " blocks ", size)
				retiled := wrap.Retile(p, size[0], size[1])
				add(what, retiled)
				for _, c := range []overview.Config{{BlockSize: 16, MinSize: 8}, {BlockSize: 8, MinSize: 16}, {BlockSize: 1, MinSize: 1}} {
					add(fmt.Sprint(what, " levels ", c), overview.New(retiled, blocks(), c))
				}
			}
		}
	}
}

// TestScanBecomesGray downsamples black and white lines, and a mesh.
func TestScanBecomesGray(t *testing.T) {
	info := rastertest.Flat(raster.Uint8, 64, 64, 1, 32, 32)
	info.Bits = 1
	scan := &rastertest.Synthetic{Name: "scan@1", Has: info, Sample: func(_, _, x, y int) (float64, bool) { return float64(x % 2), true }}
	p := overview.New(wrap.Spread(scan), blocks(), overview.Config{MinSize: 16})
	for level := 1; level < len(p.Info().Levels); level++ {
		tiles, err := p.Blocks(context.Background(), level, []raster.BlockID{{}}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if v, _ := tiles[0].At(0, 3, 2); v != 128 {
			t.Errorf("level %d is %v, want 128", level, v)
		}
	}
}

// The mean uses valid pixels only; samples without coverage are arbitrary.
func TestProviderWeightsByCoverage(t *testing.T) {
	source := &rastertest.Synthetic{Name: "n", Has: rastertest.Flat(raster.Float32, 5, 3, 1, 5, 3)}
	source.Sample = func(_, _, x, y int) (float64, bool) {
		if x == 0 || y == 2 {
			return math.NaN(), false
		}
		return float64(10*x + y), true
	}
	d := overview.New(source, blocks(), overview.Config{BlockSize: 8, MinSize: 3})
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

func TestProviderPicksAColorOfAPalette(t *testing.T) {
	source := &rastertest.Synthetic{Name: "p", Has: rastertest.Flat(raster.Uint8, 9, 9, 1, 4, 4)}
	source.Has.Bands[0].Color = raster.PaletteIndex
	source.Sample = func(_, _, x, y int) (float64, bool) { return float64(10*x + y), x != 0 }
	d := overview.New(source, blocks(), overview.Config{BlockSize: 4, MinSize: 3})
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
		d := overview.New(named(test.change), blocks(), overview.Config{BlockSize: 4, MinSize: 4})
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

// Transparent pixels do not affect the color of a built level.
func TestProviderWeighsColorsByAlpha(t *testing.T) {
	source := &rastertest.Synthetic{Name: "rgba", Has: rastertest.Flat(raster.Uint8, 8, 6, 2, 4, 4)}
	source.Has.Bands[1].Color = raster.Alpha
	source.Sample = func(_, band, x, _ int) (float64, bool) {
		return [][]float64{{200, 255}, {0, 0}}[x%2][band], true
	}
	d := overview.New(source, blocks(), overview.Config{BlockSize: 4, MinSize: 4})
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

func TestBuiltBlocksPassDamageOn(t *testing.T) {
	halved := overview.New(rastertest.DamagedCorner(nil), blocks(), overview.Config{BlockSize: 16, MinSize: 8})
	rastertest.ShowsDamage(t, halved, 1, raster.BlockID{}, raster.BlockID{Col: 1})
	rastertest.ShowsDamage(t, halved, 2, raster.BlockID{}, raster.BlockID{})
}

func TestProviderPassesCapabilitiesOn(t *testing.T) {
	rastertest.CheckWrapper(t, rastertest.Speckled(), func(p raster.Provider) raster.Provider {
		return overview.New(p, blocks(), overview.Config{BlockSize: 16, MinSize: 8})
	})
}
