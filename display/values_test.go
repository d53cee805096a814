package display

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"tileserver/display/expression"
	"tileserver/display/picture"
	"tileserver/display/statistics"
	"tileserver/display/terrain"
	"tileserver/raster"
	"tileserver/raster/rastertest"
)

// expressionOf parses an expression.
func expressionOf(t testing.TB, text string) *expression.Source {
	t.Helper()
	parsed, err := expression.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return parsed
}

// computeOf returns the numbers that a spec computes from a tile, band after band.
func computeOf(t *testing.T, s Spec, info *raster.Info, tile raster.Tile) []float64 {
	t.Helper()
	r, err := s.Resolve(info)
	if err != nil {
		t.Fatal(err)
	}
	made, err := r.Compute(selectBands(t, tile, r.Bands()), nil)
	if err != nil {
		t.Fatal(err)
	}
	var numbers []float64
	for band := range made.Bands() {
		for x := range made.Width() {
			v, coverage := made.At(band, x, 0)
			if coverage == raster.Invalid {
				v = math.NaN()
			}
			numbers = append(numbers, v)
		}
	}
	return numbers
}

func sameNumbers(a, b []float64) bool {
	return slices.EqualFunc(a, b, func(x, y float64) bool { return x == y || x != x && y != y })
}

func TestExpressions(t *testing.T) {
	info := dataset(raster.Uint16, "----")
	info.Bands[3].Name = "NIR"
	info.Bands[0].Scale, info.Bands[0].Offset = 0.5, -10
	tile := tileOf(raster.Uint16, []float64{1, 2, 60000}, []float64{3, 0, 60001}, []float64{5, 6, 7}, []float64{8, 0, 10}).Freeze()
	tests := []struct {
		name string
		spec Spec
		want []float64
	}{
		{"a sum of two bands", Spec{Expression: expressionOf(t, "b1 + b2")}, []float64{4, 2, 120001}},
		{"below zero", Spec{Expression: expressionOf(t, "b1-b2")}, []float64{-2, 2, -1}},
		{"divided by zero", Spec{Expression: expressionOf(t, "b1/b4")}, []float64{0.125, nan, 6000}},
		{"a named band", Spec{Expression: expressionOf(t, "nir * 2")}, []float64{16, 0, 20}},
		{"three outputs", Spec{Expression: expressionOf(t, "b3;b1;b2"), Data: true}, []float64{5, 6, 7, 1, 2, 60000, 3, 0, 60001}},
		{"values", Spec{Expression: expressionOf(t, "b1"), Unscale: true}, []float64{-9.5, -9, 29990}},
		{"values of a band", Spec{Bands: []int{0}, Unscale: true}, []float64{-9.5, -9, 29990}},
		{"nothing to unscale", Spec{Bands: []int{1}, Unscale: true}, []float64{3, 0, 60001}},
	}
	for _, test := range tests {
		if got := computeOf(t, test.spec, info, tile); !sameNumbers(got, test.want) {
			t.Errorf("%s: got %v, want %v", test.name, got, test.want)
		}
	}
}

