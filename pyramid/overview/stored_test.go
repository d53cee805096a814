package overview

import (
	"context"
	"sync"
	"testing"

	"tileserver/cache"
	"tileserver/pyramid/resample"
	"tileserver/raster"
	"tileserver/raster/blockcache"
	"tileserver/raster/rastertest"
)

// counted is a source that counts how often each block was read.
type counted struct {
	*rastertest.Synthetic
	mu    sync.Mutex
	times map[raster.BlockID]int                             // of each block
	runs  map[raster.BlockID]int                             // calls for blocks of each run, by its position
	fail  func(ctx context.Context, id raster.BlockID) error // may be nil
}

func newCounted(s *rastertest.Synthetic) *counted {
	c := &counted{Synthetic: s, times: make(map[raster.BlockID]int), runs: make(map[raster.BlockID]int)}
	l := s.Has.Levels[0]
	s.Before = func(ctx context.Context, _ int, ids []raster.BlockID, _ []int) error {
		c.mu.Lock()
		defer c.mu.Unlock()
		runs := make(map[raster.BlockID]int)
		for _, id := range ids {
			runs[raster.BlockID{Col: id.Col * l.BlockWidth / l.Runs().BlockWidth, Row: id.Row}] = 1
			if c.fail != nil {
				if err := c.fail(ctx, id); err != nil {
					return err
				}
			}
			c.times[id]++
		}
		for run := range runs {
			c.runs[run]++
		}
		return nil
	}
	return c
}

// maxTimes returns the largest count of any block, and of any run.
func (c *counted) maxTimes() (largest int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, counts := range []map[raster.BlockID]int{c.times, c.runs} {
		for _, n := range counts {
			largest = max(largest, n)
		}
	}
	return largest
}

// storedShapes are ways to store an image. None is square, and most are odd.
func storedShapes() map[string]raster.Level {
	return map[string]raster.Level{
		"strips of one row":      {Width: 301, Height: 263, BlockWidth: 301, BlockHeight: 1},
		"strips cut in columns":  {Width: 301, Height: 263, BlockWidth: 48, BlockHeight: 4, RunWidth: 301},
		"long runs of tiles":     {Width: 603, Height: 163, BlockWidth: 32, BlockHeight: 7, RunWidth: 128},
		"strips of seven rows":   {Width: 301, Height: 263, BlockWidth: 301, BlockHeight: 7},
		"strips of twelve rows":  {Width: 300, Height: 205, BlockWidth: 300, BlockHeight: 12},
		"one strip":              {Width: 130, Height: 97, BlockWidth: 130, BlockHeight: 97},
		"small tiles":            {Width: 203, Height: 310, BlockWidth: 16, BlockHeight: 8},
		"tiles as large":         {Width: 203, Height: 310, BlockWidth: 32, BlockHeight: 32},
		"tiles of another size":  {Width: 203, Height: 310, BlockWidth: 24, BlockHeight: 20},
		"tiles of an odd size":   {Width: 203, Height: 310, BlockWidth: 15, BlockHeight: 9},
		"large tiles":            {Width: 403, Height: 210, BlockWidth: 128, BlockHeight: 64},
		"columns":                {Width: 203, Height: 310, BlockWidth: 1, BlockHeight: 310},
		"a line":                 {Width: 500, Height: 1, BlockWidth: 500, BlockHeight: 1},
		"a column":               {Width: 1, Height: 500, BlockWidth: 1, BlockHeight: 3},
		"tiles wider than strip": {Width: 90, Height: 411, BlockWidth: 128, BlockHeight: 16},
	}
}

// storedKinds are kinds of samples, with nodata holes of several shapes.
func storedKinds() map[string]func(s *rastertest.Synthetic) {
	return map[string]func(*rastertest.Synthetic){
		"bytes": func(s *rastertest.Synthetic) {},
		"bytes with a mask": func(s *rastertest.Synthetic) {
			s.Sample = func(_, band, x, y int) (float64, bool) { return speckle(band, x, y), x+y > 90 && x-y < 90 }
		},
		"floats with holes of their own": func(s *rastertest.Synthetic) {
			s.Has.Type = raster.Float32
			s.Sample = func(_, band, x, y int) (float64, bool) { return speckle(band, x, y) / 7, (x*x+3*y+band)%5 != 0 }
		},
		"colours with alpha": func(s *rastertest.Synthetic) {
			s.Has.Bands[2].Color = raster.Alpha
			s.Sample = func(_, band, x, y int) (float64, bool) { return speckle(band, x, y), (x+band)%13 != 0 }
		},
		"names beside colours with alpha": func(s *rastertest.Synthetic) {
			s.Has.Bands[0].Categories, s.Has.Bands[2].Color = []string{"water"}, raster.Alpha
			s.Sample = func(_, band, x, y int) (float64, bool) { return speckle(band, x, y), (x+band)%13 != 0 }
		},
		"a palette": func(s *rastertest.Synthetic) { s.Has.Bands[0].Color = raster.PaletteIndex },
	}
}

func speckle(band, x, y int) float64 { return float64((band*101 + x*31 + y*17 + x*y) % 256) }

func storedAs(shape raster.Level, kind func(*rastertest.Synthetic)) *rastertest.Synthetic {
	s := &rastertest.Synthetic{Name: "stored@1", Has: rastertest.Flat(raster.Uint8, shape.Width, shape.Height, 3, shape.BlockWidth, shape.BlockHeight)}
	s.Has.Levels[0].RunWidth = shape.RunWidth
	s.Sample = func(_, band, x, y int) (float64, bool) { return speckle(band, x, y), true }
	kind(s)
	return s
}

// defined returns each level as one tile, halved from the whole of the finer one.
func defined(t *testing.T, d *Provider) []raster.Tile {
	t.Helper()
	l := d.stored.Info().Levels[0]
	ids := l.Covering(l.Bounds())
	tiles, err := d.stored.Blocks(t.Context(), 0, ids, nil)
	if err != nil {
		t.Fatal(err)
	}
	c := raster.NewStitcher(d.info.Type, l.Bounds(), len(d.info.Bands))
	for i, tile := range tiles {
		c.Put(tile, l.Block(ids[i]))
	}
	picks := d.picks(d.info.AllBands())
	whole := []raster.Tile{c.Freeze()}
	for range d.info.Levels[1:] {
		finer := whole[len(whole)-1]
		if alpha := d.info.Alpha(); alpha >= 0 {
			whole = append(whole, resample.HalveByAlpha(finer, alpha, picks))
		} else {
			whole = append(whole, resample.Halve(finer, picks))
		}
	}
	return whole
}

// wantDefined compares a block with its part of the whole level.
func wantDefined(t *testing.T, d *Provider, whole []raster.Tile, level int, id raster.BlockID, got raster.Tile) {
	t.Helper()
	l := d.info.Levels[level]
	c := raster.NewStitcher(d.info.Type, l.Block(id), got.Bands())
	c.Put(whole[level], l.Bounds())
	if !got.SamePixels(c.Freeze()) {
		t.Fatalf("block %v of level %d is not what halving the whole image gives", id, level)
	}
}

func smallLevels(s raster.Provider, c *cache.Cache, change func(*Config)) *Provider {
	config := Config{BlockSize: 16, MinSize: 8}
	if change != nil {
		change(&config)
	}
	blocks := blockcache.New(c)
	return New(blockcache.Wrap(s, blocks), blocks, config)
}
