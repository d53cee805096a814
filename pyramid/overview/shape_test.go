package overview

import (
	"testing"

	"tileserver/raster"
	"tileserver/raster/blockcache"
	"tileserver/raster/rastertest"
)

func TestOverviewShape(t *testing.T) {
	for name, test := range map[string]struct {
		stored         [4]int // width, height, block width, block height
		first          [2]int // block width and height of the first built level
		columns, rows  int    // size of a group in blocks
		last           [2]int
		lastGroupTotal int
	}{
		"tiles of 256":             {[4]int{16384, 16384, 256, 256}, [2]int{512, 512}, 1, 1, [2]int{512, 512}, 1},
		"tiles of 512":             {[4]int{16384, 9000, 512, 512}, [2]int{512, 512}, 1, 1, [2]int{512, 512}, 1},
		"tiles of 1024":            {[4]int{16384, 9000, 1024, 1024}, [2]int{512, 512}, 1, 1, [2]int{512, 512}, 1},
		"tiles of 240":             {[4]int{16384, 9000, 240, 240}, [2]int{480, 480}, 1, 1, [2]int{480, 480}, 1},
		"tiles of 4096":            {[4]int{16384, 16384, 4096, 4096}, [2]int{512, 512}, 4, 4, [2]int{512, 512}, 1},
		"strips of one row":        {[4]int{16384, 16384, 16384, 1}, [2]int{512, 128}, 16, 1, [2]int{512, 512}, 1},
		"strips of 21 rows":        {[4]int{16384, 16384, 16384, 21}, [2]int{512, 84}, 16, 1, [2]int{512, 336}, 1},
		"strips of 64 rows":        {[4]int{16384, 16384, 16384, 64}, [2]int{512, 128}, 16, 1, [2]int{512, 512}, 1},
		"very long strips":         {[4]int{400_000, 400_000, 400_000, 1}, [2]int{512, 8}, 512, 1, [2]int{512, 512}, 1},
		"very long strips of 64":   {[4]int{400_000, 400_000, 400_000, 64}, [2]int{512, 32}, 512, 1, [2]int{512, 512}, 1},
		"columns":                  {[4]int{16384, 16384, 1, 16384}, [2]int{128, 512}, 1, 16, [2]int{512, 512}, 1},
		"one block":                {[4]int{3000, 2000, 3000, 2000}, [2]int{512, 512}, 4, 2, [2]int{512, 512}, 1},
		"narrower than a block":    {[4]int{300, 90_000, 300, 16}, [2]int{512, 512}, 1, 1, [2]int{512, 512}, 1},
		"a little over two blocks": {[4]int{1030, 9000, 1030, 3}, [2]int{512, 384}, 2, 1, [2]int{512, 384}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			s := test.stored
			source := &rastertest.Synthetic{Has: rastertest.Flat(raster.Uint8, s[0], s[1], 3, s[2], s[3])}
			d := New(source, blockcache.New(nil), Config{})
			first, last := d.info.Levels[1], d.info.Levels[len(d.info.Levels)-1]
			columns, rows := d.shape.group(first, 1)
			if got := [2]int{first.BlockWidth, first.BlockHeight}; got != test.first || columns != test.columns || rows != test.rows {
				t.Errorf("the first built level has blocks of %v, groups of %d by %d; want %v, %d by %d", got, columns, rows, test.first, test.columns, test.rows)
			}
			columns, rows = d.shape.group(last, len(d.info.Levels)-1)
			if got := [2]int{last.BlockWidth, last.BlockHeight}; got != test.last || columns*rows != test.lastGroupTotal {
				t.Errorf("the last one has blocks of %v, groups of %d by %d; want %v and %d", got, columns, rows, test.last, test.lastGroupTotal)
			}
			for n := 2; n < len(d.info.Levels); n++ {
				own, finer := d.info.Levels[n], d.info.Levels[n-1]
				if 2*own.BlockWidth%finer.BlockWidth != 0 || 2*own.BlockHeight%finer.BlockHeight != 0 || finer.BlockWidth%2+finer.BlockHeight%2 != 0 {
					t.Errorf("blocks of %dx%d do not come of whole blocks of %dx%d", own.BlockWidth, own.BlockHeight, finer.BlockWidth, finer.BlockHeight)
				}
			}
			// In addition to three blocks of the file, if those are large.
			stored := raster.BufferBytes(raster.Uint8, s[2], s[3], 4)
			if bytes := d.LevelBuildBytes(len(d.info.Levels)-1, []int{0, 1, 2}); bytes > 128<<20+3*stored {
				t.Errorf("blockBuilder the coarsest level takes %d bytes", bytes)
			}
		})
	}
}
