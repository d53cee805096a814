package dataset

import (
	"math"
	"strings"
	"testing"

	"tileserver/decode/tiff/tifftest"
	"tileserver/geo"
	"tileserver/geo/sensor"
	"tileserver/source"
)

// heightsOf reads the heights of a file in an area.
func heightsOf(t *testing.T, m tifftest.Image, area geo.Bounds) (*sensor.Terrain, error) {
	t.Helper()
	content, err := tifftest.File{Images: []tifftest.Image{m}}.Encode()
	if err != nil {
		t.Fatal(err)
	}
	o := NewOpener(Config{Workers: 1, InFlight: 64 << 20})
	f, err := o.OpenSource(t.Context(), source.NewBytes("heights.tif", content), Options{ID: "heights"})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	grid, err := o.readHeights(t.Context(), f.Images()[0], area)
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
