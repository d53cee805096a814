package tiff

import (
	"slices"
	"testing"

	"tileserver/decode/tiff/tifftest"
	"tileserver/raster"
	"tileserver/source"
)

// TestMissing compares what Missing finds in the index of truncated files with what is lost when all
// blocks are read. Of a block that the file ends within, all pixels may be there.
func TestMissing(t *testing.T) {
	planar := tifftest.File{COG: true, Images: []tifftest.Image{{
		Width: 133, Height: 71, Samples: 3, Planar: true, Tiled: true, BlockWidth: 64, BlockHeight: 32,
		Value: func(x, y, band int) float64 { return float64(x + y + band) },
	}}}
	for _, file := range []tifftest.File{{COG: true, Images: scene(true)}, planar} {
		data := encode(t, file)
		for _, kept := range []float64{1, 0.97, 0.6} {
			m := openBytes(t, data[:int(kept*float64(len(data)))]).Images()[0]
			var want raster.Damage
			for level, l := range m.Info().Levels {
				tiles, err := m.Blocks(t.Context(), level, l.Covering(l.Bounds()), nil)
				if err != nil {
					t.Fatal(err)
				}
				for _, tile := range tiles {
					want = want.Join(tile.Damage())
				}
			}
			got, known, err := m.Missing(t.Context())
			isComplete := func(loss raster.Loss) bool { return !slices.Contains(want.Losses(), loss) }
			found := slices.DeleteFunc(slices.Clone(got.Losses()), isComplete)
			if err != nil || !slices.Equal(found, want.Losses()) || len(got.Losses()) > len(found)+1 || got.IsZero() != (kept == 1) || known != (kept < 1) {
				t.Errorf("%g of %d bytes: %v, %v, want %v", kept, len(data), got, err, want)
			}
		}
	}
}

// TestMissingOfTheLastBlocks looks at more blocks than Missing looks up at a time.
func TestMissingOfTheLastBlocks(t *testing.T) {
	data := encode(t, tifftest.File{COG: true, Images: []tifftest.Image{{
		Width: 16, Height: unitsPerLookup + 40, BlockHeight: 1, Value: func(x, y, band int) float64 { return float64(x) },
	}}})
	m, err := Open(t.Context(), source.NewBytes("test", data[:len(data)-33]), Config{Pool: testPool()})
	if err != nil {
		t.Fatal(err)
	}
	if got, _, err := m.Images()[0].Missing(t.Context()); err != nil || got.String() != "3 blocks" || got.IsTotal() {
		t.Errorf("lost: %v, %v", got, err)
	}
}
