package geo

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestLongitudesContinueBeyondTheDateLine(t *testing.T) {
	for _, test := range []struct {
		name       string
		code       int
		bounds     Bounds
		west, east float64 // roughly
	}{
		{"UTM 60 across it", 32660, Bounds{600_000, 0, 900_000, 300_000}, 177.9, 180.6},
		{"UTM 1 across it", 32601, Bounds{100_000, 0, 400_000, 300_000}, -180.6, -177.9},
		{"Mercator up to it", 3857, Bounds{19_000_000, 0, 20_000_000, 1_000_000}, 170.7, 179.7},
		{"Europe", 3035, Bounds{4_000_000, 3_000_000, 4_100_000, 3_100_000}, 5.4, 6.9},
		{"around the north pole", 3413, Bounds{-100_000, -100_000, 100_000, 100_000}, -180, 180},
		{"beside the pole, across it", 3413, Bounds{-1_600_000, 1_500_000, -1_400_000, 1_700_000}, 174.5, 181.8},
	} {
		b := NewFootprint(system(t, test.code), test.bounds).LonLat()
		if math.Abs(b.MinX-test.west) > 0.3 || math.Abs(b.MaxX-test.east) > 0.3 {
			t.Errorf("%s: from %v to %v, want about %v to %v", test.name, b.MinX, b.MaxX, test.west, test.east)
		}
	}
}

// TestFootprintOfATurnedImage: a square that stands on its corner, where meridians run diagonally,
// is parallel to them. Its bounds are half as wide as those of the rectangle around it.
func TestFootprintOfATurnedImage(t *testing.T) {
	crs := system(t, 3413)
	center := crs.FromLonLat(Point{X: 0, Y: 70})
	a := Affine{A: 100, B: 100, C: center.X - 100_000, D: 100, E: -100, F: center.Y}
	turned, err := NewAffinePlacement(a)
	if err != nil {
		t.Fatal(err)
	}
	image := NewImageFootprint(crs, turned, 1000, 1000)
	box := NewFootprint(crs, turned.Bounds(1000, 1000))
	tight, loose := image.LonLat(), box.LonLat()
	if ratio := tight.Width() / loose.Width(); !(ratio < 0.55 && ratio > 0.45) {
		t.Errorf("the bounds are %v of the image and %v of the rectangle around it", tight, loose)
	}
	if got, want := image.In(crs), turned.Bounds(1000, 1000); got != want {
		t.Errorf("in its own system the bounds are %v, want %v", got, want)
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range 1000 {
		p := crs.ToLonLat(turned.Place(Point{X: 1000 * random.Float64(), Y: 1000 * random.Float64()}))
		if !tight.Contains(p) {
			t.Fatalf("%v is outside of %v", p, tight)
		}
	}
	straight, err := NewAffinePlacement(Affine{A: 100, C: 1e6, E: -100, F: 1e6})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := NewImageFootprint(crs, straight, 70, 30).LonLat(), NewFootprint(crs, straight.Bounds(70, 30)).LonLat(); got != want {
		t.Errorf("not turned: got %v, want %v", got, want)
	}
	pole, err := NewAffinePlacement(Affine{A: 100, B: 100, C: -100_000, D: 100, E: -100})
	if err != nil {
		t.Fatal(err)
	}
	if got := NewImageFootprint(crs, pole, 1000, 1000).LonLat(); got.MaxY != 90 || got.Width() != 360 {
		t.Errorf("around the pole: got %v", got)
	}
}
