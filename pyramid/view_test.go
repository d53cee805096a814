package pyramid_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"testing"

	"tileserver/geo"
	"tileserver/pyramid"
	"tileserver/pyramid/overview"
	"tileserver/pyramid/resample"
	"tileserver/raster"
	"tileserver/raster/blockcache"
	"tileserver/raster/rastertest"
)

func mustCRS(t testing.TB, code int) *geo.CRS {
	t.Helper()
	crs, err := geo.ByCode(code)
	if err != nil {
		t.Fatal(err)
	}
	return crs
}

// utmPlace places an image near 15 E 48 N, with pixels of the given width in meters.
func utmPlace(metres float64) geo.Affine {
	return geo.Affine{A: metres, C: 500000.3, E: -metres, F: 5300000.7}
}

func georeferenced(t testing.TB, p raster.Provider, epsg int, affine geo.Affine) *pyramid.Pyramid {
	t.Helper()
	placement, err := geo.NewAffinePlacement(affine)
	if err != nil {
		t.Fatal(err)
	}
	return pyramid.NewGeoreferenced(p, mustCRS(t, epsg), placement)
}

func mustRead(t testing.TB, p *pyramid.Pyramid, v pyramid.View) raster.Tile {
	t.Helper()
	plan, err := p.Plan(context.Background(), v)
	if err != nil {
		t.Fatal(err)
	}
	tile, _, err := p.Read(context.Background(), &plan, new(raster.MemoryPool).Get(p.BytesOf(&plan)))
	if err != nil {
		t.Fatal(err)
	}
	return tile
}

// covering returns the first of count map tiles, in x and y, around the center of an image.
func covering(t testing.TB, p *pyramid.Pyramid, set *geo.TileMatrixSet, z, count int) (x, y int) {
	t.Helper()
	b, ok := p.Bounds(set.CRS)
	if !ok {
		t.Fatal("the image has no bounds")
	}
	c := b.Center()
	minX, minY, _, _, ok := set.Limits(z, geo.Bounds{MinX: c.X, MinY: c.Y, MaxX: c.X + 1e-9, MaxY: c.Y + 1e-9})
	if !ok {
		t.Fatal("the image is outside the tile matrix set")
	}
	return minX - count/2, minY - count/2
}

// ramp grows with x in the first band and with y in the second, so that a value reveals its
// position.
func ramp(scale float64) func(level, band, x, y int) (float64, bool) {
	return func(level, band, x, y int) (float64, bool) {
		s := math.Pow(2, float64(level))
		if band == 1 {
			return (float64(y) + 0.5) * s * scale, true
		}
		return (float64(x) + 0.5) * s * scale, true
	}
}

func withOverviews(info raster.Info, count int) raster.Info {
	for range count {
		l := info.Levels[len(info.Levels)-1]
		l.Width, l.Height = l.Width/2, l.Height/2
		l.ScaleX, l.ScaleY = 2*l.ScaleX, 2*l.ScaleY
		info.Levels = append(info.Levels, l)
	}
	return info
}

var everyResampling = []resample.Method{resample.Nearest, resample.Bilinear, resample.Cubic, resample.Lanczos, resample.Average}

// A view of 4x4 map tiles equals the sixteen tiles pixel by pixel.
func TestTilesJoinWithoutASeam(t *testing.T) {
	noise := func(level, band, x, y int) float64 { return float64((x*73 + y*151 + level*31 + band*91) % 251) }
	sources := map[string]func(level, band, x, y int) (float64, bool){
		"all valid":  func(level, band, x, y int) (float64, bool) { return noise(level, band, x, y), true },
		"with holes": func(level, band, x, y int) (float64, bool) { return noise(level, band, x, y), (x/5+y/3)%6 != 0 },
	}
	set := geo.WebMercatorQuad()
	for name, sample := range sources {
		source := &rastertest.Synthetic{Name: "s", Has: withOverviews(rastertest.Flat(raster.Uint8, 1500, 1100, 2, 256, 128), 2), Sample: sample}
		p := georeferenced(t, blockcache.Wrap(source, blocks()), 32633, utmPlace(3))
		for _, resampling := range everyResampling {
			if name == "all valid" && resampling != resample.Bilinear && resampling != resample.Lanczos {
				continue // adds nothing to the same case with nodata holes
			}
			levels := []int{15}
			if resampling == resample.Bilinear {
				levels = []int{13, 15, 17}
			}
			for _, z := range levels {
				t.Run(fmt.Sprint(name, "/", resampling, "/", z), func(t *testing.T) {
					compareTilesWithView(t, p, set.Lattice(z, 1), resampling, func() (int, int) { return covering(t, p, set, z, 4) })
				})
			}
		}
	}
}

