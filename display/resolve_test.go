package display

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"tileserver/display/terrain"
	"tileserver/raster"
)

// dataset describes bands by one letter each: - undefined, w gray, p palette, r red, g green,
// b blue and a alpha.
func dataset(t raster.DataType, bands string) *raster.Info {
	colors := map[rune]raster.Color{
		'-': raster.Undefined, 'w': raster.Gray, 'p': raster.PaletteIndex,
		'r': raster.Red, 'g': raster.Green, 'b': raster.Blue, 'a': raster.Alpha,
	}
	info := infoOf(t, len(bands))
	for i, letter := range bands {
		info.Bands[i].Color = colors[letter]
		if letter == 'p' {
			info.Palette = []raster.RGBA{{R: 1, A: 255}, {G: 2, A: 255}}
		}
	}
	return info
}

func unrelated(info *raster.Info) *raster.Info {
	info.Unrelated = true
	return info
}

func TestResolveDefaults(t *testing.T) {
	const u8, u16, f32 = raster.Uint8, raster.Uint16, raster.Float32
	tests := []struct {
		name    string
		info    *raster.Info
		spec    Spec
		bands   []int
		alpha   int
		how     string // the part of the key about what is done to samples
		measure bool
	}{
		{"8-bit gray", dataset(u8, "w"), Spec{}, []int{0}, -1, "rescale=0,255;", false},
		{"8-bit undefined", dataset(u8, "-"), Spec{}, []int{0}, -1, "rescale=0,255;", false},
		{"8-bit gray with alpha", dataset(u8, "wa"), Spec{}, []int{0}, 1, "rescale=0,255;", false},
		{"alpha before gray", dataset(u8, "aw"), Spec{}, []int{1}, 0, "rescale=0,255;", false},
		{"8-bit RGB", dataset(u8, "rgb"), Spec{}, []int{0, 1, 2}, -1, "rescale=0,255;0,255;0,255;", false},
		{"8-bit RGBA", dataset(u8, "rgba"), Spec{}, []int{0, 1, 2}, 3, "rescale=0,255;0,255;0,255;", false},
		{"8-bit BGR", dataset(u8, "bgr"), Spec{}, []int{2, 1, 0}, -1, "rescale=0,255;0,255;0,255;", false},
		{"three undefined", dataset(u8, "---"), Spec{}, []int{0, 1, 2}, -1, "rescale=0,255;0,255;0,255;", false},
		{"three unrelated", unrelated(dataset(u8, "---")), Spec{}, []int{0}, -1, "rescale=0,255;", false},
		{"signed 8-bit", dataset(raster.Int8, "w"), Spec{}, []int{0}, -1, "stretch=dra", true},
		{"16-bit RGB", dataset(u16, "rgb"), Spec{}, []int{0, 1, 2}, -1, "stretch=dra", true},
		{"float", dataset(f32, "-"), Spec{}, []int{0}, -1, "stretch=dra", true},
		{"two bands", dataset(u16, "--"), Spec{}, []int{0}, -1, "stretch=dra", true},
		{"eight bands by color", dataset(u16, "--b-g-r-"), Spec{}, []int{6, 4, 2}, -1, "stretch=dra", true},
		{"eight bands without colors", dataset(u16, "--------"), Spec{}, []int{0, 1, 2}, -1, "stretch=dra", true},
		{"missing color", dataset(u16, "-r-g"), Spec{}, []int{0, 1, 2}, -1, "stretch=dra", true},
		{"alpha among many", dataset(u16, "a----"), Spec{}, []int{1, 2, 3}, 0, "stretch=dra", true},
		{"only alpha", dataset(u8, "a"), Spec{}, []int{0}, -1, "rescale=0,255;", false},
		{"palette", dataset(u8, "p"), Spec{}, []int{0}, -1, "palette=", false},
		{"palette with alpha", dataset(u8, "pa"), Spec{}, []int{0}, 1, "palette=", false},
		{"palette without colors", dataset(u8, "p"), Spec{Stretch: Stretch{Kind: NoStretch}}, []int{0}, -1, "palette=", false},
		{"palette of 16 bits", dataset(u16, "p"), Spec{}, []int{0}, -1, "palette=", false},
		{"palette of floats", dataset(f32, "p"), Spec{}, []int{0}, -1, "stretch=dra", true},
		{"indices of a palette", dataset(u8, "p"), Spec{Rescale: []Range{{0, 9}}}, []int{0}, -1, "rescale=0,9;", false},
		{"one band requested", dataset(u16, "rgb"), Spec{Bands: []int{2}}, []int{2}, -1, "stretch=dra", true},
		{"bands requested", dataset(u8, "rgb-"), Spec{Bands: []int{3, 3, 0}}, []int{3, 3, 0}, -1, "rescale=0,255;0,255;0,255;", false},
		{"alpha named as the last", dataset(u8, "rgba"), Spec{Bands: []int{2, 1, 0, 3}}, []int{2, 1, 0}, 3, "rescale=0,255;0,255;0,255;", false},
		{"gray and alpha named", dataset(u8, "wa"), Spec{Bands: []int{0, 1}}, []int{0}, 1, "rescale=0,255;", false},
		{"alpha shown", dataset(u8, "rgba"), Spec{Bands: []int{3}}, []int{3}, -1, "rescale=0,255;", false},
		{"alpha shown as blue", dataset(u8, "rgba"), Spec{Bands: []int{0, 1, 3}}, []int{0, 1, 3}, -1, "rescale=0,255;0,255;0,255;", false},
		{"one range for all", dataset(u16, "rgb"), Spec{Rescale: []Range{{1, 2}}}, []int{0, 1, 2}, -1, "rescale=1,2;1,2;1,2;", false},
		{"one range per band", dataset(u16, "rgb"), Spec{Rescale: []Range{{1, 2}, {3, 4}, {-5, 6.5}}}, []int{0, 1, 2}, -1, "rescale=1,2;3,4;-5,6.5;", false},
		{"none of 16 bits", dataset(u16, "w"), Spec{Stretch: Stretch{Kind: NoStretch}}, []int{0}, -1, "rescale=0,255;", false},
		{"stretched 8-bit", dataset(u8, "w"), Spec{Stretch: Stretch{Kind: MinMax}}, []int{0}, -1, "stretch=minmax", true},
		{"color map", dataset(u16, "w"), Spec{ColorMap: "magma"}, []int{0}, -1, "stretch=dra:colors=magma", true},
		{"color map for gray with alpha", dataset(u16, "wa"), Spec{ColorMap: "magma"}, []int{0}, 1, "stretch=dra:colors=magma", true},
		{"color map for two bands", dataset(u16, "--"), Spec{ColorMap: "magma"}, []int{0}, -1, "stretch=dra:colors=magma", true},
		{"color map for one band of many", dataset(u16, "rgb-"), Spec{Bands: []int{3}, ColorMap: "magma"}, []int{3}, -1, "stretch=dra:colors=magma", true},
		{"gray as a color map", dataset(u8, "w"), Spec{ColorMap: "gray"}, []int{0}, -1, "rescale=0,255;", false},
		{"color map for indices", dataset(u8, "p"), Spec{ColorMap: "turbo_r"}, []int{0}, -1, "rescale=0,255;:colors=turbo_r", false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r, err := test.spec.Resolve(test.info)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(r.Bands(), test.bands) || r.Alpha() != test.alpha {
				t.Errorf("got the bands %v and alpha %d, want %v and %d", r.Bands(), r.Alpha(), test.bands, test.alpha)
			}
			if r.NeedsStatistics() != test.measure {
				t.Errorf("needs statistics: %v, want %v", r.NeedsStatistics(), test.measure)
			}
			if _, how, _ := strings.Cut(r.Key(), fmt.Sprintf("alpha=%d:", test.alpha+1)); !strings.HasPrefix(how, test.how) {
				t.Errorf("got the key %q, want it to contain %q", r.Key(), test.how)
			}
		})
	}
}

