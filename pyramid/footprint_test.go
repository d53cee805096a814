package pyramid

import (
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"tileserver/geo"
	"tileserver/pyramid/resample"
	"tileserver/raster"
	"tileserver/raster/rastertest"
)

// placed returns an image of an odd size whose upper left corner is at a place of a CRS.
func placed(t testing.TB, code int, x, y, resolution float64) *Pyramid {
	t.Helper()
	return placedBy(t, code, geo.Affine{A: resolution, C: x, E: -resolution, F: y})
}

// cellsOf returns the cells of a view and the number of splits. If all is true, it ignores the
// footprint.
func cellsOf(t testing.TB, p *Pyramid, v View, all bool) (cells []cell, cuts int) {
	t.Helper()
	j, err := p.projection(v.Lattice.CRS)
	if err != nil {
		t.Fatal(err)
	}
	w := warp{
		ctx: t.Context(), projection: &j, lattice: v.Lattice, level: p.info.Levels[0], resampling: resample.Bilinear,
		tolerance: maxWarpError, scaleX: 1, scaleY: 1,
	}
	w.across, w.down = p.spans(&Plan{View: v, ScaleX: 1, ScaleY: 1})
	if !all {
		w.footprint = p.footprint(v.Lattice)
	}
	w.findLandmarks(p.info.Levels[0])
	if cells, _, err = w.cells(v.Rect); err != nil {
		t.Fatalf("%+v: %v", v, err)
	}
	return cells, w.splits
}

// The footprint changes no visible pixel and never adds work.
func TestNothingShowsBesideTheFootprint(t *testing.T) {
	images := map[string]*Pyramid{
		"utm":                 placed(t, 32633, 480_000, 5_500_000, 30),
		"utm at the equator":  placed(t, 32701, 300_000, 10_010_000, 10),
		"north pole":          placed(t, 3413, -1_500_000, 1_000_000, 1000),
		"south pole":          placed(t, 3031, -3_000_000, 2_000_000, 2000),
		"europe":              placed(t, 3035, 2_500_000, 5_500_000, 1500),
		"degrees":             placed(t, 4326, 10, 50, 0.001),
		"date line":           placed(t, 4326, 175, 10, 0.005),
		"degrees up to 360":   placed(t, 4326, 200, 80, 0.05),
		"mercator":            placed(t, 3857, 1_000_000, 6_000_000, 100),
		"mercator to the end": placed(t, 3857, 19_900_000, 6_000_000, 45),
		"tilted":              placedBy(t, 32633, geo.Affine{A: 700, B: 400, C: -500_000, D: 300, E: -900, F: 5_500_000}),
		"beyond its system":   placedBy(t, 6933, geo.Affine{A: 600, B: 900, C: 4_500_000, D: 900, E: -600, F: 6_300_000}),
		"control points":      bent(t),
	}
	random, count := rand.New(rand.NewPCG(1, 2)), 0
	for _, name := range slices.Sorted(maps.Keys(images)) {
		p := images[name]
		for _, code := range []int{3857, 4326, 32633, 3035, 3413, 3031, 3395, 3832} {
			crs, err := geo.ByCode(code)
			if err != nil {
				t.Fatal(err)
			}
			shown := 0
			for range 3 {
				v := viewNear(p, crs, random)
				pruned, _ := cellsOf(t, p, v, false)
				all, _ := cellsOf(t, p, v, true)
				pruned, all = onGlobe(pruned, v.Lattice), onGlobe(all, v.Lattice)
				shown += len(all)
				within := make(map[cell]bool)
				for _, c := range pruned {
					within[c] = true
				}
				beside := slices.DeleteFunc(slices.Clone(all), func(c cell) bool { return within[c] })
				if len(pruned)+len(beside) != len(all) {
					t.Fatalf("%s in EPSG:%d: %+v shows %d cells, and %d within the footprint that are others", name, code, v, len(all), len(pruned))
				}
				for _, c := range beside {
					if showsImage(p, v, c) {
						t.Fatalf("%s in EPSG:%d: %+v shows %d cells, and %d within the footprint", name, code, v, len(all), len(pruned))
					}
				}
			}
			count += shown
		}
	}
	if count < 3_000 {
		t.Errorf("all views together show %d cells", count)
	}
}

