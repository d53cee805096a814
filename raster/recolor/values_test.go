package recolor_test

import (
	"context"
	"fmt"
	"math"
	"testing"

	"tileserver/raster"
	"tileserver/raster/rastertest"
)

// one returns a provider of a single pixel.
func one(t raster.DataType, model raster.ColorModel, samples ...float64) *rastertest.Synthetic {
	info := rastertest.Flat(t, 1, 1, len(samples), 1, 1)
	info.Colors = model
	return &rastertest.Synthetic{Name: "one@1", Has: info, Sample: func(_, band, _, _ int) (float64, bool) { return samples[band], true }}
}

// colorsOf returns the one pixel of a provider.
func colorsOf(t *testing.T, s *rastertest.Synthetic) []float64 {
	t.Helper()
	tiles, err := opened(s)(t).Blocks(context.Background(), 0, []raster.BlockID{{}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	values := make([]float64, tiles[0].Bands())
	for band := range values {
		values[band], _ = tiles[0].At(band, 0, 0)
	}
	return values
}

// references are colors of sRGB computed by a reputable color management system: relative
// colorimetric, from D50, clipped to what a screen can show.
var references = []struct{ lab, rgb [3]float64 }{
	{[3]float64{100, 0, 0}, [3]float64{255, 255, 255}},
	{[3]float64{50, 0, 0}, [3]float64{118.91, 118.91, 118.91}},
	{[3]float64{20, 0, 0}, [3]float64{48.29, 48.29, 48.29}},
	{[3]float64{5, 0, 0}, [3]float64{16.84, 16.84, 16.84}},
	{[3]float64{60, -60, 50}, [3]float64{0, 168.87, 42.21}},
	{[3]float64{40, 30, -70}, [3]float64{73.46, 80.2, 211.52}},
	{[3]float64{70, 10, 60}, [3]float64{209.35, 163.08, 54.1}},
	{[3]float64{85, -30, -10}, [3]float64{130.94, 228.99, 229.94}},
	{[3]float64{30, 20, 20}, [3]float64{104.56, 57.56, 40.54}},
	{[3]float64{10, 5, -12}, [3]float64{27.52, 25.62, 43.74}},
	{[3]float64{95, -5, 15}, [3]float64{239.96, 243.04, 211.32}},
}

func TestLabMatchesColorManagement(t *testing.T) {
	codings := map[string]struct {
		space     raster.ColorSpace
		dataType  raster.DataType
		tolerance float64 // larger where lightness is coarse
		code      func(l, a, b float64) []float64
	}{
		"CIELab 8": {raster.CIELab, raster.Uint8, 2.5, func(l, a, b float64) []float64 { return []float64{l * 2.55, wrapped(a, 256), wrapped(b, 256)} }},
		"CIELab 16": {raster.CIELab, raster.Uint16, 0.6, func(l, a, b float64) []float64 {
			return []float64{l * 655.35, wrapped(a*256, 65536), wrapped(b*256, 65536)}
		}},
		"ICCLab 8":  {raster.ICCLab, raster.Uint8, 2.5, func(l, a, b float64) []float64 { return []float64{l * 2.55, a + 128, b + 128} }},
		"ICCLab 16": {raster.ICCLab, raster.Uint16, 0.6, func(l, a, b float64) []float64 { return []float64{l * 652.8, a*256 + 32768, b*256 + 32768} }},
		"ranges of its own": {raster.ITULab, raster.Uint8, 3, func(l, a, b float64) []float64 {
			return []float64{l*255/120 + 20, a*255/256 + 100, b*255/220 + 120}
		}},
		"ITULab 8": {raster.ITULab, raster.Uint8, 3, func(l, a, b float64) []float64 { return []float64{l * 2.55, a*1.5 + 128, b*1.275 + 96} }},
	}
	for name, coding := range codings {
		for _, want := range references {
			samples := coding.code(want.lab[0], want.lab[1], want.lab[2])
			for i := range samples {
				samples[i] = math.Round(samples[i])
			}
			model := raster.ColorModel{Space: coding.space}
			if name == "ranges of its own" {
				model.LabRange = [6]float64{120, 20, 256, 100, 220, 120}
			}
			got := colorsOf(t, one(coding.dataType, model, samples...))
			for i := range got {
				if math.Abs(got[i]-want.rgb[i]) > coding.tolerance {
					t.Errorf("%s: Lab %v is %v, want %v", name, want.lab, got, want.rgb)
					break
				}
			}
		}
	}
}

// wrapped returns the bits of a signed number as an unsigned one.
func wrapped(v, span float64) float64 { return math.Mod(math.Round(v)+span, span) }

// The white of the file is white on the screen, whatever white the file names.
func TestGrayStaysGrayUnderAnyWhite(t *testing.T) {
	for _, white := range [][3]float64{{}, {0.96422, 1, 0.82521}, {0.95047, 1, 1.08883}, {1.0985, 1, 0.3558}} {
		for _, l := range []float64{0, 40, 128, 255} {
			got := colorsOf(t, one(raster.Uint8, raster.ColorModel{Space: raster.CIELab, White: white}, l, 0, 0))
			if got[0] != got[1] || got[1] != got[2] {
				t.Errorf("white %v: lightness %v is %v", white, l, got)
			}
		}
	}
}

func TestInksAreUnpremultiplied(t *testing.T) {
	tests := map[string]struct{ samples, want []float64 }{
		"opaque":             {[]float64{255, 100, 0, 51, 255}, []float64{0, 124, 204, 255}},
		"half":               {[]float64{128, 50, 0, 26, 128}, []float64{0, 123, 203, 128}},
		"more than there is": {[]float64{200, 0, 0, 0, 100}, []float64{0, 255, 255, 100}},
		"transparent":        {[]float64{0, 0, 0, 0, 0}, []float64{255, 255, 255, 0}},
	}
	for name, test := range tests {
		s := premultiplied(one(raster.Uint8, raster.ColorModel{Space: raster.CMYK}, test.samples...))
		s.Has.Bands[4].Color = raster.Alpha
		if got := colorsOf(t, s); fmt.Sprint(got) != fmt.Sprint(test.want) {
			t.Errorf("%s: %v is %v, want %v", name, test.samples, got, test.want)
		}
		if opened(s)(t).Info().Premultiplied {
			t.Error("the colours are still said to be multiplied")
		}
	}
}

func TestFewerBitsThanTheTypeHas(t *testing.T) {
	tests := map[string]struct {
		dataType raster.DataType
		bits     int
		space    raster.ColorSpace
		samples  []float64
		want     []float64
	}{
		"inks of 4 bits":    {raster.Uint8, 4, raster.CMYK, []float64{0, 15, 5, 0, 15}, []float64{255, 0, 170, 255}},
		"inks of 12 bits":   {raster.Uint16, 12, raster.CMYK, []float64{0, 4095, 1365, 0, 4095}, []float64{255, 0, 170, 255}},
		"beyond the bits":   {raster.Uint16, 12, raster.CMYK, []float64{65535, 0, 0, 0, 65535}, []float64{0, 255, 255, 255}},
		"chroma of 10 bits": {raster.Uint16, 10, raster.YCbCr, []float64{1023, 512, 512, 512}, []float64{255, 255, 255, 128}},
		"chroma of 12 bits": {raster.Uint16, 12, raster.YCbCr, []float64{4095, 2048, 2048, 2048}, []float64{255, 255, 255, 128}},
		"chroma of 14 bits": {raster.Uint16, 14, raster.YCbCr, []float64{16383, 8192, 8192, 8192}, []float64{255, 255, 255, 128}},
		"green chroma":      {raster.Uint16, 12, raster.YCbCr, []float64{107, 107, 107, 0}, []float64{0, 134, 0, 0}},
		"Lab of 12 bits":    {raster.Uint16, 12, raster.CIELab, []float64{4095, 0, 0, 1}, []float64{255, 255, 255, 0}},
	}
	for name, test := range tests {
		s := one(test.dataType, raster.ColorModel{Space: test.space}, test.samples...)
		s.Has.Bits = test.bits
		if got := colorsOf(t, s); fmt.Sprint(got) != fmt.Sprint(test.want) {
			t.Errorf("%s: %v is %v, want %v", name, test.samples, got, test.want)
		}
	}
}

func TestLogarithms(t *testing.T) {
	const neutral, one16 = 86<<8 | 194, 64*256 - 1
	tests := map[string]struct {
		sample float64
		low    [3]float64
		high   [3]float64
	}{
		"no light":       {neutral, [3]float64{0, 0, 0}, [3]float64{0, 0, 0}},
		"negative light": {0x8000<<16 | 5000<<16 | neutral, [3]float64{0, 0, 0}, [3]float64{0, 0, 0}},
		"white":          {one16<<16 | neutral, [3]float64{one16 - 8, one16 - 8, one16 - 8}, [3]float64{one16 + 8, one16 + 8, one16 + 8}},
		"twice as much":  {(one16+256)<<16 | neutral, [3]float64{one16 + 248, one16 + 248, one16 + 248}, [3]float64{one16 + 264, one16 + 264, one16 + 264}},
		"red":            {one16<<16 | 184<<8 | 214, [3]float64{one16 + 256, 0, 0}, [3]float64{one16 + 1024, one16 - 256, one16 - 256}},
	}
	for name, test := range tests {
		got := colorsOf(t, one(raster.Uint32, raster.ColorModel{Space: raster.LogLuv}, test.sample))
		word := uint32(test.sample)
		parts := func(stored uint32) float64 { return math.Floor((float64(stored&0xff) + 0.5) / 410 * 32768) }
		for _, inThree := range []raster.DataType{raster.Uint16, raster.Int16} {
			luminance := float64(word >> 16)
			if inThree == raster.Int16 {
				luminance = float64(int16(word >> 16))
			}
			three := colorsOf(t, one(inThree, raster.ColorModel{Space: raster.LogLuv}, luminance, parts(word>>8), parts(word)))
			if fmt.Sprint(three) != fmt.Sprint(got) {
				t.Errorf("%s: as three %v samples it is %v, as a word %v", name, inThree, three, got)
			}
		}
		for i, value := range got {
			if value < test.low[i] || value > test.high[i] {
				t.Errorf("%s: %v, want between %v and %v", name, got, test.low, test.high)
				break
			}
		}
	}
}