func compareTilesWithView(t *testing.T, p *pyramid.Pyramid, lattice geo.Lattice, resampling resample.Method, first func() (x, y int)) {
	t.Helper()
	x0, y0 := first()
	rect := raster.Rect{X0: x0 * 256, Y0: y0 * 256, X1: (x0 + 4) * 256, Y1: (y0 + 4) * 256}
	view := pyramid.View{Lattice: lattice, Resampling: resampling, Rect: rect, Alpha: -1}
	whole := mustRead(t, p, view)
	seen := 0
	for i := range 16 {
		x, y := rect.X0+i%4*256, rect.Y0+i/4*256
		view.Rect = raster.Rect{X0: x, Y0: y, X1: x + 256, Y1: y + 256}
		tile := mustRead(t, p, view)
		for b := range tile.Bands() {
			at := (y-rect.Y0)*1024 + x - rect.X0
			seen += compareBytes(t, "samples", tile.Plane(b), whole.Plane(b)[at:])
			compareBytes(t, "coverage", coverageOf(tile, b), coverageOf(whole, b)[at:])
		}
	}
	if seen < 1000 {
		t.Fatalf("only %d pixels show anything", seen)
	}
}

// compareBytes compares a tile's plane with its place in the plane of a 4x4 view, and returns the
// number of bytes that are not 0.
func compareBytes(t *testing.T, what string, tile, view []byte) (seen int) {
	t.Helper()
	for row := range 256 {
		if got, want := tile[row*256:(row+1)*256], view[row*1024:row*1024+256]; !bytes.Equal(got, want) {
			t.Fatalf("the %s of row %d are %v in the tile and %v in the view", what, row, got, want)
		}
	}
	return len(tile) - bytes.Count(tile, []byte{0})
}

func coverageOf(t raster.Tile, band int) []byte {
	if plane := t.Validity(band); plane != nil {
		return plane
	}
	return bytes.Repeat([]byte{raster.Valid}, t.Width()*t.Height())
}

// Interpolated positions are within an eighth of a pixel of the exact projection of every pixel.
func TestInterpolatedPositionsAreWithinAnEighthOfAPixel(t *testing.T) {
	tests := []struct {
		name   string
		epsg   int
		affine geo.Affine
		z      []int
	}{
		{"utm", 32633, utmPlace(10), []int{6, 8, 10, 12, 14, 16}},
		{"rotated utm", 32633, geo.Affine{A: 7, B: 4, C: 500000, D: 4, E: -7, F: 5300000}, []int{11, 13}},
		{"geographic", 4326, geo.Affine{A: 0.01, C: 5, E: -0.01, F: 70}, []int{3, 5, 7}},
		{"polar", 3995, geo.Affine{A: 2000, C: -2e6, E: -2000, F: 2e6}, []int{2, 4, 6}},
	}
	const side = 2000
	for _, test := range tests {
		for _, z := range test.z {
			t.Run(fmt.Sprint(test.name, "/", z), func(t *testing.T) {
				source := &rastertest.Synthetic{Name: "s", Has: withOverviews(rastertest.Flat(raster.Float64, side, side, 2, 512, 512), 4), Sample: ramp(1)}
				p := georeferenced(t, source, test.epsg, test.affine)
				set := geo.WebMercatorQuad()
				x, y := covering(t, p, set, z, 0)
				lattice := set.Lattice(z, 1)
				view := pyramid.View{Lattice: lattice, Rect: raster.Rect{X0: x * 256, Y0: y * 256, X1: (x + 1) * 256, Y1: (y + 1) * 256}, Alpha: -1}
				plan, err := p.Plan(context.Background(), view)
				if err != nil {
					t.Fatal(err)
				}
				tile, _, err := p.Read(context.Background(), &plan, new(raster.MemoryPool).Get(p.BytesOf(&plan)))
				if err != nil {
					t.Fatal(err)
				}
				checkPositions(t, p, lattice, view, tile, side)
			})
		}
	}
}

