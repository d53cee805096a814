package display

import (
	"strings"
	"testing"

	"tileserver/display/colormap"
	"tileserver/display/picture"
	"tileserver/display/terrain"
	"tileserver/raster"
)

func reliefSpec(change func(*Spec)) Spec {
	parameters := terrain.DefaultParameters(terrain.ModeRelief)
	s := Spec{Relief: &parameters, Rescale: []Range{{0, 600}}}
	if change != nil {
		change(&s)
	}
	return s
}

// roof returns a ridge that rises eastward to the middle and falls behind it. The first and the
// last columns are level. The pixel spacing is 10 m.
func roof(t raster.DataType, rise float64) (raster.Tile, *GroundSpacing) {
	const width, height = 21, 5
	b := raster.NewBuffer(t, width, height, 1)
	ground := new(GroundSpacing)
	for y := range height {
		for x := range width {
			up := float64(min(max(x-3, 0), max(17-x, 0)))
			setSample(b, 0, y*width+x, 100+rise*up)
		}
		ground.StepX, ground.StepY = append(ground.StepX, 10), append(ground.StepY, 10)
	}
	return b.Freeze(), ground
}

func pixelsOf(t *testing.T, c *Chain, tile raster.Tile, ground *GroundSpacing) []uint8 {
	t.Helper()
	p, err := c.Render(tile, ground)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Release()
	pixels := make([]uint8, 4*p.Width*p.Height)
	picture.Expand(pixels, p)
	return pixels
}

// Level ground has the color of the legend. Slopes facing the sun are lighter and slopes facing
// away are darker, with every kind of colors.
func TestReliefLightsColors(t *testing.T) {
	stops := mapOf(t, `[[0,"#204060"],[600,"#c0a080"]]`, "")
	for name, change := range map[string]func(*Spec){
		"hypsometric": nil,
		"a ramp":      func(s *Spec) { s.ColorMap = "viridis" },
		"grays":       func(s *Spec) { s.ColorMap = "gray" },
		"stops":       func(s *Spec) { s.Rescale, s.Colors = nil, stops },
		"a west sun":  func(s *Spec) { s.Relief.Light.Azimuth = 270 },
		"a low sun":   func(s *Spec) { s.Relief.Light.Altitude = 20 },
		"expression":  func(s *Spec) { s.Expression = expressionOf(t, "b1*1") },
	} {
		for _, dataType := range []raster.DataType{raster.Int16, raster.Float32, raster.Uint16, raster.Float64} {
			spec := reliefSpec(change)
			flat := spec
			flat.Relief = nil
			if flat.ColorMap == "" && flat.Colors == nil {
				flat.ColorMap = colormap.Hypsometric
			}
			tile, ground := roof(dataType, 8)
			got := pixelsOf(t, chainOf(t, spec, infoOf(dataType, 1)), tile, ground)
			plain := pixelsOf(t, chainOf(t, flat, infoOf(dataType, 1)), tile, nil)
			brightness := func(pixels []uint8, at int) int { return int(pixels[4*at]) + int(pixels[4*at+1]) + int(pixels[4*at+2]) }
			for x, want := range map[int]int{0: 0, 18: 0, 5: 1, 13: -1} { // in the picture, which has no halo
				lit, unlit := brightness(got, 19+x), brightness(plain, 21+x+1)
				switch {
				case want == 0 && lit != unlit:
					t.Errorf("%s of %v: level ground is %d, and %d without light", name, dataType, lit, unlit)
				case want > 0 && lit <= unlit, want < 0 && lit >= unlit:
					t.Errorf("%s of %v: column %d is %d, and %d without light", name, dataType, x, lit, unlit)
				}
			}
		}
	}
}

// Heights in feet are lit after conversion to meters and colored by the numbers in the file.
func TestReliefOfFeet(t *testing.T) {
	const feet = 0.3048
	info := infoOf(raster.Float32, 1)
	tile, ground := roof(raster.Float32, 8)
	meters := pixelsOf(t, chainOf(t, reliefSpec(func(s *Spec) { s.Relief.Light.Exaggeration = feet }), info), tile, ground)
	info.Bands[0].Unit = "ft"
	if got := pixelsOf(t, chainOf(t, reliefSpec(nil), info), tile, ground); string(got) != string(meters) {
		t.Error("a slope in feet differs from the slope in meters times 0.3048")
	}
}

// Nodata is transparent, and so are transparent colors.
func TestReliefIsTransparentWithoutHeights(t *testing.T) {
	heights, ground := hills(40, 30)
	for _, change := range []func(*Spec){nil, func(s *Spec) { s.ColorMap = "gray" }, func(s *Spec) {
		s.Rescale, s.Colors = nil, mapOf(t, `[[[0,9999],"#ff8000"]]`, "")
	}} {
		pixels := pixelsOf(t, chainOf(t, reliefSpec(change), infoOf(raster.Int16, 1)), heights, ground)
		holes := 0
		for y := range 28 {
			for x := range 38 {
				covered, alpha := heights.Validity(0)[(y+1)*40+x+1], pixels[4*(y*38+x)+3]
				if covered == 0 {
					holes++
				}
				if alpha != covered {
					t.Fatalf("pixel %d,%d has an opacity of %d, want %d", x, y, alpha, covered)
				}
			}
		}
		if holes == 0 {
			t.Fatal("the grid has no holes")
		}
	}
}

