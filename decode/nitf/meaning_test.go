package nitf

import (
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tileserver/decode/container"
	"tileserver/decode/nitf/nitftest"
	"tileserver/display"
	"tileserver/geo"
	"tileserver/raster"
	"tileserver/raster/rastertest"
)

// Two bands of a radar image are one complex band, however they lie and whatever they are.
func TestPairsBecomeComplex(t *testing.T) {
	part := func(x, y, band int) float64 { return float64(3*x - 5*y + 100*band) }
	angle := func(x, y, band int) float64 {
		if band == 0 {
			return float64(x + y)
		}
		return float64((x * 16) % 128)
	}
	pair := func(first, second string) []nitftest.Band {
		return []nitftest.Band{{Subcategory: first}, {Subcategory: second}}
	}
	for name, test := range map[string]struct {
		valueType string
		bits      int
		bands     []nitftest.Band
		category  string
		value     func(x, y, band int) float64
		dataType  raster.DataType
	}{
		"I and Q of 16 bits": {"SI", 16, pair("I", "Q"), "SAR", part, raster.ComplexInt16},
		"I and Q of 32 bits": {"SI", 32, pair("I", "Q"), "SAR", part, raster.ComplexInt32},
		"I and Q of floats":  {"R", 32, pair("I", "Q"), "SAR", part, raster.Complex64},
		"I and Q of doubles": {"R", 64, pair("I", "Q"), "SAR", part, raster.Complex128},
		"SARIQ":              {"SI", 8, pair("", ""), "SARIQ", part, raster.ComplexInt16},
		"M and P of bytes":   {"INT", 8, pair("M", "P"), "SAR", angle, raster.Complex64},
	} {
		for _, mode := range modes {
			value := test.value
			if test.bits == 8 && test.valueType == "SI" {
				value = func(x, y, band int) float64 { return test.value(x%10, y%10, 0) }
			}
			t.Run(name+" "+mode, func(t *testing.T) {
				image := nitftest.Image{
					Width: 37, Height: 21, BlockWidth: 16, BlockHeight: 8, Mode: mode, Representation: "NODISPLY", Category: test.category,
					ValueType: test.valueType, Bits: test.bits, Bands: test.bands, Value: value,
				}
				m := openImage(t, image)
				if info := m.Info(); info.Type != test.dataType || len(info.Bands) != 1 {
					t.Fatalf("%d bands of %v, want one of %v", len(info.Bands), info.Type, test.dataType)
				}
				tolerance := 0.
				if test.dataType == raster.Complex64 {
					tolerance = 1e-4
				}
				rastertest.Suite{
					Open: func(t *testing.T) raster.Provider { return openImage(t, image) },
					Want: func(_, _, x, y int) (float64, bool) {
						if test.bands[0].Subcategory == "M" {
							return value(x, y, 0), true
						}
						return math.Hypot(value(x, y, 0), value(x, y, 1)), true
					},
					Tolerance: max(tolerance, 1e-9),
				}.Run(t)
			})
		}
	}
}

