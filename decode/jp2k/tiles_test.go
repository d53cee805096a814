package jp2k

import (
	"testing"

	"tileserver/decode/jp2k/components"
	"tileserver/decode/jp2k/jp2ktest"
	"tileserver/decode/jp2k/wavelet"
	"tileserver/raster"
)

// If the headers of tiles, in patches of 256 and 44, exceed the batch size, they are read in
// smaller batches.
func TestManyTilesAreReadInBatches(t *testing.T) {
	m := jp2ktest.TinyTiles()
	data := m.Codestream()
	const blocksOfATile = 2
	one := open(t, data, nil).file.stream.NewRequest()
	one.AddSamples(components.ComponentRequest{Rect: wavelet.Rect{X1: 1, Y1: 1}})
	headerBytes := one.HeaderBytes()
	for _, test := range []struct{ tilesAtATime, calls int }{{300, 1}, {256, 2}, {255, 3}, {20, 16 + 4}} {
		o := open(t, data, func(c *Config) { c.BatchBytes = int64(test.tilesAtATime) * headerBytes })
		tile, err := o.Window(t.Context(), 0, o.Info().Levels[0].Bounds(), []int{1})
		if err != nil {
			t.Fatal(err)
		}
		for x := range tile.Width() {
			if got, validity := tile.At(0, x, 0); got != float64(m.Sample(1, x, 0)) || validity == raster.Invalid {
				t.Fatalf("%d tiles at a time: pixel %d is %v", test.tilesAtATime, x, got)
			}
		}
		calls := 0
		for _, ranges := range o.src.Calls() {
			if len(ranges) > 1 { // of code-blocks
				calls++
			}
			if limit := blocksOfATile * test.tilesAtATime; len(ranges) > limit {
				t.Errorf("%d tiles at a time: %d code-blocks were read together", test.tilesAtATime, len(ranges))
			}
		}
		if calls != test.calls {
			t.Errorf("%d tiles at a time: code-blocks were read in %d calls, want %d", test.tilesAtATime, calls, test.calls)
		}
	}
}