// placedBy returns an image of an odd size that is placed by an affine mapping.
func placedBy(t testing.TB, code int, a geo.Affine) *Pyramid {
	t.Helper()
	placement, err := geo.NewAffinePlacement(a)
	if err != nil {
		t.Fatal(err)
	}
	return placedAs(t, code, placement)
}

// bent returns an image that is warped by control points.
func bent(t testing.TB) *Pyramid {
	t.Helper()
	crs, err := geo.ByCode(4326)
	if err != nil {
		t.Fatal(err)
	}
	var points []geo.ControlPoint
	for y := 0.0; y <= 2000; y += 400 {
		for x := 0.0; x <= 3000; x += 500 {
			place := geo.Point{X: 170 + 0.01*(x+100*math.Sin(y/300)), Y: 20 - 0.01*(y+100*math.Cos(x/400))}
			points = append(points, geo.ControlPoint{Pixel: geo.Point{X: x, Y: y}, Place: place})
		}
	}
	placement, err := geo.FitControlPoints(points, crs)
	if err != nil {
		t.Fatal(err)
	}
	return placedAs(t, 4326, placement)
}

func placedAs(t testing.TB, code int, placement geo.Placement) *Pyramid {
	t.Helper()
	crs, err := geo.ByCode(code)
	if err != nil {
		t.Fatal(err)
	}
	source := &rastertest.Synthetic{Name: "placed@1", Has: rastertest.Flat(raster.Uint8, 3001, 1999, 1, 256, 256)}
	return NewGeoreferenced(source, crs, placement)
}

// showsImage reports whether a pixel of a cell sees the image. A rotated image may have cells whose
// pixels all miss it.
func showsImage(p *Pyramid, v View, c cell) bool {
	for y := c.rect.Y0; y < c.rect.Y1; y++ {
		for x := c.rect.X0; x < c.rect.X1; x++ {
			if _, _, ok, err := p.PixelAt(v.Lattice.CRS, v.Lattice.At(float64(x)+0.5, float64(y)+0.5)); ok || err != nil {
				return true
			}
		}
	}
	return false
}

// onGlobe returns the cells in the domain of a CRS. Far from its center, an inverse projection may
// return places that the forward projection puts elsewhere.
func onGlobe(cells []cell, lattice geo.Lattice) []cell {
	return slices.DeleteFunc(slices.Clone(cells), func(c cell) bool {
		place := lattice.At(float64(c.rect.X0)+0.5, float64(c.rect.Y0)+0.5)
		again := lattice.CRS.FromLonLat(lattice.CRS.ToLonLat(place))
		off := math.Abs(again.X - place.X)
		if turn := aroundGlobe(lattice.CRS, place); turn > 0 {
			off = math.Mod(off, turn)
			off = min(off, turn-off)
		}
		return !(math.Hypot(off, again.Y-place.Y) < lattice.ResolutionX)
	})
}

// viewNear returns a view of a random size and scale, around the image or one turn of the globe
// away.
func viewNear(p *Pyramid, crs *geo.CRS, random *rand.Rand) View {
	b, ok := p.Bounds(crs)
	if !ok {
		b = geo.Bounds{MinX: -1, MinY: -1, MaxX: 1, MaxY: 1}
	}
	resolution := max(b.Width(), b.Height()) / 300 * (0.2 + 3*random.Float64())
	center := b.Center()
	center.X += float64(random.IntN(3)-1) * aroundGlobe(crs, center)
	lattice := geo.Lattice{CRS: crs, OriginX: center.X, OriginY: center.Y, ResolutionX: resolution, ResolutionY: resolution}
	if random.IntN(3) == 0 { // upside down, and finer
		lattice.ResolutionY *= -0.7
	}
	x, y := random.IntN(500)-400, random.IntN(500)-400
	return View{Lattice: lattice, Rect: raster.Rect{X0: x, Y0: y, X1: x + 1 + random.IntN(300), Y1: y + 1 + random.IntN(200)}, Alpha: -1}
}

