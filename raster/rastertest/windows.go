package rastertest

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync/atomic"
	"testing"

	"tileserver/raster"
)

// SyntheticWindows is a Synthetic that offers windows of all levels.
type SyntheticWindows struct {
	*Synthetic
	windows atomic.Int64
}

var _ raster.WindowProvider = (*SyntheticWindows)(nil)

// HasWindows returns true.
func (w *SyntheticWindows) HasWindows(int) bool { return true }

// WindowsMade returns the number of windows returned.
func (w *SyntheticWindows) WindowsMade() int { return int(w.windows.Load()) }

// Window computes a window with Sample.
func (w *SyntheticWindows) Window(ctx context.Context, level int, rect raster.Rect, bands []int) (raster.Tile, error) {
	if err := ctx.Err(); err != nil {
		return raster.Tile{}, err
	}
	if err := w.Has.CheckWindow(level, rect, bands); err != nil {
		return raster.Tile{}, err
	}
	if bands == nil {
		bands = w.Has.AllBands()
	}
	w.windows.Add(1)
	return w.block(level, rect, bands), nil
}

// windows checks that random windows equal the blocks under them.
func (s Suite) windows(t *testing.T) {
	p, ok := s.Open(t).(raster.WindowProvider)
	if !ok {
		return // windows are optional
	}
	random := rand.New(rand.NewPCG(1, 2))
	for n, l := range p.Info().Levels {
		if !p.HasWindows(n) {
			continue
		}
		for _, outside := range []raster.Rect{{X0: -1, X1: 1, Y1: 1}, {X1: l.Width + 1, Y1: 1}, {Y1: 1}, {X0: 2, X1: 1, Y1: 1}} {
			if _, err := p.Window(t.Context(), n, outside, nil); !errors.Is(err, raster.ErrNoSuchBlock) {
				t.Errorf("level %d, pixels %v: %v", n, outside, err)
			}
		}
		for range 8 {
			x, y := random.IntN(l.Width), random.IntN(l.Height)
			rect := raster.Rect{X0: x, Y0: y, X1: x + 1 + random.IntN(l.Width-x), Y1: y + 1 + random.IntN(l.Height-y)}
			bands := p.Info().AllBands()[random.IntN(len(p.Info().Bands)):]
			s.window(t, p, n, rect, bands)
		}
	}
}

// window compares a window with the blocks under it.
func (s Suite) window(t *testing.T, p raster.WindowProvider, level int, rect raster.Rect, bands []int) {
	t.Helper()
	tile, err := p.Window(t.Context(), level, rect, bands)
	if err != nil {
		t.Fatalf("level %d, pixels %v: %v", level, rect, err)
	}
	if tile.Width() != rect.Width() || tile.Height() != rect.Height() || tile.Bands() != len(bands) {
		t.Fatalf("pixels %v are %dx%d in %d bands", rect, tile.Width(), tile.Height(), tile.Bands())
	}
	l := p.Info().Levels[level]
	ids := l.Covering(rect)
	for i, block := range mustBlocks(t, p, level, ids, bands) {
		at := l.Block(ids[i])
		shared := at.Intersect(rect)
		for y := shared.Y0; y < shared.Y1; y++ {
			for x := shared.X0; x < shared.X1; x++ {
				for band := range bands {
					want, covered := block.At(band, x-at.X0, y-at.Y0)
					got, coverage := tile.At(band, x-rect.X0, y-rect.Y0)
					if coverage != covered || covered != raster.Invalid && got != want {
						t.Fatalf("level %d, pixels %v, band %d: pixel %d,%d is %v by %d, in its block %v by %d", level, rect, bands[band], x, y, got, coverage, want, covered)
					}
				}
			}
		}
	}
}