func TestResolveRejects(t *testing.T) {
	rgb, slope := dataset(raster.Uint16, "rgb"), terrain.DefaultParameters(terrain.ModeSlope)
	tests := []struct {
		name string
		info *raster.Info
		spec Spec
		says string
	}{
		{"band below 0", rgb, Spec{Bands: []int{-1}}, "there is no band 0; the bands are 1 to 3"},
		{"band above the last", rgb, Spec{Bands: []int{0, 3, 1}}, "there is no band 4; the bands are 1 to 3"},
		{"two bands", rgb, Spec{Bands: []int{0, 1}}, "one band or three can be shown, not 2"},
		{"four bands", dataset(raster.Uint8, "----"), Spec{Bands: []int{0, 1, 2, 3}}, "not 4"},
		{"two and alpha", dataset(raster.Uint8, "rga"), Spec{Bands: []int{0, 1}}, "not 2"},
		{"too many ranges", rgb, Spec{Rescale: []Range{{1, 2}, {1, 2}}}, "2 ranges to rescale for 3 shown bands"},
		{"descending range", rgb, Spec{Rescale: []Range{{2, 1}}}, "must ascend, not 2,1"},
		{"empty range", rgb, Spec{Rescale: []Range{{2, 2}}}, "must ascend, not 2,2"},
		{"infinite range", rgb, Spec{Rescale: []Range{{2, inf}}}, "must be finite"},
		{"range with NaN", rgb, Spec{Rescale: []Range{{nan, 2}}}, "must be finite"},
		{"range too wide", rgb, Spec{Rescale: []Range{{-1.7e308, 1.7e308}}}, "must be finite"},
		{"range and stretch", rgb, Spec{Rescale: []Range{{1, 2}}, Stretch: Stretch{Kind: MinMax}}, "rescale and the stretch minmax exclude each other"},
		{"percentiles", rgb, Spec{Stretch: Stretch{Kind: Percentile, Low: 98, High: 2}}, "ascend from 0 to 100"},
		{"percentile above 100", rgb, Spec{Stretch: Stretch{Kind: Percentile, High: 101}}, "ascend from 0 to 100"},
		{"deviations", rgb, Spec{Stretch: Stretch{Kind: Deviations}}, "above 0, not 0"},
		{"NaN deviations", rgb, Spec{Stretch: Stretch{Kind: Deviations, Count: nan}}, "above 0, not NaN"},
		{"unknown stretch", rgb, Spec{Stretch: Stretch{Kind: 99}}, "unknown stretch(99)"},
		{"unknown colors", dataset(raster.Uint8, "w"), Spec{ColorMap: "beige"}, `unknown color map "beige"`},
		{"colors for colors", rgb, Spec{Bands: []int{0, 1, 2}, ColorMap: "magma"}, "a color map needs one band, not 3"},
		{"colors for a picture in color", rgb, Spec{ColorMap: "magma"}, "a color map needs one band, not 3; choose it with bidx"},
		{"colors for many bands", dataset(raster.Uint16, "-----"), Spec{ColorMap: "gray"}, "a color map needs one band, not 3; choose it with bidx"},
		{"heights of a picture in color", rgb, Spec{Relief: &slope}, "slope is made of one band, not 3; choose it with bidx"},
		{"slopes of a picture in color, as data", rgb, Spec{Data: true, Relief: &slope}, "slope is made of one band, not 3"},
		{"no bands at all", &raster.Info{Type: raster.Uint8}, Spec{}, "0 bands of uint8"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := test.spec.Resolve(test.info)
			if !errors.Is(err, ErrInvalidSpec) || !strings.Contains(err.Error(), test.says) {
				t.Errorf("got the error %v, want %q", err, test.says)
			}
		})
	}
}