// The coverage of a computed value is the minimum of the coverage of its inputs.
func TestComputedCoverage(t *testing.T) {
	b := tileOf(raster.Float32, []float64{1, 2, 3, 4}, []float64{1, 0, 1, 1})
	copy(b.OwnValidity(0), []uint8{255, 255, 100, 0})
	copy(b.OwnValidity(1), []uint8{30, 255, 255, 255})
	r, err := Spec{Expression: expressionOf(t, "b1/b2")}.Resolve(infoOf(raster.Float32, 2))
	if err != nil {
		t.Fatal(err)
	}
	made, err := r.Compute(b.Freeze(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := made.Validity(0), []uint8{30, 0, 100, 0}; !slices.Equal(got, want) {
		t.Errorf("got the coverage %v, want %v", got, want)
	}
}

func TestComputingSpecsRejected(t *testing.T) {
	info := dataset(raster.Float32, "--")
	hillshade := terrain.DefaultParameters(terrain.ModeHillshade)
	code := terrain.DefaultParameters(terrain.ModeTerrainRGB)
	tests := []struct {
		name string
		spec Spec
		says string
	}{
		{"unknown band", Spec{Expression: expressionOf(t, "b1+b3")}, `no band "b3"`},
		{"unknown name", Spec{BandNames: []string{"b1", "blue"}}, `no band "blue"; the bands are b1, b2`},
		{"two outputs", Spec{Expression: expressionOf(t, "b1;b2")}, "not 2"},
		{"no band used", Spec{Expression: expressionOf(t, "1+2")}, "uses no band"},
		{"and bands", Spec{Expression: expressionOf(t, "b1"), Bands: []int{0}}, "exclude each other"},
		{"relief of three", Spec{Expression: expressionOf(t, "b1;b2;b1"), Relief: &hillshade}, "one band, not 3"},
		{"relief by statistics", Spec{Relief: &hillshade, Stretch: Stretch{Kind: MinMax}}, "not stretched"},
		{"encoded heights in colors", Spec{Relief: &code, ColorMap: "viridis"}, "or colors"},
		{"encoded heights in 16 bits", Spec{Relief: &code, Deep: true}, "16-bit output"},
		{"missing file statistics", Spec{StoredStatistics: true, Stretch: Stretch{Kind: MinMax}}, "no statistics of band 1"},
		{"percentiles of file statistics", Spec{StoredStatistics: true, Stretch: Stretch{Kind: DynamicRange}}, "minmax and stddev"},
	}
	for _, test := range tests {
		if _, err := test.spec.Resolve(info); err == nil || !strings.Contains(err.Error(), test.says) {
			t.Errorf("%s: got the error %v, want one that contains %q", test.name, err, test.says)
		}
	}
}

// Statistics of an expression equal those of a dataset that holds its values.
func TestStatisticsOfAnExpression(t *testing.T) {
	info := rastertest.Flat(raster.Uint16, 50, 40, 3, 16, 16)
	info.Bands[1].Color = raster.Alpha
	p := &rastertest.Synthetic{Name: "s", Has: info, Sample: func(_, band, x, y int) (float64, bool) {
		if band == 1 {
			return float64(x % 2), true
		}
		return float64(x + 10*y + band), x != 3
	}}
	r, err := Spec{Expression: expressionOf(t, "b1*2 - b3")}.Resolve(&info)
	if err != nil {
		t.Fatal(err)
	}
	measured, bands := r.StatisticsSource(p)
	got, err := statistics.Compute(context.Background(), measured, bands, statistics.Options{})
	if err != nil {
		t.Fatal(err)
	}
	// x + 10y - 2 in the odd columns except x = 3.
	if b := got.Bands[0]; b.Count != 24*40 || b.Min != -1 || b.Max != 49+390-2 {
		t.Errorf("got %d samples from %v to %v, want %d from -1 to %d", b.Count, b.Min, b.Max, 24*40, 49+390-2)
	}
	if measured.Key() == p.Key() || !strings.HasPrefix(measured.Key(), p.Key()) {
		t.Errorf("got the key %q for values computed from %q", measured.Key(), p.Key())
	}
	rastertest.Suite{
		Open: func(*testing.T) raster.Provider { return newComputedProvider(p, r.computation) },
		Want: func(_, _, x, y int) (float64, bool) { return float64(x + 10*y - 2), x%2 == 1 && x != 3 },
	}.Run(t)
	rastertest.CheckWrapper(t, p, func(p raster.Provider) raster.Provider { return newComputedProvider(p, r.computation) },
		rastertest.EmptyAreas, rastertest.Windows, rastertest.StoredPictures, rastertest.CachedBlocks)
}

// Computed values have the damage of the pixels that they were computed from, whichever of them are
// read.
func TestComputedValuesInheritDamage(t *testing.T) {
	p := rastertest.DamagedCorner(nil)
	r, err := Spec{Expression: expressionOf(t, "b1*2;b1*3;b1*4")}.Resolve(p.Info())
	if err != nil {
		t.Fatal(err)
	}
	computed := newComputedProvider(p, r.computation)
	rastertest.ShowsDamage(t, computed, 0, raster.BlockID{}, raster.BlockID{Col: 1})
	tiles, err := computed.Blocks(t.Context(), 0, []raster.BlockID{{}}, []int{2})
	if err != nil {
		t.Fatal(err)
	}
	if got := tiles[0].Damage().String(); got != "1 code-block" {
		t.Errorf("one band of a damaged block has the damage %q", got)
	}
}

func TestMagnitudesShowSquareRoots(t *testing.T) {
	info := dataset(raster.Float32, "-")
	info.Magnitudes = true
	tile := tileOf(raster.Float32, []float64{0, 4, 100}).Freeze()
	if got := computeOf(t, Spec{}, info, tile); !sameNumbers(got, []float64{0, 2, 10}) {
		t.Errorf("got %v", got)
	}
	if got := computeOf(t, Spec{Amplitudes: true}, info, tile); !sameNumbers(got, []float64{0, 4, 100}) {
		t.Errorf("as they are: got %v", got)
	}
}

func TestTrueColorBands(t *testing.T) {
	named := dataset(raster.Uint16, "-----")
	for i, name := range []string{"B01", "B02", "B03", "B04", "B08"} {
		named.Bands[i].Name = name
	}
	words := dataset(raster.Uint16, "----")
	for i, name := range []string{"nir", "Blue", "GREEN", " red "} {
		words.Bands[i].Name = name
	}
	waves := dataset(raster.Uint16, "------")
	for i, nm := range []float64{442, 490, 560, 665, 705, 842} {
		waves.Bands[i].Wavelength = nm
	}
	infrared := dataset(raster.Uint16, "----")
	for i, nm := range []float64{842, 1610, 2190, 660} {
		infrared.Bands[i].Wavelength = nm
	}
	for name, test := range map[string]struct {
		info *raster.Info
		want []int
	}{
		"names of Sentinel-2": {named, []int{3, 2, 1}}, "words": {words, []int{3, 2, 1}},
		"wavelengths": {waves, []int{3, 2, 1}}, "too far": {infrared, []int{0, 1, 2}},
	} {
		r, err := Spec{}.Resolve(test.info)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(r.Bands(), test.want) {
			t.Errorf("%s: got the bands %v, want %v", name, r.Bands(), test.want)
		}
	}
}

func TestStoredStatistics(t *testing.T) {
	info := dataset(raster.Uint16, "-")
	info.Bands[0].Stored = &raster.StoredStatistics{Min: 10, Max: 210, Mean: 100, StdDev: 20}
	for spec, want := range map[Stretch]Range{
		{Kind: MinMax}:               {10, 210},
		{Kind: Deviations, Count: 2}: {60, 140},
	} {
		r, err := Spec{Stretch: spec, StoredStatistics: true}.Resolve(info)
		if err != nil || r.NeedsStatistics() || len(r.ranges) != 1 || r.ranges[0] != want {
			t.Errorf("%v: got %+v, %v, want %v", spec, r, err, want)
		}
		if r, err = (Spec{Stretch: spec}).Resolve(info); err != nil || !r.NeedsStatistics() {
			t.Errorf("%v: the file's statistics were used without being requested", spec)
		}
	}
}

// Bands that are computed separately keep their own coverage, however many there are.
func TestBandsKeepTheirCoverage(t *testing.T) {
	info := dataset(raster.Int16, "------")
	for i := range info.Bands {
		info.Bands[i].Scale, info.Bands[i].Offset = 2, float64(i)
	}
	bands := make([][]float64, 6)
	for i := range bands {
		bands[i] = []float64{10, 20}
	}
	b := tileOf(raster.Int16, bands...)
	copy(b.OwnValidity(3), []uint8{0, 255})
	r, err := Spec{Unscale: true, Data: true}.Resolve(info)
	if err != nil {
		t.Fatal(err)
	}
	made, err := r.Compute(b.Freeze(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for band := range 6 {
		for x, want := range []float64{20 + float64(band), 40 + float64(band)} {
			v, coverage := made.At(band, x, 0)
			if v != want || (coverage == raster.Valid) != (band != 3 || x != 0) {
				t.Errorf("band %d, pixel %d is %v under %d, want %v", band, x, v, coverage, want)
			}
		}
	}
}

// Samples of few bits are reported as the file has them, in colors and in legends.
func TestSpreadSamplesAreReportedAsStored(t *testing.T) {
	info := infoOf(raster.Uint8, 1)
	info.Spread = 85 // of two bits
	tile := tileOf(raster.Uint8, []float64{0, 85, 100, 170, 255}).Freeze()
	classes := mapOf(t, `{"1":"#010000","2":"#020000","3":"#030000"}`, "")
	p := mustRender(t, chainOf(t, Spec{Colors: classes}, info), tile)
	pixels := make([]uint8, 4*p.Width)
	picture.Expand(pixels, p)
	for i, want := range []uint8{0, 1, 1, 2, 3} {
		if pixels[4*i] != want {
			t.Errorf("sample %d has the color of class %d, want %d", i, pixels[4*i], want)
		}
	}
	gray := chainOf(t, Spec{Rescale: []Range{{0, 2}}}, info)
	if p := mustRender(t, gray, tile); !slices.Equal(p.Pix, []uint8{0, 128, 150, 255, 255}) {
		t.Errorf("from 0 to 2: %v", p.Pix)
	}
	if l, ok := gray.Legend(); !ok || l.Low != 0 || l.High != 2 {
		t.Errorf("the legend goes from %v to %v", l.Low, l.High)
	}
}
