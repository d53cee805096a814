package overview

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"

	"tileserver/cache"
	"tileserver/raster"
	"tileserver/raster/blockcache"
	"tileserver/raster/rastertest"
	"tileserver/raster/wrap"
)

// sparse is a source that stores one rectangle of its pixels, and counts the calls of Empty.
type sparse struct {
	*rastertest.Synthetic
	has   raster.Rect
	asked atomic.Int64
	fails error
}

func (s *sparse) Empty(_ context.Context, _ int, rect raster.Rect) (bool, error) {
	s.asked.Add(1)
	return s.has.Intersect(rect).Empty(), s.fails
}

func sparseSource(width, height, blockWidth, blockHeight int, has raster.Rect) *sparse {
	s := &sparse{has: has}
	s.Synthetic = &rastertest.Synthetic{Name: "sparse@1", Has: rastertest.Flat(raster.Uint8, width, height, 1, blockWidth, blockHeight)}
	s.Has.Pad = 9
	s.Sample = func(_, _, x, y int) (float64, bool) {
		in := x >= has.X0 && x < has.X1 && y >= has.Y0 && y < has.Y1
		if !in {
			return 9, false
		}
		return float64(x*y%250 + 1), true
	}
	return s
}

// An empty area costs one call of Empty, at any level of an image of any size.
func TestEmptyBuiltBlocksCostNothing(t *testing.T) {
	source := sparseSource(400_000, 400_000, 512, 512, raster.Rect{X0: 100_000, Y0: 200_000, X1: 100_700, Y1: 200_300})
	kept := cache.New(64 << 20)
	blocks := blockcache.New(kept)
	d := New(blockcache.Wrap(source, blocks), blocks, Config{MaxBytes: 64 << 20})
	for level := d.native; level < len(d.info.Levels)-1; level++ {
		source.asked.Store(0)
		l := d.info.Levels[level]
		tiles, err := d.Blocks(t.Context(), level, []raster.BlockID{{Col: l.Columns() - 1, Row: l.Rows() - 1}}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if value, coverage := tiles[0].At(0, 0, 0); value != 0 || coverage != raster.Invalid {
			t.Errorf("an empty pixel of level %d is %v with coverage %d", level, value, coverage)
		}
		if n := source.asked.Load(); n > 2 || source.Calls() > 0 {
			t.Errorf("an empty block of level %d took %d questions and %d calls", level, n, source.Calls())
		}
	}
	if entries := kept.Stats().Spaces[0].Entries; entries != 0 {
		t.Errorf("%d empty blocks are cached", entries)
	}
	source.asked.Store(0)
	if _, err := d.Blocks(t.Context(), len(d.info.Levels)-1, []raster.BlockID{{}}, nil); err != nil {
		t.Fatal(err)
	}
	if made, asked := source.BlocksMade(), source.asked.Load(); made > 16 || asked > 400 {
		t.Errorf("the whole image, nearly empty, took %d blocks and %d calls of Empty", made, asked)
	}
}

// Skipping empty areas changes no pixel.
func TestSparseLevelsEqualHalvingTheWhole(t *testing.T) {
	for name, shape := range storedShapes() {
		t.Run(name, func(t *testing.T) {
			source := sparseSource(shape.Width, shape.Height, shape.BlockWidth, shape.BlockHeight,
				raster.Rect{X0: shape.Width / 3, Y0: shape.Height / 2, X1: shape.Width, Y1: shape.Height/2 + 41})
			d := smallLevels(source, cache.New(64<<20), nil)
			whole := defined(t, d)
			for level := len(d.info.Levels) - 1; level >= d.native; level-- {
				ids := allBlocks(d.info.Levels[level])
				tiles, err := d.Blocks(t.Context(), level, ids, nil)
				if err != nil {
					t.Fatal(err)
				}
				for i, tile := range tiles {
					wantDefined(t, d, whole, level, ids[i], tile)
				}
			}
		})
	}
}

func TestEmptinessComesThroughWrappers(t *testing.T) {
	source := sparseSource(203, 310, 16, 16, raster.Rect{X0: 32, Y0: 48, X1: 64, Y1: 80})
	var p raster.Provider = wrap.Mask(blockcache.Wrap(source, blockcache.New(nil)), 3)
	p = wrap.Retile(p, 50, 50)
	p = New(p, blockcache.New(nil), Config{BlockSize: 16, MinSize: 8})
	for _, test := range []struct {
		level int
		rect  raster.Rect
		want  bool
	}{
		{0, raster.Rect{X0: 0, Y0: 0, X1: 32, Y1: 300}, true},
		{0, raster.Rect{X0: 31, Y0: 47, X1: 33, Y1: 49}, false},
		{1, raster.Rect{X0: 0, Y0: 0, X1: 16, Y1: 150}, true},
		{1, raster.Rect{X0: 0, Y0: 0, X1: 17, Y1: 150}, false},
		{4, raster.Rect{X0: 5, Y0: 0, X1: 15, Y1: 20}, true},
		{4, raster.Rect{X0: 0, Y0: 0, X1: 15, Y1: 20}, false},
	} {
		if got, err := p.(raster.SparseProvider).Empty(t.Context(), test.level, test.rect); err != nil || got != test.want {
			t.Errorf("%v of level %d: empty %v, %v; want %v", test.rect, test.level, got, err, test.want)
		}
	}
	if source.Calls() != 0 {
		t.Errorf("it took %d calls", source.Calls())
	}
	if _, err := p.(raster.SparseProvider).Empty(t.Context(), 40, raster.Rect{X1: 1, Y1: 1}); !errors.Is(err, raster.ErrNoSuchBlock) {
		t.Errorf("a level that is not there got the error %v", err)
	}
	source.fails = errors.New("the index cannot be read")
	if _, err := p.Blocks(t.Context(), 1, []raster.BlockID{{}}, nil); !errors.Is(err, source.fails) {
		t.Errorf("got the error %v, want %v", err, source.fails)
	}
}

// Cached blocks are returned at once, without a call of Empty, which may be slow.
func TestCachedBlocksNeedNoEmptinessTest(t *testing.T) {
	source := sparseSource(4000, 3001, 256, 256, raster.Rect{X0: 100, Y0: 200, X1: 3900, Y1: 3001})
	blocks := blockcache.New(cache.New(64 << 20))
	d := New(blockcache.Wrap(source, blocks), blocks, Config{MaxBytes: 64 << 20})
	read := func() raster.Tile {
		tiles, err := d.Blocks(t.Context(), 1, []raster.BlockID{{Col: 1, Row: 1}, {Col: 2, Row: 1}}, nil)
		if err != nil {
			t.Fatal(err)
		}
		return tiles[1]
	}
	first := read()
	if source.asked.Load() == 0 {
		t.Error("Empty was not called for a missing block")
	}
	source.asked.Store(0)
	if again := read(); again.IsZero() || &again.Plane(0)[0] != &first.Plane(0)[0] {
		t.Error("the block was built again")
	}
	if n := source.asked.Load(); n != 0 {
		t.Errorf("cached blocks took %d calls of Empty", n)
	}
}
