package dataset

import (
	"bytes"
	"errors"
	"math"
	"strings"
	"testing"

	"tileserver/decode"
	"tileserver/decode/tiff/tifftest"
	"tileserver/geo"
	"tileserver/geo/sensor"
	"tileserver/source"
)

// heightsOf reads the heights of a file in an area.
func heightsOf(t *testing.T, m tifftest.Image, area geo.Bounds) (*sensor.Terrain, error) {
	t.Helper()
	return heightsIn(t, encoded(t, m), Terrain{}, area)
}

func encoded(t *testing.T, m tifftest.Image) []byte {
	t.Helper()
	content, err := tifftest.File{Images: []tifftest.Image{m}}.Encode()
	if err != nil {
		t.Fatal(err)
	}
	return content
}

// heightsIn reads the heights of a TIFF in an area, as settings say.
func heightsIn(t *testing.T, content []byte, settings Terrain, area geo.Bounds) (*sensor.Terrain, error) {
	t.Helper()
	o := NewOpener(Config{Workers: 1, InFlight: 64 << 20})
	f, err := o.OpenSource(t.Context(), source.NewBytes("heights.tif", content), Options{ID: "heights"})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	grid, err := o.readHeights(t.Context(), f.Images()[0], settings, area)
	if err != nil {
		return nil, err
	}
	return sensor.NewTerrain(grid), nil
}

func TestHeightsUnderAnArea(t *testing.T) {
	const noDataTag = 42113
	degrees := tifftest.GeoTIFF(tifftest.Georeference{EPSG: 4326, Geographic: true, OriginX: 10, OriginY: 50, PixelX: 0.01, PixelY: 0.02})
	meters := tifftest.GeoTIFF(tifftest.Georeference{EPSG: 32632, OriginX: 500000, OriginY: 5540000, PixelX: 1000, PixelY: 2000})
	ramp := func(x, y, _ int) float64 {
		if x >= 6 && x <= 8 && y >= 4 && y <= 6 {
			return 999
		}
		return float64(10*x + y)
	}
	image := func(tags []tifftest.Tag) tifftest.Image {
		return tifftest.Image{Width: 40, Height: 30, Bits: 16, Tiled: true, BlockWidth: 16, BlockHeight: 16, Value: ramp,
			Tags: append([]tifftest.Tag{{ID: noDataTag, Value: "999"}}, tags...)}
	}
	terrain, err := heightsOf(t, image(degrees), geo.Bounds{MinX: 10.05, MinY: 49.8, MaxX: 10.2, MaxY: 49.95})
	if err != nil {
		t.Fatal(err)
	}
	if terrain.Columns >= 30 || terrain.Rows >= 20 {
		t.Errorf("%d x %d heights are read", terrain.Columns, terrain.Rows)
	}
	for _, test := range []struct{ x, y, want float64 }{
		{10.125, 49.85, 10*12 + 7}, {10.13, 49.85, 10*12 + 5 + 7}, {10.125, 49.84, 10*12 + 7.5},
		{10.075, 49.89, math.NaN()}, {10.5, 49.9, math.NaN()},
	} {
		got, ok := terrain.HeightAt(terrain.ToGrid(geo.Point{X: test.x, Y: test.y}))
		if isKnown := !math.IsNaN(test.want); ok != isKnown || ok && math.Abs(got-test.want) > 1e-6 {
			t.Errorf("the height at %v, %v is %v, %v, want %v", test.x, test.y, got, ok, test.want)
		}
	}
	// Places across a turn of the globe are the same.
	if got, ok := terrain.HeightAt(terrain.ToGrid(geo.Point{X: 370.125, Y: 49.85})); !ok || math.Abs(got-127) > 1e-6 {
		t.Errorf("the height after a turn of the globe is %v, %v", got, ok)
	}
	projected, err := heightsOf(t, image(meters), geo.Bounds{MinX: 9.05, MinY: 49.8, MaxX: 9.2, MaxY: 49.95})
	if err != nil {
		t.Fatal(err)
	}
	crs, err := geo.ByCode(32632)
	if err != nil {
		t.Fatal(err)
	}
	at := crs.ToLonLat(geo.Point{X: 512500, Y: 5540000 - 9000})
	if got, ok := projected.HeightAt(projected.ToGrid(at)); !ok || math.Abs(got-124) > 1e-4 {
		t.Errorf("the height at %v is %v, %v", at, got, ok)
	}
}

