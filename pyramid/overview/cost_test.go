package overview

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"

	"tileserver/cache"
	"tileserver/raster"
	"tileserver/raster/blockcache"
	"tileserver/raster/rastertest"
)

// Excessive cost is detected before anything is read.
func TestCostIsKnownBeforehand(t *testing.T) {
	for name, test := range map[string]struct {
		stored    [4]int // width, height, block width, block height
		maxBytes  int64
		fits, not int // the level whose blocks just fit, and one whose blocks do not
	}{
		// A block of level 1 takes 2x2 blocks of 512 pixels in 3 bands, one of level n 4 times as
		// many.
		"tiles":      {[4]int{200_000, 100_000, 512, 512}, 4 * 4 * 512 * 512 * 3, 2, 3},
		"tiles less": {[4]int{200_000, 100_000, 512, 512}, 4*4*512*512*3 - 1, 1, 2},
		// With strips, all strips beside them count: 256 rows under a block of level 1, 1024 of
		// level 2.
		"strips":      {[4]int{16384, 16384, 16384, 1}, 1024 * 16384 * 3, 2, 3},
		"strips less": {[4]int{16384, 16384, 16384, 1}, 1024*16384*3 - 1, 1, 2},
	} {
		t.Run(name, func(t *testing.T) {
			s := test.stored
			source := &rastertest.Synthetic{Name: "large@1", Has: rastertest.Flat(raster.Uint8, s[0], s[1], 3, s[2], s[3])}
			source.Before = func(context.Context, int, []raster.BlockID, []int) error { return errRead }
			d := New(source, blockcache.New(cache.New(64<<20)), Config{MaxBytes: test.maxBytes})
			if _, err := d.Blocks(t.Context(), test.fits, []raster.BlockID{{}}, nil); !errors.Is(err, errRead) {
				t.Errorf("a block of level %d got the error %v", test.fits, err)
			}
			calls := source.Calls()
			for level := test.not; level < len(d.info.Levels); level++ {
				wantTooExpensive(t, d, level, raster.BlockID{}, nil)
			}
			if source.Calls() != calls {
				t.Error("something was read to find out the cost")
			}
		})
	}
}

var errRead = errors.New("read")

// Cached blocks cost nothing.
func TestCostCountsMissingBlocks(t *testing.T) {
	source := storedAs(raster.Level{Width: 256, Height: 200, BlockWidth: 16, BlockHeight: 16}, storedKinds()["bytes"])
	d := smallLevels(source, cache.New(64<<20), func(c *Config) { c.MaxBytes = 16 * 16 * 16 })
	wantTooExpensive(t, d, 2, raster.BlockID{}, nil)
	wantTooExpensive(t, d, 2, raster.BlockID{}, []int{1}) // which is built with the others
	for _, id := range []raster.BlockID{{}, {Col: 1}, {Row: 1}} {
		if _, err := d.Blocks(t.Context(), 1, []raster.BlockID{id}, nil); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := d.Blocks(t.Context(), 2, []raster.BlockID{{}}, nil); err != nil {
		t.Errorf("with three of four blocks there, the last one got the error %v", err)
	}
}

func TestRunParallelEndsWithTheFirstError(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		broken := errors.New("broken")
		err := runParallel(t.Context(), 100, 4, func(ctx context.Context, i int) error {
			if i == 2 {
				return broken
			}
			<-ctx.Done()
			return context.Cause(ctx)
		})
		if !errors.Is(err, broken) {
			t.Errorf("got the error %v, want %v", err, broken)
		}
	})
}

func TestRunParallelConvertsPanicsToErrors(t *testing.T) {
	err := runParallel(t.Context(), 3, 3, func(_ context.Context, i int) error {
		if i == 1 {
			panic("out of reach")
		}
		return nil
	})
	var panicked *cache.PanicError
	if !errors.As(err, &panicked) || panicked.Value != "out of reach" {
		t.Errorf("got the error %v", err)
	}
}

// Only some blocks of a group may have been evicted. All stored blocks under the rectangle around
// the missing ones are decoded, not just those under the first and the last.
func TestCostOfScatteredBlocks(t *testing.T) {
	source := storedAs(raster.Level{Width: 256, Height: 200, BlockWidth: 128, BlockHeight: 128}, storedKinds()["bytes"])
	d := New(source, blockcache.New(cache.New(64<<20)), Config{BlockSize: 16, MinSize: 16, MaxBytes: 1})
	if columns, rows := d.shape.group(d.info.Levels[1], 1); columns != 4 || rows != 4 {
		t.Fatalf("%d by %d blocks form a group, want 4 by 4", columns, rows)
	}
	cost := estimate{blockBuilder: d.newBuilder(1, source.Info().AllBands())}
	if err := cost.addGroup(t.Context(), 1, []raster.BlockID{{Col: 3, Row: 0}, {Col: 1, Row: 1}}); err != nil {
		t.Fatal(err)
	}
	if want := int64(128 * 128 * len(source.Info().Bands)); cost.bytes != want {
		t.Errorf("blocks to the left and below each other take %d bytes, want %d", cost.bytes, want)
	}
}
