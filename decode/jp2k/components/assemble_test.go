package components

import (
	"slices"
	"testing"

	"tileserver/decode/jp2k/codestream"
	"tileserver/decode/jp2k/wavelet"
)

// Where nothing is coded, or nothing was sound, coefficients are zero, whatever the memory held
// before.
func TestFillOverwrites(t *testing.T) {
	band := &codestream.Band{Rect: wavelet.Rect{X1: 12, Y1: 4}, BlockWidthLog2: 2, BlockHeightLog2: 2, Step: 1}
	fours := coefficients{numbers: slices.Repeat([]int16{4}, 16)}
	for _, test := range []struct {
		name   string
		values []coefficients
		found  []member
		want   []int32 // by column
	}{
		{"all are coded", []coefficients{fours, fours, fours}, []member{{group: 0}, {group: 1}, {group: 2}}, []int32{4, 4, 4, 4, 4, 4, 4, 4}},
		{"one is not coded", []coefficients{fours, fours}, []member{{group: 0}, noBlock, {group: 1}}, []int32{4, 4, 0, 0, 0, 0, 4, 4}},
		{"one is damaged", []coefficients{fours, {}, fours}, []member{{group: 0}, {group: 1}, {group: 2}}, []int32{4, 4, 0, 0, 0, 0, 4, 4}},
	} {
		w := newBandWindow(band, wavelet.Rect{X0: 2, Y0: 1, X1: 10, Y1: 4})
		w.blocks = test.found
		to := wavelet.Plane[int32]{Rect: w.window, Samples: slices.Repeat([]int32{77}, area(w.window)), Stride: w.window.Width()}
		if err := fill(&assembleJob{Request: &Request{shared: groups{values: test.values}}}, to, &w); err != nil {
			t.Fatal(err)
		}
		for y := 1; y < 4; y++ {
			if got := row(&to, y); !slices.Equal(got, test.want) {
				t.Errorf("%s: row %d is %v, want %v", test.name, y, got, test.want)
			}
		}
	}
}
