package geo

import (
	"math"
	"math/rand/v2"
	"testing"

	"tileserver/geo/internal/projection"
)

// The corners are PROJ's.
func TestTransformBounds(t *testing.T) {
	const edge = math.Pi * 6378137
	tests := []struct {
		name      string
		from, to  int
		b, want   Bounds
		tolerance float64
	}{
		{"nothing changes", 3857, 3857, Bounds{1, 2, 3, 4}, Bounds{1, 2, 3, 4}, 0},
		{"empty", 3857, 4326, Bounds{}, Bounds{}, 0},
		{"the world", 4326, 3857, Bounds{-180, -90, 180, 90}, Bounds{-edge, -edge, edge, edge}, 1e-6},
		{"the northern world", 4326, 3857, Bounds{-180, 0, 180, 88}, Bounds{-edge, 0, edge, edge}, 1e-6},
		{"the square world", 3857, 4326, Bounds{-edge, -edge, edge, edge}, Bounds{-180, -maxMercatorLatitude, 180, maxMercatorLatitude}, 1e-9},
		{"the north pole", 3995, 4326, Bounds{-1e6, -1e6, 2e6, 1e6}, Bounds{-180, 69.628669, 180, 90}, 1e-5},
		{"the north pole in Mercator", 3995, 3857, Bounds{-1e6, -1e6, 1e6, 1e6}, Bounds{-edge, 13872624.939, edge, edge}, 0.01},
		{"the south pole", 3031, 4326, Bounds{-1e6, -1e6, 1e6, 1e6}, Bounds{-180, -90, 180, -77.037401}, 1e-5},
		{"across the antimeridian", 32660, 4326, Bounds{500000, 100000, 1000000, 200000}, Bounds{-180, 0.9, 180, 1.81}, 0.01},
		{"a bent edge", 3035, 4326, Bounds{3321000, 4210000, 5321000, 5210000}, Bounds{-14.681267, 59.838819, 34.681267, 70.026798}, 1e-5},
		{"outside altogether", 3035, 4326, Bounds{3e7, 3e7, 4e7, 4e7}, Bounds{}, 0},
		{"partly outside", 6931, 4326, Bounds{-2e7, -2e7, 2e7, 2e7}, Bounds{-180, -90, 180, 90}, 10},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := TransformBounds(NewTransform(system(t, test.from), system(t, test.to)), test.b)
			for _, d := range []float64{got.MinX - test.want.MinX, got.MinY - test.want.MinY, got.MaxX - test.want.MaxX, got.MaxY - test.want.MaxY} {
				if !(math.Abs(d) <= test.tolerance) {
					t.Fatalf("got %v, want %v", got, test.want)
				}
			}
		})
	}
}

// TestTransformBoundsHoldsEverything samples the inside of rectangles. Samples may lie outside the
// result by as much as an edge bends between two sample points of TransformBounds.
func TestTransformBoundsHoldsEverything(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for _, codes := range [][2]int{{32633, 4326}, {3035, 3857}, {2154, 4326}, {3031, 4326}, {3995, 3857}, {4326, 32601}, {5070, 4326}} {
		transform := NewTransform(system(t, codes[0]), system(t, codes[1]))
		area, _ := system(t, codes[0]).AreaOfUse()
		if codes[0] == 4326 {
			area = Bounds{-179, 10, -170, 60}
		}
		b := TransformBounds(NewTransform(wgs84(), system(t, codes[0])), area)
		got := TransformBounds(transform, b)
		slack := 2e-3 * max(got.Width(), got.Height())
		grown := Bounds{got.MinX - slack, got.MinY - slack, got.MaxX + slack, got.MaxY + slack}
		for range 1000 {
			p := Point{b.MinX + random.Float64()*b.Width(), b.MinY + random.Float64()*b.Height()}
			q := transform.Apply(p)
			if codes[1] == 3857 && math.Abs(q.Y) > math.Pi*6378137 {
				continue
			}
			if !q.IsNaN() && !grown.Contains(q) {
				t.Fatalf("EPSG:%d to EPSG:%d: %v of %v is outside %v", codes[0], codes[1], q, p, got)
			}
		}
	}
}

