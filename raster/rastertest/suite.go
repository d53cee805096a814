package rastertest

import (
	"context"
	"errors"
	"math"
	"slices"
	"sync"
	"testing"

	"tileserver/raster"
)

// Suite checks what every provider must do.
type Suite struct {
	// Open opens the provider anew, with an empty cache.
	Open func(t *testing.T) raster.Provider

	// Want returns the expected value of a pixel and whether it is valid; nil checks nothing. The
	// value of an invalid pixel is not checked.
	Want func(level, band, x, y int) (value float64, valid bool)

	// Tolerance is the largest accepted difference of a value.
	Tolerance float64
}

// Run runs the suite.
func (s Suite) Run(t *testing.T) {
	t.Run("Levels", s.levels)
	t.Run("ShapesAndValuesAtEdges", s.edges)
	t.Run("Order", s.order)
	t.Run("Bands", s.bands)
	t.Run("OutOfRange", s.outOfRange)
	t.Run("Cancellation", s.cancellation)
	t.Run("EqualKeysEqualPixels", s.equalKeys)
	t.Run("Windows", s.windows)
	t.Run("Concurrency", s.concurrency)
}

func (s Suite) levels(t *testing.T) {
	info := s.Open(t).Info()
	if len(info.Levels) == 0 || len(info.Bands) == 0 || info.Type.Size() == 0 {
		t.Fatalf("%d levels, %d bands of %v", len(info.Levels), len(info.Bands), info.Type)
	}
	for n, l := range info.Levels {
		if l.Width < 1 || l.Height < 1 || l.BlockWidth < 1 || l.BlockHeight < 1 {
			t.Errorf("level %d is %+v", n, l)
		}
		if n == 0 && (l.ScaleX != 1 || l.ScaleY != 1 || l.OffsetX != 0 || l.OffsetY != 0) {
			t.Errorf("level 0 has the scale %v,%v and lies at %v,%v", l.ScaleX, l.ScaleY, l.OffsetX, l.OffsetY)
		}
		if !(math.Abs(l.OffsetX) < l.ScaleX && math.Abs(l.OffsetY) < l.ScaleY) {
			t.Errorf("level %d begins at %v,%v, a pixel of it or more beside the image", n, l.OffsetX, l.OffsetY)
		}
		if n > 0 && (l.ScaleX < info.Levels[n-1].ScaleX || l.ScaleY < info.Levels[n-1].ScaleY) {
			t.Errorf("level %d is finer than level %d", n, n-1)
		}
	}
}

// corners returns the four corner blocks and a middle one, without duplicates.
func corners(l raster.Level) []raster.BlockID {
	right, bottom := l.Columns()-1, l.Rows()-1
	ids := []raster.BlockID{{Col: 0, Row: 0}, {Col: right, Row: 0}, {Col: 0, Row: bottom}, {Col: right, Row: bottom}, {Col: right / 2, Row: bottom / 2}}
	slices.SortFunc(ids, func(a, b raster.BlockID) int {
		return (a.Row-b.Row)*(right+1) + a.Col - b.Col
	})
	return slices.Compact(ids)
}

func mustBlocks(t *testing.T, p raster.Provider, level int, ids []raster.BlockID, bands []int) []raster.Tile {
	t.Helper()
	tiles, err := p.Blocks(context.Background(), level, ids, bands)
	if err != nil {
		t.Fatalf("level %d, blocks %v, bands %v: %v", level, ids, bands, err)
	}
	if len(tiles) != len(ids) {
		t.Fatalf("%d tiles for %d blocks", len(tiles), len(ids))
	}
	return tiles
}

func (s Suite) edges(t *testing.T) {
	p := s.Open(t)
	for n, l := range p.Info().Levels {
		ids := corners(l)
		for i, tile := range mustBlocks(t, p, n, ids, nil) {
			r := l.Block(ids[i])
			if tile.Width() != r.Width() || tile.Height() != r.Height() {
				t.Errorf("level %d block %v is %dx%d, want %dx%d", n, ids[i], tile.Width(), tile.Height(), r.Width(), r.Height())
				continue
			}
			if tile.Bands() != len(p.Info().Bands) || tile.Type() != p.Info().Type {
				t.Errorf("level %d block %v has %d bands of %v", n, ids[i], tile.Bands(), tile.Type())
			}
			if s.Want != nil {
				s.compare(t, tile, n, r)
			}
		}
	}
}

