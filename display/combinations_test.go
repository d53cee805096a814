package display

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"tileserver/display/colormap"
	"tileserver/display/expression"
	"tileserver/display/formula"
	"tileserver/display/picture"
	"tileserver/display/statistics"
	"tileserver/display/terrain"
	"tileserver/raster"
	"tileserver/raster/rastertest"
)

// Every combination of options is either rejected with a reason or renders a picture that can be
// encoded. Specs with equal keys render equal pictures.
func TestCombinations(t *testing.T) {
	random := rand.New(rand.NewPCG(4, 11))
	specs := newSpecGenerator(t, random)
	datasets := datasetsOfAllKinds()
	made, refused := 0, 0
	pictures := map[string]string{}
	for range 4000 {
		p := datasets[random.IntN(len(datasets))]
		s := specs.next()
		r, err := s.Resolve(p.Info())
		if err != nil {
			if !errors.Is(err, ErrInvalidSpec) {
				t.Fatalf("%+v of %s: %v", s, p.Name, err)
			}
			refused++
			continue
		}
		got, key := renderAllWays(t, p, r, s)
		if known, ok := pictures[p.Name+key]; ok && known != got {
			t.Fatalf("%+v of %s makes the picture differs with the key %q", s, p.Name, key)
		}
		pictures[p.Name+key] = got
		made++
	}
	if made < 500 || refused < 500 {
		t.Errorf("%d rendered and %d rejected: too few for a test", made, refused)
	}
}

// renderAllWays renders a spec in every way that exists and returns the picture as PNG.
func renderAllWays(t *testing.T, p *rastertest.Synthetic, r *Resolved, s Spec) (png, key string) {
	t.Helper()
	tile := readTile(t, p, r)
	const side = 24
	ground := &GroundSpacing{StepX: slices.Repeat([]float64{7}, side), StepY: slices.Repeat([]float64{9}, side)}
	if s.Data {
		if _, err := r.Compute(tile, ground); err != nil {
			t.Fatalf("%+v of %s: %v", s, p.Name, err)
		}
		return "", r.Key()
	}
	var known *statistics.Dataset
	if r.NeedsStatistics() {
		measured, bands := r.StatisticsSource(p)
		var err error
		if known, err = statistics.Compute(context.Background(), measured, bands, statistics.Options{}); err != nil {
			t.Fatalf("%+v of %s: %v", s, p.Name, err)
		}
	}
	c, err := Compile(r, known)
	if err != nil {
		t.Fatalf("%+v of %s: %v", s, p.Name, err)
	}
	if l, ok := c.Legend(); ok && len(l.Entries()) == 0 {
		t.Errorf("%+v of %s has an empty legend", s, p.Name)
	}
	image, err := c.Render(tile, ground)
	if err != nil {
		t.Fatalf("%+v of %s: %v", s, p.Name, err)
	}
	defer image.Release()
	if want := side - 2*r.Halo(); image.Width != want || image.Height != want {
		t.Fatalf("%+v of %s is %dx%d", s, p.Name, image.Width, image.Height)
	}
	var e picture.Encoder
	file, err := e.Encode(nil, image, picture.PNG, picture.Options{})
	if err != nil {
		t.Fatalf("%+v of %s: %v", s, p.Name, err)
	}
	if _, err := e.Encode(nil, image, picture.JPEG, picture.Options{}); (err != nil) != r.IsDeep() {
		t.Fatalf("%+v of %s as JPEG: %v", s, p.Name, err)
	}
	return string(file), r.Key()
}

// readTile returns the tile that a pyramid would read for r, with opacity in the coverage.
func readTile(t *testing.T, p *rastertest.Synthetic, r *Resolved) raster.Tile {
	t.Helper()
	tiles, err := p.Blocks(context.Background(), 0, []raster.BlockID{{}}, r.Bands())
	if err != nil {
		t.Fatal(err)
	}
	return tiles[0]
}

