package pyramid_test

import (
	"encoding/json"
	"os"
	"testing"

	"tileserver/geo"
	"tileserver/geo/sensor"
	"tileserver/pyramid"
	"tileserver/pyramid/resample"
	"tileserver/raster"
	"tileserver/raster/blockcache"
	"tileserver/raster/rastertest"
)

// bySensor returns the pyramid of a provider that is placed by the model of a real image.
func bySensor(t testing.TB, provider raster.Provider, name string) *pyramid.Pyramid {
	t.Helper()
	text, err := os.ReadFile("../geo/sensor/testdata/models.json")
	if err != nil {
		t.Fatal(err)
	}
	var models []struct {
		Name string
		RPC  sensor.RPC
	}
	if err := json.Unmarshal(text, &models); err != nil {
		t.Fatal(err)
	}
	for _, m := range models {
		if m.Name != name {
			continue
		}
		// The image is a part around the middle of the full one.
		l := provider.Info().Levels[0]
		chip := sensor.Chip{A: 1, C: m.RPC.SampleOffset - float64(l.Width)/2, E: 1, F: m.RPC.LineOffset - float64(l.Height)/2}
		placement, err := sensor.NewPlacement(m.RPC, chip, m.RPC.HeightOffset+100)
		if err != nil {
			t.Fatal(err)
		}
		return pyramid.NewGeoreferenced(provider, geo.CRS84(), placement)
	}
	t.Fatalf("no model %q", name)
	return nil
}

func TestPositionsByRPCsAreWithinAnEighthOfAPixel(t *testing.T) {
	const side = 2000
	arctic, ok := geo.TileMatrixSetByID("UPSArcticWGS84Quad")
	if !ok {
		t.Fatal("no tile matrix set of the Arctic")
	}
	for _, test := range []struct {
		model string
		tms   *geo.TileMatrixSet
		zooms []int
	}{
		{"hobart", geo.WebMercatorQuad(), []int{12, 15, 17}},
		{"paris", geo.WebMercatorQuad(), []int{13, 15, 18}},
		{"antimeridian from the west", geo.WebMercatorQuad(), []int{12, 15, 17}},
		{"antimeridian from the east", geo.WorldCRS84Quad(), []int{12, 14, 16}},
		{"pole", arctic, []int{7, 9}},
	} {
		source := &rastertest.Synthetic{Name: "s", Has: withOverviews(rastertest.Flat(raster.Float64, side, side, 2, 512, 512), 4), Sample: ramp(1)}
		p := bySensor(t, source, test.model)
		for _, z := range test.zooms {
			x, y := aroundMiddle(t, p, test.tms, z)
			lattice := test.tms.Lattice(z, 1)
			view := pyramid.View{Lattice: lattice, Rect: raster.Rect{X0: x * 256, Y0: y * 256, X1: (x + 1) * 256, Y1: (y + 1) * 256}, Alpha: -1}
			checkPositions(t, p, lattice, view, mustRead(t, p, view), side)
		}
	}
}

// onMountains returns the pyramid with its placement on steep ground, with heights every spacing
// pixels.
func onMountains(p *pyramid.Pyramid, spacing int) *pyramid.Pyramid {
	level, l := p.Placement().(*sensor.Placement), p.Provider().Info().Levels[0]
	b := level.Reach(l.Width, l.Height)
	terrain := sensor.Grid{Key: "mountains", Columns: l.Width / spacing, Rows: l.Height / spacing}
	terrain.ToGrid = func(place geo.Point) geo.Point {
		return geo.Point{X: (place.X - b.MinX) / b.Width() * float64(terrain.Columns), Y: (b.MaxY - place.Y) / b.Height() * float64(terrain.Rows)}
	}
	for y := range terrain.Rows {
		for x := range terrain.Columns {
			terrain.Heights = append(terrain.Heights, float32(level.Height())+float32((x*37+y*53)%(spacing/2)))
		}
	}
	return pyramid.NewGeoreferenced(p.Provider(), p.CRS(), level.Over(sensor.NewTerrain(terrain)))
}

func TestPositionsOnTerrainAreWithinAnEighthOfAPixel(t *testing.T) {
	const side = 2000
	set := geo.WebMercatorQuad()
	for _, spacing := range []int{60, 16, 6} {
		for _, z := range []int{13, 15, 17, 19} {
			source := &rastertest.Synthetic{Name: "s", Has: withOverviews(rastertest.Flat(raster.Float64, side, side, 2, 512, 512), 4), Sample: ramp(1)}
			p := onMountains(bySensor(t, source, "hobart"), spacing)
			x, y := aroundMiddle(t, p, set, z)
			lattice := set.Lattice(z, 1)
			view := pyramid.View{Lattice: lattice, Rect: raster.Rect{X0: x * 256, Y0: y * 256, X1: (x + 1) * 256, Y1: (y + 1) * 256}, Alpha: -1}
			checkPositions(t, p, lattice, view, mustRead(t, p, view), side)
		}
	}
}