// A thin plate spline through control points bends an image everywhere.
func TestPositionsByControlPointsAreWithinAnEighthOfAPixel(t *testing.T) {
	const side = 2000
	var points []geo.ControlPoint
	for row := range 9 {
		for column := range 9 {
			pixel := geo.Point{X: side / 8 * float64(column), Y: side / 8 * float64(row)}
			place := utmPlace(10).Apply(pixel)
			place.X += 300 * math.Sin(pixel.Y/400)
			place.Y += 200 * math.Cos(pixel.X/300)
			points = append(points, geo.ControlPoint{Pixel: pixel, Place: place})
		}
	}
	crs := mustCRS(t, 32633)
	placement, err := geo.FitControlPoints(points, crs)
	if err != nil {
		t.Fatal(err)
	}
	source := &rastertest.Synthetic{Name: "s", Has: withOverviews(rastertest.Flat(raster.Float64, side, side, 2, 512, 512), 4), Sample: ramp(1)}
	p := pyramid.NewGeoreferenced(source, crs, placement)
	set := geo.WebMercatorQuad()
	for _, z := range []int{8, 11, 13} {
		x, y := covering(t, p, set, z, 0)
		lattice := set.Lattice(z, 1)
		view := pyramid.View{Lattice: lattice, Rect: raster.Rect{X0: x * 256, Y0: y * 256, X1: (x + 1) * 256, Y1: (y + 1) * 256}, Alpha: -1}
		checkPositions(t, p, lattice, view, mustRead(t, p, view), side)
	}
}

// checkPositions reads the position of each view pixel from a ramp and compares it with the exact
// one.
func checkPositions(t *testing.T, p *pyramid.Pyramid, lattice geo.Lattice, view pyramid.View, tile raster.Tile, side float64) {
	t.Helper()
	toImage := geo.NewTransform(lattice.CRS, p.CRS())
	exact := func(x, y float64) geo.Point { return p.Placement().Pixel(toImage.Apply(lattice.At(x, y))) }
	worst, seen := 0.0, 0
	for row := range tile.Height() {
		for column := range tile.Width() {
			gotX, coverage := tile.At(0, column, row)
			gotY, _ := tile.At(1, column, row)
			x, y := float64(view.Rect.X0+column)+0.5, float64(view.Rect.Y0+row)+0.5
			want := exact(x, y)
			margin := 20.0
			if coverage == 0 || want.X < margin || want.Y < margin || want.X > side-margin || want.Y > side-margin {
				continue
			}
			seen++
			// Size of a view pixel on the image.
			step := exact(x+1, y)
			pixel := math.Hypot(step.X-want.X, step.Y-want.Y)
			worst = max(worst, math.Hypot(gotX-want.X, gotY-want.Y)/pixel)
		}
	}
	if seen < 100 {
		t.Fatalf("only %d pixels to look at", seen)
	}
	t.Logf("worst error %.4f pixel over %d", worst, seen)
	if worst >= 1.0/8 {
		t.Errorf("a position is %.3f pixel off", worst)
	}
}

// A ramp shows that every level lies in its place, stored or built.
func TestLevelsRegister(t *testing.T) {
	for name, levels := range map[string]int{"built": 5, "made": 0} {
		t.Run(name, func(t *testing.T) {
			source := &rastertest.Synthetic{Name: "s", Has: withOverviews(rastertest.Flat(raster.Float64, 1024, 768, 2, 128, 64), levels), Sample: ramp(1)}
			d := overview.New(blockcache.Wrap(source, blocks()), blocks(), overview.Config{BlockSize: 32, MinSize: 32})
			p := pyramid.New(d)
			for level := range 6 {
				scale := float64(int(1) << level)
				view := pyramid.View{Lattice: geo.Lattice{ResolutionX: scale, ResolutionY: -scale}, Rect: raster.Rect{X0: 3, Y0: 5, X1: 1024>>level - 3, Y1: 768>>level - 2}, Alpha: -1}
				plan, err := p.Plan(context.Background(), view)
				if err != nil {
					t.Fatal(err)
				}
				if plan.Level != level {
					t.Fatalf("a scale of %v is read from level %d, want %d", scale, plan.Level, level)
				}
				tile := mustRead(t, p, view)
				for row := range tile.Height() {
					for column := range tile.Width() {
						x, _ := tile.At(0, column, row)
						y, _ := tile.At(1, column, row)
						wantX, wantY := (float64(view.Rect.X0+column)+0.5)*scale, (float64(view.Rect.Y0+row)+0.5)*scale
						if math.Abs(x-wantX) > 0.01*scale || math.Abs(y-wantY) > 0.01*scale {
							t.Fatalf("level %d pixel %d,%d shows %v,%v, want %v,%v", level, column, row, x, y, wantX, wantY)
						}
					}
				}
			}
		})
	}
}