// datasetsOfAllKinds returns datasets of one block each.
func datasetsOfAllKinds() []*rastertest.Synthetic {
	var all []*rastertest.Synthetic
	add := func(name string, dataType raster.DataType, bands int, change func(*raster.Info)) {
		info := rastertest.Flat(dataType, 24, 24, bands, 24, 24)
		if change != nil {
			change(&info)
		}
		all = append(all, &rastertest.Synthetic{Name: name, Has: info, Sample: func(_, band, x, y int) (float64, bool) {
			return float64((x*5 + y*3 + band*40) % 120), (x+y+band)%11 != 0
		}})
	}
	for _, dataType := range allTypes {
		for _, bands := range []int{1, 3, 4, 5} {
			add(dataType.String()+string(rune('0'+bands)), dataType, bands, nil)
		}
	}
	add("alpha", raster.Uint16, 4, func(i *raster.Info) { i.Bands[3].Color = raster.Alpha })
	add("palette", raster.Uint8, 1, func(i *raster.Info) {
		i.Bands[0].Color, i.Palette = raster.PaletteIndex, make([]raster.RGBA, 200)
		for n := range i.Palette {
			i.Palette[n] = raster.RGBA{R: uint8(n), G: 90, A: uint8(255 - n)}
		}
	})
	add("spread", raster.Uint8, 1, func(i *raster.Info) { i.Spread = 17 })
	add("inverted", raster.Uint16, 1, func(i *raster.Info) { i.Inverted, i.Bands[0].Color = true, raster.Gray })
	add("magnitudes", raster.Float32, 2, func(i *raster.Info) { i.Magnitudes = true })
	add("scaled", raster.Int16, 3, func(i *raster.Info) {
		for band := range i.Bands {
			i.Bands[band].Scale, i.Bands[band].Offset, i.Bands[band].Unit = 0.5, -3, "ft"
			i.Bands[band].Stored = &raster.StoredStatistics{Min: 1, Max: 99, Mean: 50, StdDev: 9}
		}
	})
	return all
}

// A specGenerator combines options at random.
type specGenerator struct {
	random      *rand.Rand
	expressions []*expression.Source
	formulas    []*formula.Formula
	colors      []*colormap.Map
}

func newSpecGenerator(t *testing.T, random *rand.Rand) *specGenerator {
	t.Helper()
	s := &specGenerator{random: random}
	for _, text := range []string{"b1*2", "b1/(b1-40)", "b1;b1+1;b1-1", "sqrt(b1-50)"} {
		s.expressions = append(s.expressions, expressionOf(t, text))
	}
	for _, text := range []string{"gamma RGB 1.4", "gamma G 2, saturation 1.5", "sigmoidal RGB 9 0.4", "saturation 0.3"} {
		f, err := formula.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		s.formulas = append(s.formulas, f)
	}
	s.colors = []*colormap.Map{
		mapOf(t, `{"1":"#ff0000","40":"#00ff0080"}`, ""), mapOf(t, `[[[0,30],"#010203"],[[30,60],"#0a0b0c"]]`, ""),
		mapOf(t, `[[0,"#000000"],[100,"#ff8000"]]`, ""), mapOf(t, `{"0":"#000000","255":"#ffffff"}`, "linear"),
	}
	return s
}

// sometimes returns a random value in about one of four calls, and else the zero value.
func sometimes[T any](s *specGenerator, values ...T) (v T) {
	if s.random.IntN(4) == 0 {
		v = values[s.random.IntN(len(values))]
	}
	return v
}

func (s *specGenerator) next() Spec {
	spec := Spec{
		Bands: sometimes(s, []int{0}, []int{2}, []int{2, 1, 0}), Expression: sometimes(s, s.expressions...),
		Unscale: s.random.IntN(4) == 0, Amplitudes: s.random.IntN(4) == 0, Rescale: sometimes(s, []Range{{0, 100}}, []Range{{-5, 5}, {0, 9}, {1, 2}}),
		Stretch: sometimes(s, Stretch{Kind: NoStretch}, Stretch{Kind: MinMax}, Stretch{Kind: DynamicRange}, Stretch{Kind: PerTile},
			Stretch{Kind: Deviations, Count: 2}, Stretch{Kind: Percentile, Low: 5, High: 95}),
		StoredStatistics: s.random.IntN(8) == 0, Formula: sometimes(s, s.formulas...), ColorMap: sometimes(s, "viridis", "gray", "flag_r"),
		Colors: sometimes(s, s.colors...), Deep: s.random.IntN(5) == 0, Data: s.random.IntN(10) == 0,
	}
	if s.random.IntN(4) == 0 {
		parameters := terrain.DefaultParameters(terrain.Mode(s.random.IntN(8)))
		spec.Relief = &parameters
	}
	return spec
}
