// Package geo says where pixels are on the Earth: points, bounds, affine georeferencing, coordinate reference systems and
// the transforms between them, GeoTIFF keys, tile matrix sets and pixel lattices. It computes everything itself from an
// embedded extract of the EPSG registry, and it must never know about files, pixels' values or HTTP.
//
// # Words
//
// A Point is x and y: easting and northing, or longitude and latitude, in the units of its CRS, whatever axis order the
// registry gives. (The few grids that count westings or southings keep to the registry and to what other software writes:
// x westing, y southing in southern Africa; x southing, y westing for the original Krovak.) A point outside the domain of a CRS is NaN in both members, never an error.
package geo

import "math"

// Point is a position in a CRS, or in an image as column and row.
type Point struct{ X, Y float64 }

// IsNaN says that the point is outside the domain of the CRS it was computed for.
func (p Point) IsNaN() bool { return math.IsNaN(p.X) || math.IsNaN(p.Y) }

func outside() Point { return Point{math.NaN(), math.NaN()} }

// Bounds is a rectangle. The zero value is empty.
type Bounds struct{ MinX, MinY, MaxX, MaxY float64 }

// Empty is true for rectangles without area, reversed ones, and those with NaN.
func (b Bounds) Empty() bool { return !(b.MinX < b.MaxX && b.MinY < b.MaxY) }

// Width is MaxX - MinX.
func (b Bounds) Width() float64 { return b.MaxX - b.MinX }

// Height is MaxY - MinY.
func (b Bounds) Height() float64 { return b.MaxY - b.MinY }

// Center returns the middle of the rectangle.
func (b Bounds) Center() Point { return Point{(b.MinX + b.MaxX) / 2, (b.MinY + b.MaxY) / 2} }

// Contains is true for points inside and on the edge.
func (b Bounds) Contains(p Point) bool {
	return p.X >= b.MinX && p.X <= b.MaxX && p.Y >= b.MinY && p.Y <= b.MaxY
}

// Intersect returns the part that both have; it is the zero Bounds where they share no area.
func (b Bounds) Intersect(other Bounds) Bounds {
	shared := Bounds{
		max(b.MinX, other.MinX), max(b.MinY, other.MinY),
		min(b.MaxX, other.MaxX), min(b.MaxY, other.MaxY),
	}
	if shared.Empty() {
		return Bounds{}
	}
	return shared
}

// Union returns the smallest rectangle around both; an empty one adds nothing.
func (b Bounds) Union(other Bounds) Bounds {
	switch {
	case b.Empty():
		return other
	case other.Empty():
		return b
	}
	return Bounds{
		min(b.MinX, other.MinX), min(b.MinY, other.MinY),
		max(b.MaxX, other.MaxX), max(b.MaxY, other.MaxY),
	}
}
