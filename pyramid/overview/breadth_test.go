package overview

import (
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"tileserver/cache"
	"tileserver/raster"
	"tileserver/raster/blockcache"
	"tileserver/raster/rastertest"
)

// slowSource is a provider without pixels, which counts how many calls wait for it at a time.
type slowSource struct {
	*rastertest.Synthetic
	reading, most atomic.Int64
}

func (s *slowSource) Blocks(_ context.Context, _ int, ids []raster.BlockID, _ []int) ([]raster.Tile, error) {
	for now := s.reading.Add(1); now > s.most.Load(); {
		s.most.Store(now)
	}
	time.Sleep(time.Second) // until all others read, too
	s.reading.Add(-1)
	return make([]raster.Tile, len(ids)), nil
}

// A build reads as many pieces at a time as there are workers, or as are wanted for a device while there is
// memory for them, be it a build of the finest overviews or of one block over the whole image.
func TestBreadthOfABuild(t *testing.T) {
	for name, test := range map[string]struct {
		stored     [4]int // width, height, block width, block height
		fromCoarse bool   // whether only the coarsest level is asked for
		wanted     int
		least      int64 // pieces at a time
		most       int64
	}{
		"workers":                {stored: [4]int{4096, 4096, 256, 256}, wanted: 2, least: 4, most: 4}, // two for each of two groups
		"workers, one block":     {stored: [4]int{4096, 4096, 256, 256}, fromCoarse: true, wanted: 2, least: 2, most: 2},
		"one worker":             {stored: [4]int{4096, 4096, 256, 256}, fromCoarse: true, wanted: 1, least: 1, most: 1},
		"device":                 {stored: [4]int{4096, 4096, 256, 256}, wanted: 256, least: 32, most: 64},
		"device, one block":      {stored: [4]int{4096, 4096, 256, 256}, fromCoarse: true, wanted: 256, least: 32, most: 64},
		"device, few wanted":     {stored: [4]int{4096, 4096, 256, 256}, fromCoarse: true, wanted: 9, least: 8, most: 9},
		"device, little memory":  {stored: [4]int{8192, 8192, 1024, 1024}, fromCoarse: true, wanted: 256, least: 8, most: 16},
		"device, strips":         {stored: [4]int{4096, 4096, 4096, 2}, wanted: 256, least: 16, most: 64},
		"device, one large tile": {stored: [4]int{4096, 4096, 4096, 4096}, wanted: 256, least: 1, most: 1},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := test.stored
				source := &slowSource{Synthetic: &rastertest.Synthetic{Name: "wide@1", Has: rastertest.Flat(raster.Uint8, s[0], s[1], 3, s[2], s[3])}}
				d := New(source, blockcache.New(cache.New(64<<20)), Config{MaxBytes: 1, Pieces: func() int { return test.wanted }})
				level := d.native
				if test.fromCoarse {
					level = len(d.info.Levels) - 1
				}
				work := wantTooExpensive(t, d, level, raster.BlockID{}, nil)
				work.IDs = nil // the whole level
				if bytes, stored := d.BuildBytes(work), raster.BufferBytes(raster.Uint8, s[2], s[3], 4); bytes > maxBuildBytes+3*stored {
					t.Errorf("a build takes %d bytes", bytes)
				}
				if err := d.Build(t.Context(), work, func(float64) {}); err != nil {
					t.Fatal(err)
				}
				if got := source.most.Load(); got < test.least || got > test.most {
					t.Errorf("%d pieces were read at a time, want %d to %d", got, test.least, test.most)
				}
			})
		})
	}
}
