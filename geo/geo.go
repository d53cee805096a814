// Package geo locates pixels on the Earth: points, bounds, affine georeferencing, coordinate
// reference systems and transforms between them, GeoTIFF keys, tile matrix sets and pixel lattices.
// It computes everything from an embedded extract of the EPSG registry. It must never know files,
// pixel values or HTTP.
//
// # Words
//
// A Point is x and y: easting and northing, or longitude and latitude, in the units of its CRS,
// regardless of the axis order in the registry. (The few grids that count westings or southings
// follow the registry and other software: x is westing and y southing in southern Africa; x is
// southing and y westing for the original Krovak.) A point outside the domain of a CRS has NaN in
// both members; this is never an error.
package geo

import "math"

// Point is a position in a CRS, or a column and row of an image.
type Point struct{ X, Y float64 }

// IsNaN reports whether the point is outside the domain of the CRS for which it was computed.
func (p Point) IsNaN() bool { return math.IsNaN(p.X) || math.IsNaN(p.Y) }

func outside() Point { return Point{math.NaN(), math.NaN()} }

// Bounds is a rectangle. The zero value is empty.
type Bounds struct{ MinX, MinY, MaxX, MaxY float64 }

// Empty reports whether the rectangle has no area, is reversed, or contains NaN.
func (b Bounds) Empty() bool { return !(b.MinX < b.MaxX && b.MinY < b.MaxY) }

// Width returns MaxX - MinX.
func (b Bounds) Width() float64 { return b.MaxX - b.MinX }

// Height returns MaxY - MinY.
func (b Bounds) Height() float64 { return b.MaxY - b.MinY }

// Center returns the center of the rectangle.
func (b Bounds) Center() Point { return Point{(b.MinX + b.MaxX) / 2, (b.MinY + b.MaxY) / 2} }

// Contains reports whether p is inside or on the edge.
func (b Bounds) Contains(p Point) bool {
	return p.X >= b.MinX && p.X <= b.MaxX && p.Y >= b.MinY && p.Y <= b.MaxY
}

// Intersect returns the intersection, or the zero Bounds if it has no area.
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

// Union returns the smallest rectangle around both. An empty one adds nothing.
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
