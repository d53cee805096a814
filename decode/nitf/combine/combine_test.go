package combine

import (
	"context"
	"encoding/binary"
	"errors"
	"math"
	"strings"
	"testing"

	"tileserver/decode/container"
	"tileserver/decode/georeference"
	"tileserver/raster"
	"tileserver/raster/rastertest"
)

// fakeImage is an image with the pixels of a provider. Its other methods must not be called, unless
// they are set here.
type fakeImage struct {
	container.Image
	raster.Provider
	refused error
	missing raster.Damage
}

func (f *fakeImage) Key() string                    { return f.Provider.Key() }
func (f *fakeImage) Info() *raster.Info             { return f.Provider.Info() }
func (f *fakeImage) Unsupported() error             { return f.refused }
func (f *fakeImage) AddStorage(to *container.Facts) { to.Compression = "fake" }

func (f *fakeImage) Blocks(ctx context.Context, level int, ids []raster.BlockID, bands []int) ([]raster.Tile, error) {
	return f.Provider.Blocks(ctx, level, ids, bands)
}

func (f *fakeImage) Missing(context.Context) (raster.Damage, bool, error) {
	return f.missing, !f.missing.IsZero(), nil
}

// sample is a sample of the picture that all images of these tests show a part of.
func sample(level, band, x, y int) (value float64, valid bool) {
	return float64((7*x + 13*y + 50*band + 100*level) % 251), (x+y)%11 != 0
}

// imageAt returns an image of the pixels from a position of the picture on, with so many levels.
func imageAt(x, y, width, height, levels int) *fakeImage {
	info := rastertest.Flat(raster.Uint8, width, height, 2, 8, 4)
	for n := 1; n < levels; n++ {
		l := info.Levels[0]
		scale := 1 << n
		l.Width, l.Height, l.ScaleX, l.ScaleY = (width+scale-1)/scale, (height+scale-1)/scale, float64(scale), float64(scale)
		info.Levels = append(info.Levels, l)
	}
	return &fakeImage{Provider: &rastertest.Synthetic{Name: "part@1", Has: info, Sample: func(level, band, column, row int) (float64, bool) {
		return sample(level, band, x>>level+column, y>>level+row)
	}}}
}

// partAt returns an image as a part of the picture.
func partAt(x, y, width, height, levels int) Part {
	return Part{imageAt(x, y, width, height, levels), raster.Rect{X0: x, Y0: y, X1: x + width, Y1: y + height}}
}

// A picture of parts has the pixels of each, at all levels that they share.
func TestMosaics(t *testing.T) {
	for name, test := range map[string]struct {
		parts  []Part
		levels int
	}{
		"side by side":              {[]Part{partAt(0, 0, 20, 24, 1), partAt(20, 0, 15, 24, 1)}, 1},
		"a T":                       {[]Part{partAt(0, 0, 35, 10, 1), partAt(0, 10, 20, 14, 1), partAt(20, 10, 15, 14, 1)}, 1},
		"of levels":                 {[]Part{partAt(0, 0, 16, 24, 3), partAt(16, 0, 19, 24, 3)}, 3},
		"of as many levels as fit":  {[]Part{partAt(0, 0, 18, 24, 3), partAt(18, 0, 17, 24, 3)}, 2},
		"of as many levels as both": {[]Part{partAt(0, 0, 16, 24, 2), partAt(16, 0, 19, 24, 3)}, 2},
	} {
		t.Run(name, func(t *testing.T) {
			open := func(*testing.T) raster.Provider { return Mosaic(test.parts, georeference.Georeference{}) }
			if l := open(t).Info().Levels; len(l) != test.levels || l[0].Width != 35 || l[0].Height != 24 {
				t.Errorf("levels %+v", l)
			}
			rastertest.Suite{Open: open, Want: sample}.Run(t)
		})
	}
}

// What is lost of a picture is what is lost of its parts. It is lost as a whole if all are.
func TestDamageOfMosaics(t *testing.T) {
	lost := func(isTotal bool, text string) raster.Damage {
		return raster.NewDamage([]raster.Loss{{Kind: "block", Text: text}}, isTotal)
	}
	for _, test := range []struct {
		first, second  raster.Damage
		losses         int
		known, isTotal bool
	}{
		{raster.Damage{}, raster.Damage{}, 0, false, false},
		{lost(true, "a"), raster.Damage{}, 1, true, false},
		{lost(true, "a"), lost(false, "b"), 2, true, false},
		{lost(true, "a"), lost(true, "b"), 2, true, true},
	} {
		first, second := partAt(0, 0, 20, 24, 1), partAt(20, 0, 15, 24, 1)
		first.Image.(*fakeImage).missing, second.Image.(*fakeImage).missing = test.first, test.second
		damage, known, err := Mosaic([]Part{first, second}, georeference.Georeference{}).Missing(t.Context())
		if err != nil || known != test.known || len(damage.Losses()) != test.losses || damage.IsTotal() != test.isTotal {
			t.Errorf("%+v: %v, known %t, %v", test, damage, known, err)
		}
	}
}

