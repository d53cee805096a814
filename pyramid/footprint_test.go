package pyramid

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"tileserver/geo"
	"tileserver/raster"
	"tileserver/raster/rastertest"
)

// placed is an image of an odd size whose upper left corner lies at a place of a system.
func placed(t testing.TB, code int, x, y, resolution float64) *Pyramid {
	t.Helper()
	source := &rastertest.Synthetic{Name: "placed@1", Has: rastertest.Flat(raster.Uint8, 3001, 1999, 1, 256, 256)}
	crs, err := geo.ByCode(code)
	if err != nil {
		t.Fatal(err)
	}
	placement, err := geo.NewAffinePlacement(geo.Affine{A: resolution, C: x, E: -resolution, F: y})
	if err != nil {
		t.Fatal(err)
	}
	return NewGeoreferenced(source, crs, placement)
}

// cellsOf are the cells of a view, looked for beside the footprint as well if all is true,
// and how many were cut.
func cellsOf(t testing.TB, p *Pyramid, v View, all bool) (cells []cell, cuts int) {
	t.Helper()
	j, err := p.projection(v.Lattice.CRS)
	if err != nil {
		t.Fatal(err)
	}
	w := warp{
		ctx: t.Context(), projection: &j, lattice: v.Lattice, level: p.info.Levels[0], resampling: Bilinear,
		tolerance: maxWarpError, scaleX: 1, scaleY: 1, whole: v.Whole,
	}
	if !all {
		w.footprint = p.footprint(v.Lattice)
	}
	w.findLandmarks(p.info.Levels[0])
	if cells, _, err = w.cells(v.Rect); err != nil {
		t.Skip("a view that is too distorted without a footprint:", err)
	}
	return cells, w.made
}

// The same pixels show, and no more is asked for.
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
	}
	random, count := rand.New(rand.NewPCG(1, 2)), 0
	for name, p := range images {
		for _, code := range []int{3857, 4326, 32633, 3035, 3413, 3031, 3395} {
			crs, err := geo.ByCode(code)
			if err != nil {
				t.Fatal(err)
			}
			shown := 0
			for range 10 {
				v := viewNear(p, crs, random)
				pruned, _ := cellsOf(t, p, v, false)
				all, _ := cellsOf(t, p, v, true)
				pruned, all = onGlobe(pruned, v.Lattice), onGlobe(all, v.Lattice)
				if shown += len(all); !slices.Equal(pruned, all) {
					t.Fatalf("%s in EPSG:%d: %+v shows %d cells, and %d within the footprint", name, code, v, len(all), len(pruned))
				}
			}
			count += shown
		}
	}
	if count < 3_000 {
		t.Errorf("all views together show %d cells", count)
	}
}

// onGlobe are the cells that lie where a system has places at all. Far from its middle, a
// projection that is asked backwards may tell of places that it puts elsewhere.
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

// viewNear is a view of a random size and scale, around the image or a turn of the globe
// beside it.
func viewNear(p *Pyramid, crs *geo.CRS, random *rand.Rand) View {
	b, ok := p.Bounds(crs)
	if !ok {
		b = geo.Bounds{MinX: -1, MinY: -1, MaxX: 1, MaxY: 1}
	}
	resolution := max(b.Width(), b.Height()) / 300 * (0.2 + 3*random.Float64())
	center := b.Center()
	center.X += float64(random.IntN(3)-1) * aroundGlobe(crs, center)
	lattice := geo.Lattice{CRS: crs, OriginX: center.X, OriginY: center.Y, ResolutionX: resolution, ResolutionY: resolution}
	x, y := random.IntN(500)-400, random.IntN(500)-400
	return View{Lattice: lattice, Rect: raster.Rect{X0: x, Y0: y, X1: x + 1 + random.IntN(300), Y1: y + 1 + random.IntN(200)}, Alpha: -1}
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

// tileOf are the pixels of the tile of a level in which the middle of the image lies.
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

func TestBoundsAreKeptInFewSystems(t *testing.T) {
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
				t.Errorf("EPSG:%d: kept as %v, want %v", base+zone, again, want)
			}
		}
	}
	if kept := len(p.bounds.kept); kept > maxKeptBounds {
		t.Errorf("bounds are kept in %d systems", kept)
	}
}