func TestHeightsThatCannotBeUsed(t *testing.T) {
	degrees := tifftest.GeoTIFF(tifftest.Georeference{EPSG: 4326, Geographic: true, OriginX: 10, OriginY: 50, PixelX: 0.0001, PixelY: 0.0001})
	level := func(_, _, _ int) float64 { return 1 }
	for name, test := range map[string]struct {
		image tifftest.Image
		area  geo.Bounds
		want  string
	}{
		"beside the image": {tifftest.Image{Width: 8, Height: 9, Value: level, Tags: degrees}, geo.Bounds{MinX: 40, MinY: 40, MaxX: 41, MaxY: 41}, "it has none under the image"},
		"without a place":  {tifftest.Image{Width: 8, Height: 9, Value: level}, geo.Bounds{MinX: 10, MinY: 49, MaxX: 11, MaxY: 50}, "no georeference found"},
		"too many": {tifftest.Image{Width: 2500, Height: 2400, Value: level, Tags: degrees}, geo.Bounds{MinX: 9, MinY: 49, MaxX: 11, MaxY: 51},
			"2500 x 2400 heights are under the image, more than 4194304; overviews of the file would be used instead"},
	} {
		if _, err := heightsOf(t, test.image, test.area); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// someHeights is a file of heights around longitude 10, latitude 50, and an area in it.
func someHeights(value func(x, y, _ int) float64) (tifftest.Image, geo.Bounds) {
	return tifftest.Image{
		Width: 40, Height: 30, Bits: 32, Format: tifftest.Float, Tiled: true, BlockWidth: 16, BlockHeight: 16, Value: value,
		Tags: tifftest.GeoTIFF(tifftest.Georeference{EPSG: 4326, Geographic: true, OriginX: 10, OriginY: 50, PixelX: 0.01, PixelY: 0.01}),
	}, geo.Bounds{MinX: 10.1, MinY: 49.8, MaxX: 10.3, MaxY: 49.9}
}

// Samples that are no heights are as if there were none.
func TestSamplesThatAreNoHeights(t *testing.T) {
	at := geo.Point{X: 10.205, Y: 49.85}
	for _, test := range []struct {
		name     string
		value    float64
		settings Terrain
		isKnown  bool
	}{
		{"a height", 1234, Terrain{}, true},
		{"a height, and a setting about another", 1234, Terrain{NoData: 4321, HasNoData: true}, true},
		{"nodata by a setting", 1234.1, Terrain{NoData: 1234.1, HasNoData: true}, false},
		{"as high as no mountain", 32767, Terrain{}, false},
		{"nodata that the file does not tell", -math.MaxFloat32, Terrain{}, false},
		{"not a number", math.NaN(), Terrain{}, false},
	} {
		m, area := someHeights(func(_, _, _ int) float64 { return test.value })
		terrain, err := heightsIn(t, encoded(t, m), test.settings, area)
		if err != nil {
			t.Fatal(err)
		}
		if height, ok := terrain.HeightAt(terrain.ToGrid(at)); ok != test.isKnown || ok && math.Abs(height-test.value) > 1e-3 {
			t.Errorf("%s: %v, %v", test.name, height, ok)
		}
	}
}

// An image must not lie on what is left of damaged heights.
func TestDamagedHeightsAreAnError(t *testing.T) {
	m, area := someHeights(func(x, y, _ int) float64 { return float64(x + y) })
	m.Compression = tifftest.Deflate
	content := encoded(t, m)
	broken := bytes.ReplaceAll(content, []byte{0x78, 0x9c}, []byte{0, 0}) // how zlib begins
	if _, err := heightsIn(t, broken, Terrain{}, area); !errors.Is(err, decode.ErrCorrupt) {
		t.Errorf("got %v", err)
	}
}

// The key of heights says what they are and where.
func TestKeysOfHeights(t *testing.T) {
	plain, area := someHeights(func(x, y, _ int) float64 { return float64(x + y) })
	key := func(change func(*tifftest.Image), settings Terrain) string {
		m := plain
		change(&m)
		terrain, err := heightsIn(t, encoded(t, m), settings, area)
		if err != nil {
			t.Fatal(err)
		}
		return terrain.Key
	}
	keep := func(*tifftest.Image) {}
	first := key(keep, Terrain{})
	if again := key(func(m *tifftest.Image) { m.Compression = tifftest.Deflate }, Terrain{}); again != first {
		t.Errorf("the same heights in another file have the keys %s and %s", first, again)
	}
	for name, other := range map[string]string{
		"another height": key(func(m *tifftest.Image) {
			m.Value = func(x, y, _ int) float64 { return float64(x+y) + float64(x/20*(y/15)) }
		}, Terrain{}),
		"nodata": key(keep, Terrain{NoData: 35, HasNoData: true}),
		"another place": key(func(m *tifftest.Image) {
			m.Tags = tifftest.GeoTIFF(tifftest.Georeference{EPSG: 4326, Geographic: true, OriginX: 10.001, OriginY: 50, PixelX: 0.01, PixelY: 0.01})
		}, Terrain{}),
	} {
		if other == first {
			t.Errorf("%s has the same key", name)
		}
	}
}
