package recolor_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"testing"

	"tileserver/pyramid/recolor"
	"tileserver/raster"
	"tileserver/raster/rastertest"
)

// source has so many bands of a type and a kind of colours, in odd blocks and two
// levels. The bands behind the components are opacity and something else.
func source(t raster.DataType, model raster.ColorModel, components, beside int) *rastertest.Synthetic {
	info := rastertest.Flat(t, 37, 23, components+beside, 16, 8)
	info.Levels = append(info.Levels, raster.Level{Width: 19, Height: 12, BlockWidth: 16, BlockHeight: 8, ScaleX: 37.0 / 19, ScaleY: 23.0 / 12})
	info.Colors = model
	for i := components; i < components+beside; i++ {
		info.Bands[i] = raster.Band{Name: fmt.Sprint("beside ", i), Color: raster.Undefined, NoData: 3, HasNoData: true}
	}
	if beside > 0 {
		info.Bands[components].Color = raster.Alpha
	}
	return &rastertest.Synthetic{Name: "s@1", Has: info, Sample: func(level, band, x, y int) (float64, bool) {
		low, high := t.Limits()
		span := high - low + 1
		return low + math.Mod(float64(level*31+(band+1)*(x*x*7+y*13)+x*y*x)*math.Max(1, math.Floor(span/256)+1), span), (x+y)%7 != 0
	}}
}

// mixed is what a textbook says of the colour of a pixel, from 0 to 1.
type mixed func(samples []float64) [3]float64

func inks(most float64) mixed {
	return func(s []float64) (rgb [3]float64) {
		for i := range rgb {
			rgb[i] = (1 - s[i]/most) * (1 - s[3]/most)
		}
		return rgb
	}
}

func television(luma [3]float64, y0, y1, zero, half float64) mixed {
	return func(s []float64) [3]float64 {
		y, cb, cr := (s[0]-y0)/(y1-y0), (s[1]-zero)/half/2*127/127.5, (s[2]-zero)/half/2*127/127.5
		red, blue := y+2*(1-luma[0])*cr, y+2*(1-luma[2])*cb
		return [3]float64{red, (y - luma[0]*red - luma[2]*blue) / luma[1], blue}
	}
}

func TestColorsAreMixedAsTextbooksSay(t *testing.T) {
	standard := [3]float64{0.299, 0.587, 0.114}
	hd := [3]float64{0.2126, 0.7152, 0.0722}
	tests := map[string]struct {
		dataType   raster.DataType
		model      raster.ColorModel
		components int
		want       mixed
		tolerance  float64 // levels of eight bits are cut off, and added
	}{
		"inks of 8 bits":     {raster.Uint8, raster.ColorModel{Space: raster.CMYK}, 4, inks(255), 1.5},
		"inks of 16 bits":    {raster.Uint16, raster.ColorModel{Space: raster.CMYK}, 4, inks(65535), 1.5},
		"chroma":             {raster.Uint8, raster.ColorModel{Space: raster.YCbCr}, 3, television(standard, 0, 255, 128, 127), 1.5},
		"chroma of 16 bits":  {raster.Uint16, raster.ColorModel{Space: raster.YCbCr}, 3, television(standard, 0, 65535, 32768, 32767), 1.5},
		"chroma of HD":       {raster.Uint8, raster.ColorModel{Space: raster.YCbCr, Luma: hd}, 3, television(hd, 0, 255, 128, 127), 1.5},
		"chroma with ends":   {raster.Uint8, raster.ColorModel{Space: raster.YCbCr, Reference: [6]float64{16, 235, 128, 240, 128, 240}}, 3, television(standard, 16, 235, 128, 112), 3.5},
		"chroma of 16, ends": {raster.Uint16, raster.ColorModel{Space: raster.YCbCr, Luma: hd, Reference: [6]float64{4096, 60160, 32768, 61440, 32768, 61440}}, 3, television(hd, 4096, 60160, 32768, 28672), 1.5},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			s := source(test.dataType, test.model, test.components, 2)
			_, most := test.dataType.Limits()
			rastertest.Suite{Open: opened(s), Tolerance: test.tolerance, Want: func(level, band, x, y int) (float64, bool) {
				if band >= 3 {
					value, valid := s.Sample(level, band-3+test.components, x, y)
					return math.Round(value * 255 / most), valid
				}
				samples := make([]float64, test.components)
				for i := range samples {
					samples[i], _ = s.Sample(level, i, x, y)
				}
				_, valid := s.Sample(level, 0, x, y)
				return 255 * min(max(test.want(samples)[band], 0), 1), valid
			}}.Run(t)
		})
	}
}

