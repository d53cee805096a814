package overview

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"

	"tileserver/cache"
	"tileserver/raster"
	"tileserver/raster/blockcache"
	"tileserver/raster/rastertest"
)

// One build reads each stored block once and gives the same pixels. Afterwards all built blocks are
// cached.
func TestBuildReadsStoredBlocksOnce(t *testing.T) {
	everyKind := []string{"one strip", "strips cut in columns", "tiles of an odd size"}
	for shapeName, shape := range storedShapes() {
		for kindName, kind := range storedKinds() {
			if kindName != "bytes with a mask" && kindName != "colours with alpha" && !slices.Contains(everyKind, shapeName) {
				continue // the reads depend on the shape and on an alpha band
			}
			t.Run(shapeName+"/"+kindName, func(t *testing.T) {
				source := newCounted(storedAs(shape, kind))
				kept := cache.New(64 << 20)
				d := smallLevels(source, kept, func(c *Config) {
					c.MaxBytes, c.Coarse, c.CoarseBytes = 1, blockcache.NewCoarse(cache.NewPartition(kept, 32<<20)), 16<<20
				})
				work := wantTooExpensive(t, d, len(d.info.Levels)-1, raster.BlockID{}, nil)
				if work.Level != d.native || work.IDs != nil {
					t.Errorf("to be built are blocks %v of level %d, want all of level %d", work.IDs, work.Level, d.native)
				}
				var progress []float64
				var mu sync.Mutex
				err := d.Build(t.Context(), work, func(part float64) {
					mu.Lock()
					defer mu.Unlock()
					progress = append(progress, part)
				})
				if err != nil {
					t.Fatal(err)
				}
				stored := d.shape.stored
				if len(source.times) != stored.Columns()*stored.Rows() || source.maxTimes() != 1 {
					t.Errorf("%d of %d blocks were read, one of them %d times", len(source.times), stored.Columns()*stored.Rows(), source.maxTimes())
				}
				if len(progress) == 0 || slices.Max(progress) != 1 || slices.Min(progress) <= 0 {
					t.Errorf("the progress went %v", progress)
				}
				calls := source.Calls()
				got := make(map[int][]raster.Tile)
				for level := d.native; level < len(d.info.Levels); level++ {
					if got[level], err = d.Blocks(t.Context(), level, allBlocks(d.info.Levels[level]), nil); err != nil {
						t.Fatal(err)
					}
				}
				if source.Calls() != calls {
					t.Error("a finished block is built again")
				}
				whole := defined(t, d)
				for level, tiles := range got {
					for i, id := range allBlocks(d.info.Levels[level]) {
						wantDefined(t, d, whole, level, id, tiles[i])
					}
				}
			})
		}
	}
}

// wantTooExpensive requests a block that is too expensive, and returns the error.
func wantTooExpensive(t *testing.T, d *Provider, level int, id raster.BlockID, bands []int) *TooExpensiveError {
	t.Helper()
	_, err := d.Blocks(t.Context(), level, []raster.BlockID{id}, bands)
	var work *TooExpensiveError
	if !errors.As(err, &work) {
		t.Fatalf("got the error %v, want one of costs", err)
	}
	return work
}

// Intermediate blocks of a sweep are not cached, and evict nothing.
func TestBuildDoesNotCacheIntermediateBlocks(t *testing.T) {
	source := storedAs(storedShapes()["strips of seven rows"], storedKinds()["bytes"])
	kept := cache.New(64 << 20)
	blocks, coarse := blockcache.New(kept), blockcache.NewCoarse(cache.NewPartition(kept, 32<<20))
	d := New(blockcache.Wrap(source, blocks), blocks, Config{
		BlockSize: 16, MinSize: 8, MaxBytes: 1, IntermediateBytes: 1 << 20, Coarse: coarse, CoarseBytes: 10_000,
	})
	first := d.firstCoarse(3)
	if first <= d.native || first >= len(d.info.Levels) {
		t.Fatalf("level %d of %d is the first coarse one", first, len(d.info.Levels))
	}
	if err := d.Build(t.Context(), wantTooExpensive(t, d, first, raster.BlockID{}, nil), func(float64) {}); err != nil {
		t.Fatal(err)
	}
	want := 0
	for level := first; level < len(d.info.Levels); level++ {
		want += len(allBlocks(d.info.Levels[level]))
	}
	if got := kept.Stats().Spaces; got[0].Entries != 0 || got[1].Entries != want {
		t.Errorf("%d blocks and %d coarse blocks are cached, want 0 and %d", got[0].Entries, got[1].Entries, want)
	}
}

