package request

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"tileserver/geo"
)

// The bounds of numbers that can be degrees: views extend beyond the poles, and more than once
// around the globe.
const maxLongitude, maxLatitude = 720, 180

// pole is the latitude of the poles.
const pole = 90

// CheckDegrees rejects a box that lies nowhere on the globe where degrees are expected: projected
// coordinates without a crs, and coordinates in the wrong order. A box that only extends beyond a
// pole is a common view.
func (p *Parameters) CheckDegrees(name string, b geo.Bounds, crs *geo.CRS) {
	if crs == nil || !crs.IsGeographic() {
		return
	}
	degree := crs.HalfTurn() / 180
	x := max(math.Abs(b.MinX), math.Abs(b.MaxX)) / degree
	y := max(math.Abs(b.MinY), math.Abs(b.MaxY)) / degree
	isBeyondPole := min(b.MinY, b.MaxY) > pole*degree || max(b.MinY, b.MaxY) < -pole*degree
	switch {
	case isBeyondPole && x <= pole && y <= maxLongitude:
		p.Reject("%s: latitude comes second, and is from -90 to 90; did you mean %s?", name, swapped(name, b))
	case isBeyondPole || x > maxLongitude || y > maxLatitude:
		p.Reject("%s: these are not longitudes and latitudes; add their system, like crs=EPSG:3857, or crs=image for pixels of the image", name)
	}
}

// swapped formats a box, or a point, in the syntax of a request with the numbers of each pair
// exchanged.
func swapped(name string, b geo.Bounds) string {
	if b.MinX == b.MaxX && b.MinY == b.MaxY {
		return numberList(b.MinY, b.MinX)
	}
	return fmt.Sprintf("%s=%s", name, numberList(b.MinY, b.MinX, b.MaxY, b.MaxX))
}

func numberList(numbers ...float64) string {
	texts := make([]string, len(numbers))
	for i, v := range numbers {
		texts[i] = strconv.FormatFloat(v, 'g', -1, 64)
	}
	return strings.Join(texts, ",")
}