// A cylindrical map may be cut at any meridian, and only cylindrical maps repeat around the globe.
func TestAroundTheGlobe(t *testing.T) {
	user, err := geo.FromDefinition(geo.Definition{
		Name: "Mercator, cut in the Atlantic", Ellipsoid: geo.Ellipsoid{SemiMajorAxis: 6378137, InverseFlattening: 298.257223563},
		Method: 9804, Parameters: geo.Parameters{LongitudeOfOrigin: 150, ScaleFactor: 1},
	})
	if err != nil {
		t.Fatal(err)
	}
	const equator = 2 * math.Pi * 6378137
	systems := map[*geo.CRS]float64{user: equator}
	for code, want := range map[int]float64{
		3857: equator, 3395: equator, 3832: equator, 4326: 360, 32633: 0, 3035: 0, 3413: 0, 3031: 0, 3576: 0, 2193: 0, 5070: 0,
	} {
		crs, err := geo.ByCode(code)
		if err != nil {
			t.Fatal(err)
		}
		systems[crs] = want
	}
	for crs, want := range systems {
		for longitude := -180.0; longitude <= 180; longitude += 10 {
			for _, latitude := range []float64{-60, 0, 45, 80, 90} {
				at := crs.FromLonLat(geo.Point{X: longitude, Y: latitude})
				if latitude == 90 && want == equator || at.IsNaN() {
					continue
				}
				if got := aroundGlobe(crs, at); math.Abs(got-want) > 1e-6*want {
					t.Fatalf("%s at %v, %v: %v, want %v", crs.Name(), longitude, latitude, got, want)
				}
			}
		}
	}
}

func TestMapsOfTheWorldAreNotSearchedForASmallImage(t *testing.T) {
	p := placed(t, 32633, 480_000, 5_500_000, 3)
	for _, set := range []*geo.TileMatrixSet{geo.WebMercatorQuad(), geo.WorldCRS84Quad()} {
		v := View{Lattice: set.Lattice(6, 1), Rect: tileOf(t, p, set, 6), Alpha: -1}
		cells, cuts := cellsOf(t, p, v, false)
		if len(cells) == 0 || cuts > 200 {
			t.Errorf("%s: %d cells after %d cuts", set.ID, len(cells), cuts)
		}
		if _, all := cellsOf(t, p, v, true); all < 2000 {
			t.Errorf("%s: the whole tile takes %d cuts: this tests nothing", set.ID, all)
		}
	}
}

// tileOf returns the pixels of the map tile of a level that contains the center of the image.
func tileOf(t testing.TB, p *Pyramid, set *geo.TileMatrixSet, z int) raster.Rect {
	t.Helper()
	b, ok := p.Bounds(set.CRS)
	if !ok {
		t.Fatal("the image has no bounds")
	}
	at := b.Center()
	x, y, _, _, ok := set.Limits(z, geo.Bounds{MinX: at.X, MinY: at.Y, MaxX: at.X + 1e-6, MaxY: at.Y + 1e-6})
	if !ok {
		t.Fatal("the image lies beside the set")
	}
	return raster.Rect{X0: x * 256, Y0: y * 256, X1: (x + 1) * 256, Y1: (y + 1) * 256}
}

func TestCachedBoundsAreLimited(t *testing.T) {
	p := placed(t, 4326, 10, 50, 0.001)
	for zone := range 60 {
		for _, base := range []int{32601, 32701} {
			crs, err := geo.ByCode(base + zone)
			if err != nil {
				t.Fatal(err)
			}
			want, _ := p.Bounds(crs)
			if got, _ := p.boundsIn(crs); got != want {
				t.Errorf("EPSG:%d: %v, want %v", base+zone, got, want)
			}
			if again, _ := p.boundsIn(crs); again != want {
				t.Errorf("EPSG:%d: cached as %v, want %v", base+zone, again, want)
			}
		}
	}
	if kept := len(p.bounds.byKey); kept > maxCachedBounds {
		t.Errorf("bounds of %d systems are cached", kept)
	}
}