// A level that is not one of the coarse ones is built on request, and cached with all other blocks.
func TestBuildOfSomeBlocksOfALevel(t *testing.T) {
	source := newCounted(storedAs(storedShapes()["small tiles"], storedKinds()["bytes"]))
	d := smallLevels(source, cache.New(64<<20), func(c *Config) { c.MaxBytes = 1 })
	id := raster.BlockID{Col: 1, Row: 2}
	work := wantTooExpensive(t, d, 2, id, nil)
	if work.Level != 2 || !slices.Equal(work.IDs, []raster.BlockID{id}) {
		t.Fatalf("to be built are blocks %v of level %d", work.IDs, work.Level)
	}
	if err := d.Build(t.Context(), work, func(float64) {}); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Blocks(t.Context(), 2, []raster.BlockID{id}, nil); err != nil {
		t.Errorf("what was built got the error %v", err)
	}
	if stored := d.shape.stored.CountCovering(d.under(2, d.info.Levels[2].Block(id))); len(source.times) != int(stored) || source.maxTimes() != 1 {
		t.Errorf("%d blocks were read, one %d times; %d are under it", len(source.times), source.maxTimes(), stored)
	}
}

// A build that fails returns the error, keeps the finished blocks cached, and continues from there.
func TestBuildResumesAfterAFailure(t *testing.T) {
	source := newCounted(storedAs(storedShapes()["strips of one row"], storedKinds()["bytes with a mask"]))
	broken := errors.New("row 200 is broken")
	source.fail = func(_ context.Context, id raster.BlockID) error {
		if id.Row == 200 {
			return broken
		}
		return nil
	}
	kept := cache.New(64 << 20)
	d := smallLevels(source, kept, func(c *Config) {
		c.Pieces = func() int { return 1 } // so that groups are built one after the other
		c.MaxBytes, c.Coarse, c.CoarseBytes = 1, blockcache.NewCoarse(cache.NewPartition(kept, 32<<20)), 16<<20
	})
	work := wantTooExpensive(t, d, d.native, raster.BlockID{}, nil)
	if err := d.Build(t.Context(), work, func(float64) {}); !errors.Is(err, broken) {
		t.Fatalf("got the error %v, want %v", err, broken)
	}
	wantTooExpensive(t, d, len(d.info.Levels)-1, raster.BlockID{}, nil)
	source.fail = nil
	if err := d.Build(t.Context(), work, func(float64) {}); err != nil {
		t.Fatal(err)
	}
	for row := range 192 { // the groups above the corrupt block
		if n := source.times[raster.BlockID{Row: row}]; n != 1 {
			t.Errorf("row %d was read %d times", row, n)
		}
	}
	whole := defined(t, d)
	top := len(d.info.Levels) - 1
	tiles, err := d.Blocks(t.Context(), top, []raster.BlockID{{}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	wantDefined(t, d, whole, top, raster.BlockID{}, tiles[0])
}

func TestBuildIsCanceled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	source := newCounted(storedAs(storedShapes()["strips of one row"], storedKinds()["bytes"]))
	source.fail = func(reader context.Context, id raster.BlockID) error {
		if id.Row < 40 {
			return nil
		}
		cancel()
		<-reader.Done()
		return reader.Err()
	}
	d := smallLevels(source, cache.New(64<<20), func(c *Config) { c.MaxBytes = 1 })
	work := wantTooExpensive(t, d, len(d.info.Levels)-1, raster.BlockID{}, nil)
	if err := d.Build(ctx, work, func(float64) {}); !errors.Is(err, context.Canceled) {
		t.Errorf("got the error %v", err)
	}
	source.mu.Lock()
	defer source.mu.Unlock()
	if read := len(source.times); read > 40 {
		t.Errorf("%d rows were read", read)
	}
}

// readyStrips is a source whose blocks cost nothing to read.
type readyStrips struct {
	info  raster.Info
	strip raster.Tile
}

func (s *readyStrips) Key() string        { return "ready@1" }
func (s *readyStrips) Info() *raster.Info { return &s.info }
func (s *readyStrips) Blocks(_ context.Context, _ int, ids []raster.BlockID, _ []int) ([]raster.Tile, error) {
	return slices.Repeat([]raster.Tile{s.strip}, len(ids)), nil
}

// Measures a sweep without reading and decoding.
func BenchmarkBuild(b *testing.B) {
	const side, rows = 8192, 32
	source := &readyStrips{rastertest.Flat(raster.Uint8, side, side, 3, side, rows), raster.NewBuffer(raster.Uint8, side, rows, 3).Freeze()}
	b.SetBytes(3 * side * side)
	b.ReportAllocs()
	for b.Loop() {
		d := New(source, blockcache.New(cache.New(256<<20)), Config{})
		if err := d.Build(b.Context(), &TooExpensiveError{Level: d.native + 1, Bands: []int{0, 1, 2}}, func(float64) {}); err != nil {
			b.Fatal(err)
		}
	}
}

func TestStoredPixelsAreReadInBulk(t *testing.T) {
	source := newCounted(bandsOf(1, raster.Uint8))
	source.fail = func(ctx context.Context, id raster.BlockID) error {
		if !raster.IsInBulk(ctx) {
			t.Errorf("block %v is not read in bulk", id)
		}
		return nil
	}
	d := sweeping(source, nil)
	built(t, d, d.native, raster.BlockID{}, nil)
	if source.maxTimes() != 1 {
		t.Errorf("a block was read %d times", source.maxTimes())
	}
}
