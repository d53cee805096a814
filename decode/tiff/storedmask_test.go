package tiff

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"

	"tileserver/decode/pool"
	"tileserver/decode/tiff/tifftest"
	"tileserver/raster"
)

// masked returns 3 x 3 full blocks of JPEG under a mask of the same size.
func masked(mask tifftest.Image, hidden func(x, y int) bool) tifftest.File {
	img := tiledJPEG(func(img *tifftest.Image) { img.Width, img.Height = 96, 96 })
	mask.Width, mask.Height, mask.Subfile = img.Width, img.Height, tifftest.Mask
	mask.Value = func(x, y, _ int) float64 {
		if hidden(x, y) {
			return 0
		}
		return 1
	}
	return tifftest.File{Images: []tifftest.Image{img, mask}}
}

func noneIsHidden(x, y int) bool { return false }

// TestStoredPicturesFollowTheMask requests every block repeatedly, from files with few and many
// holes. What is cached of other blocks must never change an answer.
func TestStoredPicturesFollowTheMask(t *testing.T) {
	few := map[[2]int]bool{{31, 0}: true, {64, 37}: true, {95, 95}: true}
	for name, mask := range map[string]tifftest.Image{
		"tiles of the same size":  {Bits: 1, Tiled: true, BlockWidth: 32, BlockHeight: 32, Compression: tifftest.Deflate},
		"small tiles":             {Bits: 1, Tiled: true, BlockWidth: 16, BlockHeight: 16, Compression: tifftest.LZW},
		"tiles across blocks":     {Bits: 1, Tiled: true, BlockWidth: 48, BlockHeight: 80, Compression: tifftest.PackBits},
		"one tile":                {Bits: 1, Tiled: true, Compression: tifftest.Deflate},
		"one strip":               {Bits: 1},
		"strips":                  {Bits: 1, BlockHeight: 3, Compression: tifftest.OldDeflate},
		"low bits first":          {Bits: 1, Tiled: true, BlockWidth: 48, BlockHeight: 32, LowBitFirst: true, Compression: tifftest.Deflate},
		"bytes":                   {Tiled: true, BlockWidth: 48, BlockHeight: 32, Predictor: 2, Compression: tifftest.Deflate},
		"bits of each band":       {Bits: 1, Samples: 3, Tiled: true, BlockWidth: 32, BlockHeight: 32, Compression: tifftest.Deflate},
		"bits of each band apart": {Bits: 1, Samples: 3, Planar: true, Tiled: true, BlockWidth: 32, BlockHeight: 32, Compression: tifftest.Deflate},
		"sparse tiles":            {Bits: 1, Tiled: true, BlockWidth: 32, BlockHeight: 32, Compression: tifftest.Deflate, Sparse: func(column, row int) bool { return column == row }},
	} {
		for hole, hidden := range map[string]func(x, y int) bool{
			"none": noneIsHidden,
			"few":  func(x, y int) bool { return few[[2]int{x, y}] },
			"half": func(x, y int) bool { return y >= 40 },
		} {
			t.Run(name+", "+hole, func(t *testing.T) {
				checkAnswers(t, open(t, masked(mask, hidden)).Images()[0])
			})
		}
	}
}

// checkAnswers compares the answers for all blocks with their validity.
func checkAnswers(t *testing.T, m *Image) {
	t.Helper()
	if !m.Info().Masked {
		t.Error("the image is not marked as masked")
	}
	random := rand.New(rand.NewPCG(1, 2))
	level := m.Info().Levels[0]
	ids := level.Covering(level.Bounds())
	tiles, err := m.Blocks(t.Context(), 0, ids, nil)
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		for _, i := range random.Perm(len(ids)) {
			_, ok, err := m.StoredPicture(t.Context(), 0, m.Info().Levels[0].Block(ids[i]))
			if err != nil || ok != tiles[i].AllValid() {
				t.Errorf("block %v: got %v and %v, want %v", ids[i], ok, err, tiles[i].AllValid())
			}
		}
	}
}

