package jp2k

import (
	"testing"

	"tileserver/decode/jp2k/boxes"
	"tileserver/raster"
)

// Opacity is scaled to the range of the bands' common type, rounded to nearest.
func TestOpacityIsScaled(t *testing.T) {
	for _, test := range []struct {
		name     string
		depth    boxes.BitDepth
		dataType raster.DataType
		from, to []int64
	}{
		{"one bit", boxes.BitDepth{Bits: 1}, raster.Uint8, []int64{0, 1}, []int64{0, 255}},
		{"three bits", boxes.BitDepth{Bits: 3}, raster.Uint8, []int64{0, 1, 2, 6, 7}, []int64{0, 36, 73, 219, 255}},
		{"more bits than the type", boxes.BitDepth{Bits: 16}, raster.Uint8, []int64{0, 200, 65535}, []int64{0, 1, 255}},
		{"signed", boxes.BitDepth{Bits: 8, Signed: true}, raster.Uint8, []int64{-128, 0, 127}, []int64{0, 128, 255}},
		{"signed bands", boxes.BitDepth{Bits: 8}, raster.Int16, []int64{0, 255}, []int64{0, 32767}},
	} {
		m := &bands{types: test.dataType}
		spread := m.opacityScale(boxes.Channel{Depth: test.depth, Meaning: boxes.Opacity})
		for i, v := range test.from {
			if got := spread(v); got != test.to[i] {
				t.Errorf("%s: %d becomes %d, want %d", test.name, v, got, test.to[i])
			}
		}
	}
	same := &bands{types: raster.Uint8}
	if same.opacityScale(boxes.Channel{Depth: boxes.BitDepth{Bits: 8}, Meaning: boxes.Opacity}) != nil ||
		same.opacityScale(boxes.Channel{Depth: boxes.BitDepth{Bits: 4}, Meaning: boxes.Color}) != nil {
		t.Error("an unscaled channel has a scale")
	}
}