// On the file's own grid a view returns the samples unchanged, whatever the kernel.
func TestOwnGridIsExact(t *testing.T) {
	for _, resampling := range everyResampling {
		p := pyramid.New(rastertest.Speckled())
		view := pyramid.View{Lattice: geo.Lattice{ResolutionX: 1, ResolutionY: -1}, Rect: raster.Rect{X0: -5, Y0: -3, X1: 80, Y1: 60}, Resampling: resampling, Bands: []int{2, 0}, Alpha: -1}
		tile := mustRead(t, p, view)
		for i, band := range view.Bands {
			for y := view.Rect.Y0; y < view.Rect.Y1; y++ {
				for x := view.Rect.X0; x < view.Rect.X1; x++ {
					got, coverage := tile.At(i, x-view.Rect.X0, y-view.Rect.Y0)
					want, valid := 0.0, false
					if x >= 0 && y >= 0 && x < 75 && y < 53 {
						// Integers are valid in all bands if they are in one.
						var other bool
						want, valid = rastertest.Speckle(0, band, x, y)
						_, other = rastertest.Speckle(0, view.Bands[1-i], x, y)
						valid = valid || other
					}
					if valid != (coverage == raster.Valid) || (valid && got != want) {
						t.Fatalf("%v: band %d pixel %d,%d is %v (%d), want %v (%v)", resampling, band, x, y, got, coverage, want, valid)
					}
				}
			}
		}
	}
}

// Samples without coverage never affect valid pixels: a white disc on nodata stays white at every
// scale and with every kernel.
func TestNoDataDoesNotDarkenItsNeighbors(t *testing.T) {
	inDisc := func(x, y float64) bool { return math.Hypot(x-500, y-400) < 300 }
	source := &rastertest.Synthetic{Name: "disc", Has: rastertest.Flat(raster.Uint8, 1000, 800, 1, 128, 128)}
	source.Sample = func(level, band, x, y int) (float64, bool) {
		if inDisc(float64(x), float64(y)) {
			return 255, true
		}
		return 0, false
	}
	p := georeferenced(t, overview.New(blockcache.Wrap(source, blocks()), blocks(), overview.Config{MinSize: 16}), 32633, utmPlace(5))
	set := geo.WebMercatorQuad()
	for _, resampling := range everyResampling {
		for z := 8; z <= 16; z++ {
			x, y := covering(t, p, set, z, 0)
			view := pyramid.View{Lattice: set.Lattice(z, 1), Rect: raster.Rect{X0: x * 256, Y0: y * 256, X1: (x + 1) * 256, Y1: (y + 1) * 256}, Resampling: resampling, Alpha: -1}
			tile := mustRead(t, p, view)
			seen := 0
			for row := range 256 {
				for column := range 256 {
					value, coverage := tile.At(0, column, row)
					if coverage > 0 {
						seen++
						if value != 255 {
							t.Fatalf("%v, level %d: pixel %d,%d is %v with coverage %d", resampling, z, column, row, value, coverage)
						}
					}
				}
			}
			if seen == 0 {
				t.Fatalf("%v, level %d shows nothing of the disc", resampling, z)
			}
		}
	}
}

func TestAlphaWeightsColorsAndBecomesCoverage(t *testing.T) {
	source := &rastertest.Synthetic{Name: "rgba", Has: rastertest.Flat(raster.Uint8, 4, 2, 2, 4, 2)}
	source.Sample = func(_, band, x, _ int) (float64, bool) {
		if band == 1 {
			return []float64{0, 255, 255, 51}[x], true
		}
		return []float64{9, 100, 200, 90}[x], true
	}
	p := pyramid.New(source)
	view := pyramid.View{Lattice: geo.Lattice{OriginX: 0.5, ResolutionX: 1, ResolutionY: -1}, Rect: raster.Rect{X1: 3, Y1: 2}, Bands: []int{0}, Alpha: 1}
	tile := mustRead(t, p, view)
	if tile.Bands() != 1 {
		t.Fatalf("%d bands, want 1", tile.Bands())
	}
	for x, want := range [][2]float64{{100, 128}, {150, 255}, {182, 153}} {
		if value, coverage := tile.At(0, x, 0); value != want[0] || float64(coverage) != want[1] {
			t.Errorf("pixel %d is %v with coverage %d, want %v", x, value, coverage, want)
		}
	}
}