// opened makes a provider anew.
func opened(s *rastertest.Synthetic) func(t *testing.T) raster.Provider {
	return func(t *testing.T) raster.Provider {
		p, err := recolor.New(s)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
}

func TestOtherKindsPassTheSuite(t *testing.T) {
	for name, s := range map[string]*rastertest.Synthetic{
		"CIELab":             source(raster.Uint8, raster.ColorModel{Space: raster.CIELab}, 3, 2),
		"CIELab of 16 bits":  source(raster.Uint16, raster.ColorModel{Space: raster.CIELab}, 3, 1),
		"ICCLab":             source(raster.Uint8, raster.ColorModel{Space: raster.ICCLab}, 3, 0),
		"ITULab":             source(raster.Uint8, raster.ColorModel{Space: raster.ITULab}, 3, 0),
		"lightness":          source(raster.Uint8, raster.ColorModel{Space: raster.CIELab}, 1, 0),
		"LogL":               source(raster.Int16, raster.ColorModel{Space: raster.LogL}, 1, 0),
		"LogLuv in three":    source(raster.Int16, raster.ColorModel{Space: raster.LogLuv}, 3, 0),
		"LogLuv":             source(raster.Uint32, raster.ColorModel{Space: raster.LogLuv}, 1, 0),
		"premultiplied inks": premultiplied(source(raster.Uint8, raster.ColorModel{Space: raster.CMYK}, 4, 1)),
	} {
		t.Run(name, func(t *testing.T) { rastertest.Suite{Open: opened(s)}.Run(t) })
	}
}

func premultiplied(s *rastertest.Synthetic) *rastertest.Synthetic {
	s.Has.Premultiplied = true
	return s
}

// one is a provider of a single pixel.
func one(t raster.DataType, model raster.ColorModel, samples ...float64) *rastertest.Synthetic {
	info := rastertest.Flat(t, 1, 1, len(samples), 1, 1)
	info.Colors = model
	return &rastertest.Synthetic{Name: "one@1", Has: info, Sample: func(_, band, _, _ int) (float64, bool) { return samples[band], true }}
}

// colorsOf is the one pixel of a provider.
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

// references are colours of sRGB as a colour management of good repute has them:
// relative colorimetric, from D50, with what no screen can show cut off.
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

func TestLabIsWhatColorManagementMakesOfIt(t *testing.T) {
	codings := map[string]struct {
		space     raster.ColorSpace
		dataType  raster.DataType
		tolerance float64 // more where lightness is coarse
		code      func(l, a, b float64) []float64
	}{
		"CIELab 8": {raster.CIELab, raster.Uint8, 2.5, func(l, a, b float64) []float64 { return []float64{l * 2.55, wrapped(a, 256), wrapped(b, 256)} }},
		"CIELab 16": {raster.CIELab, raster.Uint16, 0.6, func(l, a, b float64) []float64 {
			return []float64{l * 655.35, wrapped(a*256, 65536), wrapped(b*256, 65536)}
		}},
		"ICCLab 8":  {raster.ICCLab, raster.Uint8, 2.5, func(l, a, b float64) []float64 { return []float64{l * 2.55, a + 128, b + 128} }},
		"ICCLab 16": {raster.ICCLab, raster.Uint16, 0.6, func(l, a, b float64) []float64 { return []float64{l * 652.8, a*256 + 32768, b*256 + 32768} }},
		"ITULab 8":  {raster.ITULab, raster.Uint8, 3, func(l, a, b float64) []float64 { return []float64{l * 2.55, a*1.5 + 128, b*1.275 + 96} }},
	}
	for name, coding := range codings {
		for _, want := range references {
			samples := coding.code(want.lab[0], want.lab[1], want.lab[2])
			for i := range samples {
				samples[i] = math.Round(samples[i])
			}
			got := colorsOf(t, one(coding.dataType, raster.ColorModel{Space: coding.space}, samples...))
			for i := range got {
				if math.Abs(got[i]-want.rgb[i]) > coding.tolerance {
					t.Errorf("%s: Lab %v is %v, want %v", name, want.lab, got, want.rgb)
					break
				}
			}
		}
	}
}

// wrapped is a signed number in the bits of one without a sign.
func wrapped(v, span float64) float64 { return math.Mod(math.Round(v)+span, span) }

// What is white to the file is white on the screen, whatever white it names.
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

func TestOpacityIsTakenOutOfInks(t *testing.T) {
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
		"chroma of 12 bits": {raster.Uint16, 12, raster.YCbCr, []float64{4095, 2048, 2048, 2048}, []float64{255, 255, 255, 128}},
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

func TestNoComponentIsReadThatNoColorNeeds(t *testing.T) {
	inksAndAlpha := source(raster.Uint8, raster.ColorModel{Space: raster.CMYK}, 4, 1)
	tests := map[string]struct {
		source *rastertest.Synthetic
		bands  []int
		planes int
	}{
		"red of inks":        {inksAndAlpha, []int{0}, 2},
		"red twice":          {inksAndAlpha, []int{0, 0}, 2},
		"blue, red of inks":  {inksAndAlpha, []int{2, 0}, 3},
		"opacity":            {inksAndAlpha, []int{3}, 1},
		"all":                {inksAndAlpha, nil, 5},
		"red, premultiplied": {premultiplied(source(raster.Uint8, raster.ColorModel{Space: raster.CMYK}, 4, 1)), []int{0}, 3},
		"red of chroma":      {source(raster.Uint8, raster.ColorModel{Space: raster.YCbCr}, 3, 0), []int{0}, 2},
		"green of chroma":    {source(raster.Uint16, raster.ColorModel{Space: raster.YCbCr}, 3, 1), []int{1}, 3},
		"one of Lab":         {source(raster.Uint8, raster.ColorModel{Space: raster.CIELab}, 3, 1), []int{1}, 3},
		"what is beside Lab": {source(raster.Uint8, raster.ColorModel{Space: raster.CIELab}, 3, 1), []int{3}, 1},
	}
	for name, test := range tests {
		before := test.source.PlanesMade()
		p := opened(test.source)(t)
		if _, err := p.Blocks(context.Background(), 0, []raster.BlockID{{}}, test.bands); err != nil {
			t.Fatal(err)
		}
		if got := test.source.PlanesMade() - before; got != test.planes {
			t.Errorf("%s took %d planes, want %d", name, got, test.planes)
		}
	}
}

// A component that happens to be the sample of no data is a part of a colour that
// is there.
func TestColorIsValidWhereAnyOfItsComponentsIs(t *testing.T) {
	s := source(raster.Uint8, raster.ColorModel{Space: raster.CMYK}, 4, 1)
	sample := s.Sample
	s.Sample = func(level, band, x, y int) (float64, bool) {
		value, _ := sample(level, band, x, y)
		return value, band == 4 && x != 0 || band == 3 && x > 5 || band == 0 && x > 9
	}
	tiles, err := opened(s)(t).Blocks(context.Background(), 0, []raster.BlockID{{}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for band, first := range []int{6, 6, 6, 1} {
		for x := range tiles[0].Width() {
			if _, coverage := tiles[0].At(band, x, 3); (coverage == raster.Valid) != (x >= first) {
				t.Errorf("band %d: column %d has coverage %d", band, x, coverage)
			}
		}
	}
}

func TestWhatCannotBeShownIsRefused(t *testing.T) {
	for name, s := range map[string]*rastertest.Synthetic{
		"floats":                source(raster.Float32, raster.ColorModel{Space: raster.CMYK}, 4, 0),
		"three inks":            source(raster.Uint8, raster.ColorModel{Space: raster.CMYK}, 3, 0),
		"two of chroma":         source(raster.Uint8, raster.ColorModel{Space: raster.YCbCr}, 2, 0),
		"red, green, blue":      source(raster.Uint8, raster.ColorModel{}, 3, 0),
		"no such kind":          source(raster.Uint8, raster.ColorModel{Space: 99}, 3, 0),
		"LogLuv of 16 bits":     source(raster.Uint16, raster.ColorModel{Space: raster.LogLuv}, 1, 0),
		"LogLuv beside another": source(raster.Uint32, raster.ColorModel{Space: raster.LogLuv}, 1, 1),
	} {
		if _, err := recolor.New(s); !errors.Is(err, recolor.ErrUnsupported) {
			t.Errorf("%s: got the error %v, want %v", name, err, recolor.ErrUnsupported)
		}
		if err := recolor.Check(&s.Has); !errors.Is(err, recolor.ErrUnsupported) {
			t.Errorf("%s: checked, got the error %v", name, err)
		}
	}
}

// Equal keys mean equal pixels: what changes colours is in the key.
func TestKeysHoldWhatColorsAreMadeBy(t *testing.T) {
	seen := make(map[string]string)
	for name, s := range map[string]*rastertest.Synthetic{
		"inks":         source(raster.Uint8, raster.ColorModel{Space: raster.CMYK}, 4, 0),
		"chroma":       source(raster.Uint8, raster.ColorModel{Space: raster.YCbCr}, 4, 0),
		"chroma of HD": source(raster.Uint8, raster.ColorModel{Space: raster.YCbCr, Luma: [3]float64{0.2126, 0.7152, 0.0722}}, 4, 0),
		"other ends":   source(raster.Uint8, raster.ColorModel{Space: raster.YCbCr, Reference: [6]float64{16, 235, 128, 240, 128, 240}}, 4, 0),
		"CIELab":       source(raster.Uint8, raster.ColorModel{Space: raster.CIELab}, 4, 0),
		"ICCLab":       source(raster.Uint8, raster.ColorModel{Space: raster.ICCLab}, 4, 0),
		"other white":  source(raster.Uint8, raster.ColorModel{Space: raster.CIELab, White: [3]float64{0.95, 1, 1.09}}, 4, 0),
	} {
		key := opened(s)(t).Key()
		if other, taken := seen[key]; taken {
			t.Errorf("%s and %s share the key %q", name, other, key)
		}
		seen[key] = name
	}
}

// sparse stores nothing right of a column.
type sparse struct {
	raster.Provider
	end int
}

func (s sparse) Empty(_ context.Context, _ int, rect raster.Rect) (bool, error) {
	return rect.X0 >= s.end, nil
}

func TestWhereNothingIsStoredThereAreNoColors(t *testing.T) {
	s := source(raster.Uint8, raster.ColorModel{Space: raster.CMYK}, 4, 0)
	for _, test := range []struct {
		source raster.Provider
		x      int
		want   bool
	}{{sparse{s, 16}, 15, false}, {sparse{s, 16}, 16, true}, {s, 16, false}} {
		p, err := recolor.New(test.source)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := p.Empty(context.Background(), 0, raster.Rect{X0: test.x, X1: 37, Y1: 23}); err != nil || got != test.want {
			t.Errorf("from column %d on it is empty: %v, %v, want %v", test.x, got, err, test.want)
		}
	}
}
