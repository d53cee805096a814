package geo

import (
	"errors"
	"math"
	"strings"
	"testing"
)

// grid returns control points of an image of 1000x600 pixels, placed by a function.
func grid(columns, rows int, place func(Point) Point) []ControlPoint {
	var points []ControlPoint
	for row := range rows {
		for column := range columns {
			pixel := Point{1000 * float64(column) / float64(columns-1), 600 * float64(row) / float64(rows-1)}
			points = append(points, ControlPoint{pixel, place(pixel)})
		}
	}
	return points
}

func TestControlPoints(t *testing.T) {
	turned := Affine{A: 1.5, B: 0.7, C: 300000, D: 0.6, E: -1.4, F: 5_600_000}
	for _, c := range []struct {
		name          string
		columns, rows int
		place         func(Point) Point
		method        string
		off           float64 // maximum between the points, in pixels
	}{
		{"three corners", 2, 2, turned.Apply, "order 1", 1e-6},
		{"many on a plane", 9, 7, turned.Apply, "order 1", 1e-6},
		{"a bend", 5, 4, func(p Point) Point {
			q := turned.Apply(p)
			return Point{q.X + p.X*p.X/40000, q.Y + p.X*p.Y/30000}
		}, "order 2", 1},
		{"waves", 11, 9, func(p Point) Point {
			q := turned.Apply(p)
			return Point{q.X + 20*math.Sin(p.X/150), q.Y + 20*math.Cos(p.Y/130+p.X/300)}
		}, "spline", 2},
	} {
		points := grid(c.columns, c.rows, c.place)
		if c.name == "three corners" {
			points = points[:3]
		}
		p, err := FitControlPoints(points, nil)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if !strings.Contains(p.String(), c.method) {
			t.Errorf("%s: placed by %v, want %s", c.name, p, c.method)
		}
		for _, pixel := range []Point{{500, 300}, {10, 20}, {990, 33}, {444.4, 555.5}} {
			if back := p.Pixel(p.Place(pixel)); math.Hypot(back.X-pixel.X, back.Y-pixel.Y) > 1e-4 {
				t.Errorf("%s: pixel %v comes back as %v", c.name, pixel, back)
			}
			if got := p.Pixel(c.place(pixel)); math.Hypot(got.X-pixel.X, got.Y-pixel.Y) > c.off {
				t.Errorf("%s: pixel %v is found as %v", c.name, pixel, got)
			}
		}
		if b := p.Bounds(1000, 600); !b.Contains(c.place(Point{500, 300})) || b.Empty() {
			t.Errorf("%s: bounds %+v", c.name, b)
		}
	}
}