func TestViewAcrossTheDateLine(t *testing.T) {
	source := &rastertest.Synthetic{Name: "pacific", Has: rastertest.Flat(raster.Uint8, 200, 100, 1, 64, 64)}
	source.Sample = func(_, _, x, _ int) (float64, bool) { return float64(x), true }
	p := georeferenced(t, source, 4326, geo.Affine{A: 0.1, C: 170, E: -0.1, F: 5})
	set := geo.WebMercatorQuad()
	for name, at := range map[string]struct {
		longitude float64
		want      float64
	}{"west of it": {175.05, 50}, "east of it": {-174.95, 150}} {
		place := geo.NewTransform(mustCRS(t, 4326), set.CRS).Apply(geo.Point{X: at.longitude, Y: 0})
		lattice := geo.Lattice{CRS: set.CRS, OriginX: place.X - 10, OriginY: place.Y + 10, ResolutionX: 20, ResolutionY: 20}
		tile := mustRead(t, p, pyramid.View{Lattice: lattice, Rect: raster.Rect{X1: 1, Y1: 1}, Alpha: -1})
		if value, coverage := tile.At(0, 0, 0); coverage != 255 || math.Abs(value-at.want) > 1 {
			t.Errorf("%s: %v with coverage %d, want %v", name, value, coverage, at.want)
		}
	}
}

func TestPlanReadsOnlyWhatAViewNeeds(t *testing.T) {
	source := &rastertest.Synthetic{Name: "s", Has: withOverviews(rastertest.Flat(raster.Uint8, 4096, 4096, 4, 256, 256), 4), Sample: ramp(0.01)}
	p := georeferenced(t, source, 3857, geo.Affine{A: 10, C: 0, E: -10, F: 0})
	view := pyramid.View{Lattice: geo.Lattice{CRS: mustCRS(t, 3857), ResolutionX: 40, ResolutionY: 40}, Rect: raster.Rect{X0: 300, Y0: 300, X1: 400, Y1: 400}, Bands: []int{3, 1}, Alpha: -1}
	plan, err := p.Plan(context.Background(), view)
	if err != nil {
		t.Fatal(err)
	}
	if plan.Level != 2 || len(plan.Blocks()) != 1 {
		t.Errorf("level %d, blocks %v; want level 2 and one block", plan.Level, plan.Blocks())
	}
	mustRead(t, p, view)
	if source.Calls() != 1 || source.PlanesMade() != 2 {
		t.Errorf("%d calls for %d planes, want 1 and 2", source.Calls(), source.PlanesMade())
	}
}

func TestViewOutsideTheImageReadsNothing(t *testing.T) {
	source := &rastertest.Synthetic{Name: "s", Has: rastertest.Flat(raster.Uint8, 100, 100, 1, 64, 64), Sample: ramp(1)}
	p := georeferenced(t, source, 32633, utmPlace(1))
	set := geo.WebMercatorQuad()
	view := pyramid.View{Lattice: set.Lattice(16, 1), Rect: raster.Rect{X1: 256, Y1: 256}, Alpha: -1}
	plan, err := p.Plan(context.Background(), view)
	if err != nil {
		t.Fatal(err)
	}
	if len(plan.Parts) != 0 {
		t.Fatalf("the plan has %d parts", len(plan.Parts))
	}
	tile := mustRead(t, p, view)
	if _, coverage := tile.At(0, 100, 100); coverage != 0 || source.Calls() != 0 {
		t.Errorf("coverage %d after %d calls, want 0 and 0", coverage, source.Calls())
	}
}

func TestPlanRejectsInvalidViews(t *testing.T) {
	p := georeferenced(t, rastertest.Speckled(), 32633, utmPlace(1))
	good := pyramid.View{Lattice: geo.WebMercatorQuad().Lattice(10, 1), Rect: raster.Rect{X1: 10, Y1: 10}, Alpha: -1}
	for name, change := range map[string]func(*pyramid.View){
		"no pixels":       func(v *pyramid.View) { v.Rect.X1 = 0 },
		"too wide":        func(v *pyramid.View) { v.Rect.X1 = 1 << 30 },
		"far away":        func(v *pyramid.View) { v.Rect = raster.Rect{X0: 1 << 50, X1: 1<<50 + 1, Y1: 1} },
		"no resolution":   func(v *pyramid.View) { v.Lattice.ResolutionX = 0 },
		"NaN resolution":  func(v *pyramid.View) { v.Lattice.ResolutionY = math.NaN() },
		"infinite":        func(v *pyramid.View) { v.Lattice.ResolutionY = math.Inf(1) },
		"no such band":    func(v *pyramid.View) { v.Bands = []int{3} },
		"no such opacity": func(v *pyramid.View) { v.Alpha = 3 },
	} {
		v := good
		change(&v)
		if _, err := p.Plan(context.Background(), v); !errors.Is(err, pyramid.ErrInvalidView) && !errors.Is(err, raster.ErrNoSuchBlock) {
			t.Errorf("%s: got the error %v", name, err)
		}
	}
	if _, err := pyramid.New(rastertest.Speckled()).Plan(context.Background(), good); !errors.Is(err, pyramid.ErrNoCRS) {
		t.Errorf("a map of an image without a place: got the error %v", err)
	}
}

