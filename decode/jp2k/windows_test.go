package jp2k

import (
	"bytes"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"tileserver/decode/jp2k/codestream/codestreamtest"
	"tileserver/decode/jp2k/jp2ktest"
	"tileserver/raster"
)

// whole is a level that was read in one call.
type whole struct {
	level raster.Level
	tiles map[raster.BlockID]raster.Tile
}

func wholeLevel(t testing.TB, m *Image, level int) whole {
	t.Helper()
	w := whole{m.Info().Levels[level], make(map[raster.BlockID]raster.Tile)}
	ids := w.level.Covering(w.level.Bounds())
	for i, tile := range blocks(t, m, level, ids, nil) {
		w.tiles[ids[i]] = tile
	}
	return w
}

// checkWindows reads parts of a level in many ways without a cache, and compares them.
func checkWindows(t *testing.T, reopen func() *Image, level int, random *rand.Rand, windows int) {
	t.Helper()
	m := reopen()
	want := wholeLevel(t, m, level)
	for range windows {
		m := reopen()
		l := want.level
		x, y := random.IntN(l.Width), random.IntN(l.Height)
		ids := l.Covering(raster.Rect{X0: x, Y0: y, X1: x + 1 + random.IntN(150), Y1: y + 1 + random.IntN(150)})
		random.Shuffle(len(ids), func(i, j int) { ids[i], ids[j] = ids[j], ids[i] })
		ids = ids[:1+random.IntN(len(ids))]
		bands := random.Perm(len(m.Info().Bands))[:1+random.IntN(len(m.Info().Bands))]
		for i, tile := range blocks(t, m, level, ids, bands) {
			for j, band := range bands {
				if !bytes.Equal(tile.Plane(j), want.tiles[ids[i]].Plane(band)) ||
					!bytes.Equal(tile.Validity(j), want.tiles[ids[i]].Validity(band)) {
					t.Fatalf("level %d, block %v, band %d of %v, asked for with %v, is not the part of the whole", level, ids[i], band, bands, ids)
				}
			}
		}
	}
}

func TestWindowsOfTestImages(t *testing.T) {
	few := jp2ktest.RGB()
	few.OfTile = map[int]codestreamtest.Coding{1: {Levels: 0, MultipleComponentTransform: true}, 4: {Levels: 1, Layers: 2}}
	coarse := bandsImage()
	coarse.Components[1].DX, coarse.Components[1].DY = 2, 2
	coarse.Components[2].DX, coarse.Components[3].DY, coarse.Components[4].DX = 2, 3, 4
	for name, m := range map[string]jp2ktest.Image{
		"gray": grayImage(), "rgb": jp2ktest.RGB(), "bands": bandsImage(), "tiles of fewer levels": few, "coarse components": coarse, "36 bits": deepImage(36),
	} {
		data := m.Codestream()
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			random := rand.New(rand.NewPCG(3, 4))
			reopen := func() *Image { return open(t, data, nil).Image }
			for level := range reopen().Info().Levels {
				checkWindows(t, reopen, level, random, 10)
			}
		})
	}
}

// windowedFiles are real files of all kinds: tiles, layers, precincts, high throughput, both
// wavelets, offsets.
var windowedFiles = []string{
	"openjpeg-data/p0_04.j2k", "openjpeg-data/p0_06.j2k", "openjpeg-data/p0_13.j2k", "openjpeg-data/p1_01.j2k", "openjpeg-data/p1_04.j2k",
	"openjpeg-data/p1_05.j2k", "openjpeg-data/p1_07.j2k", "openjpeg-data/issue411-ycc420.jp2", "openhtj2k/ds0_ht_04_b11.j2k",
	"openhtj2k/ds0_hm_06_b11.j2k", "openjph-codestreams/simple_dec_irv97_64x64_tiles_LRCP33x33.jph", "gdal/3_13bit_and_1bit.jp2",
	"gdal/byte_image_origin_not_zero.jp2", "gdal/byte_tlm_plt.jp2", "openjphjs/CT2.j2c",
}

func TestWindowsOfRealFiles(t *testing.T) {
	root := realFolder(t)
	for _, name := range windowedFiles {
		t.Run(strings.ReplaceAll(name, "/", " "), func(t *testing.T) {
			t.Parallel()
			reopen := func() *Image {
				f, err := openReal(t.Context(), t, filepath.Join(root, "jp2k", name))
				if err != nil {
					t.Fatal(err)
				}
				return f.image
			}
			random := rand.New(rand.NewPCG(5, uint64(len(name))))
			for level := range reopen().Info().Levels {
				checkWindows(t, reopen, level, random, 4)
			}
		})
	}
}

// Component returns the same as Blocks if a band is a component.
func TestComponentsAreBands(t *testing.T) {
	m := jp2ktest.RGB()
	o := open(t, m.Codestream(), nil)
	for level := range o.Info().Levels {
		want := wholeLevel(t, o.Image, level)
		for c := range 3 {
			plane, err := o.Component(t.Context(), c, level)
			if err != nil {
				t.Fatal(err)
			}
			for id, tile := range want.tiles {
				r := want.level.Block(id)
				for at := range tile.Width() * tile.Height() {
					x, y := at%tile.Width(), at/tile.Width()
					if got, _ := tile.At(c, x, y); got != float64(plane.Samples[(r.Y0+y)*plane.Width+r.X0+x]) {
						t.Fatalf("level %d, component %d, pixel %d,%d is %v", level, c, r.X0+x, r.Y0+y, got)
					}
				}
			}
		}
	}
}

// Many goroutines read overlapping blocks while the cache evicts all the time.
func TestHammer(t *testing.T) {
	o := open(t, jp2ktest.RGB().Codestream(), func(c *Config) { c.Shared = smallShared() })
	want := wholeLevel(t, o.Image, 0)
	var askers sync.WaitGroup
	for i := range 6 {
		askers.Go(func() {
			random := rand.New(rand.NewPCG(7, uint64(i)))
			for range 15 {
				x, y := random.IntN(want.level.Width), random.IntN(want.level.Height)
				ids := want.level.Covering(raster.Rect{X0: x, Y0: y, X1: x + 70, Y1: y + 70})
				tiles, err := o.Blocks(t.Context(), 0, ids, nil)
				if err != nil {
					t.Error(err)
					return
				}
				for j, tile := range tiles {
					if !tile.SamePixels(want.tiles[ids[j]]) {
						t.Errorf("block %v differs when many ask", ids[j])
					}
				}
			}
		})
	}
	askers.Wait()
}