func TestSplineGoesThroughItsPoints(t *testing.T) {
	points := grid(6, 5, func(p Point) Point { return Point{p.X + 30*math.Sin(p.Y/50), -p.Y + 30*math.Cos(p.X/40)} })
	p, err := FitControlPoints(points, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range points {
		if got := p.Pixel(c.Place); math.Hypot(got.X-c.Pixel.X, got.Y-c.Pixel.Y) > 1e-6 {
			t.Errorf("pixel %v is found as %v", c.Pixel, got)
		}
	}
	if p.Residual() > 1e-6 {
		t.Errorf("residual %v", p.Residual())
	}
}

// TestFarFromThePoints covers places where a curved polynomial would turn back into the image.
func TestFarFromThePoints(t *testing.T) {
	points := grid(5, 4, func(p Point) Point { return Point{p.X + p.X*p.X/40000, -p.Y} })
	p, err := FitControlPoints(points, nil)
	if err != nil {
		t.Fatal(err)
	}
	for x := 2000.0; x < 200000; x += 50 {
		for _, place := range []Point{{x, -300}, {-x, -300}, {500, x}, {500, -x}} {
			if got := p.Pixel(place); got.X >= 0 && got.X < 1000 && got.Y >= 0 && got.Y < 600 {
				t.Fatalf("%v is in the image, at %v", place, got)
			}
		}
	}
}

func TestUnusableControlPoints(t *testing.T) {
	line := func(p Point) Point { return Point{p.X, 2 * p.X} }
	for name, points := range map[string][]ControlPoint{
		"none":          nil,
		"two":           grid(2, 2, Affine{A: 1, E: -1}.Apply)[:2],
		"one, repeated": {{Point{1, 1}, Point{2, 2}}, {Point{1, 1}, Point{2, 2}}, {Point{1, 1}, Point{2, 2}}},
		"on a line":     grid(4, 3, line),
		"no numbers":    {{Point{0, 0}, Point{math.NaN(), 0}}, {Point{1, 0}, Point{1, 0}}, {Point{0, 1}, Point{0, math.Inf(1)}}, {Point{2, 2}, Point{2, 2}}},
	} {
		if p, err := FitControlPoints(points, nil); !errors.Is(err, ErrControlPoints) {
			t.Errorf("%s: got %v, %v", name, p, err)
		}
	}
}

func TestControlPointsAcrossTheAntimeridian(t *testing.T) {
	place := func(p Point) Point {
		longitude := 178 + p.X/200
		if longitude > 180 {
			longitude -= 360
		}
		return Point{longitude, 10 - p.Y/200}
	}
	crs, err := ByCode(4326)
	if err != nil {
		t.Fatal(err)
	}
	p, err := FitControlPoints(grid(5, 4, place), crs)
	if err != nil {
		t.Fatal(err)
	}
	if p.Residual() > 1e-6 {
		t.Errorf("placed by %v", p)
	}
	if b := p.Bounds(1000, 600); math.Abs(b.MinX-178) > 1e-9 || math.Abs(b.MaxX-183) > 1e-9 {
		t.Errorf("bounds %+v", b)
	}
}

func TestManyControlPointsAreBounded(t *testing.T) {
	points := grid(60, 50, func(p Point) Point { return Point{p.X + 15*math.Sin(p.Y/90), -p.Y} })
	p, err := FitControlPoints(points, nil)
	if err != nil {
		t.Fatal(err)
	}
	if s, ok := p.toPixel.(spline); ok && len(s.points) > maxSplinePoints {
		t.Errorf("a spline through %d points", len(s.points))
	}
	if p.Residual() > 15 {
		t.Errorf("placed by %v", p)
	}
}

func BenchmarkControlPointPixel(b *testing.B) {
	for name, place := range map[string]func(Point) Point{
		"polynomial": func(p Point) Point { return Point{p.X + p.X*p.X/40000, -p.Y} },
		"spline":     func(p Point) Point { return Point{p.X + 30*math.Sin(p.Y/50), -p.Y} },
	} {
		p, err := FitControlPoints(grid(15, 14, place), nil)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				p.Pixel(Point{400, -300})
			}
		})
	}
}

// Bounds are cached between calls, separately for each size.
func TestBoundsAreThoseOfTheSize(t *testing.T) {
	p, err := FitControlPoints(grid(11, 9, func(p Point) Point { return Point{p.X + 20*math.Sin(p.X/150), -p.Y + 20*math.Cos(p.Y/130)} }), nil)
	if err != nil {
		t.Fatal(err)
	}
	whole, part := p.Bounds(1000, 600), p.Bounds(500, 301)
	if whole.Width() < 1.5*part.Width() || whole.Height() < 1.5*part.Height() {
		t.Errorf("the whole has the bounds %+v, a quarter of it %+v", whole, part)
	}
	if again := p.Bounds(1000, 600); again != whole || p.Bounds(1000, 600) != whole {
		t.Errorf("the bounds were %+v and are %+v", whole, again)
	}
}

func BenchmarkControlPointBounds(b *testing.B) {
	p, err := FitControlPoints(grid(14, 15, func(p Point) Point { return Point{p.X + 20*math.Sin(p.X/150), -p.Y + 20*math.Cos(p.Y/130)} }), nil)
	if err != nil {
		b.Fatal(err)
	}
	b.Run("found", func(b *testing.B) {
		for b.Loop() {
			BoundsAround(1000, 600, p.Place)
		}
	})
	b.Run("kept", func(b *testing.B) {
		for b.Loop() {
			p.Bounds(1000, 600)
		}
	})
}