// However distorted a view is, each read is bounded, and no pixel is lost.
func TestDistortedViewIsCutIntoParts(t *testing.T) {
	source := &rastertest.Synthetic{Name: "polar", Has: rastertest.Flat(raster.Uint8, 20000, 20000, 1, 2048, 2048), Sample: ramp(0.01)}
	p := georeferenced(t, source, 3995, geo.Affine{A: 10, C: -1e5, E: -10, F: 1e5})
	lattice := geo.Lattice{CRS: mustCRS(t, 4326), OriginX: -180, OriginY: 90, ResolutionX: 360.0 / 64, ResolutionY: 1.0 / 64}
	plan, err := p.Plan(context.Background(), pyramid.View{Lattice: lattice, Rect: raster.Rect{X1: 64, Y1: 64}, Resampling: resample.Nearest, Alpha: -1})
	if err != nil {
		t.Fatal(err)
	}
	if len(plan.Parts) < 2 {
		t.Fatalf("%d parts", len(plan.Parts))
	}
	for _, part := range plan.Parts {
		if pixels := part.Window.Width() * part.Window.Height(); pixels > 1<<24 {
			t.Errorf("a part of %v reads %d pixels", part.Rect, pixels)
		}
	}
}

func TestReadIsCanceled(t *testing.T) {
	source := &rastertest.Synthetic{Name: "s", Has: rastertest.Flat(raster.Uint8, 1000, 1000, 1, 256, 256), Sample: ramp(0.1)}
	p := pyramid.New(source)
	plan, err := p.Plan(context.Background(), pyramid.View{Lattice: geo.Lattice{ResolutionX: 1, ResolutionY: -1}, Rect: raster.Rect{X1: 512, Y1: 512}, Alpha: -1})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, _, err := p.Read(ctx, &plan, new(raster.MemoryPool).Get(p.BytesOf(&plan))); !errors.Is(err, context.Canceled) {
		t.Errorf("got the error %v, want %v", err, context.Canceled)
	}
}

func TestPoint(t *testing.T) {
	p := georeferenced(t, rastertest.Speckled(), 32633, utmPlace(10))
	at := p.Placement().Place(geo.Point{X: 40.5, Y: 17.5})
	point, err := p.Point(context.Background(), p.CRS(), at)
	if err != nil {
		t.Fatal(err)
	}
	for band := range 3 {
		want, valid := rastertest.Speckle(0, band, 40, 17)
		if point.Column != 40 || point.Row != 17 || point.Values[band] != want || point.Valid[band] != valid {
			t.Errorf("band %d is %+v, want %v %v", band, point, want, valid)
		}
	}
	if _, err := p.Point(context.Background(), p.CRS(), geo.Point{}); !errors.Is(err, pyramid.ErrOutside) {
		t.Errorf("a place far away: got the error %v", err)
	}
}

// A view on the pixels of a level reads only the blocks under it, whatever the kernel.
func TestViewOnTheGridReadsNoNeighbors(t *testing.T) {
	const side = 100
	affine := geo.Affine{A: side, C: -20000, E: -side, F: 30000}
	for _, resampling := range everyResampling {
		for name, lattice := range map[string]geo.Lattice{
			"image":       {ResolutionX: 1, ResolutionY: -1},
			"map":         {CRS: mustCRS(t, 3857), OriginX: affine.C, OriginY: affine.F, ResolutionX: side, ResolutionY: side},
			"second size": {ResolutionX: 2, ResolutionY: -2},
		} {
			source := &rastertest.Synthetic{Name: "s", Has: withOverviews(rastertest.Flat(raster.Uint8, 2048, 1024, 1, 256, 256), 1), Sample: ramp(0.1)}
			p := georeferenced(t, source, 3857, affine)
			view := pyramid.View{Lattice: lattice, Rect: raster.Rect{X0: 256, Y0: 256, X1: 512, Y1: 512}, Resampling: resampling, Alpha: -1}
			plan, err := p.Plan(context.Background(), view)
			if err != nil {
				t.Fatal(err)
			}
			if got := len(plan.Blocks()); got != 1 {
				t.Errorf("%v of the %s: %d blocks are read, want 1", resampling, name, got)
			}
			tile := mustRead(t, p, view)
			for _, at := range [][2]int{{0, 0}, {255, 255}, {17, 200}} {
				want, _ := ramp(0.1)(plan.Level, 0, 256+at[0], 256+at[1])
				if got, _ := tile.At(0, at[0], at[1]); math.Abs(got-min(want, 255)) > 0.5 {
					t.Errorf("%v of the %s at %v: %v, want %v", resampling, name, at, got, want)
				}
			}
		}
	}
}