// An error of a part names it.
func TestErrorsOfParts(t *testing.T) {
	broken := errors.New("no disk")
	parts := []Part{partAt(0, 0, 20, 24, 1), partAt(20, 0, 15, 24, 1)}
	parts[1].Image.(*fakeImage).Provider.(*rastertest.Synthetic).Before = func(context.Context, int, []raster.BlockID, []int) error { return broken }
	m := Mosaic(parts, georeference.Georeference{})
	if _, err := m.Blocks(t.Context(), 0, []raster.BlockID{{Col: 4}}, nil); !errors.Is(err, broken) || !strings.Contains(err.Error(), "part 2 of 2") {
		t.Errorf("%v", err)
	}
	if _, err := m.Blocks(t.Context(), 0, []raster.BlockID{{}}, nil); err != nil {
		t.Errorf("a block of the other part: %v", err)
	}
}

func TestWhatTiles(t *testing.T) {
	r := func(x0, y0, x1, y1 int) raster.Rect { return raster.Rect{X0: x0, Y0: y0, X1: x1, Y1: y1} }
	for name, test := range map[string]struct {
		all  []raster.Rect
		want bool
	}{
		"one":                {[]raster.Rect{r(0, 0, 3, 2)}, true},
		"two":                {[]raster.Rect{r(0, 0, 3, 2), r(3, 0, 5, 2)}, true},
		"a pinwheel":         {[]raster.Rect{r(0, 0, 2, 1), r(2, 0, 3, 2), r(1, 2, 3, 3), r(0, 1, 1, 3), r(1, 1, 2, 2)}, true},
		"without its middle": {[]raster.Rect{r(0, 0, 2, 1), r(2, 0, 3, 2), r(1, 2, 3, 3), r(0, 1, 1, 3)}, false},
		"one on another":     {[]raster.Rect{r(0, 0, 3, 2), r(2, 0, 5, 2)}, false},
		"the same twice":     {[]raster.Rect{r(0, 0, 3, 2), r(0, 0, 3, 2)}, false},
		"not at the origin":  {[]raster.Rect{r(1, 0, 3, 2)}, false},
		"beside the picture": {[]raster.Rect{r(-1, 0, 3, 2)}, false},
		"an empty one":       {[]raster.Rect{r(0, 0, 3, 2), r(3, 0, 3, 2)}, false},
		"as large, overlaps": {[]raster.Rect{r(0, 0, 2, 2), r(0, 0, 2, 1), r(2, 0, 3, 2)}, false},
	} {
		if IsTiled(test.all) != test.want {
			t.Errorf("%s: tiled %t", name, !test.want)
		}
	}
}

func TestWhatIsAlike(t *testing.T) {
	for name, test := range map[string]struct {
		change func(f *fakeImage, info *raster.Info)
		want   bool
	}{
		"the same":        {func(*fakeImage, *raster.Info) {}, true},
		"of another size": {func(_ *fakeImage, i *raster.Info) { i.Levels[0].Width++ }, true},
		"a type":          {func(_ *fakeImage, i *raster.Info) { i.Type = raster.Uint16 }, false},
		"bits":            {func(_ *fakeImage, i *raster.Info) { i.Bits = 7 }, false},
		"bands":           {func(_ *fakeImage, i *raster.Info) { i.Bands = i.Bands[:1] }, false},
		"a palette":       {func(_ *fakeImage, i *raster.Info) { i.Palette = []raster.RGBA{{}} }, false},
		"refused":         {func(f *fakeImage, _ *raster.Info) { f.refused = errors.New("no") }, false},
	} {
		one, other := imageAt(0, 0, 9, 9, 1), imageAt(0, 0, 9, 9, 1)
		test.change(other, other.Info())
		if IsAlike(one, other) != test.want || IsAlike(other, one) != test.want {
			t.Errorf("%s: alike %t", name, !test.want)
		}
	}
}

