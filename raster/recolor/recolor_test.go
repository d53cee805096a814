package recolor_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"testing"

	"tileserver/raster"
	"tileserver/raster/rastertest"
	"tileserver/raster/recolor"
)

// source has the given number of bands, type and color space, with odd blocks and two levels. The
// bands behind the components are opacity and another one.
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

// mixed returns the textbook color of a pixel, from 0 to 1.
type mixed func(samples []float64) [3]float64

func inks(maxSample float64) mixed {
	return func(s []float64) (rgb [3]float64) {
		for i := range rgb {
			rgb[i] = (1 - s[i]/maxSample) * (1 - s[3]/maxSample)
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

func TestColorsMatchTextbooks(t *testing.T) {
	standard := [3]float64{0.299, 0.587, 0.114}
	hd := [3]float64{0.2126, 0.7152, 0.0722}
	tests := map[string]struct {
		dataType   raster.DataType
		model      raster.ColorModel
		components int
		want       mixed
		tolerance  float64 // conversions truncate levels of eight bits, and the errors add up
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
			_, maxSample := test.dataType.Limits()
			rastertest.Suite{Open: opened(s), Tolerance: test.tolerance, Want: func(level, band, x, y int) (float64, bool) {
				if band >= 3 {
					value, valid := s.Sample(level, band-3+test.components, x, y)
					return math.Round(value * 255 / maxSample), valid
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

// opened opens a provider anew.
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

func TestOnlyNeededComponentsAreRead(t *testing.T) {
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

// A component that equals the nodata value is a part of a valid color.
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

func TestUnsupportedColors(t *testing.T) {
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

// Equal keys mean equal pixels: the key contains everything that affects colors.
func TestKeysContainConversionParameters(t *testing.T) {
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

func TestRecoloredIsSparse(t *testing.T) {
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

func TestColorsPassDamageOn(t *testing.T) {
	p, err := recolor.New(rastertest.DamagedCorner(func(i *raster.Info) {
		i.Bands = make([]raster.Band, 4)
		i.Colors = raster.ColorModel{Space: raster.CMYK}
	}))
	if err != nil {
		t.Fatal(err)
	}
	rastertest.ShowsDamage(t, p, 0, raster.BlockID{}, raster.BlockID{Col: 1})
}

func TestColorsPassCapabilitiesOn(t *testing.T) {
	for _, model := range []raster.ColorModel{
		{Space: raster.YCbCr, Luma: [3]float64{.299, .587, .114}, Reference: [6]float64{0, 255, 128, 255, 128, 255}},
		{Space: raster.CMYK}, {Space: raster.CIELab},
	} {
		source := rastertest.Speckled()
		source.Has.Bands, source.Has.Type, source.Has.Colors = make([]raster.Band, 4), raster.Uint8, model
		rastertest.CheckWrapper(t, source, func(p raster.Provider) raster.Provider {
			recolored, err := recolor.New(p)
			if err != nil {
				t.Fatal(err)
			}
			return recolored
		}, rastertest.StoredPictures)
	}
}