// A color of which one band equals the nodata value is a color. It is hidden only if all bands
// equal it.
func TestNoDataInOneBandHidesNothing(t *testing.T) {
	source := &rastertest.Synthetic{Name: "s", Has: rastertest.Flat(raster.Uint8, 3, 1, 2, 3, 1)}
	source.Sample = func(_, band, x, _ int) (float64, bool) {
		v := [][]float64{{255, 200}, {255, 255}, {10, 20}}[x][band]
		return v, v != 255
	}
	tile := mustRead(t, pyramid.New(source), pyramid.View{Lattice: geo.Lattice{ResolutionX: 1, ResolutionY: -1}, Rect: raster.Rect{X1: 3, Y1: 1}, Alpha: -1})
	for x, want := range []struct {
		values   [2]float64
		coverage uint8
	}{{[2]float64{255, 200}, 255}, {[2]float64{}, 0}, {[2]float64{10, 20}, 255}} {
		for band, value := range want.values {
			got, coverage := tile.At(band, x, 0)
			if coverage != want.coverage || coverage > 0 && got != value {
				t.Errorf("pixel %d band %d is %v with coverage %d, want %v with %d", x, band, got, coverage, value, want.coverage)
			}
		}
	}
}

func TestPremultipliedColorsAreDividedByTheirAlpha(t *testing.T) {
	source := &rastertest.Synthetic{Name: "s", Has: rastertest.Flat(raster.Uint8, 2, 1, 2, 2, 1)}
	source.Has.Premultiplied = true
	source.Sample = func(_, band, x, _ int) (float64, bool) { return [][]float64{{100, 128}, {0, 0}}[x][band], true }
	tile := mustRead(t, pyramid.New(source), pyramid.View{Lattice: geo.Lattice{ResolutionX: 1, ResolutionY: -1}, Rect: raster.Rect{X1: 2, Y1: 1}, Bands: []int{0}, Alpha: 1})
	if value, coverage := tile.At(0, 0, 0); value != 199 || coverage != 128 {
		t.Errorf("100 at half opacity is %v with coverage %d, want 199 with 128", value, coverage)
	}
	if _, coverage := tile.At(0, 1, 0); coverage != 0 {
		t.Errorf("a transparent pixel has coverage %d", coverage)
	}
}

// A global image in degrees has many more rows in a pixel of a Mercator map near the equator than
// near the poles. None of them may be skipped.
func TestStripesOfAGlobalImageBecomeGray(t *testing.T) {
	source := &rastertest.Synthetic{Name: "s", Has: rastertest.Flat(raster.Uint8, 4096, 2048, 1, 512, 512)}
	source.Sample = func(_, _, _, y int) (float64, bool) { return float64(y % 2 * 254), true }
	p := georeferenced(t, source, 4326, geo.Affine{A: 360.0 / 4096, C: -180, E: -180.0 / 2048, F: 90})
	set := geo.WebMercatorQuad()
	tile := mustRead(t, p, pyramid.View{Lattice: set.Lattice(2, 1), Rect: raster.Rect{X0: 512, Y0: 512, X1: 768, Y1: 640}, Alpha: -1})
	low, high := 255.0, 0.0
	for y := range 100 { // from the equator to where a pixel spans few rows
		for x := range 256 {
			value, _ := tile.At(0, x, y)
			low, high = min(low, value), max(high, value)
		}
	}
	if low < 100 || high > 154 {
		t.Errorf("stripes of 0 and 254 show as %v to %v", low, high)
	}
}

// At the lowest zooms an image may lie between cell corners none of which projects into its CRS.
func TestImageIsFoundBetweenPlacesThatDoNotProject(t *testing.T) {
	source := &rastertest.Synthetic{Name: "nz", Has: withOverviews(rastertest.Flat(raster.Uint8, 1000, 1500, 1, 256, 256), 2), Sample: func(_, _, _, _ int) (float64, bool) { return 9, true }}
	p := georeferenced(t, source, 27200, geo.Affine{A: 1000, C: 2000000, E: -1000, F: 6800000})
	set := geo.WebMercatorQuad()
	for z := range 3 {
		side := 256 << z
		tile := mustRead(t, p, pyramid.View{Lattice: set.Lattice(z, 1), Rect: raster.Rect{X1: side, Y1: side}, Alpha: -1})
		seen := 0
		for _, v := range coverageOf(tile, 0) {
			if v > 0 {
				seen++
			}
		}
		if seen == 0 {
			t.Errorf("zoom %d shows nothing", z)
		}
	}
}