// TestTransformBoundsAroundTheWorld samples rectangles that go around the world, over poles, and
// across the cuts of systems.
func TestTransformBoundsAroundTheWorld(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	for _, codes := range [][2]int{
		{4326, 3857}, {4326, 3395}, {4326, 3832}, {4326, 4269}, {4326, 4807}, {4326, 3031}, {4326, 3413}, {4269, 3857}, {4807, 3857},
		{3413, 4326}, {3413, 3857}, {3413, 3832}, {3031, 4326}, {3031, 3395}, {3413, 3576}, {3857, 3832}, {3832, 3857}, {3832, 4326}, {32660, 3857},
	} {
		from, to := system(t, codes[0]), system(t, codes[1])
		transform := NewTransform(from, to)
		isMercator := to.method == projection.WebMercator || to.method == projection.MercatorA || to.method == projection.MercatorB
		for range 40 {
			b := aroundTheWorld(from, random)
			got := TransformBounds(transform, b)
			slack := 2e-3 * max(got.Width(), got.Height())
			grown := Bounds{got.MinX - slack, got.MinY - slack, got.MaxX + slack, got.MaxY + slack}
			for range 400 {
				p := Point{b.MinX + random.Float64()*b.Width(), b.MinY + random.Float64()*b.Height()}
				q := transform.Apply(p)
				if latitude := from.ToLonLat(p).Y; math.Abs(latitude) > 85 && isMercator {
					continue // towards infinity
				}
				if !q.IsNaN() && !grown.Contains(q) {
					t.Fatalf("EPSG:%d to EPSG:%d: %v of %v in %v is outside %v", codes[0], codes[1], q, p, b, got)
				}
			}
		}
	}
}

// aroundTheWorld returns a random rectangle of a large part of the world.
func aroundTheWorld(crs *CRS, random *rand.Rand) Bounds {
	if crs.IsGeographic() {
		half := crs.HalfTurn()
		west, south := (random.Float64()*3-2)*half, (random.Float64()-0.5)*0.9*half
		return Bounds{west, south, west + (0.05+1.95*random.Float64())*half, south + random.Float64()*(0.45*half-south)}
	}
	west, south := -random.Float64()*5e6, -random.Float64()*5e6
	if crs.method != projection.PolarStereographicA && crs.method != projection.PolarStereographicB {
		west, south = random.Float64()*1e6, random.Float64()*1e6
		return Bounds{west, south, west + 4e6*random.Float64(), south + 5e6*random.Float64()}
	}
	return Bounds{west, south, west + 8e6*random.Float64(), south + 8e6*random.Float64()}
}

func BenchmarkTransformBounds(b *testing.B) {
	transform := NewTransform(system(b, 32633), system(b, 3857))
	b.ReportAllocs()
	for b.Loop() {
		TransformBounds(transform, Bounds{400000, 5000000, 600000, 5200000})
	}
}

// TestBoundsOfAFullDisk: a satellite sees 81 degrees in each direction.
func TestBoundsOfAFullDisk(t *testing.T) {
	for _, longitude := range []float64{-75, 0, 140.7} {
		c, err := FromDefinition(Definition{Ellipsoid: wgs84Ellipsoid(), Method: projection.GeostationarySweepX,
			Parameters: Parameters{LongitudeOfOrigin: longitude, OriginHeight: 35786023}})
		if err != nil {
			t.Fatal(err)
		}
		disk := Bounds{-5500000, -5500000, 5500000, 5500000}
		got := NewFootprint(c, disk).LonLat()
		if math.Abs(got.MinX-longitude+81.3) > 0.05 || math.Abs(got.MaxX-longitude-81.3) > 0.05 || math.Abs(got.MaxY-81.33) > 0.05 || math.Abs(got.MinY+81.33) > 0.05 {
			t.Errorf("at %v: got %v", longitude, got)
		}
		half := NewFootprint(c, Bounds{0, -5500000, 5500000, 5500000}).LonLat()
		if math.Abs(half.MinX-longitude) > 0.05 || math.Abs(half.MaxX-longitude-81.3) > 0.05 {
			t.Errorf("the eastern half at %v: got %v", longitude, half)
		}
	}
}
