package geo

import (
	"math"
	"testing"
)

func TestBounds(t *testing.T) {
	a, b := Bounds{0, 0, 4, 2}, Bounds{3, 1, 5, 9}
	if got := a.Intersect(b); got != (Bounds{3, 1, 4, 2}) {
		t.Errorf("intersect: got %v", got)
	}
	if got := a.Union(b); got != (Bounds{0, 0, 5, 9}) {
		t.Errorf("union: got %v", got)
	}
	if got := a.Intersect(Bounds{4, 0, 5, 2}); got != (Bounds{}) {
		t.Errorf("touching: got %v", got)
	}
	if got := a.Union(Bounds{}); got != a {
		t.Errorf("with nothing: got %v", got)
	}
	if got := (Bounds{}).Union(a); got != a {
		t.Errorf("nothing with: got %v", got)
	}
	if a.Width() != 4 || a.Height() != 2 || a.Center() != (Point{2, 1}) {
		t.Errorf("got %v × %v around %v", a.Width(), a.Height(), a.Center())
	}
	if !a.Contains(Point{4, 2}) || a.Contains(Point{4.1, 2}) || a.Contains(Point{math.NaN(), 1}) {
		t.Error("contains is wrong")
	}
	for _, empty := range []Bounds{{}, {1, 1, 1, 2}, {2, 0, 1, 1}, {math.NaN(), 0, 1, 1}} {
		if !empty.Empty() {
			t.Errorf("%v is not empty", empty)
		}
	}
}

func TestAffineInvert(t *testing.T) {
	tests := []struct {
		name   string
		affine Affine
		ok     bool
	}{
		{"north up", Affine{10, 0, 500000, 0, -10, 5e6}, true},
		{"rotated, not square", Affine{3, 4, 100, 2, -7, 200}, true},
		{"tiny pixels far away", Affine{1e-9, 0, 15, 0, -1e-9, 48}, true},
		{"zero", Affine{}, false},
		{"flat", Affine{1, 2, 0, 2, 4, 0}, false},
		{"NaN", Affine{math.NaN(), 0, 0, 0, 1, 0}, false},
		{"infinite", Affine{math.Inf(1), 0, 0, 0, 1, 0}, false},
		{"an infinite origin", Affine{1, 0, math.Inf(1), 0, 1, 0}, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			inverse, ok := test.affine.Invert()
			if ok != test.ok {
				t.Fatalf("got %v", ok)
			}
			p := Point{123.5, 45.25}
			if got := inverse.Apply(test.affine.Apply(p)); ok && math.Hypot(got.X-p.X, got.Y-p.Y) > 1e-4 {
				t.Errorf("got %v, want %v", got, p)
			}
		})
	}
}

func TestAffineBounds(t *testing.T) {
	if got := (Affine{0, 2, 10, 3, 0, 20}).Bounds(5, 7); got != (Bounds{10, 20, 24, 35}) {
		t.Errorf("got %v", got)
	}
}

func TestGeoreferenceFromTags(t *testing.T) {
	matrix := []float64{2, 1, 0, 100, 1, -2, 0, 200, 0, 0, 0, 0, 0, 0, 0, 1}
	tests := []struct {
		name                     string
		scale, tiepoints, matrix []float64
		point                    bool
		want                     Affine
		ok                       bool
	}{
		{"scale and tie point", []float64{10, 20, 0}, []float64{0, 0, 0, 500, 1000, 0}, nil, false, Affine{10, 0, 500, 0, -20, 1000}, true},
		{"a tie point inside", []float64{10, 20, 0}, []float64{3, 5, 0, 530, 900, 0}, nil, false, Affine{10, 0, 500, 0, -20, 1000}, true},
		{"pixel centres", []float64{10, 20, 0}, []float64{0, 0, 0, 505, 990, 0}, nil, true, Affine{10, 0, 500, 0, -20, 1000}, true},
		{"a negative scale", []float64{10, -20, 0}, []float64{0, 0, 0, 500, 1000, 0}, nil, false, Affine{10, 0, 500, 0, -20, 1000}, true},
		{"matrix", nil, nil, matrix, false, Affine{2, 1, 100, 1, -2, 200}, true},
		{"matrix of pixel centres", nil, nil, matrix, true, Affine{2, 1, 98.5, 1, -2, 200.5}, true},
		{"nothing", nil, nil, nil, false, Affine{}, false},
		{"tie points alone", nil, make([]float64, 24), nil, false, Affine{}, false},
		{"a scale of zero", []float64{0, 1, 0}, make([]float64, 6), nil, false, Affine{}, false},
		{"a short tie point", []float64{1, 1, 0}, make([]float64, 5), nil, false, Affine{}, false},
		{"a matrix of zeros", nil, nil, make([]float64, 16), false, Affine{}, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, ok := GeoreferenceFromTags(test.scale, test.tiepoints, test.matrix, test.point)
			if ok != test.ok || ok && got != test.want {
				t.Errorf("got %v, %v", got, ok)
			}
		})
	}
}