// TestMasksThatEndWithinAByte checks the bits that pad rows.
func TestMasksThatEndWithinAByte(t *testing.T) {
	for _, hiddenColumn := range []int{-1, 0, 79, 80, 82} {
		img := tiledJPEG(func(img *tifftest.Image) { img.Tiled, img.BlockHeight = false, 0 })
		mask := tifftest.Image{Width: img.Width, Height: img.Height, Bits: 1, Subfile: tifftest.Mask, BlockHeight: 7, Compression: tifftest.Deflate}
		mask.Value = func(x, y, _ int) float64 {
			if x == hiddenColumn {
				return 0
			}
			return 1
		}
		m := open(t, tifftest.File{Images: []tifftest.Image{img, mask}}).Images()[0]
		if _, ok, err := m.StoredPicture(t.Context(), 0, m.Info().Levels[0].Block(raster.BlockID{})); err != nil || ok != (hiddenColumn < 0) {
			t.Errorf("column %d is hidden: got %v and %v", hiddenColumn, ok, err)
		}
	}
}

// TestMasksAreLookedAtOnce counts reads and decoded blocks.
func TestMasksAreLookedAtOnce(t *testing.T) {
	pool := pool.New(pool.Config{Workers: 1})
	mask := tifftest.Image{Bits: 1, Tiled: true, BlockWidth: 32, BlockHeight: 32, Compression: tifftest.Deflate}
	f, src := openCounting(t, masked(mask, func(x, y int) bool { return x == 70 && y == 10 }), Config{Pool: pool})
	src.taken()
	for _, step := range []struct {
		name    string
		id      raster.BlockID
		ok      bool
		ranges  int
		decoded int64
	}{
		{"the first block", raster.BlockID{}, true, 2, 1},
		{"once more", raster.BlockID{}, true, 1, 0},
		{"one whose mask is stored in the same bytes", raster.BlockID{Col: 1}, true, 2, 0},
		{"once more", raster.BlockID{Col: 1}, true, 1, 0},
		{"one that is hidden in part", raster.BlockID{Col: 2}, false, 2, 1},
		{"once more", raster.BlockID{Col: 2}, false, 0, 0},
	} {
		before := pool.Stats().Decoded
		m := f.Images()[0]
		_, ok, err := m.StoredPicture(t.Context(), 0, m.Info().Levels[0].Block(step.id))
		if err != nil || ok != step.ok {
			t.Fatalf("%s: got %v and %v, want %v", step.name, ok, err, step.ok)
		}
		ranges := 0
		for _, read := range src.taken() {
			ranges += len(read)
		}
		if decoded := pool.Stats().Decoded - before; ranges != step.ranges || decoded != step.decoded {
			t.Errorf("%s: %d ranges and %d decodings, want %d and %d", step.name, ranges, decoded, step.ranges, step.decoded)
		}
	}
}

// TestManyAskForStoredPictures requests pictures concurrently, for the race detector and for
// answers that get mixed up.
func TestManyAskForStoredPictures(t *testing.T) {
	mask := tifftest.Image{Bits: 1, Tiled: true, BlockWidth: 16, BlockHeight: 16, Compression: tifftest.Deflate}
	m := open(t, masked(mask, func(x, y int) bool { return x/32 == 1 && x%32 == y%32 })).Images()[0]
	var asking sync.WaitGroup
	errs := make(chan error, 8)
	for range cap(errs) {
		asking.Go(func() {
			for _, id := range m.Info().Levels[0].Covering(m.Info().Levels[0].Bounds()) {
				if _, ok, err := m.StoredPicture(t.Context(), 0, m.Info().Levels[0].Block(id)); err != nil || ok != (id.Col != 1) {
					errs <- fmt.Errorf("block %v: got %v and %v", id, ok, err)
					return
				}
			}
		})
	}
	asking.Wait()
	close(errs)
	for err := range errs {
		t.Error(err)
	}
}
