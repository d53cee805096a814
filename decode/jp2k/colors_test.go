package jp2k

import (
	"testing"

	"tileserver/decode/jp2k/boxes"
	"tileserver/raster"
)

// Only ranges that are not the default ones are part of the model.
func TestRangesOfLab(t *testing.T) {
	ten := boxes.BitDepth{Bits: 10}
	for _, test := range []struct {
		name   string
		stored *boxes.LabRange
		want   [6]float64
	}{
		{"none", nil, [6]float64{}},
		{"the default ones", &boxes.LabRange{Range: [3]uint32{100, 170, 200}, Offset: [3]uint32{0, 512, 384}}, [6]float64{}},
		{"others", &boxes.LabRange{Range: [3]uint32{100, 256, 256}, Offset: [3]uint32{1, 512, 500}}, [6]float64{100, 1, 256, 512, 256, 500}},
	} {
		got := lab(test.stored, ten)
		if got.foreign != "" || got.count != 3 || got.model.Space != raster.ITULab || got.model.LabRange != test.want {
			t.Errorf("%s: got %+v, want the ranges %v", test.name, got, test.want)
		}
	}
	if got := lab(&boxes.LabRange{Range: [3]uint32{100, 0, 256}}, ten); got.foreign == "" {
		t.Errorf("an empty range: got %+v, want an unknown space", got)
	}
}