// Data of a shaded relief are the heights; its statistics are those of the band.
func TestReliefDoesNotChangeData(t *testing.T) {
	info := infoOf(raster.Int16, 1)
	spec := Spec{Relief: reliefSpec(nil).Relief}
	shaded, err := spec.Resolve(info)
	if err != nil || !shaded.NeedsStatistics() || shaded.IsComputed() || shaded.Halo() != 1 {
		t.Fatalf("it has a halo of %d and is computed: %v, %v", shaded.Halo(), shaded.IsComputed(), err)
	}
	spec.Data = true
	data, err := spec.Resolve(info)
	if err != nil || data.Halo() != 0 {
		t.Fatalf("its data has a halo of %d, %v", data.Halo(), err)
	}
	plain, err := Spec{Data: true}.Resolve(info)
	if err != nil || data.Key() != plain.Key() {
		t.Errorf("its data is %q, want %q", data.Key(), plain.Key())
	}
}

func TestReliefKeys(t *testing.T) {
	info := infoOf(raster.Int16, 1)
	seen := map[string]string{}
	for name, change := range map[string]func(*Spec){
		"usual": nil, "azimuth": func(s *Spec) { s.Relief.Light.Azimuth = 10 }, "gray": func(s *Spec) { s.ColorMap = "gray" },
		"altitude": func(s *Spec) { s.Relief.Light.Altitude = 10 }, "higher": func(s *Spec) { s.Relief.Light.Exaggeration = 3 },
		"range": func(s *Spec) { s.Rescale = nil }, "hillshade": func(s *Spec) { s.Relief.Mode, s.Rescale = terrain.ModeHillshade, nil },
		"colors alone": func(s *Spec) { s.Relief, s.ColorMap = nil, colormap.Hypsometric },
	} {
		r, err := reliefSpec(change).Resolve(info)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if other, ok := seen[r.Key()]; ok {
			t.Errorf("%s has the key of %s: %s", name, other, r.Key())
		}
		seen[r.Key()] = name
	}
	if _, err := reliefSpec(func(s *Spec) { s.Bands = []int{0, 1, 2} }).Resolve(infoOf(raster.Int16, 3)); err == nil || !strings.Contains(err.Error(), "one band") {
		t.Errorf("of three bands: %v", err)
	}
	if _, err := reliefSpec(func(s *Spec) { s.Deep = true }).Resolve(info); err == nil {
		t.Error("it has 16 bits")
	}
}

// The legend of a shaded relief is the legend of its colors.
func TestReliefLegend(t *testing.T) {
	info := infoOf(raster.Int16, 1)
	info.Bands[0].Unit = "m"
	l, ok := chainOf(t, reliefSpec(nil), info).Legend()
	if !ok || l.Unit != "m" || l.Low != 0 || l.High != 600 {
		t.Fatalf("the legend is %+v", l)
	}
	colors, _ := colormap.Named(colormap.Hypsometric)
	if shown, ok := l.Map.Ramp(); !ok || *shown != *colors {
		t.Error("the colors of the legend differ from the map")
	}
}

// On any gray, a line or its casing differs clearly from the background.
func TestContoursAreVisibleOnAnyBackground(t *testing.T) {
	parameters := terrain.DefaultParameters(terrain.ModeContours)
	parameters.Lines.Interval = 50
	tile, ground := roof(raster.Float32, 8)
	pixels := pixelsOf(t, chainOf(t, Spec{Relief: &parameters}, infoOf(raster.Float32, 1)), tile, ground)
	for under := range 256 {
		maxDifference, touched := 0, 0
		for at := 0; at < len(pixels); at += 4 {
			gray, alpha := int(pixels[at]), int(pixels[at+3])
			over := (gray*alpha + under*(255-alpha)) / 255
			maxDifference = max(maxDifference, over-under, under-over)
			if alpha > 0 {
				touched++
			}
		}
		if maxDifference < 70 {
			t.Errorf("over a gray of %d, the lines differ by at most %d", under, maxDifference)
		}
		if touched == 0 || touched == len(pixels)/4 {
			t.Fatalf("%d of %d pixels are covered", touched, len(pixels)/4)
		}
	}
}

func TestContourDataHasNoCasing(t *testing.T) {
	parameters := terrain.DefaultParameters(terrain.ModeContours)
	tile, ground := roof(raster.Float32, 8)
	r, err := Spec{Relief: &parameters, Data: true}.Resolve(infoOf(raster.Float32, 1))
	if err != nil {
		t.Fatal(err)
	}
	if data, err := r.Compute(tile, ground); err != nil || data.Bands() != 1 {
		t.Errorf("it has %d bands, %v", data.Bands(), err)
	}
}
