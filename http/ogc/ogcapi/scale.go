package ogcapi

import (
	"fmt"
	"math"
	"strings"

	"tileserver/geo"
)

// metersPerPixel is the pixel size that the standards assume for displays.
const metersPerPixel = 0.00028

// ParseCenter parses two numbers. If northingFirst is set, the first one is the northing.
func ParseCenter(text string, northingFirst bool) (geo.Point, error) {
	first, second, _ := strings.Cut(text, ",")
	x, okX := finite(first)
	y, okY := finite(second)
	if !okX || !okY {
		return geo.Point{}, fmt.Errorf("%w: center must be two finite numbers with a comma between them, not %q", ErrQuery, text)
	}
	if northingFirst {
		x, y = y, x
	}
	return geo.Point{X: x, Y: y}, nil
}

// ParseScale parses a scale denominator.
func ParseScale(text string) (denominator float64, err error) {
	denominator, ok := finite(text)
	if !ok || !(denominator > 0) {
		return 0, fmt.Errorf("%w: scale-denominator must be a number above 0, not %q", ErrQuery, text)
	}
	return denominator, nil
}

// SizeAt returns the size in pixels of a map of a box. The scale holds at the center of the box.
func SizeAt(denominator float64, b geo.Bounds, crs *geo.CRS) (width, height float64, err error) {
	x, y, err := metersPerUnit(b.Center(), crs)
	if err != nil {
		return 0, 0, err
	}
	pixel := denominator * metersPerPixel
	return b.Width() * x / pixel, b.Height() * y / pixel, nil
}

// Around returns the box of a map with a center, a size in pixels and a scale.
func Around(center geo.Point, width, height int, denominator float64, crs *geo.CRS) (geo.Bounds, error) {
	x, y, err := metersPerUnit(center, crs)
	if err != nil {
		return geo.Bounds{}, err
	}
	pixel := denominator * metersPerPixel
	east, north := float64(width)*pixel/x/2, float64(height)*pixel/y/2
	return geo.Bounds{MinX: center.X - east, MinY: center.Y - north, MaxX: center.X + east, MaxY: center.Y + north}, nil
}

// metersPerUnit returns the length on the ground of a unit of each axis at a point.
func metersPerUnit(at geo.Point, crs *geo.CRS) (x, y float64, err error) {
	const meters = 10.0 // short enough for any projection to be linear, long enough for exact differences
	step := meters / crs.MetersPerUnit()
	distance := func(east, north float64) float64 {
		from := crs.ToLonLat(geo.Point{X: at.X - east/2, Y: at.Y - north/2})
		to := crs.ToLonLat(geo.Point{X: at.X + east/2, Y: at.Y + north/2})
		return geo.GroundDistance(from, to) / step
	}
	x, y = distance(step, 0), distance(0, step)
	isOnEarth := math.Abs(crs.ToLonLat(at).Y) < 90 // false for NaN
	if !isOnEarth || !(x > 0 && y > 0) || math.IsInf(x, 0) || math.IsInf(y, 0) {
		return 0, 0, fmt.Errorf("%w: the scale is undefined at %g,%g", ErrOutside, at.X, at.Y)
	}
	return x, y, nil
}
