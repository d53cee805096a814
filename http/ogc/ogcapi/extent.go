package ogcapi

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"tileserver/geo"
)

// ErrQuery wraps every error about an invalid parameter.
var ErrQuery = errors.New("invalid parameter")

// ErrOutside wraps every error about coordinates outside their reference system.
var ErrOutside = errors.New("outside the reference system")

// ParseBBox parses four numbers, or six with heights, which it ignores. If northingFirst is set,
// the first number of each corner is the northing.
func ParseBBox(text string, northingFirst bool) (geo.Bounds, error) {
	parts := strings.SplitN(text, ",", 7)
	var indexes []int // of the horizontal coordinates
	switch len(parts) {
	case 4:
		indexes = []int{0, 1, 2, 3}
	case 6:
		indexes = []int{0, 1, 3, 4}
	default:
		return geo.Bounds{}, fmt.Errorf("%w: bbox must be four or six numbers with commas between them", ErrQuery)
	}
	numbers := make([]float64, len(parts))
	for i, part := range parts {
		var ok bool
		if numbers[i], ok = finite(part); !ok {
			return geo.Bounds{}, fmt.Errorf("%w: bbox must be of finite numbers, not %q", ErrQuery, part)
		}
	}
	first, second := [2]float64{numbers[indexes[0]], numbers[indexes[2]]}, [2]float64{numbers[indexes[1]], numbers[indexes[3]]}
	if northingFirst {
		first, second = second, first
	}
	return geo.Bounds{MinX: first[0], MaxX: first[1], MinY: second[0], MaxY: second[1]}, nil
}

func finite(text string) (v float64, ok bool) {
	v, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	return v, err == nil && !math.IsNaN(v) && !math.IsInf(v, 0)
}

// maxSubsets bounds the axes in a request; more than two are an error anyway.
const maxSubsets = 8

// ParseSubset parses the parameter subset, like Lat(47:48),Lon(10:12), or with the axes E and N.
// Both axes must be given.
func ParseSubset(texts []string, crs *geo.CRS) (geo.Bounds, error) {
	var b geo.Bounds
	var hasX, hasY bool
	parts := strings.SplitN(strings.Join(texts, ","), ",", maxSubsets+1)
	if len(parts) > maxSubsets {
		return b, fmt.Errorf("%w: subset has more than %d axes", ErrQuery, maxSubsets)
	}
	for _, part := range parts {
		axis, low, high, err := parseInterval(part)
		if err != nil {
			return b, err
		}
		isX, ok := axisOf(axis, crs)
		switch {
		case !ok:
			return b, fmt.Errorf("%w: subset: the reference system has no axis %q", ErrQuery, axis)
		case isX && hasX || !isX && hasY:
			return b, fmt.Errorf("%w: subset names the axis %q twice", ErrQuery, axis)
		case isX:
			b.MinX, b.MaxX, hasX = low, high, true
		default:
			b.MinY, b.MaxY, hasY = low, high, true
		}
	}
	if !hasX || !hasY {
		return b, fmt.Errorf("%w: subset must name both axes, like Lat(47:48),Lon(10:12)", ErrQuery)
	}
	return b, nil
}

// parseInterval parses the name of an axis and its interval.
func parseInterval(text string) (axis string, low, high float64, err error) {
	axis, rest, ok := strings.Cut(strings.TrimSpace(text), "(")
	inner, closed := strings.CutSuffix(rest, ")")
	from, to, isInterval := strings.Cut(inner, ":")
	low, lowOK := finite(from)
	high, highOK := finite(to)
	if !ok || !closed || !isInterval || !lowOK || !highOK {
		return axis, 0, 0, fmt.Errorf("%w: subset must be of intervals like Lat(47:48), not %q", ErrQuery, text)
	}
	return axis, low, high, nil
}

// axisOf reports whether the name of an axis means x. ok is false for an unknown name.
func axisOf(name string, crs *geo.CRS) (isX, ok bool) {
	name = strings.ToLower(name)
	if crs.IsGeographic() {
		return name == "lon", name == "lon" || name == "lat"
	}
	return name == "e" || name == "x", name == "e" || name == "x" || name == "n" || name == "y"
}

// FormatBBox formats a box in the axis order of its system, for the header Content-Bbox.
func FormatBBox(b geo.Bounds, crs *geo.CRS) string {
	numbers := []float64{b.MinX, b.MinY, b.MaxX, b.MaxY}
	if crs.NorthingFirst() {
		numbers = []float64{b.MinY, b.MinX, b.MaxY, b.MaxX}
	}
	texts := make([]string, len(numbers))
	for i, number := range numbers {
		texts[i] = strconv.FormatFloat(number, 'f', -1, 64)
	}
	return strings.Join(texts, ",")
}
