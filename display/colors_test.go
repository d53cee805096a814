package display

import (
	"encoding/binary"
	"math"
	"slices"
	"testing"

	"tileserver/display/colormap"
	"tileserver/display/formula"
	"tileserver/display/picture"
	"tileserver/display/statistics"
	"tileserver/raster"
)

func mapOf(t *testing.T, text, kind string) *colormap.Map {
	t.Helper()
	m, err := colormap.ParseJSON([]byte(text), kind)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// Samples of every type get the color that the map assigns to them.
func TestColorsOfSamples(t *testing.T) {
	maps := map[string]*colormap.Map{
		"categories": mapOf(t, `{"1":"#ff0000","2":"#00ff0080","100":"#0000ff"}`, ""),
		"intervals":  mapOf(t, `[[[0,2],"#010203"],[[2,50],"#0a0b0c"],[[90,101],"#ffffff"]]`, ""),
		"stops":      mapOf(t, `[[0,"#000000"],[100,"#ff8000"]]`, ""),
	}
	samples := []float64{0, 1, 2, 3, 49, 50, 99, 100, 127}
	for name, m := range maps {
		for _, dataType := range allTypes {
			b := tileOf(dataType, samples)
			coverage := []uint8{255, 255, 255, 0, 128, 255, 255, 255, 255}
			b.SetValidity(slices.Clone(coverage))
			p := mustRender(t, chainOf(t, Spec{Colors: m}, infoOf(dataType, 1)), b.Freeze())
			pixels := make([]uint8, 4*p.Width)
			picture.Expand(pixels, p)
			for i, v := range samples {
				want := raster.RGBA(m.At(v))
				want.A = uint8(picture.Divide255(uint32(want.A) * uint32(coverage[i])))
				if want.A == 0 {
					want = raster.RGBA{}
				}
				got := raster.RGBA{R: pixels[4*i], G: pixels[4*i+1], B: pixels[4*i+2], A: pixels[4*i+3]}
				if got != want {
					t.Errorf("%s of %v: %v is %v, want %v", name, dataType, v, got, want)
				}
			}
		}
	}
}

func TestUnnamedRampEqualsNamedRamp(t *testing.T) {
	colors, _ := colormap.Named("magma")
	tile := tileOf(raster.Uint16, []float64{0, 500, 1000}).Freeze()
	spec := Spec{Rescale: []Range{{0, 1000}}}
	spec.ColorMap = "magma"
	want := pictureOf(t, chainOf(t, spec, infoOf(raster.Uint16, 1)), tile)
	spec.ColorMap, spec.Colors = "", colormap.NewRamp(colors)
	if got := pictureOf(t, chainOf(t, spec, infoOf(raster.Uint16, 1)), tile); got != want {
		t.Errorf("got %v, want %v", []byte(got), []byte(want))
	}
}

// A curve changes brightness between black and white, with tables and with computed grays.
func TestFormulaChangesBrightness(t *testing.T) {
	bends, err := formula.Parse("gamma RGB 2")
	if err != nil {
		t.Fatal(err)
	}
	samples := []float64{0, 10, 35, 60, 110, 120}
	for _, dataType := range allTypes {
		c := chainOf(t, Spec{Rescale: []Range{{10, 110}}, Formula: bends}, infoOf(dataType, 1))
		p := mustRender(t, c, tileOf(dataType, samples).Freeze())
		for i, v := range samples {
			part := min(max((v-10)/100, 0), 1)
			want := 255 * math.Sqrt(part)
			if math.Abs(float64(p.Pix[i])-want) > 1 {
				t.Errorf("%v: %v is %d, want about %.1f", dataType, v, p.Pix[i], want)
			}
		}
	}
	saturates, err := formula.Parse("saturation 0")
	if err != nil {
		t.Fatal(err)
	}
	p := mustRender(t, chainOf(t, Spec{Formula: saturates}, infoOf(raster.Uint8, 3)), tileOf(raster.Uint8, []float64{200}, []float64{30}, []float64{90}).Freeze())
	if spread := int(slices.Max(p.Pix)) - int(slices.Min(p.Pix)); p.Format != picture.RGB || spread > 2 {
		t.Errorf("without saturation, a pixel is %v", p.Pix)
	}
}

func TestDeepPictures(t *testing.T) {
	tests := []struct {
		name  string
		spec  Spec
		bands int
		t     raster.DataType
		in    []float64
		want  []uint16
	}{
		{"as stored", Spec{Deep: true, Stretch: Stretch{Kind: NoStretch}}, 1, raster.Uint16, []float64{0, 1, 777, 65535}, []uint16{0, 1, 777, 65535}},
		{"stretched", Spec{Deep: true, Rescale: []Range{{0, 10}}}, 1, raster.Float32, []float64{-1, 0, 5, 10}, []uint16{0, 0, 32768, 65535}},
		{"of eight bits", Spec{Deep: true}, 1, raster.Uint8, []float64{0, 1, 128, 255}, []uint16{0, 257, 128 * 257, 65535}},
		{"colors", Spec{Deep: true, Rescale: []Range{{0, 65535}}}, 3, raster.Uint16, []float64{0, 9, 300, 65535}, nil},
	}
	for _, test := range tests {
		bands := make([][]float64, test.bands)
		for i := range bands {
			bands[i] = test.in
		}
		b := tileOf(test.t, bands...)
		p := mustRender(t, chainOf(t, test.spec, infoOf(test.t, test.bands)), b.Freeze())
		if p.Format != map[int]picture.PixelFormat{1: picture.Gray16, 3: picture.RGB16}[test.bands] {
			t.Errorf("%s: the format is %d", test.name, p.Format)
		}
		for i := range test.in {
			want := uint16(test.in[i])
			if test.want != nil {
				want = test.want[i]
			}
			for band := range test.bands {
				if got := binary.BigEndian.Uint16(p.Pix[2*(i*test.bands+band):]); got != want {
					t.Errorf("%s: sample %v is %d, want %d", test.name, test.in[i], got, want)
				}
			}
		}
	}
	covered := tileOf(raster.Uint16, []float64{9, 9})
	covered.SetValidity([]uint8{0, 128})
	p := mustRender(t, chainOf(t, Spec{Deep: true, Stretch: Stretch{Kind: NoStretch}}, infoOf(raster.Uint16, 1)), covered.Freeze())
	if want := []uint8{0, 0, 0, 0, 0, 9, 128, 128}; p.Format != picture.GrayAlpha16 || !slices.Equal(p.Pix, want) {
		t.Errorf("with coverage: got %v of format %d, want %v", p.Pix, p.Format, want)
	}
}

// A stretch per tile needs no statistics of the dataset.
func TestPerTileStretch(t *testing.T) {
	c := chainOf(t, Spec{Stretch: Stretch{Kind: PerTile}}, infoOf(raster.Int16, 1))
	for _, offset := range []float64{0, 1000} {
		b := tileOf(raster.Int16, []float64{offset - 5, offset, offset + 5, -9999})
		b.SetValidity([]uint8{255, 255, 255, 0})
		p := mustRender(t, c, b.Freeze())
		if want := []uint8{0, 255, 128, 255, 255, 255, 0, 0}; !slices.Equal(p.Pix, want) {
			t.Errorf("around %v: got %v, want %v", offset, p.Pix, want)
		}
	}
	if !c.resolved.IsPerTile() || c.resolved.NeedsStatistics() {
		t.Error("it is not per tile, or needs statistics")
	}
}

func TestLegends(t *testing.T) {
	palette := dataset(raster.Uint8, "p")
	palette.Bands[0].Categories = []string{"water", "", "unused"}
	named := dataset(raster.Uint8, "rgb")
	named.Bands[1].Name = "green light"
	heights := dataset(raster.Int16, "-")
	heights.Bands[0].Unit = "m"
	known := &statistics.Dataset{Bands: []statistics.Band{{Band: 0, Count: 9, Total: 9, Min: -5, Max: 95}}}
	tests := []struct {
		name      string
		info      *raster.Info
		spec      Spec
		entries   int
		first     string
		low, high float64
		unit      string
	}{
		{"gray by statistics", heights, Spec{Stretch: Stretch{Kind: MinMax}}, 256, "#000000ff", -5, 95, "m"},
		{"a color map", heights, Spec{Rescale: []Range{{0, 9}}, ColorMap: "viridis"}, 256, "#440154ff", 0, 9, "m"},
		{"a palette with names", palette, Spec{}, 1, "#010000ff", 0, 0, ""},
		{"colors", named, Spec{}, 3, "#ff0000ff", 0, 0, ""},
		{"own colors", heights, Spec{Colors: mapOf(t, `{"1":"#123456"}`, "")}, 1, "#123456ff", 0, 0, "m"},
	}
	for _, test := range tests {
		r, err := test.spec.Resolve(test.info)
		if err != nil {
			t.Fatal(err)
		}
		c, err := Compile(r, known)
		if err != nil {
			t.Fatal(err)
		}
		l, ok := c.Legend()
		if !ok {
			t.Fatalf("%s: there is none", test.name)
		}
		entries := l.Entries()
		if len(entries) != test.entries || entries[0].Color != test.first || l.Low != test.low || l.High != test.high || l.Unit != test.unit {
			t.Errorf("%s: %d entries from %s, from %v to %v %s", test.name, len(entries), entries[0].Color, l.Low, l.High, l.Unit)
		}
	}
}