// Levels in files of their own are those of one image, if they show the same with fewer pixels.
func TestLevels(t *testing.T) {
	ofLevel := func(level, width, height int) *fakeImage {
		return &fakeImage{Provider: &rastertest.Synthetic{Name: "level@1", Has: rastertest.Flat(raster.Uint8, width, height, 2, 8, 4), Sample: func(_, band, x, y int) (float64, bool) {
			return sample(level, band, x, y)
		}}}
	}
	open := func() *Levels {
		all := NewLevels(ofLevel(0, 35, 24))
		for _, reduced := range []*fakeImage{ofLevel(1, 18, 12), ofLevel(2, 9, 6)} {
			if err := all.Add(reduced); err != nil {
				t.Fatal(err)
			}
		}
		return all
	}
	rastertest.Suite{Open: func(*testing.T) raster.Provider { return open() }, Want: sample}.Run(t)

	other := ofLevel(3, 5, 3)
	other.Info().Type = raster.Uint16
	refused := ofLevel(3, 5, 3)
	refused.refused = errors.New("no")
	for name, m := range map[string]*fakeImage{"as large": ofLevel(3, 9, 6), "of another shape": ofLevel(3, 8, 1), "of another type": other, "refused": refused} {
		if all := open(); all.Add(m) == nil || len(all.Info().Levels) != 3 {
			t.Errorf("%s: it is a level", name)
		}
	}
	var facts container.Facts
	if open().AddStorage(&facts); facts.Compression != "fake" || len(facts.Overviews) != 2 || facts.Overviews[1] != [2]int{9, 6} {
		t.Errorf("facts %+v", facts)
	}
}

// Two bands make a complex one: its parts, or its amplitude and phase.
func TestPairs(t *testing.T) {
	amplitudes := make([]float64, 256)
	for i := range amplitudes {
		amplitudes[i] = float64(1000 + i)
	}
	for name, test := range map[string]struct {
		how        Pairing
		amplitudes []float64
		want       func(first, second float64) (real, imaginary float64)
	}{
		"in phase": {InPhase, nil, func(first, second float64) (float64, float64) { return first, second }},
		"polar": {Polar, nil, func(first, second float64) (float64, float64) {
			sine, cosine := math.Sincos(second * 2 * math.Pi / 256)
			return first * cosine, first * sine
		}},
		"polar, by a table": {Polar, amplitudes, func(first, second float64) (float64, float64) {
			sine, cosine := math.Sincos(second * 2 * math.Pi / 256)
			return (1000 + first) * cosine, (1000 + first) * sine
		}},
	} {
		p, ok := Pair(imageAt(0, 0, 20, 14, 1), test.how, test.amplitudes)
		if !ok || p.Info().Type != raster.Complex64 || len(p.Info().Bands) != 1 || p.Key() == imageAt(0, 0, 20, 14, 1).Key() {
			t.Fatalf("%s: %t, %+v", name, ok, p.Info())
		}
		l := p.Info().Levels[0]
		ids := l.Covering(l.Bounds())
		tiles, err := p.Blocks(t.Context(), 0, ids, nil)
		if err != nil {
			t.Fatal(err)
		}
		for i, tile := range tiles {
			checkPair(t, name, tile, l.Block(ids[i]), test.want)
		}
	}
}

// checkPair compares a block of complex samples with what the two bands make.
func checkPair(t *testing.T, name string, tile raster.Tile, at raster.Rect, want func(first, second float64) (real, imaginary float64)) {
	t.Helper()
	for y := range tile.Height() {
		for x := range tile.Width() {
			first, valid := sample(0, 0, at.X0+x, at.Y0+y)
			second, _ := sample(0, 1, at.X0+x, at.Y0+y)
			real, imaginary := want(first, second)
			gotReal, gotImaginary := complexAt(tile, x, y)
			_, coverage := tile.At(0, x, y)
			if valid != (coverage == raster.Valid) || valid && (math.Abs(gotReal-real) > 1e-3 || math.Abs(gotImaginary-imaginary) > 1e-3) {
				t.Fatalf("%s: pixel %d,%d of %v is %v, %v with coverage %d, want %v, %v", name, x, y, at, gotReal, gotImaginary, coverage, real, imaginary)
			}
		}
	}
}

// complexAt returns the parts of a complex sample.
func complexAt(t raster.Tile, x, y int) (real, imaginary float64) {
	at := 8 * (y*t.Width() + x)
	number := func(at int) float64 {
		return float64(math.Float32frombits(binary.NativeEndian.Uint32(t.Plane(0)[at:])))
	}
	return number(at), number(at + 4)
}

// Samples are looked up in the table of their band, and those beyond its end are the last one.
func TestCurves(t *testing.T) {
	first, second := make([]uint8, 256), make([]uint8, 100)
	for i := range first {
		first[i] = uint8(255 - i)
	}
	for i := range second {
		second[i] = uint8(i / 2)
	}
	rastertest.Suite{
		Open: func(*testing.T) raster.Provider { return Curved(imageAt(0, 0, 35, 24, 2), [][]uint8{first, second}) },
		Want: func(level, band, x, y int) (float64, bool) {
			v, valid := sample(level, band, x, y)
			if band == 0 {
				return 255 - v, valid
			}
			return math.Floor(min(v, 99) / 2), valid
		},
	}.Run(t)
}
