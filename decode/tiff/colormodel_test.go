package tiff

import (
	"math"
	"testing"

	"tileserver/decode/tiff/tifftest"
	"tileserver/raster"
)

// TestColorModels checks tags that say what samples mean, and invalid ones.
func TestColorModels(t *testing.T) {
	type tags = []tifftest.Tag
	photometric := func(n uint16, more ...tifftest.Tag) tags {
		return append(tags{{ID: 262, Value: []uint16{n}}}, more...)
	}
	doubles := func(id uint16, values ...float64) tifftest.Tag { return tifftest.Tag{ID: id, Value: values} }
	plain := tifftest.Tag{ID: 530, Value: []uint16{1, 1}}
	luma, d50 := [3]float64{0.299, 0.587, 0.114}, [3]float64{0.96425, 1, 0.82468}
	full := [6]float64{0, 255, 128, 255, 128, 255}
	for _, test := range []struct {
		name    string
		samples int
		tags    tags
		want    raster.ColorModel
	}{
		{"gray", 1, photometric(1), raster.ColorModel{}},
		{"RGB", 3, photometric(2), raster.ColorModel{}},
		{"inks", 4, photometric(5), raster.ColorModel{Space: raster.CMYK}},
		{"inks and opacity", 5, photometric(5), raster.ColorModel{Space: raster.CMYK}},
		{"three inks", 3, photometric(5), raster.ColorModel{}},
		{"inks said to be others", 4, photometric(5, tifftest.Tag{ID: 332, Value: []uint16{2}}), raster.ColorModel{Space: raster.CMYK}},
		{"six inks", 6, photometric(5, tifftest.Tag{ID: 334, Value: []uint16{6}}), raster.ColorModel{}},
		{"YCbCr", 3, photometric(6, plain), raster.ColorModel{Space: raster.YCbCr, Luma: luma, Reference: full}},
		{"YCbCr of video", 3, photometric(6, plain, doubles(529, 0.2125, 0.7154, 0.0721), doubles(532, 16, 235, 128, 240, 128, 240)),
			raster.ColorModel{Space: raster.YCbCr, Luma: [3]float64{0.2125, 0.7154, 0.0721}, Reference: [6]float64{16, 235, 128, 240, 128, 240}}},
		{"YCbCr of nonsense", 3, photometric(6, plain, doubles(529, math.NaN(), 0.7, 0.1), doubles(532, 16, 16, 128, 240, 128, 240)),
			raster.ColorModel{Space: raster.YCbCr, Luma: luma, Reference: full}},
		{"CIELab", 3, photometric(8), raster.ColorModel{Space: raster.CIELab, White: d50}},
		{"CIELab of a white", 3, photometric(8, doubles(318, 0.5, 0.25)), raster.ColorModel{Space: raster.CIELab, White: [3]float64{2, 1, 1}}},
		{"CIELab of no white", 3, photometric(8, doubles(318, 0.5, 0)), raster.ColorModel{Space: raster.CIELab, White: d50}},
		{"ICCLab", 3, photometric(9), raster.ColorModel{Space: raster.ICCLab, White: d50}},
		{"ITULab", 3, photometric(10), raster.ColorModel{Space: raster.ITULab, White: d50}},
	} {
		img := flat(5, 3, 7)
		img.Samples, img.Tags = test.samples, test.tags
		m := open(t, tifftest.File{Images: []tifftest.Image{img}}).Images()[0]
		if got := m.Info().Colors; got != test.want {
			t.Errorf("%s: got %+v, want %+v", test.name, got, test.want)
		}
	}
}

// TestChromaOfAnyDepth checks that luminance and chroma of any number of bits have the range of these,
// which the conversion to colors needs.
func TestChromaOfAnyDepth(t *testing.T) {
	for _, bits := range []int{8, 10, 12, 14, 16} {
		img := tifftest.Image{Width: 5, Height: 3, Samples: 3, Bits: bits, Photometric: tifftest.YCbCr, Value: wave(bits, tifftest.Unsigned)}
		m := open(t, tifftest.File{Images: []tifftest.Image{img}}).Images()[0]
		maxSample, middle := float64(uint(1)<<bits-1), float64(uint(1)<<(bits-1))
		want := [6]float64{0, maxSample, middle, maxSample, middle, maxSample}
		info := m.Info()
		if stored := info.Bits; info.Colors.Space != raster.YCbCr || info.Colors.Reference != want || stored != 0 && stored != bits {
			t.Errorf("%d bits: got %+v of %d bits, want the reference %v", bits, info.Colors, stored, want)
		}
		checkLevel(t, m, 0, img.Value, 0)
	}
}

func TestOrientation(t *testing.T) {
	for stored, want := range map[uint16]uint8{0: 1, 1: 1, 2: 2, 6: 6, 8: 8, 9: 1, 300: 1} {
		img := flat(5, 3, 7)
		img.Tags = []tifftest.Tag{{ID: 274, Value: []uint16{stored}}}
		m := open(t, tifftest.File{Images: []tifftest.Image{img}}).Images()[0]
		if got := m.Info().Orientation; got != want {
			t.Errorf("%d: got %d, want %d", stored, got, want)
		}
	}
}