// A pixel on a terrain is the same in views that begin and end elsewhere.
func TestViewsOfTerrainMeetWithoutSeams(t *testing.T) {
	const side = 2000
	set := geo.WebMercatorQuad()
	source := &rastertest.Synthetic{Name: "s", Has: withOverviews(rastertest.Flat(raster.Float64, side, side, 2, 512, 512), 4), Sample: ramp(1)}
	for _, spacing := range []int{60, 6} {
		p := onMountains(bySensor(t, source, "hobart"), spacing)
		x, y := aroundMiddle(t, p, set, 17)
		whole := pyramid.View{Lattice: set.Lattice(17, 1), Rect: raster.Rect{X0: x * 256, Y0: y * 256, X1: (x + 1) * 256, Y1: (y + 1) * 256}, Alpha: -1}
		part := whole
		part.Rect = raster.Rect{X0: whole.Rect.X0 + 37, Y0: whole.Rect.Y0 + 91, X1: whole.Rect.X1 - 5, Y1: whole.Rect.Y1 - 70}
		tile, partial := mustRead(t, p, whole), mustRead(t, p, part)
		for row := range partial.Height() {
			for column := range partial.Width() {
				got, _ := partial.At(0, column, row)
				want, _ := tile.At(0, column+37, row+91)
				if got != want {
					t.Fatalf("heights every %d pixels: pixel %d,%d is %v, but %v in a larger view", spacing, column, row, got, want)
				}
			}
		}
	}
}

// A large view of steep ground is not refused as too distorted.
func TestLargeViewsOfTerrain(t *testing.T) {
	source := &rastertest.Synthetic{Name: "s", Has: withOverviews(rastertest.Flat(raster.Uint8, 4096, 4096, 1, 512, 512), 4), Sample: ramp(1)}
	for _, spacing := range []int{60, 8} {
		p := onMountains(bySensor(t, source, "hobart"), spacing)
		bounds, ok := p.Bounds(geo.WebMercatorQuad().CRS)
		if !ok {
			t.Fatal("no bounds")
		}
		resolution := max(bounds.Width(), bounds.Height()) / 4096
		lattice := geo.Lattice{CRS: geo.WebMercatorQuad().CRS, OriginX: bounds.MinX, OriginY: bounds.MaxY, ResolutionX: resolution, ResolutionY: resolution}
		_, err := p.Plan(t.Context(), pyramid.View{Lattice: lattice, Rect: raster.Rect{X1: 4096, Y1: 4096}, Alpha: -1})
		if err != nil {
			t.Errorf("heights every %d pixels: %v", spacing, err)
		}
	}
}

// aroundMiddle returns the map tile around the middle of an image, which may lie across the
// antimeridian.
func aroundMiddle(t *testing.T, p *pyramid.Pyramid, set *geo.TileMatrixSet, z int) (x, y int) {
	t.Helper()
	l := p.Provider().Info().Levels[0]
	middle := geo.NewTransform(p.CRS(), set.CRS).Apply(p.Placement().Place(geo.Point{X: float64(l.Width) / 2, Y: float64(l.Height) / 2}))
	x, y, _, _, ok := set.Limits(z, geo.Bounds{MinX: middle.X, MinY: middle.Y, MaxX: middle.X + 1e-6, MaxY: middle.Y + 1e-6})
	if !ok {
		t.Fatalf("%v is outside the tile matrix set", middle)
	}
	return x, y
}

// BenchmarkPlacedTile compares tiles of images that are placed in different ways.
func BenchmarkPlacedTile(b *testing.B) {
	valid := func(_, _, x, y int) (float64, bool) { return float64(x ^ y&255), true }
	for _, test := range []struct {
		name  string
		place func(raster.Provider) *pyramid.Pyramid
	}{
		{"affine", func(p raster.Provider) *pyramid.Pyramid { return georeferenced(b, p, 32633, utmPlace(0.6)) }},
		{"rpc", func(p raster.Provider) *pyramid.Pyramid { return bySensor(b, p, "hobart") }},
		{"rpc on terrain", func(p raster.Provider) *pyramid.Pyramid { return onMountains(bySensor(b, p, "hobart"), 60) }},
		{"rpc on fine terrain", func(p raster.Provider) *pyramid.Pyramid { return onMountains(bySensor(b, p, "hobart"), 4) }},
	} {
		b.Run(test.name, func(b *testing.B) {
			source := &rastertest.Synthetic{Name: "s", Has: withOverviews(rastertest.Flat(raster.Uint8, 2048, 2048, 3, 512, 512), 2), Sample: valid}
			benchmarkPlaced(b, test.place(blockcache.Wrap(source, blocks())), resample.Bilinear)
		})
	}
}