// Planning is bounded and can be canceled, however difficult a view is.
func TestPlanningIsBounded(t *testing.T) {
	p := georeferenced(t, rastertest.Speckled(), 32632, geo.Affine{A: 30, C: 600000, E: -30, F: 1106000})
	tiny := geo.Lattice{CRS: mustCRS(t, 32632), OriginX: 601000, OriginY: 1105000, ResolutionX: 5e-9, ResolutionY: 5e-9}
	if _, err := p.Plan(context.Background(), pyramid.View{Lattice: tiny, Rect: raster.Rect{X1: 4096, Y1: 4096}, Alpha: -1}); !errors.Is(err, pyramid.ErrInvalidView) {
		t.Errorf("a view beyond precision got the error %v", err)
	}
	small := tiny
	small.CRS, small.OriginX, small.OriginY = mustCRS(t, 4326), 9.916, 9.99
	small.ResolutionX, small.ResolutionY = 3e-8, 3e-8
	plan, err := p.Plan(context.Background(), pyramid.View{Lattice: small, Rect: raster.Rect{X1: 4096, Y1: 4096}, Alpha: -1})
	if err != nil || len(plan.Parts) > 4 {
		t.Errorf("a view of a pixel has %d parts and the error %v", len(plan.Parts), err)
	}
}

// A view of blocks that are each larger than a part may be is not split pixel by pixel: that would read them
// as often as there are pixels.
func TestViewsOfHugeBlocksHaveFewParts(t *testing.T) {
	for side, most := range map[int]int{30000: 1, 15000: 100} {
		source := &rastertest.Synthetic{Name: "huge", Has: rastertest.Flat(raster.Uint8, 30000, 30000, 3, side, side), Sample: ramp(0.001)}
		view := pyramid.View{Lattice: geo.Lattice{ResolutionX: 1.1, ResolutionY: -1.1}, Rect: raster.Rect{X0: 13500, Y0: 13500, X1: 13756, Y1: 13756}, Alpha: -1}
		plan, err := pyramid.New(source).Plan(context.Background(), view)
		if err != nil || len(plan.Parts) > most {
			t.Errorf("%d parts of a view of blocks of %d pixels a side, want at most %d; %v", len(plan.Parts), side, most, err)
		}
		if blocks := len(raster.UniqueBlocks(plan.Blocks())); blocks != 30000/side*30000/side {
			t.Errorf("%d blocks of %d pixels a side", blocks, side)
		}
	}
}

// A narrow view of wide strips is split until the strips of a part are few.
func TestPartsHoldBoundedBlocks(t *testing.T) {
	source := &rastertest.Synthetic{Name: "strips", Has: rastertest.Flat(raster.Uint8, 40000, 40000, 1, 40000, 1), Sample: ramp(0.001)}
	plan, err := pyramid.New(source).Plan(context.Background(), pyramid.View{Lattice: geo.Lattice{ResolutionX: 1, ResolutionY: -1}, Rect: raster.Rect{X1: 100, Y1: 40000}, Alpha: -1})
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range plan.Parts {
		if bytes := len(part.Blocks) * 40000; bytes > 64<<20 {
			t.Errorf("a part of %v holds %d bytes", part.Rect, bytes)
		}
	}
}

// Classes are picked, not averaged. A band of amounts is not affected by a band of classes beside it.
func TestClassesAreNotAveraged(t *testing.T) {
	source := &rastertest.Synthetic{Name: "n", Has: rastertest.Flat(raster.Uint16, 16, 12, 2, 8, 8)}
	source.Has.Bands[1].Categories = []string{"water", "", "wood"}
	source.Sample = func(_, _, x, y int) (float64, bool) { return float64(100 * ((x + y) % 2)), true }
	p := pyramid.New(source)
	for _, test := range []struct {
		bands   []int
		weighed bool
	}{{nil, false}, {[]int{1}, false}, {[]int{0}, true}, {[]int{0, 1}, false}} {
		v := pyramid.View{
			Lattice: geo.Lattice{ResolutionX: 0.7, ResolutionY: -0.7}, Rect: raster.Rect{X1: 20, Y1: 15},
			Resampling: resample.Bilinear, Bands: test.bands, Alpha: -1,
		}
		tile := mustRead(t, p, v)
		weighed := false
		for x := range tile.Width() {
			value, _ := tile.At(0, x, 7)
			weighed = weighed || value != 0 && value != 100
		}
		if weighed != test.weighed {
			t.Errorf("bands %v: weighed %v, want %v", test.bands, weighed, test.weighed)
		}
	}
}