// The amplitudes of SICD are looked up in its table.
func TestAmplitudesOfSICD(t *testing.T) {
	document := []byte(`<SICD xmlns="urn:SICD:1.0.0"><AmpTable><Amplitude index="7">123.5</Amplitude></AmpTable></SICD>`)
	f := open(t, nitftest.File{
		Images: []nitftest.Image{{
			Representation: "NODISPLY", Category: "SAR", Bands: []nitftest.Band{{Subcategory: "M"}, {Subcategory: "P"}}, Value: func(int, int, int) float64 { return 7 },
		}},
		Extensions: []nitftest.Extension{{ID: "XML_DATA_CONTENT", Data: document}},
	}.Bytes())
	tiles, err := f.Images()[0].Blocks(t.Context(), 0, []raster.BlockID{{}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if v, _ := tiles[0].At(0, 1, 1); math.Abs(v-123.5) > 1e-4 {
		t.Errorf("a magnitude of %v, want 123.5", v)
	}
	facts, err := container.Describe(t.Context(), f, 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	lines := facts.Section.Lines()
	if text := lines[len(lines)-1].Text; !strings.Contains(text, "SICD urn:SICD:1.0.0") {
		t.Errorf("told as %q", text)
	}
}

// Complex samples are read as they are.
func TestComplexSamples(t *testing.T) {
	m := openImage(t, nitftest.Image{ValueType: "C", Bits: 64, Value: func(x, _, _ int) float64 { return float64(3 * x) }, Imaginary: func(x, _, _ int) float64 { return float64(4 * x) }})
	tiles, err := m.Blocks(t.Context(), 0, []raster.BlockID{{}}, nil)
	if err != nil || m.Info().Type != raster.Complex64 {
		t.Fatal(m.Info().Type, err)
	}
	if v, _ := tiles[0].At(0, 5, 2); v != 25 {
		t.Errorf("a magnitude of %v, want 25", v)
	}
}

// The meaning of bands is what the subheader says of each, then of all.
func TestMeaningOfBands(t *testing.T) {
	bands := func(names ...string) []nitftest.Band {
		all := make([]nitftest.Band, len(names))
		for i, name := range names {
			all[i].Representation = name
		}
		return all
	}
	for name, test := range map[string]struct {
		representation string
		bands          []nitftest.Band
		want           []raster.Color
	}{
		"mono":                       {"MONO", bands("M"), []raster.Color{raster.Gray}},
		"blank":                      {"MONO", bands(""), []raster.Color{raster.Gray}},
		"colors":                     {"RGB", bands("R", "G", "B"), []raster.Color{raster.Red, raster.Green, raster.Blue}},
		"blank colors":               {"RGB", bands("", "", ""), []raster.Color{raster.Red, raster.Green, raster.Blue}},
		"colors among many":          {"MULTI", bands("B", "", "G", "R"), []raster.Color{raster.Blue, raster.Undefined, raster.Green, raster.Red}},
		"not for display":            {"NODISPLY", bands("", "", ""), []raster.Color{raster.Undefined, raster.Undefined, raster.Undefined}},
		"named, but not for display": {"NODISPLY", bands("R", "G", "B"), []raster.Color{raster.Undefined, raster.Undefined, raster.Undefined}},
		"two":                        {"MULTI", bands("M", "M"), []raster.Color{raster.Undefined, raster.Undefined}},
	} {
		m := openImage(t, nitftest.Image{Representation: test.representation, Bands: test.bands})
		for i, b := range m.Info().Bands {
			if b.Color != test.want[i] {
				t.Errorf("%s: band %d is %v, want %v", name, i+1, b.Color, test.want[i])
			}
		}
	}
}

// Bands that are not for display are no picture together: the first is shown in gray, whatever they are
// called.
func TestNoDisplayIsGray(t *testing.T) {
	for _, names := range [][]string{{"", "", ""}, {"R", "G", "B"}} {
		bands := make([]nitftest.Band, len(names))
		for i, name := range names {
			bands[i].Representation = name
		}
		for representation, want := range map[string][]int{"NODISPLY": {0}, "MULTI": {0, 1, 2}} {
			m := openImage(t, nitftest.Image{Representation: representation, Bands: bands})
			r, err := display.Spec{}.Resolve(m.Info())
			if err != nil || !slices.Equal(r.Bands(), want) {
				t.Errorf("%s of %q: bands %v (%v), want %v", representation, names, r.Bands(), err, want)
			}
		}
	}
}

// The band that is looked up has the palette, whichever it is.
func TestPaletteOfOneBandOfMany(t *testing.T) {
	f, err := openReal(t, filepath.Join(testdataFolder(t), "nitf", "imaging-nitf", "LUinBand2.ntf"))
	if err != nil {
		t.Fatal(err)
	}
	info := f.Images()[0].Info()
	if info.Bands[0].Color != raster.Undefined || info.Bands[1].Color != raster.PaletteIndex || len(info.Palette) != 2 {
		t.Errorf("%+v, palette %v", info.Bands, info.Palette)
	}
	if r, err := (display.Spec{}).Resolve(info); err != nil || !slices.Equal(r.Bands(), []int{1}) {
		t.Errorf("bands %v, %v", r.Bands(), err)
	}
}

// Tables of red, green and blue are curves, which their samples are looked up in.
func TestCurves(t *testing.T) {
	const entries = 251
	bands := make([]nitftest.Band, 3)
	curve := func(v float64, band int) byte { return byte(int(v)*(37+2*band) + band) }
	for i := range bands {
		table := make([]byte, entries)
		for v := range table {
			table[v] = curve(float64(v), i)
		}
		bands[i] = nitftest.Band{Representation: "RGB"[i : i+1], LUTs: [][]byte{table}}
	}
	for _, bits := range []int{8, 12} {
		image := nitftest.Image{Width: 37, Height: 21, BlockWidth: 16, BlockHeight: 8, Representation: "RGB", Bits: bits, Bands: bands, Value: noise, Compression: "NM",
			Missing: func(column, row, _ int) bool { return column == 1 && row == 1 }}
		rastertest.Suite{
			Open: func(t *testing.T) raster.Provider {
				m := openImage(t, image)
				if m.Info().Type != raster.Uint8 || !strings.HasSuffix(m.Key(), ":curves") {
					t.Errorf("%v, key %q", m.Info().Type, m.Key())
				}
				return m
			},
			Want: func(_, band, x, y int) (float64, bool) {
				isStored := x/16 != 1 || y/8 != 1
				return float64(curve(noise(x, y, band), band)), isStored
			},
		}.Run(t)
	}
	straight := make([]byte, 256)
	for i := range straight {
		straight[i] = byte(i)
	}
	for i := range bands {
		bands[i].LUTs = [][]byte{straight}
	}
	if m := openImage(t, nitftest.Image{Representation: "RGB", Bands: bands}); strings.HasSuffix(m.Key(), ":curves") {
		t.Error("straight curves are applied")
	}
}

// The mark of a fax is black, while bits that are not compressed are gray.
func TestFaxIsInverted(t *testing.T) {
	for compression, want := range map[string]bool{"C1": true, "NC": false} {
		m := openImage(t, nitftest.Image{Compression: compression, Rate: "1D", Bits: 1, ValueType: "B", Data: make([]byte, 5)})
		if m.Info().Inverted != want {
			t.Errorf("%s: inverted %t", compression, !want)
		}
	}
}

// Wavelengths are those of BANDSB, or else the numbers of the bands.
func TestWavelengths(t *testing.T) {
	for name, m := range map[string]nitftest.Image{
		"subheader":   {Representation: "MULTI", Category: "MS", Bands: []nitftest.Band{{Subcategory: "480"}, {Subcategory: "655"}}},
		"micrometers": {Representation: "MULTI", Category: "MS", Bands: []nitftest.Band{{Subcategory: "0.48"}, {Subcategory: ".655"}}},
		"extension": {Representation: "MULTI", Bands: []nitftest.Band{{Subcategory: "1"}, {Subcategory: "2"}}, TREs: []nitftest.TRE{
			nitftest.SpectralBands{Count: 2, Names: []string{"blue", "red"}, Wavelengths: []float64{0.48, 0.655}}.TRE(),
		}},
	} {
		bands := openImage(t, m).Info().Bands
		for i, want := range []float64{480, 655} {
			if math.Abs(bands[i].Wavelength-want) > 0.01 {
				t.Errorf("%s: band %d (%s) has %v nm, want %v", name, i+1, bands[i].Name, bands[i].Wavelength, want)
			}
		}
	}
}

// A number that is no wavelength names the band as it is.
func TestNumbersOfBands(t *testing.T) {
	bands := openImage(t, nitftest.Image{Representation: "MULTI", Bands: []nitftest.Band{{Subcategory: "1"}, {Subcategory: "0.48"}, {Subcategory: "655"}}}).Info().Bands
	for i, want := range []string{"1", "0.48 µm", "655 nm"} {
		if bands[i].Name != want {
			t.Errorf("band %d is %q, want %q", i+1, bands[i].Name, want)
		}
	}
}

// The corners of CSCRNA come before those of the subheader, unless they are those of a larger image.
func TestPreciseCorners(t *testing.T) {
	corners := nitftest.TRE{Tag: "CSCRNA", Data: []byte("Y" + "+51.50001-000.50002+00100.0" + "+51.50001+000.50004+00100.0" + "+50.50005+000.50004+00100.0" + "+50.50005-000.50002+00100.0")}
	for name, test := range map[string]struct {
		tres  []nitftest.TRE
		north float64
		how   string
	}{
		"CSCRNA":                   {[]nitftest.TRE{corners}, 51.50001, "by the corners in CSCRNA"},
		"CSCRNA of a full image":   {[]nitftest.TRE{corners, nitftest.Chip{}.TRE()}, 51.5, ""},
		"CSCRNA that is too short": {[]nitftest.TRE{{Tag: "CSCRNA", Data: corners.Data[:90]}}, 51.5, ""},
	} {
		f := open(t, nitftest.File{Images: []nitftest.Image{{
			Width: 101, Height: 101, TREs: test.tres, Coordinates: "D", Corners: [4][2]float64{{51.5, -0.5}, {51.5, 0.5}, {50.5, 0.5}, {50.5, -0.5}},
		}}}.Bytes())
		facts, err := container.Describe(t.Context(), f, 1, nil)
		if err != nil {
			t.Fatal(err)
		}
		g := f.Images()[0].Georeference()
		if north := g.Affine.F + g.Affine.E/2; !g.HasAffine || math.Abs(north-test.north) > 1e-9 || facts.Placement != test.how {
			t.Errorf("%s: the first row is at latitude %v, want %v; placed %q, want %q", name, north, test.north, facts.Placement, test.how)
		}
	}
}

// The model of an image that was cut out of another one is that of the full image, and the image lies
// where its part of that does.
func TestCameraModels(t *testing.T) {
	model := nitftest.RPC{
		LineOffset: 5000, SampleOffset: 6000, LatitudeOffset: 50, LongitudeOffset: 15, HeightOffset: 300,
		LineScale: 5000, SampleScale: 6000, LatitudeScale: 0.5, LongitudeScale: 0.6, HeightScale: 500,
		LineNumerator: [20]float64{0, 0, -1}, LineDenominator: [20]float64{1}, SampleNumerator: [20]float64{0, 1}, SampleDenominator: [20]float64{1},
	}
	output := [4][2]float64{{0.5, 0.5}, {0.5, 100.5}, {50.5, 0.5}, {50.5, 100.5}}
	straight := nitftest.Chip{Output: output, Full: [4][2]float64{{1000.5, 2000.5}, {1000.5, 2200.5}, {1100.5, 2000.5}, {1100.5, 2200.5}}}
	turned := nitftest.Chip{Output: output, Full: [4][2]float64{{1000.5, 2200.5}, {1200.5, 2200.5}, {1000.5, 2100.5}, {1200.5, 2100.5}}}
	bent := nitftest.Chip{Output: output, Full: [4][2]float64{{1000.5, 2000.5}, {1000.5, 2200.5}, {1100.5, 2000.5}, {1100.5, 2300.5}}}
	line := nitftest.Chip{Output: output, Full: [4][2]float64{{1000.5, 2000.5}, {1000.5, 2200.5}, {1000.5, 2200.5}, {1000.5, 2400.5}}}
	for _, test := range []struct {
		name    string
		tres    []nitftest.TRE
		at      geo.Point // a pixel of the image
		full    geo.Point // the same in the full image
		problem string
	}{
		{"a whole image", []nitftest.TRE{model.TRE()}, geo.Point{X: 10, Y: 20}, geo.Point{X: 10, Y: 20}, ""},
		{"a part", []nitftest.TRE{model.TRE(), straight.TRE()}, geo.Point{X: 10, Y: 20}, geo.Point{X: 2019.5, Y: 1039.5}, ""},
		{"a turned part", []nitftest.TRE{model.TRE(), turned.TRE()}, geo.Point{X: 10, Y: 20}, geo.Point{X: 2161.5, Y: 1019.5}, ""},
		{"a part that is bent", []nitftest.TRE{model.TRE(), bent.TRE()}, geo.Point{}, geo.Point{}, "ICHIPB: the corners in the full image are no parallelogram"},
		{"a part without an area", []nitftest.TRE{model.TRE(), line.TRE()}, geo.Point{}, geo.Point{}, "ICHIPB: pixels without a size"},
		{"a part that is not told", []nitftest.TRE{model.TRE(), nitftest.Chip{NotLinear: true}.TRE()}, geo.Point{}, geo.Point{}, "ICHIPB: where the image lies in the full one is not told"},
	} {
		m := open(t, nitftest.File{Images: []nitftest.Image{{TREs: test.tres}}}.Bytes()).Images()[0]
		if test.problem != "" {
			if _, err := m.RPC(t.Context()); err == nil || !strings.HasPrefix(err.Error(), test.problem) {
				t.Errorf("%s: %v", test.name, err)
			}
			continue
		}
		location, err := container.Locate(t.Context(), m, container.Placing{RequiresRPC: true})
		if err != nil || location.RPC == nil || location.RPC.LineOffset != 5000 {
			t.Errorf("%s: %+v, %v", test.name, location, err)
			continue
		}
		// The sensor looks straight down.
		want := geo.Point{X: 15 + (test.full.X-6000.5)/6000*0.6, Y: 50 - (test.full.Y-5000.5)/5000*0.5}
		if got := location.Placement.Place(test.at); math.Hypot(got.X-want.X, got.Y-want.Y) > 1e-9 {
			t.Errorf("%s: the pixel is at %v, want %v", test.name, got, want)
		}
	}
}