func (s Suite) compare(t *testing.T, tile raster.Tile, level int, r raster.Rect) {
	for band := range tile.Bands() {
		for y := range tile.Height() {
			for x := range tile.Width() {
				want, valid := s.Want(level, band, r.X0+x, r.Y0+y)
				got, coverage := tile.At(band, x, y)
				if (coverage == raster.Valid) != valid {
					t.Fatalf("level %d band %d pixel %d,%d has coverage %d, want valid %v", level, band, r.X0+x, r.Y0+y, coverage, valid)
				}
				if valid && !(math.Abs(got-want) <= s.Tolerance) {
					t.Fatalf("level %d band %d pixel %d,%d is %v, want %v", level, band, r.X0+x, r.Y0+y, got, want)
				}
			}
		}
	}
}

func (s Suite) order(t *testing.T) {
	p := s.Open(t)
	for n, l := range p.Info().Levels {
		ids := corners(l)
		forward := mustBlocks(t, p, n, ids, nil)
		slices.Reverse(ids)
		ids = append(ids, ids[0])
		for i, tile := range mustBlocks(t, p, n, ids, nil) {
			want := forward[(2*len(forward)-1-i)%len(forward)]
			if !tile.SamePixels(want) {
				t.Errorf("level %d: block %v differs when asked for in another order", n, ids[i])
			}
		}
	}
}

func (s Suite) bands(t *testing.T) {
	p := s.Open(t)
	count := len(p.Info().Bands)
	for n, l := range p.Info().Levels {
		id := corners(l)[:1]
		all := mustBlocks(t, p, n, id, nil)[0]
		for _, pick := range [][]int{{count - 1}, {count - 1, 0}, p.Info().AllBands(), {0, 0}} {
			got := mustBlocks(t, p, n, id, pick)[0]
			if got.Bands() != len(pick) {
				t.Fatalf("level %d: bands %v came as %d", n, pick, got.Bands())
			}
			for i, band := range pick {
				if string(got.Plane(i)) != string(all.Plane(band)) || string(got.Validity(i)) != string(all.Validity(band)) {
					t.Errorf("level %d: band %d of %v differs from when all are asked for", n, band, pick)
				}
			}
		}
	}
}

func (s Suite) outOfRange(t *testing.T) {
	p := s.Open(t)
	levels, bands := len(p.Info().Levels), len(p.Info().Bands)
	l := p.Info().Levels[0]
	tests := map[string]struct {
		level int
		id    raster.BlockID
		bands []int
	}{
		"level below": {-1, raster.BlockID{}, nil},
		"level above": {levels, raster.BlockID{}, nil},
		"left":        {0, raster.BlockID{Col: -1}, nil},
		"right":       {0, raster.BlockID{Col: l.Columns()}, nil},
		"top":         {0, raster.BlockID{Row: -1}, nil},
		"bottom":      {0, raster.BlockID{Row: l.Rows()}, nil},
		"band below":  {0, raster.BlockID{}, []int{-1}},
		"band above":  {0, raster.BlockID{}, []int{bands}},
	}
	for name, test := range tests {
		if _, err := p.Blocks(context.Background(), test.level, []raster.BlockID{test.id}, test.bands); !errors.Is(err, raster.ErrNoSuchBlock) {
			t.Errorf("%s: got the error %v, want %v", name, err, raster.ErrNoSuchBlock)
		}
	}
}

func (s Suite) cancellation(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := s.Open(t).Blocks(ctx, 0, []raster.BlockID{{}}, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("a canceled request got the error %v, want %v", err, context.Canceled)
	}
}

func (s Suite) equalKeys(t *testing.T) {
	a, b := s.Open(t), s.Open(t)
	if a.Key() == "" || a.Key() != b.Key() {
		t.Fatalf("opened twice, the keys are %q and %q", a.Key(), b.Key())
	}
	for n, l := range a.Info().Levels {
		ids := corners(l)
		other := mustBlocks(t, b, n, ids, nil)
		for i, tile := range mustBlocks(t, a, n, ids, nil) {
			if !tile.SamePixels(other[i]) {
				t.Errorf("level %d block %v differs though the keys are equal", n, ids[i])
			}
		}
	}
}

func (s Suite) concurrency(t *testing.T) {
	p := s.Open(t)
	level := len(p.Info().Levels) - 1
	ids := corners(p.Info().Levels[level])
	want := mustBlocks(t, s.Open(t), level, ids, nil)
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			tiles, err := p.Blocks(context.Background(), level, ids, nil)
			if err != nil {
				t.Errorf("one of several callers: %v", err)
				return
			}
			for i, tile := range tiles {
				if !tile.SamePixels(want[i]) {
					t.Errorf("block %v differs when several ask at once", ids[i])
				}
			}
		})
	}
	wait.Wait()
}
