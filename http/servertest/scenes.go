package servertest

import (
	"context"
	"errors"
	"testing"

	"tileserver/display"
	"tileserver/geo"
	"tileserver/layer"
	"tileserver/pyramid/resample"
	"tileserver/raster"
	"tileserver/raster/rastertest"
	"tileserver/style"
)

// Scene is a synthetic layer.
type Scene struct {
	Config   layer.Config
	Provider *rastertest.Synthetic
	CRS      *geo.CRS
	Affine   geo.Affine
	CRSError error // why it has no position
}

// CornerTile is the tile of WebMercatorQuad whose upper left corner is that of the layers "map" and
// "height", at the level with their native resolution.
const CornerTile = "12/2200/1340"

// UTMBox is a box within the layer "utm" in degrees, and UTMBoxInMeters a box around it in its CRS.
const (
	UTMBox         = "15.01,47.80,15.05,47.83"
	UTMBoxInMeters = "500750,5294100,503750,5297450"
)

// errSecret is an error whose text clients must not see.
var errSecret = errors.New("open /secret/scene.tif: input/output error")

// Scenes returns the layers map (3 bands in Web Mercator), height (floats with nodata), utm (in
// UTM), plain (without a position), styled (with a style of its own), broken and panicking.
func Scenes(t testing.TB) []Scene {
	t.Helper()
	quad := geo.WebMercatorQuad()
	corner, resolution := quad.Bounds(geo.TileID{Z: 12, X: 2200, Y: 1340}), quad.Matrices[12].Resolution
	onMap := geo.Affine{A: resolution, C: corner.MinX, E: -resolution, F: corner.MaxY}
	utm, err := geo.ByCode(32633)
	if err != nil {
		t.Fatal(err)
	}
	swapped := style.Style{Resampling: resample.Nearest, Spec: display.Spec{
		Bands: []int{2, 1, 0}, Rescale: []display.Range{{Low: 0, High: 100}, {Low: 0, High: 200}, {Low: 50, High: 255}},
	}}
	return []Scene{
		{layer.Config{ID: "map", Title: "A map"}, Colors("map@1", PlainWidth, PlainHeight), quad.CRS, onMap, nil},
		{layer.Config{ID: "height"}, Heights(), quad.CRS, onMap, nil},
		{layer.Config{ID: "utm"}, Colors("utm@1", 700, 300), utm, geo.Affine{A: 10, C: 500000, E: -10, F: 5300000}, nil},
		{layer.Config{ID: "plain"}, Colors("plain@1", PlainWidth, PlainHeight), nil, geo.Affine{}, errors.New("no tie points")},
		{layer.Config{ID: "styled", Style: swapped}, Colors("styled@1", PlainWidth, PlainHeight), quad.CRS, onMap, nil},
		{layer.Config{ID: "broken"}, Failing("broken@1", func() error { return errSecret }), quad.CRS, onMap, nil},
		{layer.Config{ID: "panicking"}, Failing("panicking@1", func() error { panic("a bug in /secret/code.go") }), quad.CRS, onMap, nil},
	}
}

// ScenesNamed returns some of Scenes.
func ScenesNamed(t testing.TB, ids ...string) []Scene {
	t.Helper()
	var found []Scene
	for _, id := range ids {
		for _, s := range Scenes(t) {
			if s.Config.ID == id {
				found = append(found, s)
			}
		}
	}
	if len(found) != len(ids) {
		t.Fatalf("of %v there are %d", ids, len(found))
	}
	return found
}

// Damaged is a layer of 601 x 499 pixels without a position. Its first block, of 128 x 64 pixels,
// is lost, and a code-block of the second.
func Damaged() Scene {
	p := Colors("damaged@1", PlainWidth, PlainHeight)
	gone, part := raster.Rect{X1: 128, Y1: 64}, raster.Rect{X0: 128, X1: 256, Y1: 64}
	p.Lost = func(_ int, r raster.Rect) raster.Damage {
		switch {
		case !r.Intersect(gone).Empty():
			return raster.NewDamage([]raster.Loss{{Kind: "missing tile", Text: "tile 0: nothing of it is stored"}}, true)
		case !r.Intersect(part).Empty():
			return raster.NewDamage([]raster.Loss{{Kind: "code-block", Text: "code-block 7: damaged"}}, false)
		}
		return raster.Damage{}
	}
	return Scene{Config: layer.Config{ID: "damaged"}, Provider: p}
}

// Flat is a layer of one color, possibly translucent, with ten pixels a degree.
func Flat(id string, color raster.RGBA, bounds geo.Bounds) Scene {
	info := rastertest.Flat(raster.Uint8, int(bounds.Width()*10), int(bounds.Height()*10), 4, 64, 64)
	for i, c := range []raster.Color{raster.Red, raster.Green, raster.Blue, raster.Alpha} {
		info.Bands[i].Color = c
	}
	samples := []uint8{color.R, color.G, color.B, color.A}
	provider := &rastertest.Synthetic{Name: id + "@1", Has: info, Sample: func(_, band, _, _ int) (float64, bool) {
		return float64(samples[band]), true
	}}
	affine := geo.Affine{A: 0.1, C: bounds.MinX, E: -0.1, F: bounds.MaxY}
	dim := style.Named{Name: "dim", Title: "Dim", Style: style.Style{Spec: display.Spec{
		Bands: []int{0, 1, 2}, Rescale: []display.Range{{Low: 0, High: 510}},
	}}}
	return Scene{layer.Config{ID: id, Title: "Flat " + id, Attribution: "Nobody", Styles: []style.Named{dim}}, provider, geo.CRS84(), affine, nil}
}

// Solid is a layer of one color without a position. The color is the one that CheckSolid wants.
func Solid(id string, width, height int) Scene {
	provider := Colors(id+"@1", width, height)
	provider.Sample = func(_, band, _, _ int) (float64, bool) { return float64(50 + 60*band), true }
	return Scene{Config: layer.Config{ID: id}, Provider: provider}
}

// Colors provides three bands of bytes.
func Colors(name string, width, height int) *rastertest.Synthetic {
	info := rastertest.Flat(raster.Uint8, width, height, 3, 128, 64)
	for i, color := range []raster.Color{raster.Red, raster.Green, raster.Blue} {
		info.Bands[i].Color = color
	}
	return &rastertest.Synthetic{Name: name, Has: info, Sample: func(_, band, x, y int) (float64, bool) {
		return float64((x + 2*y + 50*band) % 256), true
	}}
}

// Heights provides a band of floats, with nodata on the left.
func Heights() *rastertest.Synthetic {
	info := rastertest.Flat(raster.Float32, 501, 399, 1, 128, 64)
	info.Bands[0] = raster.Band{Name: "height", Color: raster.Gray, NoData: -9999, HasNoData: true}
	return &rastertest.Synthetic{Name: "height@1", Has: info, Sample: func(_, _, x, y int) (float64, bool) {
		return float64(x) + float64(y)/4, x >= 10
	}}
}

// Failing provides blocks whose reads call fail first.
func Failing(name string, fail func() error) *rastertest.Synthetic {
	s := Colors(name, PlainWidth, PlainHeight)
	s.Before = func(context.Context, int, []raster.BlockID, []int) error { return fail() }
	return s
}
