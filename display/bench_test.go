package display

import (
	"math/rand/v2"
	"slices"
	"testing"

	"tileserver/display/colormap"
	"tileserver/display/formula"
	"tileserver/display/terrain"
	"tileserver/raster"
)

const benchSide = 256

// noise returns a tile of random bits. Floats are from 0 to 1000.
func noise(t raster.DataType, side, bands int) *raster.Buffer {
	random := rand.New(rand.NewPCG(1, 2))
	b := raster.NewBuffer(t, side, side, bands)
	for band := range bands {
		if t == raster.Float32 {
			for i := range raster.Writable[float32](b, band) {
				raster.Writable[float32](b, band)[i] = random.Float32() * 1000
			}
			continue
		}
		plane := b.Plane(band)
		for i := range plane {
			plane[i] = uint8(random.Uint32())
		}
	}
	return b
}

func infoOf(t raster.DataType, bands int) *raster.Info {
	return &raster.Info{
		Type:   t,
		Bands:  make([]raster.Band, bands),
		Levels: []raster.Level{{Width: 1, Height: 1, BlockWidth: 1, BlockHeight: 1, ScaleX: 1, ScaleY: 1}},
	}
}

func chainOf(t testing.TB, s Spec, info *raster.Info) *Chain {
	t.Helper()
	r, err := s.Resolve(info)
	if err != nil {
		t.Fatal(err)
	}
	c, err := Compile(r, nil)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func BenchmarkRender(b *testing.B) {
	rescale := []Range{{0, 1000}}
	hillshade, relief, lines := terrain.DefaultParameters(terrain.ModeHillshade), terrain.DefaultParameters(terrain.ModeRelief), terrain.DefaultParameters(terrain.ModeContours)
	bends, err := formula.Parse("gamma RGB 1.5, sigmoidal RGB 8 0.4")
	if err != nil {
		b.Fatal(err)
	}
	saturates, err := formula.Parse("gamma RGB 1.5, saturation 1.3")
	if err != nil {
		b.Fatal(err)
	}
	intervals, err := colormap.ParseJSON([]byte(`[[[0,100],"#ff0000"],[[100,500],"#00ff00"],[[500,1000],"#0000ff"]]`), "")
	if err != nil {
		b.Fatal(err)
	}
	cases := []struct {
		name  string
		t     raster.DataType
		bands int
		soft  bool
		spec  Spec
	}{
		{"uint8 gray unchanged", raster.Uint8, 1, false, Spec{}},
		{"uint8 RGB unchanged", raster.Uint8, 3, false, Spec{}},
		{"uint8 RGBA unchanged", raster.Uint8, 3, true, Spec{}},
		{"uint8 RGB stretched", raster.Uint8, 3, false, Spec{Rescale: []Range{{20, 200}}}},
		{"uint16 gray stretched", raster.Uint16, 1, false, Spec{Rescale: rescale}},
		{"uint16 RGB stretched", raster.Uint16, 3, false, Spec{Rescale: rescale}},
		{"uint16 RGBA stretched", raster.Uint16, 3, true, Spec{Rescale: rescale}},
		{"float32 gray stretched", raster.Float32, 1, false, Spec{Rescale: rescale}},
		{"float32 RGB stretched", raster.Float32, 3, false, Spec{Rescale: rescale}},
		{"float32 viridis with alpha", raster.Float32, 1, true, Spec{Rescale: rescale, ColorMap: "viridis"}},
		{"float32 intervals", raster.Float32, 1, false, Spec{Colors: intervals}},
		{"uint16 RGB with curve", raster.Uint16, 3, false, Spec{Rescale: rescale, Formula: bends}},
		{"float32 gray with curve", raster.Float32, 1, false, Spec{Rescale: rescale, Formula: bends}},
		{"uint8 RGB saturated", raster.Uint8, 3, false, Spec{Formula: saturates}},
		{"uint16 index of two bands", raster.Uint16, 2, false, Spec{Expression: expressionOf(b, "(b2-b1)/(b2+b1)"), Rescale: []Range{{-1, 1}}, ColorMap: "rdylgn"}},
		{"float32 hillshade", raster.Float32, 1, false, Spec{Relief: &hillshade}},
		{"float32 shaded relief", raster.Float32, 1, false, Spec{Relief: &relief, Rescale: rescale}},
		{"float32 shaded relief with alpha", raster.Float32, 1, true, Spec{Relief: &relief, Rescale: rescale}},
		{"float32 contours", raster.Float32, 1, false, Spec{Relief: &lines}},
		{"uint16 RGB of 16 bits", raster.Uint16, 3, false, Spec{Rescale: rescale, Deep: true}},
		{"int16 stretched per tile", raster.Int16, 1, false, Spec{Stretch: Stretch{Kind: PerTile}}},
	}
	ground := &GroundSpacing{StepX: slices.Repeat([]float64{30}, benchSide), StepY: slices.Repeat([]float64{30}, benchSide)}
	for _, test := range cases {
		b.Run(test.name, func(b *testing.B) {
			buffer := noise(test.t, benchSide, test.bands)
			if test.soft {
				buffer.SetValidity(noise(raster.Uint8, benchSide, 1).Plane(0))
			}
			tile := buffer.Freeze()
			chain := chainOf(b, test.spec, infoOf(test.t, test.bands))
			b.SetBytes(int64(benchSide * benchSide * test.bands * test.t.Size()))
			b.ReportAllocs()
			for b.Loop() {
				p, err := chain.Render(tile, ground)
				if err != nil {
					b.Fatal(err)
				}
				p.Release()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/(benchSide*benchSide), "ns/pixel")
		})
	}
}