func TestResolvedReturnsCopies(t *testing.T) {
	spec := Spec{Bands: []int{2, 1, 0}, Rescale: []Range{{1, 2}, {3, 4}, {5, 6}}}
	r, err := spec.Resolve(dataset(raster.Uint16, "rgb"))
	if err != nil {
		t.Fatal(err)
	}
	key := r.Key()
	r.Bands()[0], spec.Bands[1], spec.Rescale[0] = 9, 9, Range{7, 8}
	if r.Key() != key || r.Bands()[0] != 2 {
		t.Errorf("the key went from %q to %q", key, r.Key())
	}
}

func TestEquivalentSpecsHaveEqualKeys(t *testing.T) {
	tests := []struct {
		name  string
		info  *raster.Info
		specs []Spec
	}{
		{"8-bit RGBA", dataset(raster.Uint8, "rgba"), []Spec{
			{}, {Bands: []int{}}, {Bands: []int{0, 1, 2}}, {Bands: []int{0, 1, 2, 3}}, {Rescale: []Range{{0, 255}}},
			{Stretch: Stretch{Kind: NoStretch}}, {Stretch: Stretch{Kind: NoStretch, Low: 3, Count: 4}},
			{Rescale: []Range{{0, 255}, {0, 255}, {negativeZero, 255}}},
		}},
		{"16-bit", dataset(raster.Uint16, "w"), []Spec{
			{}, {Bands: []int{0}}, {Stretch: Stretch{Kind: DynamicRange}}, {Stretch: Stretch{Kind: DynamicRange, High: 1}}, {ColorMap: "gray"},
		}},
		{"palette", dataset(raster.Uint8, "p"), []Spec{{}, {Bands: []int{0}}, {Stretch: Stretch{Kind: NoStretch}}}},
	}
	for _, test := range tests {
		first, err := test.specs[0].Resolve(test.info)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range test.specs {
			r, err := s.Resolve(test.info)
			if err != nil {
				t.Fatalf("%s, %+v: %v", test.name, s, err)
			}
			if r.Key() != first.Key() {
				t.Errorf("%s: %+v has the key %q, want %q", test.name, s, r.Key(), first.Key())
			}
		}
	}
}
