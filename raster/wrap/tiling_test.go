package wrap_test

import (
	"context"
	"testing"

	"tileserver/raster"
	"tileserver/raster/rastertest"
	"tileserver/raster/wrap"
)

func TestRetilePassesTheSuite(t *testing.T) {
	for name, block := range map[string][2]int{
		"slices":        {8, 4},
		"stitches":      {64, 48},
		"both":          {20, 33},
		"whole image":   {1024, 1024},
		"the same grid": {32, 16},
	} {
		t.Run(name, func(t *testing.T) {
			rastertest.Suite{
				Open: func(*testing.T) raster.Provider { return wrap.Retile(rastertest.Speckled(), block[0], block[1]) },
				Want: rastertest.Speckle,
			}.Run(t)
		})
	}
}

func TestRetilePassesEqualGridsThroughWithoutACopy(t *testing.T) {
	tile := raster.NewBuffer(raster.Uint8, 32, 16, 1).Freeze()
	source := &stored{rastertest.Flat(raster.Uint8, 32, 16, 1, 32, 16), tile}
	through, err := wrap.Retile(source, 32, 16).Blocks(context.Background(), 0, []raster.BlockID{{}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if through[0] != tile {
		t.Error("the block was copied")
	}
}

func TestRetileReadsEachSourceBlockOnceAndOnlyTheBands(t *testing.T) {
	source := rastertest.Speckled()
	retiled := wrap.Retile(source, 20, 20)
	ids := []raster.BlockID{{Col: 0, Row: 0}, {Col: 1, Row: 0}, {Col: 1, Row: 1}}
	if _, err := retiled.Blocks(context.Background(), 0, ids, []int{2}); err != nil {
		t.Fatal(err)
	}
	// Pixels 0 to 40 by 0 to 40, in blocks of 32 by 16, are 2 by 3 blocks.
	if source.Calls() != 1 || source.BlocksMade() != 6 || source.PlanesMade() != 6 {
		t.Errorf("%d calls for %d blocks and %d planes, want 1, 6 and 6", source.Calls(), source.BlocksMade(), source.PlanesMade())
	}
}

func TestRetilePassesCapabilitiesOn(t *testing.T) {
	rastertest.CheckWrapper(t, rastertest.Speckled(), func(p raster.Provider) raster.Provider { return wrap.Retile(p, 20, 33) }, rastertest.Windows)
}
